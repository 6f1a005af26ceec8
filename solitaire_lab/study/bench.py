"""How fast deals are decided here, and what a run spends besides."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from solitaire_lab.results.rows import SeedRange
from solitaire_lab.rules.catalog import Game
from solitaire_lab.solver.solver import load_kernel
from solitaire_lab.study.model import game_label, study_of_game
from solitaire_lab.study.progress import Silence
from solitaire_lab.study.run import RunSummary, run

BUDGET = 10_000
"""Nodes for a deal, unless another number is asked for: few, so that hard games are measured in seconds too."""
_FIRST_DEALS = 200


@dataclass(frozen=True)
class Speed:
    """What a short study of a game measured."""

    game: str
    """The game or variant, and what is set differently from its rules."""
    deals: int
    nodes: int
    workers: int
    seconds: float
    """Wall time of the run."""
    solving_seconds: float
    """Wall time of searches, summed over workers."""

    @property
    def deals_per_second(self) -> float:
        """Deals decided in a second of searching on one core."""
        return self.deals / self.solving_seconds

    @property
    def nodes_per_second(self) -> float:
        """Nodes in a second of searching on one core."""
        return self.nodes / self.solving_seconds

    @property
    def not_solving(self) -> float:
        """The share of the workers' time that was not searching: starting, dealing, writing, waiting. To shorten and
        replay the line of play of a win counts as searching."""
        return max(0.0, 1 - self.solving_seconds / (self.seconds * self.workers))


def measure(
    game: Game,
    *,
    seconds: float = 5.0,
    budget: int = BUDGET,
    numbering: str = "lab",
    workers: int | None = None,
    report: Callable[[str], None] = lambda text: None,
) -> Speed:
    """Run a small study of a game in a temporary folder, with deals for about so many seconds.

    Args:
        seconds: wall time to aim at.
        budget: nodes that a deal may take.
        workers: processes; None means one for each processor that may be used.
        report: gets a line if the kernel must be compiled first.
    """
    load_kernel(report)

    def try_out(deals: int) -> RunSummary:
        study = study_of_game(game, seeds=SeedRange(1, deals), budget=budget, numbering=numbering)
        with tempfile.TemporaryDirectory(prefix="solitaire-lab-") as folder:
            return run(study, Path(folder, "bench"), workers=workers, progress=Silence())

    first = try_out(_FIRST_DEALS)
    each = first.solving_seconds / first.workers / first.decided
    done = try_out(max(_FIRST_DEALS, int(seconds / each)))
    return Speed(game_label(game), done.decided, done.nodes, done.workers, done.seconds, done.solving_seconds)
