"""What became of a cell that was run until its share is known well enough, in a sentence."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from solitaire_lab.results.intervals import headline
from solitaire_lab.results.rows import BLOCK, SEEDS

if TYPE_CHECKING:
    from solitaire_lab.reports.tables import TableRow


def precision_note(row: TableRow) -> str | None:
    """Whether a finished cell reached its precision; if not, whether more deals could.

    Returns:
        A sentence or two; None for a cell that is made of a fixed range, or not finished.
    """
    planned = row.planned
    if planned.precision is None or not row.complete:
        return None
    name, wish = " ".join(planned.cell.label.split()), f"±{planned.precision:g} points"
    if planned.asked is not None:
        return (
            f"{name} was to be run until its interval is {wish}, for at most {planned.most.count:,} deals; with "
            f"{planned.budget:,} nodes it is so after {planned.seeds.count:,}."
        )
    if row.budget < planned.budget:
        return f"{name} was run for an interval of {wish} with {planned.budget:,} nodes; this is a smaller budget."
    width = f"±{_rounded_up(row.interval.half_width)} points"
    if row.interval.half_width <= planned.precision:
        return f"{name} was to be run until its interval is {wish}; after all {row.counts.deals:,} deals it is {width}."
    short = (
        f"{name} was to be run until its interval is {wish}, but after all {row.counts.deals:,} deals it is {width}."
    )
    needed = deals_needed(row)
    if needed is None and 50 * row.counts.undecided / row.counts.deals < planned.precision:
        return f"{short} No number of deals that there are would do."
    if needed is None:
        share = row.counts.undecided / row.counts.deals
        return (
            f"{short} More deals can't change that: {100 * share:.2g} % of them are undecided, which alone is "
            f"±{50 * share:.2g} points. A larger budget may."
        )
    return f"{short} If the shares stay as they are, it would take about {needed:,}."


def deals_needed(row: TableRow) -> int | None:
    """About how many deals a cell needs for its precision if the shares of wins and losses stay as they are.

    Returns:
        Whole blocks of deals; None if no number of deals that there are will do, such as where the undecided ones alone
        are too many.
    """
    precision, counts = row.planned.precision, row.counts
    if precision is None or counts.deals == 0 or 50 * counts.undecided / counts.deals >= precision:
        return None

    def half_width(blocks: int) -> float:
        deals = blocks * BLOCK
        win, loss = (round(deals * part / counts.deals) for part in (counts.win, counts.loss))
        return headline(win=win, loss=loss, undecided=deals - win - loss).half_width

    enough = 1
    while half_width(enough) > precision:
        enough *= 2
        if enough * BLOCK > SEEDS:
            return None
    low = enough // 2
    while enough - low > 1:
        middle = (low + enough) // 2
        low, enough = (low, middle) if half_width(middle) <= precision else (middle, enough)
    return enough * BLOCK


def _rounded_up(points: float) -> str:
    """Points with two decimals, rounded up, so that nothing seems narrower than it is."""
    return f"{math.ceil(round(100 * points, 6)) / 100:.2f}"
