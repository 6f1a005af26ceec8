"""Shamrocks: rules on small boards, deals, brute force, lines of play counted twice."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from solitaire_lab.cards import rank_of
from solitaire_lab.deals.dealing import deal, deal_many
from solitaire_lab.deals.numberings import packs
from solitaire_lab.deals.position import Pile
from solitaire_lab.errors import InputError
from solitaire_lab.rules.catalog import resolve
from tests.brute import brute_force
from tests.games.boards import moves_on, on_board
from tests.games.checks import check_by_brute_force, check_lines_of_play, outcome, outcomes_of_readings, small_deals

VARIANTS = tuple(resolve("shamrocks").variants)
FOUR_RANKS = {"pack.ranks": 4, "tableau.columns": 6, "tableau.layout": "even"}

BOARD = """
Foundations: C-A D-3 H-0 S-0
4C 2H
4D 3C
:
4S AH 2C
4H 3S
3H 2S AS
"""
BUILT_OR_UP = [
    "2H from tableau:0 to tableau:1",
    "2H from tableau:0 to tableau:4",
    "3C from tableau:1 to tableau:0",
    "2C from tableau:3 to tableau:1",
    "2C from tableau:3 to tableau:4",
    "2C from tableau:3 to foundation:0",
    "3S from tableau:4 to tableau:0",
    "AS from tableau:5 to tableau:0",
    "AS from tableau:5 to foundation:3",
]
"""Top cards go up or down in any suit onto fans of less than three, none of them to the empty fan."""


def shrink(random: Random) -> dict[str, Any]:
    ranks, size = random.randint(3, 5), random.randint(3, 6)
    full, rest = divmod(4 * ranks, size)
    layout = [size] * full + [rest] * (rest > 0)
    return {
        "pack.ranks": ranks,
        "tableau.columns": len(layout),
        "tableau.layout": layout,
        "tableau.capacity": size,
    }


def test_fans_are_built_up_or_down_in_any_suit_to_three_cards_and_empty_ones_stay_empty() -> None:
    assert moves_on("shamrocks", BOARD, **FOUR_RANKS) == BUILT_OR_UP


def test_a_king_leaves_its_fan_for_a_queen_or_its_foundation_only() -> None:
    """With four ranks the 4 is the king: 4S goes on 3C, not on AH, and onto no empty fan."""
    board = """
