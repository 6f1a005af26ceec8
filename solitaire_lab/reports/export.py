"""Rows as text for other programs, a line a deal: CSV and JSON lines."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from solitaire_lab.deals.dealing import deal_many
from solitaire_lab.engine.engine import Engine
from solitaire_lab.engine.lines import line_records
from solitaire_lab.engine.moves import decode_moves
from solitaire_lab.errors import InputError
from solitaire_lab.reports.relations import labelled
from solitaire_lab.results import schema
from solitaire_lab.results.files import chosen_file
from solitaire_lab.results.rows import BLOCK

if TYPE_CHECKING:
    import pyarrow as pa

    from solitaire_lab.deals.position import Position
    from solitaire_lab.results.cell import PlannedCell
    from solitaire_lab.results.store import Store

SOLUTION = "solution"
"""The column of lines of play, called as ``solve`` calls it."""


def export(store: Store, path: Path | str, *, style: str = "csv", label: str | None = None, moves: bool = False) -> int:
    """Write the rows of a results folder to a file, whole or not at all.

    Args:
        path: where; a file of that name is replaced.
        style, label, moves: as for ``export_lines``.

    Returns:
        How many rows.

    Raises:
        InputError: as ``export_lines``, or the file can't be written.
    """
    count = -1 if style == "csv" else 0  # The header is no row.
    with chosen_file(Path(path)) as file:
        for line in export_lines(store, style=style, label=label, moves=moves):
            file.write(f"{line}\n".encode())
            count += 1
    return count


def export_lines(store: Store, *, style: str = "csv", label: str | None = None, moves: bool = False) -> Iterator[str]:
    """The rows of a results folder as text, cell by cell in the order of the study, each sorted by seed.

    The columns are those of ``results/README.md``, the label the study's. All rows of the study's seeds that are stored
    are given, those of blocks that are not whole yet among them. Whole numbers are written in full, such as the seed
    2^64 - 1; a reader that takes them for floating-point numbers rounds what is above 2^53.

    Args:
        style: one of ``STYLES``: ``csv`` has a header, and nothing where a value is null; ``jsonl`` an object a line.
        label: the label of a cell, or the beginning of its id; None for all cells.
        moves: whether a last column ``solution`` holds the line of play of each win: a list of moves as ``replay``
            reads it, which in CSV is a text in JSON.

    Yields:
        Lines without their end, in CSV records, which may hold an end of line in quotes.

    Raises:
        InputError: there is no results folder or no such cell, a file is damaged, or a win has no line of play.
    """
    manifest = store.manifest()
    cells = manifest.cells if label is None else (manifest.find(label),)
    names = [*schema.ROWS.names, *([SOLUTION] if moves else [])]
    line = STYLES[style](names)
    if style == "csv":
        yield line(names)
    for planned in cells:
        add = _Solutions(store, planned) if moves else None
        for table in labelled(store, [planned]):
            columns = [column.to_pylist() for column in table.columns]
            if add is not None:
                columns.append(add.column(table))
            yield from map(line, zip(*columns, strict=True))


class _Solutions:
    """The lines of play of a cell's wins, as JSON values."""

    def __init__(self, store: Store, planned: PlannedCell) -> None:
        self._store = store
        self._cell = planned.cell
        self._game = planned.cell.to_game()
        self._engine = Engine(self._game.rules)

    def column(self, table: pa.Table) -> list[list[dict[str, Any]] | None]:
        """A line of play for each row of a block, None unless it is won."""
        seeds, outcomes = (table[name].to_pylist() for name in ("seed", "outcome"))
        won = [seed for seed, outcome in zip(seeds, outcomes, strict=True) if outcome == "win"]
        moves = self._store.solutions(self._cell.id, won[0] // BLOCK) if won else {}
        deals = deal_many(self._game, numbering=self._cell.numbering, seeds=won)
        lines = {seed: self._line(seed, dealt, moves.get(seed)) for seed, dealt in zip(won, deals, strict=True)}
        return [lines.get(seed) for seed in seeds]

    def _line(self, seed: int, dealt: Position, moves: bytes | None) -> list[dict[str, Any]]:
        where = f"seed {seed} of cell {self._cell.label!r} in {self._store.path}"
        check = "solitaire-lab verify tells what else is wrong."
        if moves is None:
            raise InputError(f"There is no line of play for {where}, a win; {check}")
        try:
            return line_records(self._engine, self._engine.settle(dealt), decode_moves(moves))
        except InputError as error:
            raise InputError(f"The line of play for {where} is not legal; {check} {error}") from None


def csv_line() -> Callable[[Sequence[Any]], str]:
    """What makes a record of CSV, without the end of its line, of values; None is written as nothing."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="")

    def line(values: Sequence[Any]) -> str:
        text.seek(0)
        text.truncate()
        writer.writerow(values)
        return text.getvalue()

    return line


def _csv_line(names: Sequence[str]) -> Callable[[Sequence[Any]], str]:
    line = csv_line()
    return lambda values: line([_json(value) if isinstance(value, list) else value for value in values])


def _jsonl_line(names: Sequence[str]) -> Callable[[Sequence[Any]], str]:
    return lambda values: _json(dict(zip(names, values, strict=True)))


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


STYLES: dict[str, Callable[[Sequence[str]], Callable[[Sequence[Any]], str]]] = {
    "csv": _csv_line,
    "jsonl": _jsonl_line,
}
"""Makes, for the names of columns, what makes a line of their values."""
