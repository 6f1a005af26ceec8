"""Bringing the many block files of a results folder into few volumes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from solitaire_lab.errors import InputError
from solitaire_lab.results import schema
from solitaire_lab.results.files import reason, sync_folder
from solitaire_lab.results.names import VOLUME, parse_block_name, parse_volume_name
from solitaire_lab.results.parquet import Part, remedy, write_volume
from solitaire_lab.results.store import Store

if TYPE_CHECKING:
    import pyarrow as pa

    from solitaire_lab.results.cell import Cell

_KINDS: tuple[tuple[str, pa.Schema], ...] = (("solutions", schema.SOLUTIONS), ("rows", schema.ROWS))
"""In the order of writing, so that a stored win always has its line of play."""


@dataclass(frozen=True)
class Compacted:
    """What became smaller."""

    blocks: int
    """Blocks that had a file of their own and are now in a volume."""
    files_before: int
    """Files of all cells, the manifest and the lock left out."""
    files: int
    bytes_before: int
    """Their size."""
    bytes: int


def compact(store: Store, *, progress: Callable[[int, int], None] | None = None) -> Compacted:
    """Rewrite the files of a folder's blocks as volumes of up to 1,000 blocks, finished or not.

    A volume is written whole and compared with what was read, before the first file that it replaces is removed. So
    nothing is lost if this is killed; the next call goes on. A run may follow: it writes files of blocks again, which
    go before what a volume has of the same blocks.

    Args:
        progress: called with the number of blocks that have left their files so far, and of all.

    Raises:
        InputError: there is no results folder, a run is at work on it, a file is damaged, or it can't be written.
    """
    store.manifest()  # So that a wrong folder is not made one by the lock.
    with store.lock():
        cells = {planned.cell.id: planned.cell for planned in store.manifest().cells}
        before = list(_sizes(store, cells))
        moving = {cell_id: _moving(store, cell_id) for cell_id in cells}
        done, total = 0, sum(map(len, moving.values()))
        for cell_id, cell in cells.items():
            for volume, blocks in groupby(moving[cell_id], key=lambda block: block // VOLUME):
                done += _compact_volume(store, cell, volume, list(blocks))
                if progress is not None:
                    progress(done, total)
        after = list(_sizes(store, cells))
    return Compacted(total, len(before), len(after), sum(before), sum(after))


def _moving(store: Store, cell_id: str) -> list[int]:
    """The blocks that have files of their own; not those of which a killed run has written no rows yet."""
    stored = store.blocks(cell_id)
    return sorted({block for _, block in store.own_files(cell_id)}.intersection(stored))


def _compact_volume(store: Store, cell: Cell, volume: int, moving: list[int]) -> int:
    """Bring blocks, beside those that are there, into a volume, and remove their own files; how many blocks."""
    blocks = [block for block in store.blocks(cell.id) if block // VOLUME == volume]
    for kind, wanted in _KINDS:

        def read(block: int, kind: str = kind) -> Part:
            part = store.part(cell.id, block, kind)
            if part is None:
                path = store.block_path(cell.id, block, kind)
                raise InputError(f"{path} is missing; {remedy(path)}")
            return part

        write_volume(store.volume_path(cell.id, volume, kind), cell, blocks, read, wanted)
    try:
        for block in moving:
            for kind, _ in _KINDS:
                store.block_path(cell.id, block, kind).unlink(missing_ok=True)
        sync_folder(store.cell_folder(cell.id))
    except OSError as error:
        raise InputError(f"{store.cell_folder(cell.id)} can't be tidied up: {reason(error)}.") from error
    return len(moving)


def _sizes(store: Store, cells: Iterable[str]) -> Iterator[int]:
    """The sizes of all files of the cells, in bytes."""
    for cell_id in cells:
        for path in store.cell_folder(cell_id).glob("*.parquet"):
            if parse_block_name(path.name) or parse_volume_name(path.name):
                yield path.stat().st_size
