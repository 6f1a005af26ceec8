"""``report`` and ``plot``: whole files or none, and a sentence for every mistake."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from cli.lab import ENVIRONMENT, assert_complaint, lab, refused, tree
from solitaire_lab.cli import report as commands
from solitaire_lab.results.manifest import Manifest
from solitaire_lab.results.rows import SeedRange
from solitaire_lab.results.store import Store
from tests.reports.studies import lost, part, won, write_study

ROWS = [won(1, 3, 20), lost(2, 1), lost(3, 0)]


@pytest.fixture
def study(tmp_path: Path) -> Path:
    write_study(tmp_path / "study", part(ROWS), part(ROWS, label="one pass", settings={"stock.redeals": 0}))
    return tmp_path / "study"


def test_report_writes_a_page_and_nothing_else(study: Path, tmp_path: Path) -> None:
    before = tree(study)
    page = tmp_path / "page.html"
    done = lab("report", study, "--out", page)
    assert (done.code, done.err) == (0, "")
    assert "2 cells" in done.out
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert tree(study) == before
    assert {path.name for path in tmp_path.iterdir()} == {"study", "page.html"}


def test_report_replaces_an_older_page(study: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("old")
    lab("report", study, "--out", page)
    first = page.read_bytes()
    lab("report", study, "--out", page)
    assert page.read_bytes() == first != b"old"


def test_report_on_a_run_that_has_just_ended(tmp_path: Path) -> None:
    lab("run", "storehouse", "--deals", 50, "--out", tmp_path / "out")
    (row,) = lab("table", tmp_path / "out", "--json").json
    lab("report", tmp_path / "out", "--out", tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert f'<td class="number">{row["win"]}</td><td class="number">{row["loss"]}</td>' in page


@pytest.mark.parametrize("kind", commands.KINDS)
@pytest.mark.parametrize(("ending", "begins"), [("png", b"\x89PNG\r\n"), ("svg", b"<?xml"), ("SVG", b"<?xml")])
def test_plot_writes_the_format_that_the_name_tells(
    kind: str, ending: str, begins: bytes, study: Path, tmp_path: Path
) -> None:
    out = tmp_path / f"figure.{ending}"
    assert lab("plot", study, kind, "--out", out).code == 0
    assert out.read_bytes().startswith(begins)


def test_plot_draws_the_cells_that_are_named(study: Path, tmp_path: Path) -> None:
    out = tmp_path / "figure.svg"

    def shown(*words: str) -> set[str]:
        lab("plot", study, "bars", "--out", out, *words)
        text = out.read_text(encoding="utf-8")
        return {label for label in ("storehouse", "one pass") if f">{label}<" in text}

    assert shown() == {"storehouse", "one pass"}
    assert shown("--cell", "one pass") == {"one pass"}
    assert shown("--cell", "one pass", "--cell", "storehouse") == {"storehouse", "one pass"}
    assert "'two passes' means no cell" in refused("plot", study, "bars", "--out", out, "--cell", "two passes")


@pytest.mark.parametrize("words", [("report",), ("plot", "bars")])
def test_a_file_that_tells_no_format_is_refused(words: tuple[str, ...], study: Path, tmp_path: Path) -> None:
    before = tree(tmp_path)
    command, *kind = words
    for name in ("page", "page.txt", "study/manifest.json", ".html", ""):
        message = refused(command, study, *kind, "--out", tmp_path / name if name else "")
        assert "give a name such as" in message
    assert tree(tmp_path) == before


@pytest.mark.parametrize(("words", "name"), [(("report",), "x.html"), (("plot", "bars"), "x.png")])
def test_a_file_that_cannot_be_written_is_refused(
    words: tuple[str, ...], name: str, study: Path, tmp_path: Path
) -> None:
    command, *kind = words
    (tmp_path / name).mkdir()
    before = tree(tmp_path)
    assert "is a folder" in refused(command, study, *kind, "--out", tmp_path / name)
    assert "can't be written" in refused(command, study, *kind, "--out", tmp_path / "none" / name)
    assert tree(tmp_path) == before


@pytest.mark.parametrize(("words", "name"), [(("report",), "x.html"), (("plot", "bars"), "x.png")])
def test_a_folder_without_results_is_refused(words: tuple[str, ...], name: str, tmp_path: Path) -> None:
    command, *kind = words
    out = tmp_path / name
    assert "is no folder" in refused(command, tmp_path / "none", *kind, "--out", out)
    assert "has no manifest.json" in refused(command, tmp_path, *kind, "--out", out)
    assert not out.exists()


@pytest.mark.parametrize("begun", [True, False])
def test_a_study_with_nothing_to_show_says_so(begun: bool, tmp_path: Path) -> None:
    store = Store(tmp_path / "study")
    if begun:
        write_study(tmp_path / "study", part([], seeds=SeedRange(1, 5)))
    else:
        with store.lock():
            store.write_manifest(Manifest("study", ()))
    page, figure = tmp_path / "page.html", tmp_path / "figure.svg"
    assert lab("report", store.path, "--out", page).code == 0
    sentence = "No deal is counted yet" if begun else "This study has no cells"
    assert sentence in page.read_text(encoding="utf-8")
    if begun:
        assert lab("plot", store.path, "curve", "--out", figure).code == 0
        assert sentence in figure.read_text(encoding="utf-8")
    else:
        assert "the study has no cells" in refused("plot", store.path, "curve", "--out", figure)
        assert not figure.exists()


@pytest.mark.parametrize(("words", "name"), [(("report",), "x.html"), (("plot", "bars"), "x.png")])
def test_without_the_extra_a_sentence_names_it(words: tuple[str, ...], name: str, study: Path, tmp_path: Path) -> None:
    command, *kind = words
    script = "import sys; sys.modules['matplotlib'] = None; from solitaire_lab.cli import main; main()"
    arguments = [command, str(study), *kind, "--out", str(tmp_path / name)]
    done = subprocess.run([sys.executable, "-c", script, *arguments], capture_output=True, text=True, env=ENVIRONMENT)
    assert done.returncode == 1
    assert_complaint(done.stderr)
    assert "pip install 'solitaire-lab[plot]'" in done.stderr
    assert not (tmp_path / name).exists()


def test_the_kinds_and_formats_are_those_of_the_library() -> None:
    from solitaire_lab.reports import charts, plots

    assert commands.KINDS == charts.KINDS
    assert commands.IMAGES == plots.FORMATS
