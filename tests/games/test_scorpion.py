"""Scorpion and Applegate: rules on small boards, deals, brute force, lines of play counted twice."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from solitaire_lab.deals.dealing import deal, deal_many
from solitaire_lab.deals.numberings import packs
from solitaire_lab.engine.engine import Engine, move_text
from solitaire_lab.engine.moves import ROW, STOCK, Move
from solitaire_lab.rules.catalog import resolve
from tests.games.boards import moves_on, on_board
from tests.games.checks import check_by_brute_force, check_lines_of_play, small_deals

GAMES = ("scorpion", "applegate")


def spread(random: Random, ranks: int, aside: int) -> dict[str, Any]:
    """All but a few cards on three or four columns, cards hidden here and there."""
    columns, dealt = random.randint(3, 4), 4 * ranks - aside
    layout = [dealt // columns + (column < dealt % columns) for column in range(columns)]
    down = [random.randint(0, max(0, height - 1)) if random.random() < 0.4 else 0 for height in layout]
    return {"pack.ranks": ranks, "tableau.columns": columns, "tableau.layout": layout, "tableau.down": down}


def with_tail(random: Random) -> dict[str, Any]:
    tail = random.randint(0, 3)
    return {
        **spread(random, random.randint(3, 5), tail),
        "stock.row": tail,
        "stock.blocked_by_space": tail > 0 and random.random() < 0.3,
    }


def with_cards_aside(random: Random) -> dict[str, Any]:
    aside = random.randint(0, 3)
    return {
        **spread(random, random.randint(3, 5), aside),
        "reserve.piles": aside,
        "reserve.size": min(aside, 1),
    }


SHRINK = {"scorpion": with_tail, "applegate": with_cards_aside}

# --- Scorpion -----------------------------------------------------------------------------------------------------

WITH_TAIL = {
    "pack.ranks": 3,
    "tableau.columns": 4,
    "tableau.layout": [3, 2, 2, 2],
    "tableau.down": [1, 0, 0, 0],
}
BEFORE = """
Stock: 3S 2C AD
<2H> AC 3H
2D 3C
AH
2S AS 3D
"""


def test_groups_move_in_suit_and_the_tail_goes_to_the_first_three_columns() -> None:
    engine, position = on_board("scorpion", BEFORE, **WITH_TAIL)
    assert moves_on("scorpion", BEFORE, **WITH_TAIL) == [
        "2D 3C from tableau:1 to tableau:3",
        "3S 2C AD from stock to tableau",
    ]
    after = engine.play(position, Move(STOCK, ROW, 3))
    assert [move_text(engine, after, move) for move in engine.legal_moves(after)] == [
        "AC 3H 3S from tableau:0 to tableau:1",
        "2D 3C 2C from tableau:1 to tableau:3",
        "2S AS 3D from tableau:3 to tableau:0",
    ]


def test_a_king_alone_moves_to_a_space_only_while_the_tail_makes_columns_differ() -> None:
    """Without a tail it makes no difference in which column a pile stands, so such a move changes nothing."""
    board = """
