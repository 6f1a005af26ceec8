"""The parent's side: gives chunks to workers, takes their rows, and replaces workers that die."""

from __future__ import annotations

import logging
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait

from solitaire_lab.errors import InputError
from solitaire_lab.results.rows import Row
from solitaire_lab.study.agenda import Agenda
from solitaire_lab.study.children import StartMethod
from solitaire_lab.study.ledger import Ledger
from solitaire_lab.study.logs import handle
from solitaire_lab.study.messages import Chunk, Decided, Failed, Logged, Message, Ready, Returned
from solitaire_lab.study.processes import Process, Setup, start
from solitaire_lab.study.progress import Progress
from solitaire_lab.study.tally import Tally

POLL_SECONDS = 0.1
"""The parent looks up this often, whatever happens."""
AHEAD = 2
"""Chunks given to a worker at a time: one in work, and one so that it never waits for the parent."""
START_SECONDS = 120.0
"""A worker that does not report by then is replaced."""
STOP_SECONDS = 1.0
"""Workers, which look up every second, have so long to send their last rows before they are killed."""
EXIT_SECONDS = 5.0
"""And so long to end when there is nothing left to do."""
PATIENCE = {"killed": 100, "exited": 3, "crashed": 20}
"""The run is given up after so many workers in a row that were killed, or ended, before they had reported, or so many
deals in a row that crashed."""

log = logging.getLogger(__name__)


class WorkerError(RuntimeError):
    """Deciding a deal raised an exception, which is a bug; the text holds the worker's traceback."""


@dataclass
class _Loan:
    """A chunk that a worker has and has not finished."""

    chunk: Chunk
    done: int
    """Rows that have come."""
    end: int
    """Where the deals begin that were given back."""

    @property
    def seeds(self) -> tuple[int, ...]:
        """The deals that are left."""
        return self.chunk.seeds[self.done : self.end]


@dataclass(eq=False)
class _Worker:
    index: int
    process: Process
    started: float
    ready: bool = False
    loans: dict[int, _Loan] = field(default_factory=dict)
    """By the number of the chunk, in the order in which they were given."""
    asked_back: bool = False

    @property
    def deals(self) -> int:
        """Deals that it has and has not decided."""
        return sum(loan.end - loan.done for loan in self.loans.values())


