"""Runs with real processes: the same rows whatever happens, and nothing lost."""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from solitaire_lab.errors import InputError
from solitaire_lab.results.rows import Row
from solitaire_lab.results.schema import content_hash
from solitaire_lab.results.store import Store
from solitaire_lab.study.model import Study
from solitaire_lab.study.progress import Silence
from solitaire_lab.study.run import RunSummary, Stopped, preview
from solitaire_lab.study.run import run as run_study
from solitaire_lab.study.supervisor import WorkerError
from tests.study.background import ROOT, alive, background, children, wait_until
from tests.study.fakes import FakeSearch, a_cell, a_study, row_of

METHODS = ("fork", "spawn")


def run(study: Study, out: Path, search: FakeSearch | None = None, **options: Any) -> RunSummary:
    options = {"progress": Silence(), "workers": 2, **options}
    return run_study(study, out, decider=search or FakeSearch(), **options)


def rows_of(out: Path, study: Study) -> list[Row]:
    store, cell_id = Store(out), study.cells[0].planned.cell.id
    return [row for block in store.blocks(cell_id) for row in store.read_block(cell_id, block)]


def hash_of(out: Path, study: Study) -> str:
    return content_hash(Store(out).rows(study.cells[0].planned.cell.id))


def stored(out: Path) -> int:
    """How many deals of Storehouse are stored."""
    return len(Store(out).rows(a_study("1:1").cells[0].planned.cell.id, columns=["seed"]))


def expected_rows(first: int, last: int, *, budget: int = 1_000) -> list[Row]:
    return [row_of(seed, budget) for seed in range(first, last + 1)]


@pytest.mark.parametrize(("workers", "method"), [(1, "fork"), (2, "fork"), (3, "fork"), (2, "spawn")])
def test_every_deal_gets_its_row_from_any_number_of_workers(tmp_path: Path, workers: int, method: str) -> None:
    study = a_study("990:2345")
    summary = run(study, tmp_path / "out", workers=workers, start_method=method)
    assert rows_of(tmp_path / "out", study) == expected_rows(990, 2345)
    assert (summary.decided, summary.stored, summary.crashed, summary.complete) == (1356, 0, 0, True)
    assert summary.wins + summary.losses + summary.undecided == 1356
    assert summary.nodes == sum(row.nodes for row in expected_rows(990, 2345))


