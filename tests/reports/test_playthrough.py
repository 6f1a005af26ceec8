"""Lines of play in words and as a page: what happened by the player's hand and by itself, and every board whole."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from typing import Any

import pytest

from solitaire_lab.cards import card_text, parse_card
from solitaire_lab.deals.board import board_text, parse_board
from solitaire_lab.deals.dealing import deal
from solitaire_lab.engine.engine import Engine
from solitaire_lab.engine.moves import REDEAL, ROW, STOCK, WASTE, Move, decode_moves
from solitaire_lab.reports.playthrough import Step, card_words, line_steps, step_texts
from solitaire_lab.reports.playthrough_page import page_record, playthrough_page
from solitaire_lab.rules.catalog import Game, resolve
from solitaire_lab.rules.model import Rules
from solitaire_lab.solver.solver import Solver
from tests.play import game_of

SMALL: dict[str, Any] = {
    "pack": {"ranks": 3},
    "tableau": {"columns": 3, "build": "alternating", "moves": "run"},
    "stock": {"turn": 1, "redeals": 1},
}
"""Twelve cards, three columns built down in alternating colour."""


def told(text: str, *moves: Move, **rules: dict[str, Any]) -> list[str]:
    """What is said of moves that are made from a board."""
    groups = {name: {**SMALL.get(name, {}), **rules.get(name, {})} for name in {*SMALL, *rules}}
    game = game_of(Rules.model_validate(groups))
    engine, position = Engine(game.rules), parse_board(text, game=game)
    engine.require_settled(position)
    return [step.words for step in line_steps(engine, position, moves)[1:]]


def line_of(name: str) -> tuple[Game, Engine, list[Step]]:
    """The first deal of a game that is won by a short search, and how."""
    game = resolve(name)
    solver = Solver(game.rules)
    for seed in range(1, 100):
        position = solver.engine.settle(deal(game, numbering="lab", seed=seed))
        verdict = solver.solve(position, budget=2_000)
        if verdict is not None and verdict.moves is not None:
            return game, solver.engine, line_steps(solver.engine, position, decode_moves(verdict.moves))
    raise AssertionError("no deal is won")


# --- words ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("card", "words"),
    [("AC", "ace of clubs"), ("TD", "10 of diamonds"), ("JH", "jack of hearts"), ("QS", "queen of spades")],
)
def test_a_card_is_read_out(card: str, words: str) -> None:
    assert card_words(parse_card(card)) == words


def test_cards_go_from_pile_to_pile() -> None:
    text = "Stock: AC AD 2D 3D 3C\n3H 2S AH\n2C\n3S 2H AS"
    assert told(text, Move(0, 1, 1), Move(2, 67, 1)) == [
        "Move the ace of hearts from column 1 to column 2.",
        "Move the ace of spades from column 3 to its foundation.",
    ]


@pytest.mark.parametrize(
    ("size", "words"),
    [
        (2, "the 2 of hearts and the ace of spades"),
        (3, "the 3 of spades, the 2 of hearts and the ace of spades"),
        (4, "4 cards (the 2 of diamonds to the ace of spades)"),
    ],
)
def test_a_few_cards_are_told_one_by_one(size: int, words: str) -> None:
    text = "Stock: AC AD 3D 3C\n3H AH 2D 3S 2H AS\n:\n2C 2S"
    assert told(text, Move(0, 1, size), tableau={"moves": "group"}) == [f"Move {words} from column 1 to column 2."]


def test_the_stock_is_turned_and_turned_over() -> None:
    text = "Stock: AC AD\nWaste:\n3H 2S AH\n2C 3D\n3S 2H AS 2D 3C"
    turn = Move(STOCK, WASTE, 1)
    assert told(text, turn, turn, REDEAL) == [
        "Turn the ace of clubs.",
        "Turn the ace of diamonds.",
        "Turn the waste over: it is the stock again.",
    ]
    assert told(text, Move(STOCK, WASTE, 2), stock={"turn": 3}) == ["Turn the ace of clubs and the ace of diamonds."]


def test_a_row_is_dealt() -> None:
    text = "Stock: AC AD 2S 2C\n3H AH\n3D\n3S 2H AS 2D 3C"
    rules = {"stock": {"turn": 0, "row": 3, "redeals": 0}}
    assert told(text, Move(STOCK, ROW, 3), Move(STOCK, ROW, 1), **rules) == [
        "Deal a row: the ace of clubs, the ace of diamonds and the 2 of spades.",
        "Deal a row: the 2 of clubs.",
    ]


def test_a_card_is_turned_up() -> None:
    text = "Stock: AC AD 2S 2C\n<3H> AH\n3D\n3S 2H AS 2D 3C"
    assert told(text, Move(0, 66, 1), tableau={"down": [1, 0, 0], "layout": 2}) == [
        "Move the ace of hearts from column 1 to its foundation. Turned up: the 3 of hearts."
    ]


def test_a_space_is_filled_by_itself() -> None:
    text = "Reserve: <AC> AD\nStock: 2S 2C\n2H\n3C\n3S 3H AS 2D 3D AH"
    rules = {"reserve": {"piles": 1, "size": 2, "face": "top"}, "spaces": {"while_reserve": "auto"}}
    assert told(text, Move(0, 1, 1), **rules) == [
        "Move the 2 of hearts from column 1 to column 2. The ace of diamonds from the reserve fills column 1."
    ]


def test_the_stock_is_turned_by_itself() -> None:
    text = "Stock: AD 2S\nWaste: AC\n3H 2C\n3D\n3S 2H AS 2D 3C AH"
    assert told(text, Move(WASTE, 64, 1), stock={"auto_turn": True}) == [
        "Move the ace of clubs from the waste to its foundation. Turned to the waste by itself: the ace of diamonds."
    ]


def test_cards_go_up_by_themselves() -> None:
    text = "Foundations: C-A S-A\nStock: AD 2S AH\n3H 2C 2D\n3S\n3D 2H 3C"
    rules = {"foundations": {"autoplay": "forced"}, "stock": {"turn": 1, "redeals": 0}}
    assert told(text, Move(0, 1, 1), **rules) == [
        "Move the 2 of diamonds from column 1 to column 2. "
        "The 2 of clubs goes up by itself from column 1. The 3 of clubs goes up by itself from column 3."
    ]


def test_the_place_of_the_stock_becomes_a_column() -> None:
    text = "Stock: AD\nWaste:\n3H 2C\n3D AH AC\n3S 2H AS 2D 3C 2S"
    assert told(text, Move(STOCK, WASTE, 1), stock={"becomes_column": True, "redeals": 0}) == [
        "Turn the ace of diamonds. The place of the stock is column 4 now."
    ]


def test_piles_are_named_by_number_where_there_are_several_alike() -> None:
    text = "Foundation:\n" * 4 + "Reserve: AD 3H\nFC: - 2S\nStock: 2C\n3D\nAC\n3S 2H AS 2D 3C AH"
    rules = {
        "foundations": {"build": "alternating"},
        "reserve": {"piles": 2, "size": 1},
        "cells": {"count": 2, "filled": 0},
    }
    assert told(text, Move(96, 66, 1), Move(129, 0, 1), Move(2, 128, 1), **rules) == [
        "Move the ace of diamonds from reserve 1 to foundation 3.",
        "Move the 2 of spades from cell 2 to column 1.",
        "Move the ace of hearts from column 3 to cell 1.",
    ]


# --- boards -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def storehouse() -> tuple[Game, Engine, list[Step]]:
    return line_of("storehouse")


def test_steps_are_the_positions_of_the_line(storehouse: tuple[Game, Engine, list[Step]]) -> None:
    _, engine, steps = storehouse
    moves = [step.move for step in steps if step.move is not None]
    assert [step.number for step in steps] == list(range(len(moves) + 1))
    for step in steps:
        assert step.position == engine.replay(steps[0].position, moves[: step.number])
    assert engine.won(steps[-1].position)


def test_texts_show_each_board_below_the_move_that_led_to_it(storehouse: tuple[Game, Engine, list[Step]]) -> None:
    game, _, steps = storehouse
    texts = list(step_texts(steps, game=game))
    assert texts[0] == f"The deal\n{board_text(steps[0].position, game=game)}"
    heading, _, board = texts[4].partition("\n")
    assert heading == f"Move 4 of {len(steps) - 1}: {steps[4].words}"
    assert parse_board(board, game=game) == steps[4].position


def test_an_illegal_line_is_refused(storehouse: tuple[Game, Engine, list[Step]]) -> None:
    _, engine, steps = storehouse
    with pytest.raises(ValueError, match="is not legal"):
        line_steps(engine, steps[0].position, [REDEAL])


# --- the page ---------------------------------------------------------------------------------------------------


class Page(HTMLParser):
    """What a page holds: its data, the text of its elements by name, and what it refers to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.texts: list[tuple[str, str]] = []
        self.data = ""
        self.references: list[str] = []
        self.labels: list[str] = []
        self._in_data = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        attributes = dict(attrs)
        self._in_data = attributes.get("id") == "line"
        self.references += [str(attributes[key]) for key in ("src", "href", "data") if key in attributes]
        self.labels += [str(attributes["aria-label"])] if "aria-label" in attributes else []

    def handle_data(self, data: str) -> None:
        if self._in_data:
            self.data += data
        elif self.open:
            self.texts.append((self.open[-1], data))

    def handle_endtag(self, tag: str) -> None:
        self._in_data = False

    def all(self, tag: str) -> list[str]:
        return [text.strip() for name, text in self.texts if name == tag and text.strip()]


