"""A deal that can be won: shuffled again and again until the solver proves one, as sites deal a "solvable" board.

The shuffles are consecutive seeds, so that whoever is told the first knows them all. A board of the day is the same
procedure from a seed that the date gives: the date as eight digits, and two digits that count the shuffles. For 31
December 2026 these are the seeds 2026123100 to 2026123199, in every game and numbering, so that no two days share a
deal.

A seed names the same deal for ever, and what is proved stays proved. Which of the seeds is found first may only change
if one before it was left undecided, since another budget or another revision of the solver might decide it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from solitaire_lab.deals.dealing import deal_many
from solitaire_lab.deals.numberings import check_room, checked_seeds
from solitaire_lab.errors import InputError
from solitaire_lab.solver.solver import DEFAULT_MEMORY, Solver
from solitaire_lab.study.model import check_budget

if TYPE_CHECKING:
    from solitaire_lab.deals.position import Position
    from solitaire_lab.rules.catalog import Game

BUDGET = 100_000
"""Nodes for each shuffle: to shuffle again costs less than a long search."""
TRIES = 100
"""Shuffles before it is given up."""
MOST_TRIES = 1_000_000
DAILY_TRIES = 100
"""The most shuffles of a day; more would be those of the next."""


@dataclass(frozen=True)
class Attempt:
    """A shuffle and what was found about it."""

    seed: int
    outcome: str
    """``win``, ``loss`` or ``undecided``."""
    nodes: int


@dataclass(frozen=True)
class SolvableDeal:
    """What came of looking for a deal that can be won."""

    attempts: tuple[Attempt, ...]
    """In the order of the shuffles; a win is the last."""
    position: Position | None
    """The deal that can be won, before any move but after all automatic steps; None if none was found."""
    moves: bytes | None
    """How it is won, as ``encode_moves`` writes it."""

    @property
    def found(self) -> bool:
        """Whether there is a deal that can be won among the shuffles."""
        return self.position is not None

    @property
    def seed(self) -> int:
        """The number of the last shuffle: the deal that was found, if one was."""
        return self.attempts[-1].seed

    @property
    def counts(self) -> dict[str, int]:
        """How many shuffles were ``win``, ``loss`` and ``undecided``."""
        counted = Counter(attempt.outcome for attempt in self.attempts)
        return {outcome: counted[outcome] for outcome in ("win", "loss", "undecided")}

    @property
    def is_first(self) -> bool:
        """Whether the deal found is the first that can be won, all before it being lost, however long one searches."""
        return self.found and not self.counts["undecided"]


def find_solvable(
    game: Game,
    *,
    seed: int,
    numbering: str = "lab",
    budget: int = BUDGET,
    tries: int = TRIES,
    memory: int = DEFAULT_MEMORY,
) -> SolvableDeal:
    """Shuffle until a deal is proved to be winnable.

    Args:
        seed: the first shuffle; the next is the next number.
        budget: nodes for each shuffle.
        tries: the most shuffles.
        memory: bytes that a search may use.

    Raises:
        InputError: the budget, the tries or the memory are out of range, or the numbering has no such deals or not so
            many.
    """
    check_budget(budget)
    if not 1 <= tries <= MOST_TRIES:
        raise InputError(f"{tries} tries are not possible; give 1 to {MOST_TRIES}.")
    check_room(numbering, seed, tries, what="shuffles")
    seeds = range(seed, seed + tries)
    deals = deal_many(game, numbering=numbering, seeds=seeds)
    solver = Solver(game.rules, memory=memory)
    attempts = []
    for shuffle, dealt in zip(seeds, deals, strict=True):
        position = solver.engine.settle(dealt)
        verdict = solver.solve(position, budget=budget)
        assert verdict is not None
        attempts.append(Attempt(shuffle, verdict.outcome, verdict.nodes))
        if verdict.outcome == "win":
            return SolvableDeal(tuple(attempts), position, verdict.moves)
    return SolvableDeal(tuple(attempts), None, None)


def daily_deal(
    game: Game,
    day: date,
    *,
    numbering: str = "lab",
    budget: int = BUDGET,
    tries: int = DAILY_TRIES,
    memory: int = DEFAULT_MEMORY,
) -> SolvableDeal:
    """The deal of a day: ``find_solvable`` from ``daily_seed``.

    Raises:
        InputError: as ``find_solvable``, there are more than ``DAILY_TRIES`` tries, or the numbering has no such day.
    """
    if tries > DAILY_TRIES:
        raise InputError(
            f"{tries} tries are too many for one day, since they would reach into the next; give 1 to {DAILY_TRIES}."
        )
    checked_seeds(numbering, ())
    seed = daily_seed(day)
    try:
        check_room(numbering, seed, DAILY_TRIES, what="shuffles")
    except InputError as error:
        raise InputError(
            f"The {numbering} numbering has no deal of {day}, whose shuffles begin with {seed}. {error}"
        ) from None
    return find_solvable(game, seed=seed, numbering=numbering, budget=budget, tries=tries, memory=memory)


def daily_seed(day: date) -> int:
    """The first shuffle of a day: year, month and day as eight digits, and 00."""
    return (day.year * 10_000 + day.month * 100 + day.day) * DAILY_TRIES
