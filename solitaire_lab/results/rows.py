"""Rows, the seeds they belong to, and the blocks they are stored in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from solitaire_lab.errors import InputError

BLOCK = 1_000
"""Consecutive seeds in a block; block ``n`` begins with seed ``n * BLOCK``."""
SEEDS = 2**64
"""Seeds run from 0 to ``SEEDS - 1``."""

OUTCOMES = ("win", "loss", "undecided")
REASONS = ("nodes", "memory", "crashed")
"""Why a deal is undecided."""

_NUMBER = r"\s*(-?[0-9]{1,40}(?:_[0-9]{1,9})*)\s*"
_RANGE_TEXT = re.compile(f"{_NUMBER}:{_NUMBER}")


class Row(NamedTuple):
    """What was found about one deal."""

    seed: int
    outcome: str
    """One of ``OUTCOMES``."""
    reason: str | None
    """One of ``REASONS`` for an undecided deal, else None."""
    nodes: int
    phase: str
    """The phase of the search that ended it; empty for a crashed deal."""
    solution_length: int | None
    """Moves of the line of play, wins only."""
    seconds: float
    """Wall time of the search; decides nothing and is outside every content hash."""
    moves: bytes | None
    """The line of play as ``encode_moves`` writes it, wins only."""


@dataclass(frozen=True, order=True)
class SeedRange:
    """All seeds from ``first`` to ``last``, both included."""

    first: int
    last: int

    def __post_init__(self) -> None:
        if not 0 <= self.first <= self.last < SEEDS:
            raise InputError(
                f"{self.first}:{self.last} is no range of seeds; it runs from a first to a last seed, both between "
                f"0 and {SEEDS - 1}, the first not above the last, such as 1:100."
            )

    @classmethod
    def parse(cls, text: str) -> SeedRange:
        """Read ``first:last``, such as ``1:100`` or ``1:1_000_000``.

        Raises:
            InputError: the text is no range.
        """
        match = _RANGE_TEXT.fullmatch(text)
        if match is None:
            raise InputError(f"{text!r} is no range of seeds; write the first and the last seed, such as 1:100.")
        return cls(int(match[1]), int(match[2]))

    @property
    def count(self) -> int:
        """How many seeds there are (``len`` can't count to 2^64)."""
        return self.last - self.first + 1

    @property
    def blocks(self) -> range:
        """The numbers of all blocks that hold one of these seeds."""
        return range(self.first // BLOCK, self.last // BLOCK + 1)

    def in_block(self, block: int) -> SeedRange:
        """The part of the range that lies in one of its blocks."""
        return SeedRange(max(self.first, block * BLOCK), min(self.last, block * BLOCK + BLOCK - 1))

    def __contains__(self, seed: int) -> bool:
        return self.first <= seed <= self.last

    def __iter__(self) -> Iterator[int]:
        return iter(range(self.first, self.last + 1))

    def __str__(self) -> str:
        return f"{self.first}:{self.last}"
