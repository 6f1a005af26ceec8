"""What is to do: what is asked for less what is stored."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from solitaire_lab.errors import InputError
from solitaire_lab.results.cell import PlannedCell
from solitaire_lab.results.manifest import Manifest
from solitaire_lab.results.rows import Row, SeedRange
from solitaire_lab.results.store import Store
from solitaire_lab.study.blocks import CellWork, merged_manifest, plan_work
from solitaire_lab.study.model import Study, StudyCell
from tests.study.fakes import a_cell, row_of


def work(store: Store, *cells: StudyCell, retry: tuple[str, ...] = ()) -> CellWork:
    study = Study("x", cells)
    (only,) = plan_work(study, store, manifest=merged_manifest(None, study), retry=retry)
    return only


def all_missing(cell_work: CellWork) -> dict[int, int]:
    return {seed: budget for block in cell_work.blocks() for seed, budget in cell_work.missing(block).items()}


def store_rows(store: Store, cell: StudyCell, rows: list[Row]) -> None:
    for block in sorted({row.seed // 1000 for row in rows}):
        store.write_block(cell.planned, block, [row for row in rows if row.seed // 1000 == block])


def test_at_first_everything_is_to_do_in_seed_order(tmp_path: Path) -> None:
    found = work(Store(tmp_path), a_cell("998:3001", budget=9))
    assert list(all_missing(found).items()) == [(seed, 9) for seed in range(998, 3002)]
    assert (found.todo, found.deals) == (2004, 2004)
    assert not any(tmp_path.iterdir())


def test_what_is_stored_is_not_to_do(tmp_path: Path) -> None:
    store, cell = Store(tmp_path), a_cell("1:2500")
    store_rows(store, cell, [row_of(seed, 1_000) for seed in [*range(1, 1000), 1500, 2400]])
    found = work(store, cell)
    assert list(found.blocks()) == [1, 2]
    assert set(all_missing(found)) == set(range(1000, 2501)) - {1500, 2400}
    assert found.todo == len(all_missing(found))


def test_an_open_deal_is_to_do_only_under_a_larger_budget_than_it_had(tmp_path: Path) -> None:
    store = Store(tmp_path)
    rows = [
        Row(1, "undecided", "nodes", 100, "p", None, 0.0, None),
        Row(2, "undecided", "memory", 60, "p", None, 0.0, None),
        Row(3, "undecided", "crashed", 7, "", None, 0.0, None),
        Row(4, "loss", None, 90, "p", None, 0.0, None),
    ]
    store_rows(store, a_cell("1:4"), rows)
    for budget, missing in ((50, set()), (100, set()), (101, {1})):
        assert set(all_missing(work(store, a_cell("1:4", budget=budget)))) == missing
    assert set(all_missing(work(store, a_cell("1:4", budget=100), retry=("crashed", "memory")))) == {2, 3}
    assert set(all_missing(work(store, a_cell("1:4", budget=100), retry=("nodes",)))) == {1}


def test_labels_of_one_cell_ask_for_each_deal_once_under_the_largest_budget(tmp_path: Path) -> None:
    cells = a_cell("1:1200", budget=10), a_cell("1100:1300", budget=50, label="b"), a_cell("5:6", budget=70, label="c")
    found = work(Store(tmp_path), *cells)
    expected = {seed: 50 if seed >= 1100 else 70 if seed in (5, 6) else 10 for seed in range(1, 1301)}
    assert all_missing(found) == expected
    assert (found.todo, found.deals, found.budget) == (1300, 1300, 70)


def test_ranges_that_leave_a_block_free_do_not_ask_for_it(tmp_path: Path) -> None:
    found = work(Store(tmp_path), a_cell("1:10"), a_cell("5000:5001", label="b"), a_cell("900:999", label="c"))
    assert list(found.blocks()) == [0, 5]
    assert found.todo == 10 + 2 + 100


def test_all_seeds_there_are_can_be_asked_for(tmp_path: Path) -> None:
    found = work(Store(tmp_path), a_cell(f"0:{2**64 - 1}"))
    assert found.todo == 2**64
    blocks = found.blocks()
    assert [next(blocks) for _ in range(3)] == [0, 1, 2]


# --- the manifest ------------------------------------------------------------------------------------------------


def planned(*cells: StudyCell) -> Manifest:
    return Manifest("old", tuple(cell.planned for cell in cells))


def merged(before: Manifest, *cells: StudyCell) -> tuple[PlannedCell, ...]:
    after = merged_manifest(before, Study("new", cells))
    assert after.study == "old"
    return after.cells


@pytest.mark.parametrize(
    ("old", "new", "both"),
    [("1:100", "1:500", "1:500"), ("1:100", "1:50", "1:100"), ("101:200", "1:100", "1:200"), ("5:9", "1:20", "1:20")],
)
def test_seeds_are_added_to_those_of_a_folder(old: str, new: str, both: str) -> None:
    (cell,) = merged(planned(a_cell(old)), a_cell(new))
    assert cell.seeds == SeedRange.parse(both)


def test_seeds_with_a_gap_are_refused() -> None:
    with pytest.raises(InputError, match=r"'storehouse' has seeds 1:100.*102:200 would leave a gap.*Ask for 1:200"):
        merged(planned(a_cell("1:100")), a_cell("102:200"))


@pytest.mark.parametrize(
    ("new", "budget", "all_seeds"), [("1:50", 11, "1:100"), ("50:200", 11, "1:200"), ("101:200", 11, "1:200")]
)
def test_a_larger_budget_is_one_for_all_seeds(new: str, budget: int, all_seeds: str) -> None:
    before = planned(a_cell("1:100", budget=10))
    with pytest.raises(
        InputError, match=rf"with 10 nodes; {new} with 11 would .* Ask for {all_seeds}, or for at most 10"
    ):
        merged(before, a_cell(new, budget=budget))
    for enough in (a_cell(all_seeds, budget=budget), a_cell(new, budget=10)):
        assert merged(before, enough)[0].seeds == SeedRange.parse(all_seeds)


def test_cells_are_added_and_the_others_stay() -> None:
    one, two, three = a_cell("1:9"), a_cell("1:9", label="b", stock__redeals=0), a_cell("1:9", label="c")
    assert merged(planned(one, two), three, one) == (one.planned, two.planned, three.planned)


def test_another_budget_takes_the_place_of_the_old_one() -> None:
    (cell,) = merged(planned(a_cell("1:9", budget=10)), a_cell("1:9", budget=5))
    assert cell.budgets == {"run": 5}


@pytest.mark.parametrize(
    ("key", "changes"),
    [
        ("rules.stock.redeals", {"rules": {"stock": {"redeals": 1}}}),
        ("solver", {"solver": 0}),
        ("table_bytes", {"table_bytes": 9}),
    ],
)
def test_what_changes_under_a_label_is_named(key: str, changes: dict[str, Any]) -> None:
    new = a_cell("1:9")
    before = replace(new.planned.cell, **changes)
    with pytest.raises(InputError) as caught:
        merged(Manifest("old", (PlannedCell(before, new.planned.seeds, new.planned.budgets),)), new)
    assert f"{key} was" in str(caught.value)
    assert "another label" in str(caught.value)
