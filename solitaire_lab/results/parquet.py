"""The Parquet files of a store: of one block, or volumes of many, written whole and read with every check.

A volume has a row group for each of its blocks, and a footer that says which, so that a block is read without the
others.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from solitaire_lab.errors import InputError
from solitaire_lab.results import schema
from solitaire_lab.results.files import reason, whole_file, write_whole
from solitaire_lab.results.names import parse_volume_name
from solitaire_lab.results.rows import BLOCK

if TYPE_CHECKING:
    from solitaire_lab.results.cell import Cell

_BLOCKS = "solitaire_lab.blocks"
"""The entry of a volume's footer that tells its blocks."""


class Part(NamedTuple):
    """What is stored of one block: its rows or its lines of play."""

    path: Path
    """The file that it is in."""
    table: pa.Table
    footer: Mapping[str, str]
    """What ``schema.footer`` has said about the block."""


# --- one block --------------------------------------------------------------------------------------------------


def write_block_file(path: Path, table: pa.Table, footer: Mapping[str, str]) -> None:
    """Write the file of one block.

    Raises:
        InputError: it can't be written.
    """
    buffer = io.BytesIO()
    with _writer(buffer, table.schema) as writer:
        writer.write_table(table)
        writer.add_key_value_metadata(dict(footer))

    def check(temp: Path) -> None:
        # Opened here, since Arrow takes no path that is not UTF-8.
        with temp.open("rb") as file:
            written = pq.read_metadata(file).num_rows
        if written != table.num_rows:
            raise OSError("it does not read back with as many rows as were written")

    write_whole(path, buffer.getvalue(), check=check)


def read_block_file(
    path: Path, wanted: pa.Schema, *, cell_id: str, columns: Sequence[str] | None = None
) -> Part | None:
    """Read the file of one block; None if there is none.

    Args:
        wanted: the schema that the file must have.
        columns: those to read; None for all.

    Raises:
        InputError: it is damaged, belongs to another cell, has other columns, or can't be read.
    """
    with _opened(path) as handle:
        if handle is None:
            return None
        with _complaints(path, wanted), _parquet(handle, wanted) as file:
            footer = _checked(path, file, wanted, cell_id)
            table = file.read(columns=columns, use_threads=False)
            if str(table.num_rows) != footer.get("solitaire_lab.rows"):
                raise InputError(f"{path} has not as many rows as were written; {remedy(path)}")
            return Part(path, table, footer)


# --- many blocks ------------------------------------------------------------------------------------------------


class _Place(NamedTuple):
    """Where a block is in a volume."""

    group: int
    """The number of its row group."""
    footer: Mapping[str, str]


class _Index(NamedTuple):
    """What a volume holds; kept, since its footer is long."""

    stat: tuple[int, ...]
    """Tells this file from one that has replaced it."""
    metadata: pq.FileMetaData
    places: Mapping[int, _Place]
    """By block."""


class Volumes:
    """Reads volumes, and remembers what is where in them as long as they are not replaced."""

    def __init__(self) -> None:
        self._known: dict[Path, _Index] = {}

    def blocks(self, path: Path, wanted: pa.Schema, *, cell_id: str) -> list[int]:
        """The blocks that a volume holds, in order; none if there is no such file.

        Raises:
            InputError: it is damaged, belongs to another cell, has other columns, or can't be read.
        """
        with _opened(path) as handle:
            return [] if handle is None else list(self._index(path, handle, wanted, cell_id).places)

    def part(
        self, path: Path, block: int, wanted: pa.Schema, *, cell_id: str, columns: Sequence[str] | None = None
    ) -> Part | None:
        """Read one block of a volume; None if there is no such file, or the block is not in it.

        Raises:
            InputError: as ``blocks``.
        """
        with _opened(path) as handle:
            if handle is None:
                return None
            index = self._index(path, handle, wanted, cell_id)
            place = index.places.get(block)
            if place is None:
                return None
            with _complaints(path, wanted), _parquet(handle, wanted, index.metadata) as file:
                return Part(path, file.read_row_group(place.group, columns=columns, use_threads=False), place.footer)

    def _index(self, path: Path, handle: BinaryIO, wanted: pa.Schema, cell_id: str) -> _Index:
        status = os.fstat(handle.fileno())
        stat = (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)
        known = self._known.get(path)
        if known is None or known.stat != stat:
            with _complaints(path, wanted), _parquet(handle, wanted) as file:
                footer = _checked(path, file, wanted, cell_id)
                known = self._known[path] = _Index(stat, file.metadata, _places(path, file.metadata, footer))
        return known


def write_volume(path: Path, cell: Cell, blocks: Sequence[int], read: Callable[[int], Part], wanted: pa.Schema) -> None:
    """Write many blocks into one file, and compare it with what was read, before it takes its name.

    Args:
        blocks: numbers of at least one block, in order.
        read: gives what is stored of a block; called twice for each, so that only one need be in memory.
        wanted: the schema of the file.

    Raises:
        InputError: it can't be written, or a block can't be read.
    """

    def check(temp: Path) -> None:
        volume = Volumes()
        if volume.blocks(temp, wanted, cell_id=cell.id) != list(blocks):
            raise OSError("it does not read back with the blocks that were written")
        for block in blocks:
            part = volume.part(temp, block, wanted, cell_id=cell.id)
            if part is None or not _same(part.table, read(block).table):
                raise OSError("it does not read back as it was written")

    entries: list[dict[str, Any]] = []
    with whole_file(path, check=check) as file, _writer(file, wanted, write_statistics=["seed"]) as writer:
        for block in blocks:
            part = read(block)
            writer.write_table(part.table, row_group_size=BLOCK)
            entries.append(_entry(block, part))
        seeds = [int(seed) for entry in entries for seed in entry["seeds"].split(":") if seed]
        footer = schema.footer(cell, seeds, rows=sum(entry["rows"] for entry in entries))
        writer.add_key_value_metadata({**footer, _BLOCKS: json.dumps(entries)})


