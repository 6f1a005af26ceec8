"""Runs in the background, and their worker processes."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]


@contextlib.contextmanager
def background(out: Path, seeds: str, *, new_group: bool = False, **options: Any) -> Iterator[subprocess.Popen[str]]:
    """The script on a study of one cell; killed at the end if it still runs."""
    process = subprocess.Popen(
        [sys.executable, "tests/study/script.py", str(out), seeds, json.dumps(options)],
        cwd=ROOT,
        env={"PYTHONPATH": str(ROOT), "PATH": ""},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        process_group=0 if new_group else None,
    )
    try:
        yield process
    except BaseException as error:
        process.kill()
        error.add_note("".join(process.communicate()))
        raise
    finally:
        process.kill()
        process.communicate()


def wait_until(true: Callable[[], bool], *, seconds: float) -> None:
    """Wait until something is true.

    Raises:
        AssertionError: it is not after so many seconds.
    """
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, f"still not so after {seconds} s"
        time.sleep(0.01)


def children(pid: int) -> list[int]:
    """The processes that the main thread of a process has started."""
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def alive(pid: int) -> bool:
    """Whether a process runs; one that only waits to be reaped doesn't."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
