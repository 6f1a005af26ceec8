"""Legal moves in positions of fifteen games, as PySolFC's own game classes allow them.

Games that have no file here are written out as rules, so that the engine is tested for all.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from solitaire_lab.cards import parse_card, suit_of
from solitaire_lab.deals.layout import read_layout
from solitaire_lab.deals.position import Position
from solitaire_lab.engine.engine import Engine
from solitaire_lab.engine.moves import REDEAL, STOCK, move_record
from solitaire_lab.rules.catalog import resolve
from solitaire_lab.rules.model import Rules

Recorded: TypeAlias = dict[str, Any]
Listed: TypeAlias = tuple[str, str, tuple[str, ...]]
TURN: Listed = ("stock", "", ())

RECORDS = Path(__file__).parents[1] / "data" / "pysolfc_positions.jsonl.gz"


PYSOL_SUITS = "CCSSHHDD"
"""With two packs, PySolFC keeps each foundation for base cards of one suit; these."""

# By PySolFC's number, or by name where its classes were set to other rules, and by the settings in words.
RULES: dict[tuple[int | str, str], Rules] = {
    (100, "{}"): resolve("storehouse").rules,
    ("storehouse-en", "{}"): resolve("storehouse-en").rules,
    (
        "storehouse-en",
        '{"note": "filling by hand only after the reserve is gone, from the waste; while it lasts automatic"}',
    ): resolve("storehouse-en", overrides={"spaces.while_reserve": "auto"}).rules,
    (105, '{"moves": "top-or-whole"}'): resolve("canfield").rules,
    (101, '{"moves": "top-or-whole"}'): resolve("superior-canfield").rules,
    (43, '{"moves": "top-or-whole"}'): resolve("chameleon").rules,
    (305, "{}"): resolve("three-blind-mice").rules,
    (543, "{}"): resolve("farmers-wife").rules,
    (544, '{"deal": "last three columns hidden", "return": "off"}'): resolve("how-they-run-pysol").rules,
    ("how-they-run", '{"return": "off"}'): resolve("how-they-run").rules,
    (57, '{"kings": "as dealt", "return": "on"}'): resolve("shamrocks-pysol").rules,
    (714, '{"kings": "swap", "return": "on"}'): resolve("shamrocks-ii").rules,
    ("shamrocks", "{}"): resolve("shamrocks").rules,
    (582, '{"columns": 9, "base cards": "one", "return": "off"}'): resolve("wood-pysol").rules,
    ("wood", '{"base cards": "one", "return": "off"}'): resolve(
        "wood-one-base", overrides={"foundations.return": "off"}
    ).rules,
    ("wood", '{"return": "off"}'): resolve("wood-no-return").rules,
    ("wood", "{}"): resolve("wood").rules,
    (137, "{}"): resolve("blondes-and-brunettes").rules,
    (29, "{}"): resolve("scorpion").rules,
    (382, "{}"): resolve("applegate").rules,
    (11, "{}"): resolve("spider").rules,
}


def recorded() -> list[Recorded]:
    with gzip.open(RECORDS, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def kind_of(record: Recorded) -> tuple[int | str, str]:
    return record["pysol_id"] or record["position"]["game"], json.dumps(record["settings"])


def listed_by_pysol(record: Recorded) -> set[Listed]:
    return {TURN if "turn" in move else (move["from"], move["to"], tuple(move["cards"])) for move in record["moves"]}


def listed_by_engine(engine: Engine, position: Position) -> set[Listed]:
    listed = set()
    for move in engine.legal_moves(position):
        if move.source == STOCK or move == REDEAL:
            listed.add(TURN)
        else:
            text = move_record(move, engine.moved_cards(position, move))
            listed.add((text["from"], text["to"], tuple(text["cards"])))
    return listed


def is_whole_column_to_a_space(position: Position, move: Listed) -> bool:
    """PySolFC lists these, though they change nothing; we do so only while rows are dealt to the columns."""
    source, target, cards = move
    if not (source.startswith("tableau:") and target.startswith("tableau:")):
        return False
    columns = position.tableau
    return not columns[int(target[8:])] and len(columns[int(source[8:])]) == len(cards)


def is_base_card_to_another_suits_place(position: Position, move: Listed) -> bool:
    _, target, cards = move
    if not target.startswith("foundation:"):
        return False
    index = int(target[11:])
    return not position.foundations[index] and "CDHS"[suit_of(parse_card(cards[0]))] != PYSOL_SUITS[index]


@pytest.mark.parametrize("kind", RULES, ids=lambda kind: f"{kind[0]} {kind[1]}"[:40])
def test_legal_moves_are_those_of_pysolfc(kind: tuple[int | str, str]) -> None:
    rules = RULES[kind]
    engine = Engine(rules)
    records = [record for record in recorded() if kind_of(record) == kind]
    assert len(records) >= 12
    for record in records:
        layout = {key: value for key, value in record["position"].items() if key != "game"}
        position = read_layout(layout, rules)
        engine.require_settled(position)
        theirs, ours = listed_by_pysol(record), listed_by_engine(engine, position)
        theirs = {move for move in theirs if not is_whole_column_to_a_space(position, move)}
        ours = {move for move in ours if not is_whole_column_to_a_space(position, move)}
        if rules.foundations.build == "alternating" and rules.foundations.placed == "one":
            ours = {move for move in ours if not is_base_card_to_another_suits_place(position, move)}
        assert ours == theirs, record


def test_every_recorded_position_is_compared() -> None:
    assert {kind_of(record) for record in recorded()} == set(RULES)
