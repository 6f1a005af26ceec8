"""McNemar's exact test and Tango's interval: published figures, the definition, and every way the undecided may end."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar

from solitaire_lab.reports.paired import PairTable, mcnemar, score_interval

CAVO = PairTable(((59, 6, 0), (16, 80, 0), (0, 0, 0)))
"""Complete response before and after a therapy (M. Cavo and others, 2012), as M. Fagerland, S. Lydersen and P. Laake
use it in Statistical Analysis of Contingency Tables (2017), chapter 8; its difference is the first less the second."""


def test_the_published_example() -> None:
    low, high = CAVO.interval
    assert (round(-high, 4), round(-low, 4)) == (-0.1240, -0.0054)
    assert round(CAVO.p_value.decided, 6) == 0.052479
    assert CAVO.p_value == (CAVO.p_value.decided,) * 3
    assert CAVO.wins == (65, 75)


@pytest.mark.parametrize(("gained", "lost", "p"), [(7, 1, 18 / 256), (0, 5, 2 / 32), (3, 3, 1), (0, 0, 1), (1, 0, 1)])
def test_mcnemar_by_hand(gained: int, lost: int, p: float) -> None:
    assert mcnemar(gained, lost) == pytest.approx(p)


@given(st.integers(0, 60), st.integers(0, 60))
def test_mcnemar_is_twice_the_smaller_tail(gained: int, lost: int) -> None:
    tail = sum(math.comb(gained + lost, k) for k in range(min(gained, lost) + 1)) / 2 ** (gained + lost)
    assert mcnemar(gained, lost) == pytest.approx(min(1, 2 * tail))


@given(st.integers(1, 10**6))
def test_without_differing_deals_the_interval_is_that_of_the_formula(deals: int) -> None:
    # With no deal on either side, the likeliest shares under a difference d are d and 0, so that the squared statistic
    # is n d / (1 - d).
    low, high = score_interval(gained=0, lost=0, deals=deals)
    assert high == pytest.approx(1.96**2 / (deals + 1.96**2))
    assert low == pytest.approx(-high)


@given(st.integers(0, 40), st.integers(0, 40), st.integers(0, 200))
def test_at_the_ends_the_score_statistic_is_at_its_critical_value(gained: int, lost: int, alike: int) -> None:
    deals = gained + lost + alike
    assume(deals > 0)
    for end in score_interval(gained=gained, lost=lost, deals=deals):
        if abs(end) < 1 - 1e-9:
            q = likeliest_loss_share(end, gained, lost, deals)
            variance = deals * (2 * q + end * (1 - end))
            assert (gained - lost - deals * end) ** 2 / variance == pytest.approx(1.96**2, rel=1e-4)


def likeliest_loss_share(difference: float, gained: int, lost: int, deals: int) -> float:
    """The share of deals that the first cell alone wins that makes what was seen likeliest, found by search."""

    def unlikelihood(q: float) -> float:
        parts = [(gained, q + difference), (lost, q), (deals - gained - lost, 1 - 2 * q - difference)]
        return -sum(count * math.log(max(share, 1e-300)) for count, share in parts if count)

    low, high = max(0.0, -difference), (1 - difference) / 2
    found = minimize_scalar(unlikelihood, bounds=(low, high), method="bounded", options={"xatol": 1e-13})
    return min((low, high, float(found.x)), key=unlikelihood)


@given(st.integers(0, 300), st.integers(0, 300), st.integers(0, 10**5))
def test_the_interval_holds_the_difference_and_turns_over_with_the_cells(gained: int, lost: int, alike: int) -> None:
    deals = gained + lost + alike
    assume(deals > 0)
    low, high = score_interval(gained=gained, lost=lost, deals=deals)
    assert -1 <= low <= (gained - lost) / deals <= high <= 1
    assert score_interval(gained=lost, lost=gained, deals=deals) == pytest.approx((-high, -low))


def test_without_deals_nothing_is_known() -> None:
    nothing = PairTable(((0, 0, 0), (0, 0, 0), (0, 0, 0)))
    assert nothing.interval == (-1, 1)
    assert nothing.p_value == (1, 1, 1)


@pytest.mark.parametrize(("gained", "lost", "deals"), [(3, 3, 5), (-1, 0, 5), (0, 6, 5)])
def test_impossible_counts_are_refused(gained: int, lost: int, deals: int) -> None:
    with pytest.raises(ValueError, match="deals"):
        score_interval(gained=gained, lost=lost, deals=deals)


# --- undecided deals --------------------------------------------------------------------------------------------


def completions(table: PairTable) -> Iterator[PairTable]:
    """Every table that may come of one when its undecided deals are decided."""
    cells = [(i, j) for i in range(3) for j in range(3) for _ in range(table.counts[i][j])]
    choices = [itertools.product((i,) if i < 2 else (0, 1), (j,) if j < 2 else (0, 1)) for i, j in cells]
    for chosen in itertools.product(*map(tuple, choices)):
        counts = [[0, 0, 0], [0, 0, 0], [0, 0, 0]]
        for i, j in chosen:
            counts[i][j] += 1
        yield PairTable(tuple(map(tuple, counts)))


decided, few = st.integers(0, 3), st.integers(0, 2)
tables = st.builds(
    lambda ww, wl, wo, lw, ll, lo, ow, ol, oo: PairTable(((ww, wl, wo), (lw, ll, lo), (ow, ol, oo))),
    *(decided, decided, few, decided, decided, few, few, few, few),
)


@given(tables)
@settings(max_examples=40, deadline=None)
def test_interval_and_p_value_cover_every_way_in_which_the_undecided_may_end(table: PairTable) -> None:
    ways = set(completions(table))
    assert all(way.deals == table.deals for way in ways)
    intervals = [way.interval for way in ways]
    assert table.interval.low == min(low for low, _ in intervals)
    assert table.interval.high == max(high for _, high in intervals)
    values = [way.p_value.decided for way in ways]
    assert (table.p_value.least, table.p_value.most) == (min(values), max(values))


def test_a_table_of_undecided_deals_alone_says_nothing() -> None:
    table = PairTable(((0, 0, 0), (0, 0, 0), (0, 0, 50)))
    assert table.interval.low == -1
    assert table.interval.high == 1
    assert table.p_value == (1, pytest.approx(2 / 2**50), 1)
