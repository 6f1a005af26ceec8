"""How fast deals are decided here, and what a run spends besides."""

from __future__ import annotations

import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pyarrow.compute as pc

from solitaire_lab.deals.dealing import deal_many
from solitaire_lab.results.rows import SeedRange
from solitaire_lab.results.store import Store
from solitaire_lab.rules.catalog import Game
from solitaire_lab.solver.solver import Solver, load_kernel
from solitaire_lab.solver.strategy import DEPTH_FIRST, Phase, strategy_of
from solitaire_lab.study.model import game_label, study_of_game
from solitaire_lab.study.progress import Silence
from solitaire_lab.study.run import RunSummary, run

BUDGET = 10_000
"""Nodes for a deal, unless another number is asked for: few, so that hard games are measured in seconds too."""
_FIRST_DEALS = 20
_GROWTH = 20
"""Times as many deals, at most, as have shown how long a deal takes: a few easy ones say little of the next."""
_EXHAUSTED = 200_000
"""Nodes after which exhaustive search goes on to the next deal: enough for tables far larger than a cache."""


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
    phases: dict[str, int]
    """How many deals each phase of the search decided."""
    positions_per_second: float
    """Different positions that exhaustive search meets in a second of processor time on one core."""

    @property
    def deals_per_second(self) -> float:
        """Deals decided in a second of searching on one core."""
        return self.deals / self.solving_seconds

    @property
    def nodes_per_second(self) -> float:
        """Nodes in a second of searching on one core."""
        return self.nodes / self.solving_seconds

    @property
    def million_seconds(self) -> float:
        """About the wall time of a million deals like these, by as many workers under the same budget. Of a run that is
        so long, what is not searching is a small share; of this one it is not."""
        return 1e6 * self.solving_seconds / self.workers / self.deals

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

    def try_out(deals: int) -> tuple[RunSummary, dict[str, int]]:
        study = study_of_game(game, seeds=SeedRange(1, deals), budget=budget, numbering=numbering)
        with tempfile.TemporaryDirectory(prefix="solitaire-lab-") as folder:
            store = Store(Path(folder, "bench"))
            return run(study, store.path, workers=workers, progress=Silence()), _phases(store)

    deals, left = _FIRST_DEALS, seconds
    while True:
        done, phases = try_out(deals)
        left -= done.seconds
        more = int(left * done.workers * done.decided / done.solving_seconds)
        if more <= deals:
            break
        deals = min(more, _GROWTH * deals)
    return Speed(
        game_label(game),
        done.decided,
        done.nodes,
        done.workers,
        done.seconds,
        done.solving_seconds,
        phases,
        positions_per_second(game, seconds=min(1.0, seconds), numbering=numbering),
    )


def _phases(store: Store) -> dict[str, int]:
    counts: Counter[str] = Counter()
    for planned in store.manifest().cells:
        rows = store.rows(planned.cell.id, seeds=planned.seeds)
        decided = rows.filter(pc.not_equal(rows["outcome"], "undecided"))
        counts.update(decided["phase"].to_pylist())
    return dict(counts)


def positions_per_second(game: Game, *, seconds: float, numbering: str = "lab") -> float:
    """How many different positions depth-first search, the exhaustive phase, meets in a second of processor time.

    Args:
        seconds: to spend, or a little more, on all there is to do: where deals are easy, dealing takes the longest.
    """
    strategy = strategy_of(game.rules)._replace(phases=(Phase(DEPTH_FIRST, None),), shortens=False)
    solver = Solver(game.rules, strategy=strategy)
    positions, spent, seed, deadline = 0, 0.0, 0, time.monotonic() + seconds
    while not seed or time.monotonic() < deadline:
        seed += 1
        (deal,) = deal_many(game, numbering=numbering, seeds=[seed])
        settled = solver.engine.settle(deal)
        begun = time.process_time()
        solver.solve(settled, budget=_EXHAUSTED)
        spent += time.process_time() - begun
        positions += solver.positions
    return positions / spent
