"""Status: what of a folder's cells is done and what is missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from solitaire_lab.errors import InputError
from solitaire_lab.results.manifest import Manifest
from solitaire_lab.results.rows import Row
from solitaire_lab.results.store import Store
from solitaire_lab.study.model import Study
from solitaire_lab.study.progress import Silence
from solitaire_lab.study.run import preview, run
from solitaire_lab.study.status import status
from tests.study.fakes import FakeSearch, a_cell, row_of


def test_a_folder_tells_what_is_done_and_missing_of_each_cell(tmp_path: Path) -> None:
    store, first, second = Store(tmp_path), a_cell("1:2500"), a_cell("1:5", label="none", stock__redeals=0)
    store.write_manifest(Manifest("x", (first.planned, second.planned)))
    rows = [row_of(seed, 1_000) for seed in range(1, 1000)]
    rows[0] = Row(1, "undecided", "crashed", 7, "", None, 0.0, None)
    rows[1] = Row(2, "undecided", "memory", 99, "p", None, 0.0, None)
    store.write_block(first.planned, 0, rows)
    store.write_block(first.planned, 2, [Row(2000, "undecided", "nodes", 400, "p", None, 0.0, None)])
    done, untouched = status(store)
    out_of_nodes = sum(row.reason == "nodes" for row in rows)
    assert done.open == {"crashed": 1, "memory": 1, "nodes": out_of_nodes + 1}
    assert (done.wins, done.losses) == tuple(sum(row.outcome == what for row in rows) for what in ("win", "loss"))
    assert (done.stored, done.short, done.missing) == (1000, 1, 2500 - 1000 + 1)
    assert (untouched.label, untouched.stored, untouched.missing) == ("none", 0, 5)


def test_status_and_preview_agree_on_what_is_missing(tmp_path: Path) -> None:
    run(Study("x", (a_cell("500:1700", budget=100),)), tmp_path, decider=FakeSearch(), progress=Silence(), workers=2)
    larger = Study("x", (a_cell("500:2000", budget=900),))
    Store(tmp_path).write_manifest(Manifest("x", (larger.cells[0].planned,)))
    (cell,), (plan,) = status(Store(tmp_path)), preview(larger, tmp_path)
    assert cell.missing == plan.todo > 300


def test_a_folder_without_results_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="results folder"):
        status(Store(tmp_path))
