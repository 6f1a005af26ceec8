"""``export``, ``query``, ``compact`` and ``doctor``: each option by its effect, and what a person may get wrong."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import time
from pathlib import Path

import pytest

from cli.lab import lab, lab_process, popen, refused, tree
from solitaire_lab.results.store import Store
from solitaire_lab.study import self_test


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study of two cells, decided; nothing may change it."""
    folder = tmp_path_factory.mktemp("data")
    for label, redeals in (("three", 2), ("one", 0)):
        (folder / "study.toml").write_text(
            'name = "passes"\nseeds = "990:1020"\nbudgets = { run = 50_000 }\n[[cells]]\ngame = "storehouse"\n'
            f'label = "{label}"\nset = {{ "stock.redeals" = {redeals} }}\n'
        )
        assert lab("run", folder / "study.toml", "--out", folder / "out").code == 0
    return folder / "out"


# --- export -----------------------------------------------------------------------------------------------------


def test_export_writes_a_file_or_standard_output(study: Path, tmp_path: Path) -> None:
    printed = lab("export", study)
    assert (printed.code, printed.err) == (0, "")
    rows = list(csv.DictReader(io.StringIO(printed.out)))
    assert [(row["label"], row["seed"]) for row in rows] == [
        (label, str(seed)) for label in ("three", "one") for seed in range(990, 1021)
    ]
    written = lab("export", study, "--out", tmp_path / "rows.csv")
    assert (written.out, written.err) == ("", f"62 rows written to {tmp_path / 'rows.csv'}.\n")
    assert (tmp_path / "rows.csv").read_text() == printed.out
    assert lab("export", study, "--out", "-").out == printed.out


def test_export_of_one_cell_with_its_lines_of_play_is_read_by_replay(study: Path, tmp_path: Path) -> None:
    found = lab("export", study, "--format", "jsonl", "--cell", "three", "--moves").lines
    assert {row["label"] for row in found} == {"three"}
    won = [row for row in found if row["outcome"] == "win"]
    # As many as in the published results of these deals.
    assert len(won) == 10
    # A line is what solve --json prints, and more, so it can be replayed as it is.
    line = tmp_path / "line.json"
    line.write_text(json.dumps(won[0]))
    assert lab("replay", "storehouse", "--seed", won[0]["seed"], "--moves", line, "--json").json["wins"]


def test_export_to_a_reader_that_has_gone_ends_quietly(study: Path) -> None:
    with popen("export", study, "--format", "jsonl", "--moves") as process:
        assert process.stdout is not None
        process.stdout.close()
        process.stdout = None
        _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, "")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (
            ["export", "{study}", "--cell", "two"],
            "'two' means no cell of this study; name one by its label or its id: three, one",
        ),
        (["export", "missing"], "missing is no folder"),
        (["export", "{study}", "--format", "xlsx"], "'xlsx'"),
        (["export", "{study}", "--out", "{study}"], "is a folder; give the name of a file"),
        (["export", "{study}", "--out", "none/rows.csv"], "no such file or directory"),
        (["query", "missing", "SELECT 1"], "missing is no folder"),
        (["query", "{study}", "SELECT nothing FROM rows"], "The query can't be answered"),
        (["query", "{study}", "DROP TABLE rows"], "A query only reads"),
        (["query", "{study}", "FROM '{study}/manifest.json'"], "The query can't be answered"),
        (["compact", "missing"], "missing is no folder"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_is_written(
    words: list[str], says: str, study: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    before = tree(study)
    assert says in refused(*(word.format(study=study) for word in words))
    assert tree(tmp_path) == {}
    assert tree(study) == before


@pytest.mark.parametrize("words", ["export", "query", "query {study}", "compact", "doctor now"])
def test_a_missing_argument_exits_with_2(words: str, study: Path) -> None:
    assert lab(*words.format(study=study).split()).code == 2


# --- query ------------------------------------------------------------------------------------------------------


def test_query_answers_in_every_format(study: Path) -> None:
    sql = "SELECT label, count(*) FILTER (outcome = 'win') AS wins FROM rows GROUP BY label ORDER BY wins DESC"
    wins = {row["label"]: row["win"] for row in lab("table", study, "--json").json}
    found = lab("query", study, sql, "--json").json
    assert {row["label"]: row["wins"] for row in found} == wins
    assert lab("query", study, sql, "--format", "json").json == found
    assert lab("query", study, sql, "--format", "csv").out == f"label,wins\nthree,{wins['three']}\none,{wins['one']}\n"
    assert "2 rows." in lab("query", study, sql).out


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT sum(sin(range)) FROM range(1000000000000)",
        "SELECT count(*) FROM range(1000000) a, range(1000000) b WHERE a.range * b.range % 7 = 3",
    ],
)
def test_a_long_query_is_ended_by_ctrl_c(sql: str, study: Path) -> None:
    with popen("query", study, sql) as process:
        time.sleep(3)
        assert process.poll() is None, process.communicate()
        process.send_signal(signal.SIGINT)
        try:
            out, err = process.communicate(timeout=20)
        finally:
            process.kill()
    assert (process.returncode, out, err) == (130, "", "Stopped.\n")


