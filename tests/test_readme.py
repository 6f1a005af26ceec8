"""What the README says can be done, can be done."""

from __future__ import annotations

import re
import shlex
import shutil
import tomllib
from pathlib import Path

import pytest
from cli.lab import lab
from cli.test_help import assert_parses

from solitaire_lab.results.cell import Cell
from solitaire_lab.rules.catalog import resolve
from solitaire_lab.solver.solver import DEFAULT_MEMORY, REVISION

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def test_its_commands_exist() -> None:
    lines = [line for block in blocks("") for line in block.splitlines() if line.startswith("solitaire-lab ")]
    lines += re.findall(r"`(solitaire-lab [a-z][^`]*)`", README)
    assert len(lines) > 8
    for line in lines:
        assert_parses(line)


def test_its_first_command_runs_the_study_of_the_table() -> None:
    (command,) = [line for block in blocks("") for line in block.splitlines() if "pip install ." in line]
    run = command.rpartition(" && ")[2]
    assert_parses(run)
    study = tomllib.loads((ROOT / run.split()[-1]).read_text(encoding="utf-8"))
    assert study["seeds"].replace("_", "") == "1:100000"
    table = blocks("")[0]
    assert "100,000" in table
    assert f"solver: revision {REVISION};" in table
    cell = Cell.from_game(resolve("storehouse"), numbering="lab", label="storehouse", memory=DEFAULT_MEMORY)
    assert cell.id[:12] in table


def test_its_study_and_its_program_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (study,) = blocks("toml")
    Path("study.toml").write_text(study)
    assert len(lab("run", "study.toml", "--deals", 20, "--json").json) == 4
    (program,) = blocks("python")
    exec(compile(program, "README.md", "exec"), {})
    assert lab("table", "results/two-passes", "--json").json[0]["deals"] == 1000


@pytest.mark.slow
def test_its_tour_can_be_typed_from_top_to_bottom(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(ROOT / "configs", tmp_path / "configs")
    shutil.copytree(ROOT / "results" / "faq", tmp_path / "results" / "faq")
    monkeypatch.chdir(tmp_path)
    (tour,) = [block for block in blocks("") if "solitaire-lab games" in block]
    for line in tour.splitlines():
        _, *words = shlex.split(line, comments=True)
        done = lab(*words)
        assert (done.code, done.out + done.err != "") == (0, True), (line, done)
