"""Frames for figures against counts made by hand, and against the tables."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solitaire_lab.errors import InputError
from solitaire_lab.reports import figures
from solitaire_lab.reports.tables import table_rows
from solitaire_lab.results.intervals import headline
from solitaire_lab.results.manifest import Manifest
from solitaire_lab.results.rows import SeedRange
from solitaire_lab.results.store import Store
from tests.reports.studies import TEN, left_open, lost, part, won, write_study
from tests.results.samples import planned, some_rows


@pytest.fixture
def ten(tmp_path: Path) -> list[figures.CellDeals]:
    return figures.read_cells(write_study(tmp_path, part(TEN)))


def tuples(frame: pd.DataFrame, *names: str) -> list[tuple[object, ...]]:
    return list(zip(*(frame[name].tolist() for name in names), strict=True))


# --- reading ----------------------------------------------------------------------------------------------------


def test_cells_are_read_as_their_table_counts_them(tmp_path: Path) -> None:
    store = Store(tmp_path)
    # 1,500 deals are planned; of the second block a deal is missing, and the rows were made with 20,000 nodes.
    cell = planned(1, 1_500, run=5_000)
    store.write_manifest(Manifest("study", (cell,)))
    for block in (0, 1):
        store.write_block(cell, block, some_rows(range(max(1, 1_000 * block), 1_499 if block else 1_000)))
    (item,) = figures.read_cells(store)
    (row,) = table_rows([store])
    assert item.row == row
    assert row.seeds == SeedRange(1, 999)
    counts = item.deals["outcome"].value_counts()
    assert (counts["win"], counts["loss"], counts["undecided"]) == (
        row.counts.win,
        row.counts.loss,
        row.counts.undecided,
    )
    reasons = item.deals["reason"].value_counts()
    assert (reasons["nodes"], reasons["memory"], reasons["crashed"]) == (
        row.counts.nodes,
        row.counts.memory,
        row.counts.crashed,
    )
    assert row.counts.win + row.counts.loss == len(item.decided)
    assert item.deals.loc[item.deals["reason"] == "nodes", "nodes"].unique().tolist() == [5_000]
    assert (item.deals["solution_length"].notna() == (item.deals["outcome"] == "win")).all()
    assert [str(item.deals[name].dtype) for name in ("seed", "nodes", "solution_length")] == [
        "uint64", "uint64", "float64"
    ]  # fmt: skip


def test_cells_may_be_chosen_by_label_and_by_id(tmp_path: Path) -> None:
    first, second, third = part(TEN, label="a"), part(TEN, label="b", game="fan"), part(TEN, label="c", game="yukon")
    store = write_study(tmp_path, first, second, third)
    assert [item.label for item in figures.read_cells(store)] == ["a", "b", "c"]
    chosen = figures.read_cells(store, ["c", first.planned.cell.id[:8]])
    assert [item.label for item in chosen] == ["a", "c"]
    with pytest.raises(InputError, match="'yukon' means no cell"):
        figures.read_cells(store, ["yukon"])


@pytest.mark.parametrize("begun", [True, False])
def test_a_study_without_counted_deals_has_frames_without_rows(tmp_path: Path, begun: bool) -> None:
    unfinished = part([lost(1, 0)], seeds=SeedRange(1, 5)) if begun else part([], seeds=SeedRange(1, 5))
    store = write_study(tmp_path, unfinished)
    cells = figures.read_cells(store)
    assert len(cells[0].deals) == 0
    assert tuples(figures.outcomes(cells), "deals", "win", "low", "high") == [(0, 0, 0.0, 1.0)]
    for frame in (
        figures.decided_against_budget(cells),
        figures.length_histogram(cells),
        figures.spread(cells, "nodes"),
        figures.hardest(cells),
        figures.variants(store, cells),
    ):
        assert len(frame) == 0
        assert "label" in frame.columns
    assert figures.node_histogram(cells)[["win", "loss"]].to_numpy().sum() == 0


def test_a_study_without_cells_has_frames_without_rows(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.write_manifest(Manifest("study", ()))
    assert figures.read_cells(store) == []
    for frame in (
        figures.outcomes([]),
        figures.decided_against_budget([]),
        figures.node_histogram([]).drop(columns=["first", "last"]),
        figures.length_histogram([]),
        figures.spread([], "nodes"),
        figures.hardest([]),
        figures.variants(store, []),
    ):
        assert frame["label"].tolist() == []


# --- one cell ---------------------------------------------------------------------------------------------------


def test_outcomes_are_those_of_the_table(ten: list[figures.CellDeals]) -> None:
    frame = figures.outcomes(ten)
    assert tuples(frame, "label", "budget", "deals", "win", "loss", "undecided") == [("storehouse", 100, 10, 4, 3, 3)]
    interval = headline(win=4, loss=3, undecided=3)
    assert tuples(frame, "low", "high") == [(interval.low, interval.high)]


def test_decided_against_budget_counts_what_a_smaller_budget_decides(ten: list[figures.CellDeals]) -> None:
    frame = figures.decided_against_budget(ten, {"storehouse": [1, 2, 3, 99, 100]})
    assert tuples(frame, "budget", "deals", "win", "loss", "undecided") == [
        (1, 10, 1, 2, 7),
        (2, 10, 2, 2, 6),
        (3, 10, 2, 3, 5),
        (99, 10, 3, 3, 4),
        (100, 10, 4, 3, 3),
    ]
    assert frame["low"].iloc[-1] == headline(win=4, loss=3, undecided=3).low


@given(st.integers(0, 2**32), st.integers(1, 20_000))
def test_a_point_of_the_curve_is_the_table_for_that_budget(
    tmp_path_factory: pytest.TempPathFactory, salt: int, budget: int
) -> None:
    folder = tmp_path_factory.mktemp("study")
    store, cell = Store(folder), planned(0, 199)
    store.write_manifest(Manifest("study", (cell,)))
    store.write_block(cell, 0, some_rows(range(200), salt=salt))
    frame = figures.decided_against_budget(figures.read_cells(store), {"storehouse": [budget]})
    (row,) = table_rows([store], budget=budget)
    assert tuples(frame, "win", "loss", "undecided") == [(row.counts.win, row.counts.loss, row.counts.undecided)]


@given(st.integers(1, 2**63 - 1))
def test_budget_steps_run_to_the_budget(limit: int) -> None:
    steps = figures.budget_steps(limit)
    assert steps[0] == 1
    assert steps[-1] == limit
    assert list(steps) == sorted(set(steps))
    assert all(later <= 1.13 * earlier + 1 for earlier, later in pairwise(steps))


def test_budget_steps_hold_the_powers_of_ten() -> None:
    assert {1, 10, 100, 1_000, 10_000, 100_000, 1_000_000} <= set(figures.budget_steps(1_000_000))


def test_nodes_fall_into_bins_of_doubling_width(ten: list[figures.CellDeals]) -> None:
    frame = figures.node_histogram(ten)
    assert tuples(frame, "first", "last", "win", "loss") == [
        (0, 0, 0, 1),
        (1, 1, 1, 1),
        (2, 3, 1, 1),
        (4, 7, 1, 0),
        (8, 15, 0, 0),
        (16, 31, 0, 0),
        (32, 63, 0, 0),
        (64, 127, 1, 0),
    ]


def test_nodes_at_the_largest_budget_have_a_bin(tmp_path: Path) -> None:
    most = 2**63 - 1
    rows = [lost(1, most), won(2, most - 1, 3), lost(3, 2**62), lost(4, 2**62 - 1)]
    cells = figures.read_cells(write_study(tmp_path, part(rows, budgets={"run": most})))
    assert tuples(figures.node_histogram(cells).tail(2), "first", "last", "win", "loss") == [
        (2**61, 2**62 - 1, 0, 1),
        (2**62, most, 1, 2),
    ]
    assert tuples(figures.spread(cells, "nodes"), "outcome", "least", "most") == [
        ("win", most - 1, most - 1),
        ("loss", 2**62 - 1, most),
    ]


def test_lengths_fall_into_even_bins(ten: list[figures.CellDeals]) -> None:
    frame = figures.length_histogram(ten)
    assert len(frame) == 55 - 30 + 1
    filled = frame[frame["win"] > 0]
    assert tuples(filled, "first", "last", "win") == [(30, 30, 1), (40, 40, 1), (41, 41, 1), (55, 55, 1)]


def test_length_bins_are_shared_by_the_cells_of_a_game(tmp_path: Path) -> None:
    short, long = [won(1, 1, 7), won(2, 1, 9)], [won(1, 1, 103), lost(2, 1)]
    cells = figures.read_cells(
        write_study(
            tmp_path,
            part(short, label="a"),
            part(long, label="b", settings={"stock.redeals": 0}),
            part(short, game="fan"),
            part([lost(1, 1)], game="yukon"),
        )
    )
    frame = figures.length_histogram(cells)
    bins = {label: tuples(rows, "first", "last") for label, rows in frame.groupby("label")}
    assert bins["a"] == bins["b"] == [(first, first + 4) for first in range(5, 105, 5)]
    assert bins["fan"] == [(7, 7), (8, 8), (9, 9)]
    assert "yukon" not in bins
    assert frame.groupby("label")["win"].sum().to_dict() == {"a": 2, "b": 1, "fan": 2}


def test_spread_gives_ordered_statistics(ten: list[figures.CellDeals]) -> None:
    names = ("outcome", "deals", "mean", "least", "median", "p90", "p99", "most")
    assert tuples(figures.spread(ten, "nodes"), *names) == [
        # Won after 1, 2, 4 and 100 nodes, lost after 0, 1 and 3.
        ("win", 4, 107 / 4, 1, 2, 100, 100, 100),
        ("loss", 3, 4 / 3, 0, 1, 3, 3, 3),
    ]
    assert tuples(figures.spread(ten, "solution_length"), *names) == [("win", 4, 166 / 4, 30, 40, 55, 55, 55)]


def test_the_hardest_deals_took_the_most_nodes(ten: list[figures.CellDeals]) -> None:
    frame = figures.hardest(ten, 6)
    assert tuples(frame, "seed", "outcome", "nodes") == [
        (7, "win", 100),
        (6, "win", 4),
        (5, "loss", 3),
        (4, "win", 2),
        (2, "loss", 1),
        (3, "win", 1),
    ]
    lengths = frame["solution_length"]
    assert lengths.dropna().tolist() == [55, 41, 40, 30]
    assert frame.loc[lengths.isna(), "outcome"].unique().tolist() == ["loss"]


# --- cells beside each other ------------------------------------------------------------------------------------


def test_variants_are_counted_deal_by_deal(tmp_path: Path) -> None:
    first = [won(1, 1, 5), won(2, 1, 5), won(3, 1, 5), lost(4, 1), lost(5, 1), left_open(6, 100), won(7, 1, 5)]
    # On other seeds, of which five are the same.
    second = [won(3, 1, 5), won(4, 1, 5), lost(5, 1), won(6, 2, 5), lost(7, 1), lost(8, 1)]
    store = write_study(
        tmp_path,
        part(first, label="three passes"),
        part(second, label="one pass", settings={"stock.redeals": 0}),
        part(first, game="fan"),
        part(first, label="pysol", numbering="pysol"),
        part(first, label="five columns", settings={"tableau.columns": 5}),
        part([won(100, 1, 5)], label="other seeds", settings={"stock.redeals": 1}),
    )
    frame = figures.variants(store, figures.read_cells(store))
    assert tuples(frame, "game", "label", "first", "changes") == [
        ("storehouse", "three passes", "three passes", ""),
        ("storehouse", "one pass", "three passes", "stock.redeals = 0"),
        ("storehouse", "pysol", "three passes", frame["changes"].iloc[2]),
        ("storehouse", "five columns", "three passes", frame["changes"].iloc[3]),
        ("storehouse", "other seeds", "three passes", "stock.redeals = 1"),
    ]
    assert "numbering = pysol" in frame["changes"].iloc[2]
    assert "tableau.columns = 5" in frame["changes"].iloc[3]
    counts = ("common", "both", "here", "there", "neither", "open", "impossible")
    # One pass wins what three lose: only rows made up can do that.
    assert tuples(frame.iloc[[1]], *counts) == [(5, 1, 1, 1, 1, 1, 1)]
    assert frame.iloc[[0, 2, 3, 4]][list(counts)].isna().all(axis=None)
