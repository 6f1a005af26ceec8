"""Where a cell ends that is run until its share is known well enough.

To stop at the width of an interval is no search for a result: the width hardly depends on which way the share leans,
so that the interval at the stop covers the true share about as often as that of a fixed range. To stop at significance
would not be so, and is not offered.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from solitaire_lab.results.intervals import headline
from solitaire_lab.results.rows import BLOCK, Row, SeedRange


class Ending:
    """Finds the end of a cell: the first block, in seed order, with which its headline interval is narrow enough.

    Blocks may be told of in any order; the end is the same.
    """

    def __init__(self, seeds: SeedRange, *, budget: int, precision: float) -> None:
        """
        Args:
            seeds: The seeds that were asked for.
            budget: The number of nodes that is run.
            precision: Half the width of the interval, in percentage points.
        """
        self.seeds = seeds
        self.last: int | None = None
        """The last seed of the cell, once it is found."""
        self._budget = budget
        self._precision = precision
        self._next = seeds.blocks.start
        self._waiting: dict[int, tuple[int, int]] = {}
        """Wins and losses of blocks that are done before those in front of them."""
        self._wins = 0
        self._losses = 0

    @property
    def half_width(self) -> float:
        """Half the width of the interval, in percentage points, after the blocks that are done in seed order."""
        if self._next == self.seeds.blocks.start:
            return 50.0
        deals = self.seeds.in_block(self._next - 1).last - self.seeds.first + 1
        undecided = deals - self._wins - self._losses
        return headline(win=self._wins, loss=self._losses, undecided=undecided).half_width

    def add_rows(self, rows: Sequence[Row]) -> None:
        """Tell of a block by all rows that are stored of it; they count only if it is done for the cell's seeds."""
        block = rows[0].seed // BLOCK
        settled = [row for row in rows if row.seed in self.seeds and not self._is_short(row)]
        if block in self.seeds.blocks and len(settled) == self.seeds.in_block(block).count:
            self.add(block, ((row.outcome, row.nodes) for row in settled))

    def add(self, block: int, verdicts: Iterable[tuple[str, int]]) -> None:
        """Tell of a block that is done.

        Args:
            verdicts: The outcome and the nodes of each deal of the cell in the block.
        """
        decided = [outcome for outcome, nodes in verdicts if nodes <= self._budget]
        self._waiting[block] = decided.count("win"), decided.count("loss")
        while self.last is None and self._next in self._waiting:
            wins, losses = self._waiting.pop(self._next)
            self._wins += wins
            self._losses += losses
            self._next += 1
            if self.half_width <= self._precision:
                self.last = self.seeds.in_block(self._next - 1).last

    def _is_short(self, row: Row) -> bool:
        """Whether a deal was left open under a smaller budget."""
        return row.reason == "nodes" and row.nodes < self._budget