@pytest.mark.parametrize("name", ["storehouse", "klondike", "bakers-game", "how-they-run", "canfield"])
def test_every_board_of_a_page_has_the_whole_pack(name: str) -> None:
    game, _, steps = line_of(name)
    record = page_record(game.rules, steps)
    shown = [pile["id"] for row in record["rows"] for pile in row]
    assert len(set(shown)) == len(shown)
    assert len(record["steps"]) == len(steps)
    for step in record["steps"]:
        assert sum(step["piles"][pile]["count"] for pile in shown if pile in step["piles"]) == 52
        assert set(step["piles"]) >= set(shown)
    foundations = [pile for pile in shown if pile.startswith("foundation")]
    assert sum(record["steps"][-1]["piles"][pile]["count"] for pile in foundations) == 52


def test_cards_that_lie_face_down_are_not_shown() -> None:
    game, _, steps = line_of("klondike")
    first = page_record(game.rules, steps)["steps"][0]["piles"]
    top = card_text(steps[0].position.tableau[6][-1])
    assert first["tableau:6"] == {"count": 7, "cards": [""] * 6 + [top]}
    assert first["stock"] == {"count": 24, "cards": [""]}
    assert first["waste"] == {"count": 0, "cards": []}
    game, _, steps = line_of("storehouse")
    reserve = steps[0].position.reserve[0]
    assert page_record(game.rules, steps)["steps"][0]["piles"]["reserve:0"] == {
        "count": 13,
        "cards": ["", card_text(reserve[-1])],
    }


