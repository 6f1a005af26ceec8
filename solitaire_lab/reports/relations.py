"""A results folder as three Arrow tables that can be joined: rows, cells, and lines of play."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from solitaire_lab.engine.moves import pile_name
from solitaire_lab.results import schema
from solitaire_lab.results.cell import canonical_json
from solitaire_lab.results.rows import BLOCK

if TYPE_CHECKING:
    from solitaire_lab.results.cell import PlannedCell
    from solitaire_lab.results.manifest import Manifest
    from solitaire_lab.results.store import Store

CELLS: pa.Schema = pa.schema(
    [
        pa.field("cell", pa.string(), nullable=False),
        pa.field("label", pa.string(), nullable=False),
        pa.field("study", pa.string(), nullable=False),
        pa.field("game", pa.string(), nullable=False),
        pa.field("settings", pa.map_(pa.string(), pa.string()), nullable=False),
        pa.field("numbering", pa.string(), nullable=False),
        pa.field("first_seed", pa.uint64(), nullable=False),
        pa.field("last_seed", pa.uint64(), nullable=False),
        pa.field("budget", pa.uint64(), nullable=False),
        pa.field("budgets", pa.map_(pa.string(), pa.uint64()), nullable=False),
        pa.field("precision", pa.float64()),
        pa.field("solver", pa.int64(), nullable=False),
        pa.field("memory", pa.uint64(), nullable=False),
        pa.field("rules", pa.string(), nullable=False),
    ]
)
"""One row a cell of the study: its id and label, what is set differently from the game's own rules, its seeds, the
largest budget and all of them by name, the precision in points that ends it (null if none does), the solver's revision,
the bytes of a search's table, and all rules, as JSON."""

_MOVE: pa.DataType = pa.struct([("source", pa.string()), ("target", pa.string()), ("size", pa.uint8())])

SOLUTIONS: pa.Schema = pa.schema(
    [
        pa.field("cell", pa.string(), nullable=False),
        pa.field("label", pa.string(), nullable=False),
        pa.field("seed", pa.uint64(), nullable=False),
        pa.field("moves", pa.list_(_MOVE), nullable=False),
    ]
)
"""One row a win; a move takes ``size`` cards from the pile ``source`` to ``target``."""

_PILES: pa.Array = pa.array([pile_name(pile) for pile in range(256)])


def labelled(store: Store, cells: Iterable[PlannedCell]) -> Iterator[pa.Table]:
    """The stored rows of cells, block by block, cell by cell, with the schema ``results.schema.ROWS``.

    A cell may have several labels in a study; its rows come under each, as far as the seeds of that label go.

    Raises:
        InputError: a file is damaged or can't be read.
    """
    place = schema.ROWS.names.index("label")
    for planned in cells:
        for table in store.tables(planned.cell.id, seeds=planned.seeds):
            yield table.set_column(place, schema.ROWS.field(place), _constant(planned.cell.label, table.num_rows))


def cells_table(manifest: Manifest) -> pa.Table:
    """The cells of a study, with the schema ``CELLS``, in its order."""
    return pa.Table.from_pylist([_cell_record(manifest.study, planned) for planned in manifest.cells], schema=CELLS)


def solutions(store: Store, cells: Iterable[PlannedCell]) -> Iterator[pa.Table]:
    """The lines of play of the wins of cells, block by block, with the schema ``SOLUTIONS``.

    Raises:
        InputError: a file is damaged or can't be read.
    """
    for planned in cells:
        cell = planned.cell
        for rows in store.tables(cell.id, seeds=planned.seeds, columns=["seed", "outcome"]):
            won = rows.filter(pc.equal(rows["outcome"], "win"))["seed"].combine_chunks()
            part = store.part(cell.id, won[0].as_py() // BLOCK, "solutions") if len(won) else None
            if part is not None:
                lines = part.table.filter(pc.is_in(part.table["seed"], won))
                texts = [_constant(text, len(lines)).cast(pa.string()) for text in (cell.id, cell.label)]
                moves = _moves(lines["moves"].combine_chunks())
                yield pa.table([*texts, lines["seed"], moves], schema=SOLUTIONS)


def _constant(text: str, count: int) -> pa.DictionaryArray:
    return pa.DictionaryArray.from_arrays(pa.array(np.zeros(count, np.int32)), pa.array([text]))


def _cell_record(study: str, planned: PlannedCell) -> dict[str, Any]:
    cell = planned.cell
    settings = {key: value if isinstance(value, str) else json.dumps(value) for key, value in cell.overrides.items()}
    return {
        "cell": cell.id,
        "label": cell.label,
        "study": study,
        "game": cell.game,
        "settings": list(settings.items()),
        "numbering": cell.numbering,
        "first_seed": planned.seeds.first,
        "last_seed": planned.seeds.last,
        "budget": planned.budget,
        "budgets": list(planned.budgets.items()),
        "precision": planned.precision,
        "solver": cell.solver,
        "memory": cell.table_bytes,
        "rules": canonical_json(dict(cell.rules)),
    }


def _moves(lines: pa.Array) -> pa.ListArray:
    """Lines of play, three bytes a move, as lists of moves."""
    lengths = np.array([0, *(len(line) for line in lines.to_pylist())])
    codes = np.frombuffer(b"".join(lines.to_pylist()), np.uint8).reshape(-1, 3)
    piles = [_PILES.take(pa.array(codes[:, column])) for column in (0, 1)]
    moves = pa.StructArray.from_arrays([*piles, pa.array(codes[:, 2])], fields=list(_MOVE))
    return pa.ListArray.from_arrays(pa.array(np.cumsum(lengths) // 3, pa.int32()), moves)
