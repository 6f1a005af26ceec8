"""Which deals a worker is given next."""

from __future__ import annotations

import collections
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from solitaire_lab.study.blocks import CellWork
from solitaire_lab.study.messages import Chunk

CHUNK_SECONDS = 0.25
"""About how long a worker is busy with a chunk."""
FIRST_CHUNK = 8
"""Deals in a chunk while nothing is known of how long a deal takes."""


class _Stretch(NamedTuple):
    """Deals of one block, to be handed out under one budget."""

    job: int
    seeds: tuple[int, ...]
    budget: int
    alone: bool = False
    """Whether it is a single deal that killed its worker and is tried once more."""


class Agenda:
    """Hands out chunks: blocks in order, larger chunks where deals are fast, smaller ones as the end comes near.

    What comes in which chunk never changes a row.
    """

    def __init__(
        self, works: Sequence[CellWork], *, workers: int, opened: Callable[[int, int, dict[int, int]], None]
    ) -> None:
        """
        Args:
            opened: Told of each block before a deal of it is handed out: its job, its number, and a budget for each
                seed that is to be decided.
        """
        self.ended: set[int] = set()
        """Jobs of which no more deals are wanted."""
        self._left = [work.todo for work in works]
        self._labels = [work.written_as.cell.label for work in works]
        self._workers = workers
        self._opened = opened
        self._blocks = self._todo(works)
        self._stretches: collections.deque[_Stretch] = collections.deque()
        self._numbers = 0
        self._seconds: dict[int, float] = {}
        self.suspects: set[int] = set()
        """Numbers of chunks of one deal that has killed a worker before."""

    @property
    def left(self) -> int:
        """Deals that are not handed out."""
        return sum(self._left)

    def take(self) -> Chunk | None:
        """The next chunk, or None if all is handed out."""
        while not self._stretches:
            block = next(self._blocks, None)
            if block is None:
                return None
            self._stretches.extend(block)
        job, seeds, budget, alone = self._stretches.popleft()
        size = 1 if alone else self._size(job)
        if len(seeds) > size:
            self._stretches.appendleft(_Stretch(job, seeds[size:], budget))
        self._numbers += 1
        chunk = Chunk(self._numbers, job, seeds[:size], budget)
        if alone:
            self.suspects.add(chunk.number)
        self._left[job] -= len(chunk.seeds)
        return chunk

    def put_back(self, chunk: Chunk, seeds: Sequence[int], *, alone: bool = False) -> None:
        """Deals of a chunk are to be handed out again, before all others, unless their job has ended."""
        alone = alone or chunk.number in self.suspects
        if seeds and chunk.job not in self.ended:
            self._stretches.appendleft(_Stretch(chunk.job, tuple(seeds), chunk.budget, alone))
            self._left[chunk.job] += len(seeds)

    def end(self, job: int) -> int:
        """No more deals of a job are wanted; how many were left to be handed out."""
        left = self._left[job]
        self._left[job] = 0
        self.ended.add(job)
        self._stretches = collections.deque(stretch for stretch in self._stretches if stretch.job != job)
        return left

    def label(self, job: int) -> str:
        """What messages call a job."""
        return self._labels[job]

    def learn(self, job: int, deals: int, seconds: float) -> None:
        """So long did deals of a job take one worker."""
        mean = seconds / deals
        self._seconds[job] = (self._seconds.get(job, mean) + mean) / 2

    def _size(self, job: int) -> int:
        fair = max(1, self.left // (2 * self._workers))
        seconds = self._seconds.get(job)
        fitting = FIRST_CHUNK if seconds is None else int(CHUNK_SECONDS / max(seconds, 1e-6))
        return max(1, min(fair, fitting))

    def _todo(self, works: Sequence[CellWork]) -> Iterator[list[_Stretch]]:
        for job, work in enumerate(works):
            for block in work.blocks():
                if missing := work.missing(block):
                    self._opened(job, block, missing)
                    yield [
                        _Stretch(job, tuple(seed for seed, wanted in missing.items() if wanted == budget), budget)
                        for budget in sorted(set(missing.values()))
                    ]