def _entry(block: int, part: Part) -> dict[str, Any]:
    """What a volume's footer says about a block."""
    try:
        versions = json.loads(part.footer["solitaire_lab.versions"])
        seeds = part.footer["solitaire_lab.seeds"]
    except (KeyError, ValueError):
        raise InputError(f"{part.path} is damaged (its footer is incomplete); {remedy(part.path)}") from None
    return {"block": block, "seeds": seeds, "rows": part.table.num_rows, "versions": versions}


def _places(path: Path, metadata: pq.FileMetaData, footer: Mapping[str, str]) -> dict[int, _Place]:
    """Where a volume's blocks are, by its footer, which must agree with the row groups."""
    common = {key: footer[key] for key in ("solitaire_lab.cell", "solitaire_lab.cell_id") if key in footer}
    places: dict[int, _Place] = {}
    try:
        entries = json.loads(footer[_BLOCKS])
        for group, entry in enumerate(entries):
            if metadata.row_group(group).num_rows != entry["rows"]:
                raise ValueError("a block has not as many rows as were written")
            if any(int(seed) // BLOCK != entry["block"] for seed in entry["seeds"].split(":") if seed):
                raise ValueError("a block has the seeds of another")
            own = {"seeds": entry["seeds"], "rows": str(entry["rows"]), "versions": json.dumps(entry["versions"])}
            of_block = common | {f"solitaire_lab.{key}": value for key, value in own.items()}
            places[entry["block"]] = _Place(group, of_block)
        if not len(entries) == len(places) == metadata.num_row_groups:
            raise ValueError("it has not as many blocks as were written")
    except (KeyError, IndexError, TypeError, AttributeError, ValueError, pa.ArrowException) as error:
        detail = f"{error.args[0]} is missing" if isinstance(error, KeyError) else str(error).rstrip(".")
        raise InputError(f"{path} is damaged ({detail}); {remedy(path)}") from None
    return dict(sorted(places.items()))


def _same(one: pa.Table, other: pa.Table) -> bool:
    """Whether two tables have the same rows; a text equals itself whether or not it is in a dictionary."""
    plain = pa.schema(
        [pa.field(field.name, pa.string()) if pa.types.is_dictionary(field.type) else field for field in one.schema]
    )
    return bool(one.cast(plain).equals(other.cast(plain)))


# --- any file ---------------------------------------------------------------------------------------------------


def remedy(path: Path) -> str:
    """What to do about a damaged file, as the end of a sentence."""
    rows = path.name.replace("solutions-", "rows-")
    both = path.name if rows == path.name else f"{path.name} and {rows} beside it"
    where = "of this block" if parse_volume_name(path.name) is None else "in it"
    return f"delete {both} and run the study again: only the deals {where} are repeated."


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[BinaryIO | None]:
    """A file to read from, or None if there is none; it stays as it is, though another should take its name."""
    try:
        handle = path.open("rb", buffering=0)
    except (FileNotFoundError, NotADirectoryError):
        yield None
        return
    except OSError as error:
        raise InputError(f"{path} can't be read: {reason(error)}.") from error
    with handle:
        yield handle


@contextlib.contextmanager
def _complaints(path: Path, wanted: pa.Schema) -> Iterator[None]:
    """Turn what pyarrow raises into a sentence."""
    try:
        yield
    except KeyError:  # A column that was to be read as a dictionary is not there.
        raise InputError(_other_columns(path, wanted)) from None
    except (pa.ArrowException, OSError, UnicodeError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise InputError(f"{path} can't be read: {reason(error)}.") from error
        detail = str(error).partition("\n")[0].rstrip(".")
        raise InputError(f"{path} is damaged ({detail}); {remedy(path)}") from error


def _parquet(handle: BinaryIO, wanted: pa.Schema, metadata: pq.FileMetaData | None = None) -> pq.ParquetFile:
    constant = [name for name in schema.CONSTANT if name in wanted.names]
    return pq.ParquetFile(
        handle, metadata=metadata, read_dictionary=constant, pre_buffer=False, page_checksum_verification=True
    )


def _checked(path: Path, file: pq.ParquetFile, wanted: pa.Schema, cell_id: str) -> Mapping[str, str]:
    """The footer of a file that belongs to this cell and has these columns."""
    entries: Mapping[bytes, bytes] = file.metadata.metadata or {}
    footer = {key.decode("utf-8", "replace"): value.decode("utf-8", "replace") for key, value in entries.items()}
    if footer.get("solitaire_lab.cell_id") != cell_id:
        raise InputError(f"{path} is not a file of cell {cell_id[:12]}, in whose folder it is; {remedy(path)}")
    if not file.schema_arrow.equals(wanted):
        raise InputError(_other_columns(path, wanted))
    return footer


def _other_columns(path: Path, wanted: pa.Schema) -> str:
    return f"{path} has other columns than {', '.join(wanted.names)}; {remedy(path)}"


def _writer(sink: BinaryIO, columns: pa.Schema, **options: Any) -> pq.ParquetWriter:
    # The Arrow schema is left out of the file: the Parquet types say everything, in a third of the time and space.
    return pq.ParquetWriter(sink, columns, compression="zstd", store_schema=False, write_page_checksum=True, **options)
