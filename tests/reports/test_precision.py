"""Sentences on whether a precision was reached, and whether it can be."""

from __future__ import annotations

from dataclasses import replace

import pytest

from solitaire_lab.reports.precision import deals_needed, precision_note
from solitaire_lab.reports.render import render
from solitaire_lab.reports.tables import Counts, TableRow
from solitaire_lab.results.intervals import headline
from solitaire_lab.results.rows import SeedRange
from tests.results.samples import planned

ENDED = replace(planned(1, 38_999), precision=0.5, asked=SeedRange(1, 100_000))


def a_row(counts: Counts, *, precision: float | None = 0.5, asked: SeedRange | None = None) -> TableRow:
    """A finished cell with these verdicts."""
    plan = replace(planned(1, counts.deals), precision=precision, asked=asked)
    return TableRow("faq", plan, plan.budget, None, plan.seeds, counts)


def note(row: TableRow) -> str:
    text = precision_note(row)
    assert text is not None
    return text


def test_a_cell_that_ended_tells_how_many_deals_it_took() -> None:
    row = TableRow("faq", ENDED, 20_000, "hint", ENDED.seeds, Counts(win=17_000, loss=21_999))
    assert "±0.5 points, for at most 100,000 deals; with 20,000 nodes it is so after 38,999." in note(row)
    # At a smaller budget it has the same deals.
    assert note(replace(row, budget=2_000)) == note(row)
    for style in ("text", "markdown", "latex", "html"):
        assert "38,999" in render([row], style).partition("points, for at most")[2]


def test_a_cell_with_too_many_open_deals_tells_that_more_deals_are_no_help() -> None:
    # 20 of 1,000 undecided are 2 %, of which half lie on either side.
    row = a_row(Counts(win=500, loss=480, nodes=20))
    assert deals_needed(row) is None
    assert "More deals can't change that: 2 % of them are undecided, which alone is ±1 points." in note(row)
    assert deals_needed(replace(row, planned=replace(row.planned, precision=1.0))) is None


@pytest.mark.parametrize("undecided", [0, 5])
def test_a_cell_that_would_reach_it_tells_with_how_many_deals(undecided: int) -> None:
    row = a_row(Counts(win=500, loss=500 - undecided, nodes=undecided))
    needed = deals_needed(row)
    assert needed is not None
    assert needed % 1_000 == 0

    def half_width(deals: int) -> float:
        share = deals // 1_000
        return headline(win=500 * share, loss=(500 - undecided) * share, undecided=undecided * share).half_width

    assert half_width(needed) <= 0.5 < half_width(needed - 1_000)
    # 1.96 * 0.5 / sqrt(1,000 + 1.96 ** 2) is 3.093 points; half of 0.5 % undecided is 0.25 more. Both are rounded up.
    assert f"after all 1,000 deals it is ±3.{'10' if undecided == 0 else '35'} points." in note(row)
    assert f"it would take about {needed:,}." in note(row)


@pytest.mark.parametrize(
    ("undecided", "precision"),
    [
        (0, 1e-150),
        # Half of 1 in 1,000 is 0.05 points; the next larger number is met by no interval that is computed.
        (1, 0.05000000000000001),
    ],
)
def test_a_precision_that_would_take_more_deals_than_there_are_tells_so(undecided: int, precision: float) -> None:
    row = a_row(Counts(win=500, loss=500 - undecided, nodes=undecided), precision=precision)
    assert deals_needed(row) is None
    assert note(row).endswith(" points. No number of deals that there are would do.")


def test_without_undecided_deals_the_number_is_that_of_the_textbook() -> None:
    # (1.96 * 0.5 / 0.005) ** 2 = 38,416 deals for half a point at 50 %.
    assert deals_needed(a_row(Counts(win=500, loss=500))) == 39_000


def test_a_precision_that_the_last_deal_reaches_is_reached() -> None:
    row = a_row(Counts(win=10_000, loss=10_000), precision=1.0)
    assert note(row).endswith("; after all 20,000 deals it is ±0.70 points.")


def test_a_table_at_a_smaller_budget_does_not_tell_of_the_larger_one() -> None:
    row = replace(a_row(Counts(win=0, loss=0, nodes=1_000)), budget=5)
    assert note(row).endswith("with 20,000 nodes; this is a smaller budget.")


def test_fixed_and_unfinished_cells_have_no_such_sentence() -> None:
    assert precision_note(a_row(Counts(win=1), precision=None)) is None
    unfinished = replace(a_row(Counts(win=999)), planned=replace(planned(1, 5_000), precision=0.5))
    assert precision_note(unfinished) is None
    assert "planned for seeds 1:5000, or fewer if its interval is ±0.5 points before" in render([unfinished], "text")
    assert "or fewer" not in render([replace(unfinished, planned=planned(1, 5_000))], "text")