@pytest.mark.parametrize("seconds", [0.0, 1e9])
def test_rows_do_not_depend_on_the_size_of_chunks(
    tmp_path: Path, seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("solitaire_lab.study.agenda.CHUNK_SECONDS", seconds)
    study = a_study("500:1500")
    run(study, tmp_path)
    assert rows_of(tmp_path, study) == expected_rows(500, 1500)


def test_a_second_run_of_a_complete_study_starts_no_worker(tmp_path: Path) -> None:
    study = a_study("1:50")
    run(study, tmp_path)
    journal = tmp_path / "journal"
    again = run(study, tmp_path, FakeSearch(journal=journal))
    assert (again.decided, again.stored) == (0, 50)
    assert not journal.exists()


def test_a_larger_budget_searches_only_what_ran_out_of_nodes(tmp_path: Path) -> None:
    run(a_study("1:1500", budget=300), tmp_path)
    journal = tmp_path / "journal"
    summary = run(a_study("1:1500", budget=2_000), tmp_path, FakeSearch(journal=journal))
    searched = {int(line.split()[0]) for line in journal.read_text().splitlines()}
    assert searched == {row.seed for row in expected_rows(1, 1500, budget=300) if row.reason == "nodes"}
    assert summary.decided == len(searched)
    assert rows_of(tmp_path, a_study("1:1500")) == expected_rows(1, 1500, budget=2_000)


def test_two_labels_of_one_cell_share_their_deals(tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    cells = (a_cell("1:60", budget=50), a_cell("41:90", label="again", budget=5_000))
    summary = run(Study("twice", cells), tmp_path / "out", FakeSearch(journal=journal))
    seeds = sorted(int(line.split()[0]) for line in journal.read_text().splitlines())
    assert seeds == list(range(1, 91))
    assert (summary.deals, summary.decided) == (90, 90)
    rows = rows_of(tmp_path / "out", Study("twice", cells))
    assert rows == [row_of(seed, 50 if seed <= 40 else 5_000) for seed in range(1, 91)]
    assert run(Study("twice", cells), tmp_path / "out").decided == 0


def test_a_preview_writes_nothing_and_agrees_with_the_run(tmp_path: Path) -> None:
    study = a_study("1:30")
    (plan,) = preview(study, tmp_path / "out")
    assert (plan.labels, plan.todo, plan.budget) == (("storehouse",), 30, 1_000)
    assert not (tmp_path / "out").exists()
    run(study, tmp_path / "out")
    assert [plan.todo for plan in preview(a_study("1:40"), tmp_path / "out")] == [10]


@pytest.mark.parametrize(("workers", "word"), [(0, "0 workers"), (-1, "-1 workers"), (100_000, "100000 workers")])
def test_an_impossible_number_of_workers_is_refused(tmp_path: Path, workers: int, word: str) -> None:
    with pytest.raises(InputError, match=word):
        run(a_study("1:5"), tmp_path / "out", workers=workers)
    assert not (tmp_path / "out").exists()


def test_an_unknown_reason_to_retry_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"'crash' is no reason.*crashed"):
        run(a_study("1:5"), tmp_path / "out", retry=["crash"])


def test_other_rules_under_one_label_are_refused_and_nothing_is_touched(tmp_path: Path) -> None:
    run(a_study("1:20"), tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    other = Study("fake", (a_cell("1:20", stock__redeals=0),))
    with pytest.raises(InputError, match=r"rules\.stock\.redeals was 2 and is now 0"):
        run(other, tmp_path)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


def test_of_two_runs_on_one_folder_the_second_is_refused(tmp_path: Path) -> None:
    with background(tmp_path, "1:9", endless=[3]) as process:
        wait_until(lambda: Store(tmp_path).exists and children(process.pid) != [], seconds=20)
        with pytest.raises(InputError, match="Another run"):
            run(a_study("1:9"), tmp_path)
        process.send_signal(signal.SIGTERM)
        assert process.wait(10) == 143


def test_real_rows_are_the_same_from_one_worker_or_two_interrupted_or_not(tmp_path: Path) -> None:
    study = a_study("1:4000")
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    run_study(study, whole, workers=1, start_method="fork", progress=Silence())
    with background(broken, "1:4000", real=True, method="spawn") as process:
        wait_until(lambda: stored(broken) > 0, seconds=60)
        os.kill(children(process.pid)[0], signal.SIGKILL)
        process.send_signal(signal.SIGINT)
        assert process.wait(10) == 130
    summary = run_study(study, broken, workers=2, start_method="fork", progress=Silence())
    assert 0 < summary.decided < 4000
    assert hash_of(broken, study) == hash_of(whole, study)


# --- workers die ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
def test_a_deal_that_kills_its_worker_once_is_tried_again(tmp_path: Path, method: str) -> None:
    search = FakeSearch(kills_once=frozenset([5, 300]), journal=tmp_path / "journal")
    summary = run(a_study("1:400"), tmp_path / "out", search, start_method=method)
    assert summary.crashed == 0
    assert rows_of(tmp_path / "out", a_study("1:400")) == expected_rows(1, 400)


@pytest.mark.parametrize("method", METHODS)
def test_a_deal_that_kills_its_worker_twice_becomes_a_row_and_disturbs_no_other(tmp_path: Path, method: str) -> None:
    search = FakeSearch(kills=frozenset([1, 400]), journal=tmp_path / "journal")
    study = a_study("1:400")
    summary = run(study, tmp_path / "out", search, start_method=method)
    rows = {row.seed: row for row in rows_of(tmp_path / "out", study)}
    assert summary.crashed == 2
    assert all(rows[seed] == Row(seed, "undecided", "crashed", 7, "", None, 0.0, None) for seed in search.kills)
    assert [row for row in rows.values() if row.seed not in search.kills] == [
        row for row in expected_rows(1, 400) if row.seed not in search.kills
    ]
    tries = [line.split()[0] for line in (tmp_path / "journal").read_text().splitlines()]
    assert [tries.count(str(seed)) for seed in (1, 400)] == [2, 2]

    assert run(study, tmp_path / "out").decided == 0
    assert run(study, tmp_path / "out", retry=["crashed"]).decided == 2
    assert rows_of(tmp_path / "out", study) == expected_rows(1, 400)


def test_a_deal_without_memory_is_a_crashed_one(tmp_path: Path) -> None:
    summary = run(a_study("1:100"), tmp_path, FakeSearch(starves=frozenset([50])))
    assert (summary.decided, summary.crashed) == (100, 1)


def test_a_run_in_which_every_deal_crashes_is_given_up(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="20 deals crashed in a row"):
        run(a_study("1:1000"), tmp_path, FakeSearch(starves=frozenset(range(1, 1001))), workers=1)
    rows = rows_of(tmp_path, a_study("1:1000"))
    assert [row.reason for row in rows] == ["crashed"] * 20


def test_a_run_whose_workers_die_at_once_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", "/bin/false")
    with pytest.raises(InputError, match=r"3 workers died before they had started in a row.*exit code 1"):
        run(a_study("1:10"), tmp_path, start_method="spawn")


def test_an_exception_stops_the_run_with_its_traceback_and_keeps_what_is_done(tmp_path: Path) -> None:
    with pytest.raises(WorkerError, match=r"(?s)seed 50 of 'storehouse'.*ArithmeticError: no way with 50"):
        run(a_study("1:100"), tmp_path, FakeSearch(fails=frozenset([50])), workers=1)
    stored = rows_of(tmp_path, a_study("1:100"))
    assert stored == expected_rows(1, 49)
    run(a_study("1:100"), tmp_path)
    assert rows_of(tmp_path, a_study("1:100")) == expected_rows(1, 100)


@pytest.mark.parametrize("method", METHODS)
def test_deals_behind_a_long_one_are_given_to_others(tmp_path: Path, method: str) -> None:
    # Seed 1 never ends by itself, and the first chunk holds several deals.
    journal = tmp_path / "journal"
    with background(tmp_path / "out", "1:200", endless=[1], journal=str(journal), method=method) as process:
        wait_until(lambda: journal.exists() and len(journal.read_text().splitlines()) == 200, seconds=30)
        process.send_signal(signal.SIGINT)
        assert process.wait(10) == 130
    assert rows_of(tmp_path / "out", a_study("1:200")) == expected_rows(2, 200)


@pytest.mark.parametrize(
    ("method", "seconds", "pause"), [("fork", 0.004, 0.04), pytest.param("spawn", 0.1, 0.8, marks=pytest.mark.slow)]
)
def test_a_storm_of_200_worker_kills_loses_nothing(tmp_path: Path, method: str, seconds: float, pause: float) -> None:
    chance = random.Random(1)
    killed: set[int] = set()
    with background(tmp_path, "1:3000", seconds=seconds, workers=4, method=method) as process:
        while len(killed) < 200:
            assert process.poll() is None, "the run ended before the storm"
            for worker in chance.sample(workers := children(process.pid), min(1, len(workers))):
                os.kill(worker, signal.SIGKILL)
                killed.add(worker)
            time.sleep(chance.random() * pause)
        output, _ = process.communicate(timeout=120)
    assert json.loads(output)["decided"] == 3000
    run(a_study("1:3000"), tmp_path, retry=["crashed"])
    assert rows_of(tmp_path, a_study("1:3000")) == expected_rows(1, 3000)


# --- runs are stopped -------------------------------------------------------------------------------------------


def test_a_full_disk_stops_a_run_with_a_sentence_and_nothing_half_written(tmp_path: Path) -> None:
    # The first block has few rows and fits; the second doesn't.
    with background(tmp_path, "990:3000", largest_file=8_000) as process:
        _, errors = process.communicate(timeout=30)
        assert process.returncode == 1
    assert len(errors.splitlines()) == 1
    assert "can't be written" in errors
    assert "Traceback" not in errors
    assert rows_of(tmp_path, a_study("990:3000")) == expected_rows(990, 999)
    run(a_study("990:3000"), tmp_path)
    assert rows_of(tmp_path, a_study("990:3000")) == expected_rows(990, 3000)


@pytest.mark.parametrize(
    ("signum", "code", "method"),
    [(signal.SIGINT, 130, "fork"), (signal.SIGTERM, 143, "fork"), (signal.SIGINT, 130, "spawn")],
)
def test_a_signal_stops_a_run_within_two_seconds_and_the_rest_follows(
    tmp_path: Path, signum: int, code: int, method: str
) -> None:
    def seconds_to_stop(folder: Path) -> float:
        with background(folder, "1:1500", seconds=0.001, endless=[1200], method=method) as process:
            wait_until(lambda: stored(folder) >= 999, seconds=30)
            workers, begun = children(process.pid), time.monotonic()
            process.send_signal(signum)
            assert process.wait(10) == code
            seconds = time.monotonic() - begun
            assert not any(map(alive, workers))
            output, errors = process.communicate()
        before = stored(folder)
        assert f"{before:,} deals of this run are stored and {1500 - before:,} are left" in output
        assert "Traceback" not in errors
        assert run(a_study("1:1500"), folder).stored == before
        assert rows_of(folder, a_study("1:1500")) == expected_rows(1, 1500)
        return seconds

    # A machine that is busy with other tests may be late, but not each time.
    assert any(seconds_to_stop(tmp_path / str(attempt)) < 2 for attempt in range(4))


def test_ctrl_c_goes_to_workers_too_and_hurts_none(tmp_path: Path) -> None:
    # A terminal sends it to the whole group.
    with background(tmp_path, "1:2000", seconds=0.002, new_group=True) as process:
        wait_until(lambda: stored(tmp_path) > 0, seconds=30)
        os.killpg(process.pid, signal.SIGINT)
        output, errors = process.communicate(timeout=10)
    assert process.returncode == 130
    assert errors == ""
    assert f"{stored(tmp_path):,} deals of this run" in output


@pytest.mark.parametrize("swallowed", [False, True])
def test_ctrl_c_while_the_kernel_is_loaded_stops_a_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, swallowed: bool
) -> None:
    def load(report: object) -> None:
        with contextlib.suppress(*[KeyboardInterrupt] * swallowed):
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(60)

    monkeypatch.setattr("solitaire_lab.study.run.load_kernel", load)
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(Stopped, match="0 deals of this run are stored and 9 are left"):
        run_study(a_study("1:9"), tmp_path, progress=Silence())
    assert signal.getsignal(signal.SIGINT) is before
    assert stored(tmp_path) == 0


def test_a_second_ctrl_c_does_not_wait_for_workers_that_never_look_up(tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    with background(tmp_path / "out", "1:3", deaf=[1, 2], journal=str(journal), stop_seconds=60) as process:
        wait_until(lambda: journal.exists() and len(journal.read_text().splitlines()) == 2, seconds=30)
        workers = children(process.pid)
        process.send_signal(signal.SIGINT)
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(2)
        process.send_signal(signal.SIGINT)
        assert process.wait(10) == 130
        assert not any(map(alive, workers))


@pytest.mark.parametrize("method", METHODS)
def test_workers_of_a_killed_parent_end_and_what_is_written_stays(tmp_path: Path, method: str) -> None:
    with background(tmp_path, "1:2500", seconds=0.001, endless=[1500], method=method) as process:
        wait_until(lambda: stored(tmp_path) >= 1000, seconds=30)
        workers = children(process.pid)
        assert len(workers) == 2
        process.kill()
        wait_until(lambda: not any(map(alive, workers)), seconds=3)
    before = stored(tmp_path)
    assert before >= 1000
    summary = run(a_study("1:2500"), tmp_path)
    assert (summary.stored, summary.decided) == (before, 2500 - before)
    assert rows_of(tmp_path, a_study("1:2500")) == expected_rows(1, 2500)


def test_spawned_workers_do_not_run_the_main_program_again(tmp_path: Path) -> None:
    program = (
        "print('begun'); from pathlib import Path; from solitaire_lab.study.run import run; "
        "from tests.study.fakes import *; "
        f"run(a_study('1:9'), Path({str(tmp_path)!r}), workers=2, start_method='spawn', decider=FakeSearch())"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("begun\n", "")
    assert rows_of(tmp_path, a_study("1:9")) == expected_rows(1, 9)


def test_a_run_in_a_thread_works_and_leaves_signals_alone(tmp_path: Path) -> None:
    before = signal.getsignal(signal.SIGINT)
    summaries: list[RunSummary] = []
    thread = threading.Thread(target=lambda: summaries.append(run(a_study("1:40"), tmp_path)))
    thread.start()
    thread.join()
    assert summaries[0].complete
    assert signal.getsignal(signal.SIGINT) is before


def test_a_run_puts_signal_handlers_back(tmp_path: Path) -> None:
    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    run(a_study("1:5"), tmp_path)
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == before
