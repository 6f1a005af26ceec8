"""The store: a results folder.

::

    DIR/manifest.json                        the cells this folder is for
    DIR/lock                                 held by the run that writes
    DIR/cells/<12 digits of the id>/rows-<first seed of the block>.parquet
    DIR/cells/<12 digits of the id>/solutions-<first seed of the block>.parquet

Every file is written whole or not at all, and a block's solutions before its rows, so that a stored win always has
its line of play. One process writes, under the lock; anyone may read at any time.
"""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from solitaire_lab.errors import InputError
from solitaire_lab.results import schema
from solitaire_lab.results.files import is_there, locked, make_folder, meant_name, reason, write_whole
from solitaire_lab.results.manifest import Manifest, parse_manifest
from solitaire_lab.results.rows import BLOCK, REASONS, Row, SeedRange

if TYPE_CHECKING:
    from solitaire_lab.results.cell import PlannedCell

_BLOCK_FILE = re.compile(r"(rows|solutions)-([0-9]{20})\.parquet")


class Store:
    """A results folder. Making a ``Store`` and reading from it never creates anything."""

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)

    # --- the folder ---------------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def lock(self) -> Iterator[None]:
        """Hold the folder for writing, making it if it is missing, and clear away what a killed run left half-written.

        Raises:
            InputError: another run holds it, or it can't be written.
        """
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
            right = f"did you mean {' or '.join(below)}?" if below else "a results folder is what a run has written."
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
        """The file of a block's ``rows`` or ``solutions``."""
        return self.cell_folder(cell_id) / f"{kind}-{block * BLOCK:020d}.parquet"

    def blocks(self, cell_id: str) -> list[int]:
        """The blocks of which rows are stored, sorted."""
        try:
            names = [path.name for path in self.cell_folder(cell_id).iterdir()]
        except FileNotFoundError:
            return []
        except OSError as error:
            raise InputError(f"{self.cell_folder(cell_id)} can't be read: {reason(error)}.") from error
        return sorted(block for kind, block in filter(None, map(parse_block_name, names)) if kind == "rows")

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
            _write_table(self.block_path(cell.id, block, kind), table, footer)

    # --- reading ------------------------------------------------------------------------------------------------

    def rows(self, cell_id: str, *, seeds: SeedRange | None = None, columns: Sequence[str] | None = None) -> pa.Table:
        """The rows of a cell, sorted by seed, with the schema ``schema.ROWS`` (or only some of its columns).

        Raises:
            InputError: a file is damaged or can't be read.
        """
        wanted = schema.ROWS if columns is None else pa.schema([schema.ROWS.field(name) for name in columns])
        blocks = self.blocks(cell_id)
        if seeds is not None:
            blocks = [block for block in blocks if block in seeds.blocks]
        read = columns if seeds is None or columns is None else [*{*columns, "seed"}]
        tables = [self._read(cell_id, block, "rows", columns=read) for block in blocks]
        if seeds is not None:
            tables = [_within(table, seeds) for table in tables]
        return pa.concat_tables([wanted.empty_table(), *(table.select(wanted.names) for table in tables)])

    def read_block(self, cell_id: str, block: int) -> list[Row]:
        """The rows of a block with their lines of play, sorted by seed; empty if nothing of it is stored.

        Raises:
            InputError: a file is damaged or can't be read, or the line of play of a win is missing.
        """
        if not is_there(self.block_path(cell_id, block)):
            return []
        table = self._read(cell_id, block, "rows").select(Row._fields[:-1])
        moves = self.solutions(cell_id, block)
        rows = []
        for values in zip(*(column.to_pylist() for column in table.columns), strict=True):
            row = Row._make((*values, None))
            if row.outcome == "win":
                if row.seed not in moves:
                    path = self.block_path(cell_id, block, "solutions")
                    raise InputError(f"{path} has no line of play for seed {row.seed}, a win; {_remedy(path)}")
                row = row._replace(moves=moves[row.seed])
            rows.append(row)
        return rows

    def solutions(self, cell_id: str, block: int) -> dict[int, bytes]:
        """The stored lines of play of a block by seed; empty if nothing of it is stored.

        A run that was killed between the two files of a block may leave more of them than there are wins.

        Raises:
            InputError: the file is damaged or can't be read.
        """
        if not is_there(self.block_path(cell_id, block, "solutions")):
            return {}
        table = self._read(cell_id, block, "solutions")
        return dict(zip(table["seed"].to_pylist(), table["moves"].to_pylist(), strict=True))

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
        if not is_there(self.block_path(planned.cell.id, block)):
            return set()
        table = self._read(planned.cell.id, block, "rows", columns=["seed", "reason", "nodes"])
        again = [why for why in retry if why in REASONS]
        ran_out = pc.and_(pc.equal(table["reason"], "nodes"), pc.less(table["nodes"], planned.budget))
        open_ = pc.or_(pc.fill_null(ran_out, False), pc.is_in(table["reason"], pa.array(again, pa.string())))
        return set(table.filter(pc.invert(open_))["seed"].to_pylist())

    def _read(self, cell_id: str, block: int, kind: str, *, columns: Sequence[str] | None = None) -> pa.Table:
        path = self.block_path(cell_id, block, kind)
        wanted = schema.ROWS if kind == "rows" else schema.SOLUTIONS
        return read_file(path, wanted, cell_id=cell_id, columns=columns)


