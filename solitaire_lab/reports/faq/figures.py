"""Figures as answers print them, and what every language needs of them."""

from __future__ import annotations

import math
from collections.abc import Sequence

from solitaire_lab import __version__
from solitaire_lab.reports.faq.numbers import GameFaq, Search
from solitaire_lab.results.intervals import Interval
from solitaire_lab.rules.settings import value_text

STATEMENTS = ("F1", "F2", "F3", "F4", "F5", "F6", "F7", "F8", "F9", "F10")
"""The answers, in the order in which they are printed.

F1 what the longer search decided, F2 other games, F3 the median number of shuffles, F4 running out of tries, F5 hints,
F6 both searches on the same deals, F7 the warning while deals are undecided, F8 the longest shuffling, F9 the daily
board, F10 whose chance a percentage is, and the difficulty.
"""
FIXED = frozenset({"F5", "F9"})
"""Answers without a figure."""
SHUFFLING = frozenset({"F3", "F4", "F8"})
"""Answers on shuffles until a winnable deal."""
_MOST_DECIMALS = 6
MADE_WITH = f"solitaire-lab {__version__}"


def decimals(interval: Interval) -> int:
    """Decimals of a percentage that go with an interval.

    They show two figures of its width, and more where an end that is not 0 or 100 percent would be rounded to that.
    """
    width = 100 * (interval.high - interval.low)
    digits = max(0, math.ceil(1 - math.log10(width))) if width > 0 else 0
    while digits < _MOST_DECIMALS and not _ends_are_kept(interval, digits):
        digits += 1
    return digits


def _ends_are_kept(interval: Interval, digits: int) -> bool:
    low, high = interval.percent(digits)
    return (low == 0) == (interval.low == 0) and (high == 10 ** (digits + 2)) == (interval.high == 1)


def percents(interval: Interval) -> tuple[str, str]:
    """Both ends in percent with a decimal point, rounded outwards."""
    digits = decimals(interval)
    low, high = (f"{units / 10**digits:.{digits}f}" for units in interval.percent(digits))
    return low, high


def percent(share: float, interval: Interval) -> str:
    """A share in percent with a decimal point, as fine as its interval allows."""
    return f"{100 * share:.{decimals(interval)}f}"


def small_percent(share: float) -> str:
    """A share in percent with a decimal point and two figures, or as a whole number from ten percent on."""
    value = 100 * share
    return f"{value:.{max(0, 1 - math.floor(math.log10(value)))}f}" if 0 < value < 10 else f"{value:.0f}"


def searches(faq: GameFaq, statement: str) -> Sequence[Search]:
    """The searches that an answer rests on."""
    if statement in SHUFFLING:
        return (faq.dealing,)
    if statement in ("F6", "F10") and faq.short is not None:
        return (faq.short, faq.long)
    return (faq.long,)


def changed_rules(faq: GameFaq) -> str:
    """What differs from the game's own rules, such as ``stock.redeals = 0``; empty if nothing does."""
    return ", ".join(
        f"{key} = {value if isinstance(value, str) else value_text(value)}"
        for key, value in faq.planned.cell.overrides.items()
    )
