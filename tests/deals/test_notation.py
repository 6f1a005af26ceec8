"""Positions in JSON: written as documented, read back, and refused with pile and card."""

from __future__ import annotations

import contextlib
import copy
import json
from collections.abc import Callable
from typing import Any, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solitaire_lab.deals.dealing import deal
from solitaire_lab.deals.layout import read_layout
from solitaire_lab.deals.notation import has_layout, layout_record, parse_position, position_record
from solitaire_lab.errors import InputError
from solitaire_lab.rules.catalog import resolve
from solitaire_lab.rules.model import Rules
from tests.play import Played, played_strategy

Record: TypeAlias = dict[str, Any]

DOCUMENTED = """
{"game": "storehouse", "set": {}, "numbering": "pysol", "seed": 1, "base": "2",
 "foundations": [["2C"], ["2D"], ["2H"], ["2S"]],
 "tableau": [["9D"], ["KS"], ["3H"], ["KH"]],
 "reserve": [["<JD>", "<9H>", "<JC>", "<5D>", "<7H>", "<7C>", "<5H>", "<KD>", "<KC>", "<9S>", "<5S>", "<AD>", "QC"]],
 "cells": [], "waste": [], "redeals_used": 0,
 "stock": ["QD", "JS", "AS", "AH", "3C", "4C", "5C", "TS", "QH", "4H", "AC", "4D", "7S", "3S", "TD", "4S", "TH", "8H",
           "JH", "7D", "6D", "8S", "8D", "QS", "6C", "3D", "8C", "TC", "6S", "9C", "6H"]}
"""
"""Storehouse, PySolFC number 1, as the documentation shows it."""


@pytest.fixture
def record() -> Record:
    return json.loads(DOCUMENTED)  # type: ignore[no-any-return]


def test_the_documented_position_is_written(record: Record) -> None:
    game = resolve("storehouse")
    written = position_record(deal(game, numbering="pysol", seed=1), game=game, numbering="pysol", seed=1)
    assert written == record
    assert list(written) == list(record)


def test_the_documented_position_is_read(record: Record) -> None:
    game, position = parse_position(record)
    assert game == resolve("storehouse")
    assert position == deal(game, numbering="pysol", seed=1)


@given(played_strategy())
def test_every_position_is_written_and_read_again(played: Played) -> None:
    for position in played.positions:
        text = json.dumps(layout_record(position, played.game.rules))
        assert read_layout(json.loads(text), played.game.rules) == position


def test_overrides_go_with_the_position() -> None:
    game = resolve("storehouse", overrides={"stock.redeals": 5})
    record = position_record(deal(game, numbering="lab", seed=3), game=game)
    assert record["set"] == {"stock.redeals": 5}
    assert "seed" not in record
    record["redeals_used"] = 4
    again, position = parse_position(record)
    assert again == game
    assert position.redeals_used == 4


def test_a_variant_is_its_game_with_overrides(record: Record) -> None:
    game, _ = parse_position(record | {"game": "Storehouse-EN"})
    assert game == resolve("storehouse-en")
    assert parse_position(record | {"game": "storehouse", "set": game.overrides})[0] == game


# --- what may be given in more than one way ----------------------------------------------------------------------


def test_without_a_layout_the_seed_names_the_deal() -> None:
    record = {"game": "storehouse", "numbering": "pysol", "seed": 1}
    assert not has_layout(record)
    assert parse_position(record)[1] == parse_position(json.loads(DOCUMENTED))[1]


def test_a_layout_overrules_a_seed(record: Record) -> None:
    assert has_layout(record)
    assert parse_position(record | {"seed": 2}) == parse_position(record)


def test_what_the_game_does_not_have_may_be_left_out(record: Record) -> None:
    lean = {key: value for key, value in record.items() if key not in ("set", "numbering", "seed", "base", "cells")}
    assert parse_position(lean) == parse_position(record)


def test_ten_and_lower_case_are_read(record: Record) -> None:
    text = DOCUMENTED.replace('"TS"', '"10s"').replace('"<JD>"', '"<jd>"')
    assert parse_position(json.loads(text)) == parse_position(record)


