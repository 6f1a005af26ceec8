"""Wood and Blondes and Brunettes: rules on small boards, deals, brute force, lines of play counted twice."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from solitaire_lab.cards import rank_of, suit_of
from solitaire_lab.deals.board import board_text, parse_board
from solitaire_lab.deals.dealing import deal
from solitaire_lab.deals.numberings import packs
from solitaire_lab.engine.engine import Engine, move_text
from solitaire_lab.engine.moves import FOUNDATION, RESERVE
from solitaire_lab.rules.catalog import resolve
from tests.games.boards import moves_on, on_board
from tests.games.checks import check_by_brute_force, check_lines_of_play, outcomes_of_readings, small_deals

GAMES = ("wood", "blondes-and-brunettes")
THREE_RANKS = {"pack.ranks": 3, "tableau.columns": 3, "reserve.size": 3}

# The base is 2, so foundations go 2, 3, ace, and of the columns only a 3 on an ace of the other colour is ever built.
BOARD = """
Base: 2
Foundation: 2C 3D
Foundation: 2C
Foundation: 2D
Foundation: 2D 3S
Foundation: 2H
Foundation: 2H
Foundation: 2S
Foundation: 2S 3H AC
Reserve: AD 3D AS
Stock: 3H 3S AC AH
Waste: 3C AD
AH 3C
AS
:
"""
MOVES = [
    "3C from tableau:0 to foundation:2",
    "3C from tableau:0 to foundation:4",
    "3C from tableau:0 to foundation:5",
    "AS from tableau:1 to foundation:0",
    "3D from foundation:0 to tableau:1",
    "AS from reserve:0 to foundation:0",
    "3H from stock to waste",
    "AD from waste to tableau:2",
    "AD from waste to foundation:3",
]
"""3C may not fill the space, only the waste may; the reserve goes up only; 3D comes back onto AS, base cards stay."""


SMALL = ((1, 4, 1, 6), (1, 4, 1, 8), (1, 5, 1, 9), (1, 6, 2, 10), (2, 3, 1, 8), (2, 3, 1, 12), (2, 3, 2, 6))
"""Decks, ranks, columns, reserve. Two decks lose only with most cards locked up in the reserve."""


def shrink(random: Random) -> dict[str, Any]:
    decks, ranks, columns, reserve = random.choice(SMALL)
    return {"pack.decks": decks, "pack.ranks": ranks, "tableau.columns": columns, "reserve.size": reserve}


# --- rules --------------------------------------------------------------------------------------------------------


def test_moves_of_wood() -> None:
    assert moves_on("wood", BOARD, **THREE_RANKS) == MOVES


def test_nothing_comes_back_or_base_cards_too() -> None:
    returns = "3D from foundation:0 to tableau:1"
    assert moves_on("wood-no-return", BOARD, **THREE_RANKS) == [text for text in MOVES if text != returns]
    back = [text for text in moves_on("wood-base-too", BOARD, **THREE_RANKS) if text not in MOVES]
    assert back == [f"{card} from foundation:{index} to tableau:0" for card, index in (("2D", 2), ("2H", 4), ("2H", 5))]


def test_without_wrap_no_king_goes_on_an_ace() -> None:
    """With three ranks the 3 is the king."""
    listed = moves_on("wood-no-wrap", BOARD, **THREE_RANKS)
    assert listed == [text for text in MOVES if text != "3D from foundation:0 to tableau:1"]


def test_the_stock_is_gone_through_once() -> None:
    used_up = BOARD.replace("Stock: 3H 3S AC AH", "Stock:").replace("Waste: 3C AD", "Waste: 3H 3S AC AH 3C AD")
    assert not [text for text in moves_on("wood", used_up, **THREE_RANKS) if text == "redeal" or "stock" in text]


def test_the_waste_fills_spaces_at_once_where_a_variant_says_so() -> None:
    board = BOARD.replace("Waste: 3C AD", "Waste: 3C").replace("AS\n:", "AS\nAD")
    engine, position = on_board("wood-auto-fill", board, **THREE_RANKS)
    up = next(m for m in engine.legal_moves(position) if move_text(engine, position, m).startswith("AD from tableau"))
    after = engine.play(position, up)
    assert board_text(after, game=resolve("wood-auto-fill", overrides=THREE_RANKS)).splitlines()[-4:] == [
        "Waste:", "AH 3C", "AS", "3C",
    ]  # fmt: skip


def test_cards_go_up_by_themselves_where_a_variant_says_so() -> None:
    """Columns first, from the left, then the reserve, then the waste, each to the first foundation that takes it.

    3C goes to 2D, AH on it, AS on 3D; AS of the reserve finds no red 3; AD goes on 3S, and 3C on 2H.
    """
    game = resolve("wood-autoplay", overrides=THREE_RANKS)
    after = Engine(game.rules).settle(parse_board(BOARD.strip("\n"), game=game))
    assert board_text(after, game=game).splitlines() == [
        "Base: 2",
        "Foundation: 2C 3D AS",
        "Foundation: 2C",
        "Foundation: 2D 3C AH",
        "Foundation: 2D 3S AD",
        "Foundation: 2H 3C",
        "Foundation: 2H",
        "Foundation: 2S",
        "Foundation: 2S 3H AC",
        "Reserve: AD 3D AS",
        "Stock: 3H 3S AC AH",
        "Waste:",
        ":",
        ":",
        ":",
    ]


def test_one_base_card_begins_and_others_go_to_any_empty_foundation() -> None:
    small = resolve("wood-one-base", overrides=THREE_RANKS)
    engine = Engine(small.rules)
    places = set()
    for seed in range(60):
        position = engine.settle(deal(small, numbering="lab", seed=seed))
        assert sorted(map(len, position.foundations)) == [0] * 7 + [1]
        for move in engine.legal_moves(position):
            card = engine.moved_cards(position, move)[0]
            if FOUNDATION <= move.target < RESERVE and rank_of(card) == position.base:
                places.add((suit_of(card), move.target - FOUNDATION))
    assert places == {(suit, index) for suit in range(4) for index in range(8)}


def test_blondes_fill_spaces_and_turn_the_stock_by_themselves() -> None:
    """PySolFC moves the waste into the space that 3C leaves, then turns the next card."""
    board = """
