"""The numbers of deals that a study has proved to be won or lost, or has left undecided.

What is proved is proved, so that rows of blocks that are not whole yet are listed too, other than in a table.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pyarrow as pa

from solitaire_lab.errors import InputError
from solitaire_lab.reports.tables import chosen_budget
from solitaire_lab.reports.verdicts import KINDS, UNDECIDED, verdicts
from solitaire_lab.results.rows import OUTCOMES, SeedRange

if TYPE_CHECKING:
    from solitaire_lab.results.cell import PlannedCell
    from solitaire_lab.results.manifest import Manifest
    from solitaire_lab.results.store import Store


@dataclass(frozen=True, eq=False)
class ProvedDeals:
    """The deals of a cell that ended in one way under one budget."""

    planned: PlannedCell = field(repr=False)
    outcome: str
    budget: int
    deals: pd.DataFrame = field(repr=False)
    """A row a deal, sorted by seed: ``seed`` and ``nodes`` (uint64), for wins also ``solution_length`` (int64)."""

    @property
    def numbers(self) -> list[int]:
        """The seeds, as the cell's numbering counts deals. Of ``pysol``, these are the game numbers that PySolFC reads;
        it reads a ``microsoft`` number with ``ms`` before it."""
        seeds: list[int] = self.deals["seed"].tolist()
        return seeds


def proved_deals(
    store: Store,
    *,
    outcome: str = "win",
    cell: str | None = None,
    numbering: str | None = None,
    budget: str | int | None = None,
    seeds: SeedRange | None = None,
) -> ProvedDeals:
    """The deals of a cell that a run with this budget ends in this way, as far as they are stored.

    Args:
        outcome: ``win``, ``loss`` or ``undecided``.
        cell: a label, or the beginning of an id; None for the only cell of the study.
        numbering: what the numbers must count; None for whatever the cell has.
        budget: as for ``tables.table_rows``.
        seeds: only these; None for all that are stored.

    Raises:
        InputError: there is no such outcome, cell or budget, several cells and none is named, or the cell's deals are
            of another numbering.
    """
    if outcome not in OUTCOMES:
        raise InputError(f"{outcome!r} is no outcome; outcomes are {', '.join(OUTCOMES)}.")
    manifest = store.manifest()
    planned = _only_cell(manifest) if cell is None else manifest.find(cell)
    _check_numbering(manifest, planned, numbering)
    nodes, _ = chosen_budget(planned, budget)
    table = store.rows(
        planned.cell.id,
        seeds=planned.seeds,
        columns=("seed", "outcome", "reason", "nodes", "solution_length"),
    )
    found = verdicts(table, budget=nodes)
    if outcome == "undecided":
        # A row that an earlier run with fewer nodes has left open says nothing about this budget.
        chosen = found.settled & (found.kinds >= UNDECIDED)
    else:
        chosen = found.kinds == KINDS.index(outcome)
    if seeds is not None:
        chosen &= (found.seeds >= np.uint64(seeds.first)) & (found.seeds <= np.uint64(seeds.last))
    rows: pd.DataFrame = table.filter(pa.array(chosen)).to_pandas()
    deals = rows[["seed", "nodes"]].assign(nodes=np.minimum(rows["nodes"], np.uint64(nodes)))
    if outcome == "win":
        deals["solution_length"] = rows["solution_length"].astype(np.int64)
    return ProvedDeals(planned, outcome, nodes, deals.reset_index(drop=True))


def _only_cell(manifest: Manifest) -> PlannedCell:
    if len(manifest.cells) == 1:
        return manifest.cells[0]
    if not manifest.cells:
        raise InputError(f"The study {manifest.study!r} has no cells, so there are no deals to list.")
    labels = ", ".join(planned.cell.label for planned in manifest.cells)
    raise InputError(f"The study has several cells; name one by its label: {labels}.")


def _check_numbering(manifest: Manifest, planned: PlannedCell, numbering: str | None) -> None:
    has = planned.cell.numbering
    if numbering is None or numbering == has:
        return
    others = [other.cell.label for other in manifest.cells if other.cell.numbering == numbering]
    right = (
        f"cells of the {numbering} numbering are {', '.join(others)}"
        if others
        else (f"run a study with --numbering {numbering} for numbers of that")
    )
    raise InputError(f"Cell {planned.cell.label!r} has deals of the {has} numbering, not of {numbering}; {right}.")