def test_a_reserve_may_be_given_face_up(record: Record) -> None:
    """Which cards of a reserve are face down follows from the rules; the brackets are for the reader."""
    text = DOCUMENTED
    for card in record["reserve"][0]:
        text = text.replace(card, face_up(card))
    assert parse_position(json.loads(text)) == parse_position(record)


CANFIELD = Rules.model_validate(
    {
        "foundations": {"base": "dealt", "placed": "one", "wrap": True, "return": "base-too"},
        "pack": {"ranks": 2},
        "tableau": {"columns": 3, "layout": 1, "build": "any"},
        "stock": {"turn": 1, "redeals": "unlimited"},
    }
)
DEALT_BASE: Record = {
    "foundations": [[], ["2D", "AD"], [], []],
    "tableau": [["AC"], ["2H"], []],
    "waste": ["AH", "2C"],
    "stock": ["2S", "AS"],
}


def test_a_dealt_base_is_seen_on_the_foundations() -> None:
    assert read_layout(DEALT_BASE, CANFIELD).base == 2
    assert read_layout(DEALT_BASE | {"base": "2"}, CANFIELD).base == 2
    assert layout_record(read_layout(DEALT_BASE, CANFIELD), CANFIELD)["base"] == "2"


def test_a_dealt_base_that_nothing_shows_must_be_given() -> None:
    returned = DEALT_BASE | {"foundations": [[], [], [], []], "tableau": [["AC"], ["2H", "AD"], ["2D"]]}
    with pytest.raises(InputError, match="base is missing; it was dealt"):
        read_layout(returned, CANFIELD)
    assert read_layout(returned | {"base": "2"}, CANFIELD).base == 2


def test_unlimited_redeals_are_not_counted() -> None:
    assert read_layout(DEALT_BASE | {"redeals_used": 7}, CANFIELD).redeals_used == 0


# --- what is refused ---------------------------------------------------------------------------------------------


def put(path: str, value: Any) -> Callable[[Record], None]:
    """A change of a record: ``tableau.0.0`` is the lowest card of the first column."""

    def change(record: Record) -> None:
        *parents, last = [int(step) if step.isdigit() else step for step in path.split(".")]
        place: Any = record
        for step in parents:
            place = place[step]
        place[last] = value

    return change


def drop(key: str) -> Callable[[Record], None]:
    return lambda record: record.pop(key)


REFUSED: list[tuple[str, Callable[[Record], None], str]] = [
    (
        "a card doubled",
        put("tableau.0.0", "QC"),
        "QC lies in tableau:0 and again in reserve:0, but the pack has it once.",
    ),
    ("a card missing", put("tableau.0", []), "9D is missing; every card of the pack must lie somewhere."),
    ("cards missing", put("reserve.0", []), "7C, JC, QC, KC, AD, 5D, JD, KD and 5 more are missing; every card"),
    ("no card", put("stock.3", "1H"), "stock: '1H' is no card; a card is a rank"),
    ("no text", put("stock.3", 7), "stock: 7 is no card; cards are texts"),
    ("too few columns", put("tableau", [["9D", "KS", "3H", "KH"]]), "tableau has 1 column, but the game has 4."),
    ("too many reserves", put("reserve", [["9D"], []]), "reserve has 2 piles, but the game has 1."),
    ("cells in a game without", put("cells", ["9D"]), "cells has 1 cell, but the game has 0."),
    ("a pile that is none", put("tableau.1", "KS"), "tableau:1: it must be a list of cards, not 'KS'."),
    ("piles that are none", put("tableau", "KS"), "tableau must be a list of columns, not 'KS'."),
    ("a stock that is none", put("stock", None), "stock: it must be a list of cards, not None."),
    (
        "a wrong suit",
        put("foundations", [["2D"], ["2C"], ["2H"], ["2S"]]),
        "foundation:0: 2D can't lie here; the pile is for clubs.",
    ),
    ("a face-down top", put("tableau.0.0", "<9D>"), "tableau:0: its top, <9D>, must be face up."),
    ("a face-down top of the reserve", put("reserve.0.12", "<QC>"), "reserve:0: its top, <QC>, must be face up."),
    ("a face-down card of the stock", put("stock.0", "<QD>"), "stock: <QD> can't lie face down here; write QD."),
    ("redeals beyond the rules", put("redeals_used", 3), "redeals_used is 3, but the game has only 2."),
    ("negative redeals", put("redeals_used", -1), "redeals_used must be a whole number from 0, not -1."),
    ("redeals that are no number", put("redeals_used", True), "redeals_used must be a whole number from 0, not True."),
    ("another base", put("base", "3"), "base is 3, but in this game it is 2."),
    ("a base that is none", put("base", "X"), "'X' is no rank; ranks are"),
    ("a base as a number", put("base", 2), "base must be a rank as text, such as 7 or K in quotes, not 2."),
    ("a misspelt key", put("reserves", []), "'reserves' is no key of a position; did you mean reserve."),
    ("an unknown key", put("player", "me"), "'player' is no key of a position; keys are game, set,"),
    ("no tableau", drop("tableau"), "tableau is missing; only what the game does not have may be left out."),
    ("no stock", drop("stock"), "stock is missing"),
    ("no waste", drop("waste"), "waste is missing"),
    ("no reserve", drop("reserve"), "reserve is missing"),
    ("no foundations", drop("foundations"), "foundations is missing"),
    ("no redeals", drop("redeals_used"), "redeals_used is missing"),
    ("no game", drop("game"), "game is missing; a position names its game"),
    ("an unknown game", put("game", "storhouse"), "no game 'storhouse'"),
    ("an unknown rule", put("set", {"stock.redeal": 1}), "stock.redeal is no rule of a game"),
    ("a seed that is none", put("seed", "1"), "seed must be a whole number, not '1'."),
    ("a numbering that is none", put("numbering", 1), "numbering must be a text, such as lab, not 1."),
]


