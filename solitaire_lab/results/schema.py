"""The Parquet form of rows: schemas, tables, footers, and the hash of what they say."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.metadata import version
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from solitaire_lab import __version__
from solitaire_lab.results.cell import Cell
from solitaire_lab.results.rows import Row

CONSTANT = ("cell", "game", "label", "numbering")
"""The columns that are the same in every row of a file. Files hold plain strings; in memory they are dictionaries,
which for a million rows saves 90 MB and a third of the time to read them."""

_CONSTANT_TEXT = pa.dictionary(pa.int32(), pa.string())

ROWS: pa.Schema = pa.schema(
    [
        *(pa.field(name, _CONSTANT_TEXT, nullable=False) for name in CONSTANT),
        pa.field("seed", pa.uint64(), nullable=False),
        pa.field("outcome", pa.string(), nullable=False),
        pa.field("reason", pa.string()),
        pa.field("nodes", pa.uint64(), nullable=False),
        pa.field("phase", pa.string(), nullable=False),
        pa.field("solution_length", pa.uint32()),
        pa.field("seconds", pa.float64(), nullable=False),
    ]
)
"""One row a deal."""

SOLUTIONS: pa.Schema = pa.schema(
    [pa.field("seed", pa.uint64(), nullable=False), pa.field("moves", pa.binary(), nullable=False)]
)
"""One row a win; ``moves`` is what ``engine.moves.encode_moves`` writes."""

HASHED = ("cell", "seed", "outcome", "reason", "nodes", "phase", "solution_length")
"""The columns of a content hash, in the order of its lines."""


def rows_table(cell: Cell, rows: Sequence[Row]) -> pa.Table:
    """Rows of one cell as a table with the schema ``ROWS``, in the order given."""
    count = len(rows)
    seeds, outcomes, reasons, nodes, phases, lengths, seconds, _ = zip(*rows, strict=True) if rows else ((),) * 8
    constants = [[text] * count for text in (cell.id, cell.game, cell.label, cell.numbering)]
    return pa.table([*constants, seeds, outcomes, reasons, nodes, phases, lengths, seconds], schema=ROWS)


def solutions_table(rows: Iterable[Row]) -> pa.Table:
    """The lines of play of those rows that have one, as a table with the schema ``SOLUTIONS``."""
    lines = [(row.seed, row.moves) for row in rows if row.moves is not None]
    return pa.table([[seed for seed, _ in lines], [moves for _, moves in lines]], schema=SOLUTIONS)


def footer(cell: Cell, seeds: Sequence[int], *, rows: int) -> dict[str, str]:
    """What the footer of a file says besides its schema; all values are text.

    Args:
        cell: whose file it is.
        seeds: the seeds of the block that are stored, sorted.
        rows: how many rows the file has.
    """
    return {
        "solitaire_lab.cell": cell.canonical,
        "solitaire_lab.cell_id": cell.id,
        "solitaire_lab.seeds": f"{seeds[0]}:{seeds[-1]}" if seeds else "",
        "solitaire_lab.rows": str(rows),
        "solitaire_lab.versions": _versions(),
    }


@cache
def _versions() -> str:
    return json.dumps(
        {
            "solitaire-lab": __version__,
            "python": platform.python_version(),
            "numba": version("numba"),
            "pyarrow": version("pyarrow"),
        }
    )


def content_hash(table: pa.Table) -> str:
    """SHA-256, in hex, of what rows say: a line of text a row, sorted by cell and seed, wall time left out.

    A line is ``cell,seed,outcome,reason,nodes,phase,solution_length`` and ends in a newline; what is null is empty. It
    depends neither on the version of pyarrow nor on the files that the rows were in.
    """
    table = table.select(HASHED)
    table = table.set_column(0, "cell", table["cell"].cast(pa.string()))
    table = table.sort_by([("cell", "ascending"), ("seed", "ascending")])
    digest = hashlib.sha256()
    for batch in table.to_batches(max_chunksize=65_536):
        columns: list[Any] = [pc.fill_null(pc.cast(column, pa.string()), "") for column in batch.columns]
        lines = pc.binary_join_element_wise(*columns, ",")
        digest.update("".join(f"{line}\n" for line in lines.to_pylist()).encode())
    return digest.hexdigest()
