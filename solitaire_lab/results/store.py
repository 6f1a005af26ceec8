"""The store: a results folder.

::

    DIR/manifest.json                        the cells this folder is for
    DIR/lock                                 held by the run that writes
    DIR/cells/<12 digits of the id>/rows-<first seed of the block>.parquet
    DIR/cells/<12 digits of the id>/solutions-<first seed of the block>.parquet
    DIR/cells/<12 digits of the id>/rows-<first seed>-<last seed>.parquet        volumes, made by ``compact``
    DIR/cells/<12 digits of the id>/solutions-<first seed>-<last seed>.parquet

Every file is written whole or not at all, and a block's solutions before its rows, so that a stored win always has
its line of play. A block's own file goes before what a volume has of it. One process writes, under the lock; anyone
may read at any time.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from solitaire_lab.errors import InputError
from solitaire_lab.results import schema
from solitaire_lab.results.files import check_outside, is_there, locked, make_folder, reason, write_whole
from solitaire_lab.results.manifest import Manifest, parse_manifest
from solitaire_lab.results.names import (
    VOLUME,
    block_name,
    is_leftover,
    parse_block_name,
    parse_volume_name,
    volume_name,
)
from solitaire_lab.results.parquet import Part, Volumes, read_block_file, remedy, write_block_file
from solitaire_lab.results.rows import BLOCK, REASONS, Row, SeedRange

if TYPE_CHECKING:
    from solitaire_lab.results.cell import PlannedCell


class Store:
    """A results folder. Making a ``Store`` and reading from it never creates anything."""

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        self._volumes = Volumes()

    # --- the folder ---------------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def lock(self) -> Iterator[None]:
        """Hold the folder for writing, making it if it is missing, and clear away what a killed run left half-written.

        Raises:
            InputError: another run holds it, it can't be written, or it would be made within another results folder.
        """
        if not os.path.exists(self.manifest_path):
            check_outside(self.path)
        make_folder(self.path)
        with locked(self.path / "lock"):
            try:
                for path in [*self.path.iterdir(), *self.path.glob("cells/*/*")]:
                    if is_leftover(path):
                        path.unlink()
            except OSError as error:
                raise InputError(f"{self.path} can't be tidied up: {reason(error)}.") from error
            yield

    @property
    def manifest_path(self) -> Path:
        """The file that names the cells."""
        return self.path / "manifest.json"

    @property
    def exists(self) -> bool:
        """Whether a study was begun here."""
        return is_there(self.manifest_path)

    def manifest(self) -> Manifest:
        """The cells this folder is for.

        Raises:
            InputError: there is no results folder here, or its manifest can't be read.
        """
        try:
            text = self.manifest_path.read_text(encoding="utf-8")
        except (FileNotFoundError, NotADirectoryError):
            what = "has no manifest.json" if self.path.is_dir() else "is no folder"
            below = [str(manifest.parent) for manifest in sorted(self.path.glob("*/manifest.json"))]
            right = "a results folder is what `solitaire-lab run` has written."
            if below:
                right = f"did you mean {' or '.join(below)}?"
            raise InputError(f"{self.path} {what}; {right}") from None
        except UnicodeDecodeError as error:
            raise InputError(f"{self.manifest_path} is no UTF-8 text (byte {error.start}); it is damaged.") from None
        except OSError as error:
            raise InputError(f"{self.manifest_path} can't be read: {reason(error)}.") from error
        return parse_manifest(text, where=str(self.manifest_path))

    def write_manifest(self, manifest: Manifest) -> None:
        """Replace the manifest.

        Raises:
            InputError: it can't be written.
        """
        write_whole(self.manifest_path, manifest.to_json().encode())

    def cell_folder(self, cell_id: str) -> Path:
        """Where a cell's blocks are."""
        return self.path / "cells" / cell_id[:12]

    def block_path(self, cell_id: str, block: int, kind: str = "rows") -> Path:
        """The file that a run writes a block's ``rows`` or ``solutions`` to."""
        return self.cell_folder(cell_id) / block_name(kind, block)

    def volume_path(self, cell_id: str, volume: int, kind: str = "rows") -> Path:
        """The file of a volume's ``rows`` or ``solutions``."""
        return self.cell_folder(cell_id) / volume_name(kind, volume)

    def blocks(self, cell_id: str) -> list[int]:
        """The blocks of which rows are stored, sorted.

        Raises:
            InputError: the cell's folder can't be read, or a volume is damaged.
        """
        blocks = {block for kind, block in self.own_files(cell_id) if kind == "rows"}
        # Volumes last: a block that has left its own file meanwhile is in one of them.
        for volume in self.volumes(cell_id):
            blocks.update(self.volume_blocks(cell_id, volume))
        return sorted(blocks)

    def volumes(self, cell_id: str) -> list[int]:
        """The volumes of rows that there are, sorted.

        Raises:
            InputError: the cell's folder can't be read.
        """
        found = filter(None, map(parse_volume_name, self._names(cell_id)))
        return sorted(volume for kind, volume in found if kind == "rows")

    def volume_blocks(self, cell_id: str, volume: int) -> list[int]:
        """The blocks of which a volume has rows, sorted; none if there is no such volume.

        Raises:
            InputError: it is damaged or can't be read.
        """
        return self._volumes.blocks(self.volume_path(cell_id, volume), schema.ROWS, cell_id=cell_id)

    def own_files(self, cell_id: str) -> list[tuple[str, int]]:
        """``rows`` or ``solutions`` and the number of the block, for each file of one block, sorted.

        Raises:
            InputError: the cell's folder can't be read.
        """
        return sorted(filter(None, map(parse_block_name, self._names(cell_id))))

    def _names(self, cell_id: str) -> list[str]:
        try:
            return [path.name for path in self.cell_folder(cell_id).iterdir()]
        except FileNotFoundError:
            return []
        except OSError as error:
            raise InputError(f"{self.cell_folder(cell_id)} can't be read: {reason(error)}.") from error

    # --- writing ------------------------------------------------------------------------------------------------

    def write_block(self, planned: PlannedCell, block: int, rows: Sequence[Row]) -> None:
        """Store the whole content of a block, replacing what was stored of it.

        Raises:
            InputError: it can't be written.
        """
        rows = sorted(rows, key=lambda row: row.seed)
        seeds = [row.seed for row in rows]
        if len(set(seeds)) < len(seeds) or any(seed // BLOCK != block for seed in seeds):
            raise ValueError(f"block {block} must hold different seeds of its own, not {seeds}")
        if any((row.outcome == "win") != (row.moves is not None) for row in rows):
            raise ValueError(f"block {block} must hold a line of play for each win, and for nothing else")
        cell = planned.cell
        make_folder(self.cell_folder(cell.id))
        for kind, table in (("solutions", schema.solutions_table(rows)), ("rows", schema.rows_table(cell, rows))):
            footer = schema.footer(cell, seeds, rows=table.num_rows)
            write_block_file(self.block_path(cell.id, block, kind), table, footer)

    # --- reading ------------------------------------------------------------------------------------------------

    def rows(self, cell_id: str, *, seeds: SeedRange | None = None, columns: Sequence[str] | None = None) -> pa.Table:
        """The rows of a cell, sorted by seed, with the schema ``schema.ROWS`` (or only some of its columns).

        Raises:
            InputError: a file is damaged or can't be read.
        """
        empty = schema.ROWS.empty_table().select(schema.ROWS.names if columns is None else columns)
        return pa.concat_tables([empty, *self.tables(cell_id, seeds=seeds, columns=columns)])

    def tables(
        self, cell_id: str, *, seeds: SeedRange | None = None, columns: Sequence[str] | None = None
    ) -> Iterator[pa.Table]:
        """What ``rows`` gives, block by block, for more rows than fit into memory.

        Raises:
            InputError: a file is damaged or can't be read.
        """
        names = schema.ROWS.names if columns is None else columns
        for block in self.blocks(cell_id):
            if seeds is not None and block not in seeds.blocks:
                continue
            part = self.part(cell_id, block, columns=[*{*names, "seed"}])
            if part is not None:
                yield (part.table if seeds is None else _within(part.table, seeds)).select(names)

    def read_block(self, cell_id: str, block: int) -> list[Row]:
        """The rows of a block with their lines of play, sorted by seed; empty if nothing of it is stored.

        Raises:
            InputError: a file is damaged or can't be read, or the line of play of a win is missing.
        """
        part = self.part(cell_id, block)
        if part is None:
            return []
        table = part.table.select(Row._fields[:-1])
        lines = self.part(cell_id, block, "solutions")
        moves = {} if lines is None else _by_seed(lines.table)
        rows = []
        for values in zip(*(column.to_pylist() for column in table.columns), strict=True):
            row = Row._make((*values, None))
            if row.outcome == "win":
                if row.seed not in moves:
                    path = self.block_path(cell_id, block, "solutions") if lines is None else lines.path
                    raise InputError(f"{path} has no line of play for seed {row.seed}, a win; {remedy(path)}")
                row = row._replace(moves=moves[row.seed])
            rows.append(row)
        return rows

    def solutions(self, cell_id: str, block: int) -> dict[int, bytes]:
        """The stored lines of play of a block by seed; empty if nothing of it is stored.

        A run that was killed between the two files of a block may leave more of them than there are wins.

        Raises:
            InputError: the file is damaged or can't be read.
        """
        part = self.part(cell_id, block, "solutions")
        return {} if part is None else _by_seed(part.table)

    def solution(self, cell_id: str, seed: int) -> bytes | None:
        """The line of play that is stored for a seed, as ``decode_moves`` reads it, or None."""
        return self.solutions(cell_id, seed // BLOCK).get(seed)

    def seeds_done(self, planned: PlannedCell, block: int, *, retry: Sequence[str] = ()) -> set[int]:
        """The seeds of a block that a run of this cell has not to search.

        Those are all that are stored, but for those that ran out of fewer nodes than the cell's budget, and those
        undecided for a reason in ``retry``.

        Raises:
            InputError: the file is damaged or can't be read.
        """
        part = self.part(planned.cell.id, block, columns=["seed", "reason", "nodes"])
        if part is None:
            return set()
        table = part.table
        again = [why for why in retry if why in REASONS]
        ran_out = pc.and_(pc.equal(table["reason"], "nodes"), pc.less(table["nodes"], planned.budget))
        open_ = pc.or_(pc.fill_null(ran_out, False), pc.is_in(table["reason"], pa.array(again, pa.string())))
        return set(table.filter(pc.invert(open_))["seed"].to_pylist())

    def part(
        self, cell_id: str, block: int, kind: str = "rows", *, columns: Sequence[str] | None = None
    ) -> Part | None:
        """A block's ``rows`` or ``solutions`` as they are stored; None if they are not.

        Raises:
            InputError: the file that holds them is damaged or can't be read.
        """
        wanted = schema.ROWS if kind == "rows" else schema.SOLUTIONS
        # In this order: a block's own file goes away only when a volume has it.
        own = read_block_file(self.block_path(cell_id, block, kind), wanted, cell_id=cell_id, columns=columns)
        if own is not None:
            return own
        path = self.volume_path(cell_id, block // VOLUME, kind)
        return self._volumes.part(path, block, wanted, cell_id=cell_id, columns=columns)


def _by_seed(lines: pa.Table) -> dict[int, bytes]:
    return dict(zip(lines["seed"].to_pylist(), lines["moves"].to_pylist(), strict=True))


def _within(table: pa.Table, seeds: SeedRange) -> pa.Table:
    seed = table["seed"]
    first, last = (pa.scalar(value, pa.uint64()) for value in (seeds.first, seeds.last))
    return table.filter(pc.and_(pc.greater_equal(seed, first), pc.less_equal(seed, last)))
