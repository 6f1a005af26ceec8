"""Rows as a pandas frame, for notebooks and for whoever wants more than a table."""

from __future__ import annotations

import pandas as pd

from solitaire_lab.results.store import Store


def rows_frame(store: Store, cell: str) -> pd.DataFrame:
    """The rows of a cell, one a deal, sorted by seed.

    Args:
        cell: the cell's label, or the beginning of its id.

    Returns:
        The columns of ``results/README.md``: seed and nodes as uint64, seconds as float64; reason is missing where a
        deal was decided, solution_length where it was not won.

    Raises:
        InputError: there is no such cell, or a file is damaged.
    """
    planned = store.manifest().find(cell)
    frame: pd.DataFrame = store.rows(planned.cell.id, seeds=planned.seeds).to_pandas()
    return frame
