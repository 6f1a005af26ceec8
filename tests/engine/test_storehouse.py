"""Storehouse: the rules of its sources one by one, and the engine against a second program."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from solitaire_lab.cards import card_text, parse_card
from solitaire_lab.deals.dealing import deal_many
from solitaire_lab.deals.notation import parse_position
from solitaire_lab.deals.position import Pile, Position
from solitaire_lab.engine.engine import Engine, move_text
from solitaire_lab.engine.moves import IllegalMoveError, parse_move, pile_name
from solitaire_lab.errors import InputError
from solitaire_lab.rules.catalog import Game, resolve
from tests.engine.storehouse_twice import Reading, Table, lines_of_play, successors

READINGS: dict[str, tuple[dict[str, Any], Reading]] = {
    "storehouse": ({}, Reading()),
    "storehouse-en": ({}, Reading(whole_columns_only=True, fill="by hand", afterwards="waste")),
    "storehouse-free": ({}, Reading(whole_columns_only=True, fill="by hand from the waste too", afterwards="waste")),
    "storehouse by hand, two passes": (
        {"spaces.while_reserve": "manual", "stock.redeals": 1}, Reading(fill="by hand", passes=2)
    ),
    "storehouse freely, without end": (
        {"spaces.while_reserve": "free", "stock.redeals": "unlimited"},
        Reading(fill="by hand from the waste too", passes=None),
    ),
}  # fmt: skip


def game_of(reading: str) -> Game:
    return resolve(reading.partition(" ")[0], overrides=READINGS[reading][0])


def as_table(position: Position) -> Table:
    def text(pile: Pile) -> str:
        return "".join(map(card_text, pile))

    return Table(
        up="".join(card_text(pile[-1])[0] for pile in position.foundations),
        columns=tuple(map(text, position.tableau)),
        reserve=text(position.reserve[0]),
        waste=text(position.waste),
        stock=text(position.stock[::-1]),
        passes_begun=position.redeals_used + 1,
    )


def random_play(game: Game, *, seeds: range, moves: int) -> Iterator[Position]:
    """Positions of games played at random, foundations preferred so that games get far."""
    engine = Engine(game.rules)
    for seed, position in zip(seeds, deal_many(game, numbering="lab", seeds=seeds), strict=True):
        random = Random(seed)
        for _ in range(moves):
            yield position
            legal = engine.legal_moves(position)
            if not legal:
                break
            up = [move for move in legal if pile_name(move.target).startswith("foundation")]
            position = engine.play(position, random.choice(up if up and random.random() < 0.9 else legal))


@pytest.mark.parametrize("reading", READINGS)
def test_a_second_program_agrees_move_by_move(reading: str) -> None:
    game = game_of(reading)
    engine = Engine(game.rules)
    spaces = redeals = 0
    for position in random_play(game, seeds=range(12), moves=250):
        theirs = successors(as_table(position), READINGS[reading][1])
        ours = {
            (pile_name(move.source), pile_name(move.target), move.size): as_table(engine.play(position, move))
            for move in engine.legal_moves(position)
        }
        assert ours == theirs
        spaces += () in position.tableau
        redeals += ("waste", "stock", 0) in ours
    assert spaces > 50
    assert redeals > 5


# --- counts ------------------------------------------------------------------------------------------------------

PERFT = Path(__file__).parents[1] / "data" / "storehouse_perft.jsonl"


def lines_by_the_engine(engine: Engine, position: Position, depth: int) -> int:
    if depth == 0:
        return 1
    return sum(
        lines_by_the_engine(engine, engine.play(position, move), depth - 1) for move in engine.legal_moves(position)
    )


@pytest.mark.parametrize("line", PERFT.read_text(encoding="utf-8").splitlines())
def test_lines_of_play_are_counted(line: str) -> None:
    """Sequences of one to six moves, as stored; the second program counts them again, up to four."""
    record = json.loads(line)
    game, position = parse_position(record["position"])
    reading = next(READINGS[name][1] for name in READINGS if game_of(name) == game)
    counts = [lines_by_the_engine(Engine(game.rules), position, depth) for depth in range(1, 7)]
    assert counts == record["lines"]
    assert [lines_of_play(as_table(position), reading, depth) for depth in range(1, 5)] == counts[:4]


def test_the_first_lines_of_pysols_number_1_are_counted_by_hand() -> None:
    """Columns 9D KS 3H KH, reserve QC: 3H goes up, or QD is turned.

    After 3H, QC fills the space and AD is seen: only turning is left. After QD, 3H can go up or JS be turned.
    """
    game = resolve("storehouse")
    engine, position = Engine(game.rules), next(deal_many(game, numbering="pysol", seeds=[1]))
    assert [lines_by_the_engine(engine, position, depth) for depth in (1, 2)] == [2, 3]


# --- the rules, one by one ---------------------------------------------------------------------------------------


def pile(text: str) -> Pile:
    return tuple(map(parse_card, text.split()))


def table(tableau: str, **others: str) -> Position:
    """A table of Storehouse; columns are separated by bars, and cards that don't matter are left out."""
    foundations = others.get("foundations", "2C | 2D | 2H | 2S")
    columns = tuple(map(pile, tableau.split("|")))
    return Position(
        base=2,
        foundations=tuple(map(pile, foundations.split("|"))),
        tableau=columns,
        down=(0,) * len(columns),
        reserve=(pile(others.get("reserve", "")),),
        waste=pile(others.get("waste", "")),
        stock=pile(others.get("stock", "")),
        redeals_used=int(others.get("redeals_used", "0")),
    )


