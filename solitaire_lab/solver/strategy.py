"""How a search goes about the deals of a game: its phases, and what looks promising to it.

None of this can make a verdict wrong; it decides how many nodes a verdict takes. It follows from the rules alone, so
that a row depends on nothing else.
"""

from __future__ import annotations

from typing import NamedTuple

from solitaire_lab.rules.model import Rules
from solitaire_lab.solver.evaluate import LAYERINGS, TURNS
from solitaire_lab.solver.in_suit import natural_columns
from solitaire_lab.solver.prunings import safe_chains
from solitaire_lab.solver.record import MOST_MEMBERS, STOCK_AT_WILL

BEST_FIRST, DEPTH_FIRST = "best-first", "depth-first"


class Phase(NamedTuple):
    """One search of a deal's portfolio: it ends undecided after ``quota`` nodes of its own, if that is not None."""

    name: str
    quota: int | None
    weights: dict[str, int] | None = None
    layering: str | None = None
    """Other weights and another layering than the strategy's."""
    without: int = 0
    """Prunings, bits of ``record``, that this phase does without."""


class Strategy(NamedTuple):
    """What a search does for a game."""

    phases: tuple[Phase, ...]
    weights: dict[str, int]
    """What each of ``evaluate.FEATURES`` adds to a position's value, low values looking better."""
    layering: str
    """Which of ``evaluate.LAYERINGS`` sets kinds of progress apart."""
    turns: str
    """Which of ``evaluate.TURNS`` says how the search goes about the layers."""
    members: int
    """The most positions that best-first search expands as one node, up to ``MOST_MEMBERS``; see ``classes.py``."""
    shortens: bool
    """Whether winning lines are shortened; where nothing but needed moves is searched it would only take time."""


_BOTH = (Phase(BEST_FIRST, 2_000_000), Phase(DEPTH_FIRST, None))
_BY_RUNS = (Phase(DEPTH_FIRST, 100), Phase(BEST_FIRST, 20_000), Phase(DEPTH_FIRST, None))
"""Where groups move and suits leave as whole runs. Most deals that are won are won in 100 nodes, and best-first search
wins hardly any of the others late; of what is left most are lost, and both searches take as many nodes to prove that,
depth-first search half the time. With ``_BOTH`` 204 deals of How They Run (seeds 1,002,001 to 1,002,204, 1,000,000
nodes each) took 15,946 nodes and 0.124 seconds in the mean, with these 16,273 and 0.062; one stayed open either way."""

_UNCOVERED = {"unjoined": 10, "off_suit": 1, "depth": 3, "down": 3, "reserve": 2, "buried": 3, "kings": 3}
_SPACED = {"unjoined": 10, "depth": 3, "down": 3, "reserve": 2, "columns": 10, "kings": 2}
_BY_ALTERNATING_RUNS = (
    *(Phase(BEST_FIRST, 20_000, weights) for weights in (None, _UNCOVERED, _SPACED)),
    *(Phase(BEST_FIRST, 60_000, weights) for weights in (_UNCOVERED, _SPACED)),
    *_BOTH,
)
"""Where groups move and runs in alternating colours leave. Of 20 deals of Farmer's Wife that 100,000 nodes with its
own weights leave open (of seeds 1,000,401 to 1,000,992) ``_UNCOVERED`` wins 8 in 60,000 nodes, six of them in
15,000, and ``_SPACED`` another 3."""

_DIVE = (Phase(DEPTH_FIRST, 200), *_BOTH)
"""Where groups move and single cards go up, or a stock is turned as often as one likes: depth-first search wins some
deals at once that best-first search does not win soon. 300 deals of Yukon (seeds 1,002,001 to 1,002,300, 1,000,000
nodes each) took 24,757 nodes in the mean with ``_BOTH``, 21,059 with these; at 100,000 nodes 12 and 10 were open. 400
deals of Klondike took 35,754 and 35,721."""

