"""Layouts: recorded deals of other programs, and packs laid out by hand."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solitaire_lab.cards import card_text, parse_card, rank_of
from solitaire_lab.deals.dealing import deal, deal_many, dealing_record
from solitaire_lab.deals.numberings import NUMBERINGS, packs
from solitaire_lab.deals.position import Position
from solitaire_lab.errors import InputError
from solitaire_lab.rules.catalog import Game, GameFile, game_names, resolve
from solitaire_lab.rules.dealing import DealProcedure
from solitaire_lab.rules.model import Rules
from tests.play import game_of
from tests.strategies import rules_strategy


def texts(pile: Sequence[int | None]) -> str:
    return " ".join("-" if card is None else card_text(card) for card in pile)


def columns(position: Position) -> list[str]:
    return [texts(column) for column in position.tableau]


def cards_of(position: Position) -> list[int]:
    piles = [*position.foundations, *position.tableau, *position.reserve, position.waste, position.stock]
    return sorted([*(c for pile in piles for c in pile), *(c for c in position.cells if c is not None)])


def game_with(rules: dict[str, Any], **procedure: Any) -> Game:
    """A game dealt from packs of the lab, or another numbering, by a procedure of its own."""
    made = Rules.model_validate(rules)
    dealing = DealProcedure(**{"numberings": ("lab",), "program": "a test", **procedure})
    file = GameFile(title="Made up", summary="Made for a test.", rules=made, dealings=(dealing,))
    return Game(name="made-up", variant=None, rules=made, overrides={}, file=file)


# --- Storehouse --------------------------------------------------------------------------------------------------


def test_storehouse_shows_pysols_board_number_1() -> None:
    """Recorded from PySolFC 3.6.1."""
    position = deal(resolve("storehouse"), numbering="pysol", seed=1)
    assert [texts(pile) for pile in position.foundations] == ["2C", "2D", "2H", "2S"]
    assert columns(position) == ["9D", "KS", "3H", "KH"]
    assert [texts(pile) for pile in position.reserve] == ["JD 9H JC 5D 7H 7C 5H KD KC 9S 5S AD QC"]
    assert texts(position.stock) == (
        "QD JS AS AH 3C 4C 5C TS QH 4H AC 4D 7S 3S TD 4S TH 8H JH 7D 6D 8S 8D QS 6C 3D 8C TC 6S 9C 6H"
    )
    assert (position.base, position.down, position.cells, position.waste, position.redeals_used) == (
        2, (0, 0, 0, 0), (), (), 0,
    )  # fmt: skip


@pytest.mark.parametrize("numbering", ["pysol", "microsoft"])
@pytest.mark.parametrize("seed", [2, 617, 31_999, 32_000, 2**32 + 5])
def test_storehouse_is_dealt_as_pysol_deals_it(numbering: str, seed: int) -> None:
    """Twos aside, thirteen to the reserve, four to the columns from the right, the rest is the stock."""
    pack = [card for card in packs(numbering, [seed], decks=1)[0].tolist() if rank_of(card) != 2]
    position = deal(resolve("storehouse"), numbering=numbering, seed=seed)
    assert position.reserve == (tuple(pack[:13]),)
    assert position.tableau == tuple((card,) for card in reversed(pack[13:17]))
    assert position.stock == tuple(pack[17:])


def test_storehouse_of_the_lab_is_fixed_for_ever() -> None:
    """As for the packs themselves: who changes this has changed every stored result."""
    position = deal(resolve("storehouse"), numbering="lab", seed=1)
    assert columns(position) == ["5S", "KC", "7S", "5C"]
    assert texts(position.reserve[0]) == "TC KD 9H TS 8D 6H 5H KS AD 4D QD 9S 8S"
    assert texts(position.stock) == (
        "8C 9C 4S AC 4H 9D JS 6C QC JC 6D 3D TH 6S 3C 7H TD QS QH 3S AS JD KH 5D 4C 7C 8H 7D 3H AH JH"
    )


def test_settings_that_leave_the_layout_alone_leave_the_deal_alone() -> None:
    game = resolve("storehouse")
    for other in (resolve("storehouse-en"), resolve("storehouse", overrides={"stock.redeals": "unlimited"})):
        for numbering in ("lab", "pysol", "microsoft"):
            assert deal(other, numbering=numbering, seed=5) == deal(game, numbering=numbering, seed=5)


# --- every game --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", game_names())
@pytest.mark.parametrize("numbering", NUMBERINGS)
def test_games_deal_whole_packs_in_the_layout_of_their_rules(name: str, numbering: str) -> None:
    game = resolve(name)
    if all(game.misfits(procedure) for procedure in game.dealings if numbering in procedure.numberings):
        return
    for position in deal_many(game, numbering=numbering, seeds=[1, 2, 31_999, 32_000, 123_456]):
        assert_laid_out(game.rules, position)


@given(rules_strategy(), st.integers(0, 2**64 - 1))
def test_any_rules_are_laid_out(rules: Rules, seed: int) -> None:
    assert_laid_out(rules, deal(game_of(rules), numbering="lab", seed=seed))


def assert_laid_out(rules: Rules, position: Position) -> None:
    assert cards_of(position) == list(rules.pack_cards)
    assert tuple(map(len, position.tableau)) == rules.heights
    assert position.down == rules.downs
    assert tuple(map(len, position.reserve)) == (rules.reserve.size,) * rules.reserve.piles
    assert [card is not None for card in position.cells] == [
        index < rules.cells.filled for index in range(rules.cells.count)
    ]
    assert len(position.stock) == rules.stock_size
    assert sum(map(len, position.foundations)) == rules.placed_count
    assert all(rank_of(card) == position.base for pile in position.foundations for card in pile)
    assert rules.fixed_base in (None, position.base)


def test_many_deals_are_each_deal() -> None:
    game = resolve("storehouse")
    seeds = [7, 0, 2**64 - 1, *range(2_990, 4_010)]
    assert list(deal_many(game, numbering="lab", seeds=seeds)) == [
        deal(game, numbering="lab", seed=seed) for seed in seeds
    ]


# --- procedures --------------------------------------------------------------------------------------------------

FOUR_BY_TWO = {"pack": {"ranks": 5}, "tableau": {"columns": 4, "layout": 2}, "stock": {"turn": 1}}


def packed(game: Game, *, numbering: str = "lab", seed: int = 1) -> list[str]:
    rules = game.rules
    dealt = packs(numbering, [seed], decks=rules.pack.decks, ranks=rules.pack.ranks)
    return [card_text(card) for card in dealt[0].tolist()]


@pytest.mark.parametrize(
    ("tableau", "places"),
    [
        ("rows", ["0 4", "1 5", "2 6", "3 7"]),
        ("rows-from-right", ["3 7", "2 6", "1 5", "0 4"]),
        ("columns", ["0 1", "2 3", "4 5", "6 7"]),
        (((0, 1, 2, 3), (1, 0, 3, 2)), ["0 5", "1 4", "2 7", "3 6"]),
    ],
)
def test_orders_of_the_tableau(tableau: Any, places: list[str]) -> None:
    game = game_with(FOUR_BY_TWO, tableau=tableau)
    pack = packed(game)
    position = deal(game, numbering="lab", seed=1)
    assert columns(position) == [" ".join(pack[int(place)] for place in column.split()) for column in places]
    assert texts(position.stock) == " ".join(pack[8:])


def test_a_triangle_is_dealt_row_by_row() -> None:
    game = game_with({"pack": {"ranks": 2}, "tableau": {"columns": 3, "layout": "triangle"}, "stock": {"turn": 1}})
    pack = packed(game)
    assert columns(deal(game, numbering="lab", seed=1)) == [
        pack[0], f"{pack[1]} {pack[3]}", f"{pack[2]} {pack[4]} {pack[5]}",
    ]  # fmt: skip


def test_order_of_places_and_filled_cells() -> None:
    rules = {
        "pack": {"ranks": 3},
        "tableau": {"columns": 2, "layout": 1},
        "reserve": {"piles": 2, "size": 2},
        "cells": {"count": 3, "filled": 2},
        "stock": {"turn": 1},
    }
    game = game_with(rules, order=("foundations", "cells", "tableau", "reserve"))
    pack = packed(game)
    position = deal(game, numbering="lab", seed=1)
    assert texts(position.cells) == " ".join([*pack[:2], "-"])
    assert columns(position) == pack[2:4]
    assert [texts(pile) for pile in position.reserve] == [" ".join(pack[4:6]), " ".join(pack[6:8])]
    assert texts(position.stock) == " ".join(pack[8:])


def test_a_dealt_base_card_is_the_first_of_the_pack_or_comes_after_other_places() -> None:
    rules = {
        "foundations": {"base": "dealt", "placed": "one", "wrap": True},
        "pack": {"ranks": 4},
        "tableau": {"columns": 2, "layout": 1},
        "stock": {"turn": 1},
    }
    first = game_with(rules)
    pack = packed(first)
    position = deal(first, numbering="lab", seed=1)
    assert [texts(pile) for pile in position.foundations if pile] == [pack[0]]
    assert texts(position.foundations["CDHS".index(pack[0][1])]) == pack[0]
    assert position.base == rank_of(parse_card(pack[0]))
    assert columns(position) == pack[1:3]
    assert texts(position.stock) == " ".join(pack[3:])

    later = deal(game_with(rules, order=("reserve", "tableau", "foundations", "cells")), numbering="lab", seed=1)
    assert columns(later) == pack[:2]
    assert [texts(pile) for pile in later.foundations if pile] == [pack[2]]
    assert texts(later.stock) == " ".join(pack[3:])


def test_where_all_base_cards_are_placed_the_order_of_the_rest_is_kept() -> None:
    rules = {
        "pack": {"decks": 2},
        "foundations": {"base": "dealt", "placed": "all", "wrap": True},
        "tableau": {"columns": 8, "layout": 1},
        "stock": {"turn": 1},
    }
    game = game_with(rules)
    pack = packed(game)
    position = deal(game, numbering="lab", seed=1)
    base, rest = pack[0][0], [text for text in pack if text[0] != pack[0][0]]
    assert [texts(pile) for pile in position.foundations] == [base + suit for suit in "CCDDHHSS"]
    assert columns(position) == rest[:8]
    assert texts(position.stock) == " ".join(rest[8:])


def test_one_fixed_base_card_is_taken_out_wherever_it_lies() -> None:
    rules = {
        "pack": {"ranks": 4},
        "foundations": {"base": "3", "placed": "one", "wrap": True},
        "tableau": {"columns": 3, "layout": 1},
        "stock": {"turn": 1},
    }
    game = game_with(rules)
    pack = packed(game)
    three = next(text for text in pack if text[0] == "3")
    rest = [text for text in pack if text != three]
    position = deal(game, numbering="lab", seed=1)
    assert [texts(pile) for pile in position.foundations if pile] == [three]
    assert [*columns(position), *map(card_text, position.stock)] == rest


def test_solvitaire_deals_from_the_end_and_takes_the_base_card_from_the_front() -> None:
    """Klondike seed 1 shows these tops, says Solvitaire's README; the stock is dealt first, its first card lowest."""
    klondike = {
        "tableau": {"columns": 7, "layout": "triangle", "down": "all-but-top", "build": "alternating", "moves": "run"},
        "stock": {"turn": 3, "redeals": "unlimited"},
    }
    solvitaire = {
        "numberings": ("solvitaire",),
        "order": ("foundations", "cells", "stock", "reserve", "tableau"),
        "tableau": "rows-from-right",
        "take_from": "last",
    }
    game = game_with(klondike, **solvitaire)
    pack = packed(game, numbering="solvitaire")
    position = deal(game, numbering="solvitaire", seed=1)
    assert [card_text(column[-1]) for column in position.tableau] == ["9D", "AS", "JC", "6D", "JH", "AH", "JD"]
    assert texts(position.stock) == " ".join(pack[28:])

    canfield = {
        "foundations": {"base": "dealt", "placed": "one", "wrap": True},
        "tableau": {"columns": 4, "layout": 1, "build": "alternating", "wrap": "on"},
        "reserve": {"piles": 1, "size": 13},
        "stock": {"turn": 3},
    }
    position = deal(game_with(canfield, **solvitaire), numbering="solvitaire", seed=1)
    assert [texts(pile) for pile in position.foundations if pile] == [pack[0]]
    assert texts(position.stock) == " ".join(pack[-34:])
    assert texts(position.reserve[0]) == " ".join(reversed(pack[-47:-34]))
    assert columns(position) == pack[1:5]


