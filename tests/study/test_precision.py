"""Runs to a precision: one end for any number of workers, after interruptions, and with other wishes later."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import Any

import pytest

from solitaire_lab.errors import InputError
from solitaire_lab.results.cell import PlannedCell
from solitaire_lab.results.rows import Row, SeedRange
from solitaire_lab.results.store import Store
from solitaire_lab.study.adjust import adjusted
from solitaire_lab.study.blocks import merged_manifest
from solitaire_lab.study.config import load_study
from solitaire_lab.study.model import Study, study_of_game
from solitaire_lab.study.progress import Silence
from solitaire_lab.study.run import RunSummary, preview
from solitaire_lab.study.run import run as run_study
from solitaire_lab.study.status import status
from tests.results.test_precision import half_width
from tests.study.background import background, wait_until
from tests.study.fakes import FakeSearch, a_cell, a_study, row_of

BUDGET = 5_000
"""Under which the made-up search leaves no deal open."""
PRECISION = 2.0


def run(study: Study, out: Path, search: FakeSearch | None = None, **options: Any) -> RunSummary:
    options = {"progress": Silence(), "workers": 2, **options}
    return run_study(study, out, decider=search or FakeSearch(), **options)


def to_precision(seeds: str = "1:20000", *, budget: int = BUDGET, precision: float = PRECISION) -> Study:
    return a_study(seeds, budget=budget, precision=precision)


def expected_end(first: int, last: int, *, budget: int = BUDGET, precision: float = PRECISION) -> int | None:
    """The last seed of the first block with which the interval is narrow enough, deal by deal."""
    wins = losses = 0
    for seed in range(first, last + 1):
        row = row_of(seed, budget)
        wins, losses = wins + (row.outcome == "win"), losses + (row.outcome == "loss")
        if (seed % 1_000 == 999 or seed == last) and half_width(wins, losses, seed - first + 1) <= precision:
            return seed
    return None


END = expected_end(1, 20_000)
assert END is not None


def planned(out: Path) -> PlannedCell:
    return Store(out).manifest().cells[0]


def counted(out: Path) -> list[Row]:
    """The rows that the cell is made of."""
    store, plan = Store(out), planned(out)
    rows = [row for block in store.blocks(plan.cell.id) for row in store.read_block(plan.cell.id, block)]
    return [row for row in rows if row.seed in plan.seeds]


def assert_ended(out: Path, last: int = END, *, asked: str = "1:20000", budget: int = BUDGET) -> None:
    assert (planned(out).seeds, planned(out).asked) == (SeedRange(1, last), SeedRange.parse(asked))
    assert counted(out) == [row_of(seed, budget) for seed in range(1, last + 1)]


def test_the_end_is_where_it_should_be_for_the_tests_below() -> None:
    # 2,401 deals at 50 %: (1.96 * 0.5 / 0.02) ** 2.
    assert END == 2_999


@pytest.mark.parametrize("method", ["fork", "spawn"])
@pytest.mark.parametrize("workers", [1, 2, 3])
def test_the_end_is_the_same_for_any_number_of_workers(tmp_path: Path, workers: int, method: str) -> None:
    summary = run(to_precision(), tmp_path, workers=workers, start_method=method)
    assert_ended(tmp_path)
    assert summary.complete
    assert (summary.deals, summary.stored, summary.left) == (END, 0, 0)
    assert summary.decided >= END


def test_blocks_behind_a_slow_one_are_not_counted_and_an_endless_deal_there_keeps_nobody(tmp_path: Path) -> None:
    # One worker is slow over the last deals of the block that ends the cell; the other goes on with the next ones.
    search = FakeSearch(slow=frozenset([END]), endless=frozenset([7_500]))
    run(to_precision(), tmp_path, search)
    assert_ended(tmp_path)
    blocks = Store(tmp_path).blocks(planned(tmp_path).cell.id)
    assert max(blocks) > END // 1_000, "the other worker had nothing to do"


def test_a_worker_that_dies_behind_the_end_is_no_crash(tmp_path: Path) -> None:
    search = FakeSearch(slow=frozenset([END]), kills=frozenset([3_500]), journal=tmp_path / "journal")
    run(to_precision(), tmp_path / "out", search)
    assert_ended(tmp_path / "out")


def test_the_other_cells_of_a_study_are_run_to_their_end(tmp_path: Path) -> None:
    first, second = a_cell("1:20000", budget=BUDGET, precision=PRECISION), a_cell("5:2100", label="b", stock__redeals=0)
    summary = run(Study("two", (first, second)), tmp_path)
    assert_ended(tmp_path)
    store, plan = Store(tmp_path), Store(tmp_path).manifest().find("b")
    assert len(store.rows(plan.cell.id, columns=["seed"])) == 2_096
    assert (summary.deals, summary.complete) == (END + 2_096, True)


# --- again ------------------------------------------------------------------------------------------------------


def test_a_cell_that_has_ended_is_not_run_again(tmp_path: Path) -> None:
    run(to_precision(), tmp_path / "out")
    before = {path: path.read_bytes() for path in (tmp_path / "out").rglob("*") if path.is_file()}
    assert [plan.todo for plan in preview(to_precision(), tmp_path / "out")] == [0]
    journal = tmp_path / "journal"
    summary = run(to_precision(), tmp_path / "out", FakeSearch(journal=journal))
    assert (summary.decided, summary.stored, summary.deals, summary.complete) == (0, END, END, True)
    assert not journal.exists()
    assert {path: path.read_bytes() for path in (tmp_path / "out").rglob("*") if path.is_file()} == before


@pytest.mark.parametrize("seeds", ["1:500", "1:1500", "1:2999", "1:4200"])
def test_deals_that_a_fixed_run_has_stored_are_used(tmp_path: Path, seeds: str) -> None:
    first = run(a_study(seeds, budget=BUDGET), tmp_path / "out")
    journal = tmp_path / "journal"
    run(to_precision(), tmp_path / "out", FakeSearch(journal=journal))
    assert_ended(tmp_path / "out")
    searched = [int(line.split()[0]) for line in journal.read_text().splitlines()] if journal.exists() else []
    assert first.decided < min(searched, default=END + 1) or not searched


@pytest.mark.parametrize("signum", [signal.SIGINT, signal.SIGKILL])
def test_after_an_interruption_the_end_is_the_same(tmp_path: Path, signum: int) -> None:
    options = {"budget": BUDGET, "precision": PRECISION, "slow": [1_500, 2_500], "seconds": 0.0002}
    with background(tmp_path, "1:20000", **options) as process:
        wait_until(
            lambda: Store(tmp_path).exists and bool(Store(tmp_path).blocks(planned(tmp_path).cell.id)), seconds=30
        )
        process.send_signal(signum)
        process.wait(10)
        output, _ = process.communicate()
    plan = planned(tmp_path)
    assert (plan.seeds, plan.asked, plan.precision) == (SeedRange(1, 20_000), None, PRECISION)
    if signum == signal.SIGINT:
        assert "or fewer to the precision asked for" in output
    assert run(to_precision(), tmp_path).complete
    assert_ended(tmp_path)


def test_a_run_that_is_killed_between_the_last_block_and_the_manifest_has_ended_all_the_same(tmp_path: Path) -> None:
    run(to_precision(), tmp_path)
    store = Store(tmp_path)
    manifest = store.manifest()
    store.write_manifest(type(manifest)(manifest.study, (to_precision().cells[0].planned,)))
    assert run(to_precision(), tmp_path).decided == 0
    assert_ended(tmp_path)


def test_a_finer_precision_goes_on_and_a_coarser_one_goes_back(tmp_path: Path) -> None:
    run(to_precision(), tmp_path)
    finer, coarser = (expected_end(1, 20_000, precision=points) for points in (1.2, 3.5))
    assert coarser is not None
    assert finer is not None
    assert coarser < END < finer
    run(to_precision(precision=1.2), tmp_path)
    assert_ended(tmp_path, finer)
    assert run(to_precision(precision=3.5), tmp_path).decided == 0
    assert_ended(tmp_path, coarser)


def test_a_larger_budget_may_end_a_cell_earlier(tmp_path: Path) -> None:
    small, large = expected_end(1, 20_000, budget=1_500, precision=3), expected_end(1, 20_000, precision=3)
    assert small is not None
    assert large is not None
    assert large < small
    run(to_precision(budget=1_500, precision=3), tmp_path)
    assert_ended(tmp_path, small, budget=1_500)
    run(to_precision(precision=3), tmp_path)
    assert_ended(tmp_path, large)


def test_a_fixed_range_can_be_run_afterwards(tmp_path: Path) -> None:
    run(to_precision(), tmp_path)
    summary = run(a_study("1:5000", budget=BUDGET), tmp_path)
    assert (planned(tmp_path).precision, planned(tmp_path).seeds) == (None, SeedRange(1, 5_000))
    assert summary.complete
    assert status(Store(tmp_path))[0].missing == 0


def test_of_a_precision_run_that_never_stored_a_deal_nothing_binds(tmp_path: Path) -> None:
    Store(tmp_path).write_manifest(merged_manifest(None, to_precision()))
    assert planned(tmp_path).seeds.last == 20_000
    run(a_study("1:30", budget=BUDGET), tmp_path)
    assert planned(tmp_path).seeds == SeedRange(1, 30)


def test_more_deals_may_be_allowed_later(tmp_path: Path) -> None:
    summary = run(to_precision("1:1500"), tmp_path)
    assert (summary.complete, planned(tmp_path).seeds, planned(tmp_path).asked) == (True, SeedRange(1, 1_500), None)
    run(to_precision(), tmp_path)
    assert_ended(tmp_path)


def test_a_cap_below_what_is_stored_leaves_the_end_where_it_is(tmp_path: Path) -> None:
    run(a_study("1:4000", budget=BUDGET), tmp_path)
    assert run(to_precision("1:1200"), tmp_path).decided == 0
    assert planned(tmp_path).seeds == SeedRange(1, END)


def test_a_precision_is_that_of_all_deals_from_the_first_on(tmp_path: Path) -> None:
    run(a_study("1:100", budget=BUDGET), tmp_path)
    with pytest.raises(InputError, match=r"first seed on. Ask for 1:20000"):
        run(to_precision("50:20000"), tmp_path)


# --- precisions that are not reached ------------------------------------------------------------------------------


def test_where_too_many_deals_stay_open_the_run_goes_to_its_last_seed(tmp_path: Path) -> None:
    # Of the made-up deals, exp(-1000 / 400) or 8 % stay open: 4 points to either side whatever is run.
    assert expected_end(1, 4_500, budget=1_000) is None
    summary = run(to_precision("1:4500", budget=1_000), tmp_path)
    assert (summary.decided, summary.complete, planned(tmp_path).asked) == (4_500, True, None)
    (cell,) = status(Store(tmp_path))
    assert (cell.missing, cell.precision, cell.asked) == (0, PRECISION, None)


def test_status_tells_that_a_cell_has_ended(tmp_path: Path) -> None:
    run(to_precision(), tmp_path)
    (cell,) = status(Store(tmp_path))
    assert (cell.stored, cell.missing, cell.seeds, cell.asked) == (END, 0, SeedRange(1, END), SeedRange(1, 20_000))


def test_a_preview_tells_the_most_that_would_be_run(tmp_path: Path) -> None:
    (plan,) = preview(to_precision(), tmp_path)
    assert (plan.todo, plan.precision) == (20_000, PRECISION)


# --- what is asked for --------------------------------------------------------------------------------------------


def test_a_cell_of_two_labels_has_one_end(tmp_path: Path) -> None:
    def twin(**changes: Any) -> Any:
        return a_cell(**{"seeds": "1:20000", "budget": BUDGET, "precision": PRECISION, "label": "b", **changes})

    run(Study("x", (to_precision().cells[0], twin())), tmp_path)
    assert [plan.seeds.last for plan in Store(tmp_path).manifest().cells] == [END, END]
    for changes in ({"precision": None}, {"precision": 1}, {"budget": 9}, {"seeds": "1:9000"}):
        with pytest.raises(InputError, match="'storehouse' and 'b' are the same but for their labels"):
            Study("x", (to_precision().cells[0], twin(**changes)))


def test_a_study_file_may_ask_for_a_precision(tmp_path: Path) -> None:
    file = tmp_path / "study.toml"
    head = 'name = "x"\nseeds = "1:9"\nbudgets = { run = 10 }\nprecision = 0.5\n'
    file.write_text(head + '[[cells]]\ngame = "storehouse"\n[[cells]]\ngame = "canfield"\nprecision = 2\n')
    assert [cell.planned.precision for cell in load_study(file).cells] == [0.5, 2.0]
    assert [cell.planned.precision for cell in adjusted(load_study(file), precision=3).cells] == [3.0, 3.0]
    file.write_text(head.replace("0.5", "0") + '[[cells]]\ngame = "storehouse"\n')
    with pytest.raises(InputError, match="line 4, precision: 0 is no precision"):
        load_study(file)


@pytest.mark.parametrize("points", [0, -1, 50.1, float("nan"), float("inf"), True, "1"])
def test_what_is_no_precision_is_refused(points: Any) -> None:
    game = a_study("1:9").cells[0].game
    with pytest.raises(InputError, match="is no precision; it is half the width"):
        study_of_game(game, seeds=SeedRange(1, 9), precision=points)