_SHORT_WASTE = {"not_up": 2, "waste": 15, "waste_low": 1, "waste_under": 2, "reserve": 30, "spread": 1, "columns": 5}
_LOW_UP = {"not_up": 3, "waste": 22, "waste_blockers": 5, "reserve": 30, "spread": 1, "columns": 5, "lowest": 4}
_RESERVE_OUT = {**_SHORT_WASTE, "waste": 22, "waste_under": 1, "reserve": 60, "lowest": 4}
_BY_STAGES = (
    Phase(BEST_FIRST, 10_000, without=STOCK_AT_WILL),
    Phase(BEST_FIRST, 10_000),
    Phase(BEST_FIRST, 100_000, without=STOCK_AT_WILL),
    Phase(BEST_FIRST, 100_000, _LOW_UP, without=STOCK_AT_WILL),
    Phase(BEST_FIRST, 90_000, _RESERVE_OUT, without=STOCK_AT_WILL),
    Phase(BEST_FIRST, 60_000, _SHORT_WASTE, without=STOCK_AT_WILL),
    Phase(BEST_FIRST, 60_000, {**_SHORT_WASTE, "waste": 8}, without=STOCK_AT_WILL),
    Phase(BEST_FIRST, 90_000, {**_LOW_UP, "reserve": 15}, without=STOCK_AT_WILL),
    Phase(BEST_FIRST, 60_000, {**_RESERVE_OUT, "waste": 15, "waste_under": 2}, without=STOCK_AT_WILL),
    Phase(BEST_FIRST, 40_000, _LOW_UP),
    Phase(BEST_FIRST, 200_000, _SHORT_WASTE, without=STOCK_AT_WILL),
    Phase(BEST_FIRST, 2_000_000, without=STOCK_AT_WILL),
    Phase(DEPTH_FIRST, None),
)
"""Where ``by_stages`` holds. Of 300 deals of Wood (seeds 1,000,201 to 1,000,500) 27 were open after the first phase,
19 after as many nodes more of the same, but 10 after the second one, whose nodes take six times as long.

The later phases have other weights, as in ``_BY_TURNS``, and are short: of 38 deals that the first two leave open (of
seeds 1,000,101 to 1,001,200, without those proved lost) 100,000 nodes with the strategy's own weights win 21, 19 of
them within 62,000. Of 15 that these and ``_LOW_UP`` leave open, of 100,000 nodes each, the next ones win 8, none of
them alone more than 4."""
_JOINED = {"not_up": 5, "blockers": 5, "depth": 1, "spread": 1, "unjoined": 5, "off_suit": 6, "buried": 6}
_UNBURIED = {**_JOINED, "off_suit": 3, "buried": 12}
_EVEN = {"not_up": 20, "blockers": 2, "depth": 5, "spread": 6, "lowest": 8, "buried": 5, "unjoined": 2}
_FREED = {"not_up": 10, "blockers": 8, "depth": 4, "spread": 1, "lowest": 5, "kings": 2}
_BY_TURNS = (
    Phase(BEST_FIRST, 2_000, layering="not_up"),
    *(Phase(BEST_FIRST, 6_000, layering=layering) for layering in ("off_suit", "unjoined", "lowest")),
    Phase(BEST_FIRST, 100_000, _JOINED, "not_up"),
    Phase(BEST_FIRST, 100_000, _EVEN, "off_suit"),
    Phase(BEST_FIRST, 100_000, _FREED, "off_suit"),
    Phase(BEST_FIRST, 100_000, _JOINED, "unjoined"),
    Phase(BEST_FIRST, 100_000, _UNBURIED, "not_up"),
    Phase(BEST_FIRST, 240_000, _JOINED, "not_up"),
    Phase(BEST_FIRST, 240_000, _EVEN, "off_suit"),
    Phase(BEST_FIRST, 1_000_000, _JOINED, "not_up"),
    Phase(BEST_FIRST, 1_000_000, _EVEN, "off_suit"),
    Phase(BEST_FIRST, 1_000_000, _FREED, "off_suit"),
    Phase(BEST_FIRST, 1_000_000, _JOINED, "unjoined"),
)
"""Where columns have a capacity a search that is not over soon seldom ends, but another one, with other layers or other
weights, often does. Of 58 deals of Shamrocks that the first four phases leave open (of seeds 1,001,001 to 1,003,000)
the next five win 29, and none of these alone more than 18."""

