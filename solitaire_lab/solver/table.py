"""The table of the positions that a search has met."""

from __future__ import annotations

import numpy as np

from solitaire_lab.solver.compiling import compiled, inlined, prefetch
from solitaire_lab.solver.record import Record, Word, Words, signed

FIRST_TABLE = 1024
"""Entries of the table when a search begins; small deals then stay in the cache of the processor."""

LOAD, LOAD_OF = 27, 32
"""The share of entries in use at which the table grows, or is full: 19 bytes a position then."""

SPARE = 4096
"""Entries behind the last one, so that none has to go back to the beginning."""

GENERATIONS = 1 << 16

NEW, SEEN, FULL = range(3)
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
def expect(r: Record, table: Words, word: Word) -> None:
    """Have the processor fetch the entry of a position, given the first word of its fingerprint, which is soon asked
    for."""
    prefetch(table, 2 * signed(word & np.uint64(r.table_size - 1)))


@inlined
def _slot(table: Words, size: int, word: Word, tag: Word) -> int:
    """Where the entry lies that holds a fingerprint, or the empty one where it belongs; the table's end if none is."""
    at = 2 * signed(word & np.uint64(size - 1))
    end = 2 * (size + SPARE)
    while at < end:
        if table[at + 1] & _GENERATION != tag & _GENERATION or (table[at] == word and table[at + 1] == tag):
            return at
        at += 2
    return end


@compiled
def _enter(table: Words, size: int, word: Word, tag: Word) -> None:
    """Write an entry; one that finds no room is left out, which at most means to search its position again."""
    at = _slot(table, size, word, tag)
    if at < 2 * (size + SPARE):
        table[at] = word
        table[at + 1] = tag


@compiled
def _grow(r: Record, table: Words) -> None:
    """Double the table, in place.

    Every entry lies at its home, the low bits of its word, or behind it with no empty entry between. Taken from the
    lowest on, an entry goes back to where it was or before, or to the upper half, which holds none but such; only
    those behind the old end must be put aside first.
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
    tag = (fingerprint[1] << _16) | np.uint64(r.generation)
    at = _slot(table, r.table_size, fingerprint[0], tag)
    return at < 2 * (r.table_size + SPARE) and table[at + 1] == tag


@inlined
def visit(r: Record, table: Words) -> int:
    """Note a position in the table: 64 bits of one fingerprint word, 48 of the other, 16 of the generation."""
    if LOAD_OF * r.table_used >= LOAD * r.table_size:
        if r.table_size == r.table_limit:
            return FULL
        _grow(r, table)
    word = r.fingerprint[0]
    tag = (r.fingerprint[1] << _16) | np.uint64(r.generation)
    at = _slot(table, r.table_size, word, tag)
    if at == 2 * (r.table_size + SPARE):
        return FULL
    if table[at + 1] == tag:
        return SEEN
    table[at] = word
    table[at + 1] = tag
    r.table_used += 1
    return NEW
