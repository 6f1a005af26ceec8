"""Kills and locks, with real processes."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from solitaire_lab.errors import InputError
from solitaire_lab.results.store import Store
from tests.results.samples import planned, some_rows

PLAN = planned(0, 3_999)

# As a run does: goes on from what is stored, 40 deals at a time.
WRITER = """
import sys
from solitaire_lab.results.manifest import Manifest
from solitaire_lab.results.store import Store
from tests.results.samples import planned, some_rows
plan, store, rows = planned(0, 3_999), Store(sys.argv[1]), some_rows(range(4_000))
with store.lock():
    while True:
        store.write_manifest(Manifest("sample", (plan,)))
        for block in range(4):
            count = len(store.read_block(plan.cell.id, block)) + 40
            store.write_block(plan, block, rows[1_000 * block : 1_000 * block + min(count, 1_000)])
            print(block, flush=True)
"""

HOLDER = """
import os, sys, time
from solitaire_lab.results.store import Store
with Store(sys.argv[1]).lock():
    child = os.fork()
    if child == 0:
        print(os.getpid(), flush=True)
    time.sleep(60)
"""


@contextmanager
def process(code: str, *arguments: object) -> Iterator[subprocess.Popen[str]]:
    """A Python process that has printed a line, killed in the end."""
    command = [sys.executable, "-c", code, *map(str, arguments)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
        try:
            yield running
        finally:
            running.kill()


def first_line(running: subprocess.Popen[str]) -> str:
    assert running.stdout is not None
    return running.stdout.readline().strip()


def test_a_writer_killed_at_any_moment_leaves_whole_files_and_loses_no_row(tmp_path: Path) -> None:
    chance, store, cell = random.Random(1), Store(tmp_path), PLAN.cell.id
    kills, leftovers, held = 0, 0, [0] * 4
    while kills < 10 or not leftovers:
        kills += 1
        assert kills < 100, "no kill falls into a write; the test has to be changed"
        with process(WRITER, tmp_path) as writer:
            assert first_line(writer) == "0"
            time.sleep(chance.random() * 0.2)
        leftovers += len(list(tmp_path.rglob(".*.tmp")))
        for block in store.blocks(cell):
            rows = store.read_block(cell, block)
            assert rows == some_rows(range(1_000 * block, 1_000 * block + len(rows)))
            assert len(rows) >= held[block]
            held[block] = len(rows)
        assert not store.exists or store.manifest().cells == (PLAN,)
        with store.lock():
            assert list(tmp_path.rglob(".*.tmp")) == []
    assert min(held) > 40, "the runs did not go on; the test has to be changed"


def test_only_what_a_run_left_behind_is_cleared_away(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.write_block(PLAN, 0, some_rows(range(10)))
    left = [".manifest.json.tmp", f"cells/{PLAN.cell.short_id}/.rows-00000000000000001000.parquet.tmp"]
    others = [".notes.tmp", f"cells/{PLAN.cell.short_id}/.rows-1.parquet.tmp", "rows.tmp"]
    for name in (*left, *others):
        (tmp_path / name).write_text("text")
    with store.lock():
        assert [name for name in left if (tmp_path / name).exists()] == []
        assert [name for name in others if not (tmp_path / name).exists()] == []


def test_a_second_run_is_refused_and_told_who_is_first(tmp_path: Path) -> None:
    with process(HOLDER, tmp_path) as holder:
        first_line(holder)
        with (
            pytest.raises(InputError, match=rf"Another run \(process {holder.pid}\) is at work on"),
            Store(tmp_path).lock(),
        ):
            pytest.fail("locked twice")


def test_the_lock_ends_with_its_process_though_a_forked_worker_lives_on(tmp_path: Path) -> None:
    with process(HOLDER, tmp_path) as holder:
        worker = int(first_line(holder))
        holder.kill()
        holder.wait()
        try:
            os.kill(worker, 0)
            with Store(tmp_path).lock():
                pass
        finally:
            os.kill(worker, signal.SIGKILL)


def test_the_lock_can_be_taken_again_when_it_was_given_back(tmp_path: Path) -> None:
    store = Store(tmp_path)
    for _ in range(2):
        with store.lock():
            with pytest.raises(InputError, match="Another run"), Store(tmp_path).lock():
                pytest.fail("locked twice")
            store.write_block(PLAN, 0, some_rows(range(10)))
    assert store.read_block(PLAN.cell.id, 0) == some_rows(range(10))


def test_the_lock_is_given_back_after_an_error(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), Store(tmp_path).lock():
        raise KeyboardInterrupt
    with Store(tmp_path).lock():
        pass
