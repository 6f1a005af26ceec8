"""What the relaxed player of ``relax`` knows of runs in alternating colours: which cards can stand in one.

See ``prunings.dead_ends`` for what is proved by it and why.
"""

from __future__ import annotations

import numpy as np

from solitaire_lab.solver.compiling import compiled
from solitaire_lab.solver.record import FIRST_FOUNDATION, Record, Word
from solitaire_lab.solver.sets import bit, count_cards, has

_NONE = np.uint64(0)
_CLUBS, _DIAMONDS, _HEARTS, _SPADES = 0, 13, 26, 39


@compiled
def _up(r: Record) -> Word:
    """The cards on the foundations."""
    up = _NONE
    for pile in range(FIRST_FOUNDATION, FIRST_FOUNDATION + r.foundations):
        for place in range(r.held[pile]):
            up |= bit(r.cards[pile, place])
    return up


@compiled
def _followers(r: Record, lower: int, up: Word) -> Word:
    """The cards that may lie on a card in a run, because they do or because they may come to lie there."""
    followers = _NONE
    # A card may be dealt to where it can't be built, and to a full column.
    if has(r.uncovered & ~r.in_cells, lower) and (r.row > 0 or has(r.hosting, lower)):
        followers = r.runs[lower] & r.left & ~up
        if r.row == 0:
            followers &= r.fits[lower]
    for column in range(r.columns):
        for place in range(r.down[column], r.held[column] - 1):
            if r.cards[column, place] == lower:
                followers |= r.runs[lower] & bit(r.cards[column, place + 1])
    return followers


@compiled
def _standing(r: Record, up: Word) -> Word:
    """The kings in columns or that may come there, and the cards that may lie in a run on the card below them."""
    standing = r.left
    for column in range(r.columns):
        for place in range(r.held[column]):
            standing |= bit(r.cards[column, place])
    standing &= r.kings & ~up
    for suit in range(4):
        for rank in range(1, r.ranks):
            standing |= _followers(r, 13 * suit + rank, up)
    return standing


@compiled
def leave_in_runs(r: Record) -> Word:
    """The cards that can leave with a run: of each kind, with a red king or a black one, all or none."""
    standing, cards = _standing(r, _up(r)), _NONE
    for kind in range(2):
        run, complete = _NONE, True
        for rank in range(r.ranks):
            suit, twin = (_CLUBS, _SPADES) if (kind + rank) % 2 else (_DIAMONDS, _HEARTS)
            level = standing & (bit(suit + rank) | bit(twin + rank))
            complete = complete and level != _NONE
            run |= level
        if complete:
            cards |= run
    return cards


@compiled
def all_stand(r: Record) -> bool:
    """Whether every card may come to stand in a run, and every card but the aces to have another on it there."""
    up = _up(r)
    for suit in range(4):
        for rank in range(1, r.ranks):
            lower = 13 * suit + rank
            if not has(up, lower) and _followers(r, lower, up) == _NONE:
                return False
    return count_cards(_standing(r, up) | up) == r.pack_size
