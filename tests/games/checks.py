"""What every game is tested for: lines of play counted twice, and small packs of it decided by brute force."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

from solitaire_lab.deals.dealing import deal
from solitaire_lab.deals.notation import parse_position
from solitaire_lab.deals.position import Position
from solitaire_lab.engine.engine import Engine
from solitaire_lab.rules.catalog import Game, resolve
from solitaire_lab.rules.model import Rules
from solitaire_lab.solver.solver import LEAST_MEMORY, Solver
from tests.brute import brute_force
from tests.kernel_view import KernelView
from tests.play import game_of

PERFT = Path(__file__).parents[1] / "data" / "perft"
"""A file a game, a JSON object a line: ``position``, and in ``lines`` how many lines of 1, 2, 3 … moves begin there."""

Shrink = Callable[[Random], dict[str, Any]]
"""Draws the settings that make a small pack of a game's rules."""


# --- lines of play ------------------------------------------------------------------------------------------------


def check_lines_of_play(game: str, *, positions_by_engine: int = 100) -> None:
    """Count the lines of a game's file again, by the kernel's own move generator and, while few, by the engine."""
    records = [json.loads(line) for line in (PERFT / f"{game}.jsonl").read_text(encoding="utf-8").splitlines()]
    assert len(records) >= 3
    for record in records:
        found, position = parse_position(record["position"])
        assert found.name == game
        counts = record["lines"]
        by_engine = 1 + sum(count <= positions_by_engine for count in counts[:-1])
        assert lines_by_engine(Engine(found.rules), position, by_engine) == counts[:by_engine]
        assert lines_by_kernel(found.rules, position, len(counts)) == counts


def lines_by_engine(engine: Engine, position: Position, depth: int) -> list[int]:
    """How many lines of 1 to ``depth`` moves there are."""
    counts, reached = [], [position]
    for _ in range(depth):
        reached = [engine.play(place, move) for place in reached for move in engine.legal_moves(place)]
        counts.append(len(reached))
    return counts


def lines_by_kernel(rules: Rules, position: Position, depth: int) -> list[int]:
    """The same by the kernel, which lists moves by a program of its own and takes them back."""
    view = KernelView(rules)
    view.load(position)
    counts = [0] * depth

    def walk(done: int) -> None:
        steps = view.steps()
        counts[done] += len(steps)
        if done + 1 < depth:
            for step in steps:
                trail = view.play(step)
                walk(done + 1)
                view.take_back(trail)

    walk(0)
    return counts


# --- small packs --------------------------------------------------------------------------------------------------


def small_deals(game: str, variants: Iterable[str], shrink: Shrink, seeds: range) -> Iterator[tuple[Game, Position]]:
    """Settled deals of small packs, each with the rules of the game or of one of its variants."""
    names = [game, *variants]
    for seed in seeds:
        random = Random(seed)
        while True:
            chosen = resolve(random.choice(names))
            try:
                rules = resolve(game, overrides=chosen.overrides | shrink(random)).rules
            except ValueError:
                continue
            break
        small = game_of(rules)
        yield small, Engine(rules).settle(deal(small, numbering="lab", seed=seed))


def check_by_brute_force(deals: Iterable[tuple[Game, Position]], *, limit: int) -> Counter[str]:
    """Compare the solver's verdicts with brute force; count those that brute force reached within ``limit``."""
    counts: Counter[str] = Counter()
    for game, position in deals:
        winnable = brute_force(Engine(game.rules), position, limit=limit)
        if winnable is None:
            counts["too many positions"] += 1
            continue
        expected = "win" if winnable else "loss"
        found = outcome(game.rules, position)
        assert found in (expected, "undecided"), (position, game.rules)
        counts["undecided by the solver"] += found != expected
        counts[expected] += 1
    return counts


def outcome(rules: Rules, position: Position, *, budget: int = 200_000) -> str:
    """The solver's verdict with all its prunings."""
    verdict = Solver(rules, memory=8 * LEAST_MEMORY).solve(position, budget=budget)
    assert verdict is not None
    return verdict.outcome


def outcomes_of_readings(game: str, readings: Sequence[str], shrink: Shrink, seeds: range) -> Counter[tuple[str, ...]]:
    """The verdicts on small deals under several readings of the rules; the deal is the same under each."""
    counts: Counter[tuple[str, ...]] = Counter()
    for seed in seeds:
        settings = shrink(Random(seed))
        smaller = [game_of(resolve(game, overrides=resolve(name).overrides | settings).rules) for name in readings]
        positions = [Engine(small.rules).settle(deal(small, numbering="lab", seed=seed)) for small in smaller]
        counts[tuple(outcome(small.rules, at) for small, at in zip(smaller, positions, strict=True))] += 1
    return counts