def moves(position: Position, game: str = "storehouse") -> list[str]:
    engine = Engine(resolve(game).rules)
    return [move_text(engine, position, move) for move in engine.legal_moves(position)]


def play(position: Position, source: str, target: str, cards: str, game: str = "storehouse") -> Position:
    move = parse_move({"from": source, "to": target, "cards": cards.split()})
    return Engine(resolve(game).rules).play(position, move)


def objection(position: Position, source: str, target: str, cards: str, game: str = "storehouse") -> str:
    with pytest.raises(IllegalMoveError) as error:
        play(position, source, target, cards, game)
    return str(error.value)


def test_foundations_go_up_in_suit_from_the_two_and_end_with_the_ace() -> None:
    clubs = "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC"
    start = table("AC | 3D | 3S | 5S", foundations=f"{clubs} | 2D | 2H | 2S", reserve="9H")
    assert moves(start)[:3] == [
        "AC from tableau:0 to foundation:0",
        "3D from tableau:1 to foundation:1",
        "3S from tableau:2 to foundation:3",
    ]
    assert play(start, "tableau:0", "foundation:0", "AC").foundations[0] == pile(f"{clubs} AC")
    assert "5S doesn't follow 2S" in objection(start, "tableau:3", "foundation:3", "5S")
    assert "foundation:2 is for another suit than that of 3D" in objection(start, "tableau:1", "foundation:2", "3D")


def test_a_foundation_ends_with_its_ace() -> None:
    full = "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC"
    start = table("2C | 9D | 9H | 9S", foundations=f"{full} | 2D | 2H | 2S", reserve="9C")
    assert "2C doesn't follow AC" in objection(start, "tableau:0", "foundation:0", "2C")


def test_foundation_cards_never_come_back() -> None:
    start = table("4C | 9D | 9H | 9S", foundations="2C 3C | 2D | 2H | 2S", reserve="KD")
    assert "don't come back" in objection(start, "foundation:0", "tableau:0", "3C")


def test_columns_are_built_down_in_suit_and_a_king_goes_on_an_ace() -> None:
    start = table("9D | 8D | AH | KH", reserve="8H")
    assert moves(start) == ["8D from tableau:1 to tableau:0", "KH from tableau:3 to tableau:2"]
    assert "8H can't be built on 9D" in objection(start, "reserve:0", "tableau:0", "8H")
    assert "9D can't be built on 8D" in objection(start, "tableau:0", "tableau:1", "9D")


def test_the_top_card_or_the_whole_column_moves() -> None:
    start = table("9D 8D 7D | TD | 8H | KS", reserve="5C")
    assert moves(start) == ["9D 8D 7D from tableau:0 to tableau:1"]
    apart = table("7D 6D 5D | 7D | 8D | KS", reserve="5C")
    assert "7D 6D 5D from tableau:0 to tableau:2" in moves(apart)
    assert "2 cards of tableau:0 don't move together" in objection(apart, "tableau:0", "tableau:1", "6D 5D")
    tops = table("7D 6D | 7D | KC | KS", reserve="5C")
    assert moves(tops) == ["6D from tableau:0 to tableau:1"]
    assert moves(tops, "storehouse-en") == []


