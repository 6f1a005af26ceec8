"""Numbers and nouns in German."""

from __future__ import annotations

from collections.abc import Sequence

from solitaire_lab.reports.faq.figures import percents
from solitaire_lab.results.intervals import Interval

_WORDS = ("keine", "eine", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn", "elf", "zwölf")


def number(value: int) -> str:
    """Such as ``20.000``."""
    return f"{value:,}".replace(",", ".")


def word(value: int) -> str:
    """A number from one to twelve as a word, before a feminine noun."""
    return _WORDS[value] if 0 < value < len(_WORDS) else number(value)


def some(value: int) -> str:
    """So many of what was named before, a feminine noun: keine, eine, or a number."""
    return _WORDS[value] if value < 2 else number(value)


def nodes(value: int) -> str:
    """Such as ``20.000 Knoten``; one and several are alike."""
    return f"{number(value)} Knoten"


def shuffles(value: int) -> str:
    """Such as ``zwei Mischungen``, in the nominative, dative or accusative."""
    return f"{word(value)} {'Mischung' if value == 1 else 'Mischungen'}"


def percent(text: str) -> str:
    """A decimal with a point as one with a comma, and its sign, from which no line break parts it."""
    return f"{_comma(text)}\u00a0%"


def percent_range(interval: Interval) -> str:
    """Such as ``35 bis 60 %``."""
    low, high = percents(interval)
    return percent(high) if low == high else f"{_comma(low)} bis {percent(high)}"


def listed(items: Sequence[str]) -> str:
    """Such as ``a, b und c``."""
    *others, last = items
    return f"{', '.join(others)} und {last}" if others else last


def _comma(decimal: str) -> str:
    return decimal.replace(".", ",")
