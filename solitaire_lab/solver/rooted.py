"""The relaxed player where the lowest cards of columns stay: stricter than that of ``relax``.

See ``prunings.dead_ends`` for what is proved by it and why.
"""

from __future__ import annotations

import numpy as np

from solitaire_lab.solver.compiling import compiled
from solitaire_lab.solver.record import FIRST_FOUNDATION, Record
from solitaire_lab.solver.sets import bit, has

_NONE = np.uint64(0)


@compiled
def _begin_rooted(r: Record) -> None:
    r.uncovered = r.left = r.hosting = r.roots = _NONE
    for column in range(r.columns):
        size = r.held[column]
        if size > 0:
            r.roots |= bit(r.cards[column, 0])
            r.uncovered |= bit(r.cards[column, size - 1])
            for place in range(min(size, r.capacity - 1)):
                r.hosting |= bit(r.cards[column, place])
    for foundation in range(r.foundations):
        r.relaxed_up[foundation] = r.held[FIRST_FOUNDATION + foundation]


@compiled
def _relax_upper(r: Record, column: int) -> bool:
    """Derive what is new about the cards of a column that lie on others."""
    changed = False
    for place in range(r.held[column] - 1, 0, -1):
        card, below = r.cards[column, place], bit(r.cards[column, place - 1])
        if not has(r.uncovered, card):
            break
        hosts = r.hosts[card] & r.uncovered & r.hosting & ~below
        if hosts != _NONE and not has(r.left, card):
            r.left |= bit(card)
            changed = True
        # Of three places only the second one is above another card and below a third.
        if not has(r.hosting, card) and (hosts & r.roots if r.capacity == 3 else hosts) != _NONE:
            r.hosting |= bit(card)
            changed = True
        if has(r.left, card) and r.uncovered & below == _NONE:
            r.uncovered |= below
            changed = True
    return changed


@compiled
def rooted_alive(r: Record) -> bool:
    """Derive all that follows, and say whether the relaxed player gets every card up."""
    _begin_rooted(r)
    changed = True
    while changed:
        changed = False
        for column in range(r.columns):
            changed |= _relax_upper(r, column)
        up = 0
        for foundation in range(r.foundations):
            while r.relaxed_up[foundation] < r.ranks:
                card = r.suit_cards[foundation, r.relaxed_up[foundation]]
                if not has(r.uncovered, card):
                    break
                r.relaxed_up[foundation] += 1
                r.left |= bit(card)
                changed = True
            up += r.relaxed_up[foundation]
    return up == r.pack_size
