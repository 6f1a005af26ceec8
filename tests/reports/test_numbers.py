"""Lists of proved numbers: which deals are on them, under which budget, and what is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from solitaire_lab.errors import InputError
from solitaire_lab.reports.numbers import proved_deals
from solitaire_lab.results.cell import PlannedCell
from solitaire_lab.results.manifest import Manifest
from solitaire_lab.results.rows import Row, SeedRange
from solitaire_lab.results.store import Store
from tests.results.samples import a_cell, planned


def won(seed: int, nodes: int, length: int = 2) -> Row:
    return Row(seed, "win", None, nodes, "p", length, 0.0, bytes(3 * length))


def lost(seed: int, nodes: int) -> Row:
    return Row(seed, "loss", None, nodes, "p", None, 0.0, None)


def left(seed: int, reason: str, nodes: int) -> Row:
    return Row(seed, "undecided", reason, nodes, "p", None, 0.0, None)


ROWS = [
    won(1, 1), lost(2, 0), won(3, 30), lost(4, 40), left(5, "nodes", 100), left(6, "memory", 7),
    left(7, "crashed", 3), left(8, "nodes", 20), won(9, 2**40),
]  # fmt: skip
"""Of a run with 100 nodes, but for deal 8, of which an earlier one with 20 is stored, and deal 9, of a larger one."""


def store_of(folder: Path, *cells: tuple[PlannedCell, list[Row]]) -> Store:
    store = Store(folder)
    with store.lock():
        store.write_manifest(Manifest("study", tuple(cell for cell, _ in cells)))
        for cell, rows in cells:
            if rows:
                store.write_block(cell, 0, rows)
    return store


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return store_of(tmp_path, (planned(1, 900, deal=20, hint=100), ROWS))


@pytest.mark.parametrize(
    ("outcome", "budget", "expected"),
    [
        ("win", None, [1, 3]),
        ("win", "hint", [1, 3]),
        ("win", "deal", [1]),
        ("win", 30, [1, 3]),
        ("win", 29, [1]),
        ("loss", None, [2, 4]),
        ("loss", 39, [2]),
        ("loss", 1, [2]),
        # Deal 8 may be decided by 100 nodes: nobody knows.
        ("undecided", None, [5, 6, 7, 9]),
        ("undecided", 20, [3, 4, 5, 6, 7, 8, 9]),
        ("undecided", 1, [3, 4, 5, 6, 7, 8, 9]),
    ],
)
def test_deals_are_listed_as_a_run_with_this_budget_ends_them(
    store: Store, outcome: str, budget: str | int | None, expected: list[int]
) -> None:
    proved = proved_deals(store, outcome=outcome, budget=budget)
    assert proved.numbers == expected
    assert proved.outcome == outcome
    assert proved.deals["nodes"].max() <= proved.budget


def test_proved_deals_are_listed_before_their_block_is_whole(store: Store) -> None:
    """Nine of 900 deals are stored, and a table counts none of them."""
    assert proved_deals(store).numbers == [1, 3]


def test_the_frame_has_what_the_search_tells(store: Store) -> None:
    wins = proved_deals(store).deals
    assert wins.to_dict("list") == {"seed": [1, 3], "nodes": [1, 30], "solution_length": [2, 2]}
    assert [str(kind) for kind in wins.dtypes] == ["uint64", "uint64", "int64"]
    assert list(proved_deals(store, outcome="loss").deals) == ["seed", "nodes"]
    undecided = proved_deals(store, outcome="undecided", budget=20).deals
    # Whatever needs more nodes was open after 20.
    assert undecided["nodes"].tolist() == [20, 20, 20, 7, 3, 20, 20]


@pytest.mark.parametrize(
    ("seeds", "expected"), [("1:2", [1]), ("2:3", [3]), ("4:900", []), ("3:18446744073709551615", [3])]
)
def test_only_some_seeds_are_listed(store: Store, seeds: str, expected: list[int]) -> None:
    assert proved_deals(store, seeds=SeedRange.parse(seeds)).numbers == expected


def test_large_numbers_are_listed_in_full(tmp_path: Path) -> None:
    last = 2**64 - 1
    cell = PlannedCell(a_cell(numbering="pysol"), SeedRange(last, last), {"run": 100})
    store = Store(tmp_path)
    with store.lock():
        store.write_manifest(Manifest("study", (cell,)))
        store.write_block(cell, last // 1000, [won(last, 5)])
    assert proved_deals(store, numbering="pysol").numbers == [last]
    assert proved_deals(store, seeds=SeedRange(last, last)).deals["seed"].dtype == np.uint64


@pytest.mark.parametrize("rows", [[], [lost(1, 1)], [left(1, "memory", 1)]])
def test_a_list_may_be_empty(tmp_path: Path, rows: list[Row]) -> None:
    proved = proved_deals(store_of(tmp_path, (planned(1, 900, run=100), rows)))
    assert proved.numbers == []
    assert list(proved.deals) == ["seed", "nodes", "solution_length"]


# --- what is refused --------------------------------------------------------------------------------------------


@pytest.fixture
def several(tmp_path: Path) -> Store:
    cells = [
        (a_cell(label="own"), [won(1, 5)]),
        (a_cell(label="pysol", numbering="pysol"), [won(2, 5)]),
        (a_cell(label="other rules", rules={"stock": {"turn": 3}}), [won(3, 5)]),
    ]
    return store_of(tmp_path, *((planned(1, 900, cell=cell, run=100), rows) for cell, rows in cells))


def test_of_several_cells_one_must_be_named(several: Store) -> None:
    with pytest.raises(InputError, match="name one by its label: own, pysol, other rules"):
        proved_deals(several)
    assert proved_deals(several, cell="pysol").numbers == [2]
    other = several.manifest().cells[2].cell
    assert proved_deals(several, cell=other.id[:9]).numbers == [3]
    with pytest.raises(InputError, match="'nil' means no cell of this study"):
        proved_deals(several, cell="nil")


def test_numbers_of_another_numbering_are_refused(several: Store) -> None:
    with pytest.raises(InputError, match=r"'own' has deals of the lab numbering, not of pysol; .* are pysol\.$"):
        proved_deals(several, cell="own", numbering="pysol")
    with pytest.raises(InputError, match=r"lab numbering, not of microsoft; run a study with --numbering microsoft"):
        proved_deals(several, cell="own", numbering="microsoft")
    assert proved_deals(several, cell="pysol", numbering="pysol").numbers == [2]


def test_a_study_without_cells_has_no_numbers(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="'study' has no cells"):
        proved_deals(store_of(tmp_path))


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"outcome": "won"}, "'won' is no outcome; outcomes are win, loss, undecided"),
        ({"budget": "quick"}, "There is no budget 'quick'"),
        ({"budget": 101}, "run with 100 nodes"),
        ({"budget": 0}, "0 nodes decides nothing"),
    ],
)
def test_a_wrong_question_is_refused(store: Store, options: dict[str, str], says: str) -> None:
    with pytest.raises(InputError, match=says):
        proved_deals(store, **options)  # type: ignore[arg-type]


def test_a_folder_without_a_study_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"has no manifest\.json"):
        proved_deals(Store(tmp_path))
