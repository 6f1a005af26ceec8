"""The table of the positions that a search has met.

It has groups of eight entries, each filled from the first one on, and for each group a word of marks, a byte an entry:
seven bits of its fingerprint, or 0 if it is empty. Most new positions are told from all that were met by the marks
alone, of which sixteen times as many fit in the caches of the processor as of entries, for which it has to wait.
With marks, and tables that are half empty, depth-first searches of two million nodes go 1.1 to 1.2 times as fast as
with a plain table that grows when it is nearly full, in Canfield, Klondike and How They Run.
"""

from __future__ import annotations

import numpy as np

from solitaire_lab.solver.compiling import compiled, inlined, prefetch
from solitaire_lab.solver.record import Record, Word, Words, signed
from solitaire_lab.solver.sets import count_cards, lowest_card

FIRST_TABLE = 1024
"""Entries of the table when a search begins; small deals then stay in the cache of the processor."""

LOAD, LOAD_OF = 29, 32
"""The share of entries in use at which the largest table is full: 19 bytes a position then. Smaller ones grow when half
of their entries are in use: most groups have room then, and no other need be looked at."""

GROUP = 8
"""Entries of a group: two lines of the processor's caches."""

LINE = 8
"""Words of a line."""

SPARE = 4096
"""Entries behind the last one, so that none has to go back to the beginning."""

NEW, SEEN, FULL = range(3)
_0, _1 = np.uint64(0), np.uint64(1)
_56 = np.uint64(56)
_USED = np.uint64(0x80)
_BYTES = np.uint64(0x0101010101010101)
_HIGHS = _USED * _BYTES


def table_words(limit: int) -> int:
    """The length of the array for a table of so many entries at most: two words for each, then the marks, then room
    for entries that are put aside when the table grows."""
    return (2 * GROUP + 1) * (limit + SPARE) // GROUP + 2 * SPARE


@inlined
def _marks(r: Record) -> int:
    """Where the marks begin."""
    return 2 * (r.table_limit + SPARE)


@inlined
def _aside(r: Record) -> int:
    """Where the entries that are put aside begin."""
    return _marks(r) + (r.table_limit + SPARE) // GROUP


@compiled
def begin(r: Record, table: Words) -> None:
    """Forget the search before."""
    r.table_size = min(FIRST_TABLE, r.table_limit)
    table[_marks(r) : _marks(r) + (r.table_size + SPARE) // GROUP] = 0
    r.table_used = 0
    r.nodes = r.depth = r.trail_size = r.stack_size = r.expanding = 0


@inlined
def _home(size: int, word: Word) -> int:
    """The group of a fingerprint."""
    return signed(word & np.uint64(size // GROUP - 1))


@inlined
def expect(r: Record, table: Words, word: Word) -> None:
    """Have the processor fetch what is known of a position, given the first word of its fingerprint, which is soon
    asked for."""
    group = _home(r.table_size, word)
    prefetch(table, _marks(r) + group)
    prefetch(table, 2 * GROUP * group)
    prefetch(table, 2 * GROUP * group + LINE)


@inlined
def _mark(word: Word) -> Word:
    """The mark of a fingerprint, given its second word."""
    return (word >> _56) | _USED


@inlined
def _used(marks: Word) -> int:
    """How many entries of a group are in use."""
    return count_cards(marks & _HIGHS)


@inlined
def _write(r: Record, table: Words, slot: int, word: Word, other: Word) -> None:
    """Write an entry that is empty, given its number."""
    table[2 * slot] = word
    table[2 * slot + 1] = other
    table[_marks(r) + slot // GROUP] |= _mark(other) << np.uint64(8 * (slot % GROUP))


@compiled
def _enter(r: Record, table: Words, size: int, word: Word, other: Word) -> None:
    """Write an entry that the table does not have; one that finds no room is left out, which at most means to search
    its position again."""
    for group in range(_home(size, word), (size + SPARE) // GROUP):
        used = _used(table[_marks(r) + group])
        if used < GROUP:
            _write(r, table, GROUP * group + used, word, other)
            return


@compiled
def _grow(r: Record, table: Words) -> None:
    """Double the table, in place.

    Every entry lies in its group or behind it with no empty entry between. Taken from the lowest on, an entry goes back
    to where it was or before, or to the upper half, which holds none but such; only those behind the old end must be
    put aside first.
    """
    size, marks = r.table_size, _marks(r)
    end = _aside(r)
    for group in range(size // GROUP, (size + SPARE) // GROUP):
        for slot in range(GROUP * group, GROUP * group + _used(table[marks + group])):
            table[end] = table[2 * slot]
            table[end + 1] = table[2 * slot + 1]
            end += 2
    table[marks + size // GROUP : marks + (2 * size + SPARE) // GROUP] = 0
    for group in range(size // GROUP):
        used = _used(table[marks + group])
        table[marks + group] = 0
        for slot in range(GROUP * group, GROUP * group + used):
            _enter(r, table, 2 * size, table[2 * slot], table[2 * slot + 1])
    for i in range(_aside(r), end, 2):
        _enter(r, table, 2 * size, table[i], table[i + 1])
    r.table_size = 2 * size


@inlined
def _find(r: Record, table: Words, word: Word, other: Word) -> tuple[bool, int]:
    """Whether a fingerprint is in the table, and if it is not, the number of the entry where it belongs, or -1."""
    mark = _mark(other) * _BYTES
    for group in range(_home(r.table_size, word), (r.table_size + SPARE) // GROUP):
        marks = table[_marks(r) + group]
        differs = marks ^ mark
        # The high bit of each byte that is 0; perhaps of others above such a one, which the entries tell.
        alike = (differs - _BYTES) & ~differs & _HIGHS
        while alike != _0:
            slot = GROUP * group + lowest_card(alike) // 8
            if table[2 * slot] == word and table[2 * slot + 1] == other:
                return True, slot
            alike &= alike - _1
        used = _used(marks)
        if used < GROUP:
            return False, GROUP * group + used
    return False, -1


@inlined
def is_met(r: Record, table: Words, fingerprint: Words) -> bool:
    """Whether a position, given the two words of its fingerprint, is in the table."""
    return _find(r, table, fingerprint[0], fingerprint[1])[0]


@inlined
def visit(r: Record, table: Words) -> int:
    """Note a position in the table, by both words of its fingerprint."""
    if 2 * r.table_used >= r.table_size and r.table_size < r.table_limit:
        _grow(r, table)
    if LOAD_OF * r.table_used >= LOAD * r.table_size:
        return FULL
    met, slot = _find(r, table, r.fingerprint[0], r.fingerprint[1])
    if met:
        return SEEN
    if slot < 0:
        return FULL
    _write(r, table, slot, r.fingerprint[0], r.fingerprint[1])
    r.table_used += 1
    return NEW
