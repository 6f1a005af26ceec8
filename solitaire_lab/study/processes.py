"""Starting worker processes, forked or spawned, so that none outlives its parent."""

from __future__ import annotations

import contextlib
import logging
import multiprocessing
import os
import signal
import subprocess
import sys
import warnings
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection, Pipe
from typing import NamedTuple, Protocol

from solitaire_lab.errors import InputError
from solitaire_lab.study import logs
from solitaire_lab.study.children import SIGNALS, StartMethod, stand_alone
from solitaire_lab.study.messages import Job
from solitaire_lab.study.slots import Slots
from solitaire_lab.study.worker import Decider, work

_END_SECONDS = 0.5
"""A worker that has closed its pipe is killed if it is still there after so long."""


class Setup(NamedTuple):
    """What every worker of a run is given."""

    slots: Slots
    jobs: Sequence[Job]
    decider: Decider


class Process(Protocol):
    """A worker process as its parent sees it. Its pipe's end of file tells that it has died."""

    link: Connection
    pid: int

    def drain_log(self) -> None:
        """Handle the log records that have arrived by another way than the pipe."""

    def kill(self) -> None:
        """End it at once."""

    def end(self) -> int:
        """Take leave of a process that has closed its pipe or was killed; its exit code, or minus the signal."""


def start(method: StartMethod, setup: Setup, index: int, *, siblings: Sequence[Connection]) -> Process:
    """Start the worker with slot ``index``.

    Args:
        siblings: The parent's ends of the pipes to other workers, which a forked worker must not keep open.

    Raises:
        InputError: the system lets us start no more processes.
    """
    try:
        with _held_signals():
            return _Forked(setup, index, siblings) if method == "fork" else _Spawned(setup, index)
    except OSError as error:
        raise InputError(f"No worker can be started ({error.strerror}); try fewer --workers.") from error


class _Forked:
    def __init__(self, setup: Setup, index: int, siblings: Sequence[Connection]) -> None:
        self.link, link = Pipe()
        self._log = logs.ForkedLog(f"solitaire-lab-log-{index}")
        args = (link, setup, index, os.getpid(), self._log.handler, [self.link, *siblings])
        self._process = multiprocessing.get_context("fork").Process(target=_run_forked, args=args, daemon=True)
        with warnings.catch_warnings():
            # The threads it would warn of collect log records, and hold no lock that a worker needs.
            warnings.filterwarnings("ignore", category=DeprecationWarning, message=".*fork.*")
            self._process.start()
        link.close()
        self._log.after_fork()
        assert self._process.pid is not None
        self.pid = self._process.pid

    def drain_log(self) -> None:
        self._log.drain()

    def kill(self) -> None:
        self._process.kill()

    def end(self) -> int:
        self._process.join(_END_SECONDS)
        if self._process.exitcode is None:
            self._process.kill()
            self._process.join()
        code = self._process.exitcode
        self._process.close()
        self.link.close()
        self._log.close()
        assert code is not None
        return code


class _Spawned:
    """Not by multiprocessing's own spawning, which runs the main script again and so needs a main guard in it."""

    def __init__(self, setup: Setup, index: int) -> None:
        self.link, link = Pipe()
        with link:
            code = (
                f"import sys; sys.path[:] = {sys.path!r}; "
                "from solitaire_lab.study.processes import run_spawned; "
                f"run_spawned({link.fileno()}, {setup.slots.file}, {setup.slots.workers}, {index}, {os.getpid()})"
            )
            self._process = subprocess.Popen(
                [sys.executable, "-c", code],
                stdin=subprocess.DEVNULL,
                pass_fds=(link.fileno(), setup.slots.file),
            )
        self.pid = self._process.pid
        # A worker that has died already is noticed at the pipe's end of file.
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            self.link.send((setup.jobs, setup.decider, logs.package_level()))

    def drain_log(self) -> None:
        pass

    def kill(self) -> None:
        self._process.kill()

    def end(self) -> int:
        try:
            self._process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
        self.link.close()
        return self._process.wait()


def _run_forked(
    link: Connection,
    setup: Setup,
    index: int,
    parent: int,
    log_handler: logging.Handler,
    others: Sequence[Connection],
) -> None:
    stand_alone(parent)
    for other in others:
        other.close()
    logs.send_records(log_handler, logs.package_level())
    work(link, setup.slots, index, setup.jobs, setup.decider, parent)


def run_spawned(link: int, slots: int, workers: int, index: int, parent: int) -> None:
    """The main function of a spawned worker."""
    stand_alone(parent)
    connection = Connection(link)
    try:
        jobs, decider, level = connection.recv()
    except EOFError:
        return
    logs.send_records(logs.PipeHandler(connection), level)
    work(connection, Slots(workers, file=slots), index, jobs, decider, parent)


@contextlib.contextmanager
def _held_signals() -> Iterator[None]:
    """Hold signals back, so that a child gets none before it has said how it takes them."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
