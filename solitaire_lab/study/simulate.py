"""How often a policy wins: many deals played without foresight, on every processor.

What comes of a play depends on the game, the deal, the policy, the play's number and the seed of the plays alone: not
on the number of workers, nor on which other deals are played.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solitaire_lab.deals.dealing import deal, deal_many
from solitaire_lab.deals.numberings import checked_seeds
from solitaire_lab.engine.engine import Engine
from solitaire_lab.engine.policies import play_out, policy_of
from solitaire_lab.errors import InputError
from solitaire_lab.study.children import SIGNALS, default_start_method, stand_alone
from solitaire_lab.study.cpus import MAX_WORKERS, available_cpus

if TYPE_CHECKING:
    from solitaire_lab.rules.catalog import Game

PLAYS_AT_ONCE = 10
"""Plays that a worker makes before it answers: a second of work in the slowest game."""
_AHEAD = 8
"""Tasks for each worker that are handed out at a time."""
MOST_DEALS = 10_000_000
MOST_PLAYS = 2**32 - 1
"""Of one deal."""
MOST_PLAY_SEED = 2**64 - 1


@dataclass(frozen=True, eq=False)
class Simulation:
    """What came of plays; every array has an entry a deal, in the order of ``seeds``."""

    game: Game
    policy: str
    numbering: str
    plays: int
    """Of each deal."""
    play_seed: int
    seeds: NDArray[np.uint64]
    wins: NDArray[np.int64]
    given_up: NDArray[np.int64]
    """Plays that ended since the policy made no progress, not because it found no move."""
    moves: NDArray[np.int64]
    """Of all plays of a deal together."""

    @property
    def total(self) -> int:
        """Plays of all deals."""
        return self.plays * len(self.seeds)

    @property
    def won(self) -> int:
        """Plays of all deals that were won."""
        return int(self.wins.sum())


class _Task(NamedTuple):
    """Plays to make: each of these numbers of plays, of each of these deals."""

    first: int
    """The place of the first of these deals among all."""
    seeds: tuple[int, ...]
    plays: range


class _Counts(NamedTuple):
    """Of one deal in one task."""

    wins: int
    given_up: int
    moves: int


def simulate(
    game: Game,
    *,
    policy: str,
    seeds: Sequence[int],
    numbering: str = "lab",
    plays: int = 1,
    play_seed: int = 0,
    workers: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Simulation:
    """Play deals by a policy and count what it wins.

    Args:
        policy: one of ``engine.policies.POLICIES``.
        seeds: the deals, each once.
        plays: of each deal; what a policy leaves to chance goes otherwise in each.
        play_seed: chooses other random numbers for all plays, 0 to 2^64 - 1.
        workers: processes; None means one for each processor that may be used, 1 means none but this.
        progress: called now and then with the number of plays made since the call before.

    Raises:
        InputError: a value is out of range, the numbering has no such deals, there is no such policy, or a worker died.
    """
    workers = available_cpus() if workers is None else workers
    try:
        deals = len(seeds)
    except OverflowError:  # A range may be longer than Python can say.
        raise InputError(f"So many deals are not possible; give 0 to {MOST_DEALS}.") from None
    for what, value, least, most in (
        ("deals", deals, 0, MOST_DEALS),
        ("plays of a deal", plays, 1, MOST_PLAYS),
        ("workers", workers, 1, MAX_WORKERS),
    ):
        if not least <= value <= most:
            raise InputError(f"{value} {what} are not possible; give {least} to {most}.")
    if not 0 <= play_seed <= MOST_PLAY_SEED:
        raise InputError(f"{play_seed} is no seed of plays; give 0 to {MOST_PLAY_SEED}.")
    words = checked_seeds(numbering, seeds)
    if len(np.unique(words)) < len(words):
        raise InputError("A deal is given twice; give every seed once.")
    # Refused here rather than in a worker.
    deal_many(game, numbering=numbering, seeds=())
    policy_of(policy, Engine(game.rules))
    setup = (game, numbering, policy, play_seed)
    tasks = _tasks(seeds, plays)
    workers = min(workers, -(-len(seeds) * plays // PLAYS_AT_ONCE))
    counts = np.zeros((3, len(seeds)), np.int64)
    for task, found in _in_workers(setup, tasks, workers) if workers > 1 else _in_this_process(setup, tasks):
        counts[:, task.first : task.first + len(found)] += np.array(found, np.int64).T
        if progress is not None:
            progress(len(found) * len(task.plays))
    wins, given_up, moves = counts
    return Simulation(game, policy, numbering, plays, play_seed, words, wins, given_up, moves)


def _tasks(seeds: Sequence[int], plays: int) -> Iterator[_Task]:
    """Every play of every deal once, in tasks of about ``PLAYS_AT_ONCE`` plays."""
    deals_at_once = max(1, PLAYS_AT_ONCE // plays)
    for first in range(0, len(seeds), deals_at_once):
        for begin in range(0, plays, PLAYS_AT_ONCE):
            yield _Task(
                first, tuple(seeds[first : first + deals_at_once]), range(begin, min(begin + PLAYS_AT_ONCE, plays))
            )


_Setup = tuple["Game", str, str, int]
_Answer = tuple[_Task, list[_Counts]]


def _in_this_process(setup: _Setup, tasks: Iterable[_Task]) -> Iterator[_Answer]:
    player = _Player(*setup)
    return ((task, player.play(task)) for task in tasks)


def _in_workers(setup: _Setup, tasks: Iterable[_Task], workers: int) -> Iterator[_Answer]:
    context = multiprocessing.get_context(default_start_method())
    stopping = context.Event()
    pool = ProcessPoolExecutor(
        workers, mp_context=context, initializer=_begin, initargs=(setup, os.getpid(), stopping.is_set)
    )
    try:
        given: deque[tuple[_Task, Future[list[_Counts]]]] = deque()
        for task in tasks:
            given.append((task, _submitted(pool, task)))
            if len(given) >= _AHEAD * workers:
                first, answer = given.popleft()
                yield first, answer.result()
        for first, answer in given:
            yield first, answer.result()
    except BrokenProcessPool:
        raise InputError("A worker died or could not start, perhaps for want of memory; try fewer workers.") from None
    finally:
        # Some tasks can't be cancelled any more, since they are on their way to a worker.
        stopping.set()
        pool.shutdown(cancel_futures=True)


def _submitted(pool: ProcessPoolExecutor, task: _Task) -> Future[list[_Counts]]:
    with _later_signals(), _hidden_main(), warnings.catch_warnings():
        # Forked, with the first task, only where no other thread runs Python code; those of libraries wait for work.
        warnings.filterwarnings("ignore", category=DeprecationWarning, message=".*fork.*")
        return pool.submit(_play, task)


@contextmanager
def _hidden_main() -> Iterator[None]:
    """Keep spawned workers from running the main script again, which would have to have a main guard; they need nothing
    of it."""
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


@contextmanager
def _later_signals() -> Iterator[None]:
    """Handle Ctrl-C and SIGTERM afterwards: a pool that is interrupted while it starts workers waits for them for ever.

    To block the signals would not do, since a thread of some library might take them.
    """
    received: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {signum: signal.signal(signum, lambda number, _: received.append(number)) for signum in SIGNALS}
    try:
        yield
    finally:
        for signum, handler in before.items():
            # None is a handler that was not set from Python; it can't be put back.
            signal.signal(signum, signal.SIG_DFL if handler is None else handler)
    for number in received:
        signal.raise_signal(number)


class _Player:
    """Makes plays of one game.

    Args:
        stopping: asked before every play; once it says so, no more are made.
    """

    def __init__(
        self, game: Game, numbering: str, policy: str, play_seed: int, *, stopping: Callable[[], bool] = lambda: False
    ) -> None:
        self._game = game
        self._numbering = numbering
        self._engine = Engine(game.rules)
        self._policy = policy_of(policy, self._engine)
        self._play_seed = play_seed
        self._stopping = stopping

    def play(self, task: _Task) -> list[_Counts]:
        """What comes of a task, deal by deal."""
        return [self._play_deal(seed, task.plays) for seed in task.seeds]

    def _play_deal(self, seed: int, plays: range) -> _Counts:
        position = self._engine.settle(deal(self._game, numbering=self._numbering, seed=seed))
        wins = given_up = moves = 0
        for number in plays:
            if self._stopping():
                break
            play = play_out(self._engine, position, self._policy, play_chance(self._play_seed, seed, number))
            wins += play.won
            given_up += not play.won and not play.stuck
            moves += len(play.moves)
        return _Counts(wins, given_up, moves)


def play_chance(play_seed: int, seed: int, number: int) -> Random:
    """The random numbers of a play of a deal; ``number`` is below 2^32. Python seeds them from every bit of the integer
    that the three make."""
    return Random((play_seed << 96) | (seed << 32) | number)


_player: _Player | None = None
"""In a worker, what it was begun with."""


def _begin(setup: _Setup, parent: int, stopping: Callable[[], bool]) -> None:
    global _player
    stand_alone(parent)
    _player = _Player(*setup, stopping=stopping)


def _play(task: _Task) -> list[_Counts]:
    assert _player is not None
    return _player.play(task)
