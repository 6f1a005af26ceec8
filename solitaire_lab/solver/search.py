"""The search: depth first, with a table of the positions met, in slices that the caller bounds."""

from __future__ import annotations

import numpy as np

from solitaire_lab.solver.compiling import compiled, inlined
from solitaire_lab.solver.generate import forced_step, generate, won
from solitaire_lab.solver.record import (
    AUTOMATIC,
    FIRST_CELL,
    FIRST_FOUNDATION,
    FIRST_RESERVE,
    FLIP,
    MOVE,
    NEW_REDEALS,
    NEW_WASTE,
    OLD_REDEALS,
    OLD_WASTE,
    OPEN_COLUMN,
    SIZE,
    SOURCE,
    TARGET,
    TURN,
    WASTE,
    Bytes,
    Record,
    Steps,
    Word,
    Words,
    signed,
)
from solitaire_lab.solver.steps import completed, do, undo

PAUSED, WON, LOST, OUT_OF_NODES, OUT_OF_MEMORY = range(5)
"""How a slice ends."""

FIRST_TABLE = 1024
"""Entries of the table when a search begins; small deals then stay in the cache of the processor."""

GENERATIONS = 1 << 16

_NEW, _SEEN, _FULL = range(3)
_16 = np.uint64(16)
_GENERATION = np.uint64(GENERATIONS - 1)


@compiled
def begin(r: Record, table: Words) -> None:
    """Forget the table of the search before. Entries of other generations count as empty."""
    r.generation += 1
    if r.generation == GENERATIONS:
        table[:] = 0
        r.generation = 1
    r.table_size = min(FIRST_TABLE, r.table_limit)
    r.table_used = 0
    r.nodes = r.depth = r.trail_size = r.stack_size = r.expanding = 0


@inlined
def _slot(table: Words, size: int, word: Word, tag: Word) -> int:
    """The entry that holds a fingerprint, or the empty one where it belongs; entry i of a table of ``size`` entries
    lies at ``size + i``, so that a table can be copied to one of twice the size."""
    mask = size - 1
    slot = signed(word & np.uint64(mask))
    while True:
        at = 2 * (size + slot)
        if table[at + 1] & _GENERATION != tag & _GENERATION or (table[at] == word and table[at + 1] == tag):
            return at
        slot = (slot + 1) & mask


@compiled
def _grow(r: Record, table: Words) -> None:
    """Double the table."""
    size = r.table_size
    generation = np.uint64(r.generation)
    for at in range(2 * size, 4 * size, 2):
        tag = table[at + 1]
        if tag & _GENERATION == generation:
            to = _slot(table, 2 * size, table[at], tag)
            table[to] = table[at]
            table[to + 1] = tag
    r.table_size = 2 * size


@inlined
def _visit(r: Record, table: Words) -> int:
    """Note a position in the table: 64 bits of one fingerprint word, 48 of the other, 16 of the generation."""
    if 4 * r.table_used >= 3 * r.table_size:
        if r.table_size == r.table_limit:
            return _FULL
        _grow(r, table)
    word = r.fingerprint[0]
    tag = (r.fingerprint[1] << _16) | np.uint64(r.generation)
    at = _slot(table, r.table_size, word, tag)
    if table[at + 1] == tag:
        return _SEEN
    table[at] = word
    table[at + 1] = tag
    r.table_used += 1
    return _NEW


@inlined
def _close(r: Record, trail: Steps) -> bool:
    """Carry out all forced steps; False if the trail is full."""
    step = forced_step(r)
    while step != 0:
        if r.trail_size == trail.size:
            return False
        step = completed(r, step)
        do(r, step)
        trail[r.trail_size] = step
        r.trail_size += 1
        step = forced_step(r)
    return True


@compiled
def search(r: Record, table: Words, trail: Steps, stack: Steps, frames: Steps, budget: int, pause_at: int) -> int:
    """Go on with a search.

    Args:
        r: the record, loaded and begun.
        table: uint64, 4 words for each of ``table_limit`` entries.
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
            if not _close(r, trail):
                return OUT_OF_MEMORY
            if won(r):
                return WON
            met = _visit(r, table)
            if met == _FULL:
                return OUT_OF_MEMORY
            expand = met == _NEW
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
        if not _next_child(r, trail, stack, frames):
            return LOST if r.depth == 0 else OUT_OF_MEMORY


@inlined
def _next_child(r: Record, trail: Steps, stack: Steps, frames: Steps) -> bool:
    """Go to the next position to look at; False if there is none (depth 0) or the trail is full."""
    while r.depth > 0:
        frame = r.depth - 1
        while r.trail_size > frames[frame, 2]:
            r.trail_size -= 1
            undo(r, trail[r.trail_size])
        if frames[frame, 0] < frames[frame, 1]:
            if r.trail_size == trail.size:
                return False
            step = completed(r, stack[frames[frame, 0]])
            frames[frame, 0] += 1
            do(r, step)
            trail[r.trail_size] = step
            r.trail_size += 1
            return True
        r.stack_size = frames[frame, 3]
        r.depth -= 1
    return False


@compiled
def _engine_pile(pile: int) -> int:
    """The engine's number of a pile."""
    if pile < FIRST_FOUNDATION:
        return pile
    if pile < FIRST_RESERVE:
        return 64 + pile - FIRST_FOUNDATION
    if pile < FIRST_CELL:
        return 96 + pile - FIRST_RESERVE
    return 128 + pile - FIRST_CELL if pile < WASTE else 193


@compiled
def _write(out: Bytes, at: int, source: int, target: int, size: int) -> int:
    if at + 3 <= out.size:
        out[at] = source
        out[at + 1] = target
        out[at + 2] = size
    return at + 3


@compiled
def write_line(r: Record, trail: Steps, talon_size: int, out: Bytes) -> int:
    """Write the steps of the trail as the engine's moves, three bytes each; turning is written out.

    Args:
        talon_size: cards of stock and waste at the root.
        out: uint8; what doesn't fit is left out.

    Returns:
        The bytes that the line needs.
    """
    at = 0
    for i in range(r.trail_size):
        step = trail[i]
        kind = step & 7
        source = (step >> SOURCE) & 127
        from_waste = kind == MOVE and source == WASTE
        if step & AUTOMATIC or kind in (FLIP, OPEN_COLUMN):
            talon_size -= from_waste
            continue
        if from_waste or kind == TURN:
            waste_size, redeals = (step >> OLD_WASTE) & 127, (step >> OLD_REDEALS) & 255
            new_size, new_redeals = (step >> NEW_WASTE) & 127, (step >> NEW_REDEALS) & 255
            while waste_size != new_size or redeals != new_redeals:
                if waste_size < talon_size:
                    size = min(r.turn, talon_size - waste_size)
                    waste_size += size
                    at = _write(out, at, 192, 193, size)
                else:
                    waste_size = 0
                    redeals += r.redeals >= 0
                    at = _write(out, at, 193, 192, 0)
        if kind == MOVE:
            at = _write(out, at, _engine_pile(source), _engine_pile((step >> TARGET) & 127), (step >> SIZE) & 127)
            talon_size -= from_waste
        elif kind != TURN:
            at = _write(out, at, 192, 194, (step >> SIZE) & 127)
    return at
