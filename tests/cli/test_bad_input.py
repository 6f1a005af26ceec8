"""Wrong input: one complaint that says what, where, and what would be right; the exit code; nothing written."""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import resource
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cli.lab import ENVIRONMENT, Result, assert_complaint, lab, lab_process, popen, refused, tree
from cli.test_play import PYSOL_1
from solitaire_lab.__main__ import main
from solitaire_lab.cli.exits import INTERRUPTED
from solitaire_lab.rules import game_names, resolve
from solitaire_lab.rules.catalog import is_file_name

GOOD_STUDY = 'name = "small"\nseeds = "1:20"\nbudgets = { run = 5_000 }\n[[cells]]\ngame = "storehouse"\n'


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a command wrote by mistake would be in the working folder."""
    monkeypatch.chdir(tmp_path)


# --- what is typed ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("run storehose", ["'storehose'", "storehouse"]),
        ("deal Thirten-Up --seed 1", ["'Thirten-Up'", "Thirteen Up"]),
        ("deal storehose", ["'storehose'", "did you mean storehouse"]),
        ("deal storehose --tries 3", ["'storehose'", "did you mean storehouse"]),
        ("solve storehose", ["'storehose'", "did you mean storehouse"]),
        ("replay storehose --moves line.json", ["'storehose'", "did you mean storehouse"]),
        ("rules storehouse --variant nl", ["'nl'", "storehouse-en"]),
        ("run storehouse --set stock.redels=1", ["stock.redels", "stock.redeals"]),
        (
            "run klondike --set stock.draw=2",
            ["stock.draw", "there are stock.turn, ", "`solitaire-lab rules GAME --json`"],
        ),
        ("rules my.toml", ["'my.toml'", "not read from files", "--set", "[[cells]]"]),
        ("deal ./my.toml --seed 1", ["'./my.toml'", "not read from files"]),
        ("rules chess", ["'chess'", "`solitaire-lab games` lists all."]),
        ("run storehouse --set stock.redeals=-1", ["stock.redeals", "0", "unlimited"]),
        ("run storehouse --set stock.redeals", ["'stock.redeals'", "key=value"]),
        ("run storehouse --seeds 5:1", ["5:1", "1:100"]),
        ("run storehouse --seeds 1:18446744073709551616", ["18446744073709551615"]),
        ("run storehouse --seeds many", ["'many'", "1:100"]),
        ("run storehouse --deals 0", ["0 deals", "1 or more"]),
        ("run storehouse --deals -5", ["-5 deals", "1 or more"]),
        ("run storehouse --out=", ["--out is empty"]),
        (f"run storehouse --deals {2**64}", [f"no {2**64} deals from seed 1 on", f"{2**64 - 1} at most"]),
        ("run storehouse --deals 8589934592 --numbering microsoft", ["8589934592 deals", "end with 8589934591"]),
        ("run storehouse --budget -1", ["-1", "whole number of nodes from 1 to"]),
        ("run storehouse --budget 0", ["0", "whole number of nodes from 1 to"]),
        ("run storehouse --budget 9223372036854775808", ["9223372036854775808", "9223372036854775807"]),
        ("run storehouse --budget lots", ["'lots'", "whole number of nodes from 1 to"]),
        ("run storehouse --budget 1e6", ["'1e6'", "such as 100_000"]),
        ("run storehouse --budget 100k", ["'100k'", "such as 100_000"]),
        ("run storehouse --deals 1e6", ["'--deals'", "'1e6'", "such as 1000, 1_000 or 1,000"]),
        ("run storehouse --deals 1,00", ["'--deals'", "'1,00'", "such as 1000, 1_000 or 1,000"]),
        ("run storehouse --seeds 1:1e6", ["'1:1e6'", "1_000_000, not 1e6"]),
        ("solve storehouse --seed 1 --budget 0", ["0", "whole number of nodes from 1 to"]),
        ("run storehouse --memory lots", ["'lots'", "256MB"]),
        ("run storehouse --memory 1.5B", ["'1.5B'", "256MB"]),
        ("solve storehouse --seed 1 --memory 1KB", ["1000 bytes", "1MiB"]),
        ("solve storehouse --seed 1 --memory 0", ["0 bytes", "1MiB"]),
        ("run storehouse --memory 1KB", ["1000 bytes", "1MiB"]),
        ("run storehouse --workers 0", ["0 workers", "1 to"]),
        ("run storehouse --workers two", ["'--workers'", "'two'"]),
        ("run storehouse --retry crashd", ["'crashd'", "crashed"]),
        ("run storehouse --numbering pyslo", ["'pyslo'", "pysol"]),
        ("run storehouse --start-method thread", ["'thread'", "fork", "spawn"]),
        ("deal storehouse --seed -1", ["-1", "0 to"]),
        ("deal storehouse --seed 1.5", ["'1.5'"]),
        ("deal storehouse --seed 0 --numbering pysol", ["pysol", "1 to"]),
        ("run storehouse --seeds 0:9 --numbering microsoft", ["microsoft", "1 to"]),
        ("deal storehouse --seed 1 --numbering solvitaire", ["solvitaire"]),
        ("run missing.toml", ["missing.toml", "does not exist"]),
        ("run missing.tom", ["missing.tom", "does not end in .toml, as study files do"]),
        ("run configs/missing", ["configs/missing", "does not end in .toml, as study files do"]),
        ("run missing.txt --precision 0.5", ["missing.txt", "does not end in .toml, as study files do"]),
        ("table missing", ["missing", "solitaire-lab run"]),
        ("status missing", ["missing", "solitaire-lab run"]),
        ("verify missing", ["missing", "solitaire-lab run"]),
        ("table missing --format pdf", ["'pdf'", "markdown"]),
        ("solve --deal missing.json", ["missing.json", "no such file"]),
        ("moves missing.json", ["missing.json", "no such file"]),
        ("replay storehouse --seed 1 --moves missing.json", ["missing.json", "no such file"]),
        ("bench storehose", ["'storehose'", "storehouse"]),
        ("verify missing --sample -1", ["'--sample'", "-1"]),
        ("bench --seconds -1", ["'--seconds'", "-1"]),
        ("bench --seconds nan", ["'--seconds'", "'nan'", "such as 5"]),
        ("bench --seconds inf", ["'--seconds'", "inf"]),
    ],
)
def test_a_wrong_word_is_refused(words: str, says: list[str], tmp_path: Path) -> None:
    complaint = refused(*words.split())
    for text in says:
        assert text in complaint
    assert tree(tmp_path) == {}


@pytest.mark.parametrize(
    "words",
    [
        "solve storehouse --seed {}",
        "solve storehouse --seed 1 --memory {}MB",
        "solve storehouse --seed 1 --set stock.redeals={}",
        "solve storehouse --seed 1 --set stock.redeals=0x{}",
        "run storehouse --budget {}",
        "run storehouse --seeds 1:{}",
        "run storehouse --deals 1" + 5_000 * "_1",
        "deal storehouse --daily {}",
        "rules {}",
    ],
)
def test_a_number_that_is_too_long_is_refused_in_few_words(words: str, tmp_path: Path) -> None:
    complaint = refused(*words.format(5_000 * "9").split())
    assert max(map(len, complaint.split())) < 300
    assert tree(tmp_path) == {}


def test_a_position_that_is_wrong_in_a_long_word_is_told_in_few(tmp_path: Path) -> None:
    answer = lab("moves", "--jsonl", stdin=json.dumps({**PYSOL_1, "game": 5_000 * "x"}) + "\n")
    assert max(map(len, answer.json["error"].split())) < 300


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("run", "Missing argument"),
        ("deal storehouse", "Missing option '--seed'"),
        ("deal storehouse --sed 1", "--seed"),
        ("rnu storehouse", "rnu"),
        ("table", "Missing argument"),
        ("solve storehouse", "--seed"),
        ("solve storehouse --seed 1 --deal x.json", "--deal"),
        ("games storehouse", "unexpected"),
        ("run storehouse --deals 5 --seeds 1:5", "not both"),
    ],
)
def test_an_unknown_option_or_a_missing_argument_exits_with_2(words: str, says: str, tmp_path: Path) -> None:
    result = lab(*words.split())
    assert (result.code, result.out) == (2, "")
    assert says in result.err
    assert tree(tmp_path) == {}


def test_more_memory_than_there_is_is_told() -> None:
    result = lab_process("solve", "storehouse", "--seed", 1, "--memory", "1TiB", preexec_fn=_little_memory)
    assert (result.code, result.out) == (1, "")
    # That the kernel is compiled first is told before.
    assert_complaint("".join(line for line in result.err.splitlines(True) if not line.startswith("Compiling")))
    assert "less --memory" in result.err


def _little_memory() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))


# --- study files ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        ("budgets", "budgts", ["line 3", "budgts", "budgets"]),
        ("game =", "gmae =", ["gmae", "game"]),
        ('"storehouse"', '"storehose"', ["line 4", "'storehose'", "storehouse"]),
        ('"1:20"', '"5:1"', ["line 2", "5:1"]),
        ("5_000", "-1", ["line 3", "-1", "from 1 to"]),
        ("5_000", "0", ["line 3", "from 1 to"]),
        ("5_000", "9_223_372_036_854_775_808", ["line 3", "from 1 to"]),
        ('seeds = "1:20"', 'seeds = "1:20', ["line 2"]),
        ('"small"', '"../small"', ["../small", "--out"]),
        ("[[cells]]\n", '[[cells]]\nset = { "stock.redels" = 1 }\n', ["stock.redels", "stock.redeals"]),
    ],
)
def test_a_wrong_study_is_refused_with_its_line(before: str, after: str, says: list[str], tmp_path: Path) -> None:
    study = tmp_path / "study.toml"
    study.write_text(GOOD_STUDY.replace(before, after, 1))
    files = tree(tmp_path)
    complaint = refused("run", study)
    for text in says:
        assert text in complaint
    assert tree(tmp_path) == files


def test_no_name_of_a_game_is_taken_for_that_of_a_study_file() -> None:
    for game in map(resolve, game_names()):
        assert not [name for name in (game.name, game.title, *game.aliases, *game.variants) if is_file_name(name)]


def test_all_mistakes_of_a_study_are_told_at_once(tmp_path: Path) -> None:
    study = tmp_path / "study.toml"
    study.write_text(GOOD_STUDY.replace("budgets", "budgts").replace("1:20", "5:1").replace("storehouse", "storehose"))
    complaint = refused("run", study)
    for text in ("budgts", "5:1", "storehose"):
        assert text in complaint


@pytest.mark.parametrize(
    "line",
    [
        "a = " + 5_000 * "[" + 5_000 * "]",
        5_000 * "a." + "a = 1",
        "precision = " + 5_000 * "9",
        # Not limited by Python's reader, but by its printer.
        "precision = 0x" + 5_000 * "f",
    ],
)
def test_a_study_that_is_too_deep_or_too_long_is_refused(line: str, tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_text(f"{line}\n{GOOD_STUDY}")
    complaint = refused("run", "study.toml")
    assert complaint == (
        "Error: study.toml is no TOML that can be read: it is nested too deeply or a number is too long.\n"
    )
    assert [path.name for path in tmp_path.iterdir()] == ["study.toml"]


def test_a_study_that_is_not_utf_8_is_refused(tmp_path: Path) -> None:
    study = tmp_path / "study.toml"
    study.write_bytes(GOOD_STUDY.replace("small", "Prüfung").encode("latin-1"))
    complaint = refused("run", study)
    assert "study.toml" in complaint
    assert "UTF-8" in complaint


@pytest.mark.parametrize("option", [("--set", "stock.redeals=0"), ("--variant", "en"), ("--numbering", "pysol")])
def test_options_of_a_game_are_refused_for_a_study(option: tuple[str, str], tmp_path: Path) -> None:
    study = tmp_path / "study.toml"
    study.write_text(GOOD_STUDY)
    complaint = refused("run", study, *option)
    assert option[0] in complaint
    assert not (tmp_path / "results").exists()


# --- positions and moves ----------------------------------------------------------------------------------------


def without(cards: list[str], card: str) -> list[str]:
    return [other for other in cards if other != card]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"stock": without(PYSOL_1["stock"], "QD")}, ["QD"]),
        ({"waste": ["9D"]}, ["9D", "waste"]),
        ({"tableau": [["9X"], ["KS"], ["3H"], ["KH"]]}, ["9X", "tableau:0"]),
        ({"tableau": [["<9D>"], ["KS"], ["3H"], ["KH"]]}, ["9D", "tableau:0", "face up"]),
        ({"tableau": [[], ["KS"], ["3H"], ["KH"]], "waste": ["9D"]}, ["QC", "reserve:0", "tableau:0"]),
        ({"tabelau": []}, ["'tabelau'", "tableau"]),
        ({"game": "storehose"}, ["'storehose'", "storehouse"]),
        ({"set": {"stock.redels": 1}}, ["stock.redels", "stock.redeals"]),
        ({"redeals_used": 3}, ["redeals_used"]),
    ],
)
@pytest.mark.parametrize("command", ["moves", "solve"])
def test_a_wrong_position_is_refused(command: str, change: dict[str, Any], says: list[str], tmp_path: Path) -> None:
    record = {**PYSOL_1, **change}
    path = tmp_path / "position.json"
    path.write_text(json.dumps(record))
    complaint = refused("moves", path) if command == "moves" else refused("solve", "--deal", path)
    for text in says:
        assert text in complaint
    answer = lab(command, "--jsonl", stdin=json.dumps(record) + "\n")
    assert (answer.code, answer.err) == (1, "")
    assert f"Error: {answer.json['error']}\n" == complaint
    assert answer.json["line"] == 1


@pytest.mark.parametrize("depth", [60, 980, 100_000])
def test_a_position_that_is_too_deep_is_refused(depth: int, tmp_path: Path) -> None:
    path = tmp_path / "position.json"
    path.write_text('{"game": "storehouse", "set": ' + depth * '{"a": ' + "1" + (depth + 1) * "}")
    complaint = refused("moves", path)
    assert complaint == (
        f"Error: {path} is no JSON that can be read: it is nested too deeply or a number is too long.\n"
    )


def test_a_wrong_board_is_refused_with_its_line(tmp_path: Path) -> None:
    board = tmp_path / "board.txt"
    board.write_text(lab("deal", "storehouse", "--seed", 1).out.replace("\n5S\n", "\n5S 5S\n"))
    complaint = refused("solve", "storehouse", "--deal", board)
    assert "5S" in complaint
    assert "line" in complaint


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("no json", ["no JSON", "line 1"]),
        ("{}", ["no list of moves"]),
        ('{"outcome": "loss", "solution": null}', ["no list of moves"]),
        ('[{"from": "tableau:0"}]', ["Move 1", "is no move"]),
        ('[{"from": "tableau:99", "to": "waste", "cards": ["9D"]}]', ["Move 1"]),
        ('[{"from": "stock", "to": "waste", "cards": "8C"}]', ["Move 1"]),
        ('[{"from": "stock", "to": "waste", "cards": ["8X"]}]', ["Move 1", "8X"]),
        ("[3]", ["Move 1", "3"]),
    ],
)
def test_what_is_no_list_of_moves_is_refused(text: str, says: list[str], tmp_path: Path) -> None:
    path = tmp_path / "moves.json"
    path.write_text(text)
    complaint = refused("replay", "storehouse", "--seed", 1, "--moves", path)
    for part in says:
        assert part in complaint


def test_files_that_are_not_utf_8_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "latin.json"
    path.write_bytes('{"game": "ü"}'.encode("latin-1"))
    for words in (("moves", path), ("solve", "--deal", path), ("replay", "storehouse", "--seed", 1, "--moves", path)):
        assert "not UTF-8" in refused(*words)


# --- results folders --------------------------------------------------------------------------------------------


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """A results folder of 50 deals."""
    assert lab("run", "storehouse", "--deals", 50, "--out", tmp_path / "done").code == 0
    return tmp_path / "done"


def test_a_results_folder_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    for out in ("file", "file/below"):
        assert "file" in refused("run", "storehouse", "--deals", 5, "--out", out)
    assert tree(tmp_path) == {"file": b"mine"}


@contextlib.contextmanager
def not_root() -> Iterator[None]:
    """Have files opened as nobody's, since root may write anywhere."""
    libc = ctypes.CDLL(None)
    before = libc.setfsuid(65_534)
    try:
        yield
    finally:
        libc.setfsuid(before)


