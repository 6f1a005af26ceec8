"""Deals that other programs number: layouts of PySolFC, verdicts and shares of Solvitaire."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from solitaire_lab.cards import card_text, rank_of
from solitaire_lab.deals.board import parse_board
from solitaire_lab.deals.dealing import deal, deal_many
from solitaire_lab.deals.numberings import packs
from solitaire_lab.engine.engine import Engine
from solitaire_lab.rules.catalog import resolve
from solitaire_lab.solver.solver import Solver
from tests.games.checks import outcome

# --- PySolFC --------------------------------------------------------------------------------------------------------

LAYOUTS = (Path(__file__).parents[1] / "data" / "pysol_cards_layouts.txt").read_text(encoding="utf-8").split("\n\n")


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.partition("\n")[0])
def test_layouts_of_pysolfc(layout: str) -> None:
    """In Seahaven Towers it fills the two cells in the middle, which are alike."""
    title, _, board = layout.partition("\n")
    name, seed = title.split()
    game = resolve(name)
    if name == "seahaven-towers":
        board = board.replace("Freecells: - ", "Freecells: ")
    theirs = parse_board(board, game=game)
    assert deal(game, numbering="pysol", seed=int(seed)) == theirs


# --- Solvitaire -----------------------------------------------------------------------------------------------------


def test_the_sample_of_solvitaires_readme() -> None:
    """Klondike seed 1 shows these tops and can't be won."""
    game = resolve("klondike")
    position = deal(game, numbering="solvitaire", seed=1)
    assert [card_text(column[-1]) for column in position.tableau] == ["9D", "AS", "JC", "6D", "JH", "AH", "JD"]
    assert outcome(game.rules, position, budget=1_000_000) == "loss"


@pytest.mark.parametrize(
    ("name", "seed", "verdict"),
    [
        ("bakers-game", 1733, "win"),
        ("bakers-game", 155, "loss"),
        ("canfield-solvitaire", 1000237, "win"),
        ("canfield-solvitaire", 1000225, "loss"),
        ("fan-solvitaire", 172, "win"),
        ("fan-solvitaire", 82, "loss"),
        ("freecell-2-cells", 582, "win"),
        ("freecell-2-cells", 902, "loss"),
        ("klondike", 699325, "win"),
        ("klondike", 886399, "loss"),
        ("trigon", 290781, "win"),
    ],
)
def test_verdicts_of_solvitaires_tests(name: str, seed: int, verdict: str) -> None:
    """Seeds that the tests of ReSolvitaire (a fork) name as winnable and unwinnable."""
    game = resolve(name)
    position = Engine(game.rules).settle(deal(game, numbering="solvitaire", seed=seed))
    assert outcome(game.rules, position, budget=3_000_000) == verdict


@pytest.mark.parametrize("name", ["canfield", "canfield-solvitaire", "canfield-strict"])
def test_canfields_of_solvitaire_begin_with_the_first_card(name: str) -> None:
    pack = packs("solvitaire", [7], decks=1)[0].tolist()
    position = deal(resolve(name), numbering="solvitaire", seed=7)
    assert position.base == rank_of(pack[0])
    assert position.stock == tuple(pack[-34:])
    assert position.reserve == (tuple(reversed(pack[5:18])),)
    assert position.tableau == tuple((card,) for card in reversed(pack[1:5]))


def test_filled_cells_of_solvitaire_are_dealt_first() -> None:
    pack = packs("solvitaire", [7], decks=1)[0].tolist()[::-1]
    position = deal(resolve("seahaven-towers"), numbering="solvitaire", seed=7)
    assert position.cells == (*pack[:2], None, None)
    assert position.tableau == tuple(tuple(pack[column + 2 :: 10]) for column in range(10))


def test_simple_simon_of_solvitaire_is_dealt_from_right_to_left() -> None:
    """Its rows fill from the right and each skips one column more; ours are its columns in mirror image."""
    pack = packs("solvitaire", [7], decks=1)[0].tolist()[::-1]
    columns: list[list[int]] = [[] for _ in range(10)]
    row = 0
    while pack:
        for column in range(9, row - 1, -1):
            if pack:
                columns[column].append(pack.pop(0))
        row += 1
    position = deal(resolve("simple-simon"), numbering="solvitaire", seed=7)
    assert position.tableau == tuple(map(tuple, reversed(columns)))


def test_single_cards_are_what_solvitaires_simple_simon_lets_up() -> None:
    """As shipped it wins 197 of its deals 1 to 200 and loses 3; with whole suits, as described, far more are lost."""
    found = {name: simple_simon(name, seeds=range(1, 201)) for name in ("simple-simon-single-cards", "simple-simon")}
    assert found["simple-simon-single-cards"] == {"win": 197, "loss": 3}
    assert found["simple-simon"]["loss"] >= 8


def simple_simon(name: str, *, seeds: range) -> Counter[str]:
    game = resolve(name)
    solver = Solver(game.rules)
    found: Counter[str] = Counter()
    for position in deal_many(game, numbering="solvitaire", seeds=seeds):
        verdict = solver.solve(position, budget=20_000)
        assert verdict is not None
        found[verdict.outcome] += 1
    return found
