"""Small studies whose rows are written by hand, for figures and reports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from solitaire_lab.results.cell import Cell, PlannedCell
from solitaire_lab.results.manifest import Manifest
from solitaire_lab.results.rows import BLOCK, Row, SeedRange
from solitaire_lab.results.store import Store
from solitaire_lab.rules.catalog import resolve

MEMORY = 1 << 28


class Part(NamedTuple):
    """A cell of a study with its rows."""

    planned: PlannedCell
    rows: Sequence[Row]


def won(seed: int, nodes: int, length: int) -> Row:
    """A deal with a line of play of ``length`` moves."""
    return Row(seed, "win", None, nodes, "p", length, 0.0, b"abc" * length)


def lost(seed: int, nodes: int) -> Row:
    """A deal that no line of play wins."""
    return Row(seed, "loss", None, nodes, "p", None, 0.0, None)


def left_open(seed: int, nodes: int, reason: str = "nodes") -> Row:
    """An undecided deal."""
    return Row(seed, "undecided", reason, nodes, "p", None, 0.0, None)


TEN = (
    lost(1, 0),
    lost(2, 1),
    won(3, 1, 30),
    won(4, 2, 40),
    lost(5, 3),
    won(6, 4, 41),
    won(7, 100, 55),
    left_open(8, 100),
    left_open(9, 50, "memory"),
    left_open(10, 7, "crashed"),
)
"""Ten deals, of which four are won and three lost within 100 nodes."""


def part(
    rows: Sequence[Row],
    *,
    game: str = "storehouse",
    label: str | None = None,
    settings: Mapping[str, Any] = {},
    seeds: SeedRange | None = None,
    numbering: str = "lab",
    budgets: Mapping[str, int] = {"run": 100},
) -> Part:
    """A cell of a real game; its seeds are those of the rows unless others are given."""
    resolved = resolve(game, overrides=settings)
    cell = Cell.from_game(resolved, numbering=numbering, label=label or game, memory=MEMORY)
    planned = seeds or SeedRange(min(row.seed for row in rows), max(row.seed for row in rows))
    return Part(PlannedCell(cell, planned, budgets), rows)


def write_study(folder: Path, *parts: Part, name: str = "study") -> Store:
    """A results folder with these cells."""
    store = Store(folder)
    with store.lock():
        store.write_manifest(Manifest(name, tuple(part.planned for part in parts)))
        for planned, rows in parts:
            for block in sorted({row.seed // BLOCK for row in rows}):
                store.write_block(planned, block, [row for row in rows if row.seed // BLOCK == block])
    return store
