"""How a search goes about the deals of a game: its phases, and what looks promising to it.

None of this can make a verdict wrong; it decides how many nodes a verdict takes. It follows from the rules alone, so
that a row depends on nothing else.
"""

from __future__ import annotations

from typing import NamedTuple

from solitaire_lab.rules.model import Rules
from solitaire_lab.solver.evaluate import LAYERINGS
from solitaire_lab.solver.prunings import natural_columns

BEST_FIRST, DEPTH_FIRST = "best-first", "depth-first"


class Phase(NamedTuple):
    """One search of a deal's portfolio: it ends undecided after ``quota`` nodes of its own, if that is not None."""

    name: str
    quota: int | None


class Strategy(NamedTuple):
    """What a search does for a game."""

    phases: tuple[Phase, ...]
    weights: dict[str, int]
    """What each of ``evaluate.FEATURES`` adds to a position's value, low values looking better."""
    layering: str
    """Which of ``evaluate.LAYERINGS`` sets kinds of progress apart."""
    shortens: bool
    """Whether winning lines are shortened; where nothing but needed moves is searched it would only take time."""


_BOTH = (Phase(BEST_FIRST, 2_000_000), Phase(DEPTH_FIRST, None))


def strategy_of(rules: Rules) -> Strategy:
    """The strategy for a game.

    Where columns are natural there is so little to search that the order does not matter, and depth-first search has
    the least to do for a node. Elsewhere best-first search goes first: it finds wins in fewer nodes, and exhausts what
    is small enough; depth-first search, which stores less for a position, goes on with the rest.
    """
    if natural_columns(rules):
        return Strategy((Phase(DEPTH_FIRST, None),), {}, "none", shortens=False)
    weights, layering = _outlook(rules)
    assert layering in LAYERINGS
    return Strategy(_BOTH, weights, layering, shortens=True)


def _outlook(rules: Rules) -> tuple[dict[str, int], str]:
    """Weights and layering by what a game is about."""
    if rules.foundations.build in ("run", "alternating-run", "none"):
        if rules.tableau.moves == "group":
            weights = {"not_up": 3, "off_suit": 10, "cells": 30, "down": 10, "columns": 2}
        else:
            weights = {"not_up": 3, "off_suit": 10, "unjoined": 10, "columns": 5, "down": 10, "talon": 1}
        return weights, "unjoined"
    if rules.tableau.moves == "group":
        return {"not_up": 4, "unjoined": 4, "down": 10, "blockers": 2, "depth": 1}, "unjoined"
    if rules.cells.count:
        return {"not_up": 4, "blockers": 4, "depth": 2, "cells": 4, "columns": 2}, "not_up"
    if rules.tableau.capacity != "unlimited":
        return {"not_up": 20, "blockers": 4, "depth": 2, "spread": 3}, "not_up"
    if rules.stock.turn and rules.stock.redeals != "unlimited":
        return {"not_up": 2, "waste": 15, "reserve": 39, "spread": 1, "columns": 3, "redeals": 50}, "not_up"
    if rules.reserve.piles:
        return {"not_up": 4, "reserve": 8, "blockers": 1, "talon": 2, "spread": 1}, "undealt"
    if rules.stock.turn:
        return {"not_up": 3, "down": 10, "blockers": 2, "depth": 1, "talon": 1}, "undealt"
    return {"not_up": 4, "blockers": 4, "depth": 2}, "unjoined"
