"""Deciding a deal: the front of the kernel."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from solitaire_lab.deals.position import Position
from solitaire_lab.engine.engine import Engine
from solitaire_lab.engine.moves import decode_moves, encode_moves
from solitaire_lab.errors import InputError
from solitaire_lab.rules.model import Rules
from solitaire_lab.solver import kernel
from solitaire_lab.solver.compiling import cache_folder
from solitaire_lab.solver.evaluate import VALUES
from solitaire_lab.solver.prunings import prunings_of
from solitaire_lab.solver.record import LAYERS, MOST_DEPTH, NODE, Words
from solitaire_lab.solver.shorten import shortened
from solitaire_lab.solver.strategy import BEST_FIRST, DEPTH_FIRST, Phase, Strategy, strategy_of
from solitaire_lab.solver.table import LOAD, LOAD_OF, table_words
from solitaire_lab.solver.tables import new_record, position_bytes, set_base, set_outlook

REVISION = 8
"""Raised whenever any (outcome, nodes) may change; golden node counts in the tests guard it."""

DEFAULT_MEMORY = 256 << 20
LEAST_MEMORY = 1 << 20
MOST_MEMORY = 1 << 40
"""Bytes that a search may use."""

_SLICE_SECONDS = 0.2
_FIRST_SLICE = 5_000


def checked_memory(memory: int) -> int:
    """A number of bytes that a search may use, if it is one.

    Raises:
        InputError: it is not.
    """
    if not LEAST_MEMORY <= memory <= MOST_MEMORY:
        raise InputError(f"A memory of {memory} bytes is out of range; give 1MiB to 1TiB.")
    return memory


class Verdict(NamedTuple):
    """What a search found."""

    outcome: str
    """``win``, ``loss`` or ``undecided``."""
    reason: str | None
    """Why it is undecided: ``nodes`` or ``memory``."""
    nodes: int
    phase: str
    """The phase of the search that decided, or the last one."""
    moves: bytes | None
    """For a win, a line of play that the engine has replayed, as ``encode_moves`` writes it."""


class Solver:
    """Decides deals of one game. The memory that a search touches is kept for the next one.

    Args:
        memory: bytes that a search may use; part of what a verdict depends on.
        key: chooses other fingerprints; verdicts and nodes don't depend on it.
        prunings: a sum of bits of ``record``, to search without some prunings; all that hold by default.
        strategy: another way to go about it than the game's own.

    Raises:
        InputError: the memory is out of range.
    """

    def __init__(
        self,
        rules: Rules,
        *,
        memory: int = DEFAULT_MEMORY,
        key: int = 0,
        prunings: int | None = None,
        strategy: Strategy | None = None,
    ) -> None:
        memory = checked_memory(memory)
        self.engine = Engine(rules)
        self._rules = rules
        self._base = 0
        self._strategy = strategy_of(rules) if strategy is None else strategy
        self._prunings = prunings_of(rules) if prunings is None else prunings
        self._record = new_record(rules, self._strategy, key=key, prunings=self._prunings)
        # For an entry 17 bytes, and as much as 12 for the nodes of best-first search, of which there are no more than
        # positions in the table (with classes there may be; the search ends when there is no room), or for the lists of
        # depth-first search in their place; 2 for the trail.
        # More than 2**31 entries have no use, since nodes are numbered by 32 bits.
        entries = min(1 << (memory // (17 + 12 + 2)).bit_length() - 1, 1 << 31)
        self._record.table_limit = entries
        # Zeroed pages cost nothing until they are touched.
        self._table = _aligned_zeros(table_words(entries))
        self._trail = np.zeros(entries // 4, np.int64)
        self._nodes = np.zeros(entries * LOAD // LOAD_OF, NODE)
        lists = self._nodes.view(np.uint8)[: 8 * (len(self._nodes) * NODE.itemsize // 8)].view(np.int64)
        depths = entries // 12
        self._frames = lists[: 3 * depths].reshape(-1, 3)
        moves = (len(lists) - 3 * depths) // 3
        self._stack = lists[3 * depths : 3 * (depths + moves)].view(np.uint64).reshape(-1, 3)
        self._heads = np.full((LAYERS, VALUES), -1, np.int32)
        self._path = np.zeros((MOST_DEPTH, 2), np.int64)
        self._line = np.zeros(3 << 10, np.uint8)

    @property
    def positions(self) -> int:
        """How many different positions the last search met, in its last phase."""
        return int(self._record.table_used)

    def solve(self, position: Position, *, budget: int, tick: Callable[[int], bool] | None = None) -> Verdict | None:
        """Decide a position within a budget.

        Args:
            position: settled, of this solver's game.
            budget: the most nodes, at least 1.
            tick: called with the nodes so far at least once a second; False stops the search.

        Returns:
            The verdict, or None if ``tick`` stopped the search.

        Raises:
            AssertionError: a bug: the engine does not win with the line of play.
        """
        if position.base != self._base:
            set_base(self._record, self._rules, self.engine, base=position.base)
            self._base = position.base
        data = position_bytes(position, redeals_counted=self._rules.stock.redeals != "unlimited")
        spent = 0
        for phase in self._strategy.phases:
            self._record.prunings = self._prunings & ~phase.without
            weights = self._strategy.weights if phase.weights is None else phase.weights
            set_outlook(self._record, weights, phase.layering or self._strategy.layering)
            kernel.start(self._record, self._table, self._heads, data)
            quota = budget - spent if phase.quota is None else min(phase.quota, budget - spent)
            status = self._run(phase, quota, spent, tick)
            spent += int(self._record.nodes)
            if status == kernel.WON:
                return Verdict("win", None, spent, phase.name, self._winning_line(position))
            if status == kernel.LOST:
                return Verdict("loss", None, spent, phase.name, None)
            if status == kernel.PAUSED:
                return None
            if status == kernel.OUT_OF_NODES and spent == budget:
                return Verdict("undecided", "nodes", spent, phase.name, None)
        return Verdict("undecided", "memory", spent, phase.name, None)

    def _run(self, phase: Phase, quota: int, spent: int, tick: Callable[[int], bool] | None) -> int:
        """Search in slices until the phase ends; ``PAUSED`` if ``tick`` stopped it."""
        record = self._record
        pause_at = per_slice = _FIRST_SLICE
        begun = time.monotonic()
        while True:
            if phase.name == BEST_FIRST:
                status = kernel.best_first(
                    record, self._table, self._trail, self._nodes, self._heads, self._path, quota, pause_at
                )
            else:
                status = kernel.depth_first(
                    record, self._table, self._trail, self._stack, self._frames, quota, pause_at
                )
            if status != kernel.PAUSED:
                return int(status)
            nodes, now = int(record.nodes), time.monotonic()
            if tick is not None and not tick(spent + nodes):
                return kernel.PAUSED
            # The clock only sets how far the next slice goes.
            pause_at = nodes + max(1000, min(1 << 20, int(per_slice * _SLICE_SECONDS / max(now - begun, 1e-3))))
            per_slice, begun = pause_at - nodes, now

    def _winning_line(self, position: Position) -> bytes:
        talon = len(position.waste) + len(position.stock)
        size = kernel.line(self._record, self._trail, talon, self._line)
        if size > len(self._line):
            self._line = np.zeros(2 * size, np.uint8)
            kernel.line(self._record, self._trail, talon, self._line)
        moves = list(decode_moves(self._line[:size].tobytes()))
        if self._strategy.shortens:
            moves = shortened(self.engine, position, moves)
        if not self.engine.won(self.engine.replay(position, moves)):
            raise AssertionError("the solver's winning line does not win")
        return encode_moves(moves)


def _aligned_zeros(words: int) -> Words:
    """Words of zeros, a number of them, from where a line of the processor's caches begins."""
    room = np.zeros(words + 7, np.uint64)
    first = -room.ctypes.data % 64 // 8
    return room[first : first + words]


def load_kernel(report: Callable[[str], None]) -> None:
    """Have the compiled kernel ready, so that processes forked afterwards share it.

    Args:
        report: gets a line if the kernel must be compiled first, which takes some seconds.

    Raises:
        InputError: the folder for compiled code is full.
    """
    if not any(cache_folder().rglob("*.nbi")):
        report(f"Compiling the solver for this machine, once; it is kept in {cache_folder()}.")
    rules = Rules.model_validate({"pack": {"ranks": 1}, "tableau": {"columns": 4}})
    deal = Position(base=1, foundations=((),) * 4, tableau=((0,), (13,), (26,), (39,)), down=(0, 0, 0, 0))
    for phase in (BEST_FIRST, DEPTH_FIRST):
        strategy = strategy_of(rules)._replace(phases=(Phase(phase, None),))
        try:
            Solver(rules, memory=LEAST_MEMORY, strategy=strategy).solve(deal, budget=10)
        except OSError as error:
            raise InputError(
                f"The compiled solver can't be kept in {cache_folder()}: {error.strerror}. "
                "Make room there, or give another folder for caches in XDG_CACHE_HOME."
            ) from error
