"""What workers tell without sending it: a few numbers each, in memory that they share with the parent.

A worker that is killed can send nothing any more, but what stands here stays. Every number is one aligned 64-bit word
with one writer, so that neither side ever sees half of one.
"""

from __future__ import annotations

import mmap
import os
import tempfile
from typing import NamedTuple

from solitaire_lab.errors import InputError

_WORDS = 8
"""Words a worker: a cache line of its own."""
_DEAL, _NODES, _LEND = range(3)
_POSITIONS = 1 << 16
"""More than a chunk has deals."""


class DealInWork(NamedTuple):
    """The deal that a worker is deciding: the number of its chunk, and its place there, counted from 0."""

    chunk: int
    place: int


class Slots:
    """One slot a worker, and a word for all: whether to stop."""

    def __init__(self, workers: int, *, file: int | None = None) -> None:
        """
        Args:
            file: The descriptor of other slots' file, to share them; None makes new ones, all zeros, in a file that
                has no name.

        Raises:
            InputError: there is no room for temporary files.
        """
        self.workers = workers
        size = (workers + 1) * _WORDS * 8
        self.file = _zeros(size) if file is None else file
        self._words = memoryview(mmap.mmap(self.file, size)).cast("Q")

    def close(self) -> None:
        """Give the file back."""
        os.close(self.file)

    # --- by the worker ------------------------------------------------------------------------------------------

    def begin(self, worker: int, deal: DealInWork) -> None:
        """A deal is begun."""
        self._words[self._at(worker, _NODES)] = 0
        self._words[self._at(worker, _DEAL)] = deal.chunk * _POSITIONS + deal.place + 1

    def publish(self, worker: int, nodes: int) -> None:
        """So many nodes were searched of the deal in work."""
        self._words[self._at(worker, _NODES)] = nodes

    def end(self, worker: int) -> None:
        """The deal in work is decided."""
        self._words[self._at(worker, _DEAL)] = 0

    def stopping(self) -> bool:
        """Whether all are to stop."""
        return self._words[0] != 0

    def lending(self, worker: int) -> bool:
        """Whether this worker is to give back what it has not begun."""
        return self._words[self._at(worker, _LEND)] != 0

    # --- by the parent ------------------------------------------------------------------------------------------

    def clear(self, worker: int) -> None:
        """Make a slot ready for a new worker."""
        for word in range(_WORDS):
            self._words[self._at(worker, word)] = 0

    def stop(self) -> None:
        """Ask all to stop."""
        self._words[0] = 1

    def ask_back(self, worker: int, asking: bool) -> None:
        """Ask a worker for what it has not begun, or stop asking."""
        self._words[self._at(worker, _LEND)] = asking

    def deal_in_work(self, worker: int) -> DealInWork | None:
        """What a worker is deciding, or was when it died."""
        word = self._words[self._at(worker, _DEAL)]
        return DealInWork(word // _POSITIONS, word % _POSITIONS - 1) if word else None

    def nodes(self, worker: int) -> int:
        """Nodes searched of the deal in work."""
        return self._words[self._at(worker, _NODES)] if self._words[self._at(worker, _DEAL)] else 0

    def _at(self, worker: int, word: int) -> int:
        return (worker + 1) * _WORDS + word


def _zeros(size: int) -> int:
    """The descriptor of a nameless file of so many zeros."""
    try:
        with tempfile.TemporaryFile() as file:
            # Written, not only made longer: on a full disk that fails here, and not with a signal on some access.
            file.write(bytes(size))
            file.flush()
            return os.dup(file.fileno())
    except OSError as error:
        raise InputError(f"A temporary file can't be written ({error.strerror}); is the disk full?") from error
