"""Policies: what they see, what they like best, when they give up, and that they win nothing that can't be won."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from scipy import stats

from solitaire_lab.cards import Card
from solitaire_lab.deals.board import parse_board
from solitaire_lab.deals.dealing import deal
from solitaire_lab.deals.position import Position
from solitaire_lab.engine.engine import Engine, move_text
from solitaire_lab.engine.moves import FOUNDATION, RESERVE, encode_moves
from solitaire_lab.engine.policies import HIDDEN, POLICIES, REVISION, play_out, policy_of, visible
from solitaire_lab.errors import InputError
from solitaire_lab.rules.catalog import game_names, resolve
from solitaire_lab.rules.model import Rules
from tests.brute import brute_force
from tests.families import family_deal
from tests.play import game_of

THREE_RANKS: dict[str, Any] = {
    "pack": {"ranks": 3},
    "tableau": {"columns": 4, "build": "alternating", "moves": "run", "down": 0},
    "stock": {"turn": 1, "redeals": "unlimited"},
    "cells": {"count": 1},
}
"""Twelve cards, four columns built down in alternating colour, a cell; a space takes any card."""


def likes(text: str, **rules: dict[str, Any]) -> list[str]:
    """The moves that the greedy policy would make, the best first, where ties can't be."""
    groups = {name: {**THREE_RANKS.get(name, {}), **rules.get(name, {})} for name in {*THREE_RANKS, *rules}}
    game = game_of(Rules.model_validate(groups))
    engine, position = Engine(game.rules), parse_board(text, game=game)
    engine.require_settled(position)
    seen = visible(position, game.rules.reserve.face == "top")
    preferred = policy_of("greedy", engine).preferred(seen, engine.legal_moves(position), Random(1))
    return [move_text(engine, position, move) for move in preferred]


# --- what they see ----------------------------------------------------------------------------------------------


def hidden_cards_exchanged(position: Position, *, reserve_hides: bool, chance: Random) -> Position:
    """The position with all cards that lie face down dealt anew among the places where such lie."""
    hidden: list[Card] = list(position.stock)
    for column, down in zip(position.tableau, position.down, strict=True):
        hidden += column[:down]
    for pile in position.reserve:
        hidden += pile[:-1] if reserve_hides else ()
    chance.shuffle(hidden)

    def anew(count: int) -> tuple[Card, ...]:
        return tuple(hidden.pop() for _ in range(count))

    return position._replace(
        stock=anew(len(position.stock)),
        tableau=tuple(anew(down) + column[down:] for column, down in zip(position.tableau, position.down, strict=True)),
        reserve=tuple(anew(len(pile) - 1) + pile[-1:] if reserve_hides and pile else pile for pile in position.reserve),
    )


@pytest.mark.parametrize("name", ["klondike", "storehouse", "canfield", "spider", "yukon", "wood", "three-blind-mice"])
@pytest.mark.parametrize("policy", POLICIES)
def test_what_a_policy_does_not_see_makes_no_difference_to_it(name: str, policy: str) -> None:
    rules = resolve(name).rules
    engine, chance = Engine(rules), Random(name)
    player, reserve_hides = policy_of(policy, engine), rules.reserve.face == "top"
    position = engine.settle(deal(resolve(name), numbering="lab", seed=5))
    different = 0
    for turn in range(12):
        legal = engine.legal_moves(position)
        if not legal:
            break
        other = hidden_cards_exchanged(position, reserve_hides=reserve_hides, chance=chance)
        different += other != position
        choices = [
            list(player.preferred(visible(place, reserve_hides), engine.legal_moves(place), Random(turn)))
            for place in (position, other)
        ]
        assert choices[0] == choices[1]
        position = engine.play(position, legal[int(chance.random() * len(legal))])
    assert different, "nothing was hidden, so nothing was tested"


def test_only_cards_that_lie_face_down_are_hidden() -> None:
    game = resolve("klondike")
    position = deal(game, numbering="lab", seed=1)
    seen = visible(position, False)
    assert seen.tableau[6] == (HIDDEN,) * 6 + position.tableau[6][6:]
    assert seen.stock == (HIDDEN,) * 24
    assert seen._replace(tableau=position.tableau, stock=position.stock) == position

    reserve = deal(resolve("storehouse"), numbering="lab", seed=1)
    (pile,) = reserve.reserve
    assert visible(reserve, True).reserve == ((HIDDEN,) * 12 + pile[12:],)
    assert visible(reserve, False).reserve == (pile,)
    assert visible(reserve._replace(reserve=((),)), True).reserve == ((),)


# --- random -----------------------------------------------------------------------------------------------------


def test_the_random_policy_makes_every_move_as_often_as_any_other() -> None:
    engine = Engine(resolve("yukon").rules)
    position = engine.settle(deal(resolve("yukon"), numbering="lab", seed=1))
    legal, chance = engine.legal_moves(position), Random(1)
    policy = policy_of("random", engine)
    drawn = Counter(next(iter(policy.preferred(visible(position, False), legal, chance))) for _ in range(20_000))
    assert len(legal) > 5
    assert set(drawn) == set(legal)
    assert stats.chisquare([drawn[move] for move in legal]).pvalue > 0.001


