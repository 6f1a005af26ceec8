"""Whether this machine decides deals as it should: published verdicts, and a small study from end to end."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from solitaire_lab.deals.dealing import deal
from solitaire_lab.engine.engine import Engine
from solitaire_lab.engine.moves import decode_moves
from solitaire_lab.results.rows import SeedRange
from solitaire_lab.results.store import Store
from solitaire_lab.results.verify import verify
from solitaire_lab.rules.catalog import resolve
from solitaire_lab.solver.solver import Solver, load_kernel
from solitaire_lab.study.model import study_of_game
from solitaire_lab.study.progress import Silence
from solitaire_lab.study.run import run

SECONDS = 10.0
"""How long the deals with a known verdict may take, compiling left out."""


class Known(NamedTuple):
    """A deal whose verdict others have published."""

    game: str
    """A game or a variant."""
    numbering: str
    seed: int
    outcome: str

    def __str__(self) -> str:
        return f"deal {self.seed} of {self.game} ({self.numbering})"


KNOWN = (
    # The FreeCell FAQ (solitairelaboratory.com): the first deal, and the lost one of the first 32,000.
    Known("freecell", "microsoft", 1, "win"),
    Known("freecell", "microsoft", 11982, "loss"),
    # The readme of Solvitaire.
    Known("klondike", "solvitaire", 1, "loss"),
    # The tests of ReSolvitaire, a fork of it.
    Known("klondike", "solvitaire", 699325, "win"),
    Known("klondike", "solvitaire", 886399, "loss"),
    Known("bakers-game", "solvitaire", 1733, "win"),
    Known("bakers-game", "solvitaire", 155, "loss"),
    Known("canfield-solvitaire", "solvitaire", 1000237, "win"),
    Known("canfield-solvitaire", "solvitaire", 1000225, "loss"),
    Known("fan-solvitaire", "solvitaire", 172, "win"),
    Known("fan-solvitaire", "solvitaire", 82, "loss"),
    Known("trigon", "solvitaire", 290781, "win"),
)

_BUDGET = 3_000_000
_DEALS, _WINS = 100, 38
"""Of Storehouse's first deals so many are won, by the results that are published with the program."""


@dataclass(frozen=True)
class SelfTest:
    """What was done, and what was wrong."""

    loading_seconds: float
    """To load the kernel, or to compile it."""
    decided: int
    """Deals with a known verdict."""
    wins_replayed: int
    """Wins among them whose line of play the engine has replayed."""
    left_out: tuple[str, ...]
    """Deals with a known verdict for which there was no time, each in words."""
    nodes: int
    """Searched for those that were decided."""
    seconds: float
    study_deals: int
    """Deals that workers decided for a small study, which was stored and verified."""
    study_seconds: float
    failures: tuple[str, ...]
    """What is wrong, a sentence each."""


def self_test(
    *, known: Sequence[Known] = KNOWN, seconds: float = SECONDS, report: Callable[[str], None] = lambda text: None
) -> SelfTest:
    """Decide deals whose verdicts are published, and run, store and verify a small study in a temporary folder.

    Args:
        known: the deals.
        seconds: how long they may take together; those that are left are left out.
        report: gets a line if the kernel must be compiled first.
    """
    began = time.monotonic()
    load_kernel(report)
    loaded = time.monotonic()
    failures: list[str] = []
    decided = replayed = nodes = 0
    for case in known:
        game = resolve(case.game)
        solver, engine = Solver(game.rules), Engine(game.rules)
        start = engine.settle(deal(game, numbering=case.numbering, seed=case.seed))
        verdict = solver.solve(start, budget=_BUDGET, tick=lambda nodes: time.monotonic() - loaded < seconds)
        if verdict is None:
            break
        decided += 1
        nodes += verdict.nodes
        if verdict.outcome != case.outcome:
            failures.append(f"The published verdict on {case} is {case.outcome}, but here it is {verdict.outcome}.")
        if verdict.moves is not None:
            if engine.won(engine.replay(start, decode_moves(verdict.moves))):
                replayed += 1
            else:
                failures.append(f"The line of play that was found for {case} does not win.")
    searched = time.monotonic()
    deals = _small_study(failures)
    return SelfTest(
        loading_seconds=loaded - began,
        decided=decided,
        wins_replayed=replayed,
        left_out=tuple(map(str, known[decided:])),
        nodes=nodes,
        seconds=searched - loaded,
        study_deals=deals,
        study_seconds=time.monotonic() - searched,
        failures=tuple(failures),
    )


def _small_study(failures: list[str]) -> int:
    """Run a study and verify what it has stored; how many deals were decided."""
    study = study_of_game(resolve("storehouse"), seeds=SeedRange(1, _DEALS))
    with tempfile.TemporaryDirectory(prefix="solitaire-lab-") as folder:
        out = Path(folder, "self-test")
        done = run(study, out, progress=Silence())
        if done.wins != _WINS:
            failures.append(
                f"{done.wins} of the first {_DEALS} deals of Storehouse are won here, {_WINS} in the published results."
            )
        failures += verify(Store(out), sample=_DEALS).problems
    return done.decided
