"""How difficult deals are that can be won, by four measures and in three bands.

The measures: ``nodes`` of the search that won the deal, and ``solution_length``, the moves of its line of play;
``greedy`` and ``random``, the shares of ten plays each that these policies of ``engine.policies`` win, which see only
what a player sees. They depend on the cell, the seed and the revision of the policies alone.

The bands are the same for every game and study, so that a deal's band does not change with the deals around it:

``easy``
    At least half of the greedy plays win: whoever plays what lies at hand has an even chance at least.
``hard``
    No play of either policy wins, and the search expanded more than two positions for each move of the line, so that it
    went astray. Whoever wins such a deal has looked ahead.
``medium``
    All others. Play without foresight wins now and then, or it never does, but the search went almost straight to its
    line, so that the moves which matter can be found.

A game may have no deal of some band: where every winnable deal falls to the obvious moves, none is hard. A lost deal
has no difficulty.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from solitaire_lab.errors import InputError
from solitaire_lab.study.simulate import simulate

if TYPE_CHECKING:
    from solitaire_lab.reports.numbers import ProvedDeals

PLAYS = 10
"""Of each policy for each deal."""
PLAY_SEED = 0
EASY_SHARE = 0.5
"""Of greedy plays that win, from which on a deal is easy."""
STRAIGHT = 2
"""Nodes for each move of the line, up to which a search went almost straight."""
BANDS = {
    "easy": "greedy play wins at least half of its plays",
    "medium": "neither easy nor hard",
    "hard": f"no play without foresight wins, and the search took more than {STRAIGHT} nodes for each move of its line",
}
"""The bands, and what they mean."""


def difficulty_frame(
    proved: ProvedDeals, *, workers: int | None = None, progress: Callable[[int], None] | None = None
) -> pd.DataFrame:
    """The difficulty of deals that can be won.

    Args:
        proved: wins; every one is played ``PLAYS`` times by either policy.
        workers: as for ``study.simulate.simulate``.
        progress: called now and then with the number of plays made since the call before, of ``2 * PLAYS`` a deal.

    Returns:
        A row a deal, sorted by seed: ``seed`` and ``nodes`` (uint64), ``solution_length`` (int64), ``greedy`` and
        ``random`` (float64, between 0 and 1), and ``difficulty`` (a category of ``BANDS``, in that order).

    Raises:
        InputError: the deals are not wins, or this version of the program can't play the cell's game.
    """
    if proved.outcome != "win":
        raise InputError("Only deals that can be won have a difficulty; ask for the outcome win.")
    cell = proved.planned.cell
    game = cell.to_game()
    deals = proved.deals.copy()
    for policy in ("greedy", "random"):
        played = simulate(
            game,
            policy=policy,
            seeds=proved.numbers,
            numbering=cell.numbering,
            plays=PLAYS,
            play_seed=PLAY_SEED,
            workers=workers,
            progress=progress,
        )
        deals[policy] = played.wins / PLAYS
    easy = deals["greedy"] >= EASY_SHARE
    thoughtless = (deals["greedy"] > 0) | (deals["random"] > 0)
    straight = deals["nodes"].astype(np.float64) <= STRAIGHT * deals["solution_length"]
    bands = np.select([easy, thoughtless | straight], ["easy", "medium"], "hard")
    deals["difficulty"] = pd.Categorical(bands, categories=list(BANDS), ordered=True)
    return deals
