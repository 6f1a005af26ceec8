"""Deals of PySolFC: its recorded positions lie on deals of its first ten numbers, as our game files deal them."""

from __future__ import annotations

import pytest

from solitaire_lab.deals.dealing import deal_many
from solitaire_lab.deals.layout import read_layout
from solitaire_lab.deals.position import Position
from solitaire_lab.rules.catalog import resolve
from tests.engine.test_recorded_positions import kind_of, recorded

GAMES = {
    "storehouse": 100,
    "shamrocks-pysol": 57,
    "shamrocks-ii": 714,
    "how-they-run-pysol": 544,
    "three-blind-mice": 305,
    "farmers-wife": 543,
    "scorpion": 29,
    "applegate": 382,
    "wood-pysol": 582,
    "blondes-and-brunettes": 137,
    "spider": 11,
}
"""PySolFC's number of each game."""


def cards_in_place(dealt: Position, position: Position) -> int:
    """How many cards still lie where they were dealt."""
    piles = [
        *zip(dealt.tableau, position.tableau, strict=True),
        *zip(dealt.reserve, position.reserve, strict=True),
        (dealt.stock[::-1], position.stock[::-1]),
    ]
    return sum(card == other for ours, theirs in piles for card, other in zip(ours, theirs, strict=False))


@pytest.mark.parametrize("name", GAMES)
def test_recorded_positions_lie_on_deals_of_small_numbers(name: str) -> None:
    """Some of the recorded games were dealt from the numbers 1 to 10, not said which, and are not far from the start.

    By chance a position has five cards where a deal has them, hardly ever more.
    """
    game = resolve(name)
    deals = list(deal_many(game, numbering="pysol", seeds=range(1, 11)))
    kinds = [record for record in recorded() if kind_of(record)[0] == GAMES[name]]
    layouts = [{key: value for key, value in record["position"].items() if key != "game"} for record in kinds]
    alike = [
        max(cards_in_place(dealt, position) for dealt in deals)
        for position in (read_layout(layout, game.rules) for layout in layouts)
    ]
    assert max(alike) >= 14, alike
