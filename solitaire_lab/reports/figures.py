"""Frames for figures: what the deals of a study show, cell by cell, in the numbers that a plot draws.

Everything here is about the deals that a table counts: whole blocks in seed order, under the budget that a cell was
run with. ``read_cells`` reads them; the other functions turn them into frames with a row for each cell and step.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from solitaire_lab.reports.compare import compare_cells
from solitaire_lab.reports.tables import TableRow, table_row
from solitaire_lab.reports.verdicts import KINDS, UNDECIDED, verdicts
from solitaire_lab.results.cell import differences
from solitaire_lab.results.intervals import headline
from solitaire_lab.results.rows import OUTCOMES, REASONS
from solitaire_lab.rules.settings import value_text

if TYPE_CHECKING:
    from solitaire_lab.results.cell import Cell
    from solitaire_lab.results.store import Store

_COLUMNS = ("seed", "outcome", "reason", "nodes", "solution_length")
STEPS_A_DECADE = 20
"""Budgets at which a curve is counted, from one power of ten to the next."""
_LENGTH_BINS = 30
"""At most so many bins of solution lengths."""
_QUANTILES = {"median": 0.5, "p90": 0.9, "p99": 0.99}


@dataclass(frozen=True, eq=False)
class CellDeals:
    """The deals of a cell that its table counts."""

    row: TableRow
    """Their verdicts, counted."""
    deals: pd.DataFrame = field(repr=False)
    """A row a deal, sorted by seed: ``seed`` and ``nodes`` (uint64), ``outcome`` and ``reason`` (categories),
    ``solution_length`` (float64, missing unless won). A deal that needed more nodes than the cell's budget is
    undecided, with the budget as its nodes."""

    @property
    def cell(self) -> Cell:
        """Whose deals these are."""
        return self.row.planned.cell

    @property
    def label(self) -> str:
        """What the study calls the cell."""
        return self.cell.label

    @property
    def decided(self) -> pd.DataFrame:
        """The deals that are won or lost."""
        return self.deals[self.deals["outcome"] != "undecided"]


def read_cells(store: Store, labels: Iterable[str] = ()) -> list[CellDeals]:
    """The counted deals of each cell of a results folder, in the order of the study.

    Args:
        labels: labels of cells, or beginnings of their ids; none means all cells.

    Raises:
        InputError: there is no results folder or no such cell, or a file can't be read.
    """
    manifest = store.manifest()
    chosen = [manifest.find(label) for label in labels] or manifest.cells
    rows = (table_row(store, manifest.study, planned) for planned in manifest.cells if planned in chosen)
    return [CellDeals(row, _deals(store, row)) for row in rows]


def outcomes(cells: Sequence[CellDeals]) -> pd.DataFrame:
    """Wins, losses and undecided deals: a row a cell.

    Returns:
        Columns ``label``, ``game``, ``cell`` (its id), ``budget``, ``deals``, ``win``, ``loss``, ``undecided``, and
        ``low`` and ``high``, the ends of the headline interval as shares between 0 and 1.
    """
    names = ("label", "game", "cell", "budget", "deals", "win", "loss", "undecided", "low", "high")
    records = (item.row.record() for item in cells)
    return _frame([{name: record[name] for name in names} for record in records], names)


def decided_against_budget(
    cells: Sequence[CellDeals], budgets: Mapping[str, Sequence[int]] | None = None
) -> pd.DataFrame:
    """What a run with a smaller budget would have decided, on the same deals.

    Args:
        budgets: numbers of nodes by label, none above the cell's own budget. None means steps that are even on a
            logarithmic scale, up to the cell's budget.

    Returns:
        A row a cell and budget, with columns ``label``, ``cell``, ``budget``, ``deals``, ``win``, ``loss``,
        ``undecided``, ``low`` and ``high`` (of the headline interval). Cells of which nothing is counted have none.
    """
    names = ("label", "cell", "budget", "deals", "win", "loss", "undecided", "low", "high")
    records: list[dict[str, Any]] = []
    for item in cells:
        steps = budget_steps(item.row.budget) if budgets is None else budgets[item.label]
        count = len(item.deals)
        wins, losses = (_at_most(_nodes(item, outcome), steps) for outcome in ("win", "loss"))
        for budget, win, loss in zip(steps, wins, losses, strict=True):
            interval = headline(win=win, loss=loss, undecided=count - win - loss)
            values = (budget, count, win, loss, count - win - loss, interval.low, interval.high)
            if count:
                records.append(dict(zip(names, (item.label, item.cell.id, *values), strict=True)))
    return _frame(records, names)


def budget_steps(limit: int) -> tuple[int, ...]:
    """Budgets from 1 to ``limit``, both included, even on a logarithmic scale as far as whole numbers can be."""
    if limit < 1:
        raise ValueError(f"a budget of {limit} nodes")
    count = int(STEPS_A_DECADE * np.log10(float(limit))) + 1
    steps = {round(10 ** (step / STEPS_A_DECADE)) for step in range(count)}
    return tuple(sorted({step for step in steps if step < limit} | {limit}))


def node_histogram(cells: Sequence[CellDeals]) -> pd.DataFrame:
    """How many nodes the decided deals took, in bins of 0, 1, 2 to 3, 4 to 7 nodes and so on.

    Returns:
        A row a cell and bin, with columns ``label``, ``cell``, ``first`` and ``last`` (nodes, both in the bin),
        ``win`` and ``loss``. The bins go up to the largest budget among the cells.
    """
    limit = max((item.row.budget for item in cells), default=0)
    bins = [(0, 0), *((2**power, 2 * 2**power - 1) for power in range(limit.bit_length()))]
    return _histogram(cells, "nodes", ("win", "loss"), bins)


def length_histogram(cells: Sequence[CellDeals]) -> pd.DataFrame:
    """How long the lines of play of the won deals are, as the solver found them (seldom the shortest).

    Returns:
        A row a cell and bin, with columns ``label``, ``cell``, ``first`` and ``last`` (moves, both in the bin) and
        ``win``. Cells of one game have the same bins, all of one width, as far as there are wins.
    """
    names = ("label", "cell", "first", "last", "win")
    of_game: dict[str, list[int]] = {}
    for item in cells:
        lengths = _values(item, "win", "solution_length")
        of_game.setdefault(item.cell.game, []).extend([int(lengths.min()), int(lengths.max())] if lengths.size else [])
    frames = [_frame([], names)]
    for item in cells:
        if ends := of_game[item.cell.game]:
            bins = _even_bins(min(ends), max(ends))
            frames.append(_histogram([item], "solution_length", ("win",), bins))
    return pd.concat(frames[1:] or frames, ignore_index=True)


def spread(cells: Sequence[CellDeals], column: str) -> pd.DataFrame:
    """Typical and extreme numbers of ``nodes`` or of moves (``solution_length``) of the decided deals.

    Returns:
        A row a cell and verdict that has deals, with columns ``label``, ``cell``, ``outcome``, ``deals``, ``mean``,
        ``least``, ``median``, ``p90``, ``p99`` and ``most``. A quantile is the smallest of the numbers that at least
        so large a share of the deals doesn't exceed.
    """
    names = ("label", "cell", "outcome", "deals", "mean", "least", *_QUANTILES, "most")
    records = []
    for item in cells:
        for outcome in ("win", "loss"):
            values = _values(item, outcome, column)
            if values.size:
                at = np.quantile(values, [0, *_QUANTILES.values(), 1], method="inverted_cdf").tolist()
                numbers = (values.size, float(values.mean()), *map(int, at))
                records.append(dict(zip(names, (item.label, item.cell.id, outcome, *numbers), strict=True)))
    return _frame(records, names)


def hardest(cells: Sequence[CellDeals], deals: int = 5) -> pd.DataFrame:
    """The decided deals of each cell that took the most nodes, hardest first; of equals, smaller seeds first.

    Returns:
        Columns ``label``, ``cell``, ``seed``, ``outcome``, ``nodes`` and ``solution_length``.
    """
    names = ("label", "cell", "seed", "outcome", "nodes", "solution_length")
    records: list[dict[str, Any]] = []
    for item in cells:
        top = item.decided.sort_values("nodes", ascending=False, kind="stable").head(deals)
        for values in zip(*(top[name].tolist() for name in names[2:]), strict=True):
            records.append(dict(zip(names, (item.label, item.cell.id, *values), strict=True)))
    return _frame(records, names)


def variants(store: Store, cells: Sequence[CellDeals]) -> pd.DataFrame:
    """Cells of one game beside the first of them, deal by deal where both have the same deals.

    Args:
        store: where the cells are from.

    Returns:
        A row a cell of every game that has several, with columns ``game``, ``label``, ``cell``, ``first`` (the label
        of the game's first cell), ``changes`` (what this cell has other than the first, as text), and counts of the
        deals that both count: ``common``, ``both`` (won in both), ``here`` (won here, lost in the first), ``there``
        (lost here, won in the first), ``neither``, ``open`` (undecided in one or both) and ``impossible`` (of those
        in ``here`` and ``there``, the wins of stricter rules that looser rules lose: a verdict is wrong). The counts
        are missing for the first cell itself, and for one that has other deals or no seed of the first.

    Raises:
        InputError: a file can't be read, or this version of the program doesn't know the rules of a cell.
    """
    counts = ("common", "both", "here", "there", "neither", "open", "impossible")
    names = ("game", "label", "cell", "first", "changes", *counts)
    by_game: dict[str, list[CellDeals]] = {}
    for item in cells:
        by_game.setdefault(item.cell.game, []).append(item)
    records = []
    for game, (first, *others) in by_game.items():
        for item in [first, *others] if others else []:
            found = None if item is first else _paired_counts(store, first, item)
            names_of = {"game": game, "label": item.label, "cell": item.cell.id, "first": first.label}
            changes = {"changes": _changes(first.cell, item.cell)}
            records.append({**names_of, **changes, **dict(zip(counts, found or [None] * len(counts), strict=True))})
    return _frame(records, names).astype(dict.fromkeys(counts, "Int64"))


# --- deals ------------------------------------------------------------------------------------------------------


def _deals(store: Store, row: TableRow) -> pd.DataFrame:
    """The deals that a table row counts."""
    cell, seeds, budget = row.planned.cell, row.seeds, row.budget
    table = store.rows(cell.id, seeds=row.planned.seeds if seeds is None else seeds, columns=_COLUMNS)
    if seeds is None:
        table = table.slice(0, 0)
    kinds = verdicts(table, budget=budget).kinds
    nodes = table["nodes"].to_numpy()
    length = table["solution_length"].to_numpy().astype(np.float64)
    return pd.DataFrame(
        {
            "seed": table["seed"].to_numpy(),
            "outcome": pd.Categorical.from_codes(np.minimum(kinds, UNDECIDED), categories=pd.Index(OUTCOMES)),
            "reason": pd.Categorical.from_codes(np.maximum(kinds - UNDECIDED, -1), categories=pd.Index(REASONS)),
            # A crash is no matter of nodes.
            "nodes": np.where(kinds == KINDS.index("crashed"), nodes, np.minimum(nodes, np.uint64(budget))),
            "solution_length": np.where(kinds == KINDS.index("win"), length, np.nan),
        }
    )


def _values(item: CellDeals, outcome: str, column: str) -> np.ndarray[Any, np.dtype[Any]]:
    """A column of the deals that ended so, without what is missing."""
    return item.deals.loc[item.deals["outcome"] == outcome, column].dropna().to_numpy()


def _nodes(item: CellDeals, outcome: str) -> np.ndarray[Any, np.dtype[np.uint64]]:
    return np.sort(_values(item, outcome, "nodes"))


def _at_most(ordered: np.ndarray[Any, np.dtype[np.uint64]], limits: Sequence[int]) -> list[int]:
    """How many of the sorted numbers are at most each limit."""
    found: list[int] = np.searchsorted(ordered, np.array(limits, dtype=np.uint64), side="right").tolist()
    return found


def _even_bins(least: int, most: int) -> list[tuple[int, int]]:
    """Bins that hold two numbers and all between them, beginning with multiples of their width: 1, 2, 5, 10, ..."""
    widths = (digit * 10**power for power in range(10) for digit in (1, 2, 5))
    width = next(width for width in widths if most // width - least // width < _LENGTH_BINS)
    return [(first, first + width - 1) for first in range(least // width * width, most + 1, width)]


def _histogram(
    cells: Sequence[CellDeals], column: str, counted: Sequence[str], bins: Sequence[tuple[int, int]]
) -> pd.DataFrame:
    """How many deals of each outcome have a value in each bin; bins follow each other without a gap."""
    names = ("label", "cell", "first", "last", *counted)
    firsts = np.array([first for first, _ in bins], dtype=np.uint64)
    records = []
    for item in cells:
        places = (
            np.searchsorted(firsts, _values(item, outcome, column).astype(np.uint64), side="right") - 1
            for outcome in counted
        )
        columns = [np.bincount(place, minlength=len(bins)).tolist() for place in places]
        for (first, last), *counts in zip(bins, *columns, strict=True):
            records.append(dict(zip(names, (item.label, item.cell.id, first, last, *counts), strict=True)))
    return _frame(records, names)


# --- cells beside each other ------------------------------------------------------------------------------------


def _paired_counts(store: Store, first: CellDeals, here: CellDeals) -> tuple[int, ...] | None:
    """The counts of ``variants``; None if a seed is another deal in each, or they have none in common."""
    seeds, other_seeds = first.row.planned.seeds, here.row.planned.seeds
    if seeds.last < other_seeds.first or other_seeds.last < seeds.first:
        return None
    if first.cell.numbering != here.cell.numbering:
        return None
    pair = compare_cells(store, first.label, here.label)
    if not pair.same_deals:
        return None
    table = pair.table
    (both, _, _), (_, neither, _), _ = table.counts
    undecided = table.deals - both - neither - table.gained - table.lost
    return table.deals, both, table.gained, table.lost, neither, undecided, len(pair.impossible)


def _changes(first: Cell, cell: Cell) -> str:
    """What a cell has other than the first, such as ``stock.redeals = 0``."""
    texts = {
        change.key.removeprefix("rules."): change.after if isinstance(change.after, str) else value_text(change.after)
        for change in differences(first, cell)
    }
    return ", ".join(f"{key} = {text}" for key, text in texts.items())


def _frame(records: list[dict[str, Any]], names: Sequence[str]) -> pd.DataFrame:
    return pd.DataFrame.from_records(records, columns=list(names))
