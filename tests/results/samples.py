"""Cells and rows that no search has made."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from solitaire_lab.results.cell import Cell, PlannedCell
from solitaire_lab.results.rows import Row, SeedRange

RULES = {"stock": {"turn": 1, "redeals": 2}, "tableau": {"columns": 4, "wrap": "on"}, "pack": {"decks": 1}}
DEAL = {"order": ["foundations", "reserve", "tableau"], "take_from": "first"}


def a_cell(**changes: Any) -> Cell:
    """A cell whose rules only look like rules."""
    values: dict[str, Any] = {
        "game": "storehouse",
        "label": "storehouse",
        "rules": RULES,
        "dealing": DEAL,
        "numbering": "lab",
        "solver": 1,
        "table_bytes": 1 << 28,
    }
    return Cell(**(values | changes))


def planned(first: int, last: int, *, cell: Cell | None = None, **budgets: int) -> PlannedCell:
    """A planned cell; its budgets are ``deal`` 2,000 and ``hint`` 20,000 unless others are given."""
    return PlannedCell(cell or a_cell(), SeedRange(first, last), budgets or {"deal": 2_000, "hint": 20_000})


def some_rows(seeds: Iterable[int], *, salt: int = 0, budget: int = 20_000) -> list[Row]:
    """A row for each seed: wins, losses and undecided deals, the same at each call."""
    return [_row(seed, random.Random(seed * 1_000 + salt), budget) for seed in seeds]


def _row(seed: int, chance: random.Random, budget: int) -> Row:
    nodes, seconds = int(chance.expovariate(1 / 8_000)), chance.random()
    if nodes > budget:
        return Row(seed, "undecided", "nodes", budget, "depth-first", None, seconds, None)
    if chance.random() < 0.02:
        return Row(seed, "undecided", chance.choice(["memory", "crashed"]), nodes, "depth-first", None, seconds, None)
    if chance.random() < 0.5:
        return Row(seed, "loss", None, nodes, "depth-first", None, seconds, None)
    moves = chance.randbytes(3 * chance.randint(1, 120))
    return Row(seed, "win", None, nodes, "depth-first", len(moves) // 3, seconds, moves)


def rewrite(path: Path, change: Callable[[pa.Table], pa.Table], **footer: str) -> None:
    """Change what a file says; its footer is right but for the entries that are given."""
    with pq.ParquetFile(path) as file:
        old, schema = file.metadata.metadata, file.schema_arrow
        table = change(file.read()).cast(schema)
    entries = {key.decode(): value.decode() for key, value in old.items() if key.startswith(b"solitaire_lab.")}
    entries |= {"solitaire_lab.rows": str(table.num_rows)} | {f"solitaire_lab.{key}": footer[key] for key in footer}
    with pq.ParquetWriter(path, schema, compression="zstd", store_schema=False) as writer:
        writer.write_table(table)
        writer.add_key_value_metadata(entries)
