"""Log records of workers, handled in the parent as if they had been made there.

Forked workers log through multiprocessing-logging, spawned ones (which that package does not support) over their own
pipe. No result depends on a record's arrival.
"""

from __future__ import annotations

import collections
import logging
import logging.handlers
from multiprocessing.connection import Connection
from typing import Any

from multiprocessing_logging import MultiProcessingHandler

from solitaire_lab.study.messages import Logged

PACKAGE = "solitaire_lab"


def package_level() -> int:
    """The level below which the parent drops the package's records."""
    return logging.getLogger(PACKAGE).getEffectiveLevel()


def send_records(handler: logging.Handler, level: int) -> None:
    """In a worker: let the package's records go to one handler and nowhere else."""
    logger = logging.getLogger(PACKAGE)
    logger.handlers, logger.propagate = [handler], False
    logger.setLevel(level)


def handle(record: logging.LogRecord) -> None:
    """In the parent: hand a worker's record to the parent's handlers."""
    logging.getLogger(record.name).handle(record)


class PipeHandler(logging.handlers.QueueHandler):
    """In a spawned worker: sends records over the worker's pipe."""

    def __init__(self, link: Connection) -> None:
        super().__init__(link)  # type: ignore[arg-type]  # a queue is only what ``enqueue`` takes it for

    def enqueue(self, record: logging.LogRecord) -> None:
        self.queue.send(Logged(record))  # type: ignore[attr-defined]


class ForkedLog:
    """In the parent: the records of one forked worker.

    Each worker has a handler, and with it a queue, of its own: the package's queue is guarded by a lock between
    processes, and a worker that is killed while it holds the lock would silence every other worker on the queue.
    """

    def __init__(self, name: str) -> None:
        self._records: collections.deque[logging.LogRecord] = collections.deque()
        self.handler = MultiProcessingHandler(name, sub_handler=_Mailbox(self._records))

    def after_fork(self) -> None:
        """Leave the writing end to the worker alone.

        Then its death is the end of the stream, and the package's thread ends, even if the worker died in the middle
        of a record; and workers forked later don't inherit that end.
        """
        self.handler.queue._writer.close()

    def drain(self) -> None:
        """Handle what has arrived.

        The package's thread only collects: it must not hold a lock of an output stream while the main thread forks.
        """
        while self._records:
            handle(self._records.popleft())

    def close(self) -> None:
        """Handle the rest, after the worker has ended."""
        self.handler.close()
        self.drain()


class _Mailbox(logging.Handler):
    def __init__(self, records: collections.deque[Any]) -> None:
        super().__init__()
        self._records = records

    def emit(self, record: logging.LogRecord) -> None:
        self._records.append(record)
