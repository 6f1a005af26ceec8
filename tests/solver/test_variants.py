"""Every variant of every game: a stricter one's win is a looser one's win, and so a looser one's loss a stricter's."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import pytest

from solitaire_lab.deals.dealing import deal_many
from solitaire_lab.deals.position import Position
from solitaire_lab.rules.catalog import Game, game_names, resolve
from solitaire_lab.rules.order import compare_strictness
from solitaire_lab.solver.solver import LEAST_MEMORY, Solver


def _games(name: str) -> list[Game]:
    game = resolve(name)
    return [game, *(resolve(name, variant=variant) for variant in game.variants)]


def _cards(position: Position) -> tuple[object, ...]:
    """Where the cards lie, whatever is face down."""
    cells = tuple(card for card in position.cells if card is not None)
    return position.foundations, position.tableau, position.reserve, cells, position.waste, position.stock


def check_variants(name: str, seeds: range, *, budget: int) -> int:
    """Compare the verdicts of all variants that are ordered and deal alike; return how many pairs were decided."""
    games = _games(name)
    deals = [list(deal_many(game, numbering="lab", seeds=seeds)) for game in games]
    outcomes: list[Sequence[str]] = []
    for game, positions in zip(games, deals, strict=True):
        solver = Solver(game.rules, memory=16 * LEAST_MEMORY)
        verdicts = [solver.solve(solver.engine.settle(position), budget=budget) for position in positions]
        outcomes.append([verdict.outcome for verdict in verdicts if verdict is not None])
    compared = 0
    for a, b in combinations(range(len(games)), 2):
        order = compare_strictness(games[a].rules, games[b].rules)
        if order == "incomparable":
            continue
        stricter, looser = (b, a) if order == "looser" else (a, b)
        for index, seed in enumerate(seeds):
            if _cards(deals[a][index]) != _cards(deals[b][index]):
                continue
            pair = outcomes[stricter][index], outcomes[looser][index]
            assert pair != ("win", "loss"), (name, games[stricter].variant, games[looser].variant, seed)
            assert order != "equal" or pair != ("loss", "win"), (name, seed)
            compared += "undecided" not in pair
    return compared


@pytest.mark.parametrize("name", game_names())
def test_a_stricter_win_is_a_looser_win(name: str) -> None:
    check_variants(name, range(1, 7), budget=1_000)


def test_some_variants_are_compared_at_all() -> None:
    assert check_variants("canfield", range(1, 21), budget=1_000) > 20


@pytest.mark.slow
@pytest.mark.parametrize("name", game_names())
def test_many_stricter_wins_are_looser_wins(name: str) -> None:
    check_variants(name, range(1, 151), budget=20_000)
