"""Depth-first search: exhaustive, in slices that the caller bounds."""

from __future__ import annotations

from solitaire_lab.solver.compiling import compiled, inlined
from solitaire_lab.solver.dead import dead_end
from solitaire_lab.solver.forced import forced_step, won
from solitaire_lab.solver.generate import generate
from solitaire_lab.solver.lazy import going_on
from solitaire_lab.solver.record import Record, Steps, Words
from solitaire_lab.solver.steps import completed, do, foresee, undo
from solitaire_lab.solver.table import FULL, NEW, expect, is_met, visit

PAUSED, WON, LOST, OUT_OF_NODES, OUT_OF_MEMORY = range(5)
"""How a slice ends."""


@inlined
def close(r: Record, trail: Steps) -> bool:
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
        trail[r.trail_size] = step
        r.trail_size += 1


@compiled
def search_depth_first(
    r: Record, table: Words, trail: Steps, stack: Steps, frames: Steps, budget: int, pause_at: int
) -> int:
    """Go on with a search.

    Args:
        r: the record, loaded and begun.
        table: uint64, 2 words for each of ``table_limit`` entries and of ``table.SPARE``.
        trail: int64, the steps done since the root.
        stack: int64, the moves still to try, of all frames.
        frames: int64 of shape (depths, 4): next move, end of the moves, size of the trail, first move.
        budget: expansions after which the search ends.
        pause_at: expansions at which it returns to be called again.

    Returns:
        How the slice ended.
    """
    while True:
        expand = r.expanding != 0
        if not expand:
            expect(r, table)
            if not close(r, trail):
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
            count = generate(r)
            if r.depth == frames.shape[0] or r.stack_size + count > stack.size:
                return OUT_OF_MEMORY
            first = r.stack_size
            for i in range(count):
                stack[first + i] = r.moves[i]
            r.stack_size += count
            frames[r.depth, 0] = first
            frames[r.depth, 1] = r.stack_size
            frames[r.depth, 2] = r.trail_size
            frames[r.depth, 3] = first
            r.depth += 1
        if not _next_child(r, table, trail, stack, frames):
            return LOST if r.depth == 0 else OUT_OF_MEMORY


@inlined
def _next_child(r: Record, table: Words, trail: Steps, stack: Steps, frames: Steps) -> bool:
    """Go to the next position to look at; False if there is none (depth 0) or the trail is full."""
    while r.depth > 0:
        frame = r.depth - 1
        while r.trail_size > frames[frame, 2]:
            r.trail_size -= 1
            undo(r, trail[r.trail_size])
        if frames[frame, 0] < frames[frame, 1]:
            if r.trail_size == trail.size:
                return False
            step = stack[frames[frame, 0]]
            frames[frame, 0] += 1
            if foresee(r, step) and is_met(r, table):
                continue
            step = completed(r, step)
            do(r, step)
            trail[r.trail_size] = step
            r.trail_size += 1
            return True
        r.stack_size = frames[frame, 3]
        r.depth -= 1
    return False