Foundations: C-A D-3 H-0 S-3
4C 2H AH
4D 3C
:
4S
4H 2C
3H
"""
    listed = moves_on("shamrocks", board, **FOUR_RANKS)
    assert [text for text in listed if text.startswith("4S")] == [
        "4S from tableau:3 to tableau:1",
        "4S from tableau:3 to tableau:5",
        "4S from tableau:3 to foundation:3",
    ]
    lower = board.replace("4C 2H AH", "4C 2H").replace("3H\n", "3H AH\n")
    assert [text for text in moves_on("shamrocks", lower, **FOUR_RANKS) if text.startswith(("4S", "AH"))] == [
        "4S from tableau:3 to tableau:1",
        "4S from tableau:3 to foundation:3",
        "AH from tableau:5 to tableau:0",
        "AH from tableau:5 to tableau:4",
        "AH from tableau:5 to foundation:2",
    ]


def test_cards_come_back_where_a_variant_lets_them() -> None:
    back = [text for text in moves_on("shamrocks-return", BOARD, **FOUR_RANKS) if text not in BUILT_OR_UP]
    assert back == ["AC from foundation:0 to tableau:0", "3D from foundation:1 to tableau:0"]
    kept = moves_on("shamrocks", BOARD, **FOUR_RANKS, **{"foundations.return": "on"})
    assert [text for text in kept if text not in BUILT_OR_UP] == ["3D from foundation:1 to tableau:0"]


def test_empty_fans_take_any_top_card_where_a_variant_lets_them() -> None:
    filling = [text for text in moves_on("shamrocks-refill", BOARD, **FOUR_RANKS) if text not in BUILT_OR_UP]
    assert filling == [
        "2H from tableau:0 to tableau:2",
        "3C from tableau:1 to tableau:2",
        "2C from tableau:3 to tableau:2",
        "3S from tableau:4 to tableau:2",
        "AS from tableau:5 to tableau:2",
    ]


def test_the_game_is_won_with_all_cards_up_and_not_before() -> None:
    engine, position = on_board("shamrocks", "Foundations: C-4 D-4 H-4 S-3\n" + 5 * ":\n" + "4S", **FOUR_RANKS)
    assert not engine.won(position)
    (last,) = engine.legal_moves(position)
    assert engine.won(engine.play(position, last))


# --- deals --------------------------------------------------------------------------------------------------------


def is_king(card: int) -> bool:
    return rank_of(card) == 13


@pytest.mark.parametrize("seed", range(1, 60))
def test_kings_slide_to_the_bottom_and_the_others_keep_their_order(seed: int) -> None:
    before = deal(resolve("shamrocks-as-dealt"), numbering="lab", seed=seed).tableau
    after = deal(resolve("shamrocks"), numbering="lab", seed=seed).tableau
    assert [len(fan) for fan in after] == [3] * 17 + [1]
    assert after == tuple(tuple(sorted(fan, key=lambda card: not is_king(card))) for fan in before)


def swapped(fan: Pile) -> Pile:
    """The fan after each king, from below, has changed places with the lowest card that is no king."""
    cards = list(fan)
    for place in range(len(cards)):
        others = [lower for lower in range(place) if not is_king(cards[lower])]
        if is_king(cards[place]) and others:
            cards[others[0]], cards[place] = cards[place], cards[others[0]]
    return tuple(cards)


@pytest.mark.parametrize("numbering", ["pysol", "microsoft"])
@pytest.mark.parametrize("number", [1, 24, 31_999, 32_000, 123_456, 2**32 + 5])
def test_pysolfc_deals_rows_of_seventeen_and_shamrocks_ii_from_the_other_end(numbering: str, number: int) -> None:
    pack = packs(numbering, [number], decks=1)[0].tolist()
    fans = [(pack[fan], pack[fan + 17], pack[fan + 34]) for fan in range(17)]
    assert deal(resolve("shamrocks-pysol"), numbering=numbering, seed=number).tableau == (*fans, (pack[51],))
    pack.reverse()
    fans = [(pack[fan], pack[fan + 17], pack[fan + 34]) for fan in range(17)]
    expected = (*map(swapped, fans), (pack[51],))
    assert deal(resolve("shamrocks-ii"), numbering=numbering, seed=number).tableau == expected


def test_pysolfc_has_no_deals_with_sliding_kings() -> None:
    with pytest.raises(InputError, match=r"game 57 \(Shamrocks\), has deal\.kings as-dealt, not slide"):
        deal_many(resolve("shamrocks"), numbering="pysol", seeds=[1])


# --- counts and small packs ---------------------------------------------------------------------------------------


def test_lines_of_play() -> None:
    check_lines_of_play("shamrocks")


def test_small_packs() -> None:
    counts = check_by_brute_force(small_deals("shamrocks", VARIANTS, shrink, range(150)), limit=150)
    assert min(counts["win"], counts["loss"]) >= 30, counts
    assert counts["undecided by the solver"] == 0


@pytest.mark.slow
def test_many_small_packs() -> None:
    counts = check_by_brute_force(small_deals("shamrocks", VARIANTS, shrink, range(1_000, 3_000)), limit=250)
    assert min(counts["win"], counts["loss"]) >= 200, counts


def test_permissions_lose_no_win() -> None:
    readings = ("shamrocks", "shamrocks-return", "shamrocks-refill")
    counts = outcomes_of_readings("shamrocks", readings, shrink, range(40))
    for plain, returning, refilling in counts:
        assert plain == "loss" or (plain, returning, refilling) == ("win", "win", "win")


@pytest.mark.parametrize(
    ("board", "winner"),
    [
        # Stuck after AS, AC, 2C, unless AC comes back onto 2D: then 2H goes on it, AH and 2H go up, and all is free.
        ("3H 3S 3D 2D AC AS\n3C AD 2S AH 2H 2C", "shamrocks-return"),
        ("5C 2C 3H 3C 3S 4S\n5D AC 4C AH 4D 2H\n5S 5H 2D 3D 4H AD\n2S AS", "shamrocks-refill"),
    ],
)
def test_permissions_can_save_a_deal(board: str, winner: str) -> None:
    heights = [len(line.split()) for line in board.splitlines()]
    small = {
        "pack.ranks": sum(heights) // 4,
        "tableau.columns": len(heights),
        "tableau.layout": heights,
        "tableau.capacity": 6,
    }
    for reading in ("shamrocks", "shamrocks-return", "shamrocks-refill"):
        engine, position = on_board(reading, board, **small)
        assert brute_force(engine, position, limit=20_000) is (reading == winner)
        assert outcome(engine.rules, position) == ("win" if reading == winner else "loss")
