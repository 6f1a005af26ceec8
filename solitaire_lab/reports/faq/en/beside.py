"""Published figures beside ours, in English."""

from __future__ import annotations

from solitaire_lab.reports.faq.en.words import counted, number, percent, percent_range, shuffles
from solitaire_lab.reports.faq.figures import percent as as_fine_as
from solitaire_lab.reports.faq.figures import small_percent
from solitaire_lab.reports.faq.published import Comparison

TITLE = "Published figures beside ours"
HEADER = ("game", "published", "by", "ours", "inside our interval")


def row(comparison: Comparison) -> tuple[str, ...]:
    """A published figure beside ours, in the columns of ``HEADER``."""
    source = comparison.source
    by = f"{source.en} ({source.url})" if source.url else source.en
    return comparison.title, _theirs(comparison), by, _ours(comparison), _why(comparison)


def _theirs(comparison: Comparison) -> str:
    value, interval = comparison.theirs, comparison.theirs_range
    match comparison.quantity:
        case "median":
            return f"a median of {shuffles(int(value))}"
        case "longest":
            return f"at most {shuffles(int(value))}"
    if interval is None or comparison.theirs_deals is None:
        return f"a {percent(f'{100 * value:g}')} chance of winning"
    what = "proved winnable" if comparison.quantity == "win" else "proved lost"
    return f"{percent(as_fine_as(value, interval))} of {number(comparison.theirs_deals)} deals {what}"


def _ours(comparison: Comparison) -> str:
    value, interval = comparison.ours, comparison.interval
    if comparison.verdict == "missing" or comparison.search is None:
        return "nothing to compare"
    within = f"within {counted(comparison.search.nodes, 'node')}"
    if interval is not None and value is not None:
        return f"{percent(as_fine_as(value, interval))} ({percent_range(interval)}), {within}"
    if comparison.medians is None:
        return f"{'no board won' if value is None else f'at most {shuffles(int(value))}'}, {within}"
    low, high = comparison.medians
    end = " or more" if high is None else "" if high == low else f" to {number(high)}"
    median = "no median" if value is None else f"a median of {shuffles(int(value))}"
    return f"{median} ({number(low)}{end} by our share of wins), {within}"


def _why(comparison: Comparison) -> str:
    match comparison.verdict:
        case "missing":
            return "not known: no deal was counted with such a search"
        case "untold":
            more = percent(small_percent(comparison.theirs_exceeded or 0.0))
            return (
                f"can't be said, since the source doesn't tell how many boards it tried; by our share of wins, {more} "
                f"of all boards take more than {shuffles(int(comparison.theirs))}"
            )
        case "outside" if comparison.quantity == "median":
            return "no: the source's search, whose length it doesn't tell, wins another share of the deals"
        case "inside" | "outside" if comparison.quantity == "chance":
            return (
                f"{'yes' if comparison.verdict == 'inside' else 'no'}; the source says neither whose chance it is nor "
                "how it was found, and ours is that of somebody who knows all cards"
            )
    if comparison.verdict == "inside" or comparison.theirs_range is None:
        return "yes"
    own = f"its own interval, {percent_range(comparison.theirs_range)}"
    if comparison.verdict == "apart":
        return f"no, and {own}, lies apart from ours: rules, dealing or one of the solvers must differ"
    if not comparison.theirs_undecided:
        return f"no, but {own}, overlaps ours"
    left = number(comparison.theirs_undecided)
    return f"no, but {own}, overlaps ours: its search, whose length it doesn't tell, left up to {left} deals undecided"
