"""Two cells on the same deals: how the shares of wins differ, and whether by more than chance.

A deal that both win or both lose tells nothing of the difference; all methods here look at the others.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

from scipy.stats import binomtest

from solitaire_lab.results.intervals import Z

_HALVINGS = 60
"""Of a range of differences; enough for every bit of a double."""


class Difference(NamedTuple):
    """A range of differences of two shares, both between -1 and 1."""

    low: float
    high: float


class PValue(NamedTuple):
    """McNemar's exact test."""

    decided: float
    """By the deals that both cells have decided."""
    least: float
    """The smallest that it could become when all deals are decided."""
    most: float
    """The largest."""


@dataclass(frozen=True)
class PairTable:
    """How many deals ended how under a first and a second cell."""

    counts: tuple[tuple[int, ...], ...]
    """``counts[i][j]``: deals with outcome ``i`` under the first cell and ``j`` under the second, in the order of
    ``results.rows.OUTCOMES``: win, loss, undecided."""

    @property
    def deals(self) -> int:
        """All deals."""
        return sum(map(sum, self.counts))

    @property
    def gained(self) -> int:
        """Deals that are lost under the first cell and won under the second."""
        return self.counts[1][0]

    @property
    def lost(self) -> int:
        """Deals that are won under the first cell and lost under the second."""
        return self.counts[0][1]

    @property
    def wins(self) -> tuple[int, int]:
        """Proved wins of each cell."""
        return sum(self.counts[0]), sum(row[0] for row in self.counts)

    @property
    def most_gained(self) -> int:
        """``gained`` once all deals are decided, at most: every undecided one lost under the first, won under the
        second."""
        (_, _, _), (lost_won, _, lost_open), (open_won, _, open_open) = self.counts
        return lost_won + lost_open + open_won + open_open

    @property
    def most_lost(self) -> int:
        """``lost`` once all deals are decided, at most."""
        (_, won_lost, won_open), (_, _, _), (_, open_lost, open_open) = self.counts
        return won_lost + won_open + open_lost + open_open

    @property
    def interval(self) -> Difference:
        """The share of wins under the second cell less that under the first, at 95 %, however the undecided deals end.

        The low end is that of ``score_interval`` with every undecided deal at its worst for the second cell, the high
        end that with every one at its best.
        """
        worst = score_interval(gained=self.gained, lost=self.most_lost, deals=self.deals)
        best = score_interval(gained=self.most_gained, lost=self.lost, deals=self.deals)
        return Difference(worst.low, best.high)

    @property
    def p_value(self) -> PValue:
        """Of the hypothesis that a deal is as likely won under the first cell alone as under the second alone.

        A further deal on the side that has more makes p smaller, one on the other side larger. So the smallest p comes
        of all undecided deals on one side; the largest, of as many as it takes for a draw on the side that has fewer,
        and none on the other.
        """
        least = min(mcnemar(self.most_gained, self.lost), mcnemar(self.gained, self.most_lost))
        if self.gained >= self.lost:
            most = mcnemar(self.gained, min(self.gained, self.most_lost))
        else:
            most = mcnemar(min(self.lost, self.most_gained), self.lost)
        return PValue(mcnemar(self.gained, self.lost), least, most)


def mcnemar(gained: int, lost: int) -> float:
    """The p value of McNemar's exact test: two-sided, binomial, on the deals that one cell alone wins.

    Without such a deal it is 1.
    """
    return float(binomtest(gained, gained + lost).pvalue) if gained + lost else 1.0


def score_interval(*, gained: int, lost: int, deals: int) -> Difference:
    """Tango's score interval at 95 % for the difference of two shares on the same deals.

    It holds the differences that McNemar's test, made one for any difference, does not refute: T. Tango, Equivalence
    test and confidence interval for the difference in proportions for the paired-sample design, Statistics in Medicine
    17 (1998) 891-908. It is of use where few deals differ, or none, and never leaves -1 to 1.

    Args:
        gained: deals won under the second cell alone.
        lost: deals won under the first cell alone.
        deals: all deals; without any, nothing is known: -1 to 1.
    """
    if not 0 <= gained <= deals - lost <= deals:
        raise ValueError(f"{gained} and {lost} of {deals} deals")
    if deals == 0:
        return Difference(-1.0, 1.0)
    middle = (gained - lost) / deals

    def end(outside: float) -> float:
        inside = middle
        for _ in range(_HALVINGS):
            between = (inside + outside) / 2
            if _refuted(between, gained, lost, deals):
                outside = between
            else:
                inside = between
        return outside

    return Difference(end(-1.0), end(1.0))


def _refuted(difference: float, gained: int, lost: int, deals: int) -> bool:
    """Whether a difference of shares is further from what was seen than 1.96 standard deviations, under itself.

    The deals that the first cell alone wins then have the share ``q`` that is most likely under this difference, a root
    of ``2 n q**2 + b q + c``, and those that the second alone wins have ``q + difference``.
    """
    b = (2 * deals - gained + lost) * difference - gained - lost
    c = -lost * difference * (1 - difference)
    root = math.sqrt(max(0.0, b * b - 8 * deals * c))
    # The same root, written so that nothing cancels.
    q = (root - b) / (4 * deals) if b <= 0 else -2 * c / (b + root)
    variance = deals * (2 * q + difference * (1 - difference))
    return (gained - lost - deals * difference) ** 2 > Z * Z * variance
