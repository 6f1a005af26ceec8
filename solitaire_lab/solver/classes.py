"""Classes: the positions that lead to each other by moves that can be taken back at once.

Where cards may come back from the foundations, most moves between foundations and columns can be taken back by the next
move: a card goes up from a card that it can be built on, comes down on one, or goes from one to another. Best-first
search with ``Strategy.members`` expands what such moves lead to together, as one node: it would gain nothing by
weighing these positions against each other. Each class is queued by one position, the one that ``play_up`` comes to.

Claim: the search stays exhaustive: when its queues are empty, each position that can be reached was expanded or left
out by a pruning, whatever is taken for a move that can be taken back, and however many members are walked.

Proof: an expansion walks members, from the queued position on, and lists the moves of each. A position that a move
leads to becomes a member, or it is looked up in the table, and queued if it is new, as it is or after ``play_up``;
positions are one here, as there, if fingerprints are, and moves and forced steps respect that. In the first two cases
it is expanded now or was queued as it is, now or before. In the third q, to which it is played up, is queued, now or
before; or q is dead, and then the position is lost as well, since it can be reached from q. q's expansion walks it:
each card that was played up can come back to where it was, by a move that is always listed, since ``play_up`` asks
``returns`` after each play and the column held the card before; it leads to a position without forced steps, the one
before the card was played up. The first of these positions that was not made a member, because there were too many,
was looked up as it is and so queued, now or before; its expansion takes the rest of the way back. The way gets shorter
each time, so the position is expanded in the end. And the search ends, since each position is queued once.
"""

from __future__ import annotations

import numpy as np

from solitaire_lab.solver.compiling import compiled, inlined
from solitaire_lab.solver.forced import forced_step
from solitaire_lab.solver.generate import returns
from solitaire_lab.solver.places import foundation_for, top
from solitaire_lab.solver.record import (
    COLUMNS,
    FIRST_FOUNDATION,
    FIRST_RESERVE,
    MEMBER_SLOTS,
    MOVE,
    SIZE,
    SOURCE,
    TARGET,
    TOP_OR_WHOLE,
    WHOLE,
    Record,
    Steps,
    signed,
)
from solitaire_lab.solver.sets import has
from solitaire_lab.solver.steps import do, move_step, undo

_SLOTS = np.uint64(MEMBER_SLOTS - 1)


@compiled
def _lies_on_host(r: Record, column: int, place: int) -> bool:
    """Whether a card of a column lies face up on a card that it can be built on."""
    return place > r.down[column] and has(r.fits[r.cards[column, place - 1]], r.cards[column, place])


@compiled
def may_be_taken_back(r: Record, step: int) -> bool:
    """Whether a step's reverse is a move, as far as can be said before it is done; see ``is_taken_in``."""
    source, target, size = (step >> SOURCE) & 127, (step >> TARGET) & 127, (step >> SIZE) & 127
    if step & 7 != MOVE or source >= FIRST_RESERVE or target >= FIRST_RESERVE or r.held[target] == 0:
        return False
    if source >= FIRST_FOUNDATION:
        return target < COLUMNS
    if not _lies_on_host(r, source, r.held[source] - size):
        return False
    return target >= FIRST_FOUNDATION or (r.moves_rule != WHOLE and (r.moves_rule != TOP_OR_WHOLE or size == 1))


@inlined
def begin_class(r: Record) -> None:
    """Take the record's position for the first member of a class."""
    r.class_number += 1
    r.members = 0
    _add(r, _slot(r), -1, 0)


@inlined
def _slot(r: Record) -> int:
    """Where the record's position stands among the members, or belongs."""
    slot = signed(r.fingerprint[0] & _SLOTS)
    while r.member_class[slot] == r.class_number and (
        r.member_word[slot, 0] != r.fingerprint[0] or r.member_word[slot, 1] != r.fingerprint[1]
    ):
        slot = (slot + 1) & (MEMBER_SLOTS - 1)
    return slot


@inlined
def _add(r: Record, slot: int, parent: int, step: int) -> None:
    member = r.members
    r.members = member + 1
    r.member_class[slot] = r.class_number
    r.member_word[slot, 0] = r.fingerprint[0]
    r.member_word[slot, 1] = r.fingerprint[1]
    r.member_parent[member] = parent
    r.member_step[member] = step
    r.member_depth[member] = 0 if parent < 0 else r.member_depth[parent] + 1
    r.member_node[member] = -1


@inlined
def is_taken_in(r: Record, parent: int, step: int) -> bool:
    """Whether the record's position is a member of the class, or becomes one.

    Args:
        parent: the member from which a step that may be taken back led to it, without forced steps.
    """
    target = (step >> TARGET) & 127
    if target >= FIRST_FOUNDATION and not returns(r, target):
        return False
    slot = _slot(r)
    if r.member_class[slot] == r.class_number:
        return True
    if r.members == r.most_members:
        return False
    _add(r, slot, parent, step)
    return True


@inlined
def go_to_member(r: Record, member: int, base: int, trail: Steps) -> None:
    """Bring the record from one member to another; the trail to the first member has the size ``base``."""
    end = base + r.member_depth[member]
    at = member
    for depth in range(r.member_depth[member] - 1, -1, -1):
        r.way[depth] = r.member_step[at]
        at = r.member_parent[at]
    shared = base
    while shared < min(r.trail_size, end) and trail[shared] == r.way[shared - base]:
        shared += 1
    while r.trail_size > shared:
        r.trail_size -= 1
        undo(r, trail[r.trail_size])
    while r.trail_size < end:
        step = r.way[r.trail_size - base]
        do(r, step)
        trail[r.trail_size] = step
        r.trail_size += 1


@compiled
def play_up(r: Record, trail: Steps) -> bool:
    """Play up from the columns what can be taken back, as long as there is any; False if the trail is full."""
    column = 0
    while column < r.columns:
        target = -1
        if r.held[column] > 0 and _lies_on_host(r, column, r.held[column] - 1):
            target = foundation_for(r, top(r, column))
        if target >= 0:
            if r.trail_size == trail.size:
                return False
            step = move_step(column, target, 1)
            do(r, step)
            if returns(r, target) and forced_step(r) == 0:
                trail[r.trail_size] = step
                r.trail_size += 1
                column = -1
            else:
                undo(r, step)
        column += 1
    return True