Stock: 2S AS 2H
3H
:
AH 3S AD 3D 2D
3C 2C AC
"""
    assert moves_on("scorpion", board, **WITH_TAIL) == [
        "3H from tableau:0 to tableau:1",
        "3D 2D from tableau:2 to tableau:1",
        "3S AD 3D 2D from tableau:2 to tableau:1",
        "3C 2C AC from tableau:3 to tableau:1",
        *(f"3C 2C AC from tableau:3 to foundation:{index}" for index in range(4)),
        "2S AS 2H from stock to tableau",
    ]
    blocked = moves_on("scorpion", board, **WITH_TAIL, **{"stock.blocked_by_space": True})
    assert "2S AS 2H from stock to tableau" not in blocked
    dealt = board.replace("Stock: 2S AS 2H\n", "").replace("AH 3S", "2S AS 2H AH 3S")
    assert moves_on("scorpion", dealt, **WITH_TAIL) == [
        "2H AH 3S AD 3D 2D from tableau:2 to tableau:0",
        "3D 2D from tableau:2 to tableau:1",
        "3S AD 3D 2D from tableau:2 to tableau:1",
        *(f"3C 2C AC from tableau:3 to foundation:{index}" for index in range(4)),
    ]


@pytest.mark.parametrize("seed", range(5))
def test_without_its_tail_a_deal_is_the_one_whose_tail_is_dealt_at_once(seed: int) -> None:
    scorpion = resolve("scorpion")
    with_its_tail = deal(scorpion, numbering="lab", seed=seed)
    assert with_its_tail.down == (3, 3, 3, 3, 0, 0, 0)
    at_once = Engine(scorpion.rules).play(with_its_tail, Move(STOCK, ROW, 3))
    assert deal(resolve("scorpion-no-tail"), numbering="lab", seed=seed).tableau == at_once.tableau


@pytest.mark.parametrize("number", [1, 31_999, 32_000, 2**40])
def test_pysolfc_deals_scorpion_in_rows(number: int) -> None:
    pack = packs("pysol", [number], decks=1)[0].tolist()
    dealt = deal(resolve("scorpion"), numbering="pysol", seed=number)
    assert dealt.tableau == tuple(tuple(pack[column:49:7]) for column in range(7))
    assert dealt.stock == tuple(pack[49:])


# --- Applegate ----------------------------------------------------------------------------------------------------

ASIDE = {"pack.ranks": 3, "tableau.columns": 5, "tableau.layout": [2, 2, 2, 2, 1], "tableau.down": 0}
LAID_ASIDE = """
Reserve: 3S 2D AC
3C 2C
3D
2S AS
AH 2H 3H
AD
"""


def test_kings_go_on_aces_and_cards_that_lie_aside_on_columns() -> None:
    assert moves_on("applegate", LAID_ASIDE, **ASIDE) == [
        "3D from tableau:1 to tableau:4",
        "3S from reserve:0 to tableau:2",
        "2D from reserve:1 to tableau:1",
        "AC from reserve:2 to tableau:0",
    ]
    assert moves_on("applegate", LAID_ASIDE, **ASIDE, **{"tableau.wrap": "off"}) == [
        "2D from reserve:1 to tableau:1",
        "AC from reserve:2 to tableau:0",
    ]


def test_the_game_is_won_when_all_columns_are_suits_and_nothing_lies_aside() -> None:
    board = """
Reserve: - - AC
3C 2C
3D 2D AD
3H 2H AH
3S 2S AS
:
"""
    engine, position = on_board("applegate", board, **ASIDE)
    assert not engine.won(position)
    last = next(move for move in engine.legal_moves(position) if move.source >= 96)
    assert engine.won(engine.play(position, last))


@pytest.mark.parametrize("columns", ["3C 2C AC 3D 2D AD\n:", "3C 2C\nAC 3D 2D AD", "AC\n3C 2C 3D 2D AD"])
def test_the_game_is_not_won_while_columns_are_mixed(columns: str) -> None:
    board = f"Reserve: - - -\n{columns}\n3H 2H AH\n3S 2S AS\n:"
    engine, position = on_board("applegate", board, **ASIDE)
    assert not engine.won(position)


def test_the_lowest_two_cards_of_all_columns_but_the_first_are_hidden() -> None:
    for dealt in deal_many(resolve("applegate"), numbering="lab", seeds=range(3)):
        assert dealt.down == (0, 2, 2, 2, 2, 2, 2)
        assert [len(pile) for pile in dealt.reserve] == [1, 1, 1]


@pytest.mark.parametrize("number", [1, 31_999, 32_000, 2**40])
def test_pysolfc_deals_applegate_in_rows_then_the_cards_aside(number: int) -> None:
    pack = packs("pysol", [number], decks=1)[0].tolist()
    dealt = deal(resolve("applegate"), numbering="pysol", seed=number)
    assert dealt.tableau == tuple(tuple(pack[column:49:7]) for column in range(7))
    assert dealt.reserve == tuple((card,) for card in pack[49:])


# --- counts and small packs ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_lines_of_play(game: str) -> None:
    check_lines_of_play(game)


@pytest.mark.parametrize("game", GAMES)
def test_small_packs(game: str) -> None:
    counts = check_by_brute_force(small_deals(game, (), SHRINK[game], range(100)), limit=200)
    assert min(counts["win"], counts["loss"]) >= 20, counts
    assert counts["undecided by the solver"] == 0


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_many_small_packs(game: str) -> None:
    counts = check_by_brute_force(small_deals(game, (), SHRINK[game], range(1_000, 3_000)), limit=500)
    assert min(counts["win"], counts["loss"]) >= 300, counts
