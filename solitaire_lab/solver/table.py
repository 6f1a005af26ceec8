"""The table of the positions that a search has met."""

from __future__ import annotations

import numpy as np

from solitaire_lab.solver.compiling import compiled, inlined
from solitaire_lab.solver.record import Record, Word, Words, signed

FIRST_TABLE = 1024
"""Entries of the table when a search begins; small deals then stay in the cache of the processor."""

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
def visit(r: Record, table: Words) -> int:
    """Note a position in the table: 64 bits of one fingerprint word, 48 of the other, 16 of the generation."""
    if 4 * r.table_used >= 3 * r.table_size:
        if r.table_size == r.table_limit:
            return FULL
        _grow(r, table)
    word = r.fingerprint[0]
    tag = (r.fingerprint[1] << _16) | np.uint64(r.generation)
    at = _slot(table, r.table_size, word, tag)
    if table[at + 1] == tag:
        return SEEN
    table[at] = word
    table[at + 1] = tag
    r.table_used += 1
    return NEW
