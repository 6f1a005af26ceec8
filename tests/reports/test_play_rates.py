"""Win rates of policies: the interval allows for plays of one deal resembling each other."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from solitaire_lab.errors import InputError
from solitaire_lab.reports.play_rates import PlayRate, play_rate
from solitaire_lab.results.intervals import wilson
from solitaire_lab.rules.catalog import resolve
from solitaire_lab.study.simulate import Simulation


def rate(wins: list[int], plays: int, *, seeds: list[int] | None = None, **changes: Any) -> PlayRate:
    count = len(wins)
    values: dict[str, Any] = {
        "game": resolve("storehouse"),
        "policy": "greedy",
        "numbering": "lab",
        "plays": plays,
        "play_seed": 0,
        "seeds": np.array(seeds or range(1, count + 1), np.uint64),
        "wins": np.array(wins, np.int64),
        "given_up": np.full(count, 1, np.int64),
        "moves": np.full(count, 30 * plays, np.int64),
    }
    return play_rate(Simulation(**(values | changes)))


def test_deals_that_are_played_once_are_independent() -> None:
    once = rate([1, 0, 0, 1, 0, 0, 0, 0], 1)
    assert (once.won, once.plays, once.deals, once.share) == (2, 8, 8, 0.25)
    assert once.effective_plays == 8
    assert once.interval == wilson(2, 8)


@pytest.mark.parametrize(
    ("wins", "plays", "effective"),
    [
        # Shares 0, 1, ½, ½: mean ½, variance (¼ + ¼) / 3 = 1/6; ¼ · 4 / (1/6) = 6.
        ([0, 4, 2, 2], 4, 6),
        # Won always or never: ten plays of a deal tell no more than one. ¼ · 4 / (1/3) = 3, but not less than 4.
        ([10, 0, 10, 0], 10, 4),
        # All shares alike but for chance: ½ · ½ · 4 / (1/24) = 24, but not more than there are plays.
        ([1, 3, 2, 2], 4, 16),
        # Nothing varies, so that nothing is known about how deals differ.
        ([0, 0, 0], 50, 3),
        ([50, 50, 50], 50, 3),
        ([2, 2, 2], 4, 3),
    ],
)
def test_plays_of_one_deal_count_for_less_than_plays_of_several(wins: list[int], plays: int, effective: float) -> None:
    assert rate(wins, plays).effective_plays == pytest.approx(effective)


def test_the_interval_is_wilsons_for_the_effective_plays() -> None:
    interval, p, n, z = rate([0, 4, 2, 2], 4).interval, 0.5, 6, 1.96
    centre = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    assert (interval.low, interval.high) == pytest.approx((centre - half, centre + half))


def test_all_plays_of_a_single_deal_count() -> None:
    one = rate([5], 50)
    assert one.effective_plays == 50
    assert one.interval == wilson(5, 50)


@pytest.mark.parametrize(("wins", "ends"), [([0, 0], (0.0, None)), ([7, 7], (None, 1.0))])
def test_all_won_or_none(wins: list[int], ends: tuple[float | None, float | None]) -> None:
    interval = rate(wins, 7).interval
    assert ends in ((interval.low, None), (None, interval.high))
    assert interval.low < interval.high


def test_no_plays_have_no_share() -> None:
    with pytest.raises(InputError, match="No deal was played"):
        rate([], 1)


def test_the_record_says_what_the_rate_depends_on() -> None:
    game = resolve("storehouse", overrides={"stock.redeals": 0})
    record = rate([0, 4, 2, 2], 4, game=game, numbering="pysol", play_seed=9, seeds=[5, 6, 7, 8]).record()
    expected = {
        "game": "storehouse", "label": "storehouse stock.redeals=0", "set": {"stock.redeals": 0}, "numbering": "pysol",
        "seeds": "5:8", "policy": "greedy", "play_seed": 9, "deals": 4, "plays_of_each": 4, "plays": 16, "won": 8,
        "share": 0.5, "given_up": 4, "mean_moves": 30.0,
    }  # fmt: skip
    assert {key: record[key] for key in expected} == expected
    assert record["low"] < 0.5 < record["high"]


def test_the_text_says_whose_chance_it_is_and_how_it_was_found() -> None:
    text = rate([0, 4, 2, 2], 4, game=resolve("storehouse", overrides={"stock.redeals": 0}), play_seed=9).text()
    first = text.splitlines()[0]
    assert first.startswith("Greedy play wins 8 of 16 plays of storehouse stock.redeals=0: 50.00 % (95 % interval ")
    for part in ("stock.redeals=0", "lab", "1:4", "4 of each deal", "seed of plays: 9", "revision 1", "not the share"):
        assert part in text
    assert "the game's own" in rate([1], 1).text()


def test_seeds_with_gaps_are_not_told_as_a_range() -> None:
    assert rate([1, 0, 1], 1, seeds=[2, 9, 4]).seeds == "3 of 2:9"
    assert rate([1, 0, 1], 1, seeds=[3, 2, 4]).seeds == "2:4"
