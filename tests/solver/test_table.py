"""The table of positions against a set of Python."""

from __future__ import annotations

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numba import njit

from solitaire_lab.solver.record import RECORD
from solitaire_lab.solver.table import FIRST_TABLE, FULL, LOAD, LOAD_OF, NEW, SEEN, begin, is_met, table_words, visit


@njit
def _visit_all(r, table, words, met, found):
    """Visit fingerprints in turn; note whether each was met before the visit, and what the visit says."""
    for i in range(len(words)):
        r.fingerprint[0] = words[i, 0]
        r.fingerprint[1] = words[i, 1]
        met[i] = is_met(r, table, words[i])
        found[i] = visit(r, table)


@njit
def _begin(r, table):
    begin(r, table)


def _searched(limit: int, words: np.ndarray, table: np.ndarray) -> tuple[list[bool], list[int]]:
    record = np.zeros(1, RECORD).view(np.recarray)[0]
    record.table_limit = limit
    met, found = np.zeros(len(words), np.bool_), np.zeros(len(words), np.int64)
    _begin(record, table)
    _visit_all(record, table, words, met, found)
    return met.tolist(), found.tolist()


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    limit=st.sampled_from([FIRST_TABLE, 4 * FIRST_TABLE]),
    count=st.integers(1, 5000),
    homes=st.sampled_from([1, 3, 1000, 2**40]),
    highest=st.booleans(),
    others=st.sampled_from([2, 300, 2**40]),
)
@example(seed=1, limit=4 * FIRST_TABLE, count=900, homes=1, highest=True, others=2**40)
def test_a_table_tells_what_was_met(seed: int, limit: int, count: int, homes: int, highest: bool, others: int) -> None:
    """Also where most fingerprints belong to few groups, the last ones of the table among them, and differ little."""
    draw = np.random.default_rng(seed)
    words = np.stack([draw.integers(homes, size=count), draw.integers(others, size=count)], axis=1).astype(np.uint64)
    if highest:
        words[:, 0] = ~words[:, 0]
    words[:, 1] <<= np.uint64(24)  # the low bits of the byte that marks are made of
    words = np.concatenate([words, words])  # each is asked for again, once the table has grown
    table = np.zeros(table_words(limit), np.uint64)
    for _ in range(2):  # the second search must not find what the first one left
        met, found = _searched(limit, words, table)
        known: set[tuple[int, int]] = set()
        for word, other, was_met, status in zip(*words.T.tolist(), met, found, strict=True):
            full = LOAD_OF * len(known) >= LOAD * limit
            assert was_met == ((word, other) in known)
            if full:
                assert status == FULL
                continue
            assert status == (SEEN if (word, other) in known else NEW)
            known.add((word, other))
