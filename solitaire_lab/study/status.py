"""What of a study is done and what is missing."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import pyarrow.compute as pc

from solitaire_lab.results.rows import BLOCK, SeedRange
from solitaire_lab.results.store import Store

_SPAN = 100 * BLOCK
"""Seeds that are read at a time."""


@dataclass(frozen=True)
class CellStatus:
    """How far one cell of a results folder is."""

    game: str
    label: str
    cell_id: str
    seeds: SeedRange
    asked: SeedRange | None
    """The seeds that were asked for, if the precision ended the cell before the last of them."""
    precision: float | None
    """Half the width of the headline interval, in percentage points, at which the cell ends, if it is run to one."""
    budget: int
    """The largest budget that is asked for."""
    wins: int
    losses: int
    open: dict[str, int]
    """Undecided deals by reason."""
    short: int
    """Of those that ran out of nodes, those that did under a smaller budget."""

    @property
    def stored(self) -> int:
        """Deals with a row."""
        return self.wins + self.losses + sum(self.open.values())

    @property
    def missing(self) -> int:
        """Deals that a run would still decide; if the cell is run to a precision, at most."""
        return self.seeds.count - self.stored + self.short


def status(store: Store) -> tuple[CellStatus, ...]:
    """How far each cell of a folder is.

    Raises:
        InputError: there is no results folder, or a file of it is damaged.
    """
    cells = []
    for planned in store.manifest().cells:
        found: Counter[tuple[str, str | None]] = Counter()
        short = 0
        for seeds in _stored_spans(store, planned.cell.id, planned.seeds):
            table = store.rows(planned.cell.id, seeds=seeds, columns=["outcome", "reason", "nodes"])
            counts = table.group_by(["outcome", "reason"]).aggregate([([], "count_all")]).to_pylist()
            for row in counts:
                found[row["outcome"], row["reason"]] += row["count_all"]
            ran_out = table.filter(pc.equal(table["reason"], "nodes"))
            short += pc.sum(pc.less(ran_out["nodes"], planned.budget)).as_py() or 0
        cells.append(
            CellStatus(
                game=planned.cell.game,
                label=planned.cell.label,
                cell_id=planned.cell.id,
                seeds=planned.seeds,
                asked=planned.asked,
                precision=planned.precision,
                budget=planned.budget,
                wins=found["win", None],
                losses=found["loss", None],
                open={str(reason): count for (outcome, reason), count in found.items() if outcome == "undecided"},
                short=short,
            )
        )
    return tuple(cells)


def _stored_spans(store: Store, cell_id: str, seeds: SeedRange) -> list[SeedRange]:
    """Parts of a range that together hold all its stored rows, each small enough to be read at once."""
    firsts = sorted({block * BLOCK // _SPAN * _SPAN for block in store.blocks(cell_id) if block in seeds.blocks})
    return [SeedRange(max(seeds.first, first), min(seeds.last, first + _SPAN - 1)) for first in firsts]
