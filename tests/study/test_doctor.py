"""The checkup: what it tells is true, and what is wrong is found and said."""

from __future__ import annotations

import json
import os
import time
import tomllib
from functools import partial
from pathlib import Path

import pytest

from solitaire_lab.solver import compiling
from solitaire_lab.solver.solver import DEFAULT_MEMORY, load_kernel
from solitaire_lab.study import doctor, self_test
from solitaire_lab.study.doctor import EXTRAS, NEEDED, Checkup, checkup, checkup_text
from solitaire_lab.study.memory import Memory, memory
from solitaire_lab.study.self_test import KNOWN, Known
from solitaire_lab.study.self_test import self_test as run_self_test

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def no_test(monkeypatch: pytest.MonkeyPatch) -> None:
    """A self-test that finds nothing, in no time."""
    found = self_test.SelfTest(0.1, 3, 2, (), 50, 0.2, 10, 0.3, ())
    monkeypatch.setattr(self_test, "self_test", lambda report: found)


def only_problem(found: Checkup) -> str:
    assert not found.healthy
    assert found.failures == ()
    (problem,) = found.problems
    assert problem in checkup_text(found).splitlines()
    return problem


# --- a machine on which all is well -----------------------------------------------------------------------------


def test_a_sound_machine_is_found_sound_and_nothing_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # The machine may be busy with other tests.
    monkeypatch.setattr(self_test, "self_test", partial(run_self_test, seconds=100))
    load_kernel(lambda text: None)
    began = time.process_time()
    found = checkup()
    # Workers, which decide a hundred easy deals, are not counted.
    assert time.process_time() - began < self_test.SECONDS
    assert (found.problems, found.failures, found.healthy) == ((), (), True)
    assert found.self_test is not None
    assert (found.self_test.decided, found.self_test.left_out) == (len(KNOWN), ())
    assert found.self_test.wins_replayed == sum(known.outcome == "win" for known in KNOWN)
    assert found.self_test.study_deals == 100
    assert found.cores.used <= found.cores.affinity <= found.cores.machine
    assert "No problem found." in checkup_text(found)
    assert list(tmp_path.iterdir()) == []


def test_the_packages_are_those_that_the_project_names() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert [line.partition(">")[0] for line in project["dependencies"]] == list(NEEDED)
    extras = {name: lines for name, lines in project["optional-dependencies"].items() if name != "test"}
    assert {line.partition(">")[0]: name for name, lines in extras.items() for line in lines} == EXTRAS


@pytest.mark.usefixtures("no_test")
def test_the_record_is_json_with_all_that_the_text_tells() -> None:
    found = checkup()
    record = json.loads(json.dumps(found.record()))
    assert record["healthy"] is True
    assert record["packages"]["numba"] in checkup_text(found)
    assert record["self_test"]["wins_replayed"] == 2
    assert {"cores", "memory", "kernel", "folder", "problems", "failures"} <= record.keys()


@pytest.mark.usefixtures("no_test")
def test_the_text_does_not_name_the_user(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    home = tmp_path / "home" / "jane"
    work = home / "studies"
    work.mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(work)
    text = checkup_text(checkup())
    assert "~/studies/results can be written" in text
    assert "jane" not in text


# --- what may be wrong with the machine -------------------------------------------------------------------------


@pytest.mark.usefixtures("no_test")
def test_a_missing_package_is_said_with_its_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    there = doctor._version
    monkeypatch.setattr(doctor, "_version", lambda name: None if name == "tqdm" else there(name))
    assert only_problem(checkup()) == "tqdm is not installed; pip install solitaire-lab brings it."


@pytest.mark.usefixtures("no_test")
def test_a_missing_extra_is_no_problem_but_said(monkeypatch: pytest.MonkeyPatch) -> None:
    there = doctor._version
    monkeypatch.setattr(doctor, "_version", lambda name: None if name == "duckdb" else there(name))
    found = checkup()
    assert found.healthy
    assert "; not installed: duckdb (extra query)" in checkup_text(found)


@pytest.mark.usefixtures("no_test")
@pytest.mark.parametrize("place", ["results", "below/results"])
def test_a_folder_that_can_not_be_written_is_said(place: str) -> None:
    # Not even root may write there.
    os.chdir("/proc")
    found = checkup(folder=place)
    assert only_problem(found).startswith(f"{place} can't be written (")
    assert "--out" in only_problem(found)
    assert not found.folder.writable


@pytest.mark.usefixtures("no_test")
def test_a_file_in_the_place_of_the_results_is_said(tmp_path: Path) -> None:
    (tmp_path / "results").write_text("mine")
    assert "can't be written (not a directory)" in only_problem(checkup())
    assert (tmp_path / "results").read_text() == "mine"


@pytest.mark.usefixtures("no_test")
def test_results_that_are_there_stay_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "notes.txt").write_text("mine")
    assert checkup().healthy
    assert [path.name for path in (tmp_path / "results").iterdir()] == ["notes.txt"]


@pytest.mark.usefixtures("no_test")
def test_a_disk_that_is_nearly_full_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    class Usage:
        free = 5 << 20

    monkeypatch.setattr("shutil.disk_usage", lambda path: Usage)
    assert only_problem(checkup()).startswith("Only 5 MiB are free on the disk of results;")


@pytest.mark.usefixtures("no_test")
def test_a_kernel_that_can_not_be_kept_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder = tmp_path / "solitaire-lab-x1y2"
    folder.mkdir()
    monkeypatch.setattr(compiling, "cache_folder", lambda: folder)
    found = checkup()
    assert "XDG_CACHE_HOME" in only_problem(found)
    assert found.kernel is not None
    assert (found.kernel.kept, found.kernel.compiled) == (False, False)


