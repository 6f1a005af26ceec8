"""Rows on their way to the disk: only whole blocks are written, so a block in work is kept here."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from solitaire_lab.results.rows import BLOCK, Row
from solitaire_lab.results.store import Store
from solitaire_lab.study.blocks import CellWork

WRITE_SECONDS = 10.0
"""A row is written after so long at the latest, even if its block is in work."""


@dataclass
class _OpenBlock:
    todo: int
    """Deals to decide."""
    stored: list[Row]
    """What the folder held when the run began."""
    rows: dict[int, Row] = field(default_factory=dict)
    """What was decided since, by seed."""
    dirty_since: float | None = None
    """When the first row came that is not written."""


class Ledger:
    """Takes rows in any order; writes a block when it is complete, and what there is of it every ten seconds."""

    def __init__(self, store: Store, works: Sequence[CellWork], *, clock: Callable[[], float] = time.monotonic) -> None:
        self._store = store
        self._works = works
        self._clock = clock
        self._open: dict[tuple[int, int], _OpenBlock] = {}

    def open(self, job: int, block: int, missing: dict[int, int]) -> None:
        """Begin a block, of which the deals in ``missing`` are to be decided.

        Raises:
            InputError: what is stored of it can't be read.
        """
        stored = self._store.read_block(self._works[job].cell.id, block)
        self._open[job, block] = _OpenBlock(len(missing), stored)

    def add(self, job: int, rows: Iterable[Row]) -> list[Row] | None:
        """Take rows of one block, and write it if they complete it.

        Returns:
            All rows of the block, in no order, if it is complete; else None.

        Raises:
            InputError: it can't be written.
        """
        new = {row.seed: row for row in rows}
        block = min(new) // BLOCK
        book = self._open[job, block]
        book.rows.update(new)
        if book.dirty_since is None:
            book.dirty_since = self._clock()
        if len(book.rows) < book.todo:
            return None
        del self._open[job, block]
        return self._write(job, block, book)

    def forget(self, job: int) -> None:
        """No more rows of a job are wanted: what is not written of its blocks need not be."""
        self._open = {(owner, block): book for (owner, block), book in self._open.items() if owner != job}

    def write(self, *, at_least: float = WRITE_SECONDS) -> None:
        """Write every block with a row that came so many seconds ago and is not written.

        Raises:
            InputError: one can't be written.
        """
        now = self._clock()
        for (job, block), book in self._open.items():
            if book.dirty_since is not None and now - book.dirty_since >= at_least:
                self._write(job, block, book)

    def _write(self, job: int, block: int, book: _OpenBlock) -> list[Row]:
        rows = [*(row for row in book.stored if row.seed not in book.rows), *book.rows.values()]
        self._store.write_block(self._works[job].written_as, block, rows)
        book.dirty_since = None
        return rows