SEEDS_OF_FANS = {
    "9S 8D KC": (1495, 13),
    "9S KD KC": (13297, 11),
    "KD 9S KC": (2872, 11),
    "9S 8C KC": (18097, 14),
    "9C 8C KC": (1221, 4),
    "9C KC 8D": (1827, 10),
    "9C KD KC": (19447, 11),
}
"""Seeds of the lab under which such a fan is dealt, and which fan of 17 it is."""


@pytest.mark.parametrize(
    ("kings", "before", "after"),
    [
        ("as-dealt", "9S 8D KC", "9S 8D KC"),
        ("slide", "9S 8D KC", "KC 9S 8D"),
        ("slide", "9S KD KC", "KD KC 9S"),
        ("slide", "KD 9S KC", "KD KC 9S"),
        ("swap", "9S 8D KC", "KC 8D 9S"),
        ("swap", "9S KD KC", "KD KC 9S"),
        ("swap", "KD 9S KC", "KD KC 9S"),
        ("own-suit", "9S 8C KC", "9S KC 8C"),
        ("own-suit", "9C 8C KC", "KC 9C 8C"),
        ("own-suit", "9S 8D KC", "9S 8D KC"),
        ("own-suit", "9C KC 8D", "KC 9C 8D"),
        ("own-suit", "9C KD KC", "KC 9C KD"),
    ],
)
def test_kings_go_where_the_rules_put_them(kings: str, before: str, after: str) -> None:
    rules: dict[str, Any] = {"tableau": {"columns": 17, "layout": 3}, "stock": {"turn": 1}}
    plain, moved = game_with(rules), game_with(rules | {"deal": {"kings": kings}})
    wanted = tuple(map(parse_card, before.split()))
    seed, index = SEEDS_OF_FANS[before]
    assert deal(plain, numbering="lab", seed=seed).tableau[index] == wanted
    assert texts(deal(moved, numbering="lab", seed=seed).tableau[index]) == after


