"""Rows, the seeds they belong to, and the blocks they are stored in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from solitaire_lab.errors import InputError
from solitaire_lab.whole import parse_whole

BLOCK = 1_000
"""Consecutive seeds in a block; block ``n`` begins with seed ``n * BLOCK``."""
SEEDS = 2**64
"""Seeds run from 0 to ``SEEDS - 1``."""

OUTCOMES = ("win", "loss", "undecided")
REASONS = ("nodes", "memory", "crashed")
"""Why a deal is undecided."""


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
        """Read ``first:last``, such as ``1:100``, ``1:1_000_000`` or ``1:1,000,000``.

        Raises:
            InputError: the text is no range.
        """
        first, _, last = map(parse_whole, text.partition(":"))
        if first is None or last is None:
            raise InputError(
                f"{text!r} is no range of seeds; write the first and the last seed as whole numbers (1_000_000, not "
                "1e6), such as 1:100."
            )
        return cls(first, last)

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