def is_leftover(path: Path) -> bool:
    """Whether a file is one that a run was writing when it was killed."""
    name = meant_name(path.name)
    return name is not None and (name == "manifest.json" or parse_block_name(name) is not None)


def parse_block_name(name: str) -> tuple[str, int] | None:
    """``rows`` or ``solutions`` and the number of the block, from the name of a block's file; None if it is not one."""
    match = _BLOCK_FILE.fullmatch(name)
    if match is None or int(match[2]) % BLOCK or int(match[2]) >= 2**64:
        return None
    return match[1], int(match[2]) // BLOCK


def read_file(path: Path, wanted: pa.Schema, *, cell_id: str, columns: Sequence[str] | None = None) -> pa.Table:
    """Read one file of a block.

    Raises:
        InputError: it is damaged, belongs to another cell, has other columns, or can't be read.
    """
    other_columns = f"{path} has other columns than {', '.join(wanted.names)}; {_remedy(path)}"
    constant = [name for name in schema.CONSTANT if name in wanted.names]
    try:
        with pq.ParquetFile(path, read_dictionary=constant, pre_buffer=False, page_checksum_verification=True) as file:
            footer = _footer(file.metadata)
            if footer.get("solitaire_lab.cell_id") != cell_id:
                raise InputError(f"{path} is not a file of cell {cell_id[:12]}, in whose folder it is; {_remedy(path)}")
            if not file.schema_arrow.equals(wanted):
                raise InputError(other_columns)
            table = file.read(columns=columns, use_threads=False)
            if str(table.num_rows) != footer.get("solitaire_lab.rows"):
                raise InputError(f"{path} has not as many rows as were written; {_remedy(path)}")
            return table
    except KeyError:  # A column that was to be read as a dictionary is not there.
        raise InputError(other_columns) from None
    except (pa.ArrowException, OSError, UnicodeError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise InputError(f"{path} can't be read: {reason(error)}.") from error
        detail = str(error).partition("\n")[0].rstrip(".")
        raise InputError(f"{path} is damaged ({detail}); {_remedy(path)}") from error


def read_footer(path: Path) -> Mapping[str, str]:
    """What ``schema.footer`` wrote into a file that can be read."""
    return _footer(pq.read_metadata(path))


def _footer(metadata: pq.FileMetaData) -> Mapping[str, str]:
    entries: Mapping[bytes, bytes] = metadata.metadata or {}
    return {key.decode("utf-8", "replace"): value.decode("utf-8", "replace") for key, value in entries.items()}


def _remedy(path: Path) -> str:
    rows = path.name.replace("solutions-", "rows-")
    both = path.name if rows == path.name else f"{path.name} and {rows} beside it"
    return f"delete {both} and run the study again: only the deals of this block are repeated."


def _within(table: pa.Table, seeds: SeedRange) -> pa.Table:
    seed = table["seed"]
    first, last = (pa.scalar(value, pa.uint64()) for value in (seeds.first, seeds.last))
    return table.filter(pc.and_(pc.greater_equal(seed, first), pc.less_equal(seed, last)))


def _write_table(path: Path, table: pa.Table, footer: Mapping[str, str]) -> None:
    buffer = io.BytesIO()
    # The Arrow schema is left out of the file: the Parquet types say everything, in a third of the time and space.
    with pq.ParquetWriter(
        buffer, table.schema, compression="zstd", store_schema=False, write_page_checksum=True
    ) as writer:
        writer.write_table(table)
        writer.add_key_value_metadata(dict(footer))

    def check(temp: Path) -> None:
        if pq.read_metadata(temp).num_rows != table.num_rows:
            raise OSError("it does not read back with as many rows as were written")

    write_whole(path, buffer.getvalue(), check=check)
