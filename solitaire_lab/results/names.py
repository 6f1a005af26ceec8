"""The names of the files in a results folder, of one block or, in a volume, of many."""

from __future__ import annotations

import re
from pathlib import Path

from solitaire_lab.results.files import meant_name
from solitaire_lab.results.rows import BLOCK, SEEDS

VOLUME = 1_000
"""Consecutive blocks in a volume; volume ``n`` begins with block ``n * VOLUME``."""

_BLOCK_FILE = re.compile(r"(rows|solutions)-([0-9]{20})\.parquet")
_VOLUME_FILE = re.compile(r"(rows|solutions)-([0-9]{20})-([0-9]{20})\.parquet")


def block_name(kind: str, block: int) -> str:
    """The name of the file that a block's ``rows`` or ``solutions`` have to themselves."""
    return f"{kind}-{block * BLOCK:020d}.parquet"


def parse_block_name(name: str) -> tuple[str, int] | None:
    """``rows`` or ``solutions`` and the number of the block, from the name of a block's file; None if it is not one."""
    match = _BLOCK_FILE.fullmatch(name)
    if match is None or int(match[2]) % BLOCK or int(match[2]) >= SEEDS:
        return None
    return match[1], int(match[2]) // BLOCK


def volume_name(kind: str, volume: int) -> str:
    """The name of the file with the ``rows`` or ``solutions`` of a volume's blocks."""
    first, end = (number * VOLUME * BLOCK for number in (volume, volume + 1))
    return f"{kind}-{first:020d}-{min(end, SEEDS) - 1:020d}.parquet"


def parse_volume_name(name: str) -> tuple[str, int] | None:
    """``rows`` or ``solutions`` and the number of the volume, from the name of a volume; None if it is not one."""
    match = _VOLUME_FILE.fullmatch(name)
    if match is None or int(match[2]) >= SEEDS:
        return None
    volume = int(match[2]) // (VOLUME * BLOCK)
    return (match[1], volume) if name == volume_name(match[1], volume) else None


def is_leftover(path: Path) -> bool:
    """Whether a file is one that a run was writing when it was killed."""
    name = meant_name(path.name)
    if name is None:
        return False
    return name == "manifest.json" or parse_block_name(name) is not None or parse_volume_name(name) is not None
