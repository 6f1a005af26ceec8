"""What parent and worker say to each other over the worker's pipe.

The parent sends chunks, and None when there are no more. The worker sends everything else here.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from solitaire_lab.rules.catalog import Game


class Job(NamedTuple):
    """What a worker must know of a cell."""

    game: Game
    numbering: str
    memory: int
    """Bytes of one search's table."""


class Chunk(NamedTuple):
    """Deals of one block of one cell to decide, in order."""

    number: int
    """Never used twice in a run."""
    job: int
    """Which of the run's jobs."""
    seeds: tuple[int, ...]
    budget: int


class Ready(NamedTuple):
    """The worker has started."""


class Decided(NamedTuple):
    """The next rows of a chunk, as plain tuples with the fields of ``Row``, which are half the work to send."""

    chunk: int
    rows: list[tuple[object, ...]]


class Returned(NamedTuple):
    """Deals that the worker gives back: the last ``count`` of each chunk."""

    counts: list[tuple[int, int]]
    """Chunk and count."""


class Failed(NamedTuple):
    """Deciding a deal raised an exception: a bug of ours. The worker ends."""

    chunk: int
    seed: int
    traceback: str


class Logged(NamedTuple):
    """A log record, already formatted."""

    record: logging.LogRecord


Message = Ready | Decided | Returned | Failed | Logged
