"""Simple Simon: rules on small boards, brute force, lines of play counted twice."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from solitaire_lab.deals.dealing import deal
from solitaire_lab.engine.moves import Move
from solitaire_lab.rules.catalog import resolve
from solitaire_lab.rules.order import compare_strictness
from tests.games.boards import moves_on, on_board
from tests.games.checks import check_by_brute_force, check_lines_of_play, small_deals

READINGS = ("simple-simon-single-cards", "simple-simon-whole-column")
THREE_RANKS = {"pack.ranks": 3, "tableau.columns": 5, "tableau.layout": "even"}

A_SUIT_IS_COMPLETE = """
2D 3C 2C AC
3S 2H
AD 3D
AH 2S AS
3H
"""


def shrink(random: Random) -> dict[str, Any]:
    ranks, columns = random.choice([(3, 2), (3, 3), (3, 4), (4, 3), (4, 4)])
    return {"pack.ranks": ranks, "tableau.columns": columns, "tableau.layout": "even"}


def test_a_whole_suit_leaves_and_runs_in_suit_move() -> None:
    """Any part of a run in suit moves onto a card of the next rank of any suit; the suit leaves for any place."""
    assert moves_on("simple-simon", A_SUIT_IS_COMPLETE, **THREE_RANKS) == [
        "AC from tableau:0 to tableau:1",
        "2C AC from tableau:0 to tableau:2",
        "2C AC from tableau:0 to tableau:4",
        *(f"3C 2C AC from tableau:0 to foundation:{index}" for index in range(4)),
        "2H from tableau:1 to tableau:2",
        "2H from tableau:1 to tableau:4",
        "AS from tableau:3 to tableau:1",
        "2S AS from tableau:3 to tableau:2",
        "2S AS from tableau:3 to tableau:4",
    ]


def test_a_suit_that_leaves_only_as_a_whole_column() -> None:
    listed = moves_on("simple-simon-whole-column", A_SUIT_IS_COMPLETE, **THREE_RANKS)
    assert not [text for text in listed if "foundation" in text]
    alone = A_SUIT_IS_COMPLETE.replace("2D 3C", "3C").replace("3S 2H", "2D 3S 2H")
    listed = moves_on("simple-simon-whole-column", alone, **THREE_RANKS)
    assert "3C 2C AC from tableau:0 to foundation:0" in listed


def test_single_cards_go_up_from_the_ace() -> None:
    listed = moves_on("simple-simon-single-cards", A_SUIT_IS_COMPLETE, **THREE_RANKS)
    assert [text for text in listed if "foundation" in text] == [
        "AC from tableau:0 to foundation:0",
        "AS from tableau:3 to foundation:3",
    ]


def test_a_suit_leaves_at_once() -> None:
    engine, position = on_board("simple-simon", A_SUIT_IS_COMPLETE, **THREE_RANKS)
    after = engine.play(position, Move(0, 64, 3))
    assert (len(after.foundations[0]), len(after.tableau[0])) == (3, 1)


def test_layout() -> None:
    position = deal(resolve("simple-simon"), numbering="lab", seed=1)
    assert [len(column) for column in position.tableau] == [8, 8, 8, 7, 6, 5, 4, 3, 2, 1]


def test_a_win_with_whole_suits_is_a_win_card_by_card() -> None:
    whole, single = resolve("simple-simon").rules, resolve("simple-simon-single-cards").rules
    assert compare_strictness(whole, single) == "stricter"
    assert compare_strictness(resolve("simple-simon-whole-column").rules, whole) == "stricter"


def test_lines_of_play() -> None:
    check_lines_of_play("simple-simon")


def test_small_packs() -> None:
    counts = check_by_brute_force(small_deals("simple-simon", READINGS, shrink, range(80)), limit=400)
    assert min(counts["win"], counts["loss"]) >= 15, counts


@pytest.mark.slow
def test_many_small_packs() -> None:
    counts = check_by_brute_force(small_deals("simple-simon", READINGS, shrink, range(1_000, 2_000)), limit=1_000)
    assert min(counts["win"], counts["loss"]) >= 100, counts