class Supervisor:
    """Runs what an agenda holds on worker processes, and enters the rows in a ledger."""

    def __init__(
        self,
        agenda: Agenda,
        ledger: Ledger,
        tally: Tally,
        *,
        setup: Setup,
        method: StartMethod,
        progress: Progress,
        stop_requests: Callable[[], int],
        ends_with: Callable[[int, list[Row]], bool],
    ) -> None:
        """
        Args:
            stop_requests: How often someone has asked to stop.
            ends_with: Told of each block that is complete and written, by its job and rows; whether no more deals of
                the job are wanted.
        """
        self._agenda = agenda
        self._ledger = ledger
        self._tally = tally
        self._setup = setup
        self._method = method
        self._progress = progress
        self._stop_requests = stop_requests
        self._ends_with = ends_with
        self._workers: list[_Worker] = []
        self._failed: str | None = None
        self._failures = dict.fromkeys(PATIENCE, 0)

    def run(self) -> bool:
        """Decide everything; whether it was done, and not stopped by a request.

        However this ends, the workers are gone and what was decided is written.

        Raises:
            InputError: rows can't be written, or no worker can be started.
            WorkerError: deciding a deal raised an exception.
        """
        done = False
        try:
            for index in range(self._setup.slots.workers):
                self._workers.append(self._start(index))
            while not done and not self._failed and not self._stop_requests():
                self._receive(POLL_SECONDS)
                self._assign()
                self._ledger.write()
                self._report()
                done = not self._agenda.left and not any(map(self._busy, self._workers))
            if done:
                self._dismiss(EXIT_SECONDS, requests=1)
            else:
                self._dismiss(STOP_SECONDS, requests=2)
        finally:
            for worker in self._workers:
                worker.process.kill()
            for worker in self._workers:
                worker.process.end()
            self._ledger.write(at_least=0.0)
        if self._failed:
            raise WorkerError(self._failed)
        return done

    # --- workers come and go ------------------------------------------------------------------------------------

    def _start(self, index: int) -> _Worker:
        self._setup.slots.clear(index)
        siblings = [worker.process.link for worker in self._workers if worker.index != index]
        process = start(self._method, self._setup, index, siblings=siblings)
        return _Worker(index, process, time.monotonic())

    def _dismiss(self, seconds: float, *, requests: int) -> None:
        """Let the workers send their last rows and end by themselves, until so many requests to stop have come."""
        deadline = time.monotonic() + seconds
        self._setup.slots.stop()
        for worker in self._workers:
            _send(worker, None)
            if not worker.ready:
                # It has nothing to send, and may take seconds to start.
                worker.process.kill()
        while self._workers and time.monotonic() < deadline and self._stop_requests() < requests:
            self._receive(POLL_SECONDS, replace=False)

    def _bury(self, worker: _Worker, *, replace: bool) -> None:
        """A worker has ended: find out what it leaves undone, and put another in its place."""
        code = worker.process.end()
        place = self._workers.index(worker)
        del self._workers[place]
        if not replace:
            return
        how = f"was killed by {signal.Signals(-code).name}" if code < 0 else f"ended with exit code {code}"
        log.info("worker %d (process %d) %s", worker.index, worker.process.pid, how)
        if not worker.ready:
            self._count_failure("killed" if code < 0 else "exited", "workers died before they had started", how)
        suspect = self._suspect(worker)
        for loan in reversed(worker.loans.values()):
            self._agenda.put_back(loan.chunk, [seed for seed in loan.seeds if (loan, seed) != suspect])
        if suspect is not None and suspect[0].chunk.job not in self._agenda.ended:
            self._accuse(suspect[0].chunk, suspect[1], self._setup.slots.nodes(worker.index), how)
        self._workers.insert(place, self._start(worker.index))

    def _suspect(self, worker: _Worker) -> tuple[_Loan, int] | None:
        """The deal that a dead worker was deciding, if it was: its seed, and the loan that it belongs to."""
        deal = self._setup.slots.deal_in_work(worker.index)
        loan = None if deal is None else worker.loans.get(deal.chunk)
        if deal is None or loan is None or not loan.done <= deal.place < loan.end:
            return None
        return loan, loan.chunk.seeds[deal.place]

    def _accuse(self, chunk: Chunk, seed: int, nodes: int, how: str) -> None:
        """A deal's worker died: try the deal once more, or give it up."""
        deal = f"seed {seed} of {self._agenda.label(chunk.job)!r}"
        if chunk.number in self._agenda.suspects:
            self._progress.note(f"A worker {how} while deciding {deal}, for the second time; the deal is crashed.")
            self._enter(chunk, [Row(seed, "undecided", "crashed", nodes, "", None, 0.0, None)])
            self._count_failure("crashed", "deals crashed", how)
        else:
            self._progress.note(f"A worker {how} while deciding {deal}; the deal is tried once more.")
            self._agenda.put_back(chunk, [seed], alone=True)

    def _count_failure(self, kind: str, what: str, how: str) -> None:
        self._failures[kind] += 1
        if self._failures[kind] >= PATIENCE[kind]:
            raise InputError(
                f"{self._failures[kind]} {what} in a row; the last worker {how}. What was decided is stored. "
                "See whether memory is short (then use fewer workers, or less memory for each), or try another start "
                "method."
            )

    # --- what workers say ---------------------------------------------------------------------------------------

    def _receive(self, timeout: float, *, replace: bool = True) -> None:
        """Take what workers have sent, and notice which have ended."""
        by_link = {id(worker.process.link): worker for worker in self._workers}
        for link in wait([worker.process.link for worker in self._workers], timeout):
            worker = by_link[id(link)]
            for message in _messages(worker.process.link):
                if message is None:
                    self._bury(worker, replace=replace)
                else:
                    self._hear(worker, message)
        for worker in self._workers:
            worker.process.drain_log()
            if not worker.ready and time.monotonic() - worker.started > START_SECONDS:
                worker.process.kill()

    def _hear(self, worker: _Worker, message: Message) -> None:
        match message:
            case Decided(number, values):
                loan = worker.loans[number]
                rows = [Row._make(value) for value in values]
                loan.done += len(rows)
                self._settle(worker, loan)
                self._failures["crashed"] = 0
                self._agenda.learn(loan.chunk.job, len(rows), sum(row.seconds for row in rows))
                self._enter(loan.chunk, rows)
            case Returned(counts):
                for number, count in reversed(counts):
                    loan = worker.loans[number]
                    loan.end -= count
                    self._agenda.put_back(loan.chunk, loan.chunk.seeds[loan.end : loan.end + count])
                    self._settle(worker, loan)
            case Ready():
                worker.ready = True
                self._failures |= {"killed": 0, "exited": 0}
            case Logged(record):
                handle(record)
            case Failed(number, seed, traceback):
                self._failed = f"seed {seed} of {self._agenda.label(worker.loans[number].chunk.job)!r}:\n{traceback}"

    def _settle(self, worker: _Worker, loan: _Loan) -> None:
        """Forget a chunk of which no deal is left."""
        if loan.done == loan.end:
            del worker.loans[loan.chunk.number]

    def _enter(self, chunk: Chunk, rows: list[Row]) -> None:
        if chunk.job in self._agenda.ended:
            return
        block = self._ledger.add(chunk.job, rows)
        self._tally.add(rows, budget=chunk.budget)
        if block is not None and self._ends_with(chunk.job, block):
            self._end(chunk.job, chunk.budget)

    def _end(self, job: int, budget: int) -> None:
        """No more deals of a job are wanted, those that workers have included."""
        loans = [loan for worker in self._workers for loan in worker.loans.values() if loan.chunk.job == job]
        self._tally.drop(self._agenda.end(job) + sum(loan.end - loan.done for loan in loans), budget=budget)
        self._ledger.forget(job)

    def _busy(self, worker: _Worker) -> bool:
        """Whether a worker has deals that are wanted."""
        return any(loan.chunk.job not in self._agenda.ended for loan in worker.loans.values())

    # --- what workers are given ---------------------------------------------------------------------------------

    def _assign(self) -> None:
        """Give every worker something to do; when nothing is left, take it from those who have more than they do."""
        # One chunk to each before a second one to any.
        for ahead in range(AHEAD):
            for worker in self._workers:
                if worker.ready and len(worker.loans) == ahead and (chunk := self._agenda.take()) is not None:
                    self._ask_back(worker, False)
                    worker.loans[chunk.number] = _Loan(chunk, 0, len(chunk.seeds))
                    _send(worker, chunk)
        if not self._agenda.left and any(worker.ready and not worker.loans for worker in self._workers):
            richest = max(self._workers, key=lambda worker: worker.deals)
            if richest.deals > 1:
                self._ask_back(richest, True)

    def _ask_back(self, worker: _Worker, asking: bool) -> None:
        if worker.asked_back != asking:
            worker.asked_back = asking
            self._setup.slots.ask_back(worker.index, asking)

    def _report(self) -> None:
        searching = sum(self._setup.slots.nodes(worker.index) for worker in self._workers)
        self._progress.show(self._tally, searching)


def _send(worker: _Worker, message: Chunk | None) -> None:
    try:
        worker.process.link.send(message)
    except OSError:
        # It has died; its pipe's end of file says so to ``_receive``.
        log.debug("worker %d is gone", worker.index)


def _messages(link: Connection) -> Iterator[Message | None]:
    """What has arrived; None, as the last, if the other end is closed."""
    try:
        while link.poll():
            yield link.recv()
    except (EOFError, OSError):
        yield None
