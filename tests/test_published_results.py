"""The pages of results/ say what the rows beside them say."""

from __future__ import annotations

from pathlib import Path

import pytest

from solitaire_lab.results.schema import content_hash
from solitaire_lab.results.store import Store
from solitaire_lab.solver.solver import REVISION
from tests.cli.lab import lab

RESULTS = Path(__file__).parents[1] / "results"
FOLDERS = [manifest.parent for manifest in sorted(RESULTS.glob("*/*/manifest.json"))]


def page(folder: Path) -> str:
    return (folder.parent / "README.md").read_text(encoding="utf-8")


def test_there_are_published_results() -> None:
    assert {folder.parent.name for folder in FOLDERS} >= {"decided", "faq", "sources", "storehouse"}


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.parent.name)
def test_rows_are_of_this_revision(folder: Path) -> None:
    assert {planned.cell.solver for planned in Store(folder).manifest().cells} == {REVISION}


@pytest.mark.parametrize("name", ["decided", "sources"])
def test_the_table_of_a_page_is_counted_from_its_rows(name: str) -> None:
    folder = RESULTS / name / "run"
    assert lab("table", folder, "--format", "markdown").out.strip() in page(folder)


def test_the_program_of_the_page_prints_its_table(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(RESULTS.parent)
    text = page(RESULTS / "decided" / "run")
    program = text.split("```python\n")[1].split("```")[0]
    exec(program, {})
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(Store(RESULTS / "decided" / "run").manifest().cells)
    assert set(lines) <= set(text.splitlines())


@pytest.mark.parametrize("name", ["decided/run", "sources/run", "storehouse/first-10000"])
def test_content_hashes_are_those_of_the_rows(name: str) -> None:
    store, told = Store(RESULTS / name), page(RESULTS / name)
    for planned in store.manifest().cells:
        assert content_hash(store.rows(planned.cell.id, seeds=planned.seeds)) in told, planned.cell.label


def test_the_million_begins_with_the_first_10000() -> None:
    """The first deals can't have more wins than the million that they are a part of."""
    (row,) = lab("table", RESULTS / "storehouse" / "first-10000", "--json").json
    assert (row["deals"], row["undecided"]) == (10_000, 0)
    assert abs(row["win"] / 10_000 - 0.438479) < 0.015  # three standard deviations


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("deals", ["", "-10000"])
def test_faq_pages_are_those_of_their_rows(language: str, deals: str) -> None:
    folder = RESULTS / "faq" / f"run{deals}"
    said = lab("faq", folder, "--lang", language, "--format", "markdown").out
    name = {"en": "english", "de": "deutsch"}[language]
    assert said.strip() == (folder.parent / f"{name}{deals}.md").read_text(encoding="utf-8").strip()