@pytest.mark.parametrize(("change", "message"), [pytest.param(*case[1:], id=case[0]) for case in REFUSED])
def test_wrong_positions_are_refused(record: Record, change: Callable[[Record], None], message: str) -> None:
    change(record)
    with pytest.raises(InputError) as error:
        parse_position(record)
    assert message in str(error.value)
    assert str(error.value)[-1] in ".?"


def face_up(card: str) -> str:
    return card.strip("<>")


def moved(record: Record, cards: str, pile: str) -> Record:
    """The record with cards taken from where they lie and put on a pile."""
    taken = cards.split()
    for key in ("foundations", "tableau", "reserve"):
        record[key] = [[card for card in map(face_up, pile) if card not in taken] for pile in record[key]]
    for key in ("stock", "waste"):
        record[key] = [card for card in record[key] if card not in taken]
    name, _, index = pile.partition(":")
    (record[name][int(index)] if index else record[name]).extend(taken)
    return record


@pytest.mark.parametrize(
    ("cards", "pile", "message"),
    [
        ("2C", "tableau:0", "foundation:0: its base card, of rank 2, is placed before play and stays."),
        ("4C", "foundations:0", "foundation:0: 4C can't lie on 2C."),
        ("3D", "foundations:0", "foundation:0: 3D can't lie here; the pile is for clubs."),
    ],
)
def test_impossible_piles_are_refused(record: Record, cards: str, pile: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        parse_position(moved(record, cards, pile))
    assert str(error.value) == message


def test_a_foundation_may_be_complete_from_base_to_base(record: Record) -> None:
    """Two to king, then the ace."""
    complete = moved(record, "3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC", "foundations:0")
    assert len(parse_position(complete)[1].foundations[0]) == 13


HIDDEN = Rules.model_validate(
    {
        "pack": {"ranks": 3},
        "foundations": {"build": "run", "return": "off"},
        "tableau": {"columns": 4, "layout": 3, "down": [2, 1, 0, 0], "moves": "group"},
    }
)
COLUMNS = [["<AC>", "<2C>", "3C"], ["<AD>", "2D", "3D"], ["AH", "2H", "3H"], ["AS", "2S", "3S"]]
EMPTY: list[Record] = [{"foundations": [[], [], [], []]}]


@pytest.mark.parametrize(
    ("layout", "message"),
    [
        (
            {"tableau": [["AC", "<2C>", "3C"], *COLUMNS[1:]]},
            "tableau:0: <2C> can't lie face down on AC, which is face up.",
        ),
        (
            {"tableau": [["3C"], *COLUMNS[1:]], "foundations": [["2C", "AC"], [], [], []]},
            "foundation:0: 2C does not continue a run from 3 down.",
        ),
        (
            {"tableau": [["AC"], *COLUMNS[1:]], "foundations": [["3C", "2C"], [], [], []]},
            "foundation:0: it has 2 cards, but only a whole run of 3 goes up.",
        ),
        ({"tableau": [["3C", "2C", "4C"], *COLUMNS[1:]]}, "tableau:0: 4C is not in the pack of this game."),
        ({"tableau": [["<AC>", "<2C>"], *COLUMNS[1:]], "waste": ["3C"]}, "tableau:0: its top, <2C>, must be face up."),
        (
            {"tableau": [["<AC>", "2C"], *COLUMNS[1:]], "waste": ["3C"]},
            "waste: 3C can't lie here; the game has no waste.",
        ),
        (
            {"tableau": [["<AC>", "2C"], *COLUMNS[1:]], "stock": ["3C"]},
            "stock: 3C can't lie here; the game has no stock.",
        ),
    ],
)
def test_impossible_columns_and_runs_are_refused(layout: Record, message: str) -> None:
    with pytest.raises(InputError) as error:
        read_layout({"foundations": [[], [], [], []]} | layout, HIDDEN)
    assert str(error.value) == message


def test_face_down_cards_are_read() -> None:
    position = read_layout({"foundations": [[], [], [], []], "tableau": COLUMNS}, HIDDEN)
    assert position.down == (2, 1, 0, 0)


def test_alternating_foundations_are_for_any_suit() -> None:
    rules = Rules.model_validate(
        {
            "pack": {"ranks": 2},
            "foundations": {"build": "alternating"},
            "tableau": {"columns": 2, "layout": 1},
            "stock": {"turn": 1},
        }
    )
    layout = {"tableau": [["AC"], ["2C"]], "waste": [], "stock": ["AH", "2H", "AD", "2S"]}
    position = read_layout(layout | {"foundations": [[], ["AS", "2D"], [], []]}, rules)
    assert position.foundations[1] == (39, 14)
    with pytest.raises(InputError, match="foundation:1: 2S has the colour of AS below it"):
        read_layout({**layout, "stock": ["AH", "2H", "AD", "2D"], "foundations": [[], ["AS", "2S"], [], []]}, rules)


def test_two_packs_have_every_card_twice() -> None:
    rules = Rules.model_validate({"pack": {"decks": 2, "ranks": 1}, "stock": {"turn": 1}})
    layout: Record = {"foundations": [[] for _ in range(8)], "tableau": [["AC"]], "waste": []}
    read_layout(layout | {"stock": ["AC", "AD", "AD", "AH", "AH", "AS", "AS"]}, rules)
    with pytest.raises(
        InputError, match=r"AC lies in tableau:0, stock and again in stock, but the pack has it twice\."
    ):
        read_layout(layout | {"stock": ["AC", "AC", "AD", "AH", "AH", "AS", "AS"]}, rules)
    with pytest.raises(InputError, match=r"^AD, AD are missing"):
        read_layout(layout | {"stock": ["AC", "AH", "AH", "AS", "AS"]}, rules)


@pytest.mark.parametrize("value", [None, [], "storehouse", 3])
def test_what_is_no_object_is_refused(value: Any) -> None:
    with pytest.raises(InputError, match="A position is a JSON object"):
        parse_position(value)


def test_a_position_without_layout_or_seed_is_refused() -> None:
    for record in (
        {"game": "storehouse"},
        {"game": "storehouse", "seed": 1},
        {"game": "storehouse", "numbering": "lab"},
    ):
        with pytest.raises(InputError, match=r"no layout .* and no numbering and seed to deal by"):
            parse_position(record)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(["AS", "<9H>", "QC", "x", ""]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=8,
)


@given(key=st.sampled_from([*json.loads(DOCUMENTED)]), value=JSON)
def test_no_value_of_any_key_is_a_bug(key: str, value: Any) -> None:
    """Whatever stands there, it is a position or refused: any other exception fails."""
    record = copy.deepcopy(json.loads(DOCUMENTED))
    record[key] = value
    with contextlib.suppress(InputError):
        parse_position(record)