# --- greedy -----------------------------------------------------------------------------------------------------


def test_first_to_a_foundation_and_there_what_lies_on_a_face_down_card() -> None:
    best = likes("Stock: 3C 3S 3D\n2C 2S AC\n<3H> AH\n2D AD\n2H AS", tableau={"down": [0, 1, 0, 0], "layout": 2})
    assert best[0] == "AH from tableau:1 to foundation:2"
    assert set(best[1:4]) == {
        "AC from tableau:0 to foundation:0",
        "AD from tableau:2 to foundation:1",
        "AS from tableau:3 to foundation:3",
    }


def test_then_to_turn_up_a_card_by_building_where_most_lie_face_down() -> None:
    best = likes(
        "Waste: AC AS AD 2D\n<AH> <3D> 2S\n<2H> 2C\n3H\n3C 3S",
        tableau={"down": [2, 1, 0, 0], "layout": [3, 2, 1, 1]},
    )
    assert best[:3] == [
        "2S from tableau:0 to tableau:2",
        "2C from tableau:1 to tableau:2",
        "2D from waste to tableau:3",
    ]


def test_then_from_the_waste_before_a_column_is_emptied() -> None:
    best = likes("Waste: AC AS AD AH 3C 2H\n2C\n3H\n3S\n3D 2S 2D")
    assert best[:2] == ["2H from waste to tableau:2", "2C from tableau:0 to tableau:1"]


def test_a_column_is_not_emptied_where_spaces_stay_empty() -> None:
    text = "Waste: AC AS AD AH 3C 2H\n2C\n3H\n3S\n3D 2S 2D"
    emptying = "2C from tableau:0 to tableau:1"
    assert likes(text).index(emptying) == 1
    never = likes(text, spaces={"after": "none"})
    assert never.index(emptying) > never.index("2D from tableau:3 to cell:0")


def test_then_cards_that_lie_badly_are_joined_in_suit_first() -> None:
    best = likes("Stock: AC AS AD AH\n3H 2S\n3C 3S 2D\n3D\n2C 2H", tableau={"build": "any"}, spaces={"after": "none"})
    # 2D lies on a 3 of another suit, 2H on another 2; 2S lies as well where it is as on 3D.
    assert best[:3] == [
        "2D from tableau:1 to tableau:2",
        "2H from tableau:3 to tableau:2",
        "AC from stock to waste",
    ]
    assert best[-1] == "2S from tableau:0 to tableau:2"


@pytest.mark.parametrize("face", ["top", "up"])
def test_the_reserve_is_freed_by_building_before_the_waste_is_played(face: str) -> None:
    below = "<AH>" if face == "top" else "AH"
    best = likes(
        f"Stock: AC AS AD\nWaste: 2H\nReserve: {below} 2D\n3C\n3S 2C\n3D 2S\n3H",
        reserve={"piles": 1, "size": 2, "face": face},
    )
    assert [text.partition(" to ")[0] for text in best[:2]] == ["2D from reserve:0", "2H from waste"]


def test_a_card_is_turned_up_by_filling_a_space_only_after_cards_are_joined() -> None:
    """2D can't be built on AC, where it lies, and goes on 3S; 2C lies on a face-down card, and only a space is left."""
    best = likes("Stock: AS AD AH\n\n<3H> 2C\nAC 2D\n3C 2H 3D 2S 3S", tableau={"down": [0, 1, 0, 0], "layout": 2})
    assert best[:2] == ["2D from tableau:2 to tableau:3", "2C from tableau:1 to tableau:0"]


def test_what_lies_well_does_not_fill_a_space() -> None:
    best = likes("Stock: AS AD AH AC\n\n3H 2C\n2D 3D\n3C 2H 2S 3S", cells={"count": 0})
    assert set(best[:2]) == {"3D from tableau:2 to tableau:0", "3S from tableau:3 to tableau:0"}
    assert best[2] == "AS from stock to waste"
    assert "2C from tableau:1 to tableau:0" in best[3:]


def test_a_space_is_filled_from_the_waste_before_the_stock_is_turned_and_that_before_a_cell() -> None:
    best = likes("Stock: AC AS\nWaste: AD AH 3C\n\n2C 2S 3H\n2D 3D\n2H 3S")
    kinds = [text.partition(" from ")[2] for text in best]
    assert set(kinds[:4]) == {"waste to tableau:0", *(f"tableau:{n} to tableau:0" for n in (1, 2, 3))}
    assert kinds[4] == "stock to waste"
    assert {kind.partition(" to ")[2] for kind in kinds[5:]} == {"cell:0"}