def test_a_space_is_filled_from_the_reserve_at_once() -> None:
    start = table("3D | 9C | 9H | 9S", reserve="5C KD")
    after = play(start, "tableau:0", "foundation:1", "3D")
    assert after.tableau == (pile("KD"), pile("9C"), pile("9H"), pile("9S"))
    assert after.reserve == (pile("5C"),)


def test_several_spaces_are_filled_from_the_left() -> None:
    engine = Engine(resolve("storehouse").rules)
    settled = engine.settle(table(" | 9C | | 9S", reserve="5C KD JS"))
    assert settled.tableau == (pile("JS"), pile("9C"), pile("KD"), pile("9S"))
    with pytest.raises(InputError, match="automatic step is pending, JS from reserve:0 to tableau:0"):
        engine.require_settled(table(" | 9C | | 9S", reserve="5C KD JS"))


def test_the_last_card_of_the_reserve_leaves_spaces_open() -> None:
    after = play(table("3D | 9C | | 9S", reserve=""), "tableau:0", "foundation:1", "3D")
    assert after.tableau == ((), pile("9C"), (), pile("9S"))


def test_without_a_reserve_any_card_fills_a_space_or_none() -> None:
    start = table("| 9C 8C | 9S | KD", waste="4H", stock="5H")
    assert moves(start) == [
        "8C from tableau:1 to tableau:0",
        "5H from stock to waste",
        "4H from waste to tableau:0",
    ]
    assert "a whole column in a space changes nothing" in objection(start, "tableau:2", "tableau:0", "9S")
    assert "a whole column in a space changes nothing" in objection(start, "tableau:1", "tableau:0", "9C 8C")


def test_english_spaces_are_filled_from_the_reserve_then_from_the_waste_only() -> None:
    lasting = table("| 9C 8C | 9S | KD", reserve="7H", waste="4H")
    assert moves(lasting, "storehouse-en") == ["7H from reserve:0 to tableau:0", "redeal"]
    assert "while the reserve lasts, only it fills a space" in objection(
        lasting, "waste", "tableau:0", "4H", "storehouse-en"
    )
    gone = table("| 9C 8C | 9S | KD", waste="4H")
    assert moves(gone, "storehouse-en") == ["4H from waste to tableau:0", "redeal"]
    assert "only the waste fills a space" in objection(gone, "tableau:3", "tableau:0", "KD", "storehouse-en")


def test_spaces_filled_at_will_take_the_reserve_or_the_waste() -> None:
    start = table("| 9C 8C | 9S | KD", reserve="7H", waste="4H")
    assert moves(start, "storehouse-free") == [
        "7H from reserve:0 to tableau:0",
        "4H from waste to tableau:0",
        "redeal",
    ]


def test_cards_are_turned_one_by_one_and_only_the_top_of_the_waste_is_in_play() -> None:
    start = table("9C | 9D | 9H | 9S", reserve="5C", stock="8D 3D")
    after = play(play(start, "stock", "waste", "8D"), "stock", "waste", "3D")
    assert after.waste == pile("8D 3D")
    assert moves(after) == ["3D from waste to foundation:1", "redeal"]
    assert moves(play(after, "waste", "foundation:1", "3D")) == ["8D from waste to tableau:1", "redeal"]


def test_the_waste_is_turned_over_twice_and_keeps_its_order() -> None:
    start = table("9C | 9D | 9H | 9S", reserve="5C", waste="KC QD JS")
    after = play(start, "waste", "stock", "")
    assert after.stock == pile("KC QD JS")
    assert after.waste == ()
    assert after.redeals_used == 1
    used_up = start._replace(redeals_used=2)
    assert moves(used_up) == []
    assert "all 2 redeals are used up" in objection(used_up, "waste", "stock", "")
    assert "a redeal needs an empty stock" in objection(
        table("9C | 9D | 9H | 9S", stock="3C", waste="KC"), "waste", "stock", ""
    )


def test_the_game_is_won_when_all_cards_are_up() -> None:
    engine = Engine(resolve("storehouse").rules)
    up = [" ".join(f"{rank}{suit}" for rank in "23456789TJQKA") for suit in "CDHS"]
    assert engine.won(table("| | |", foundations=" | ".join(up)))
    last = table("| AS | |", foundations=" | ".join([*up[:3], up[3].removesuffix(" AS")]))
    assert not engine.won(last)
    assert engine.won(play(last, "tableau:1", "foundation:3", "AS"))
