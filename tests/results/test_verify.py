"""Verification: a sound folder is found sound, and every kind of damage is found."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from solitaire_lab.deals.dealing import deal_many
from solitaire_lab.errors import InputError
from solitaire_lab.results.cell import Cell, PlannedCell
from solitaire_lab.results.compact import compact
from solitaire_lab.results.manifest import Manifest
from solitaire_lab.results.rows import Row, SeedRange
from solitaire_lab.results.store import Store
from solitaire_lab.results.verify import Report, verify
from solitaire_lab.rules.catalog import resolve
from solitaire_lab.solver.solver import Solver
from tests.results.samples import a_cell, rewrite, some_rows

GAME = resolve("storehouse")
MEMORY = 1 << 24
PLAN = PlannedCell(
    Cell.from_game(GAME, numbering="lab", label="storehouse", memory=MEMORY), SeedRange(1, 1_100), {"run": 8}
)
CELL = PLAN.cell.id


@pytest.fixture(scope="module")
def rows() -> dict[int, Row]:
    """Real rows of the first deals of Storehouse, some of them undecided."""
    solver, found = Solver(GAME.rules, memory=MEMORY), {}
    for seed, dealt in zip(PLAN.seeds, deal_many(GAME, numbering="lab", seeds=range(1, 1_101)), strict=True):
        verdict = solver.solve(solver.engine.settle(dealt), budget=PLAN.budget)
        assert verdict is not None
        moves = verdict.moves
        found[seed] = Row(seed, *verdict[:4], None if moves is None else len(moves) // 3, 0.001, moves)
    outcomes = {found[seed].outcome for seed in range(1_000, 1_101)}
    assert outcomes == {"win", "loss", "undecided"}, "the budget must be one that leaves some deals of block 1 open"
    return found


@pytest.fixture(scope="module")
def original(rows: dict[int, Row], tmp_path_factory: pytest.TempPathFactory) -> Store:
    """A finished results folder."""
    store = Store(tmp_path_factory.mktemp("verify") / "out")
    with store.lock():
        store.write_manifest(Manifest("storehouse", (PLAN,)))
        for block in PLAN.seeds.blocks:
            store.write_block(PLAN, block, [rows[seed] for seed in PLAN.seeds.in_block(block)])
    return store


@pytest.fixture
def store(original: Store, tmp_path: Path) -> Store:
    """A copy of the finished folder, to be damaged."""
    return Store(shutil.copytree(original.path, tmp_path / "out"))


def only_problem(report: Report) -> str:
    assert not report.sound
    assert len(report.problems) == 1, report.problems
    return report.problems[0]


def with_seed(rows: dict[int, Row], outcome: str) -> int:
    """The first seed of block 1 with this outcome."""
    return next(seed for seed in range(1_000, 1_101) if rows[seed].outcome == outcome)


def set_value(seed: int, name: str, value: object) -> Callable[[pa.Table], pa.Table]:
    """Change one value of one row."""

    def change(table: pa.Table) -> pa.Table:
        values = table[name].to_pylist()
        values[table["seed"].to_pylist().index(seed)] = value
        return table.set_column(table.column_names.index(name), name, pa.array(values, table.schema.field(name).type))

    return change


def test_a_finished_folder_is_sound_and_every_win_was_replayed(original: Store, rows: dict[int, Row]) -> None:
    calls: list[tuple[int, int]] = []
    report = verify(original, sample=30, progress=lambda done, total: calls.append((done, total)))
    assert report == Report(
        cells=1,
        files=4,
        rows=1_100,
        wins_replayed=sum(row.outcome == "win" for row in rows.values()),
        losses_proved=30,
        problems=(),
        remarks=(),
    )
    assert calls == [(1, 2), (2, 2)]


def test_all_losses_are_proved_again_if_there_are_fewer_than_asked_for(original: Store, rows: dict[int, Row]) -> None:
    assert verify(original, sample=10**6).losses_proved == sum(row.outcome == "loss" for row in rows.values())


def test_two_labels_may_name_one_cell(store: Store) -> None:
    again = PlannedCell(replace(PLAN.cell, label="again"), SeedRange(1, 50), {"less": 5})
    store.write_manifest(Manifest("storehouse", (PLAN, again)))
    assert verify(store, sample=0).problems == ()


def test_the_example_in_the_description_of_the_files_replays_a_win(original: Store) -> None:
    text = (Path(__file__).parents[2] / "results" / "README.md").read_text(encoding="utf-8")
    example = text.partition("```python\n")[2].partition("```")[0]
    assert "assert engine.won(" in example
    exec(example.replace("results/storehouse-run", str(original.path)), {})


# --- files ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["rows", "solutions"])
def test_a_damaged_file_is_found(store: Store, kind: str) -> None:
    path = store.block_path(CELL, 1, kind)
    path.write_bytes(path.read_bytes()[:-100])
    problems = verify(store, sample=0).problems
    assert f"{path} is damaged" in problems[0]
    lacking = ["Cell 'storehouse' lacks 101 of 1,100 deals, the first of them seed 1000."]
    assert list(problems[1:]) == (lacking if kind == "rows" else [])


def test_a_missing_rows_file_is_found(store: Store) -> None:
    store.block_path(CELL, 0).unlink()
    report = verify(store, sample=0)
    assert only_problem(report) == "Cell 'storehouse' lacks 999 of 1,100 deals, the first of them seed 1."
    assert "has no rows beside it yet" in report.remarks[0]


def test_a_missing_solutions_file_is_found(store: Store) -> None:
    path = store.block_path(CELL, 0, "solutions")
    path.unlink()
    assert only_problem(verify(store, sample=0)) == f"{path} is missing, so no win of this block can be replayed."


@pytest.mark.parametrize(
    "name",
    [
        "notes.txt",
        "rows.parquet",
        "cells/notes.txt",
        "cells/{cell}/rows-00000000000000000001.parquet",
        "cells/{cell}/x",
    ],
)
def test_a_foreign_file_is_found(store: Store, name: str) -> None:
    path = store.path / name.format(cell=CELL[:12])
    path.write_text("text")
    assert only_problem(verify(store, sample=0)) == f"{path} is foreign: it belongs to no cell of the manifest."


def test_a_foreign_cell_is_found(store: Store) -> None:
    stranger = PlannedCell(a_cell(), SeedRange(1, 9), {"run": 9})
    store.write_block(stranger, 0, some_rows(range(1, 10)))
    assert "is foreign" in only_problem(verify(store, sample=0))


def test_what_a_killed_write_leaves_is_no_problem_but_said(store: Store) -> None:
    path = store.cell_folder(CELL) / ".rows-00000000000000000000.parquet.tmp"
    path.write_bytes(b"PAR1")
    report = verify(store, sample=0)
    assert report.sound
    assert report.remarks == (f"{path} was left by a run that was killed; the next run removes it.",)


def test_a_file_in_the_folder_of_another_block_is_found(store: Store) -> None:
    for kind in ("rows", "solutions"):
        shutil.copy(store.block_path(CELL, 1, kind), store.block_path(CELL, 7, kind))
    assert "holds seed 1000, which belongs in another block" in only_problem(verify(store, sample=0))


@pytest.mark.parametrize(
    ("entry", "value"), [("cell", "{}"), ("seeds", "1:999"), ("seeds", "")], ids=["cell", "seeds", "no seeds"]
)
def test_a_footer_that_disagrees_is_found(store: Store, entry: str, value: str) -> None:
    rewrite(store.block_path(CELL, 1), lambda table: table, **{entry: value})
    assert "disagrees with the manifest or the rows in solitaire_lab." in only_problem(verify(store, sample=0))


# --- rows -------------------------------------------------------------------------------------------------------


def test_a_doubled_row_is_found(store: Store) -> None:
    rewrite(store.block_path(CELL, 1), lambda table: pa.concat_tables([table.slice(0, 6), table.slice(5)]))
    assert "holds seed 1005 twice" in only_problem(verify(store, sample=0))


def test_a_missing_row_is_found(store: Store) -> None:
    rewrite(store.block_path(CELL, 1), lambda table: table.filter(pc.not_equal(table["seed"], 1_007)))
    problems = verify(store, sample=0).problems
    assert "Cell 'storehouse' lacks 1 of 1,100 deals, the first of them seed 1007." in problems


def test_rows_that_are_not_sorted_are_found(store: Store) -> None:
    rewrite(store.block_path(CELL, 1), lambda table: table.take([0, 2, 1, *range(3, 101)]))
    assert "is not sorted by seed" in only_problem(verify(store, sample=0))


@pytest.mark.parametrize(
    ("outcome", "name", "value"),
    [
        ("loss", "outcome", "lost"),
        ("loss", "reason", "nodes"),
        ("undecided", "reason", None),
        ("undecided", "reason", "time"),
        ("loss", "solution_length", 3),
        ("loss", "seconds", -1.0),
    ],
)
def test_an_impossible_row_is_found(store: Store, rows: dict[int, Row], outcome: str, name: str, value: object) -> None:
    seed = with_seed(rows, outcome)
    rewrite(store.block_path(CELL, 1), set_value(seed, name, value))
    assert any(f"has an impossible row for seed {seed}." in problem for problem in verify(store, sample=0).problems)


@pytest.mark.parametrize("name", ["cell", "game", "label", "numbering"])
def test_a_row_of_another_cell_is_found(store: Store, name: str) -> None:
    rewrite(store.block_path(CELL, 1), set_value(1_003, name, "another"))
    assert f"has rows of {name} 'another', not " in only_problem(verify(store, sample=0))


def test_deals_that_are_not_searched_yet_are_missing(store: Store, rows: dict[int, Row]) -> None:
    store.write_manifest(Manifest("storehouse", (replace(PLAN, seeds=SeedRange(1, 1_300), budgets={"run": 9}),)))
    problems = verify(store, sample=0).problems
    left = [seed for seed, row in rows.items() if row.outcome == "undecided"]
    assert problems == (
        "Cell 'storehouse' lacks 200 of 1,300 deals, the first of them seed 1101.",
        f"Cell 'storehouse' has {len(left)} deals that are not decided nor searched for 9 nodes, the first of them "
        f"seed {left[0]}.",
    )


def test_deals_that_are_not_planned_are_found(store: Store) -> None:
    store.write_manifest(Manifest("storehouse", (replace(PLAN, seeds=SeedRange(1, 1_000)),)))
    problem = only_problem(verify(store, sample=0))
    assert problem == "Cell 'storehouse' holds 100 deals that the manifest doesn't plan, the first of them seed 1001."


def test_a_sample_can_not_be_negative(original: Store) -> None:
    with pytest.raises(InputError, match=r"A sample of -1 losses can't be proved; it must be at least 0\."):
        verify(original, sample=-1)


# --- wins -------------------------------------------------------------------------------------------------------


def test_a_line_of_play_that_is_not_legal_is_found(store: Store, rows: dict[int, Row]) -> None:
    seed = with_seed(rows, "win")
    moves = rows[seed].moves or b""
    rewrite(store.block_path(CELL, 1, "solutions"), set_value(seed, "moves", moves[3:] + moves[:3]))
    assert f"the line of play for seed {seed} is not legal. Move " in only_problem(verify(store, sample=0))


def test_a_line_of_play_that_stops_short_is_found(store: Store, rows: dict[int, Row]) -> None:
    seed = with_seed(rows, "win")
    moves = rows[seed].moves or b""
    rewrite(store.block_path(CELL, 1, "solutions"), set_value(seed, "moves", moves[:-3]))
    length, short = verify(store, sample=0).problems
    assert f"that is not {len(moves) // 3} moves long" in length
    assert f"the line of play for seed {seed} does not win." in short


@pytest.mark.parametrize("line", [b"\xff" * 9, b"\x00", b"\xc3\x05\x01"])
def test_bytes_that_are_no_line_of_play_are_found(store: Store, rows: dict[int, Row], line: bytes) -> None:
    seed = with_seed(rows, "win")
    rewrite(store.block_path(CELL, 1, "solutions"), set_value(seed, "moves", line))
    assert any(f"seed {seed} is not legal." in problem for problem in verify(store, sample=0).problems)


def test_the_line_of_play_of_another_deal_is_found(store: Store, rows: dict[int, Row]) -> None:
    one, other = [seed for seed in range(1_000, 1_101) if rows[seed].outcome == "win"][:2]

    def swap(table: pa.Table) -> pa.Table:
        first = set_value(one, "moves", rows[other].moves)(table)
        return set_value(other, "moves", rows[one].moves)(first)

    rewrite(store.block_path(CELL, 1, "solutions"), swap)
    problems = verify(store, sample=0).problems
    assert sum("is not legal" in problem or "does not win" in problem for problem in problems) == 2


def test_a_win_without_a_line_of_play_is_found(store: Store, rows: dict[int, Row]) -> None:
    seed = with_seed(rows, "win")
    rewrite(store.block_path(CELL, 1, "solutions"), lambda table: table.filter(pc.not_equal(table["seed"], seed)))
    assert f"has no line of play for seed {seed}, a win." in only_problem(verify(store, sample=0))


def test_a_loss_that_has_a_line_of_play_is_found(store: Store, rows: dict[int, Row]) -> None:
    seed = with_seed(rows, "win")
    path = store.block_path(CELL, 1)
    rewrite(path, set_value(seed, "outcome", "loss"))
    rewrite(path, set_value(seed, "solution_length", None))
    assert f"has a line of play for seed {seed}, a loss." in only_problem(verify(store, sample=0))


def test_lines_of_play_that_are_newer_than_the_rows_are_no_problem_but_said(
    store: Store, rows: dict[int, Row], original: Store
) -> None:
    won = with_seed(rows, "win")
    open_ = rows[won]._replace(outcome="undecided", reason="nodes", nodes=8, solution_length=None, moves=None)
    store.write_block(PLAN, 1, [open_ if seed == won else rows[seed] for seed in range(1_000, 1_101)])
    # A run with a larger budget has won the deal, and is killed when it has written the lines but not the rows.
    shutil.copy(original.block_path(CELL, 1, "solutions"), store.block_path(CELL, 1, "solutions"))
    report = verify(store, sample=0)
    assert report.sound
    assert "has 1 lines of play more than there are wins" in report.remarks[0]


# --- volumes ----------------------------------------------------------------------------------------------------


def test_a_compact_folder_is_checked_like_any_other(store: Store, original: Store) -> None:
    compact(store)
    assert verify(store) == replace(verify(original), files=2)


def test_a_folder_whose_compacting_was_killed_is_sound(store: Store, original: Store) -> None:
    compact(store)
    for path in original.cell_folder(CELL).iterdir():
        shutil.copy(path, store.cell_folder(CELL))
    assert verify(store) == replace(verify(original), files=6)
    # Or between its first two files.
    store.volume_path(CELL, 0).unlink()
    report = verify(store)
    assert report.sound
    assert "has no rows beside it yet" in report.remarks[0]


@pytest.mark.parametrize("kind", ["rows", "solutions"])
def test_a_missing_volume_is_found(store: Store, kind: str) -> None:
    compact(store)
    store.volume_path(CELL, 0, kind).unlink()
    problems = verify(store).problems
    if kind == "rows":
        assert problems == ("Cell 'storehouse' lacks 1,100 of 1,100 deals, the first of them seed 1.",)
    else:
        assert [problem.partition(" is missing")[0] for problem in problems] == [
            str(store.block_path(CELL, block, "solutions")) for block in (0, 1)
        ]


def test_a_damaged_volume_is_found(store: Store) -> None:
    compact(store)
    path = store.volume_path(CELL, 0)
    path.write_bytes(path.read_bytes()[:-100])
    damaged, lacking = verify(store).problems
    assert f"{path} is damaged" in damaged
    assert "lacks 1,100 of 1,100 deals" in lacking


def test_a_wrong_line_of_play_in_a_volume_is_found(store: Store, rows: dict[int, Row]) -> None:
    seed = with_seed(rows, "win")
    moves = rows[seed].moves or b""
    rewrite(store.block_path(CELL, 1, "solutions"), set_value(seed, "moves", moves[3:] + moves[:3]))
    compact(store)
    problem = only_problem(verify(store, sample=0))
    assert problem.startswith(f"{store.volume_path(CELL, 0, 'solutions')}: the line of play for seed {seed} is not")


# --- losses -----------------------------------------------------------------------------------------------------


def test_a_win_that_is_called_a_loss_is_found(store: Store, rows: dict[int, Row]) -> None:
    seed = with_seed(rows, "win")
    row = rows[seed]._replace(outcome="loss", moves=None, solution_length=None)
    store.write_block(PLAN, 1, [rows[s] for s in range(1_000, 1_101) if s != seed] + [row])
    problem = only_problem(verify(store, sample=10**6))
    assert f"Seed {seed} of cell 'storehouse' is stored as a loss in {row.nodes} nodes; searched again" in problem


@pytest.mark.parametrize("step", [-1, 1])
def test_a_loss_in_other_nodes_is_found(store: Store, rows: dict[int, Row], step: int) -> None:
    seed = next(s for s in range(1_000, 1_101) if rows[s].outcome == "loss" and rows[s].nodes > 1)
    rewrite(store.block_path(CELL, 1), set_value(seed, "nodes", rows[seed].nodes + step))
    assert f"Seed {seed} of cell 'storehouse' is stored as a loss" in only_problem(verify(store, sample=10**6))


def test_losses_of_another_solver_revision_are_left_alone_and_said(store: Store, rows: dict[int, Row]) -> None:
    old = replace(PLAN, cell=replace(PLAN.cell, solver=-7))
    shutil.rmtree(store.path / "cells")
    store.write_manifest(Manifest("storehouse", (old,)))
    for block in old.seeds.blocks:
        store.write_block(old, block, [rows[seed] for seed in old.seeds.in_block(block)])
    report = verify(store)
    assert report.sound
    assert report.losses_proved == 0
    assert "are of solver revision -7" in report.remarks[0]


def test_rules_that_this_version_does_not_know_are_said_and_the_files_checked(store: Store) -> None:
    record = json.loads(store.manifest_path.read_text())
    content = record["cells"][0]["cell"]
    content["rules"]["jokers"] = {"count": 2}
    strange = PlannedCell(replace(PLAN.cell, rules=content["rules"]), PLAN.seeds, PLAN.budgets)
    shutil.rmtree(store.path / "cells")
    store.write_manifest(Manifest("storehouse", (strange,)))
    store.write_block(strange, 0, some_rows(range(1, 1_000)))
    unreadable, lacking = verify(store).problems
    assert "can't read the rules of cell 'storehouse'" in unreadable
    assert "lacks 101 of 1,100 deals" in lacking


# --- precision --------------------------------------------------------------------------------------------------


def to_precision(store: Store, seeds: SeedRange, **changes: Any) -> Report:
    """The report on the finished folder, if its cell has these seeds; block 0 alone has an interval of ±12 points."""
    plan = replace(PLAN, seeds=seeds, precision=12.0, asked=SeedRange(1, 5_000))
    store.write_manifest(Manifest("storehouse", (replace(plan, **changes),)))
    return verify(store, sample=0)


def test_a_cell_that_its_precision_ended_is_sound_and_may_have_deals_behind_its_end(
    store: Store, rows: dict[int, Row]
) -> None:
    undecided = sum(rows[seed].outcome == "undecided" for seed in range(1, 1_000))
    # The ends of Wilson's interval for 999 deals are 3.1 points away at most, and the undecided deals lie between.
    assert 50 * undecided / 999 < 12 - 3.1
    report = to_precision(store, SeedRange(1, 999))
    assert (report.problems, report.remarks) == ((), ())


def test_an_end_at_which_the_precision_is_not_reached_is_found(store: Store) -> None:
    problem = only_problem(to_precision(store, SeedRange(1, 999), precision=0.1))
    assert problem == "Cell 'storehouse' ends with seed 999, but hasn't its precision of 0.1 points."


def test_an_end_behind_the_right_one_is_found(store: Store) -> None:
    problem = only_problem(to_precision(store, SeedRange(1, 1_100), asked=SeedRange(1, 1_101)))
    assert problem == "Cell 'storehouse' ends with seed 1100, but has its precision at seed 999."


def test_a_cell_that_a_killed_run_did_not_end_is_remarked_on(store: Store) -> None:
    report = to_precision(store, SeedRange(1, 1_100), asked=None)
    assert report.problems == ()
    assert "has its precision at seed 999, but was not ended there" in report.remarks[0]
