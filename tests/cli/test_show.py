"""``solve --show`` and ``--html``: a line of play in the terminal and as a page."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
from pathlib import Path

import pytest

from cli.lab import ENVIRONMENT, lab, refused, tree

# Of Storehouse by the ``lab`` numbering.
WON, LOST = 1, 3


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="module")
def moves() -> int:
    """How many moves the line of play of ``WON`` has."""
    return len(lab("solve", "storehouse", "--seed", WON, "--json").json["solution"])


def test_all_boards_are_printed_where_nobody_can_press_enter(moves: int) -> None:
    shown = lab("solve", "storehouse", "--seed", WON, "--show")
    assert shown.code == 0
    head, deal, *boards = shown.out.rstrip("\n").split("\n\n")
    assert head.startswith(f"The deal can be won, in {moves} moves")
    assert deal == "The deal\n" + lab("deal", "storehouse", "--seed", WON).out.rstrip("\n")
    assert [board.partition(":")[0] for board in boards] == [f"Move {n} of {moves}" for n in range(1, moves + 1)]
    last = boards[-1].splitlines()
    assert (last[1], last[-4:]) == ("Foundations: C-A D-A H-A S-A", [":"] * 4)
    assert "Enter" not in shown.out


@pytest.mark.parametrize(
    ("options", "sentence"),
    [(["--seed", LOST], "The deal is lost"), (["--seed", WON, "--budget", 1], "The deal is undecided after 1 node")],
)
def test_without_a_line_there_is_nothing_to_show(options: list[object], sentence: str, tmp_path: Path) -> None:
    page = tmp_path / "line.html"
    result = lab("solve", "storehouse", *options, "--show", "--html", page)
    assert result.code == 0
    assert result.out.startswith(sentence)
    assert result.out.count("\n") == 1
    assert f"{page} is not written, since there is no line of play to show." in result.err
    assert tree(tmp_path) == {}


def test_a_position_of_its_own_is_shown(moves: int, tmp_path: Path) -> None:
    position = tmp_path / "position.json"
    position.write_text(lab("deal", "storehouse", "--seed", WON, "--json").out)
    shown = lab("solve", "--deal", position, "--show", "--html", tmp_path / "line.html")
    assert shown.out == lab("solve", "storehouse", "--seed", WON, "--show").out
    assert "<title>Storehouse: a position of its own</title>" in (tmp_path / "line.html").read_text()


def test_a_page_is_written_beside_what_is_printed(moves: int, tmp_path: Path) -> None:
    page = tmp_path / "line.html"
    plain = lab("solve", "storehouse", "--seed", WON)
    assert lab("solve", "storehouse", "--seed", WON, "--html", page) == plain
    text = page.read_text(encoding="utf-8")
    assert f"Move {moves} of" not in text, "the script puts that together"
    assert f"A line of play of {moves} moves" in text
    assert "<title>Storehouse: seed 1, lab numbering</title>" in text
    verdict = lab("solve", "storehouse", "--seed", WON, "--html", page, "--json")
    assert len(verdict.json["solution"]) == moves
    assert page.read_text(encoding="utf-8") == text
    assert [path.name for path in tmp_path.iterdir()] == ["line.html"]


def test_a_page_that_can_not_be_written_is_refused_before_anything_is_printed(tmp_path: Path) -> None:
    assert "no such file or directory" in refused("solve", "storehouse", "--seed", WON, "--html", "missing/line.html")
    assert "is a folder" in refused("solve", "storehouse", "--seed", WON, "--html", tmp_path)
    assert tree(tmp_path) == {}


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("solve storehouse --seed 1 --show --json", "Give --show or --json, not both"),
        ("solve --jsonl --show", "leave out --show and --html"),
        ("solve --jsonl --html line.html", "leave out --show and --html"),
    ],
)
def test_options_that_do_not_go_together_exit_with_2(words: str, says: str) -> None:
    result = lab(*words.split())
    assert (result.code, result.out) == (2, "")
    assert says in result.err


# --- in a terminal ----------------------------------------------------------------------------------------------


class Terminal:
    """The command in a terminal of its own."""

    def __init__(self) -> None:
        self._ours, theirs = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "solitaire_lab", "solve", "storehouse", "--seed", str(WON), "--show"],
            env=ENVIRONMENT,
            pass_fds=[theirs],
            # Ctrl-C reaches those whose terminal it is.
            preexec_fn=lambda: os.login_tty(theirs),
        )
        os.close(theirs)
        self.seen = ""

    def until(self, text: str) -> str:
        """What was printed since the last call, up to this text."""
        begin = len(self.seen)
        while text not in self.seen[begin:]:
            assert select.select([self._ours], [], [], 60)[0], self.seen
            self.seen += os.read(self._ours, 4096).decode()
        return self.seen[begin:]

    def press(self, key: str) -> None:
        os.write(self._ours, key.encode())

    def close(self) -> int:
        code = self.process.wait(30)
        os.close(self._ours)
        return code


@pytest.mark.parametrize(("key", "code"), [("q\n", 0), ("Q\n", 0), ("\x04", 0), ("\x03", 130)])
def test_in_a_terminal_enter_goes_on_and_q_ends(key: str, code: int, moves: int) -> None:
    terminal = Terminal()
    try:
        first = terminal.until("quit ")
        assert "The deal\r\n" in first
        assert "Move 1 of" not in first
        terminal.press("\n")
        second = terminal.until("quit ")
        assert f"Move 1 of {moves}:" in second
        assert "Move 2 of" not in second
        terminal.press("\n")
        assert f"Move 2 of {moves}:" in terminal.until("quit ")
        terminal.press(key)
        assert terminal.close() == code
    finally:
        terminal.process.kill()
        terminal.process.wait()
    assert "Move 3 of" not in terminal.seen


def test_a_loss_that_no_search_is_needed_for_is_told_so() -> None:
    """Deal 403 of Wood: its reserve can't be cleared, whatever is played."""
    said = lab("solve", "wood", "--seed", 403, "--budget", 10).out
    assert said == "The deal is lost: no line of play wins, proved without a search.\n"
