"""Numbers and nouns in English."""

from __future__ import annotations

from collections.abc import Sequence

from solitaire_lab.reports.faq.figures import percents
from solitaire_lab.results.intervals import Interval

_WORDS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def number(value: int) -> str:
    """Such as ``20,000``."""
    return f"{value:,}"


def word(value: int) -> str:
    """A number from one to twelve as a word."""
    return _WORDS[value] if 0 < value < len(_WORDS) else number(value)


def some(value: int) -> str:
    """So many of what was named before: none, one, or a number."""
    return _WORDS[value] if value < 2 else number(value)


def counted(value: int, noun: str) -> str:
    """A number, in figures, with its noun."""
    return f"{number(value)} {plural(value, noun)}"


def shuffles(value: int) -> str:
    """Such as ``two shuffles``."""
    return f"{word(value)} {plural(value, 'shuffle')}"


def plural(value: int, noun: str) -> str:
    """The noun for so many."""
    return noun if value == 1 else f"{noun}s"


def percent(text: str) -> str:
    """A decimal with its sign."""
    return f"{text}%"


def percent_range(interval: Interval) -> str:
    """Such as ``35 to 60%``."""
    low, high = percents(interval)
    return percent(high) if low == high else f"{low} to {percent(high)}"


def listed(items: Sequence[str]) -> str:
    """Such as ``a, b and c``."""
    *others, last = items
    return f"{', '.join(others)} and {last}" if others else last
