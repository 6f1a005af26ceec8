"""Running a study: what is not done yet, on every processor, into a results folder."""

from __future__ import annotations

import contextlib
import signal
import threading
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

from solitaire_lab.errors import InputError
from solitaire_lab.results.manifest import Manifest
from solitaire_lab.results.rows import REASONS, Row
from solitaire_lab.results.store import Store
from solitaire_lab.solver.solver import load_kernel
from solitaire_lab.study.agenda import Agenda
from solitaire_lab.study.blocks import CellWork, merged_manifest, plan_work, reached_seeds, with_ends
from solitaire_lab.study.children import StartMethod, default_start_method
from solitaire_lab.study.cpus import MAX_WORKERS, available_cpus
from solitaire_lab.study.ledger import Ledger
from solitaire_lab.study.model import Study
from solitaire_lab.study.processes import Setup
from solitaire_lab.study.progress import Progress, default_progress
from solitaire_lab.study.slots import Slots
from solitaire_lab.study.supervisor import Supervisor
from solitaire_lab.study.tally import Tally
from solitaire_lab.study.worker import Decider, decide_by_search


@dataclass(frozen=True)
class RunSummary:
    """What a run did."""

    study: str
    deals: int
    """That the study asks for; one that it asks for under two labels counts once. Of a cell that has ended by its
    precision, those up to its end."""
    stored: int
    """Of these, decided before."""
    decided: int
    """By this run, those included that were in work behind a cell's end when it was found."""
    left: int
    """To decide; if a cell is run to a precision that it has not reached, at most so many."""
    wins: int
    losses: int
    undecided: int
    """By this run, crashed deals among them."""
    crashed: int
    nodes: int
    """Searched for the deals decided by this run."""
    seconds: float
    """Wall time, loading the kernel left out."""
    solving_seconds: float
    """Wall time of searches, summed over workers."""
    parent_seconds: float
    """Processor time of the parent."""
    workers: int

    @property
    def complete(self) -> bool:
        """Whether nothing is left to do."""
        return self.left == 0


class Stopped(KeyboardInterrupt):
    """A run was asked to stop, by Ctrl-C or SIGTERM, and did. Everything decided is written.

    Its text says how to go on.
    """

    def __init__(self, summary: RunSummary, signum: int, *, at_most: bool = False) -> None:
        super().__init__(
            f"Stopped; {summary.decided:,} deals of this run are stored and {summary.left:,} are left"
            f"{', or fewer to the precision asked for' if at_most else ''}. The same command again goes on from here."
        )
        self.summary = summary
        self.signum = signum

    @property
    def exit_code(self) -> int:
        """What a program should end with: 130 or 143."""
        return 128 + self.signum


@dataclass(frozen=True)
class Preview:
    """What a run would do for one cell."""

    labels: tuple[str, ...]
    """Those under which the study asks for the cell."""
    game: str
    settings: dict[str, Any]
    """What differs from the game's own rules, by dotted key."""
    numbering: str
    cell_id: str
    todo: int
    """Deals to decide; if the cell is run to a precision, at most."""
    precision: float | None
    """Half the width of the headline interval, in percentage points, at which the cell ends."""
    budget: int
    """The largest that one of them may take."""


def preview(study: Study, out: Path | str, *, retry: Collection[str] = ()) -> tuple[Preview, ...]:
    """What ``run`` would do, cell by cell; nothing is written.

    Raises:
        InputError: as ``run``.
    """
    store = Store(out)
    works = plan_work(study, store, manifest=_merged(study, store), retry=_checked_retry(retry))
    return tuple(
        Preview(
            tuple(cell.label for cell in work.cells),
            work.cell.game,
            dict(work.cell.overrides),
            work.cell.numbering,
            work.cell.id,
            work.todo,
            work.cells[0].planned.precision,
            work.budget,
        )
        for work in works
    )


