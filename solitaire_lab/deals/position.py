"""A position: where every card lies at one point of a game."""

from __future__ import annotations

from typing import NamedTuple

from solitaire_lab.cards import Card

Pile = tuple[Card, ...]


class Position(NamedTuple):
    """Where every card lies; piles are tuples of cards, bottom first unless said otherwise."""

    base: int
    """The base rank of the foundations, 1 to 13."""
    foundations: tuple[Pile, ...]
    tableau: tuple[Pile, ...]
    down: tuple[int, ...]
    """Face-down cards at the bottom of each column."""
    reserve: tuple[Pile, ...] = ()
    cells: tuple[Card | None, ...] = ()
    waste: Pile = ()
    stock: Pile = ()
    """The next card first."""
    redeals_used: int = 0
