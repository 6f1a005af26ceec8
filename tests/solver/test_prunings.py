"""Prunings change no verdict: brute force by the engine, and the kernel with and without each of them."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from brute import brute_force
from families import family_deal
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from play import game_of
from strategies import rules_strategy

from solitaire_lab.cards import parse_card
from solitaire_lab.deals.dealing import deal
from solitaire_lab.deals.position import Position
from solitaire_lab.engine.engine import Engine
from solitaire_lab.rules.model import Rules
from solitaire_lab.solver.prunings import prunings_of
from solitaire_lab.solver.record import (
    COLOUR_TWINS,
    DEAD_ENDS,
    EQUAL_PILES,
    LAZY_ROOTS,
    NATURAL_COLUMNS,
    NATURAL_JOINS,
    NO_RETURNS,
    ROOTS_STAY,
    SAFE_FOUNDATION,
    STOCK_AT_WILL,
    TWIN_HOSTS,
)
from solitaire_lab.solver.solver import LEAST_MEMORY, Solver

ALL_PRUNINGS = (
    EQUAL_PILES,
    STOCK_AT_WILL,
    SAFE_FOUNDATION,
    NATURAL_COLUMNS,
    TWIN_HOSTS,
    NO_RETURNS,
    DEAD_ENDS,
    NATURAL_JOINS,
    COLOUR_TWINS,
    ROOTS_STAY,
    LAZY_ROOTS,
)
MEMORY = 8 * LEAST_MEMORY
BUDGET = 50_000


def outcome(rules: Rules, position: Position, prunings: int | None) -> str:
    verdict = Solver(rules, memory=MEMORY, prunings=prunings).solve(position, budget=BUDGET)
    assert verdict is not None
    return verdict.outcome


def check_by_brute_force(seeds: range, *, limit: int) -> dict[str, int]:
    """Compare verdicts with brute force; count the verdicts that were compared."""
    counts = {"win": 0, "loss": 0, "undecided": 0}
    for seed in seeds:
        rules, position = family_deal(seed)
        winnable = brute_force(Engine(rules), position, limit=limit)
        if winnable is not None:
            expected = "win" if winnable else "loss"
            found = outcome(rules, position, None)
            assert found in (expected, "undecided"), (seed, rules)
            counts[found] += 1
    return counts


def check_switched_off(seeds: range) -> dict[tuple[int, str], int]:
    """Compare verdicts with all prunings and with one less, and with none; count the losses of each comparison."""
    counts: dict[tuple[int, str], int] = {}
    for seed in seeds:
        rules, position = family_deal(seed)
        held = prunings_of(rules)
        pruned = outcome(rules, position, held)
        if pruned == "undecided":
            continue  # Nothing contradicts that, and it is here that searches take long.
        for off in (*ALL_PRUNINGS, held):
            if off & held:
                found = outcome(rules, position, held & ~off)
                assert found in (pruned, "undecided"), (seed, off, rules)
                counts[off & held, found] = counts.get((off & held, found), 0) + 1
    return counts


def test_small_packs_by_brute_force() -> None:
    counts = check_by_brute_force(range(300), limit=400)
    assert min(counts["win"], counts["loss"]) > 50 > 10 * counts["undecided"], counts


def test_small_packs_with_and_without_each_pruning() -> None:
    counts = check_switched_off(range(1_800))
    for pruning in ALL_PRUNINGS:
        assert min(counts.get((pruning, found), 0) for found in ("win", "loss")) > 5, counts


@pytest.mark.parametrize(
    ("rules", "position"),
    [
        # A passenger of a group finds room to host: 2H comes down with 3H and takes AH, where columns hold five.
        (
            {
                "pack": {"ranks": 3},
                "tableau": {"columns": 5, "layout": [3, 1, 3, 5, 0], "build": "suit", "moves": "group", "capacity": 5},
                "spaces": {"after": "none"},
            },
            Position(1, ((),) * 4, ((0, 13, 14), (28,), (1, 41, 27), (2, 40, 26, 39, 15), ()), (0,) * 5),
        ),
        # With kings on aces a run may hold two cards of one rank, and twin hosts may lie on each other.
        (
            {
                "pack": {"ranks": 5},
                "foundations": {"wrap": True},
                "tableau": {"columns": 3, "layout": 4, "build": "colour", "moves": "run", "wrap": "on"},
                "spaces": {"after": "none"},
                "stock": {"turn": 1, "redeals": 1},
            },
            Position(
                1,
                ((),) * 4,
                ((4, 1, 2, 40), (29, 13, 42, 17), (41, 0, 16, 43)),
                (0,) * 3,
                stock=(27, 26, 39, 14, 28, 30, 3, 15),
            ),
        ),
        # A reserve card goes from its space to a cell, and makes room for the next one.
        (
            {
                "pack": {"ranks": 3},
                "tableau": {"columns": 1, "layout": [6], "build": "none", "moves": "run"},
                "spaces": {"while_reserve": "auto", "after": "king"},
                "reserve": {"piles": 1, "size": 6},
                "cells": {"count": 3},
            },
            Position(
                1, ((),) * 4, ((28, 13, 40, 26, 39, 0),), (0,), reserve=((1, 27, 14, 41, 2, 15),), cells=(None,) * 3
            ),
        ),
        # Reserve cards that may only go up don't join columns.
        (
            {
                "pack": {"ranks": 3},
                "tableau": {"columns": 4, "layout": [3, 3, 2, 2], "build": "suit", "moves": "group"},
                "spaces": {"after": "king"},
                "reserve": {"piles": 2, "size": 1, "to": "foundation"},
            },
            Position(1, ((),) * 4, ((14, 1, 15), (41, 39, 28), (26, 13), (0, 40)), (0,) * 4, reserve=((27,), (2,))),
        ),
        # A king's short run is needed in the cell, so that another king gets its column: joining it comes too early.
        (
            {
                "pack": {"ranks": 2},
                "foundations": {"build": "none"},
                "tableau": {
                    "columns": 4,
                    "layout": [2, 2, 2, 1],
                    "down": [0, 0, 1, 0],
                    "build": "suit",
                    "moves": "group",
                },
                "spaces": {"after": "king"},
                "cells": {"count": 1, "filled": 1},
            },
            Position(1, (), ((13, 0), (26, 27), (39, 14), (1,)), (0, 0, 1, 0), cells=(40,)),
        ),
        (
            {
                "pack": {"ranks": 3},
                "foundations": {"build": "none"},
                "tableau": {
                    "columns": 4,
                    "layout": [3, 3, 3, 3],
                    "down": [0, 0, 0, 2],
                    "build": "suit",
                    "moves": "group",
                },
                "spaces": {"after": "king"},
                "cells": {"count": 1},
            },
            Position(1, (), ((28, 39, 27), (2, 41, 40), (15, 1, 26), (14, 0, 13)), (0, 0, 0, 2), cells=(None,)),
        ),
        # Kings on aces: a two, or a three in alternating colour, is a host as long as some ace that fits is not up.
        (
            {
                "pack": {"ranks": 4},
                "foundations": {"wrap": True},
                "tableau": {"columns": 3, "layout": "even", "build": "alternating", "wrap": "on", "moves": "run"},
                "spaces": {"after": "waste"},
                "reserve": {"piles": 1, "size": 2},
                "cells": {"count": 1},
                "stock": {"turn": 2, "redeals": "unlimited"},
            },
            Position(
                1,
                ((),) * 4,
                ((28, 40, 15, 41, 0), (13, 39, 42, 3, 27), (29, 2, 16, 14)),
                (0,) * 3,
                reserve=((1, 26),),
                cells=(None,),
            ),
        ),
        # A card must come back though all but one level below it are up.
        (
            {
                "pack": {"ranks": 4},
                "foundations": {"placed": "all", "build": "alternating", "wrap": True, "return": "on"},
                "tableau": {"columns": 3, "layout": 2, "build": "alternating"},
                "spaces": {"after": "waste"},
                "reserve": {"piles": 1, "size": 5, "to": "foundation"},
                "stock": {"turn": 1},
            },
            Position(
                1,
                ((0,), (13,), (26,), (39,)),
                ((28, 1), (14, 40), (16, 29)),
                (0,) * 3,
                reserve=((27, 41, 2, 15, 42),),
                stock=(3,),
            ),
        ),
        # Foundations alternate, but columns are built in suit, so suits of one colour are not one.
        (
            {
                "pack": {"ranks": 4},
                "foundations": {"placed": "all", "build": "alternating", "wrap": True},
                "tableau": {"columns": 2, "layout": 3, "build": "suit"},
                "spaces": {"after": "waste"},
                "reserve": {"piles": 1, "size": 1, "to": "foundation"},
                "stock": {"turn": 1},
            },
            Position(
                1,
                ((0,), (13,), (26,), (39,)),
                ((1, 28, 3), (16, 14, 15)),
                (0, 0),
                reserve=((41,),),
                stock=(2, 40, 42, 29, 27),
            ),
        ),
        # A king may leave with a run, but stays and hosts when the run has another king.
        (
            {
                "pack": {"ranks": 2},
                "foundations": {"build": "alternating-run"},
                "tableau": {"columns": 3, "layout": [2, 2, 1], "build": "alternating", "moves": "run"},
                "spaces": {"while_reserve": "auto", "after": "king"},
                "reserve": {"piles": 1, "size": 1},
                "stock": {"turn": 1},
            },
            Position(1, ((),) * 4, ((27, 39), (0, 1), (40,)), (0,) * 3, reserve=((26,),), stock=(13, 14)),
        ),
        # A reserve king that leaves its space with a run frees it, though all of the run had left its place before.
        (
            {
                "pack": {"ranks": 2},
                "foundations": {"build": "alternating-run"},
                "tableau": {"columns": 1, "layout": 2, "build": "alternating", "moves": "run"},
                "spaces": {"while_reserve": "auto", "after": "king"},
                "reserve": {"piles": 1, "size": 3},
                "stock": {"turn": 1},
            },
            Position(1, ((),) * 4, ((27, 39),), (0,), reserve=((1, 40, 14),), stock=(0, 26, 13)),
        ),
        # Rows are dealt to columns that have no room to build.
        (
            {
                "pack": {"ranks": 2},
                "foundations": {"build": "alternating-run"},
                "tableau": {"columns": 4, "layout": 1, "build": "alternating", "moves": "run", "capacity": 1},
                "spaces": {"after": "king"},
                "stock": {"row": 4},
            },
            Position(1, ((),) * 4, ((1,), (14,), (27,), (40,)), (0,) * 4, stock=(26, 39, 0, 13)),
        ),
        # Of two equal cards the one that can go up lies on nothing that is needed, but the other one must go up.
        (
            {
                "pack": {"ranks": 2, "suits": 2},
                "tableau": {"columns": 5, "layout": [2, 1, 4, 0, 1], "build": "none", "moves": "single"},
                "spaces": {"after": "none"},
            },
            Position(1, ((),) * 4, ((40, 27), (39,), (39, 40, 27, 26), (), (26,)), (0,) * 5),
        ),
        # Twos go up by themselves from the leftmost column that has one, so it matters which space a two fills.
        (
            {
                "pack": {"decks": 2, "ranks": 2},
                "foundations": {"autoplay": "forced"},
                "tableau": {"columns": 4, "layout": [0, 2, 0, 12], "build": "none"},
                "spaces": {"after": "waste"},
                "stock": {"turn": 2},
            },
            Position(
                1,
                ((0, 1), (0, 1), (13, 14), (13, 14), (26, 27), (26, 27), (), ()),
                ((), (39, 40), (), ()),
                (0,) * 4,
                stock=(39, 40),
            ),
        ),
    ],
)
def test_deals_that_wrong_prunings_lost(rules: dict[str, Any], position: Position) -> None:
    """All can be won, as brute force shows; wrong forms of prunings call them lost, or win with illegal moves."""
    model = Rules.model_validate(rules)
    assert brute_force(Engine(model), position, limit=200_000)
    assert outcome(model, position, None) == "win"


def test_a_card_may_be_needed_though_all_suits_have_its_rank() -> None:
    """Fans built both ways: playing up every card whose rank all other suits have reached loses this deal."""
    fans = ["AS", "5D 5H 2D", "4S 2H 3H", "3D 2S 3S", "4D 4H 5S", "", ""]
    rules = Rules.model_validate(
        {
            "pack": {"ranks": 5},
            "tableau": {"columns": 7, "layout": [3] * 6 + [2], "build": "any", "direction": "both", "capacity": 3},
            "spaces": {"after": "none"},
        }
    )
    piles = tuple(tuple(map(parse_card, fan.split())) for fan in fans)
    up = ((0, 1, 2, 3, 4), (13,), (26,), ())
    position = Position(1, up, piles, (0,) * 7)
    assert brute_force(Engine(rules), position, limit=200_000)
    assert outcome(rules, position, None) == "win"


@pytest.mark.slow
def test_thousands_of_small_packs_by_brute_force() -> None:
    check_by_brute_force(range(10_000, 14_000), limit=3_000)


@pytest.mark.slow
def test_many_small_packs_with_and_without_each_pruning() -> None:
    check_switched_off(range(10_000, 30_000))


@settings(suppress_health_check=[HealthCheck.too_slow], max_examples=200)
@given(rules=rules_strategy(max_ranks=3), seed=st.integers(0, 2**64 - 1))
def test_any_rules_by_brute_force(rules: Rules, seed: int) -> None:
    engine = Engine(rules)
    position = engine.settle(deal(game_of(rules), numbering="lab", seed=seed))
    winnable = brute_force(engine, position, limit=300)
    if winnable is not None:
        assert outcome(rules, position, None) in ("undecided", "win" if winnable else "loss")


@pytest.mark.parametrize("columns", [3, 4])
def test_cards_turned_one_by_one_for_ever_change_no_verdict(columns: int) -> None:
    """All sizes of the waste count as one there: a child may be taken for met before its waste card is forced up."""
    rules = Rules.model_validate(
        {
            "pack": {"ranks": 5},
            "tableau": {"columns": columns, "layout": 12 // columns, "build": "alternating", "moves": "run"},
            "spaces": {"after": "none"},
            "stock": {"turn": 1, "redeals": "unlimited"},
        }
    )
    outcomes: Counter[str] = Counter()
    for seed in range(1, 121):
        position = Engine(rules).settle(deal(game_of(rules), numbering="lab", seed=seed))
        found = [
            Solver(rules, memory=LEAST_MEMORY, prunings=prunings).solve(position, budget=100_000)
            for prunings in (prunings_of(rules), 0)
        ]
        assert found[0] is not None
        assert found[1] is not None
        if "undecided" not in (found[0].outcome, found[1].outcome):
            assert found[0].outcome == found[1].outcome, seed
            outcomes[found[0].outcome] += 1
    assert min(outcomes["win"], outcomes["loss"]) > 5, outcomes
