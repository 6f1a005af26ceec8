"""Running the command line from tests, in this process or in one of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

from click.testing import CliRunner

from solitaire_lab.cli import cli

ROOT = Path(__file__).parents[2]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}
"""For processes that work in another folder."""


class Result(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def lines(self) -> list[Any]:
        return [json.loads(line) for line in self.out.splitlines()]


def lab(*args: Any, stdin: str | bytes = "") -> Result:
    """Run a command in this process; an exception that it lets through comes through here."""
    result = CliRunner().invoke(cli, [str(arg) for arg in args], input=stdin, prog_name="solitaire-lab")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return Result(result.exit_code, result.stdout, result.stderr)


def refused(*args: Any, stdin: str | bytes = "", code: int = 1) -> str:
    """Run a command that must refuse its input: nothing on standard output, one complaint on standard error."""
    result = lab(*args, stdin=stdin)
    assert result.code == code, result
    assert result.out == ""
    assert_complaint(result.err)
    return result.err


def assert_complaint(err: str) -> None:
    """Standard error holds one complaint, a sentence or a list of mistakes, and no traceback."""
    assert err.startswith("Error: ")
    assert err.count("Error: ") == 1
    assert "Traceback" not in err
    assert err.splitlines()[0][-1] in ".?:", err


def popen(*args: Any, **options: Any) -> subprocess.Popen[str]:
    """Start a command in a process of its own, with pipes."""
    pipes: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    command = [sys.executable, "-m", "solitaire_lab", *map(str, args)]
    return subprocess.Popen(command, text=True, env=ENVIRONMENT, **{**pipes, **options})


def lab_process(*args: Any, stdin: str = "", **options: Any) -> Result:
    """Run a command in a process of its own."""
    with popen(*args, **options) as process:
        out, err = process.communicate(stdin, timeout=120)
    return Result(process.returncode, out, err)


def tree(folder: Path) -> dict[str, bytes | None]:
    """Everything in a folder: files with their content, folders with None."""
    return {str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None for path in folder.rglob("*")}
