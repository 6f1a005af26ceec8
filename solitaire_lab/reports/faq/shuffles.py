"""Shuffles until a winnable deal, board after board, as ``study.solvable`` shuffles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

TRIES = 20
"""Shuffles after which the search for a winnable deal is given up, unless another number is asked for: as many short
searches as somebody waits for who wants a new deal. ``study.solvable``, for whom nobody waits at a page, tries more."""

MOST_TRIES = 1_000_000
"""As many as ``study.solvable`` makes."""


@dataclass(frozen=True)
class Shuffles:
    """How many shuffles it took until a deal was proved winnable, board after board.

    A board begins with the seed after the last one of the board before it. What remains at the end of the seeds
    without a proof and within the tries is no board.
    """

    tries: int
    """Shuffles after which a board is given up."""
    needed: tuple[int, ...]
    """Boards that took one shuffle, two shuffles, and so on up to ``tries``."""
    ran_out: int
    """Boards without a proof within the tries."""

    @property
    def boards(self) -> int:
        """All boards."""
        return sum(self.needed) + self.ran_out

    @property
    def median(self) -> int | None:
        """The least number of shuffles that was enough for half of the boards or more; None if none was."""
        enough = np.flatnonzero(2 * np.cumsum(self.needed, dtype=np.int64) >= max(1, self.boards))
        return int(enough[0]) + 1 if enough.size else None

    @property
    def longest(self) -> int | None:
        """The most shuffles that a board took which didn't run out of tries; None if there is no such board."""
        taken = np.flatnonzero(self.needed)
        return int(taken[-1]) + 1 if taken.size else None


def count_shuffles(wins: np.ndarray[Any, np.dtype[np.bool_]], *, tries: int) -> Shuffles:
    """Boards from consecutive deals, given whether each of them was proved winnable."""
    at = np.flatnonzero(wins)
    gaps = np.diff(at, prepend=-1)
    rest = len(wins) - (int(at[-1]) + 1 if at.size else 0)
    needed = np.bincount((gaps - 1) % tries, minlength=tries) if at.size else np.zeros(tries, np.int64)
    ran_out = int(np.sum((gaps - 1) // tries)) + rest // tries
    return Shuffles(tries=tries, needed=tuple(needed.tolist()), ran_out=ran_out)
