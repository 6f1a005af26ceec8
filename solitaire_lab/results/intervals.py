"""Confidence intervals for the share of deals that are won."""

from __future__ import annotations

import math
from dataclasses import dataclass

Z = 1.96
"""The normal quantile of a two-sided interval at 95 %, rounded as published studies round it."""


@dataclass(frozen=True)
class Interval:
    """A range of shares, both between 0 and 1."""

    low: float
    high: float

    def __post_init__(self) -> None:
        if not 0 <= self.low <= self.high <= 1:
            raise ValueError(f"{self.low} to {self.high} is no range of shares")

    def percent(self, digits: int) -> tuple[int, int]:
        """Both ends in units of 10^-digits percent, rounded outwards, so that what is printed is never too narrow."""
        unit = 10 ** (digits + 2)
        return math.floor(self.low * unit), math.ceil(self.high * unit)

    @property
    def half_width(self) -> float:
        """Half of what lies between the ends, in percentage points."""
        return 50 * (self.high - self.low)


def wilson(wins: float, deals: float) -> Interval:
    """Wilson's score interval at 95 % for ``wins`` among ``deals``; without deals nothing is known: 0 to 1.

    Effective numbers, as of deals that were played several times, may be fractions.
    """
    if not 0 <= wins <= deals:
        raise ValueError(f"{wins} wins among {deals} deals")
    if deals == 0:
        return Interval(0.0, 1.0)
    centre = (wins + Z * Z / 2) / (deals + Z * Z)
    half = Z / (deals + Z * Z) * math.sqrt(wins * (deals - wins) / deals + Z * Z / 4)
    # At the ends the formula is exactly 0 and 1, but its floating-point value may miss them by a hair.
    return Interval(
        low=0.0 if wins == 0 else centre - half,
        high=1.0 if wins == deals else centre + half,
    )


def headline(*, win: int, loss: int, undecided: int) -> Interval:
    """The interval that every table shows: true however the undecided deals would end.

    Its low end is Wilson's with all undecided deals lost, its high end with all of them won.
    """
    deals = win + loss + undecided
    return Interval(low=wilson(win, deals).low, high=wilson(win + undecided, deals).high)
