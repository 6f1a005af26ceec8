"""Board text: the text of other programs is read, ours is read back, and mistakes are told with their line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solitaire_lab.cards import card_text
from solitaire_lab.deals.board import board_text, parse_board
from solitaire_lab.deals.dealing import deal
from solitaire_lab.deals.numberings import packs
from solitaire_lab.errors import InputError
from solitaire_lab.rules.catalog import resolve
from solitaire_lab.rules.model import Rules
from tests.play import Played, game_of, played_strategy

STOREHOUSE = """\
Foundations: C-2 D-2 H-2 S-2
Reserve: <JD> <9H> <JC> <5D> <7H> <7C> <5H> <KD> <KC> <9S> <5S> <AD> QC
Stock: QD JS AS AH 3C 4C 5C TS QH 4H AC 4D 7S 3S TD 4S TH 8H JH 7D 6D 8S 8D QS 6C 3D 8C TC 6S 9C 6H
Waste:
9D
KS
3H
KH
"""

FREECELL = game_of(
    Rules.model_validate(
        {
            "tableau": {"columns": 8, "layout": "even", "build": "alternating"},
            "cells": {"count": 4, "from": "any"},
        }
    )
)

# Microsoft's deal 617 in the three ways in which it goes around.
PYSOL_CARDS_617 = """7D TD TH KD 4C 4S JD
AD 7S QC 5H QS TS KS
5C QD 3H 9S 9C 2H KC
3S AC 9D 3C 9H 5D 4H
5S 6D 6S 8S 7C JC
8C 8H 8D 7H 6H 6C
2D AS 3D 4D 2C JH
AH KH TC JS 2S QH
"""
FREECELL_SOLVER_617 = "Foundations: H-0 C-0 D-0 S-0\nFreecells:                \n" + "".join(
    f": {line}\n" for line in PYSOL_CARDS_617.replace("T", "10").splitlines()
)
PYSOLFC_617 = f"""# MS Freecell 617
Founds: -
FC: - - - -

{PYSOL_CARDS_617.lower()}
"""


def test_storehouse_as_board_text() -> None:
    game = resolve("storehouse")
    position = deal(game, numbering="pysol", seed=1)
    assert board_text(position, game=game) == STOREHOUSE
    assert parse_board(STOREHOUSE, game=game) == position


@given(played_strategy())
def test_every_position_is_written_and_read_again(played: Played) -> None:
    for position in played.positions:
        assert parse_board(board_text(position, game=played.game), game=played.game) == position


# --- the text of other programs ----------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [PYSOL_CARDS_617, FREECELL_SOLVER_617, PYSOLFC_617])
def test_freecell_boards_of_other_programs(text: str) -> None:
    pack = packs("microsoft", [617], decks=1)[0].tolist()
    position = parse_board(text, game=FREECELL)
    assert position.tableau == tuple(tuple(pack[column::8]) for column in range(8))
    assert position.foundations == ((),) * 4
    assert position.cells == (None,) * 4


def test_foundations_and_cells_of_freecell() -> None:
    """Tops stand for all cards below them, in any order of suits; cells keep their places."""
    text = """Foundations: H-0 C-A D-2 S-A
Freecells:  -  4S  -  QH
: 7D TD TH KD 4C
: 7S QC 5H QS TS KS
: 5C QD 3H 9S 9C 2H KC
: 3S 9D 3C 9H 5D 4H
: 5S 6D 6S 8S 7C JC
: 8C 8H 8D 7H 6H 6C JD
: 3D 4D 2C JH
: AH KH TC JS 2S
"""
    position = parse_board(text, game=FREECELL)
    assert [[card_text(card) for card in pile] for pile in position.foundations] == [["AC"], ["AD", "2D"], [], ["AS"]]
    assert [card and card_text(card) for card in position.cells] == [None, "4S", None, "QH"]
    assert parse_board(text.replace("H-0 C-A D-2 S-A", "D-2 S-A C-A"), game=FREECELL) == position


def test_talon_is_the_stock() -> None:
    game = resolve("storehouse")
    text = STOREHOUSE.replace("Stock:", "Talon:").replace("Foundations:", "founds :")
    assert parse_board(text, game=game) == parse_board(STOREHOUSE, game=game)


def test_an_empty_column_is_a_colon_or_an_empty_line() -> None:
    """PySolFC leaves the line empty. Others don't count: where colons are, or where all columns are there."""
    game = resolve("storehouse-en")
    board = STOREHOUSE.replace("\nKS\n", "\n\n").replace("Waste:", "Waste: KS")
    expected = parse_board(STOREHOUSE, game=game)._replace(tableau=((21,), (), (28,), (38,)), waste=(51,))
    for text in (board, board.replace("9D\n\n", "9D\n:\n\n"), f"\n{board}\n\n"):
        position = parse_board(text, game=game)
        assert position.tableau == expected.tableau
        assert position.waste == expected.waste


