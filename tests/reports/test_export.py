"""Export: every stored row once, exact, in order, readable by other programs, and files whole or not at all."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from solitaire_lab.deals.dealing import deal
from solitaire_lab.engine.engine import Engine
from solitaire_lab.engine.lines import parse_line
from solitaire_lab.errors import InputError
from solitaire_lab.reports.export import STYLES, export, export_lines
from solitaire_lab.results.cell import PlannedCell
from solitaire_lab.results.compact import compact
from solitaire_lab.results.manifest import Manifest
from solitaire_lab.results.rows import Row, SeedRange
from solitaire_lab.results.store import Store
from solitaire_lab.rules.catalog import resolve
from solitaire_lab.study.model import study_of_game
from solitaire_lab.study.progress import Silence
from solitaire_lab.study.run import run
from tests.results.samples import a_cell, planned, some_rows
from tests.results.test_store import files, filled

COLUMNS = (
    "cell", "game", "label", "numbering", "seed", "outcome", "reason", "nodes", "phase", "solution_length", "seconds",
)  # fmt: skip
PLAN = planned(1, 1_500)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return filled(Store(tmp_path / "out"), PLAN)


def records(store: Store, style: str, **options: Any) -> list[dict[str, Any]]:
    """What is exported, as another program reads it; CSV has texts only."""
    lines = [f"{line}\n" for line in export_lines(store, style=style, **options)]
    return list(csv.DictReader(lines)) if style == "csv" else [json.loads(line) for line in lines]


def as_text(value: object) -> str:
    return "" if value is None else str(value)


def expected(rows: list[Row], plan: PlannedCell = PLAN) -> list[dict[str, Any]]:
    cell = plan.cell
    return [
        dict(zip(COLUMNS, (cell.id, cell.game, cell.label, cell.numbering, *row[:-1]), strict=True)) for row in rows
    ]


def test_json_lines_hold_every_row(store: Store) -> None:
    assert records(store, "jsonl") == expected(some_rows(PLAN.seeds))


def test_csv_holds_every_row_and_nothing_where_a_value_is_null(store: Store) -> None:
    wanted = expected(some_rows(PLAN.seeds))
    assert records(store, "csv") == [{name: as_text(value) for name, value in row.items()} for row in wanted]


def test_pandas_reads_csv_as_the_frame_of_the_rows(store: Store, tmp_path: Path) -> None:
    export(store, tmp_path / "rows.csv")
    frame = pd.read_csv(tmp_path / "rows.csv")
    rows = some_rows(PLAN.seeds)
    assert list(frame.columns) == list(COLUMNS)
    assert frame["nodes"].sum() == sum(row.nodes for row in rows)
    assert frame["seconds"].tolist() == [row.seconds for row in rows]
    assert frame["reason"].isna().sum() == sum(row.reason is None for row in rows)


@pytest.mark.parametrize("style", STYLES)
def test_the_largest_seeds_and_counts_are_exact(style: str, tmp_path: Path) -> None:
    plan, store = planned(2**64 - 3, 2**64 - 1), Store(tmp_path)
    store.write_manifest(Manifest("sample", (plan,)))
    rows = [Row(seed, "loss", None, 2**63 - 1, "p", None, 0.0, None) for seed in plan.seeds]
    store.write_block(plan, plan.seeds.blocks[-1], rows)
    found = records(store, style)
    assert [int(row["seed"]) for row in found] == [2**64 - 3, 2**64 - 2, 2**64 - 1]
    assert [int(row["nodes"]) for row in found] == [2**63 - 1] * 3


@pytest.mark.parametrize("style", STYLES)
def test_an_unfinished_run_gives_what_is_stored(style: str, tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.write_manifest(Manifest("sample", (PLAN,)))
    assert records(store, style) == []
    store.write_block(PLAN, 1, some_rows(range(1_200, 1_210)))
    assert [int(row["seed"]) for row in records(store, style)] == list(range(1_200, 1_210))


def test_csv_of_nothing_has_its_header(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.write_manifest(Manifest("sample", (PLAN,)))
    assert list(export_lines(store)) == [",".join(COLUMNS)]
    assert list(export_lines(store, style="jsonl")) == []
    assert export(store, tmp_path / "rows.csv") == 0


@pytest.mark.parametrize("style", STYLES)
def test_cells_come_in_the_order_of_the_study_each_under_its_label(style: str, store: Store) -> None:
    odd = 'Zwölf, "viele"\nDurchgänge'
    again = PlannedCell(replace(PLAN.cell, label="again"), SeedRange(10, 20), {"run": 20_000})
    other = planned(5, 8, cell=a_cell(label=odd, solver=2))
    store.write_manifest(Manifest("sample", (other, PLAN, again)))
    store.write_block(other, 0, some_rows(other.seeds))
    found = [(row["label"], int(row["seed"])) for row in records(store, style)]
    assert found == [
        *((odd, seed) for seed in range(5, 9)),
        *(("storehouse", seed) for seed in PLAN.seeds),
        *(("again", seed) for seed in range(10, 21)),
    ]
    assert {row["label"] for row in records(store, style, label="again")} == {"again"}
    assert {row["label"] for row in records(store, style, label=other.cell.id[:9])} == {odd}


def test_a_compact_folder_gives_the_same(store: Store) -> None:
    before = list(export_lines(store))
    compact(store)
    assert list(export_lines(store)) == before


# --- lines of play ----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def storehouse(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """A hundred deals of Storehouse, really decided."""
    out = tmp_path_factory.mktemp("export") / "out"
    run(study_of_game(resolve("storehouse"), seeds=SeedRange(950, 1_050), budget=5), out, progress=Silence())
    return Store(out)


@pytest.mark.parametrize("style", STYLES)
def test_lines_of_play_win_as_they_are_read_by_replay(style: str, storehouse: Store) -> None:
    game = resolve("storehouse")
    engine = Engine(game.rules)
    found = records(storehouse, style, moves=True)
    outcomes = {row["outcome"] for row in found}
    assert outcomes == {"win", "loss", "undecided"}, "the budget must be one that leaves some deals open"
    for row in found:
        line = row["solution"] or None
        assert (row["outcome"] == "win") == (line is not None)
        if line is not None:
            start = engine.settle(deal(game, numbering="lab", seed=int(row["seed"])))
            moves = parse_line(engine, start, json.loads(line) if style == "csv" else line)
            assert engine.won(engine.replay(start, moves))
            assert len(moves) == int(row["solution_length"])


def test_a_missing_line_of_play_is_named(storehouse: Store, tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.write_manifest(storehouse.manifest())
    plan = storehouse.manifest().cells[0]
    store.write_block(plan, 0, storehouse.read_block(plan.cell.id, 0))
    store.block_path(plan.cell.id, 0, "solutions").unlink()
    out = tmp_path.with_name(f"{tmp_path.name}.csv")
    with pytest.raises(InputError, match=r"There is no line of play for seed 9\d\d of cell 'storehouse' in .*, a win;"):
        export(store, out, moves=True)
    assert not out.exists()


def test_a_line_of_play_that_is_not_legal_is_named(storehouse: Store, tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.write_manifest(storehouse.manifest())
    plan = storehouse.manifest().cells[0]
    rows = [
        row._replace(moves=row.moves and row.moves[3:] + row.moves[:3])
        for row in storehouse.read_block(plan.cell.id, 0)
    ]
    store.write_block(plan, 0, rows)
    with pytest.raises(InputError, match="is not legal; solitaire-lab verify tells what else is wrong"):
        list(export_lines(store, moves=True))


# --- files ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("style", STYLES)
def test_a_file_holds_the_lines_and_is_replaced(style: str, store: Store, tmp_path: Path) -> None:
    path = tmp_path / "rows"
    path.write_text("what was there before")
    assert export(store, path, style=style) == 1_500
    assert path.read_text(encoding="utf-8").splitlines() == list(export_lines(store, style=style))
    assert path.read_bytes().endswith(b"\n")
    assert {item.name for item in tmp_path.iterdir()} == {"out", "rows"}


def test_what_a_link_points_to_is_replaced(store: Store, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("rows.csv")
    export(store, tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "rows.csv").read_text().startswith("cell,")


def damage(store: Store) -> None:
    path = store.block_path(PLAN.cell.id, 1)
    path.write_bytes(path.read_bytes()[:-9])


@pytest.mark.parametrize(
    ("spoil", "label", "says"),
    [(damage, None, "is damaged"), (lambda store: None, "storehose", "'storehose' means no cell")],
)
def test_after_an_error_the_file_is_as_it_was(
    spoil: Callable[[Store], None], label: str | None, says: str, store: Store, tmp_path: Path
) -> None:
    spoil(store)
    (tmp_path / "rows.csv").write_text("what was there before")
    before = files(Store(tmp_path))
    with pytest.raises(InputError, match=says):
        export(store, tmp_path / "rows.csv", label=label)
    assert files(Store(tmp_path)) == before


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("out", "is a folder; give the name of a file"),
        ("pipe", "is no ordinary file"),
        ("none/rows.csv", "no such file"),
    ],
)
def test_what_is_no_place_for_a_file_is_refused(name: str, says: str, store: Store, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match=says):
        export(store, tmp_path / name)
    assert {item.name for item in tmp_path.iterdir()} == {"out", "pipe"}


def test_a_full_disk_is_said_and_nothing_stays(store: Store, tmp_path: Path) -> None:
    (tmp_path / ".rows.csv.tmp").symlink_to("/dev/full")
    with pytest.raises(
        InputError, match=r"rows\.csv can't be written: no space left on device\. Nothing was changed\."
    ):
        export(store, tmp_path / "rows.csv")
    assert {item.name for item in tmp_path.iterdir()} == {"out"}


def test_a_folder_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is no folder"):
        export(Store(tmp_path / "none"), tmp_path / "rows.csv")
    assert list(tmp_path.iterdir()) == []
