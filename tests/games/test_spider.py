"""Spider with four, two and one suits: rules on small boards, deals, brute force, lines of play counted twice."""

from __future__ import annotations

import random
from typing import Any

import pytest

from solitaire_lab.cards import card_text, parse_card
from solitaire_lab.deals.dealing import deal
from solitaire_lab.engine.moves import ROW, STOCK, Move
from solitaire_lab.rules.catalog import resolve
from tests.games.boards import moves_on, on_board
from tests.games.checks import check_by_brute_force, check_lines_of_play, small_deals

VARIANTS = ("spider-relaxed",)
THREE_RANKS = {"pack.ranks": 3, "tableau.columns": 5, "tableau.layout": 3, "stock.row": 5}

BOARD = """
Foundation: 3S 2S AS
Stock: 3C 2C AC 3D
3H 2H
<2D> 2H AH
3D 2C AC
:
AD 3C 2D AD 3H AH 3S 2S AS
"""
MOVES = [
    "2H from tableau:0 to tableau:3",
    "3H 2H from tableau:0 to tableau:3",
    "AH from tableau:1 to tableau:0",
    "AH from tableau:1 to tableau:3",
    "2H AH from tableau:1 to tableau:3",
    "AC from tableau:2 to tableau:0",
    "AC from tableau:2 to tableau:3",
    "2C AC from tableau:2 to tableau:3",
    "AS from tableau:4 to tableau:0",
    "AS from tableau:4 to tableau:3",
    "2S AS from tableau:4 to tableau:3",
    "3S 2S AS from tableau:4 to tableau:3",
    *(f"3S 2S AS from tableau:4 to foundation:{index}" for index in range(1, 8)),
]
"""Runs in suit move onto any suit or into the space, and a suit leaves; no row while a column is empty. 3H 2H, alone in
its column, may move to the space, since rows are still to come."""


def shrink(chance: random.Random) -> dict[str, Any]:
    ranks, columns = chance.randint(2, 3), chance.randint(3, 5)
    dealt = 8 * ranks - columns * chance.randint(1, 2)
    layout = [dealt // columns + (column < dealt % columns) for column in range(columns)]
    return {
        "pack.ranks": ranks,
        "pack.suits": chance.choice([1, 2, 4, 4]),
        "tableau.columns": columns,
        "tableau.layout": layout,
        "stock.row": columns,
    }


def test_runs_in_suit_move_and_no_row_is_dealt_while_a_column_is_empty() -> None:
    assert moves_on("spider", BOARD, **THREE_RANKS) == MOVES
    relaxed = moves_on("spider-relaxed", BOARD, **THREE_RANKS)
    assert relaxed == [*MOVES, "3C 2C AC 3D from stock to tableau"]


def test_a_row_goes_to_the_columns_from_the_left() -> None:
    engine, position = on_board("spider", BOARD.replace(":\nAD 3C", "AD\n3C"), **THREE_RANKS)
    assert engine.legal_moves(position)[-1] == Move(STOCK, ROW, 4)
    after = engine.play(position, Move(STOCK, ROW, 4))
    assert [card_text(column[-1]) for column in after.tableau] == ["3C", "2C", "AC", "3D", "AS"]
    assert after.stock == ()


def test_in_one_suit_every_run_moves_and_leaves() -> None:
    board = """
Foundation: 3S 2S AS
Foundation: 3S 2S AS
3S 2S AS
3S 2S 2S
3S AS 3S 2S AS
3S 2S AS
3S 2S AS AS
"""
    one_suit = moves_on("spider-1-suit", board, **THREE_RANKS)
    assert [text for text in one_suit if text.endswith("foundation:2")] == [
        "3S 2S AS from tableau:0 to foundation:2",
        "3S 2S AS from tableau:2 to foundation:2",
        "3S 2S AS from tableau:3 to foundation:2",
    ]
    assert [text for text in one_suit if "foundation" not in text] == [
        "AS from tableau:0 to tableau:1",
        "AS from tableau:2 to tableau:1",
        "AS from tableau:3 to tableau:1",
        "AS from tableau:4 to tableau:1",
    ]


# --- deals --------------------------------------------------------------------------------------------------------


def pysolfc_pack(number: int, suits: str) -> list[str]:
    """Two decks as PySolFC shuffles and deals them from a number of 32,000 or more, written from its description."""
    pack = [rank + suit for _ in range(2) for suit in suits for rank in "A23456789TJQK"]
    draw = random.Random(number).random
    for place in range(103, 0, -1):
        other = int(draw() * (place + 1))
        pack[place], pack[other] = pack[other], pack[place]
    return pack[::-1]


@pytest.mark.parametrize(("name", "suits"), [("spider", "CSHD"), ("spider-2-suits", "CCHH"), ("spider-1-suit", "CCCC")])
@pytest.mark.parametrize("number", [32_000, 100_000, 2**63])
def test_pysolfc_deals_spider(name: str, suits: str, number: int) -> None:
    """Four rows, a fifth to four columns only, a row face up; with fewer suits PySolFC's clubs are spades here."""
    pack = pysolfc_pack(number, suits)
    if name != "spider":
        pack = [card.replace("C", "S") for card in pack]
    columns: list[list[str]] = [[] for _ in range(10)]
    for row in (*[range(10)] * 4, range(0, 10, 3), range(10)):
        for column in row:
            columns[column].append(pack.pop(0))
    dealt = deal(resolve(name), numbering="pysol", seed=number)
    assert dealt.tableau == tuple(tuple(map(parse_card, column)) for column in columns)
    assert dealt.stock == tuple(map(parse_card, pack))
    assert dealt.down == (5, 4, 4, 5, 4, 4, 5, 4, 4, 5)


# --- counts and small packs ---------------------------------------------------------------------------------------


def test_lines_of_play() -> None:
    check_lines_of_play("spider")


def test_small_packs() -> None:
    counts = check_by_brute_force(small_deals("spider", VARIANTS, shrink, range(120)), limit=120)
    assert min(counts["win"], counts["loss"]) >= 10, counts
    assert counts["undecided by the solver"] == 0


@pytest.mark.slow
def test_many_small_packs() -> None:
    counts = check_by_brute_force(small_deals("spider", VARIANTS, shrink, range(1_000, 3_000)), limit=150)
    assert min(counts["win"], counts["loss"]) >= 100, counts