_WASTE_TOO = {
    "not_up": 5,
    "reserve": 22,
    "blockers": 2,
    "depth": 3,
    "spread": 2,
    "lowest": 10,
    "columns": 6,
    "down": 3,
    "waste": 10,
    "waste_low": 3,
    "waste_blockers": 1,
    "talon": 1,
}
_BY_LAYERS = (
    Phase(BEST_FIRST, 4_000),
    *(Phase(BEST_FIRST, 20_000, _WASTE_TOO, layering) for layering in ("off_suit", "not_up", "lowest")),
    Phase(BEST_FIRST, 100_000),
    Phase(BEST_FIRST, 100_000, _WASTE_TOO),
    Phase(BEST_FIRST, 200_000, _WASTE_TOO, "not_up"),
    Phase(BEST_FIRST, 100_000, _WASTE_TOO, "lowest"),
    Phase(BEST_FIRST, 2_000_000, _WASTE_TOO),
    Phase(DEPTH_FIRST, None),
)
"""Where reserve cards fill spaces, but any others may as well. The strategy's own weights win most deals in few nodes,
and hardly any more in many: of 340 deals of Superior Canfield (seeds 1,000,061 to 1,000,400) 67 stay open at 20,000
nodes with these alone, 37 if ``_WASTE_TOO`` follows after 4,000."""

_WASTE_OUT = {
    "waste": 8,
    "waste_low": 1,
    "waste_under": 1,
    "waste_blockers": 2,
    "talon": 5,
    "reserve": 15,
    "reserve_lacks": 4,
    "unjoined": 5,
    "buried": 10,
    "columns": 1,
}
_RESERVE_UP = {**_WASTE_OUT, "reserve_lacks": 8}
_STOCK_OUT = {
    "waste": 6,
    "waste_low": 1,
    "waste_under": 1,
    "waste_blockers": 3,
    "talon": 15,
    "reserve": 30,
    "reserve_lacks": 15,
    "unjoined": 10,
    "buried": 20,
    "columns": 2,
    "depth": 1,
}
_WASTE_LOW = {**_STOCK_OUT, "waste": 15, "waste_low": 2, "waste_blockers": 0, "talon": 10}
_BY_WASTE = (
    Phase(BEST_FIRST, 25_000),
    Phase(BEST_FIRST, 10_000, _STOCK_OUT, "blockers"),
    Phase(BEST_FIRST, 25_000, _WASTE_OUT),
    Phase(BEST_FIRST, 25_000, _RESERVE_UP),
    Phase(BEST_FIRST, 50_000, _WASTE_LOW),
    Phase(BEST_FIRST, 50_000, _STOCK_OUT, "blockers"),
    Phase(BEST_FIRST, 200_000),
    Phase(BEST_FIRST, 200_000, _WASTE_OUT),
    *_BOTH,
)
"""Where ``_waste_flows``. Of 24 deals of Blondes and Brunettes that the first phase leaves open (of seeds 1,000,201 to
1,000,332) ``_WASTE_OUT`` and ``_RESERVE_UP`` win 6 in 25,000 nodes each. Of 30 deals that 200,000 nodes of these three
leave open (of seeds 1,000,401 to 1,000,674) ``_STOCK_OUT`` wins 5 within 6,000 nodes, ``_WASTE_LOW`` another 3 within
50,000."""

