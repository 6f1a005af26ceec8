"""Where a cell ends by its precision: at one block, whatever the order in which blocks are finished."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solitaire_lab.results.precision import Ending
from solitaire_lab.results.rows import SeedRange


class Block(NamedTuple):
    wins: int
    losses: int
    undecided: int


def wilson_end(wins: int, deals: int, sign: int) -> float:
    """One end of Wilson's interval, by its textbook formula."""
    z, share = 1.96, wins / deals
    root = math.sqrt(share * (1 - share) / deals + z * z / (4 * deals * deals))
    return (share + z * z / (2 * deals) + sign * z * root) / (1 + z * z / deals)


def half_width(wins: int, losses: int, deals: int) -> float:
    """Half the width, in points, of an interval that covers every way in which the undecided may end."""
    return 50 * (wilson_end(deals - losses, deals, 1) - wilson_end(wins, deals, -1))


def tell(ending: Ending, block: int, counts: Block) -> None:
    outcomes = ["win"] * counts.wins + ["loss"] * counts.losses + ["undecided"] * counts.undecided
    ending.add(block, [(outcome, 7) for outcome in outcomes])


@st.composite
def blocks_strategy(draw: st.DrawFn) -> tuple[int, list[Block]]:
    """The first seed, and blocks in seed order; the first block may be a short one."""
    first = draw(st.sampled_from([0, 1, 990, 2_500]))
    sizes = [1_000 - first % 1_000] + [1_000] * draw(st.integers(0, 5))
    blocks = []
    for size in sizes:
        wins = draw(st.integers(0, size))
        losses = draw(st.integers(0, size - wins))
        blocks.append(Block(wins, losses, size - wins - losses))
    return first, blocks


@given(blocks_strategy(), st.floats(0.5, 30), st.randoms(use_true_random=False))
def test_the_end_is_the_first_block_in_seed_order_that_is_narrow_enough(
    told: tuple[int, list[Block]], precision: float, chance: object
) -> None:
    first, blocks = told
    number = first // 1_000
    seeds = SeedRange(first, (number + len(blocks)) * 1_000 - 1)
    expected, wins, losses, deals = None, 0, 0, 0
    for at, block in enumerate(blocks):
        wins, losses, deals = wins + block.wins, losses + block.losses, deals + sum(block)
        if half_width(wins, losses, deals) <= precision:
            expected = (number + at + 1) * 1_000 - 1
            break
    order = list(enumerate(blocks, number))
    chance.shuffle(order)  # type: ignore[attr-defined]
    ending = Ending(seeds, budget=100, precision=precision)
    for at, block in order:
        tell(ending, at, block)
    assert ending.last == expected


def test_a_block_that_is_done_early_waits_for_those_before_it() -> None:
    ending = Ending(SeedRange(0, 9_999), budget=100, precision=4)
    for block in (1, 2, 3):
        tell(ending, block, Block(500, 500, 0))
    assert ending.last is None
    tell(ending, 0, Block(500, 500, 0))
    # At 50 % of 1,000 deals half the interval is 3.09 points, 1.96 times the root of 0.25 / 1,000 and a little less.
    assert ending.last == 999


def test_a_deal_that_took_more_nodes_than_the_budget_is_undecided() -> None:
    ending = Ending(SeedRange(0, 999), budget=100, precision=5)
    ending.add(0, [("win", 101)] * 200 + [("loss", 100)] * 800)
    assert ending.half_width == pytest.approx(half_width(0, 800, 1_000))
    assert ending.last is None


def test_before_a_block_is_done_nothing_is_known() -> None:
    assert Ending(SeedRange(0, 999), budget=1, precision=50).half_width == 50


def test_the_last_block_may_be_short() -> None:
    ending = Ending(SeedRange(5, 14), budget=1, precision=49)
    ending.add(0, [("loss", 1)] * 10)
    assert ending.last == 14


@pytest.mark.parametrize(("share", "precision"), [(0.02, 0.4), (0.44, 1.0), (0.997, 0.2)])
def test_the_interval_at_the_end_covers_the_share_as_often_as_it_says(share: float, precision: float) -> None:
    # Of 4,000 runs, 95 % give or take 0.34 points; Wilson's interval itself is off by up to 1 point or so.
    chance, covered = np.random.default_rng(1), 0
    for _ in range(4_000):
        wins = deals = 0
        while deals == 0 or half_width(wins, deals - wins, deals) > precision:
            wins, deals = wins + int(chance.binomial(1_000, share)), deals + 1_000
        covered += wilson_end(wins, deals, -1) <= share <= wilson_end(wins, deals, 1)
    assert covered / 4_000 > 0.935
