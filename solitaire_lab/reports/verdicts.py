"""What a run with some budget says of each deal, as arrays."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from solitaire_lab.results.rows import BLOCK, SeedRange

KINDS = ("win", "loss", "nodes", "memory", "crashed")
"""How a deal may end: decided, or undecided for a reason."""
UNDECIDED = 2
"""The first kind that is undecided."""

Seeds: TypeAlias = np.ndarray[Any, np.dtype[np.uint64]]
Kinds: TypeAlias = np.ndarray[Any, np.dtype[np.int8]]
_Mask: TypeAlias = np.ndarray[Any, np.dtype[np.bool_]]


class Verdicts(NamedTuple):
    """What a run with one budget says of deals. Three arrays, an entry a deal."""

    seeds: Seeds
    """Sorted."""
    kinds: Kinds
    """Indices into ``KINDS``."""
    settled: _Mask
    """Whether a run with this budget would leave the deal's row as it is."""

    def within(self, seeds: SeedRange) -> Verdicts:
        """Those of some seeds."""
        begin = np.searchsorted(self.seeds, np.uint64(seeds.first))
        end = np.searchsorted(self.seeds, np.uint64(seeds.last), side="right")
        return Verdicts(self.seeds[begin:end], self.kinds[begin:end], self.settled[begin:end])

    def whole_blocks(self, seeds: SeedRange) -> SeedRange | None:
        """The longest run of whole blocks at the beginning of ``seeds``; None if the first is not whole.

        A block is whole when every seed of it that lies in ``seeds`` is settled. Counting only what happens to be
        finished would flatter a game, since easy deals end first; so would counting up to the first deal that is not
        finished, since that is rather a hard one, and left out.
        """
        found = self.within(seeds)
        numbers, held = np.unique(found.seeds[found.settled] // np.uint64(BLOCK), return_counts=True)
        last = None
        for block, number, rows in zip(seeds.blocks, numbers.tolist(), held.tolist(), strict=False):
            part = seeds.in_block(block)
            if number != block or rows != part.count:
                break
            last = part.last
        return None if last is None else SeedRange(seeds.first, last)


def verdicts(table: pa.Table, *, budget: int) -> Verdicts:
    """What a run with a budget says, from the rows of one with this budget or a larger one.

    Args:
        table: columns ``seed``, ``outcome``, ``reason`` and ``nodes``, sorted by seed.
        budget: a number of nodes.
    """
    nodes = table["nodes"].to_numpy()
    ran_out = _equals(table["reason"], "nodes")
    kinds = np.full(len(nodes), KINDS.index("nodes"), np.int8)
    for column, kind in (("outcome", "win"), ("outcome", "loss"), ("reason", "memory")):
        kinds[_equals(table[column], kind) & (nodes <= budget)] = KINDS.index(kind)
    # A crash is no matter of nodes: how far the search had come is known only roughly.
    kinds[_equals(table["reason"], "crashed")] = KINDS.index("crashed")
    return Verdicts(table["seed"].to_numpy(), kinds, ~ran_out | (nodes >= budget))


def _equals(column: pa.ChunkedArray, text: str) -> _Mask:
    found: _Mask = pc.fill_null(pc.equal(column, text), False).to_numpy()
    return found
