"""The table of the positions that a search has met."""

from __future__ import annotations

import numpy as np

from solitaire_lab.solver.compiling import compiled, inlined, prefetch
from solitaire_lab.solver.record import Record, Word, Words, signed

FIRST_TABLE = 1024
"""Entries of the table when a search begins; small deals then stay in the cache of the processor."""

LINE = 4
"""Entries of a line: 64 bytes, which the processor fetches at once. Each line is filled from its first entry on."""

LOAD, LOAD_OF = 27, 32
"""The share of entries in use at which the largest table is full: 19 bytes a position then. Smaller ones grow when half
of their entries are in use, since most positions are then found in their first line, or missed there."""

SPARE = 4096
"""Entries behind the last one, so that none has to go back to the beginning."""

GENERATIONS = 1 << 16

NEW, SEEN, FULL = range(3)
_0, _16 = np.uint64(0), np.uint64(16)
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
def _home(size: int, word: Word) -> int:
    """Where the line of a fingerprint begins: two words of the table are an entry."""
    return 2 * signed(word & np.uint64(size - LINE))


@inlined
def expect(r: Record, table: Words, word: Word) -> None:
    """Have the processor fetch the line of a position, given the first word of its fingerprint, which is soon asked
    for."""
    prefetch(table, _home(r.table_size, word))


@compiled
def _enter(table: Words, size: int, word: Word, tag: Word) -> None:
    """Write an entry that the table does not have; one that finds no room is left out, which at most means to search
    its position again."""
    for at in range(_home(size, word), 2 * (size + SPARE), 2):
        if (table[at + 1] ^ tag) & _GENERATION:
            table[at] = word
            table[at + 1] = tag
            return


@compiled
def _grow(r: Record, table: Words) -> None:
    """Double the table, in place.

    Every entry lies in its line, which the low bits of its word choose, or behind it with no empty entry between. Taken
    from the lowest on, an entry goes back to where it was or before, or to the upper half, which holds none but such;
    only those behind the old end must be put aside first.
    """
    size = r.table_size
    generation = np.uint64(r.generation)
    aside = np.empty((SPARE, 2), np.uint64)
    count = 0
    while count < SPARE and table[2 * (size + count) + 1] & _GENERATION == generation:
        at = 2 * (size + count)
        aside[count, 0] = table[at]
        aside[count, 1] = table[at + 1]
        table[at + 1] = 0
        count += 1
    for at in range(0, 2 * size, 2):
        tag = table[at + 1]
        if tag & _GENERATION == generation:
            word = table[at]
            table[at + 1] = 0
            _enter(table, 2 * size, word, tag)
    for i in range(count):
        _enter(table, 2 * size, aside[i, 0], aside[i, 1])
    r.table_size = 2 * size


@inlined
def is_met(r: Record, table: Words, fingerprint: Words) -> bool:
    """Whether a position, given the two words of its fingerprint, is in the table."""
    word = fingerprint[0]
    tag = (fingerprint[1] << _16) | np.uint64(r.generation)
    for at in range(_home(r.table_size, word), 2 * (r.table_size + SPARE), 2 * LINE):
        met, used = _line(table, at, word, tag)
        if met | (used < LINE):
            return met
    return False


@inlined
def _line(table: Words, at: int, word: Word, tag: Word) -> tuple[bool, int]:
    """Whether an entry of a line holds a fingerprint, and how many are in use.

    All four are looked at, without branches: which of them it is the processor could not foretell.
    """
    met, used = False, 0
    for place in range(at, at + 2 * LINE, 2):
        met |= (table[place] == word) & (table[place + 1] == tag)
        used += (table[place + 1] ^ tag) & _GENERATION == _0
    return met, used


@inlined
def visit(r: Record, table: Words) -> int:
    """Note a position in the table: 64 bits of one fingerprint word, 48 of the other, 16 of the generation."""
    if 2 * r.table_used >= r.table_size and r.table_size < r.table_limit:
        _grow(r, table)
    if LOAD_OF * r.table_used >= LOAD * r.table_size:
        return FULL
    word = r.fingerprint[0]
    tag = (r.fingerprint[1] << _16) | np.uint64(r.generation)
    for at in range(_home(r.table_size, word), 2 * (r.table_size + SPARE), 2 * LINE):
        met, used = _line(table, at, word, tag)
        if met:
            return SEEN
        if used < LINE:
            table[at + 2 * used] = word
            table[at + 2 * used + 1] = tag
            r.table_used += 1
            return NEW
    return FULL
