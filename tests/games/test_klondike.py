"""Klondike and Trigon: rules on small boards, brute force, lines of play counted twice."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from solitaire_lab.deals.dealing import deal
from solitaire_lab.engine.engine import Engine
from solitaire_lab.engine.moves import Move
from solitaire_lab.rules.catalog import resolve
from solitaire_lab.rules.order import compare_strictness
from tests.games.boards import moves_on, on_board
from tests.games.checks import check_by_brute_force, check_lines_of_play, outcome, small_deals

READINGS = ("klondike-draw-1", "klondike-no-return", "klondike-casino", "klondike-vegas", "trigon")


def shrink(random: Random) -> dict[str, Any]:
    columns = random.choice([2, 3, 3])
    return {
        "pack.ranks": random.choice([4, 4, 5]),
        "tableau.columns": columns,
        "tableau.layout": [random.randint(2, 5) for _ in range(columns)],
        "stock.turn": random.choice([1, 2, 3]),
    }


# --- rules ----------------------------------------------------------------------------------------------------------

FOUR_RANKS = {"pack.ranks": 4, "tableau.columns": 4}


def test_kings_go_to_spaces_runs_move_and_cards_come_back() -> None:
    """The 4 is the highest rank of this pack."""
    board = """
Foundations: C-2 D-2 H-0 S-A
Stock: 4C 3C
Waste: 3S AH 2H
<2S> 4S 3D
<3H> 4D
:
4H
"""
    assert moves_on("klondike", board, **FOUR_RANKS) == [
        "4S 3D from tableau:0 to tableau:2",
        "3D from tableau:0 to foundation:1",
        "4D from tableau:1 to tableau:2",
        "2C from foundation:0 to tableau:0",
        "4C 3C from stock to waste",
    ]


def test_any_part_of_a_run_moves_and_the_card_below_is_turned_up() -> None:
    board = """
Foundations: C-0 D-2 H-A S-A
Stock: 4D
Waste:
<AC> 4C 3D 2S
<4H> <2H> 3H
<3C> 4S
2C 3S
"""
    engine, position = on_board("klondike", board, **FOUR_RANKS)
    part = Move(0, 2, 2)
    assert engine.objection(position, part) is None
    after = engine.play(position, part)
    assert engine.objection(after, Move(0, 1, 1)) == "4C can't be built on 3H"
    emptied = engine.play(after, Move(1, 0, 1))
    assert (emptied.tableau[1], emptied.down[1]) == (position.tableau[1][:2], 1)


@pytest.mark.parametrize(
    ("name", "returning"),
    [("klondike", ["2C from foundation:0 to tableau:0"]), ("klondike-no-return", []), ("trigon", [])],
)
def test_worrying_back(name: str, returning: list[str]) -> None:
    board = """
Foundations: C-2 D-A H-2 S-A
Stock: 4C 3C
Waste: 2D 2S
<3S> 3D
<4D> 4S
:
<3H> 4H
"""
    listed = moves_on(name, board, **FOUR_RANKS)
    assert [text for text in listed if "from foundation" in text] == returning


def test_trigon_builds_in_suit() -> None:
    board = "Foundations: C-A D-A H-A S-A\nStock: 4D\nWaste:\n4C 3C\n4H 2H\n3D 3H\n2D 2C 4S 3S 2S\n"
    assert [text for text in moves_on("trigon", board, **FOUR_RANKS) if text.endswith(("tableau:1", "tableau:2"))] == [
        "2H from tableau:1 to tableau:2",
    ]


def test_how_often_the_stock_is_gone_through() -> None:
    for name, redeals in (("klondike", "unlimited"), ("klondike-three-passes", 2), ("klondike-vegas", 0)):
        assert resolve(name).rules.stock.redeals == redeals


@pytest.mark.parametrize(
    ("stricter", "looser"),
    [
        ("klondike-no-return", "klondike"),
        ("klondike-three-passes", "klondike"),
        ("klondike", "klondike-draw-1"),
        ("klondike-vegas", "klondike-casino"),
        ("klondike-casino", "klondike-draw-1"),
    ],
)
def test_wins_under_strict_rules_are_wins_under_looser_ones(stricter: str, looser: str) -> None:
    strict, loose = resolve(stricter), resolve(looser)
    assert compare_strictness(strict.rules, loose.rules) == "stricter"
    engine, wins = Engine(strict.rules), 0
    for seed in range(1, 16):
        position = engine.settle(deal(strict, numbering="lab", seed=seed))
        if outcome(strict.rules, position, budget=5_000) == "win":
            wins += 1
            assert outcome(loose.rules, position._replace(redeals_used=0), budget=10_000) != "loss"
    assert wins >= 2


# --- play -----------------------------------------------------------------------------------------------------------


def test_lines_of_play() -> None:
    check_lines_of_play("klondike")


def test_small_packs() -> None:
    counts = check_by_brute_force(small_deals("klondike", READINGS, shrink, range(120)), limit=400)
    assert min(counts["win"], counts["loss"]) >= 20, counts


@pytest.mark.slow
def test_many_small_packs() -> None:
    counts = check_by_brute_force(small_deals("klondike", READINGS, shrink, range(1_000, 2_000)), limit=1_000)
    assert min(counts["win"], counts["loss"]) >= 100, counts
