"""Slots, processors, sizes, counts and the lines that tell of them."""

from __future__ import annotations

import io
import os
import pty
import termios
from pathlib import Path

import pytest

from solitaire_lab.errors import InputError
from solitaire_lab.results.rows import Row
from solitaire_lab.study.cpus import available_cpus, cgroup_limits
from solitaire_lab.study.progress import Bar, Lines, account, default_progress, duration
from solitaire_lab.study.sizes import parse_size
from solitaire_lab.study.slots import DealInWork, Slots
from solitaire_lab.study.tally import Tally
from solitaire_lab.study.toml_lines import key_lines, line_of


class Clock:
    """A clock that stands still until it is set."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def loss(seed: int, nodes: int, seconds: float) -> Row:
    return Row(seed, "loss", None, nodes, "p", None, seconds, None)


# --- slots --------------------------------------------------------------------------------------------------------


def test_a_slot_tells_another_mapping_what_its_worker_does() -> None:
    mine = Slots(2)
    theirs = Slots(2, file=os.dup(mine.file))
    assert mine.deal_in_work(1) is None
    theirs.begin(1, DealInWork(2**40, 999))
    theirs.publish(1, 2**63)
    assert mine.deal_in_work(1) == DealInWork(2**40, 999)
    assert mine.nodes(1) == 2**63
    assert mine.deal_in_work(0) is None
    theirs.end(1)
    assert (mine.deal_in_work(1), mine.nodes(1)) == (None, 0)
    mine.ask_back(0, True)
    assert (theirs.lending(0), theirs.lending(1), theirs.stopping()) == (True, False, False)
    mine.stop()
    assert theirs.stopping()
    for slots in (mine, theirs):
        slots.close()


# --- processors ---------------------------------------------------------------------------------------------------


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


@pytest.mark.parametrize(
    ("lines", "files", "limits"),
    [
        ("0::/a/b\n", {"a/b/cpu.max": "250000 100000\n", "a/cpu.max": "max 100000\n", "cpu.max": "900000 100000"}, [2, 9]),  # noqa: E501
        ("0::/a\n", {"a/cpu.max": "50000 100000\n"}, [1]),
        ("0::/\n", {"cpu.max": "max 100000\n"}, []),
        ("0::/of/the/host\n", {"cpu.max": "300000 100000\n"}, [3]),
        ("0::/a\n", {}, []),
        ("5:cpu,cpuacct:/a\n3:memory:/\n", {"cpu,cpuacct/a/cpu.cfs_quota_us": "400000", "cpu,cpuacct/a/cpu.cfs_period_us": "100000"}, [4]),  # noqa: E501
        ("5:cpu:/a\n", {"cpu/a/cpu.cfs_quota_us": "-1\n", "cpu/a/cpu.cfs_period_us": "100000\n"}, []),
    ],
)  # fmt: skip
def test_limits_of_control_groups_are_found(
    tmp_path: Path, lines: str, files: dict[str, str], limits: list[int]
) -> None:
    write(tmp_path / "proc", lines)
    for name, text in files.items():
        write(tmp_path / "cgroup" / name, text)
    assert list(cgroup_limits(proc=tmp_path / "proc", root=tmp_path / "cgroup")) == limits


def test_no_more_processors_are_used_than_the_affinity_allows() -> None:
    before = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, {min(before)})
        assert available_cpus() == 1
    finally:
        os.sched_setaffinity(0, before)
    assert 1 <= available_cpus() <= len(before)


# --- sizes --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "size"),
    [("256MB", 256_000_000), ("256 MiB", 1 << 28), ("1.5GiB", 3 << 29), ("1_000", 1000), ("2kb", 2000)],
)
def test_a_size_is_read(text: str, size: int) -> None:
    assert parse_size(text) == size


@pytest.mark.parametrize("text", ["", "MB", "12XB", "-1MB", "1.0001kB x", "0.0001kB", "1e3"])
def test_what_is_no_size_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="no size of memory"):
        parse_size(text)


# --- lines of TOML ------------------------------------------------------------------------------------------------


def test_keys_are_found_by_table_and_place() -> None:
    text = 'a = 1\n[t]\nb.c = 2\n[[x]]\n"d.e" = 1\n[[x]]\nd = 2\n[x.y]\nz = 3\n[[x.w]]\nq = 1\n[[x]]\n[[x.w]]\nq = 1\n'
    assert key_lines(text) == {
        ("a",): 1, ("t",): 2, ("t", "b", "c"): 3, ("x", 0): 4, ("x", 0, "d.e"): 5, ("x", 1): 6, ("x", 1, "d"): 7,
        ("x", 1, "y"): 8, ("x", 1, "y", "z"): 9, ("x", 1, "w", 0): 10, ("x", 1, "w", 0, "q"): 11, ("x", 2): 12,
        ("x", 2, "w", 0): 13, ("x", 2, "w", 0, "q"): 14,
    }  # fmt: skip
    assert line_of(("x", 1, "nothing"), key_lines(text)) == 6
    assert line_of(("nothing",), key_lines(text)) is None


# --- counts and lines ---------------------------------------------------------------------------------------------


def test_time_left_lies_between_recent_speed_and_every_deal_taking_its_budget() -> None:
    clock = Clock()
    tally = Tally(100, 100 * 1_000, workers=1, clock=clock)
    assert tally.time_left(0) is None
    clock.now = 10.0
    tally.add([loss(seed, 50, 1.0) for seed in range(20)], budget=1_000)
    left = tally.time_left(0)
    assert left is not None
    # 2 deals and 100 nodes a second; 80 deals and 80,000 nodes are left.
    assert left.low == pytest.approx(40.0)
    assert left.high == pytest.approx(800.0)


def test_only_recent_speed_counts() -> None:
    clock = Clock()
    tally = Tally(1_000, 1_000_000, workers=1, clock=clock)
    for second in range(100):
        clock.now = float(second)
        tally.add([loss(second, 10, 0.1)] * (8 if second < 50 else 2), budget=1_000)
        tally.speed(0)
    assert tally.speed(0)[0] == pytest.approx(2.0, rel=0.1)


def test_a_deal_in_work_counts_towards_nodes_before_any_is_decided() -> None:
    clock = Clock()
    tally = Tally(2, 2_000_000, workers=1, clock=clock)
    clock.now = 1.0
    left = tally.time_left(500_000)
    assert left is not None
    assert left.low == left.high == pytest.approx(3.0)


def test_lines_come_every_few_seconds() -> None:
    clock, stream = Clock(), io.StringIO()
    tally = Tally(1_234, 1_234_000, workers=1, clock=clock)
    lines = Lines(stream, seconds=5.0, clock=clock)
    for clock.now in (0.0, 4.9):
        lines.show(tally, 0)
    assert stream.getvalue() == ""
    tally.add([loss(1, 10, 0.1), loss(2, 10, 0.1)], budget=1_000)
    for clock.now in (5.0, 6.0, 9.9):
        lines.show(tally, 0)
    assert stream.getvalue().startswith("2 of 1,234 deals, 0 won, 2 lost, 0 open, ")
    assert stream.getvalue().endswith(", 4 nodes/s\n")
    assert stream.getvalue().count("\n") == 1


class Unread(io.StringIO):
    """A pipe whose reader has gone."""

    def flush(self) -> None:
        raise BrokenPipeError


def test_lines_that_nobody_reads_are_no_error() -> None:
    Lines(Unread()).note("A remark.")


def test_a_terminal_gets_a_bar_and_a_file_gets_lines(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (25, 120))
    with open(theirs, "w") as terminal, (tmp_path / "log").open("w") as file:
        assert isinstance(default_progress(5, stream=file), Lines)
        bar = default_progress(5, stream=terminal)
        assert isinstance(bar, Bar)
        tally = Tally(5, 5_000, workers=1)
        tally.add([loss(1, 10, 0.1)], budget=1_000)
        bar.show(tally, 0)
        bar.note("A remark.")
        bar.close(tally)
        terminal.flush()
        shown = ""
        while "1/5" not in shown or "remark" not in shown:
            shown += os.read(ours, 100_000).decode()
    os.close(ours)
    assert "1/5 deals, 0 won, 1 lost, 0 open" in shown
    assert "A remark." in shown


@pytest.mark.parametrize(
    ("ceiling", "told"),
    [(100, "10 s left"), (1_000, "10 s to 1 min 40 s left"), (1_010, "at least 10 s left")],
)
def test_an_upper_end_that_helps_nobody_is_left_out(ceiling: int, told: str) -> None:
    clock = Clock()
    tally = Tally(20, ceiling + 100, workers=1, clock=clock)
    clock.now = 10.0
    tally.add([loss(seed, 10, 1.0) for seed in range(10)], budget=10)
    assert told in account(tally, 0).split(", ")


@pytest.mark.parametrize(
    ("columns", "told"),
    [
        (140, ", 20,000 won, 14,690 lost, 0 open, at least 4 min 38 s left, 17.3 M nodes/s"),
        (100, ", 20,000 won, 14,690 lost, 0 open, at least 4 min 38 s left"),
        (80, " deals, at least 4 min 38 s left"),
    ],
)
def test_a_bar_tells_what_a_terminal_has_room_for(columns: int, told: str) -> None:
    clock = Clock()
    tally = Tally(1_000_000, 10**12, workers=2, clock=clock)
    clock.now = 10.0
    won = Row(1, "win", None, 5_000, "p", 3, 0.02, b"abc")
    tally.add([won] * 20_000 + [loss(1, 5_000, 0.02)] * 14_690, budget=10**6)
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (25, columns))
    with open(theirs, "w") as terminal:
        Bar(1_000_000, terminal).close(tally)
        terminal.flush()
        shown = ""
        while told not in shown:
            shown += os.read(ours, 100_000).decode()
    os.close(ours)
    drawn = shown.partition(told)[0].rpartition("\r")[2] + told
    assert len(drawn) < columns


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.2, "0 s"), (59.4, "59 s"), (59.6, "1 min"), (3599, "59 min 59 s"), (3600, "1 h"), (90_000, "1 d 1 h")],
)
def test_durations_are_said_in_two_units(seconds: float, text: str) -> None:
    assert duration(seconds) == text