# --- compact ----------------------------------------------------------------------------------------------------


def test_every_command_reads_a_compact_folder_and_a_run_goes_on_from_it(tmp_path: Path) -> None:
    out = tmp_path / "out"
    lab("run", "storehouse", "--seeds", "990:1020", "--budget", 5, "--out", out)
    commands = [("table", out), ("status", out), ("export", out), ("query", out, "FROM rows ORDER BY ALL")]
    before = [lab(*command) for command in commands]
    kib = sum(path.stat().st_size for path in out.glob("cells/*/*")) / 1024
    assert f"4 files ({f'{kib:.1f}'.removesuffix('.0')} KiB) are now 2 (" in lab("compact", out).out
    assert [lab(*command) for command in commands] == before
    report = lab("verify", out, "--json").json
    assert (report["sound"], report["files"], report["rows"]) == (True, 2, 31)
    again = lab("run", "storehouse", "--seeds", "990:1020", "--budget", 5, "--out", out)
    assert "0 deals decided" in again.err
    assert len(list(out.glob("cells/*/*"))) == 2
    # More seeds, and a larger budget for the deals that stayed open.
    more = lab("run", "storehouse", "--seeds", "985:1025", "--budget", 50_000, "--out", out, "--json")
    lab("run", "storehouse", "--seeds", "985:1025", "--budget", 50_000, "--out", tmp_path / "at-once")
    assert more.json == lab("table", tmp_path / "at-once", "--json").json
    found = lab("compact", out, "--json").json
    assert (found["blocks"], found["files_before"], found["files"]) == (2, 6, 2)
    assert lab("verify", out).code == 0
    assert lab("table", out, "--json").json == more.json
    assert "is compact already, with 2 files" in lab("compact", out).out


def test_compacting_while_a_run_is_at_work_is_refused(tmp_path: Path) -> None:
    lab("run", "storehouse", "--deals", 5, "--out", tmp_path / "out")
    before = tree(tmp_path)
    with Store(tmp_path / "out").lock():
        assert f"Another run (process {os.getpid()}) is at work on" in refused("compact", tmp_path / "out")
    assert tree(tmp_path) == before


# --- doctor -----------------------------------------------------------------------------------------------------


def test_doctor_tells_what_a_bug_report_needs(tmp_path: Path) -> None:
    found = lab_process("doctor", cwd=tmp_path)
    assert found.code == 0, found
    words = [line.partition(":")[0] for line in found.out.splitlines()]
    subjects = ["solitaire-lab", "system", "processor", "packages", "cores", "memory", "kernel", "results", "self-test"]
    assert words == [*subjects, "", "No problem found."]
    assert list(tmp_path.iterdir()) == []


def test_doctor_exits_with_what_is_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    healthy = lab("doctor", "--json")
    assert (healthy.code, healthy.json["healthy"], healthy.json["problems"]) == (0, True, [])
    (tmp_path / "results").write_text("a file")
    ill = lab("doctor", "--json")
    assert (ill.code, ill.json["healthy"], ill.json["failures"]) == (1, False, [])
    assert "can't be written" in ill.json["problems"][0]
    monkeypatch.setattr(self_test, "_WINS", 99)
    worse = lab("doctor")
    assert worse.code == 4
    assert worse.out.splitlines()[-1].endswith("99 in the published results.")
    assert os.listdir(tmp_path) == ["results"]
