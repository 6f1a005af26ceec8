"""Log records of workers arrive in the parent, also when other workers are killed."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from solitaire_lab.study.children import StartMethod
from solitaire_lab.study.progress import Silence
from solitaire_lab.study.run import run
from tests.study.fakes import FakeSearch, a_study

METHODS: tuple[StartMethod, ...] = ("fork", "spawn")


@pytest.mark.parametrize("method", METHODS)
def test_records_arrive_once_under_the_name_and_process_that_made_them(
    tmp_path: Path, method: StartMethod, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "solitaire_lab")
    journal = tmp_path / "journal"
    search = FakeSearch(logs=True, journal=journal)
    run(a_study("1:300"), tmp_path / "out", decider=search, workers=2, start_method=method, progress=Silence())
    made = [tuple(map(int, line.split())) for line in journal.read_text().splitlines()]
    records = [record for record in caplog.records if record.name == "solitaire_lab.fake"]
    assert sorted((record.getMessage(), record.process) for record in records) == sorted(
        (f"decided {seed}", process) for seed, process in made
    )


@pytest.mark.parametrize("method", METHODS)
def test_a_killed_worker_silences_no_other(
    tmp_path: Path, method: StartMethod, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "solitaire_lab")
    journal = tmp_path / "journal"
    kills = frozenset(range(10, 200, 20) if method == "fork" else [10, 150])
    search = FakeSearch(logs=True, journal=journal, kills_once=kills)
    run(a_study("1:200"), tmp_path / "out", decider=search, workers=2, start_method=method, progress=Silence())
    made = [tuple(map(int, line.split())) for line in journal.read_text().splitlines()]
    killed = {
        process for seed, process in made if seed in kills and (seed, process) == next(m for m in made if m[0] == seed)
    }
    assert len(killed) == len(kills)
    expected = {f"decided {seed}" for seed, process in made if process not in killed}
    assert expected <= {record.getMessage() for record in caplog.records}
    assert len([record for record in caplog.records if "was killed by SIGKILL" in record.getMessage()]) == len(kills)


@pytest.mark.parametrize("method", METHODS)
def test_records_below_the_level_of_the_parent_are_not_sent(
    tmp_path: Path, method: StartMethod, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    caplog.set_level(logging.WARNING, "solitaire_lab")
    search = FakeSearch(logs=True)
    run(a_study("1:30"), tmp_path / "out", decider=search, workers=1, start_method=method, progress=Silence())
    assert not [record for record in caplog.records if record.name == "solitaire_lab.fake"]
