"""A worker: takes chunks of deals from its pipe, decides them, and sends rows back."""

from __future__ import annotations

import collections
import contextlib
import logging
import os
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import Connection

from solitaire_lab.deals.dealing import deal_many
from solitaire_lab.engine.engine import Engine
from solitaire_lab.results.rows import Row
from solitaire_lab.solver.solver import Solver
from solitaire_lab.study.messages import Chunk, Decided, Failed, Job, Ready, Returned
from solitaire_lab.study.slots import DealInWork, Slots

BATCH_SECONDS = 0.25
"""Rows are sent this often, or at the end of a chunk."""

Tick = Callable[[int], bool]
"""Called at least every second with the nodes of the deal in work; whether to go on."""
Decide = Callable[[Sequence[int], int, Tick], Iterator[Row]]
"""Rows for seeds, in their order, under a budget; fewer of them if the tick said stop."""
Decider = Callable[[Job], Decide]

log = logging.getLogger(__name__)


def decide_by_search(job: Job) -> Decide:
    """How a job's deals are decided: dealt, settled, and searched."""
    engine = Engine(job.game.rules)
    solver = Solver(job.game.rules, memory=job.memory)

    def decide(seeds: Sequence[int], budget: int, tick: Tick) -> Iterator[Row]:
        for seed, dealt in zip(seeds, deal_many(job.game, numbering=job.numbering, seeds=seeds), strict=True):
            begin = time.perf_counter()
            verdict = solver.solve(engine.settle(dealt), budget=budget, tick=tick)
            if verdict is None:
                return
            outcome, reason, nodes, phase, moves = verdict
            length = None if moves is None else len(moves) // 3
            yield Row(seed, outcome, reason, nodes, phase, length, time.perf_counter() - begin, moves)

    return decide


def work(link: Connection, slots: Slots, index: int, jobs: Sequence[Job], decider: Decider, parent: int) -> None:
    """Serve a parent until it says that there is no more, asks to stop, or is gone.

    Args:
        index: The worker's slot.
        parent: The parent's process id.
    """
    worker = _Worker(link, slots, index, jobs, decider, parent)
    # When the parent is gone, so is the reason to work.
    with contextlib.suppress(EOFError, BrokenPipeError, ConnectionResetError):
        worker.serve()


class _Worker:
    def __init__(
        self, link: Connection, slots: Slots, index: int, jobs: Sequence[Job], decider: Decider, parent: int
    ) -> None:
        self.link = link
        self.slots = slots
        self.index = index
        self.jobs = jobs
        self.decider = decider
        self.parent = parent
        self.job = -1
        self.decide: Decide | None = None
        """How the deals of ``job`` are decided."""
        self.waiting: collections.deque[Chunk | None] = collections.deque()
        self.chunk = 0
        """The number of the chunk in work."""
        self.left = 0
        """Its deals that are not begun and not given back."""
        self.rows: list[tuple[object, ...]] = []
        """Rows of the chunk in work that are not sent."""
        self.sent = time.perf_counter()

    def serve(self) -> None:
        self.link.send(Ready())
        while (chunk := self._next()) is not None and self._decide_chunk(chunk):
            pass

    def _next(self) -> Chunk | None:
        if not self.waiting:
            self.waiting.append(self.link.recv())
        return self.waiting.popleft()

    def _decide_chunk(self, chunk: Chunk) -> bool:
        """Decide the deals of a chunk and send their rows; whether to go on."""
        self.chunk, self.left = chunk.number, len(chunk.seeds)
        rows = self._rows(chunk)
        for place, seed in enumerate(chunk.seeds):
            if not self._may_go_on() or not self.left:
                break
            self.left -= 1
            self.slots.begin(self.index, DealInWork(chunk.number, place))
            try:
                row = next(rows)
            except StopIteration:
                break
            except MemoryError:
                # What the system's out-of-memory killer would do a moment later, and treated alike: the deal in work
                # is tried once more in a fresh worker.
                log.exception("no memory left for seed %d", seed)
                self._send()
                os._exit(1)
            except Exception:
                self._send()
                self.link.send(Failed(chunk.number, seed, traceback.format_exc()))
                return False
            self.rows.append(tuple(row))
            self.slots.end(self.index)
            if time.perf_counter() - self.sent > BATCH_SECONDS:
                self._send()
        self._send()
        return not self.slots.stopping()

    def _rows(self, chunk: Chunk) -> Iterator[Row]:
        if self.decide is None or self.job != chunk.job:
            # One cell's solver at a time: each may hold a large table.
            self.job, self.decide = chunk.job, None
            self.decide = self.decider(self.jobs[chunk.job])
        yield from self.decide(chunk.seeds, chunk.budget, self._tick)
        if self._may_go_on() and self._has_parent():
            raise RuntimeError("the search ended without a verdict, though nobody had asked it to")

    def _tick(self, nodes: int) -> bool:
        self.slots.publish(self.index, nodes)
        if self.rows and time.perf_counter() - self.sent > BATCH_SECONDS:
            self._send()
        return self._may_go_on() and self._has_parent()

    def _has_parent(self) -> bool:
        return os.getppid() == self.parent

    def _may_go_on(self) -> bool:
        if self.slots.lending(self.index):
            self._give_back()
        return not self.slots.stopping()

    def _give_back(self) -> None:
        """Give back every deal that is not begun, if there is one."""
        while self.link.poll():
            self.waiting.append(self.link.recv())
        chunks = [chunk for chunk in self.waiting if chunk is not None]
        counts = [(self.chunk, self.left), *((chunk.number, len(chunk.seeds)) for chunk in chunks)]
        if counts := [(number, count) for number, count in counts if count]:
            for chunk in chunks:
                self.waiting.remove(chunk)
            self.left = 0
            self._send()
            self.link.send(Returned(counts))

    def _send(self) -> None:
        self.sent = time.perf_counter()
        if self.rows:
            self.link.send(Decided(self.chunk, self.rows))
            self.rows = []
