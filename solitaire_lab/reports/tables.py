"""Tables of win, loss and undecided, at any budget up to the one that was run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from solitaire_lab.errors import InputError
from solitaire_lab.reports.verdicts import KINDS, verdicts
from solitaire_lab.results.intervals import Interval, headline
from solitaire_lab.results.rows import SeedRange

if TYPE_CHECKING:
    from solitaire_lab.results.cell import PlannedCell
    from solitaire_lab.results.store import Store


@dataclass(frozen=True)
class Counts:
    """How many deals ended how under one budget, in the order of ``verdicts.KINDS``."""

    win: int = 0
    loss: int = 0
    nodes: int = 0
    """Undecided when the budget was used up."""
    memory: int = 0
    """Undecided when the search's table was full."""
    crashed: int = 0
    """Undecided since the search died twice."""

    @property
    def undecided(self) -> int:
        """Deals that are neither won nor lost."""
        return self.nodes + self.memory + self.crashed

    @property
    def deals(self) -> int:
        """All deals."""
        return self.win + self.loss + self.undecided

    def record(self) -> dict[str, int]:
        """The counts as they stand in JSON."""
        return {
            "deals": self.deals,
            "win": self.win,
            "loss": self.loss,
            "undecided": self.undecided,
            "undecided_nodes": self.nodes,
            "undecided_memory": self.memory,
            "undecided_crashed": self.crashed,
        }


@dataclass(frozen=True)
class TableRow:
    """A cell's verdicts under one budget, with everything that they depend on."""

    study: str
    planned: PlannedCell = field(repr=False)
    budget: int
    budget_name: str | None
    """The study's name for the budget, if it has one."""
    seeds: SeedRange | None
    """The deals that are counted; None if no block is whole yet."""
    counts: Counts
    of_run: bool = False
    """Whether these are the deals that a run was asked for, and not the whole blocks of an unfinished cell."""

    @property
    def complete(self) -> bool:
        """Whether all deals of the study are counted."""
        return self.seeds == self.planned.seeds

    @property
    def interval(self) -> Interval:
        """The share of deals that are won, at 95 %, however the undecided ones would end."""
        return headline(win=self.counts.win, loss=self.counts.loss, undecided=self.counts.undecided)

    def record(self) -> dict[str, Any]:
        """The row as it stands in JSON; ``low`` and ``high`` are shares between 0 and 1."""
        cell, counts, interval = self.planned.cell, self.counts, self.interval
        return {
            "study": self.study,
            "game": cell.game,
            "label": cell.label,
            "set": dict(cell.overrides),
            "numbering": cell.numbering,
            "seeds": None if self.seeds is None else str(self.seeds),
            "planned_seeds": str(self.planned.seeds),
            "complete": self.complete,
            "precision": self.planned.precision,
            "asked_seeds": str(self.planned.most),
            **counts.record(),
            "low": interval.low,
            "high": interval.high,
            "interval": "Wilson 95 %, undecided lost at the low end and won at the high end",
            "budget": self.budget,
            "budget_name": self.budget_name,
            "solver": cell.solver,
            "memory": cell.table_bytes,
            "cell": cell.id,
            "information": "all cards are known to the solver",
        }


def table_rows(
    stores: Sequence[Store], *, budget: str | int | None = None, asked: Mapping[str, SeedRange] = {}
) -> list[TableRow]:
    """The table of one or more results folders, a row a cell, in the order of the studies.

    Args:
        stores: where the results are.
        budget: a number of nodes, or the study's name for one; None for the largest that each cell was run with.
        asked: by label, the deals that a run was asked for. Of a cell that is unfinished, because more were asked for
            before, these are counted if all are stored, and not its whole blocks.

    Raises:
        InputError: a budget is unknown or above the one that was run, or a file can't be read.
    """
    rows: list[TableRow] = []
    for store in stores:
        manifest = store.manifest()
        rows += [
            table_row(store, manifest.study, planned, budget=budget, asked=asked.get(planned.cell.label))
            for planned in manifest.cells
        ]
    return rows


def table_row(
    store: Store,
    study: str,
    planned: PlannedCell,
    *,
    budget: str | int | None = None,
    asked: SeedRange | None = None,
) -> TableRow:
    """The row of one cell of a results folder.

    Args:
        study: the name of the study.
        budget: as for ``table_rows``.
        asked: the deals that a run was asked for, as for ``table_rows``.

    Raises:
        InputError: as ``table_rows``.
    """
    nodes, name = chosen_budget(planned, budget)
    table = store.rows(planned.cell.id, seeds=planned.seeds, columns=("seed", "outcome", "reason", "nodes"))
    seeds, counts = count(table, seeds=planned.seeds, budget=nodes)
    if asked is not None and seeds != planned.seeds:
        found, found_counts = count(table, seeds=asked, budget=nodes)
        if found == asked:
            return TableRow(study, planned, nodes, name, found, found_counts, of_run=True)
    return TableRow(study, planned, nodes, name, seeds, counts)


def count(table: pa.Table, *, seeds: SeedRange, budget: int) -> tuple[SeedRange | None, Counts]:
    """Count the verdicts that a run with this budget has, as far as whole blocks in seed order go.

    A block is whole when every one of its seeds has a row that a run with ``budget`` would leave as it is.

    Args:
        table: columns ``seed``, ``outcome``, ``reason`` and ``nodes``, sorted by seed.
        seeds: the seeds that are wanted; others don't count.
        budget: a number of nodes.

    Returns:
        The seeds that are counted, None if there are none, and the counts.
    """
    found = verdicts(table, budget=budget)
    covered = found.whole_blocks(seeds)
    if covered is None:
        return None, Counts()
    return covered, Counts(*np.bincount(found.within(covered).kinds, minlength=len(KINDS)).tolist())


def chosen_budget(planned: PlannedCell, budget: str | int | None) -> tuple[int, str | None]:
    """The number of nodes that is meant for a cell, and the study's name for it.

    Raises:
        InputError: the name is unknown, or the number is below 1 or above what was run.
    """
    named = planned.budgets
    if budget is None:
        nodes = planned.budget
    elif isinstance(budget, str):
        if budget not in named:
            written = " A number of nodes is written such as 100_000." if budget[:1].isdigit() else ""
            raise InputError(
                f"There is no budget {budget!r} in cell {planned.cell.label!r}; it has {_budgets_text(named)}.{written}"
            )
        nodes = named[budget]
    else:
        nodes = budget
    if nodes < 1:
        raise InputError(f"A budget of {nodes} nodes decides nothing; it must be at least 1.")
    if nodes > planned.budget:
        raise InputError(
            f"Cell {planned.cell.label!r} was run with {planned.budget} nodes, so there is no table for {nodes}; "
            f"run the study again with that budget, or ask for one up to {planned.budget}."
        )
    return nodes, next((name for name, value in named.items() if value == nodes), None)


def _budgets_text(budgets: Mapping[str, int]) -> str:
    return ", ".join(f"{name} = {nodes}" for name, nodes in budgets.items())
