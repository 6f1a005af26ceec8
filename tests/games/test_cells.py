"""FreeCell, Baker's Game and Seahaven Towers: rules on small boards, brute force, lines of play counted twice."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from solitaire_lab.deals.board import board_text
from solitaire_lab.deals.dealing import deal
from solitaire_lab.rules.catalog import resolve
from solitaire_lab.solver.solver import Solver
from tests.games.boards import moves_on
from tests.games.checks import check_by_brute_force, check_lines_of_play, outcome, small_deals

GAMES = ("freecell", "bakers-game", "seahaven-towers")
READINGS = {
    "freecell": ("freecell-relaxed", "freecell-pysol"),
    "bakers-game": ("bakers-game-kings", "bakers-game-pysol"),
    "seahaven-towers": ("seahaven-towers-relaxed", "seahaven-towers-pysol"),
}


def shrink(random: Random) -> dict[str, Any]:
    ranks, columns = random.choice([(3, 3), (3, 4), (4, 3), (4, 4)])
    cells = random.choice([0, 1, 1, 2])
    return {
        "pack.ranks": ranks,
        "tableau.columns": columns,
        "tableau.layout": "even",
        "cells.count": cells,
        "cells.filled": random.randint(0, min(cells, 1)),
    }


# --- rules ----------------------------------------------------------------------------------------------------------

BOARD = """
Foundations: C-2 D-A H-2 S-0
Freecells: - 4D
4S 3D
4C 2S
:
AS 2D 3H 4H 3C
3S
"""
FOUR_RANKS = {
    "pack.ranks": 4, "tableau.columns": 5, "tableau.layout": "even", "cells.count": 2, "cells.filled": 0
}  # fmt: skip


def test_freecell_moves_single_cards_and_none_comes_back() -> None:
    assert moves_on("freecell", BOARD, **FOUR_RANKS) == [
        "3D from tableau:0 to tableau:2",
        "3D from tableau:0 to cell:0",
        "2S from tableau:1 to tableau:0",
        "2S from tableau:1 to tableau:2",
        "2S from tableau:1 to cell:0",
        "3C from tableau:3 to tableau:2",
        "3C from tableau:3 to foundation:0",
        "3C from tableau:3 to cell:0",
        "3S from tableau:4 to cell:0",
        "4D from cell:1 to tableau:2",
    ]


def test_relaxed_freecell_moves_runs() -> None:
    board = BOARD.replace("4S 3D", "4H 4S 3D").replace("3H 4H 3C", "3H 3C")
    more = set(moves_on("freecell-relaxed", board, **FOUR_RANKS)) - set(moves_on("freecell", board, **FOUR_RANKS))
    assert more == {"4S 3D from tableau:0 to tableau:2"}


def test_cards_come_back_in_pysolfc() -> None:
    returning = set(moves_on("freecell-pysol", BOARD, **FOUR_RANKS)) - set(moves_on("freecell", BOARD, **FOUR_RANKS))
    assert returning == {
        "2C from foundation:0 to tableau:0",
        "2C from foundation:0 to tableau:2",
        "AD from foundation:1 to tableau:1",
        "AD from foundation:1 to tableau:2",
        "2H from foundation:2 to tableau:2",
        "2H from foundation:2 to tableau:3",
        "2H from foundation:2 to tableau:4",
    }


@pytest.mark.parametrize(
    ("name", "to_the_space"),
    [
        ("bakers-game", ["3D", "2S", "3C", "4D"]),
        ("bakers-game-kings", ["4D"]),
        ("seahaven-towers", ["4D"]),
    ],
)
def test_columns_in_suit_and_who_fills_a_space(name: str, to_the_space: list[str]) -> None:
    listed = moves_on(name, BOARD, **FOUR_RANKS)
    assert [text[:2] for text in listed if text.endswith("to tableau:2")] == to_the_space
    built = [text for text in listed if text.endswith(("tableau:0", "tableau:1", "tableau:3", "tableau:4"))]
    assert built == ["2S from tableau:1 to tableau:4"]


# --- deals ----------------------------------------------------------------------------------------------------------

MICROSOFT_1 = """
JD KD 2S 4C 3S 6D 6S
2D KC KS 5C TD 8S 9C
9H 9S 9D TS 4S 8D 2H
JC 5S QD QH TH QS 6H
5D AD JS 4H 8H 6C
7H QC AS AC 2C 3D
7C KH AH 4D JH 8C
5H 3H 3C 7S 7D TC
"""

LOST = [11982, 146692, 186216, 455889, 495505, 512118, 517776, 781948]
"""All lost deals among Microsoft's first million, as several programs found (FreeCell FAQ, solitairelaboratory.com)."""


def test_microsofts_deal_number_1() -> None:
    game = resolve("freecell")
    text = board_text(deal(game, numbering="microsoft", seed=1), game=game)
    assert text.splitlines()[2:] == MICROSOFT_1.split("\n")[1:-1]


@pytest.mark.parametrize("seed", LOST)
def test_lost_deals_of_microsoft(seed: int) -> None:
    game = resolve("freecell")
    verdict = Solver(game.rules).solve(deal(game, numbering="microsoft", seed=seed), budget=200_000)
    assert verdict is not None
    assert verdict.outcome == "loss"


def test_more_cells_never_hurt() -> None:
    wins = 0
    for seed in range(1, 13):
        found = {}
        for name in ("freecell-1-cell", "freecell-2-cells", "freecell-3-cells"):
            game = resolve(name)
            found[name] = outcome(game.rules, deal(game, numbering="lab", seed=seed), budget=10_000)
        if found["freecell-1-cell"] == "win":
            wins += 1
            assert "loss" not in found.values()
        if found["freecell-3-cells"] == "loss":
            assert "win" not in found.values()
    assert wins >= 1


# --- play -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_lines_of_play(name: str) -> None:
    check_lines_of_play(name)


@pytest.mark.parametrize("name", GAMES)
def test_small_packs(name: str) -> None:
    counts = check_by_brute_force(small_deals(name, READINGS[name], shrink, range(60)), limit=400)
    assert min(counts["win"], counts["loss"]) >= 10, counts


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_many_small_packs(name: str) -> None:
    counts = check_by_brute_force(small_deals(name, READINGS[name], shrink, range(1_000, 2_000)), limit=1_000)
    assert min(counts["win"], counts["loss"]) >= 100, counts