@pytest.mark.usefixtures("no_test")
def test_kernels_of_other_versions_are_counted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("kernel-1", "kernel-2", "kernel-3"):
        (tmp_path / name).mkdir()
    (tmp_path / "kernel-2" / "search.nbi").write_bytes(bytes(2048))
    (tmp_path / "kernel-3" / "search.nbc").write_bytes(bytes(1024))
    monkeypatch.setattr(compiling, "cache_folder", lambda: tmp_path / "kernel-2")
    found = checkup()
    assert found.healthy
    assert found.kernel is not None
    assert (found.kernel.compiled, found.kernel.bytes) == (True, 2048)
    assert (found.kernel.others, found.kernel.others_bytes) == (2, 1024)
    beside = f"2 of other versions beside it (1 KiB), kernel-… in {tmp_path}, may be deleted"
    assert f"compiled, 2 KiB; {beside}\n" in checkup_text(found)


@pytest.mark.usefixtures("no_test")
def test_too_little_memory_for_the_workers_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "available_cpus", lambda: 3)
    little = Memory(total=1 << 40, available=1 << 39, limit=3 * DEFAULT_MEMORY - 1)
    monkeypatch.setattr(doctor, "memory", lambda: little)
    assert "3 workers" in only_problem(checkup())
    monkeypatch.setattr(doctor, "memory", lambda: Memory(None, None, None))
    found = checkup()
    assert found.healthy
    assert "unknown, unknown available" in checkup_text(found)


@pytest.mark.usefixtures("no_test")
def test_another_system_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "darwin")
    assert only_problem(checkup()) == "This is darwin; solitaire-lab is made for Linux."


# --- what the self-test finds -----------------------------------------------------------------------------------


def test_a_verdict_that_is_not_the_published_one_is_a_failure() -> None:
    wrong = [KNOWN[0], Known("freecell", "microsoft", 11982, "win")]
    found = run_self_test(known=wrong)
    assert found.failures == (
        "The published verdict on deal 11982 of freecell (microsoft) is win, but here it is loss.",
    )
    assert (found.decided, found.wins_replayed) == (2, 1)


def test_a_study_that_comes_out_otherwise_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(self_test, "_WINS", 39)
    (failure,) = run_self_test(known=()).failures
    assert failure == "38 of the first 100 deals of Storehouse are won here, 39 in the published results."


def test_deals_for_which_there_is_no_time_are_left_out() -> None:
    found = run_self_test(seconds=0)
    assert found.decided < len(KNOWN)
    assert found.left_out == tuple(map(str, KNOWN[found.decided :]))
    assert found.failures == ()


def test_what_was_left_out_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    left = tuple(map(str, KNOWN[-2:]))
    found = self_test.SelfTest(0.1, 3, 2, left, 50, 0.2, 10, 0.3, ())
    monkeypatch.setattr(self_test, "self_test", lambda report: found)
    text = checkup_text(checkup())
    assert " (2 left out for want of time), " in text
    assert text.splitlines()[-2:] == [
        "No problem found.",
        "Not checked for want of time: deal 82 of fan-solvitaire (solvitaire), deal 290781 of trigon (solvitaire). Try "
        "again when the machine is less busy.",
    ]


@pytest.mark.parametrize(
    "error", [AssertionError("the solver's line\ndoes not win"), ImportError("no numba"), OSError()]
)
def test_an_error_in_the_self_test_is_told_and_the_rest_of_the_report_too(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(report: object) -> None:
        raise error

    monkeypatch.setattr(self_test, "self_test", fail)
    found = checkup()
    (failure,) = found.failures
    assert failure.startswith(f"The self-test ended by {type(error).__name__}: {' '.join(str(error).split())}")
    assert "self-test:      ended by an error" in checkup_text(found)
    assert json.loads(json.dumps(found.record()))["healthy"] is False


# --- memory -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cgroup", "files", "limit"),
    [
        ("0::/a/b\n", {"a/b/memory.max": "max\n", "a/memory.max": "2048\n"}, 2048),
        ("0::/a\n", {"a/memory.max": "4096\n", "memory.max": "1024\n"}, 1024),
        ("0::/\n", {}, None),
        ("4:cpu,memory:/x\n", {"cpu,memory/x/memory.limit_in_bytes": "9\n"}, 9),
        ("4:memory:/x\n", {"memory/x/memory.limit_in_bytes": "512\n"}, 512),
        ("4:memory:/x\n", {"memory/x/memory.limit_in_bytes": "9223372036854771712\n"}, None),
        ("4:cpu:/x\n", {"cpu/x/memory.limit_in_bytes": "512\n"}, None),
    ],
)
def test_memory_is_limited_by_control_groups(
    cgroup: str, files: dict[str, str], limit: int | None, tmp_path: Path
) -> None:
    (tmp_path / "proc").write_text(cgroup)
    (tmp_path / "meminfo").write_text(
        "MemTotal:       1000 kB\nMemFree: 1 kB\nMemAvailable:     10 kB\nHugePages_Total: 0\n"
    )
    for name, text in files.items():
        path = tmp_path / "groups" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    found = memory(meminfo=tmp_path / "meminfo", proc=tmp_path / "proc", root=tmp_path / "groups")
    assert found == Memory(total=1_024_000, available=10_240, limit=limit)
    assert found.usable == min(10_240, limit or 10_240)


def test_memory_that_the_system_does_not_tell_is_unknown(tmp_path: Path) -> None:
    nowhere = tmp_path / "none"
    found = memory(meminfo=nowhere, proc=nowhere, root=nowhere)
    assert (found, found.usable) == (Memory(None, None, None), None)