def run(
    study: Study,
    out: Path | str,
    *,
    workers: int | None = None,
    retry: Collection[str] = (),
    start_method: StartMethod | None = None,
    progress: Progress | None = None,
    decider: Decider = decide_by_search,
) -> RunSummary:
    """Decide what a study asks for and a results folder does not hold yet.

    A cell that is run to a precision ends with the first block, in seed order, that reaches it, however many workers
    there are. Deals behind it that were in work may be stored; they are not counted.

    May be called from a script without a main guard and from a notebook. In the main thread, Ctrl-C and SIGTERM stop
    it within two seconds, or where the compiler keeps them back, when it is done; a second one, at once.

    Args:
        study: What to decide.
        out: The results folder; made if it is missing.
        workers: Processes; None means one for each processor that may be used.
        retry: Reasons (``crashed``, ``memory``, ``nodes``) for which undecided deals are tried again.
        start_method: How workers are started; None means forked where that is safe, else spawned.
        progress: Told how it is getting on; None means a bar or lines on standard error.
        decider: Makes, within a worker, what decides the deals of a cell. A seam for tests.

    Returns:
        What was done.

    Raises:
        InputError: the folder is in use, can't be written, holds a damaged file, or is for other cells; a value is out
            of range; workers can't be started. What was decided until then is written.
        Stopped: by a signal.
        WorkerError: deciding a deal raised an exception, which is a bug.
    """
    workers = available_cpus() if workers is None else workers
    if not 1 <= workers <= MAX_WORKERS:
        raise InputError(f"{workers} workers are not possible; use 1 to {MAX_WORKERS}.")
    _checked_retry(retry)
    store = Store(out)
    # Before anything is made, so that a study that is refused leaves no folder.
    _merged(study, store)
    with store.lock():
        manifest = _merged(study, store)
        works = plan_work(study, store, manifest=manifest, retry=retry)
        store.write_manifest(with_ends(manifest, works))
        todo = sum(work.todo for work in works)
        progress = progress or default_progress(todo)
        with contextlib.closing(Slots(min(workers, todo))) as slots:
            setup = Setup(slots, [work.job for work in works], decider)
            return _run(study, store, manifest, works, setup, start_method or default_start_method(), progress)


def _merged(study: Study, store: Store) -> Manifest:
    before = store.manifest() if store.exists else None
    return merged_manifest(before, study, reached=reached_seeds(store))


def _checked_retry(retry: Collection[str]) -> Collection[str]:
    if unknown := [reason for reason in retry if reason not in REASONS]:
        raise InputError(f"{unknown[0]!r} is no reason to be undecided; reasons are {', '.join(REASONS)}.")
    return retry


def _run(
    study: Study,
    store: Store,
    manifest: Manifest,
    works: Sequence[CellWork],
    setup: Setup,
    method: StartMethod,
    progress: Progress,
) -> RunSummary:
    ledger = Ledger(store, works)
    agenda = Agenda(works, workers=setup.slots.workers, opened=ledger.open)
    tally = Tally(agenda.left, sum(work.todo * work.budget for work in works), workers=setup.slots.workers)

    def ends_with(job: int, rows: list[Row]) -> bool:
        ended = works[job].ends_with(rows)
        if ended:
            store.write_manifest(with_ends(manifest, works))
        return ended

    with _stop_requests() as requests, _closed(progress, tally):
        if tally.deals and setup.decider is decide_by_search:
            _load_kernel(progress, requests)
        began, processor_began = time.monotonic(), time.process_time()
        supervisor = Supervisor(
            agenda,
            ledger,
            tally,
            setup=setup,
            method=method,
            progress=progress,
            stop_requests=requests.__len__,
            ends_with=ends_with,
        )
        done = not requests and supervisor.run()
    summary = RunSummary(
        study=study.name,
        deals=sum(work.deals for work in works),
        stored=sum(work.stored for work in works),
        decided=tally.decided,
        left=tally.deals - tally.decided,
        wins=tally.outcomes["win"],
        losses=tally.outcomes["loss"],
        undecided=tally.outcomes["undecided"],
        crashed=tally.crashed,
        nodes=tally.nodes,
        seconds=time.monotonic() - began,
        solving_seconds=tally.solving_seconds,
        parent_seconds=time.process_time() - processor_began,
        workers=setup.slots.workers,
    )
    if not done:
        at_most = any(work.ending is not None and work.last is None for work in works)
        raise Stopped(summary, requests[0], at_most=at_most)
    return summary


def _load_kernel(progress: Progress, requests: list[int]) -> None:
    """Have the kernel ready, unless a signal asks to stop; it is noted among the requests.

    It is noted and not only raised, since what compiles the kernel may swallow an exception.
    """

    def interrupt(signum: int, frame: FrameType | None) -> None:
        requests.append(signum)
        raise KeyboardInterrupt

    with contextlib.suppress(KeyboardInterrupt), _handled(interrupt):
        load_kernel(progress.note)


@contextlib.contextmanager
def _stop_requests() -> Iterator[list[int]]:
    """Signals that ask to stop, as they come; outside the main thread, which alone may handle signals, none come."""
    received: list[int] = []

    def note(signum: int, frame: FrameType | None) -> None:
        received.append(signum)

    with _handled(note):
        yield received


@contextlib.contextmanager
def _handled(handler: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    """Have signals that ask to stop handled so; outside the main thread, change nothing."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, handler) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, old in before.items():
            # None is a handler that was not set from Python; it can't be put back.
            signal.signal(number, signal.SIG_DFL if old is None else old)


@contextlib.contextmanager
def _closed(progress: Progress, tally: Tally) -> Iterator[None]:
    try:
        yield
    finally:
        progress.close(tally)
