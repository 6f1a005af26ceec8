"""Fan: rules on small boards, brute force, lines of play counted twice."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from solitaire_lab.deals.dealing import deal
from solitaire_lab.rules.catalog import resolve
from tests.games.boards import moves_on
from tests.games.checks import check_by_brute_force, check_lines_of_play, small_deals


def shrink(random: Random) -> dict[str, Any]:
    ranks, fans = random.choice([(3, 3), (3, 4), (4, 4), (4, 5), (5, 5)])
    return {
        "pack.ranks": ranks,
        "tableau.columns": fans,
        "tableau.layout": "even",
        "foundations.return": random.choice(["base-too", "off"]),
    }


def test_single_cards_in_suit_kings_to_empty_fans_and_cards_come_back() -> None:
    board = """
Foundations: C-2 D-0 H-A S-A
:
4D 3H 2H
2S 4S
AD 4C 3C
3S 2D
3D 4H
"""
    listed = moves_on("fan", board, **{"pack.ranks": 4, "tableau.columns": 6, "tableau.layout": "even"})
    assert listed == [
        "2H from tableau:1 to foundation:2",
        "4S from tableau:2 to tableau:0",
        "3C from tableau:3 to foundation:0",
        "4H from tableau:5 to tableau:0",
        "2C from foundation:0 to tableau:3",
        "AH from foundation:2 to tableau:1",
    ]


@pytest.mark.parametrize(("name", "heights"), [("fan", [3] * 17 + [1]), ("fan-solvitaire", [3] * 16 + [2] * 2)])
def test_layouts(name: str, heights: list[int]) -> None:
    for seed in (1, 2):
        assert [len(fan) for fan in deal(resolve(name), numbering="lab", seed=seed).tableau] == heights


def test_lines_of_play() -> None:
    check_lines_of_play("fan")


def test_small_packs() -> None:
    counts = check_by_brute_force(small_deals("fan", (), shrink, range(80)), limit=400)
    assert min(counts["win"], counts["loss"]) >= 20, counts


@pytest.mark.slow
def test_many_small_packs() -> None:
    counts = check_by_brute_force(small_deals("fan", (), shrink, range(1_000, 2_000)), limit=1_000)
    assert min(counts["win"], counts["loss"]) >= 100, counts