def test_a_results_folder_that_is_not_writable_is_refused(results: Path, tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o555)
    for path in (tmp_path, *tmp_path.parents[:2], results):
        path.chmod(0o755 if path != results else 0o555)
    for out in (closed, closed / "below", results):
        files = tree(tmp_path)
        with not_root():
            complaint = refused("run", "storehouse", "--deals", 60, "--out", out)
        assert str(out) in complaint
        assert "permission denied" in complaint
        assert tree(tmp_path) == files


def test_a_full_disk_loses_nothing(tmp_path: Path) -> None:
    full = lab_process("run", "storehouse", "--deals", 999, "--out", tmp_path / "out", preexec_fn=_small_files)
    assert full.code == 1
    assert_complaint(full.err.splitlines()[-1])
    assert "can't be written" in full.err
    assert lab("run", "storehouse", "--deals", 999, "--out", tmp_path / "out").code == 0
    assert lab("verify", tmp_path / "out", "--sample", 5).code == 0
    fresh = lab("run", "storehouse", "--deals", 999, "--out", tmp_path / "fresh", "--json").json
    assert lab("table", tmp_path / "out", "--json").json == fresh


def _small_files() -> None:
    """What a full disk refuses, the system refuses above this size of file; the manifest is below it."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))


@pytest.mark.parametrize(
    "words",
    [
        "export done --out {}/manifest.json",
        "export done --out done/lock",
        "export done --out done/cells/rows.csv",
        "report done --out done/page.html",
        "plot done bars --out done/cells/bars.svg",
        "plot done bars --out link.svg",
        "solve storehouse --seed 1 --html done/manifest.json",
        "run storehouse --deals 5 --out done/more",
        "run storehouse --deals 5 --out done/cells",
    ],
)
def test_nothing_is_written_into_a_results_folder_but_its_own_files(words: str, results: Path, tmp_path: Path) -> None:
    (tmp_path / "link.svg").symlink_to("done/manifest.json")
    files = tree(tmp_path)
    complaint = refused(*words.format(results).split())
    assert f"is in the results folder {results}, which holds its own files only" in complaint
    assert tree(tmp_path) == files


@pytest.mark.parametrize("lost", ["manifest.json", "lock"])
def test_what_is_left_of_a_damaged_results_folder_is_not_overwritten(lost: str, results: Path) -> None:
    (results / lost).unlink()
    (rows,) = results.glob("cells/*/rows-*.parquet")
    assert "is in the results folder" in refused("solve", "storehouse", "--seed", 1, "--html", rows)


def test_a_manifest_of_another_kind_beside_a_page_does_no_harm(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text("{}")
    assert lab("solve", "storehouse", "--seed", 1, "--html", tmp_path / "line.html").code == 0


def test_a_file_name_that_is_a_loop_of_links_is_refused(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    for words in ("solve storehouse --seed 1 --html loop", "run storehouse --deals 5 --out loop"):
        assert "too many levels of symbolic links" in refused(*words.split())


def test_a_larger_budget_for_some_deals_leaves_no_others_unfinished(results: Path) -> None:
    assert lab("run", "storehouse", "--deals", 50, "--budget", 300, "--out", results).code == 0
    files = tree(results)
    complaint = refused("run", "storehouse", "--deals", 5, "--out", results)
    for text in ("has seeds 1:50", "300 nodes", "1:5 with 1,000,000", "Ask for 1:50"):
        assert text in complaint
    assert tree(results) == files
    assert lab("run", "storehouse", "--deals", 60, "--out", results).code == 0


def test_a_truncated_file_is_named(results: Path) -> None:
    (rows,) = results.glob("cells/*/rows-*.parquet")
    rows.write_bytes(rows.read_bytes()[:-100])
    files = tree(results)
    for words in (
        ("table", results),
        ("status", results),
        ("run", "storehouse", "--deals", 50, "--out", results),
    ):
        complaint = refused(*words)
        assert rows.name in complaint
        assert "delete" in complaint
    checked = lab("verify", results)
    assert checked.code == 4
    assert rows.name in checked.out
    assert lab("verify", results, "--json").json["sound"] is False
    assert tree(results) == files


def test_a_second_run_on_one_folder_is_refused(results: Path) -> None:
    from solitaire_lab.results.store import Store

    with Store(results).lock():
        files = tree(results)
        complaint = refused("run", "storehouse", "--deals", 60, "--out", results)
        assert "Another run" in complaint
        assert str(results) in complaint
        assert tree(results) == files
        assert lab("table", results).code == 0


def test_other_rules_under_one_label_are_refused_with_the_key_that_differs(tmp_path: Path) -> None:
    study = tmp_path / "study.toml"
    study.write_text(GOOD_STUDY)
    assert lab("run", study, "--out", "out").code == 0
    study.write_text(GOOD_STUDY + 'label = "storehouse"\nset = { "stock.redeals" = 0 }\n')
    files = tree(tmp_path)
    assert "stock.redeals" in refused("run", study, "--out", "out")
    assert tree(tmp_path) == files


@pytest.mark.parametrize(
    ("budget", "says"),
    [
        ("hint", ["'hint'", "run"]),
        ("2k", ["'2k'", "such as 100_000"]),
        ("0", ["at least 1"]),
        ("-3", ["at least 1"]),
        ("2000000", ["1000000"]),
    ],
)
def test_a_table_at_a_budget_that_was_not_run_is_refused(budget: str, says: list[str], results: Path) -> None:
    complaint = refused("table", results, "--budget", budget)
    for text in says:
        assert text in complaint


# --- the outside world ------------------------------------------------------------------------------------------


def test_a_reader_that_has_gone_ends_a_command_quietly(results: Path, tmp_path: Path) -> None:
    (tmp_path / "position.json").write_text(json.dumps(PYSOL_1) + "\n")
    command = f"{sys.executable} -m solitaire_lab"
    for pipe in (
        f'yes "$(cat position.json)" | {command} moves --jsonl | head -n 1 | wc -l',
        f"true | {command} table {results} --format csv | head -n 1 | wc -l",
        f"true | {command} games | true | echo 1",
    ):
        shell = f"{pipe}; echo ${{PIPESTATUS[1]}}"
        done = subprocess.run(["bash", "-c", shell], capture_output=True, text=True, env=ENVIRONMENT, timeout=60)
        assert (done.stdout.split(), done.stderr) == (["1", "0"], "")


def test_a_failed_check_is_told_even_if_nobody_reads(results: Path) -> None:
    (rows,) = results.glob("cells/*/rows-*.parquet")
    rows.write_bytes(b"")
    with popen("verify", results) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.wait(60) == 4
        assert process.stderr.read() == ""


def test_a_full_disk_under_standard_output_is_told() -> None:
    with Path("/dev/full").open("w") as full:
        done = lab_process("games", stdout=full)
    assert done.code == 1
    assert_complaint(done.err)
    assert "Standard output" in done.err


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_stops_a_stream(number: signal.Signals, code: int) -> None:
    with popen("solve", "--jsonl") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(json.dumps(PYSOL_1) + "\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["outcome"]
        process.send_signal(number)
        assert process.wait(10) == code
        assert "Traceback" not in process.stderr.read()


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_stops_a_run_which_goes_on_later(number: signal.Signals, code: int, tmp_path: Path) -> None:
    words = ("run", "storehouse", "--deals", 1_000_000, "--out", tmp_path / "out")
    with popen(*words) as process:
        assert process.stderr is not None
        while not list(tmp_path.glob("out/cells/*/rows-*.parquet")):
            assert process.poll() is None, process.stderr.read()
        process.send_signal(number)
        out, err = process.communicate(timeout=10)
    assert (process.returncode, out) == (code, "")
    assert "Traceback" not in err
    assert "goes on from here" in err.splitlines()[-1]
    (cell,) = lab("status", tmp_path / "out", "--json").json
    assert 0 < cell["stored"] < 1_000_000
    assert cell["stored"] + cell["missing"] == 1_000_000


# --- streams and names ------------------------------------------------------------------------------------------


def closed(stream: int, *words: Any) -> Result:
    """Run a command in a shell with one of its standard streams closed."""
    command = shlex.join([sys.executable, "-m", "solitaire_lab", *map(str, words)])
    done = subprocess.run(f"{command} {stream}>&-", shell=True, env=ENVIRONMENT, capture_output=True, text=True)
    return Result(done.returncode, done.stdout, done.stderr)


def test_closed_output_is_a_sentence_and_closed_errors_are_none() -> None:
    for words in ("games", "deal storehouse --seed 1", "simulate storehouse --policy greedy --deals 1"):
        done = closed(1, *words.split())
        assert (done.code, done.err) == (
            1,
            "Error: Standard output is closed; leave it open, or send it to /dev/null.\n",
        )
        done = closed(2, *words.split())
        assert (done.code, done.out) == (0, lab(*words.split()).out)
    assert_complaint(closed(0, "moves").err)


def test_no_stored_file_gets_the_number_of_a_closed_stream(tmp_path: Path) -> None:
    done = closed(2, "run", "storehouse", "--deals", 5, "--out", tmp_path / "out")
    assert done.code == 0
    assert lab("verify", tmp_path / "out").code == 0


def test_a_folder_need_not_have_a_name_in_utf_8(tmp_path: Path) -> None:
    out = os.fsdecode(bytes(tmp_path) + b"/\xff")
    assert lab_process("run", "storehouse", "--deals", 5, "--out", out, errors="replace").code == 0
    assert lab_process("verify", out, errors="replace").code == 0


def test_ctrl_c_before_anything_is_imported_is_no_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("solitaire_lab.cli.main", interrupted)
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == INTERRUPTED
    assert capsys.readouterr().err == "Stopped.\n"
