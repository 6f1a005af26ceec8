"""Searches that only look like searches: fast, slow, endless, deadly to their worker, or broken."""

from __future__ import annotations

import logging
import os
import random
import signal
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from solitaire_lab.results.rows import Row, SeedRange
from solitaire_lab.rules.catalog import resolve
from solitaire_lab.study.messages import Job
from solitaire_lab.study.model import Study, StudyCell, study_cell
from solitaire_lab.study.worker import Decide, Tick

log = logging.getLogger("solitaire_lab.fake")


@dataclass(frozen=True)
class FakeSearch:
    """A decider that deals no cards; what it says of a seed is always the same."""

    seconds: float = 0.0
    """How long it takes over a deal."""
    kills: frozenset[int] = frozenset()
    """Seeds at which its worker is killed, at each try."""
    kills_once: frozenset[int] = frozenset()
    """Seeds at which its worker is killed, at the first try."""
    starves: frozenset[int] = frozenset()
    """Seeds for which there is not enough memory."""
    fails: frozenset[int] = frozenset()
    """Seeds at which it raises an exception."""
    slow: frozenset[int] = frozenset()
    """Seeds that take half a second more."""
    endless: frozenset[int] = frozenset()
    """Seeds over which it searches until it is told to stop."""
    logs: bool = False
    """Whether it logs each seed that it decides."""
    deaf: frozenset[int] = frozenset()
    """Seeds over which it searches for ever."""
    journal: Path | None = field(default=None)
    """Where it notes each seed that it begins, with the process."""

    def __call__(self, job: Job) -> Decide:
        return self._decide

    def _decide(self, seeds: Sequence[int], budget: int, tick: Tick) -> Iterator[Row]:
        for seed in seeds:
            before = self._begin(seed)
            if seed in self.kills or (seed in self.kills_once and not before):
                tick(7)
                os.kill(os.getpid(), signal.SIGKILL)
            if seed in self.starves:
                raise MemoryError
            if seed in self.fails:
                raise ArithmeticError(f"no way with {seed}")
            if seed in self.endless:
                while tick(10):
                    time.sleep(0.05)
                return
            while seed in self.deaf:
                time.sleep(1)
            if pause := self.seconds + (0.5 if seed in self.slow else 0.0):
                time.sleep(pause)
            if self.logs:
                log.info("decided %d", seed)
            yield row_of(seed, budget)

    def _begin(self, seed: int) -> bool:
        """Note a seed; whether it was noted before."""
        if self.journal is None:
            return False
        lines = self.journal.read_text().splitlines() if self.journal.exists() else []
        before = any(line.startswith(f"{seed} ") for line in lines)
        with self.journal.open("a") as file:
            file.write(f"{seed} {os.getpid()}\n")
        return before


def row_of(seed: int, budget: int) -> Row:
    """What ``FakeSearch`` finds out about a seed: most deals are decided within 1,000 nodes, some need far more."""
    chance = random.Random(seed)
    nodes = 1 + int(chance.expovariate(1 / 400))
    if nodes > budget:
        return Row(seed, "undecided", "nodes", budget, "fake", None, 1e-4, None)
    if chance.random() < 0.5:
        return Row(seed, "loss", None, nodes, "fake", None, 1e-4, None)
    moves = chance.randbytes(3 * chance.randint(1, 40))
    return Row(seed, "win", None, nodes, "fake", len(moves) // 3, 1e-4, moves)


def a_cell(
    seeds: str,
    *,
    budget: int = 1_000,
    label: str = "storehouse",
    precision: float | None = None,
    **settings: object,
) -> StudyCell:
    """A cell of Storehouse with some rules set otherwise, underlines for dots."""
    overrides = {key.replace("__", "."): value for key, value in settings.items()}
    game, range_ = resolve("storehouse", overrides=overrides), SeedRange.parse(seeds)
    return study_cell(game, label, range_, {"run": budget}, numbering="lab", memory=None, precision=precision)


def a_study(seeds: str, *, budget: int = 1_000, precision: float | None = None) -> Study:
    """A study of one cell."""
    return Study("fake", (a_cell(seeds, budget=budget, precision=precision),))