def test_kings_are_of_the_highest_rank_in_the_pack() -> None:
    rules = {
        "pack": {"ranks": 4},
        "tableau": {"columns": 5, "layout": 3},
        "stock": {"turn": 1},
        "deal": {"kings": "slide"},
    }
    for position in deal_many(game_with(rules), numbering="lab", seeds=range(50)):
        for column in position.tableau:
            high = [rank_of(card) == 4 for card in column]
            assert high == sorted(high, reverse=True)


# --- what is refused, and what is recorded -----------------------------------------------------------------------


def test_a_numbering_without_deals_is_refused() -> None:
    with pytest.raises(InputError, match=r"solvitaire numbering has no deals for storehouse; .* have: lab"):
        deal(resolve("storehouse"), numbering="solvitaire", seed=1)


def test_other_layouts_have_no_numbers_of_pysol() -> None:
    game = resolve("storehouse", overrides={"tableau.columns": 5})
    with pytest.raises(InputError, match=r"nearest, PySolFC game 100, has tableau\.columns 4, not 5.*have: lab"):
        deal(game, numbering="pysol", seed=1)
    assert len(deal(game, numbering="lab", seed=1).tableau) == 5


def test_refusals_come_at_once() -> None:
    """Not when the first of a million deals is asked for, somewhere else."""
    game = resolve("storehouse")
    with pytest.raises(InputError, match="numbering"):
        deal_many(game, numbering="freecell", seeds=[1])
    with pytest.raises(InputError, match="numbering"):
        deal_many(game, numbering="solvitaire", seeds=[1])
    with pytest.raises(InputError, match="Seed 0"):
        deal_many(game, numbering="pysol", seeds=[1, 0])


def test_a_record_tells_deals_apart() -> None:
    game = resolve("storehouse")
    records = {numbering: dealing_record(game, numbering) for numbering in ("lab", "pysol", "microsoft")}
    assert len({json.dumps(record, sort_keys=True) for record in records.values()}) == 3
    assert records["pysol"]["tableau"] == "rows-from-right"
    assert records["lab"]["tableau"] == "rows"
    assert dealing_record(resolve("storehouse-en"), "lab") == records["lab"]
    with pytest.raises(InputError, match="no deals"):
        dealing_record(game, "solvitaire")
