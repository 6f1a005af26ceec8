"""Yukon and Russian Solitaire: rules on small boards, brute force, lines of play counted twice."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from solitaire_lab.deals.dealing import deal
from solitaire_lab.engine.moves import Move
from solitaire_lab.rules.catalog import resolve
from tests.games.boards import moves_on, on_board
from tests.games.checks import check_by_brute_force, check_lines_of_play, small_deals

READINGS = ("russian-solitaire", "yukon-return")
FOUR_RANKS = {"pack.ranks": 4, "tableau.columns": 4, "tableau.layout": "even", "tableau.down": 0}

BOARD = """
Foundations: C-0 D-A H-0 S-2
<4S> 2C 3D AC
:
<2D> 4H 4D AH 2H
3C 3S 4C 3H
"""


def shrink(random: Random) -> dict[str, Any]:
    ranks, columns = random.choice([(4, 2), (4, 3), (4, 3), (5, 3)])
    heights = [1] * columns
    for _ in range(4 * ranks - columns):
        heights[random.randrange(columns)] += 1
    return {
        "pack.ranks": ranks,
        "tableau.columns": columns,
        "tableau.layout": heights,
        "tableau.down": [random.randint(0, min(3, height - 1)) for height in heights],
    }


def test_any_face_up_card_moves_with_everything_on_it() -> None:
    assert moves_on("yukon", BOARD, **FOUR_RANKS) == [
        "AC from tableau:0 to tableau:2",
        "2C 3D AC from tableau:0 to tableau:3",
        "AC from tableau:0 to foundation:0",
        "4D AH 2H from tableau:2 to tableau:1",
        "4H 4D AH 2H from tableau:2 to tableau:1",
        "4C 3H from tableau:3 to tableau:1",
    ]


def test_russian_solitaire_builds_in_suit() -> None:
    assert moves_on("russian-solitaire", BOARD, **FOUR_RANKS) == [
        "AC from tableau:0 to foundation:0",
        "4D AH 2H from tableau:2 to tableau:1",
        "4H 4D AH 2H from tableau:2 to tableau:1",
        "2H from tableau:2 to tableau:3",
        "4C 3H from tableau:3 to tableau:1",
    ]


def test_cards_come_back_only_in_the_variant() -> None:
    more = set(moves_on("yukon-return", BOARD, **FOUR_RANKS)) - set(moves_on("yukon", BOARD, **FOUR_RANKS))
    assert more == {"2S from foundation:3 to tableau:3"}


def test_a_face_down_card_is_turned_up() -> None:
    engine, position = on_board("yukon", BOARD, **FOUR_RANKS)
    after = engine.play(position, Move(0, 3, 3))
    assert (after.down[0], len(after.tableau[0])) == (0, 1)


def test_layout() -> None:
    position = deal(resolve("yukon"), numbering="lab", seed=1)
    assert [len(column) for column in position.tableau] == [1, 6, 7, 8, 9, 10, 11]
    assert position.down == (0, 1, 2, 3, 4, 5, 6)


def test_lines_of_play() -> None:
    check_lines_of_play("yukon")


def test_small_packs() -> None:
    counts = check_by_brute_force(small_deals("yukon", READINGS, shrink, range(100)), limit=400)
    assert min(counts["win"], counts["loss"]) >= 20, counts


@pytest.mark.slow
def test_many_small_packs() -> None:
    counts = check_by_brute_force(small_deals("yukon", READINGS, shrink, range(1_000, 2_000)), limit=1_000)
    assert min(counts["win"], counts["loss"]) >= 100, counts
