"""What a verdict promises: nodes, budgets, memory, lines of play, fingerprints."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numba
import pytest
from kernel_view import KernelView
from numba import njit
from other_mode import verdicts
from play import game_of

from solitaire_lab.deals.dealing import deal, deal_many
from solitaire_lab.deals.position import Position
from solitaire_lab.engine.moves import IllegalMoveError, Move, decode_moves
from solitaire_lab.errors import InputError
from solitaire_lab.rules.catalog import resolve
from solitaire_lab.rules.model import Rules
from solitaire_lab.solver import kernel
from solitaire_lab.solver.forced import forced_step, won
from solitaire_lab.solver.generate import generate
from solitaire_lab.solver.prunings import prunings_of
from solitaire_lab.solver.record import FLIP, NATURAL_COLUMNS
from solitaire_lab.solver.shorten import shortened
from solitaire_lab.solver.solver import LEAST_MEMORY, Solver, Verdict, load_kernel
from solitaire_lab.solver.steps import completed, do, undo

TWO_CELLS = Rules.model_validate(
    {
        "tableau": {"columns": 8, "layout": "even", "build": "alternating"},
        "cells": {"count": 2},
    }
)


def storehouse_deals(count: int) -> list[Position]:
    game = resolve("storehouse")
    solver = Solver(game.rules, memory=LEAST_MEMORY)
    return [solver.engine.settle(d) for d in deal_many(game, numbering="lab", seeds=range(1, count + 1))]


def decide(solver: Solver, position: Position, *, budget: int = 1_000_000) -> Verdict:
    verdict = solver.solve(position, budget=budget)
    assert verdict is not None
    return verdict


def unpruned(key: int = 0) -> Solver:
    """A Storehouse solver that needs many nodes, so that there is something to budget."""
    rules = resolve("storehouse").rules
    return Solver(rules, prunings=prunings_of(rules) & ~NATURAL_COLUMNS, key=key)


def test_share_of_winnable_storehouse_deals_is_the_published_one() -> None:
    """Wolter found 438,117 of 1,000,000 winnable (politaire.com, 2013); 43.8 % of 4,000 is 1,752 +- 31."""
    solver = Solver(resolve("storehouse").rules)
    outcomes = [decide(solver, position).outcome for position in storehouse_deals(4_000)]
    assert abs(outcomes.count("win") - 0.438117 * 4_000) < 4 * 31
    assert outcomes.count("undecided") == 0


def test_budgets_only_cut_off() -> None:
    """A deal decided in n nodes is decided alike under every budget of at least n, and under no smaller one."""
    solver = unpruned()
    for position in storehouse_deals(40):
        full = decide(solver, position)
        assert full.outcome != "undecided"
        for budget in {1, full.nodes // 2, full.nodes - 1, full.nodes, full.nodes + 1} - {0, -1}:
            verdict = decide(solver, position, budget=budget)
            if budget < full.nodes:
                assert verdict[:3] == ("undecided", "nodes", budget)
            else:
                assert verdict == full


def test_fingerprints_decide_nothing() -> None:
    one, other = unpruned(key=0), unpruned(key=2**64 - 1)
    for position in storehouse_deals(60):
        assert decide(one, position) == decide(other, position)


def test_verdicts_do_not_depend_on_what_was_searched_before() -> None:
    deals = storehouse_deals(30)
    solver = unpruned()
    forwards = [decide(solver, position) for position in deals]
    backwards = [decide(solver, position) for position in reversed(deals)]
    assert forwards == backwards[::-1]


def test_a_full_table_ends_a_deal_as_memory() -> None:
    position = deal(game_of(TWO_CELLS), numbering="lab", seed=9)
    verdict = decide(Solver(TWO_CELLS, memory=LEAST_MEMORY), position)
    assert verdict[:2] == ("undecided", "memory")
    assert decide(Solver(TWO_CELLS, memory=LEAST_MEMORY), position, budget=verdict.nodes).reason in ("nodes", "memory")
    assert decide(Solver(TWO_CELLS), position).outcome == "loss"


@pytest.mark.parametrize("memory", [0, -1, LEAST_MEMORY - 1, 2**60])
def test_memory_out_of_range_is_refused(memory: int) -> None:
    with pytest.raises(InputError, match="out of range"):
        Solver(TWO_CELLS, memory=memory)


def test_a_search_reports_and_can_be_stopped() -> None:
    game = resolve("wood")
    solver = Solver(game.rules, prunings=0)
    position = solver.engine.settle(deal(game, numbering="lab", seed=2))
    seen: list[int] = []

    def tick(nodes: int) -> bool:
        seen.append(nodes)
        return len(seen) < 2

    assert solver.solve(position, budget=100_000_000, tick=tick) is None
    assert len(seen) == 2
    assert seen == sorted(set(seen))


def test_lines_of_play_win_by_the_engine() -> None:
    solver = Solver(resolve("storehouse").rules)
    wins = 0
    for position in storehouse_deals(50):
        verdict = decide(solver, position)
        if verdict.moves is not None:
            wins += 1
            assert solver.engine.won(solver.engine.replay(position, decode_moves(verdict.moves)))
    assert wins > 10


def test_node_counts_are_guarded_by_the_revision() -> None:
    """Whoever changes these changes ``REVISION``: stored rows would no longer be what the solver finds.

    Independent of this: the verdicts, which brute force and the published share check; the counts are only pinned.
    """
    natural, plain = Solver(resolve("storehouse").rules), unpruned()
    deals = storehouse_deals(12)
    assert [decide(natural, position).nodes for position in deals] == GOLDEN
    assert [decide(plain, position).nodes for position in deals[:6]] == GOLDEN_PLAIN
    cells, deals = Solver(TWO_CELLS), list(deal_many(game_of(TWO_CELLS), numbering="lab", seeds=range(1, 7)))
    assert [decide(cells, position).nodes for position in deals] == GOLDEN_BEST_FIRST


GOLDEN = [9, 9, 1, 1, 1, 11, 1, 1, 6, 8, 1, 9]
GOLDEN_PLAIN = [51, 59, 117, 6765, 239, 54]
GOLDEN_BEST_FIRST = [12075, 1425, 436, 803, 969, 2199]


@pytest.mark.parametrize("function", [generate, forced_step, won, completed, do, undo], ids=lambda f: f.__name__)
def test_compiled_helpers_count_no_references(function: Any) -> None:
    """A reference count in a helper makes the kernel ten times slower without changing what it finds."""
    view = KernelView(resolve("storehouse").rules)
    view.load(storehouse_deals(1)[0])
    fresh = njit(function.py_func)  # code from the cache can't be inspected
    arguments = (view.record, FLIP) if function in (completed, do, undo) else (view.record,)
    fresh.compile(tuple(map(numba.typeof, arguments)))
    listing = "".join(fresh.inspect_llvm().values())
    assert "define" in listing
    assert "NRT_incref" not in listing


def test_a_full_disk_is_told_where_compiled_code_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(kernel, "start", full)
    with pytest.raises(InputError, match=r"can't be kept in .*: No space left on device\. Make room there"):
        load_kernel(print)


@pytest.mark.parametrize("mode", ["NUMBA_BOUNDSCHECK", "NUMBA_DISABLE_JIT"])
def test_kernel_in_another_mode(mode: str, tmp_path: Path) -> None:
    """Bounds checked, and as plain Python: the same verdicts and nodes, and no access out of range."""
    script = Path(__file__).parent.parent / "other_mode.py"
    environment = {**os.environ, mode: "1", "XDG_CACHE_HOME": str(tmp_path)}
    run = subprocess.run([sys.executable, str(script)], env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert run.stdout == verdicts()


def test_shortened_lines_win_and_have_nothing_to_drop() -> None:
    """A line with a loop put into it comes out without; of what is left no single move can be missed."""
    game = game_of(TWO_CELLS)
    solver = Solver(TWO_CELLS)
    engine = solver.engine
    position = deal(game, numbering="lab", seed=2)
    verdict = decide(solver, position)
    assert verdict.moves is not None
    line = list(decode_moves(verdict.moves))
    there = next(move for move in engine.legal_moves(position) if move.target >= 128)
    back = [there, Move(there.target, there.source, 1)]
    if back[1] in engine.legal_moves(engine.play(position, there)):
        assert shortened(engine, position, [*back, *line]) == line
    assert engine.won(engine.replay(position, line))
    for index in range(len(line)):
        try:
            assert not engine.won(engine.replay(position, line[:index] + line[index + 1 :]))
        except IllegalMoveError:
            continue