def test_a_cell_takes_the_card_above_what_can_go_up() -> None:
    best = likes(
        "3C 2C AC 3H\n3S 2D AD 3D 2S\nAH 2H AS",
        tableau={"columns": 3, "layout": 4},
        spaces={"after": "none"},
        stock={"turn": 0, "redeals": 0},
    )
    assert best[0] == "AS from tableau:2 to foundation:3"
    to_cells = [text for text in best if "cell" in text]
    assert to_cells[0] == "3H from tableau:0 to cell:0", "one card lies above AC, two above AD and AH"


def test_cards_are_never_taken_back_from_a_foundation() -> None:
    rules = {"foundations": {"return": "on"}, "stock": {"turn": 0, "redeals": 0}}
    rules["tableau"] = {**THREE_RANKS["tableau"], "layout": 3}
    game = game_of(Rules.model_validate({**THREE_RANKS, **rules}))
    engine = Engine(game.rules)
    position = parse_board("Foundations: C-2 D-A H-A S-A\nFC: -\n3H\n3S\n3C\n3D 2D 2H 2S", game=game)
    legal = engine.legal_moves(position)
    back = [move for move in legal if FOUNDATION <= move.source < RESERVE]
    assert [move_text(engine, position, move) for move in back] == ["2C from foundation:0 to tableau:0"]
    preferred = policy_of("greedy", engine).preferred(visible(position, False), legal, Random(1))
    assert set(preferred) == set(legal) - set(back)


# --- plays ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("policy", POLICIES)
def test_no_play_wins_a_deal_that_brute_force_calls_lost(policy: str) -> None:
    plays, wins = Counter[bool | None](), Counter[bool | None]()
    for seed in range(80):
        rules, position = family_deal(seed)
        engine = Engine(rules)
        can_be_won = brute_force(engine, position, limit=3_000)
        for number in range(3):
            play = play_out(engine, position, policy_of(policy, engine), Random(3 * seed + number))
            plays[can_be_won] += 1
            wins[can_be_won] += play.won
            assert engine.won(engine.replay(position, play.moves)) == play.won
    assert plays[False] > 50
    assert wins[False] == 0
    assert wins[True] > plays[True] / 4


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("name", ["canfield", "klondike", "freecell", "shamrocks"])
def test_every_play_ends(name: str, policy: str) -> None:
    """Each progress is one card more out of the way, and between two there are at most twice as many moves as cards."""
    game = resolve(name)
    engine, cards = Engine(game.rules), len(game.rules.pack_cards)
    for seed in range(3):
        position = engine.settle(deal(game, numbering="lab", seed=seed))
        play = play_out(engine, position, policy_of(policy, engine), Random(seed))
        assert len(play.moves) <= 2 * cards * (2 * cards + 1)
        assert not (play.won and play.stuck)


def test_a_play_is_given_up_after_twice_as_many_idle_moves_as_there_are_cards() -> None:
    """A lost ending in which only the stock can be turned, again and again: 2C is below AC, and no column takes it."""
    game = game_of(
        Rules.model_validate(
            {"pack": {"ranks": 2}, "tableau": {"columns": 1, "layout": 5, "build": "none"}}
            | {"stock": {"turn": 1, "redeals": "unlimited"}, "spaces": {"after": "none"}}
        )
    )
    engine = Engine(game.rules)
    position = parse_board("Stock: 2D 2H 2S\nAC AD AH AS 2C", game=game)
    assert brute_force(engine, position, limit=1_000) is False
    random = play_out(engine, position, policy_of("random", engine), Random(1))
    assert (random.won, random.stuck, len(random.moves)) == (False, False, 16)
    greedy = play_out(engine, position, policy_of("greedy", engine), Random(1))
    # Three cards are turned and the waste is turned over; that position was there before.
    assert (greedy.won, greedy.stuck, len(greedy.moves)) == (False, True, 3)


def test_a_deal_that_is_won_already_takes_no_move() -> None:
    game = game_of(Rules.model_validate(THREE_RANKS))
    position = parse_board("Foundations: C-3 D-3 H-3 S-3\nFC: -\n:\n:\n:\n:", game=game)
    for name in POLICIES:
        engine = Engine(game.rules)
        assert play_out(engine, position, policy_of(name, engine), Random(1)) == (True, (), False)


def test_an_unknown_policy_is_refused() -> None:
    with pytest.raises(InputError, match="'best' is no policy; there are random, greedy"):
        policy_of("best", Engine(resolve("storehouse").rules))


@pytest.mark.parametrize(("policy", "golden"), [("random", 159912703), ("greedy", 48901584)])
def test_plays_go_as_they_went_under_this_revision(policy: str, golden: int) -> None:
    """Whoever changes these sums raises ``REVISION``, since published rates change with them."""
    assert REVISION == 1
    total = 0
    for name in game_names():
        game = resolve(name)
        engine = Engine(game.rules)
        position = engine.settle(deal(game, numbering="lab", seed=7))
        data = encode_moves(play_out(engine, position, policy_of(policy, engine), Random(7)).moves)
        total += sum((index + 1) * value for index, value in enumerate(data))
    assert total == golden