def test_what_was_moved_is_marked_if_it_still_lies_there() -> None:
    game = game_of(Rules.model_validate(SMALL | {"foundations": {"autoplay": "forced"}}))
    engine = Engine(game.rules)
    position = parse_board("Foundations: S-A\nStock: AD 3D AH AC\n3H 2S 2D\n3S\n2H 2C 3C", game=game)
    position = engine.settle(position)
    # 2D goes to 3S and stays; turning AD sends it up at once, and 2D after it.
    steps = line_steps(engine, position, [Move(0, 1, 1), Move(STOCK, WASTE, 1)])
    stays, gone = page_record(game.rules, steps)["steps"][1:]
    assert (stays["to"], stays["moved"]) == ("tableau:1", 1)
    assert (gone["to"], gone["moved"]) == ("waste", 0)
    assert page_record(game.rules, steps)["steps"][0]["to"] is None


def test_the_page_holds_everything_and_loads_nothing(storehouse: tuple[Game, Engine, list[Step]]) -> None:
    game, _, steps = storehouse
    text = playthrough_page(game, steps, origin="seed 1, lab numbering", notes=["A note."])
    page = Page(text)
    assert page.references == []
    assert not re.search(r"https?:|@import|url\(", text)
    assert "$" not in text, "a place in the template was left open"
    assert json.loads(page.data) == page_record(game.rules, steps)
    assert page.all("title") == page.all("h1") == ["Storehouse: seed 1, lab numbering"]
    items = page.all("li")
    assert items[: len(steps) - 1] == [step.words for step in steps[1:]], "those who see no board can read the moves"
    assert items[len(steps) - 1] == "A note."
    assert {"First", "Back", "Forward", "Last", "Move"} <= set(page.labels)


def test_texts_that_look_like_html_stay_texts(storehouse: tuple[Game, Engine, list[Step]]) -> None:
    game, _, steps = storehouse
    nasty = "</script><script>alert(1)</script>&<b>"
    page = Page(playthrough_page(game, steps, origin=nasty, notes=[nasty]))
    assert page.all("h1") == [f"Storehouse: {nasty}"]
    assert page.open.count("script") == 2
    assert "b" not in page.open


def test_a_deal_that_is_won_already_has_a_page_of_one_board() -> None:
    game = game_of(Rules.model_validate(SMALL))
    position = parse_board("Foundations: C-3 D-3 H-3 S-3\n:\n:\n:", game=game)
    steps = line_steps(Engine(game.rules), position, [])
    page = Page(playthrough_page(game, steps, origin="won"))
    assert len(json.loads(page.data)["steps"]) == 1
    assert "A line of play of 0 moves, one board after another." in page.all("p")