_LAID_OUT = {"not_up": 6, "off_suit": 10, "buried": 2, "columns": 4, "down": 10, "talon": 1}
_SPREAD_OUT = {**_LAID_OUT, "columns": 5}
_KINGS_DOWN = {**_SPREAD_OUT, "kings": 1}
_EMPTIED = {**_LAID_OUT, "not_up": 9, "columns": 12, "down": 6}
_KINGS_OUT = {**_EMPTIED, "kings": 3, "blockers": 1}
_SPACES = {**_LAID_OUT, "buried": 0, "columns": 8}
_SPACES_FIRST = {**_SPACES, "columns": 12, "talon": 2}
_UNBLOCKED = {**_SPACES, "not_up": 3, "talon": 2, "blockers": 3}
_FLAT = {**_LAID_OUT, "buried": 0, "off_suit": 8, "depth": 1}
_BY_ROWS = (
    Phase(BEST_FIRST, 75_000),
    Phase(BEST_FIRST, 150_000, _KINGS_OUT),
    *(Phase(BEST_FIRST, 100_000, weights) for weights in (_SPACES, _KINGS_DOWN, _LAID_OUT, _EMPTIED)),
    Phase(BEST_FIRST, 75_000, _SPREAD_OUT),
    *(Phase(BEST_FIRST, 100_000, weights) for weights in (_UNBLOCKED, _SPACES_FIRST, _FLAT)),
    *_BOTH,
)
"""Where rows are dealt and suits leave as runs. Of 100 deals of Spider each of these searches wins 39 to 61 in 100,000
nodes, and all of them together 93: ``python -m solitaire_lab.study.portfolio spider --seeds 1004001:1004100 --budget
100000``. Within a layer all positions have as many cards that are not joined, so weights of that change nothing here.
"""


def strategy_of(rules: Rules) -> Strategy:
    """The strategy for a game.

    Where columns are natural there is so little to search that the order does not matter, and depth-first search has
    the least to do for a node. Elsewhere best-first search goes first, or after a short dive: it finds wins in fewer
    nodes, and exhausts what is small enough; depth-first search, which stores less for a position, goes on with the
    rest. Where columns have a capacity several of them take turns before.
    """
    if natural_columns(rules):
        return Strategy((Phase(DEPTH_FIRST, None),), {}, "none", "best", members=1, shortens=False)
    weights, layering, turns = _outlook(rules)
    assert layering in LAYERINGS
    assert turns in TURNS
    if by_stages(rules):
        return Strategy(_BY_STAGES, weights, layering, turns, MOST_MEMBERS, shortens=True)
    return Strategy(_phases(rules), weights, layering, turns, members=1, shortens=True)


def _phases(rules: Rules) -> tuple[Phase, ...]:
    if rules.tableau.capacity != "unlimited":
        return (*_BY_TURNS, *_BOTH)
    if rules.tableau.moves == "group" and rules.foundations.build == "run":
        return _BY_RUNS
    if rules.tableau.moves == "group" and rules.foundations.build == "alternating-run":
        return _BY_ALTERNATING_RUNS
    if rules.foundations.build == "run" and rules.stock.row:
        return _BY_ROWS
    return _phases_by_stock(rules)


def _phases_by_stock(rules: Rules) -> tuple[Phase, ...]:
    """The same where single cards go up."""
    if _free_reserve(rules) and rules.stock.redeals == "unlimited":
        return _BY_LAYERS
    if _waste_flows(rules):
        return _BY_WASTE
    return _DIVE if _dives(rules) else _BOTH


def _dives(rules: Rules) -> bool:
    """Whether groups move and single cards go up, or all of it is like Klondike."""
    if rules.foundations.build != "suit" or rules.reserve.piles or rules.cells.count:
        return False
    turned_at_will = rules.stock.turn > 0 and rules.stock.redeals == "unlimited"
    return rules.tableau.moves == "group" or turned_at_will


def _waste_flows(rules: Rules) -> bool:
    """Whether the waste of two packs fills spaces by itself, and nothing comes back from the foundations.

    With foundations that give cards back, as in a variant of Wood, the other weights win more.
    """
    return rules.pack.decks == 2 and rules.spaces.auto_waste and rules.foundations.return_ == "off"


def _free_reserve(rules: Rules) -> bool:
    """Whether a reserve helps to fill spaces, but any other card may do so as well."""
    return rules.reserve.piles > 0 and rules.spaces.while_reserve == "free"


def by_stages(rules: Rules) -> bool:
    """Whether the search goes by stages, one for each number of cards dealt, and by classes; see ``classes.py``.

    Turning is a move of its own then, most of the time: STOCK_AT_WILL would lead from each stage to all later ones at
    once. Positions of one stage are compared with each other alone, and there are a tenth as many of them for a node.
    """
    return (
        safe_chains(rules)
        and rules.pack.decks == 2
        and rules.foundations.return_ == "on"
        and rules.stock.turn == 1
        and rules.stock.redeals == 0
    )


