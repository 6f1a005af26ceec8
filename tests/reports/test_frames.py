"""Rows as a frame hold what was stored, deal by deal."""

from __future__ import annotations

from pathlib import Path

import pytest

from solitaire_lab.errors import InputError
from solitaire_lab.reports.frames import rows_frame
from solitaire_lab.results.manifest import Manifest
from solitaire_lab.results.rows import Row
from solitaire_lab.results.store import Store
from tests.results.samples import planned


def test_a_frame_holds_the_rows(tmp_path: Path) -> None:
    cell = planned(0, 2)
    rows = [
        Row(0, "win", None, 7, "p", 1, 0.5, b"abc"),
        Row(1, "loss", None, 2**63, "p", None, 0.25, None),
        Row(2, "undecided", "nodes", 9, "p", None, 0.0, None),
    ]
    store = Store(tmp_path)
    with store.lock():
        store.write_manifest(Manifest("study", (cell,)))
        store.write_block(cell, 0, rows)
    frame = rows_frame(store, cell.cell.label)
    assert [str(frame[name].dtype) for name in ("seed", "nodes", "seconds")] == ["uint64", "uint64", "float64"]
    assert list(frame["nodes"]) == [row.nodes for row in rows]
    assert list(frame["outcome"]) == [row.outcome for row in rows]
    assert list(frame["reason"].isna()) == [True, True, False]
    assert list(frame["solution_length"].isna()) == [False, True, True]
    with pytest.raises(InputError):
        rows_frame(store, "no such cell")
