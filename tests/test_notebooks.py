"""The notebooks run, say what is true, and are the same as the plain Python files beside them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jupytext
import nbformat
import pytest
from nbclient import NotebookClient

FOLDER = Path(__file__).parents[1] / "notebooks"
NAMES = ("compare_rule_variants", "how_much_budget_is_enough", "regenerate_the_faq")

# What a notebook must say on the way, whatever else it prints.
SAYS = {
    "compare_rule_variants": [
        "the rules of the first cell are stricter than those of the second",
        "0 lost, verdicts without contradiction: True",
        "2 passes: loss",
        "3 passes: win",
    ],
    "how_much_budget_is_enough": ["200 deals decided", "points to either side"],
    "regenerate_the_faq": ["180 deals decided and 0 found stored", "the game is won: True"],
}

FIGURES = {"compare_rule_variants": 1, "how_much_budget_is_enough": 1}


def notebook(name: str) -> Any:
    return nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)


def cells(book: Any) -> list[tuple[str, str]]:
    return [(cell.cell_type, cell.source) for cell in book.cells]


def test_every_notebook_has_its_plain_file_and_is_known_here() -> None:
    for ending in ("ipynb", "py"):
        assert sorted(path.stem for path in FOLDER.glob(f"*.{ending}")) == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_and_its_plain_file_are_in_step(name: str) -> None:
    book, plain = notebook(name), jupytext.read(FOLDER / f"{name}.py")
    assert cells(book) == cells(plain)
    assert book.metadata.jupytext.formats == plain.metadata.jupytext.formats == "ipynb,py:percent"
    assert book.metadata.kernelspec == plain.metadata.kernelspec


@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_is_stored_without_outputs(name: str) -> None:
    for cell in notebook(name).cells:
        assert not cell.get("outputs")
        assert cell.get("execution_count") is None


@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_calls_the_library_and_not_the_shell(name: str) -> None:
    code = [source for kind, source in cells(notebook(name)) if kind == "code"]
    assert any("from solitaire_lab." in source for source in code)
    for source in code:
        assert not any(line.startswith(("!", "%")) for line in source.splitlines())
        assert "subprocess" not in source
        assert "solitaire_lab.cli" not in source


@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_runs_and_writes_only_where_it_says(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "work").mkdir()
    (tmp_path / "temporary").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    book = notebook(name)
    NotebookClient(book, timeout=250, resources={"metadata": {"path": str(tmp_path / "work")}}).execute()
    printed = "".join(
        output.text for cell in book.cells for output in cell.get("outputs", ()) if output.output_type == "stream"
    )
    for text in SAYS[name]:
        assert text in printed
    drawn = [
        output for cell in book.cells for output in cell.get("outputs", ()) if "image/png" in output.get("data", ())
    ]
    assert len(drawn) == FIGURES.get(name, 0)
    assert list((tmp_path / "work").iterdir()) == []
    assert list((tmp_path / "temporary").glob("solitaire-lab-*/**/manifest.json"))
