"""Tables: every budget from one run, whole blocks only, and budgets that are refused."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solitaire_lab.errors import InputError
from solitaire_lab.reports.tables import Counts, count, table_rows
from solitaire_lab.results.intervals import wilson
from solitaire_lab.results.manifest import Manifest
from solitaire_lab.results.rows import Row, SeedRange
from solitaire_lab.results.schema import rows_table
from solitaire_lab.results.store import Store
from tests.results.samples import a_cell, planned, some_rows


class Deal(NamedTuple):
    """How the search for a deal would end if its budget had no end, and at which node."""

    end: str
    """``win``, ``loss`` or ``memory``."""
    nodes: int


def run(deals: Sequence[Deal], budget: int) -> list[Row]:
    """The rows that a run with this budget writes: a search that needs more nodes ends at the budget."""
    rows = []
    for seed, (end, nodes) in enumerate(deals):
        moves = b"abc" if end == "win" else None
        if nodes > budget:
            rows.append(Row(seed, "undecided", "nodes", budget, "p", None, 0.0, None))
        elif end == "memory":
            rows.append(Row(seed, "undecided", "memory", nodes, "p", None, 0.0, None))
        else:
            rows.append(Row(seed, end, None, nodes, "p", 1 if moves else None, 0.0, moves))
    return rows


def counted(rows: Sequence[Row], *, seeds: SeedRange, budget: int) -> tuple[SeedRange | None, Counts]:
    return count(rows_table(a_cell(), rows), seeds=seeds, budget=budget)


deals = st.lists(st.builds(Deal, st.sampled_from(["win", "loss", "memory"]), st.integers(0, 30)), min_size=1)


@given(deals, st.integers(1, 30), st.integers(0, 30))
def test_a_table_for_a_smaller_budget_is_the_table_of_a_run_with_it(deals: list[Deal], small: int, more: int) -> None:
    seeds = SeedRange(0, len(deals) - 1)
    assert counted(run(deals, small + more), seeds=seeds, budget=small) == counted(
        run(deals, small), seeds=seeds, budget=small
    )


@given(deals, st.integers(1, 30))
def test_the_table_of_a_run_is_what_its_rows_say(deals: list[Deal], budget: int) -> None:
    seeds, rows = SeedRange(0, len(deals) - 1), run(deals, budget)
    assert counted(rows, seeds=seeds, budget=budget) == (
        seeds,
        Counts(
            win=sum(row.outcome == "win" for row in rows),
            loss=sum(row.outcome == "loss" for row in rows),
            nodes=sum(row.reason == "nodes" for row in rows),
            memory=sum(row.reason == "memory" for row in rows),
        ),
    )


@given(deals, st.integers(1, 30), st.integers(0, 30))
def test_a_larger_budget_only_decides_more(deals: list[Deal], small: int, more: int) -> None:
    seeds, rows = SeedRange(0, len(deals) - 1), run(deals, small + more)
    less, greater = (counted(rows, seeds=seeds, budget=budget)[1] for budget in (small, small + more))
    assert less.deals == greater.deals == len(deals)
    assert less.win <= greater.win
    assert less.loss <= greater.loss
    assert less.nodes >= greater.nodes


def test_a_deal_decided_by_the_last_node_of_the_budget_is_decided() -> None:
    rows, seeds = run([Deal("win", 10), Deal("loss", 10), Deal("memory", 10)], 10), SeedRange(0, 2)
    assert counted(rows, seeds=seeds, budget=10)[1] == Counts(win=1, loss=1, memory=1)
    assert counted(rows, seeds=seeds, budget=9)[1] == Counts(nodes=3)


def test_a_crash_is_a_crash_under_every_budget() -> None:
    rows = [Row(0, "undecided", "crashed", 500, "", None, 0.0, None)]
    for budget in (1, 500, 1_000):
        assert counted(rows, seeds=SeedRange(0, 0), budget=budget)[1] == Counts(crashed=1)


# --- unfinished runs --------------------------------------------------------------------------------------------


def losses(seeds: Iterable[int]) -> list[Row]:
    return [Row(seed, "loss", None, 1, "p", None, 0.0, None) for seed in seeds]


@pytest.mark.parametrize(
    ("stored", "covered"),
    [
        ([], None),
        ([range(5, 999)], None),
        ([range(5, 1_000)], SeedRange(5, 999)),
        ([range(5, 1_999)], SeedRange(5, 999)),
        ([range(5, 2_000), range(3_000, 3_011)], SeedRange(5, 1_999)),
        ([range(1_000, 3_011)], None),
        ([range(5, 500), range(501, 3_011)], None),
        ([range(5, 3_010)], SeedRange(5, 2_999)),
        ([range(5, 3_011)], SeedRange(5, 3_010)),
    ],
)
def test_only_whole_blocks_in_seed_order_are_counted(stored: list[range], covered: SeedRange | None) -> None:
    rows = losses(seed for part in stored for seed in part)
    found, counts = counted(rows, seeds=SeedRange(5, 3_010), budget=7)
    assert found == covered
    assert counts == Counts(loss=0 if covered is None else covered.count)


def test_a_block_is_not_whole_while_a_deal_is_open_under_the_budget() -> None:
    rows = losses(range(2_000))
    rows[1_500] = Row(1_500, "undecided", "nodes", 1_000, "p", None, 0.0, None)
    seeds = SeedRange(0, 1_999)
    assert counted(rows, seeds=seeds, budget=1_001) == (SeedRange(0, 999), Counts(loss=1_000))
    assert counted(rows, seeds=seeds, budget=1_000) == (seeds, Counts(loss=1_999, nodes=1))


def test_the_last_block_there_is_can_be_counted() -> None:
    seeds = SeedRange(2**64 - 616, 2**64 - 1)
    assert counted(losses(seeds), seeds=seeds, budget=1) == (seeds, Counts(loss=616))


def test_a_plan_of_all_seeds_takes_no_longer_than_its_rows() -> None:
    seeds = SeedRange(0, 2**64 - 1)
    assert counted(losses(range(1_500)), seeds=seeds, budget=1) == (SeedRange(0, 999), Counts(loss=1_000))


# --- from a folder ----------------------------------------------------------------------------------------------


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """Two cells, the second unfinished and run with a smaller budget."""
    store = Store(tmp_path)
    first = planned(1, 1_500)
    second = planned(1, 1_500, cell=a_cell(label="no redeal", solver=2, overrides={"stock.redeals": 0}), hint=5_000)
    store.write_manifest(Manifest("faq", (first, second)))
    for block in (0, 1):
        store.write_block(first, block, some_rows(first.seeds.in_block(block)))
    store.write_block(second, 0, some_rows(second.seeds.in_block(0), budget=5_000))
    return store


def test_a_table_has_a_row_a_cell_with_all_it_depends_on(store: Store) -> None:
    first, second = table_rows([store])
    rows = some_rows(range(1, 1_501))
    assert (first.budget, first.budget_name, first.seeds, first.complete) == (20_000, "hint", SeedRange(1, 1_500), True)
    assert first.counts.win == sum(row.outcome == "win" for row in rows)
    assert (second.budget, second.budget_name, second.seeds) == (5_000, "hint", SeedRange(1, 999))
    assert not second.complete
    record = second.record()
    assert {key: record[key] for key in ("game", "label", "set", "numbering", "seeds", "planned_seeds", "deals")} == {
        "game": "storehouse",
        "label": "no redeal",
        "set": {"stock.redeals": 0},
        "numbering": "lab",
        "seeds": "1:999",
        "planned_seeds": "1:1500",
        "deals": 999,
    }
    assert record["win"] + record["loss"] + record["undecided"] == 999
    assert record["low"] == wilson(record["win"], 999).low
    assert record["high"] == wilson(record["win"] + record["undecided"], 999).high


def test_of_an_unfinished_cell_the_deals_that_a_run_was_asked_for_are_counted(store: Store) -> None:
    asked = {"storehouse": SeedRange(1, 5), "no redeal": SeedRange(3, 7)}
    first, second = table_rows([store], asked=asked)
    assert (first, first.of_run) == (table_rows([store])[0], False)
    assert (second.seeds, second.counts.deals, second.complete, second.of_run) == (SeedRange(3, 7), 5, False, True)
    assert table_rows([store], budget=2_000, asked=asked)[1].counts.nodes >= second.counts.nodes


def test_deals_that_a_run_was_asked_for_are_counted_only_if_all_are_stored(store: Store) -> None:
    assert table_rows([store], asked={"no redeal": SeedRange(990, 1_000)}) == table_rows([store])


def test_folders_can_be_tabled_together(store: Store) -> None:
    assert table_rows([store, store]) == table_rows([store]) * 2


def test_a_cell_of_which_nothing_is_stored_has_a_row_that_says_so(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.write_manifest(Manifest("faq", (planned(1, 10),)))
    (row,) = table_rows([store])
    assert (row.seeds, row.counts, row.complete) == (None, Counts(), False)
    assert (row.interval.low, row.interval.high) == (0, 1)


def test_a_budget_may_be_named_or_counted(store: Store) -> None:
    assert [row.budget for row in table_rows([store], budget="hint")] == [20_000, 5_000]
    assert [(row.budget, row.budget_name) for row in table_rows([store], budget=2_000)] == [
        (2_000, "deal"),
        (2_000, None),
    ]


@pytest.mark.parametrize(
    ("budget", "says"),
    [
        ("deal", "There is no budget 'deal' in cell 'no redeal'; it has hint = 5000."),
        (5_001, "Cell 'no redeal' was run with 5000 nodes, so there is no table for 5001; run the study again with"),
        (0, "A budget of 0 nodes decides nothing; it must be at least 1."),
        (-5, "A budget of -5 nodes decides nothing"),
    ],
)
def test_a_budget_that_was_not_run_is_refused(store: Store, budget: str | int, says: str) -> None:
    with pytest.raises(InputError) as caught:
        table_rows([store], budget=budget)
    assert str(caught.value).startswith(says)


def test_a_damaged_file_is_not_left_out(store: Store) -> None:
    path = store.block_path(planned(1, 1).cell.id, 1)
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(InputError, match=path.name):
        table_rows([store])


def test_rows_of_seeds_that_are_not_planned_are_not_counted(store: Store) -> None:
    store.write_manifest(Manifest("faq", (planned(11, 1_200),)))
    (row,) = table_rows([store])
    assert row.seeds == SeedRange(11, 1_200)
    assert row.counts.deals == 1_190


def test_count_reads_only_the_columns_that_it_names() -> None:
    table: pa.Table = rows_table(a_cell(), some_rows(range(10))).select(["seed", "outcome", "reason", "nodes"])
    assert count(table, seeds=SeedRange(0, 9), budget=20_000)[0] == SeedRange(0, 9)
