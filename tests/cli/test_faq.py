"""``faq``: a real study in both languages and all formats, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.lab import lab, refused, tree
from solitaire_lab.cli import faq
from solitaire_lab.rules.catalog import resolve
from solitaire_lab.study.solvable import find_solvable

STUDY = """
name = "small"
seeds = "1:60"
budgets = { deal = 5, hint = 2_000 }
[[cells]]
game = "storehouse"
[[cells]]
game = "canfield"
"""


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("faq")
    (folder / "study.toml").write_text(STUDY)
    assert lab("run", folder / "study.toml", "--out", folder / "out").code == 0
    return folder / "out"


def test_answers_have_the_numbers_of_the_tables(out: Path) -> None:
    before = tree(out)
    for record, *rows in zip(
        lab("faq", out, "--json").json,
        lab("table", out, "--budget", "deal", "--json").json,
        lab("table", out, "--budget", "hint", "--json").json,
        strict=True,
    ):
        for search, row in zip(record["searches"], rows, strict=True):
            for name in ("deals", "win", "loss", "undecided", "low", "high", "budget"):
                assert search[name] == row[name]
        (first,) = [said["text"] for said in record["statements"] if said["id"] == "F1"]
        assert "60 shuffled deals" in first
    assert tree(out) == before


@pytest.mark.parametrize(("language", "word"), [("en", "shuffled deals"), ("de", "gemischte Partien")])
def test_languages_and_formats(out: Path, language: str, word: str) -> None:
    text = lab("faq", out, "--lang", language).out
    markdown = lab("faq", out, "--lang", language, "--format", "markdown").out
    assert f"60 {word} Storehouse" in text or f"60 {word} of Storehouse" in text
    assert text.startswith("Storehouse\n")
    assert markdown.startswith("## Storehouse\n")
    assert word in markdown
    assert {record["language"] for record in lab("faq", out, "--lang", language, "--json").json} == {language}


@pytest.mark.parametrize("tries", [-1, 0, 1_000_001, 10**30])
def test_tries_have_a_limit(out: Path, tries: int) -> None:
    assert f"{tries} tries are not possible; give 1 to 1000000." in refused("faq", out, "--tries", tries)


def test_shuffles_are_those_of_deal_solvable(out: Path) -> None:
    (record, _) = lab("faq", out, "--tries", 4, "--json").json
    needed, ran_out, seed = [0] * 4, 0, 1
    while seed <= 60:
        found = find_solvable(resolve("storehouse"), seed=seed, budget=5, tries=min(4, 61 - seed))
        if found.found:
            needed[len(found.attempts) - 1] += 1
        elif len(found.attempts) == 4:
            ran_out += 1
        seed = found.seed + 1
    assert min(sum(needed), ran_out) > 0
    assert (record["shuffles"]["needed"], record["shuffles"]["ran_out"]) == (needed, ran_out)


def test_one_game_other_searches_and_fewer_tries(out: Path) -> None:
    (record,) = lab("faq", out, "--game", "Thirteen Up", "--deal-budget", 3, "--hint-budget", 50, "--json").json
    assert record["game"] == "storehouse"
    assert [search["budget"] for search in record["searches"]] == [3, 50]
    (record,) = lab("faq", out, "--game", "storehouse", "--tries", 1, "--json").json
    # Every shuffle is a board of its own.
    assert record["shuffles"]["boards"] == 60
    assert record["shuffles"]["ran_out"] == 60 - record["searches"][0]["win"]


def test_a_study_of_one_deal_and_one_budget(tmp_path: Path) -> None:
    lab("run", "storehouse", "--deals", 1, "--out", tmp_path / "out")
    for language in ("en", "de"):
        done = lab("faq", tmp_path / "out", "--lang", language)
        assert done.code == 0
        assert done.err == ""


def test_a_study_of_which_nothing_is_stored(tmp_path: Path) -> None:
    lab("run", "storehouse", "--deals", 3, "--out", tmp_path / "out")
    for path in (tmp_path / "out").glob("cells/*/*.parquet"):
        path.unlink()
    done = lab("faq", tmp_path / "out")
    assert done.code == 0
    assert "That is not known yet." in done.out
    assert "seeds none of 1:3, unfinished" in done.out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--game", "chess"], "'chess' in this study; it has storehouse, canfield."),
        (["--deal-budget", "quick"], "There is no budget 'quick' in cell 'storehouse'; it has deal = 5, hint = 2000."),
        (["--hint-budget", "2001"], "was run with 2000 nodes"),
        (["--deal-budget", "2000"], "must be the shorter"),
        (["--tries", "0"], "give 1 to 1000000"),
        (["--lang", "nl"], "nl"),
        (["--format", "html"], "html"),
    ],
)
def test_what_the_study_has_not_is_refused(out: Path, words: list[str], says: str) -> None:
    assert says in refused("faq", out, *words)


def test_a_folder_that_is_none_is_refused(tmp_path: Path) -> None:
    assert "is no folder" in refused("faq", tmp_path / "nowhere")
    assert "has no manifest.json" in refused("faq", tmp_path)


def test_what_help_repeats_from_the_library_is_true() -> None:
    from solitaire_lab.reports.faq import page
    from solitaire_lab.reports.faq.shuffles import TRIES

    assert (faq.LANGUAGES, faq.FORMATS, faq.TRIES) == (page.LANGUAGES, page.FORMATS, TRIES)