Base: 2
Foundation: 2C 3D
Foundation: 2C
Foundation: 2D
Foundation: 2D 3S
Foundation: 2H
Foundation: 2H
Foundation: 2S
Foundation: 2S 3H AC
Reserve: AD 3D AS
Stock: 3H 3S AC AH AH
Waste: AD
3C
AS
3C
"""
    engine, position = on_board("blondes-and-brunettes", board, **THREE_RANKS)
    after = engine.play(position, engine.legal_moves(position)[0])
    assert board_text(after, game=resolve("blondes-and-brunettes", overrides=THREE_RANKS)).splitlines()[-5:] == [
        "Stock: 3S AC AH AH", "Waste: 3H", "AD", "AS", "3C",
    ]  # fmt: skip


def test_blondes_fill_spaces_with_any_card_when_waste_and_stock_are_used_up() -> None:
    board = BOARD.replace("Stock: 3H 3S AC AH", "Stock:").replace("Waste: 3C AD", "Waste:").replace(
        "AH 3C\n", "AH 3H 3S AC AH 3C AD 3C\n"
    )  # fmt: skip
    filling = [
        text
        for text in moves_on("blondes-and-brunettes", board, **THREE_RANKS)
        if text.endswith("tableau:2") or "stock" in text
    ]
    assert filling == ["3C from tableau:0 to tableau:2"]


# --- deals --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(20))
def test_all_eight_cards_of_the_first_rank_begin_the_foundations(seed: int) -> None:
    pack = packs("lab", [seed], decks=2)[0].tolist()
    dealt = deal(resolve("wood"), numbering="lab", seed=seed)
    bases = sorted(card for card in pack if rank_of(card) == rank_of(pack[0]))
    rest = [card for card in pack if card not in bases]
    assert dealt.base == rank_of(pack[0])
    assert dealt.foundations == tuple((card,) for card in bases)
    assert dealt.reserve == (tuple(rest[:10]),)
    assert dealt.tableau == tuple((card,) for card in rest[10:18])
    assert dealt.stock == tuple(rest[18:])
    assert len(dealt.stock) == 78


@pytest.mark.parametrize("number", [1, 31_999, 32_000, 2**40])
@pytest.mark.parametrize("name", ["wood-pysol", "blondes-and-brunettes"])
def test_pysolfc_deals_the_reserve_the_columns_and_the_base_card(name: str, number: int) -> None:
    pack = packs("pysol", [number], decks=2)[0].tolist()
    game = resolve(name)
    dealt = deal(game, numbering="pysol", seed=number)
    assert dealt.reserve == (tuple(pack[:10]),)
    assert dealt.tableau == tuple((card,) for card in pack[10:19])
    assert [card for pile in dealt.foundations for card in pile] == [pack[19]]
    assert dealt.stock == tuple(pack[20:])
    turned = Engine(game.rules).settle(dealt).waste
    assert turned == (() if name == "wood-pysol" else (pack[20],))


# --- counts and small packs ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_lines_of_play(game: str) -> None:
    check_lines_of_play(game)


@pytest.mark.parametrize("game", GAMES)
def test_small_packs(game: str) -> None:
    counts = check_by_brute_force(small_deals(game, resolve(game).variants, shrink, range(120)), limit=200)
    assert min(counts["win"], counts["loss"]) >= 8, counts
    assert counts["undecided by the solver"] <= 3, counts


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_many_small_packs(game: str) -> None:
    counts = check_by_brute_force(small_deals(game, resolve(game).variants, shrink, range(1_000, 3_000)), limit=400)
    assert min(counts["win"], counts["loss"]) >= 100, counts


READINGS = ("wood-base-too", "wood", "wood-no-wrap", "wood-no-return", "wood-autoplay")


def lost_by_stricter_readings(seeds: range) -> dict[str, int]:
    """How many small deals each reading loses that the one before it in the order of strictness wins."""
    counts = outcomes_of_readings("wood", READINGS, shrink, seeds)
    looser = {
        "wood": "wood-base-too",
        "wood-no-wrap": "wood",
        "wood-no-return": "wood",
        "wood-autoplay": "wood-no-return",
    }
    lost = dict.fromkeys(looser, 0)
    for found, deals in counts.items():
        verdicts = dict(zip(READINGS, found, strict=True))
        for reading, other in looser.items():
            assert (verdicts[reading], verdicts[other]) != ("win", "loss"), (reading, other)
            lost[reading] += deals * ((verdicts[reading], verdicts[other]) == ("loss", "win"))
    return lost


def test_stricter_readings_win_no_deal_more_and_some_less() -> None:
    lost = lost_by_stricter_readings(range(50))
    assert min(lost["wood"], lost["wood-autoplay"]) > 0, lost


@pytest.mark.slow
def test_every_stricter_reading_loses_some_deals() -> None:
    lost = lost_by_stricter_readings(range(600))
    assert min(lost.values()) > 0, lost
