"""``compare``: two cells, or all, and what the exit code tells."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import pytest

from cli.lab import lab, refused
from solitaire_lab.cli.studies import FORMATS
from tests.reports.test_compare import LOOSE, STRICT, a_store, cell

STUDY = (
    'name = "passes"\nseeds = "1:200"\nbudgets = { deal = 2, run = 100_000 }\n'
    '[[grid]]\ngame = "storehouse"\nset = { "stock.redeals" = [0, 1, "unlimited"] }\n'
)
NONE, ONE, ANY = (f"storehouse stock.redeals={number}" for number in (0, 1, "unlimited"))


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A real study of rules that are ordered."""
    folder = tmp_path_factory.mktemp("compare")
    (folder / "study.toml").write_text(STUDY)
    assert lab("run", folder / "study.toml", "--out", folder / "out").code == 0
    return folder / "out"


def wins(out: Path, *words: Any) -> dict[str, int]:
    return {row["label"]: row["win"] for row in lab("table", out, "--json", *words).json}


def test_the_comparison_agrees_with_the_table(out: Path) -> None:
    done = lab("compare", out, NONE, ANY, "--json")
    pair, won = done.json, wins(out)
    assert done.code == 0
    assert sum(pair["outcomes"]["win"].values()) == won[NONE]
    assert sum(row["win"] for row in pair["outcomes"].values()) == won[ANY]
    # No deal is open, and what one pass wins many win: all differing deals are gained.
    assert (pair["order"], pair["lost"], len(pair["gained"])) == ("stricter", [], won[ANY] - won[NONE])
    assert pair["difference"] == pytest.approx((won[ANY] - won[NONE]) / 200)
    assert pair["low"] < pair["difference"] < pair["high"]


def test_each_deal_that_differs_is_decided_so_by_solve(out: Path) -> None:
    pair = lab("compare", out, NONE, ONE, "--json").json
    for seed in pair["gained"][:5]:
        for redeals, outcome in ((0, "loss"), (1, "win")):
            words = ("solve", "storehouse", "--set", f"stock.redeals={redeals}", "--seed", seed, "--json")
            assert lab(*words).json["outcome"] == outcome


def test_cells_are_named_by_label_or_id(out: Path) -> None:
    ids = {row["label"]: row["cell"] for row in lab("table", out, "--json").json}
    by_id = lab("compare", out, ids[NONE][:12], ids[ONE]).out
    assert by_id == lab("compare", out, NONE, ONE).out


def test_a_budget_may_be_named_or_counted(out: Path) -> None:
    by_name = lab("compare", out, NONE, ANY, "--budget", "deal", "--json").json
    assert by_name == lab("compare", out, NONE, ANY, "--budget", 2, "--json").json
    assert sum(by_name["outcomes"]["win"].values()) == wins(out, "--budget", "deal")[NONE]
    assert by_name["outcomes"]["loss"]["undecided"] > 0


def test_all_pairs_make_a_matrix(out: Path) -> None:
    done = lab("compare", out, "--all")
    assert done.code == 0
    assert "3 of 3 pairs are ordered by strictness; no verdict contradicts another." in done.out
    pairs = lab("compare", out, "--all", "--json").json
    assert [(pair["a"]["label"], pair["b"]["label"]) for pair in pairs] == [(NONE, ONE), (NONE, ANY), (ONE, ANY)]
    assert pairs[1] == lab("compare", out, NONE, ANY, "--json").json


@pytest.mark.parametrize("style", FORMATS)
def test_every_format_tells_the_same(out: Path, style: str) -> None:
    pair = lab("compare", out, NONE, ONE, "--json").json
    text = lab("compare", out, NONE, ONE, "--format", style).out
    assert str(pair["gained"][0]) in text
    assert str(pair["outcomes"]["loss"]["loss"]) in text
    if style == "csv":
        (line,) = csv.DictReader(io.StringIO(text))
        assert int(line["loss_win"]) == len(pair["gained"])
        assert len(list(csv.DictReader(io.StringIO(lab("compare", out, "--all", "--format", "csv").out)))) == 3
    if style == "json":
        assert lab("compare", out, NONE, ONE, "--format", "json").json == pair


def test_verdicts_that_contradict_each_other_exit_with_4(tmp_path: Path) -> None:
    a_store(tmp_path / "wrong", (STRICT, "lwwl"), (LOOSE, "wlwl"))
    for words in (("strict", "loose"), ("loose", "strict"), ("--all",)):
        done = lab("compare", tmp_path / "wrong", *words)
        assert done.code == 4
        assert "A verdict is wrong!" in done.out
        assert "1 deal: 2." in done.out.partition("A verdict is wrong!")[2]
    assert lab("compare", tmp_path / "wrong", "strict", "loose", "--json").json["impossible"] == [2]
    assert lab("compare", tmp_path / "wrong", "strict", "loose", "--budget", 3).code == 0


def test_pairs_that_are_left_out_are_told_beside_data(tmp_path: Path) -> None:
    a_store(tmp_path / "three", (STRICT, "ww"), (LOOSE, "ww"), (cell("other", numbering="pysol"), "ww"))
    for style in FORMATS:
        done = lab("compare", tmp_path / "three", "--all", "--format", style)
        told = "2 pairs are left out: a seed is another shuffle in each numbering."
        assert (done.code, told in done.err, told in done.out) == (
            0,
            style in ("csv", "json"),
            style not in ("csv", "json"),
        )
    assert "another shuffle" in refused("compare", tmp_path / "three", "strict", "other")


def test_wrong_words_are_refused(out: Path, tmp_path: Path) -> None:
    assert "no cell of this study" in refused("compare", out, NONE, "nobody")
    assert "are one cell" in refused("compare", out, NONE, NONE)
    assert "is no folder" in refused("compare", tmp_path / "nowhere", "a", "b")
    assert "There is no budget 'hint'" in refused("compare", out, NONE, ONE, "--budget", "hint")
    assert "'pdf'" in refused("compare", out, NONE, ONE, "--format", "pdf")
    a_store(tmp_path / "alone", (STRICT, "ww"))
    assert "one cell only" in refused("compare", tmp_path / "alone", "--all")


@pytest.mark.parametrize("words", [(), (NONE,), (NONE, ONE, ANY), (NONE, ONE, "--all")])
def test_two_cells_or_all_are_named(out: Path, words: tuple[str, ...]) -> None:
    result = lab("compare", out, *words)
    assert (result.code, result.out) == (2, "")
    assert "Name two cells, or give --all" in result.err
