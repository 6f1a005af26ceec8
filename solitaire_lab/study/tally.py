"""Counts of a run, and how long the rest may take."""

from __future__ import annotations

import collections
import time
from collections.abc import Callable, Iterable
from typing import NamedTuple

from solitaire_lab.results.rows import Row

RECENT_SECONDS = 30.0
"""What counts as recent speed."""


class TimeLeft(NamedTuple):
    """Seconds: what is left at recent speed, and what is left if every deal took its whole budget."""

    low: float
    high: float


class _Mark(NamedTuple):
    time: float
    deals: int
    nodes: int


class Tally:
    """What a run has decided so far; what was stored before is not in it."""

    def __init__(self, deals: int, ceiling: int, *, workers: int, clock: Callable[[], float] = time.monotonic) -> None:
        """
        Args:
            deals: To decide.
            ceiling: Nodes, if every one of them takes its whole budget.
        """
        self.deals = deals
        self.decided = 0
        """Deals that have a row, whatever it says."""
        self.outcomes: collections.Counter[str] = collections.Counter()
        """Rows by outcome."""
        self.crashed = 0
        self.nodes = 0
        """Of decided deals."""
        self.solving_seconds = 0.0
        """Of decided deals, by all workers."""
        self._ceiling = ceiling
        self._workers = workers
        self._hardest = (0, 1.0)
        self._clock = clock
        self._marks = collections.deque([_Mark(clock(), 0, 0)])

    def add(self, rows: Iterable[Row], *, budget: int) -> None:
        """Count rows of deals that had a budget."""
        for row in rows:
            self.decided += 1
            self.outcomes[row.outcome] += 1
            self.crashed += row.reason == "crashed"
            self.nodes += row.nodes
            self.solving_seconds += row.seconds
            self._ceiling -= budget
            if row.nodes > self._hardest[0]:
                self._hardest = (row.nodes, max(row.seconds, 1e-6))

    def drop(self, deals: int, *, budget: int) -> None:
        """Deals with a budget need not be decided after all."""
        self.deals -= deals
        self._ceiling -= deals * budget

    def speed(self, searching: int) -> tuple[float, float]:
        """Deals and nodes a second, of late.

        Args:
            searching: Nodes of the deals in work.
        """
        now = self._clock()
        while len(self._marks) > 1 and now - self._marks[1].time > RECENT_SECONDS:
            self._marks.popleft()
        first = self._marks[0]
        if now - self._marks[-1].time > RECENT_SECONDS / 30:
            self._marks.append(_Mark(now, self.decided, self.nodes + searching))
        seconds = max(now - first.time, 1e-3)
        # The nodes of a deal whose worker was killed are lost, so that the sum may fall.
        return (self.decided - first.deals) / seconds, max(0, self.nodes + searching - first.nodes) / seconds

    def time_left(self, searching: int) -> TimeLeft | None:
        """How long the rest may take; None while no deal and no node tells of the speed."""
        deals, nodes = self.speed(searching)
        # Deals that take their whole budget are searched as fast as the hardest so far; in easy ones, most of the time
        # goes into dealing and replay.
        nodes = max(nodes, self._workers * self._hardest[0] / self._hardest[1])
        if not nodes:
            return None
        high = max(0, self._ceiling - searching) / nodes
        low = (self.deals - self.decided) / deals if deals else high
        return TimeLeft(low, max(low, high))
