"""Canfield, Superior Canfield and Chameleon: rules on small boards, brute force, lines of play counted twice."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from solitaire_lab.deals.dealing import deal
from solitaire_lab.deals.numberings import packs
from solitaire_lab.engine.engine import Engine
from solitaire_lab.engine.moves import STOCK, WASTE, Move
from solitaire_lab.rules.catalog import resolve
from tests.games.boards import moves_on, on_board
from tests.games.checks import check_by_brute_force, check_lines_of_play, outcome, small_deals

GAMES = ("canfield", "superior-canfield", "chameleon")
READINGS = {
    "canfield": ("canfield-solvitaire", "canfield-strict"),
    "superior-canfield": ("superior-canfield-run", "superior-canfield-whole"),
    "chameleon": ("chameleon-plus", "chameleon-run"),
}
FOUR_RANKS = {"pack.ranks": 4, "tableau.columns": 3, "reserve.size": 2}


def shrink(random: Random) -> dict[str, Any]:
    return {
        "pack.ranks": random.choice([4, 5, 5]),
        "tableau.columns": random.choice([1, 1, 1, 2]),
        "reserve.size": random.randint(3, 6),
        "stock.turn": random.choice([1, 3, 3]),
    }


# --- rules ----------------------------------------------------------------------------------------------------------

A_RUN_OF_THREE = """
Base: A
Foundations: C-A D-2 H-2 S-3
Reserve: 4D
Stock: 3C 4H
Waste:
4S 3H 2C
4C
3D
"""


@pytest.mark.parametrize(
    ("name", "from_the_run"),
    [
        ("canfield", ["2C from tableau:0 to tableau:2"]),
        ("superior-canfield", ["2C from tableau:0 to tableau:2"]),
        ("canfield-solvitaire", ["3H 2C from tableau:0 to tableau:1", "2C from tableau:0 to tableau:2"]),
        ("superior-canfield-run", ["3H 2C from tableau:0 to tableau:1", "2C from tableau:0 to tableau:2"]),
        ("canfield-strict", []),
        ("superior-canfield-whole", []),
    ],
)
def test_what_moves_from_column_to_column(name: str, from_the_run: list[str]) -> None:
    assert moves_on(name, A_RUN_OF_THREE, **FOUR_RANKS) == [
        *from_the_run,
        "2C from tableau:0 to foundation:0",
        "3D from tableau:2 to tableau:1",
        "3D from tableau:2 to foundation:1",
        "3C 4H from stock to waste",  # two are left of three
    ]


THE_BASE_IS_3 = """
Base: 3
Foundations: C-3 D-0 H-0 S-0
Reserve: {}AD AS
Stock: 4C 2C 4D 2D 3H AH 2H 3S
Waste: 4S 2S
3D
AC
4H
"""


@pytest.mark.parametrize(
    ("name", "hosts"), [("canfield", True), ("canfield-solvitaire", False), ("canfield-strict", False)]
)
def test_ranks_go_round_and_only_some_build_on_the_base_rank(name: str, hosts: bool) -> None:
    board = THE_BASE_IS_3.format("")
    assert moves_on(name, board, **FOUR_RANKS) == [
        "3D from tableau:0 to foundation:1",
        "4H from tableau:2 to tableau:1",
        "4C 2C 4D from stock to waste",
        *(["2S from waste to tableau:0"] if hosts else []),
    ]


def test_the_reserve_fills_a_space_at_once_but_not_in_superior_canfield() -> None:
    engine, position = on_board("canfield", THE_BASE_IS_3.format(""), **FOUR_RANKS)
    after = engine.play(position, Move(2, 1, 1))
    assert (len(after.tableau[2]), len(after.reserve[0])) == (1, 1)
    assert after.tableau[2] == position.reserve[0][-1:]

    engine, position = on_board("superior-canfield", THE_BASE_IS_3.format(""), **FOUR_RANKS)
    after = engine.play(position, Move(2, 1, 1))
    assert (after.tableau[2], after.reserve) == ((), position.reserve)
    into_the_space = [move.source for move in engine.legal_moves(after) if move.target == 2]
    assert into_the_space == [1, 96, WASTE]  # the top of a longer column, the reserve, the waste; no whole column


RESERVE_USED_UP = """
Base: A
Foundations: C-2 D-A H-A S-2
Reserve:
Stock:
Waste: 2H 3H
3S 2D
3C
:
3D
"""


@pytest.mark.parametrize(
    ("name", "fill"),
    [
        ("canfield", ["2D from tableau:0 to tableau:2", "3H from waste to tableau:2"]),
        ("canfield-strict", ["3H from waste to tableau:2"]),
    ],
)
def test_what_fills_a_space_once_the_reserve_is_used_up(name: str, fill: list[str]) -> None:
    listed = moves_on(name, RESERVE_USED_UP, **{"pack.ranks": 3, "tableau.columns": 4, "reserve.size": 2})
    assert [text for text in listed if text.endswith("to tableau:2")] == fill


LAST_CARD_OF_THE_STOCK = """
Base: A
Foundations: C-A D-0 H-0 S-0
Reserve: 2H 3H
Stock: AD
Waste: 2C 2S 2D AH AS
3C
3S
3D
"""


def test_the_used_up_stock_becomes_a_column_of_chameleon_plus() -> None:
    """A space like any other: the reserve fills it at once."""
    settings = {"pack.ranks": 3, "reserve.size": 2}
    for name, columns in (("chameleon", 3), ("chameleon-plus", 4)):
        engine, position = on_board(name, LAST_CARD_OF_THE_STOCK, **settings)
        after = engine.play(position, Move(STOCK, WASTE, 1))
        assert len(after.tableau) == columns
    assert after.tableau[3] == position.reserve[0][-1:]


@pytest.mark.parametrize(
    ("name", "columns", "reserve", "stock", "turn", "redeals"),
    [
        ("canfield", 4, 13, 34, 3, "unlimited"),
        ("superior-canfield", 4, 13, 34, 3, "unlimited"),
        ("chameleon", 3, 12, 36, 1, 0),
        ("chameleon-solvitaire", 3, 13, 36, 1, 0),
    ],
)
def test_layouts(name: str, columns: int, reserve: int, stock: int, turn: int, redeals: Any) -> None:
    rules = resolve(name).rules
    assert (rules.tableau.columns, rules.reserve.size, rules.stock_size) == (columns, reserve, stock)
    assert (rules.stock.turn, rules.stock.redeals) == (turn, redeals)


# --- deals ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seed", [1, 31_999, 32_000])
def test_dealt_as_pysol_deals_it(name: str, seed: int) -> None:
    """A base card, the reserve from the bottom, the columns from the right, the rest is the stock."""
    pack = packs("pysol", [seed], decks=1)[0].tolist()
    position = deal(resolve(name), numbering="pysol", seed=seed)
    reserve, columns = len(position.reserve[0]), len(position.tableau)
    assert [pile[0] for pile in position.foundations if pile] == [pack[0]]
    assert position.reserve == (tuple(pack[1 : reserve + 1]),)
    assert position.tableau == tuple((card,) for card in reversed(pack[reserve + 1 : reserve + columns + 1]))
    assert position.stock == tuple(pack[reserve + columns + 1 :])


# --- play -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_lines_of_play(name: str) -> None:
    check_lines_of_play(name)


@pytest.mark.parametrize("name", GAMES)
def test_small_packs(name: str) -> None:
    counts = check_by_brute_force(small_deals(name, READINGS[name], shrink, range(45)), limit=400)
    assert min(counts["win"], counts["loss"]) >= 5, counts


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_many_small_packs(name: str) -> None:
    counts = check_by_brute_force(small_deals(name, READINGS[name], shrink, range(1_000, 2_000)), limit=1_000)
    assert min(counts["win"], counts["loss"]) >= 100, counts


def test_wins_under_strict_rules_are_wins_under_looser_ones() -> None:
    strict, loose = resolve("canfield-strict"), resolve("canfield-solvitaire")
    engine = Engine(strict.rules)
    wins = 0
    for seed in range(1, 31):
        position = engine.settle(deal(strict, numbering="solvitaire", seed=seed))
        if outcome(strict.rules, position, budget=5_000) == "win":
            wins += 1
            assert outcome(loose.rules, position, budget=20_000) != "loss"
    assert wins >= 10
