"""Depth-first search: exhaustive, in slices that the caller bounds."""

from __future__ import annotations

import numpy as np

from solitaire_lab.solver.compiling import compiled, inlined
from solitaire_lab.solver.dead import dead_end
from solitaire_lab.solver.fingerprint import foresee
from solitaire_lab.solver.forced import forced_step, won
from solitaire_lab.solver.generate import generate
from solitaire_lab.solver.lazy import going_on
from solitaire_lab.solver.record import Record, Steps, Words, signed
from solitaire_lab.solver.steps import completed, do, undo
from solitaire_lab.solver.table import FULL, NEW, expect, is_met, visit

# Words of a frame.
_NEXT, _END, _MARK = range(3)

PAUSED, WON, LOST, OUT_OF_NODES, OUT_OF_MEMORY = range(5)
"""How a slice ends."""


@inlined
def close(r: Record, table: Words, trail: Steps) -> bool:
    """Carry out all forced steps; False if the trail is full."""
    while True:
        step = going_on(r, trail)
        if step == 0:
            step = forced_step(r)
        if step == 0:
            return True
        if r.trail_size == trail.size:
            return False
        step = completed(r, step)
        do(r, step)
        expect(r, table, r.fingerprint[0])
        trail[r.trail_size] = step
        r.trail_size += 1


@inlined
def look_ahead(r: Record, table: Words, count: int) -> None:
    """Note where so many moves of the record's position lead, and have the processor fetch the entries of these.

    Most positions are met already, and then the move need not be made, but to find the members of a class. Searches of
    a few million nodes waited for the table for a third of their time when each entry was fetched no sooner than it was
    asked for.
    """
    for i in range(count):
        foresee(r, i)
        expect(r, table, r.leads_to[i, 0])


@compiled
def search_depth_first(
    r: Record, table: Words, trail: Steps, stack: Words, frames: Steps, budget: int, pause_at: int
) -> int:
    """Go on with a search.

    Args:
        r: the record, loaded and begun.
        table: uint64, of ``table_words(table_limit)`` words.
        trail: int64, the steps done since the root.
        stack: uint64 of shape (moves, 3): the moves still to try, of all frames, each with the fingerprint of the
            position that it leads to, or twice 0 if that is not known.
        frames: int64 of shape (depths, 3): the next move and the end of the moves in ``stack``; the size of the trail.
        budget: expansions after which the search ends.
        pause_at: expansions at which it returns to be called again.

    Returns:
        How the slice ended.
    """
    while True:
        expand = r.expanding != 0
        if not expand:
            if not close(r, table, trail):
                return OUT_OF_MEMORY
            if won(r):
                return WON
            met = visit(r, table)
            if met == FULL:
                return OUT_OF_MEMORY
            expand = met == NEW and not dead_end(r)
        if expand:
            r.expanding = 1
            if r.nodes >= budget:
                return OUT_OF_NODES
            if r.nodes >= pause_at:
                return PAUSED
            r.expanding = 0
            r.nodes += 1
            first, count = r.stack_size, generate(r)
            look_ahead(r, table, count)
            if r.depth == frames.shape[0] or first + count > stack.shape[0]:
                return OUT_OF_MEMORY
            for i in range(count):
                stack[r.stack_size, 0] = np.uint64(r.moves[i])
                stack[r.stack_size, 1] = r.leads_to[i, 0]
                stack[r.stack_size, 2] = r.leads_to[i, 1]
                r.stack_size += not is_met(r, table, r.leads_to[i])
            frames[r.depth, _NEXT] = first
            frames[r.depth, _END] = r.stack_size
            frames[r.depth, _MARK] = r.trail_size
            r.depth += 1
        if not _next_child(r, table, trail, stack, frames):
            return LOST if r.depth == 0 else OUT_OF_MEMORY


@inlined
def _next_child(r: Record, table: Words, trail: Steps, stack: Words, frames: Steps) -> bool:
    """Go to the next position to look at; False if there is none (depth 0) or the trail is full."""
    while r.depth > 0:
        frame = r.depth - 1
        while r.trail_size > frames[frame, _MARK]:
            r.trail_size -= 1
            undo(r, trail[r.trail_size])
        move = frames[frame, _NEXT]
        if move < frames[frame, _END]:
            frames[frame, _NEXT] = move + 1
            if move + 1 < frames[frame, _END]:
                expect(r, table, stack[move + 1, 1])
            # The search may have met it meanwhile.
            if is_met(r, table, stack[move, 1:]):
                continue
            if r.trail_size == trail.size:
                return False
            step = completed(r, signed(stack[move, 0]))
            do(r, step)
            trail[r.trail_size] = step
            r.trail_size += 1
            return True
        r.depth -= 1
        r.stack_size = frames[r.depth - 1, _END] if r.depth > 0 else 0
    return False
