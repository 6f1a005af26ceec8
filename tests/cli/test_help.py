"""Help: complete, in the order of work, with examples that exist, and quick."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys

import click
import pytest

from cli.lab import ROOT, lab
from solitaire_lab.cli import cli
from solitaire_lab.cli.options import DEFAULT_BUDGET_TEXT, DEFAULT_MEMORY_TEXT
from solitaire_lab.cli.studies import FORMATS

COMMANDS = [
    "games",
    "rules",
    "deal",
    "moves",
    "solve",
    "replay",
    "run",
    "status",
    "verify",
    "table",
    "compare",
    "report",
    "plot",
    "faq",
    "query",
    "export",
    "compact",
    "numbers",
    "simulate",
    "bench",
    "doctor",
]
HEAVY = {"duckdb", "matplotlib", "numba", "numpy", "pandas", "pyarrow", "pydantic", "tqdm", "multiprocessing_logging"}


@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_help_lists_the_commands_in_the_order_of_work(flag: str) -> None:
    listing = lab(flag).out.partition("Commands:\n")[2].partition("\n\n")[0]
    assert [line.split()[0] for line in listing.splitlines()] == COMMANDS
    assert "..." not in listing, "a short help is cut off"


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_has_help_with_examples_that_parse(name: str) -> None:
    full = lab(name, "--help")
    assert full.code == 0
    assert lab(name, "-h") == full
    examples = [line.strip() for line in full.out.splitlines() if line.strip().startswith("solitaire-lab ")]
    assert examples
    for example in examples:
        assert_parses(example)


def assert_parses(example: str) -> None:
    """A line of shell uses only commands and options that there are; values are for other tests."""
    for part in example.split(" | "):
        words = shlex.split(re.sub(r"[<>] \S+$", "", part), comments=True)
        assert words[0].endswith("solitaire-lab")
        command = cli.commands[words[1]]
        context = click.Context(command, parent=click.Context(cli, **cli.context_settings))
        _, rest, _ = command.make_parser(context).parse_args(words[2:])
        assert rest == []


@pytest.mark.parametrize(("name", "of_study"), [("run", True), ("solve", False)])
def test_only_a_command_that_takes_a_study_has_defaults_from_it(name: str, of_study: bool) -> None:
    full = " ".join(lab(name, "--help").out.split())
    rest = ", or what the study says" if of_study else ""
    assert f"[default: {DEFAULT_BUDGET_TEXT}{rest}]" in full
    assert f"[default: {DEFAULT_MEMORY_TEXT}{rest}]" in full


def test_no_option_shows_the_name_of_its_type_for_a_value() -> None:
    for name in COMMANDS:
        assert "RANGE" not in lab(name, "--help").out


def test_every_option_is_explained() -> None:
    for name, command in cli.commands.items():
        for parameter in command.params:
            if isinstance(parameter, click.Option):
                assert parameter.help, f"{name} {parameter.opts[0]}"


@pytest.mark.parametrize("words", [[], *([name] for name in COMMANDS)])
def test_help_loads_nothing_heavy(words: list[str]) -> None:
    script = (
        "import json, sys\n"
        "from solitaire_lab.cli import cli\n"
        "try:\n"
        f"    cli({[*words, '--help']!r})\n"
        "except SystemExit:\n"
        "    print(json.dumps(sorted(sys.modules)), file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout.startswith("Usage: ")
    assert not HEAVY & {module.partition(".")[0] for module in json.loads(done.stderr)}


def test_what_help_repeats_from_the_library_is_true() -> None:
    from solitaire_lab.cli import data, winnable
    from solitaire_lab.engine import policies
    from solitaire_lab.reports import difficulty, export, query, render
    from solitaire_lab.results import rows
    from solitaire_lab.solver.solver import DEFAULT_MEMORY
    from solitaire_lab.study import solvable
    from solitaire_lab.study.bench import BUDGET
    from solitaire_lab.study.model import DEFAULT_BUDGET
    from solitaire_lab.study.sizes import parse_size

    assert render.FORMATS == FORMATS
    assert query.FORMATS == data.QUERY_FORMATS
    assert tuple(export.STYLES) == data.EXPORT_FORMATS
    assert str(DEFAULT_BUDGET) == DEFAULT_BUDGET_TEXT
    assert parse_size(DEFAULT_MEMORY_TEXT) == DEFAULT_MEMORY
    assert f"[default: {BUDGET}]" in lab("bench", "--help").out
    assert (winnable.SHUFFLE_BUDGET, winnable.TRIES) == (solvable.BUDGET, solvable.TRIES)
    assert winnable.DAILY_TRIES == solvable.DAILY_TRIES
    assert rows.OUTCOMES == winnable.OUTCOMES
    assert tuple(difficulty.BANDS) == winnable.BANDS
    assert tuple(policies.POLICIES) == winnable.POLICIES


def test_version_is_the_one_of_the_package() -> None:
    from solitaire_lab import __version__

    assert lab("--version").out == f"solitaire-lab, version {__version__}\n"