def test_redeals_and_comments() -> None:
    game = resolve("storehouse")
    text = f"# a comment\n{STOREHOUSE.replace('9D', '9D # the first column')}Redeals used: 2\n"
    assert parse_board(text, game=game) == parse_board(STOREHOUSE, game=game)._replace(redeals_used=2)
    assert "Redeals used: 2\n" in board_text(parse_board(text, game=game), game=game)


def test_a_dealt_base_has_a_line() -> None:
    """So that tops tell how many cards lie below them."""
    game = game_of(
        Rules.model_validate(
            {
                "pack": {"ranks": 3},
                "foundations": {"base": "dealt", "placed": "one", "wrap": True},
                "tableau": {"columns": 2, "layout": 1},
                "stock": {"turn": 1},
            }
        )
    )
    text = "Base: 2\nFoundations: C-0 D-A H-2 S-0\nStock: 3H 2C 3C AS 2S\nWaste: AC\n3S\nAH\n"
    position = parse_board(text, game=game)
    assert [[card_text(card) for card in pile] for pile in position.foundations] == [[], ["2D", "3D", "AD"], ["2H"], []]
    assert board_text(position, game=game) == text
    with pytest.raises(InputError, match="lacks a line such as Base: 7"):
        parse_board(text.replace("Base: 2\n", ""), game=game)


# --- mistakes ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("\nKS\n", "\nKX\n", "line 6 (tableau:1): 'KX' is no card; a card is a rank"),
        (
            "\nKS\n",
            "\nQC\n",
            "QC lies in line 6 (tableau:1) and again in line 2 (reserve:0), but the pack has it once.",
        ),
        ("\nKS\n", "\n<KS>\n", "line 6 (tableau:1): its top, <KS>, must be face up."),
        ("\nKS\n", "\n", "tableau has 3 columns, but the game has 4."),
        ("Stock: QD", "Stock:", "QD is missing; every card of the pack must lie somewhere."),
        ("Stock: QD", "Stock: <QD>", "line 3 (stock): <QD> can't lie face down here; write QD."),
        ("C-2 D-2", "C-4 D-2", "3C lies in line 1 (foundations) and again in line 3 (stock)"),
        ("C-2 D-2", "C2 D-2", "line 1 (foundations): 'C2' is no foundation; write suit and top card"),
        ("C-2 D-2", "C-X D-2", "line 1 (foundations): 'X' is no rank; ranks are"),
        ("C-2 D-2", "C-2 C-3", "line 1 (foundations): C-3 stands once too often."),
        ("Waste:", "Wast:", "Line 4: 'wast' is no part of a board; parts are foundations,"),
        ("Waste:", "Stock:", "Line 4: stock stands in line 3 already."),
        ("Waste:", "Redeals used: many", "line 4 (redeals_used): it must be a whole number, not 'many'."),
        ("Waste:", "Redeals used: 3", "redeals_used is 3, but the game has only 2."),
        ("Waste:", "Freecells: KS -", "cells has 2 cells, but the game has 0."),
        ("Waste:", "Foundation: 2C 3C", "Line 4: in this game all foundations have one line"),
        ("Waste:", "Base: 3", "base is 3, but in this game it is 2."),
    ],
)
def test_mistakes_are_told_with_their_line(old: str, new: str, message: str) -> None:
    assert old in STOREHOUSE
    with pytest.raises(InputError) as error:
        parse_board(STOREHOUSE.replace(old, new, 1), game=resolve("storehouse"))
    assert message in str(error.value)


@given(st.text(alphabet="AK29TCDHS<>:-# \nFoundatisRervetckFC", max_size=200))
def test_no_text_is_a_bug(text: str) -> None:
    for game in (resolve("storehouse"), FREECELL):
        with pytest.raises(InputError):
            parse_board(text, game=game)
