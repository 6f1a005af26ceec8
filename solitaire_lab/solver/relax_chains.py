"""What the cards of a reserve need to leave it, where foundations alternate colours and reserve cards may only go up.

See ``prunings.chain_dead_ends`` for what is proved by it and why. A set of small numbers is a word with a bit for each.
"""

from __future__ import annotations

from solitaire_lab.solver.compiling import compiled
from solitaire_lab.solver.places import chain_of
from solitaire_lab.solver.record import FIRST_RESERVE, RETURN_OFF, Record


@compiled
def all_can_leave(r: Record) -> bool:
    """Whether each card of the reserves can leave them, as far as cards are counted."""
    for pile in range(FIRST_RESERVE, FIRST_RESERVE + r.reserves):
        for place in range(r.held[pile]):
            if not _can_leave(r, pile, place):
                return False
    return True


@compiled
def _can_leave(r: Record, pile: int, place: int) -> bool:
    """Whether cards can stand so that a card of a reserve has just gone up, and all above it have left before."""
    card = r.cards[pile, place]
    free, out = r.chain_free, r.chain_out
    # On either chain half of the cards of each rank.
    free[:] = r.pack_size // (2 * r.ranks)
    out[:] = 0
    for other in range(r.held[pile]):
        if chain_of(r, r.cards[pile, other]) == chain_of(r, card):
            level = r.level[r.cards[pile, other]]
            if other < place:
                free[level] -= 1
            else:
                out[level] += 1
    # How many foundations may hold a card of the level; base cards do best to be up.
    may_hold = 1 << free[0]
    for level in range(r.ranks):
        hosts = free[level + 1] if level + 1 < r.ranks else 0
        may_hold_next = 0
        for up in range(free[level] + 1):
            if may_hold >> up & 1:
                for up_next in range(min(up - (level == r.level[card]), hosts) + 1):
                    columns_host = 0 if r.returns == RETURN_OFF else hosts - up_next
                    if out[level] - up <= columns_host:
                        may_hold_next |= 1 << up_next
        may_hold = may_hold_next
    return may_hold != 0
