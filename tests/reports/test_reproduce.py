"""What a report says about making a study again, done."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
from cli.lab import lab
from hypothesis import given
from hypothesis import strategies as st

from solitaire_lab import __version__
from solitaire_lab.errors import InputError
from solitaire_lab.reports.reproduce import solve_command, study_text, unfinished_note, versions
from solitaire_lab.results.manifest import Manifest
from solitaire_lab.results.rows import SeedRange
from solitaire_lab.results.store import Store
from solitaire_lab.study.config import load_study
from tests.reports.studies import lost, part, write_study
from tests.results.samples import rewrite

ODD = 'pass "2"\\ \t\n\x7f <i> é \N{PLAYING CARD ACE OF SPADES} #'


def again(manifest: Manifest, folder: Path) -> Manifest:
    """The cells that the text of a study asks for."""
    path = folder / "study.toml"
    path.write_text(study_text(manifest), encoding="utf-8")
    study = load_study(path)
    return Manifest(study.name, tuple(cell.planned for cell in study.cells))


def test_the_text_of_a_study_asks_for_the_same_cells(tmp_path: Path) -> None:
    manifest = Manifest(
        ODD,
        (
            part([lost(1, 1)]).planned,
            part([lost(1, 1)], label=ODD, settings={"stock.redeals": "unlimited", "tableau.columns": 5}).planned,
            part([lost(7, 1)], game="yukon", seeds=SeedRange(7, 99), budgets={"deal": 5, "long run": 10**12}).planned,
            part([lost(2**64 - 1, 1)], game="shamrocks", label="kings", settings={"deal.kings": "swap"}).planned,
            part([lost(1, 1)], label="pysol", numbering="pysol").planned,
        ),
    )
    assert again(manifest, tmp_path) == manifest


def test_what_cells_share_is_written_once(tmp_path: Path) -> None:
    manifest = Manifest("same", tuple(part([lost(1, 1)], label=label).planned for label in "abc"))
    text = study_text(manifest)
    assert [text.count(key) for key in ("seeds = ", "numbering = ", "budgets = ", "memory = ")] == [1, 1, 1, 1]
    assert again(manifest, tmp_path) == manifest


@given(name=st.text(st.characters(exclude_categories=["Cs"]), min_size=1))
def test_any_label_survives(tmp_path_factory: pytest.TempPathFactory, name: str) -> None:
    manifest = Manifest(name, (part([lost(1, 1)], label=name).planned,))
    assert again(manifest, tmp_path_factory.mktemp("study")) == manifest


def test_the_command_for_a_deal_decides_it_again(tmp_path: Path) -> None:
    study = tmp_path / "study.toml"
    study.write_text(
        'name = "again"\nseeds = "1:12"\nbudgets = { run = 8 }\nmemory = "2MiB"\n[[cells]]\ngame = "storehouse"\n'
        'numbering = "pysol"\nset = { stock.redeals = "unlimited", tableau.moves = "whole" }\n'
    )
    lab("run", study, "--out", tmp_path / "out")
    rows = lab("table", tmp_path / "out", "--json").json
    assert rows[0]["undecided"] > 0
    assert rows[0]["win"] + rows[0]["loss"] > 0
    store = Store(tmp_path / "out")
    (planned,) = store.manifest().cells
    for row in store.read_block(planned.cell.id, 0):
        words = shlex.split(solve_command(planned, row.seed))
        assert words[0] == "solitaire-lab"
        answer = json.loads(lab(*words[1:], "--json").out)
        assert (answer["outcome"], answer["reason"], answer["nodes"]) == (row.outcome, row.reason, row.nodes)


@pytest.mark.parametrize(
    "words",
    [
        "storehouse --seeds 1:30",
        "storehouse --seeds 5:30 --set stock.redeals=unlimited --numbering pysol --budget 8 --memory 2MiB",
        "storehouse-en --deals 30 --precision 0.5",
    ],
)
def test_an_unfinished_run_of_a_game_is_told_with_the_command_that_goes_on(words: str, tmp_path: Path) -> None:
    store = Store(tmp_path / "out")
    lab("run", *words.split(), "--out", store.path)
    assert unfinished_note(store) is None
    assert lab("table", store.path).err == ""
    manifest, table = store.manifest(), lab("table", store.path).out
    next(store.path.glob("cells/*/rows-*.parquet")).unlink()
    note = unfinished_note(store)
    assert note is not None
    assert lab("table", store.path).err == f"{note}\n"
    deals = manifest.cells[0].seeds.count
    said, _, command = note.partition("; this command goes on: solitaire-lab ")
    most = "at most " if "precision" in words else ""
    assert said == f"The study 'storehouse' is unfinished: 0 of {most}{deals} deals are done"
    assert command.partition(" --memory ")[2].split()[0] == ("2MiB" if "2MiB" in words else "256MiB")
    assert lab(*shlex.split(command)).code == 0
    assert store.manifest() == manifest
    assert lab("table", store.path) == (0, table, "")


def test_an_unfinished_study_file_is_told_with_its_folder(tmp_path: Path) -> None:
    seeds = SeedRange(1, 1_005)
    store = write_study(tmp_path / "out", part([lost(1, 1)], seeds=seeds), part([], game="fan", seeds=seeds))
    assert unfinished_note(store) == (
        f"The study {store.manifest().study!r} is unfinished: 1 of 2,010 deals are done; the command that began it "
        f"goes on: solitaire-lab run STUDY.toml --out {store.path}"
    )


def test_versions_are_those_in_the_footers_each_once(tmp_path: Path) -> None:
    first = part([lost(1, 1), lost(1_001, 1)])
    store = write_study(tmp_path, first, part([lost(1, 1)], game="fan"))
    (only,) = versions(store)
    assert only["solitaire-lab"] == __version__
    path = store.block_path(first.planned.cell.id, 1)
    rewrite(path, lambda table: table, versions=json.dumps({"solitaire-lab": "0.0.1"}))
    assert sorted(entry["solitaire-lab"] for entry in versions(store)) == ["0.0.1", __version__]
    rewrite(path, lambda table: table, versions="no JSON")
    with pytest.raises(InputError, match="its footer is incomplete"):
        versions(store)


def test_nothing_stored_has_no_versions(tmp_path: Path) -> None:
    assert versions(write_study(tmp_path, part([], seeds=SeedRange(1, 5)))) == []
