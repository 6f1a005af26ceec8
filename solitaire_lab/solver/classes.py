"""Classes: the positions that lead to each other by moves that can be taken back at once."""

from __future__ import annotations

import numpy as np

from solitaire_lab.solver.compiling import compiled, inlined
from solitaire_lab.solver.forced import forced_step
from solitaire_lab.solver.generate import returns
from solitaire_lab.solver.places import foundation_for
from solitaire_lab.solver.record import (
    COLUMNS,
    FIRST_FOUNDATION,
    FIRST_RESERVE,
    MEMBER_SLOTS,
    MOST_MEMBERS,
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

_SLOT_MASK = np.uint64(MEMBER_SLOTS - 1)


@compiled
def can_be_taken_back(r: Record, step: int) -> bool:
    """Whether the reverse of a step will be a move, as far as can be told before the step is done."""
    source, target, size = (step >> SOURCE) & 127, (step >> TARGET) & 127, (step >> SIZE) & 127
    if step & 7 != MOVE or target >= FIRST_RESERVE or source >= FIRST_RESERVE or r.held[target] == 0:
        return False
    if source >= COLUMNS:
        return target < COLUMNS
    place = r.held[source] - size
    if place <= r.down[source] or not has(r.fits[r.cards[source, place - 1]], r.cards[source, place]):
        return False
    if target >= COLUMNS:
        return r.returns != 0
    return r.moves_rule != WHOLE and (r.moves_rule != TOP_OR_WHOLE or size == 1)


@inlined
def _find(r: Record, level: int) -> int:
    """The slot of the record's position among the members."""
    slot = signed(r.fingerprint[0] & _SLOT_MASK)
    while r.member_stamp[level, slot] == r.class_stamp[level] and (
        r.member_word[level, slot, 0] != r.fingerprint[0] or r.member_word[level, slot, 1] != r.fingerprint[1]
    ):
        slot = (slot + 1) & (MEMBER_SLOTS - 1)
    return slot


@inlined
def _add(r: Record, level: int, slot: int, parent: int, step: int) -> None:
    r.member_stamp[level, slot] = r.class_stamp[level]
    r.member_word[level, slot, 0] = r.fingerprint[0]
    r.member_word[level, slot, 1] = r.fingerprint[1]
    member = r.members[level]
    r.member_parent[level, member] = parent
    r.member_step[level, member] = step
    r.member_depth[level, member] = 0 if parent < 0 else r.member_depth[level, parent] + 1
    r.members[level] = member + 1


@inlined
def begin_class(r: Record, level: int) -> None:
    """Take the record's position for the first member of a class."""
    r.class_stamp[level] += 1
    r.members[level] = 0
    _add(r, level, _find(r, level), -1, 0)


@inlined
def joins_class(r: Record, level: int, parent: int, step: int, mark: int) -> bool:
    """Whether the record's position is a member; it is added if it is new. It was reached by a step from a member."""
    if r.trail_size != mark + 1:
        return False
    target = (step >> TARGET) & 127
    if target >= FIRST_FOUNDATION and not returns(r, target):
        return False
    slot = _find(r, level)
    if r.member_stamp[level, slot] == r.class_stamp[level]:
        return True
    if r.members[level] == MOST_MEMBERS:
        return False
    _add(r, level, slot, parent, step)
    return True


@inlined
def go_to_member(r: Record, level: int, member: int, base: int, trail: Steps) -> None:
    """Bring the record from one member to another; the first one's trail has the size ``base``."""
    depth = r.member_depth[level, member]
    at = member
    for place in range(base + depth - 1, base - 1, -1):
        r.way[place - base] = r.member_step[level, at]
        at = r.member_parent[level, at]
    place = base
    while place < min(r.trail_size, base + depth) and trail[place] == r.way[place - base]:
        place += 1
    while r.trail_size > place:
        r.trail_size -= 1
        undo(r, trail[r.trail_size])
    while r.trail_size < base + depth:
        step = r.way[r.trail_size - base]
        do(r, step)
        trail[r.trail_size] = step
        r.trail_size += 1


@compiled
def play_up(r: Record, trail: Steps) -> bool:
    """Play up what can be taken back, as long as there is any; False if the trail is full."""
    column = 0
    while column < r.columns:
        mark = r.trail_size
        place = r.held[column] - 1
        if place > r.down[column] and has(r.fits[r.cards[column, place - 1]], r.cards[column, place]):
            target = foundation_for(r, r.cards[column, place])
            if target >= 0 and r.held[target] > 0:
                if mark == trail.size:
                    return False
                step = move_step(column, target, 1)
                do(r, step)
                if returns(r, target) and forced_step(r) == 0:
                    trail[mark] = step
                    r.trail_size = mark + 1
                    column = 0
                    continue
                undo(r, step)
        column += 1
    return True