def _outlook(rules: Rules) -> tuple[dict[str, int], str, str]:
    """Weights, layering and turns by what a game is about; most were found by ``study.tuning``.

    The other searches of the portfolios were found by it and by ``study.complements``.
    """
    if rules.foundations.build in ("run", "alternating-run", "none"):
        return _outlook_by_runs(rules)
    if rules.stock.turn and rules.stock.redeals != "unlimited":
        return _outlook_by_passes(rules)
    if rules.tableau.moves == "group":
        return {"not_up": 4, "unjoined": 4, "down": 10, "blockers": 2, "depth": 1}, "unjoined", "both"
    if rules.cells.count:
        return {"not_up": 4, "blockers": 4, "depth": 2, "cells": 4, "columns": 2}, "not_up", "both"
    if rules.tableau.capacity != "unlimited":
        weights = {"not_up": 20, "blockers": 4, "depth": 2, "spread": 3, "lowest": 2}
        return {**weights, "unjoined": 3, "off_suit": 3, "stuck": 5, "kings": 5}, "off_suit", "both"
    if _free_reserve(rules):
        weights = {"not_up": 1, "reserve": 22, "blockers": 2, "spread": 2, "columns": 6, "down": 3, "talon": 1}
        return weights, "off_suit", "both"
    if rules.reserve.piles:
        return {"not_up": 4, "reserve": 8, "blockers": 1, "talon": 2, "spread": 1}, "off_suit", "both"
    if rules.stock.turn:
        return {"not_up": 3, "down": 10, "blockers": 2, "depth": 1, "talon": 1}, "undealt", "both"
    return {"not_up": 4, "blockers": 4, "depth": 2}, "unjoined", "both"


def _outlook_by_runs(rules: Rules) -> tuple[dict[str, int], str, str]:
    """The same where suits leave as whole runs."""
    if rules.tableau.moves == "group" and rules.foundations.build == "alternating-run":
        weights = {"unjoined": 7, "off_suit": 1, "depth": 3, "down": 3, "reserve": 2, "kings": 2}
    elif rules.tableau.moves == "group":
        weights = {"not_up": 3, "unjoined": 14, "cells": 30, "stuck": 7, "buried": 8, "kings": 5}
    elif rules.stock.row:
        weights = {"not_up": 6, "off_suit": 10, "unjoined": 8, "buried": 1, "columns": 5, "down": 10, "talon": 1}
        return weights, "unjoined", "layers"
    else:
        weights = {"not_up": 3, "off_suit": 10, "unjoined": 10, "columns": 5, "down": 10}
    return weights, "unjoined", "both"


def _outlook_by_passes(rules: Rules) -> tuple[dict[str, int], str, str]:
    """The same where the stock lasts for so many passes."""
    if rules.pack.decks == 1:
        weights = {"not_up": 14, "reserve": 39, "waste": 11, "waste_low": 2, "waste_blockers": 3, "spread": 1}
        return {**weights, "unjoined": 1, "off_suit": 1, "depth": 1, "redeals": 50}, "unjoined", "both"
    if _waste_flows(rules):
        weights = {"waste": 15, "waste_low": 1, "waste_under": 1, "waste_blockers": 3, "talon": 10, "reserve": 30}
        weights = {**weights, "reserve_lacks": 15, "unjoined": 10, "buried": 20, "columns": 2, "depth": 1}
        return {**weights, "redeals": 50}, "undealt", "layers"
    if rules.spaces.auto_waste:
        weights = {"not_up": 2, "reserve": 53, "waste": 15, "spread": 1, "lowest": 1, "columns": 2, "buried": 10}
        return {**weights, "kings": 3, "redeals": 50}, "undealt", "layers"
    if by_stages(rules):
        weights = {"not_up": 2, "waste": 22, "waste_low": 1, "waste_under": 1, "reserve": 30, "spread": 1}
        return {**weights, "columns": 5}, "undealt", "layers"
    weights = {"not_up": 5, "waste": 22, "waste_low": 3, "reserve": 39, "lowest": 10, "spread": 2, "columns": 2}
    return {**weights, "talon": 1, "kings": 5, "redeals": 50}, "not_up", "layers"
