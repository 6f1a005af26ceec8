"""``run``, ``status``, ``verify``, ``table`` and ``bench``: each option by its effect."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cli.lab import lab, refused, tree
from solitaire_lab.results.manifest import Manifest
from solitaire_lab.results.rows import SeedRange
from solitaire_lab.results.store import Store

COUNTS = ("label", "deals", "win", "loss", "undecided")


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out"


def counts(row: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(row[name] for name in COUNTS)


def test_run_prints_the_table_that_table_prints(out: Path) -> None:
    done = lab("run", "storehouse", "--deals", 200, "--out", out)
    assert done.code == 0
    assert "200 deals decided" in done.err
    again = lab("table", out)
    assert again.out == done.out
    (row,) = lab("table", out, "--json").json
    assert {"game", "label", "deals", "win", "loss", "undecided", "low", "high", "budget"} <= row.keys()
    assert row["deals"] == row["win"] + row["loss"] + row["undecided"] == 200
    assert row["low"] < row["win"] / 200 < row["high"]


def test_run_goes_on_where_it_was(out: Path) -> None:
    lab("run", "storehouse", "--deals", 100, "--out", out)
    before = tree(out)
    repeated = lab("run", "storehouse", "--deals", 100, "--out", out)
    assert "0 deals decided" in repeated.err
    assert tree(out) == before
    assert "50 deals decided" in lab("run", "storehouse", "--deals", 150, "--out", out).err


def test_run_tells_of_the_deals_asked_for_where_more_were_planned(out: Path) -> None:
    lab("run", "storehouse", "--deals", 13, "--out", out)
    store = Store(out)
    (planned,) = store.manifest().cells
    store.write_manifest(Manifest("storehouse", (replace(planned, seeds=SeedRange(1, 1_000)),)))
    done = lab("run", "storehouse", "--deals", 5, "--out", out)
    assert "0 deals decided" in done.err
    (row,) = lab("run", "storehouse", "--deals", 5, "--out", out, "--json").json
    assert (row["seeds"], row["deals"]) == ("1:5", 5)
    assert "counted are the deals asked for now, 1:5" in done.out
    assert lab("table", out, "--json").json[0]["deals"] == 0


def test_run_without_out_writes_to_results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert lab("run", "storehouse", "--deals", 5).code == 0
    assert (tmp_path / "results" / "storehouse-run" / "manifest.json").exists()


def test_seeds_and_deals_choose_the_deals(out: Path, tmp_path: Path) -> None:
    lab("run", "storehouse", "--seeds", "1:60", "--out", out)
    (whole,) = lab("table", out, "--json").json
    parts = []
    for number, seeds in enumerate(("1:25", "26:60")):
        (row,) = lab("run", "storehouse", "--seeds", seeds, "--out", tmp_path / str(number), "--json").json
        assert row["seeds"] == seeds
        parts.append(row["win"])
    assert sum(parts) == whole["win"]


def test_a_table_at_a_smaller_budget_is_that_of_a_run_with_it(out: Path, tmp_path: Path) -> None:
    lab("run", "storehouse", "--deals", 300, "--out", out)
    (filtered,) = lab("table", out, "--budget", 2, "--json").json
    (run,) = lab("run", "storehouse", "--deals", 300, "--budget", 2, "--out", tmp_path / "small", "--json").json
    assert counts(filtered) == counts(run)
    assert run["undecided"] > 0
    (larger,) = lab("run", "storehouse", "--deals", 300, "--out", tmp_path / "small", "--json").json
    (at_once,) = lab("table", out, "--json").json
    assert larger == at_once


def test_workers_and_start_methods_change_no_row(tmp_path: Path) -> None:
    def table(*words: Any) -> Any:
        return lab("run", "storehouse", "--deals", 120, "--json", *words).json

    one = table("--out", tmp_path / "one", "--workers", 1)
    assert table("--out", tmp_path / "two", "--workers", 2) == one
    assert table("--out", tmp_path / "spawned", "--workers", 2, "--start-method", "spawn") == one


def test_rules_and_numbering_change_the_rows(tmp_path: Path) -> None:
    def wins(name: str, *words: str) -> Any:
        (row,) = lab("run", "storehouse", "--deals", 100, "--out", tmp_path / name, "--json", *words).json
        return row["win"]

    default = wins("default")
    assert wins("one-pass", "--set", "stock.redeals=0") < default
    # The English rules decide every deal alike.
    assert wins("en", "--variant", "en") == default
    (row,) = lab("table", tmp_path / "en", "--json").json
    assert row["set"]["tableau.moves"] == "whole"
    (row,) = lab("run", "storehouse", "--deals", 9, "--numbering", "pysol", "--out", tmp_path / "p", "--json").json
    assert row["numbering"] == "pysol"


def test_memory_ends_a_deal_and_retry_takes_it_up_again(out: Path) -> None:
    hard = ("run", "storehouse-free", "--set", "tableau.build=alternating", "--seeds", "3:3", "--out", out, "--json")
    (row,) = lab(*hard, "--memory", "1MiB", "--budget", "1_000_000_000").json
    assert (row["undecided_memory"], row["memory"]) == (1, 2**20)
    again = ("--memory", "1MiB", "--budget", "1_000_000_000", "--retry", "crashed,memory")
    assert "0 deals decided" in lab(*hard, *again[:-2]).err
    assert "1 deal decided" in lab(*hard, *again).err


def test_dry_run_tells_what_is_left_and_writes_nothing(out: Path) -> None:
    words = ("run", "storehouse", "--deals", 80, "--out", out, "--dry-run")
    assert "80 deals" in lab(*words).out
    assert not out.exists()
    lab("run", "storehouse", "--deals", 30, "--out", out)
    before = tree(out)
    (plan,) = lab(*words, "--json").json
    assert plan["todo"] == 50
    assert tree(out) == before


def test_dry_run_tells_what_differs_from_the_rules_of_the_game(out: Path) -> None:
    words = ("run", "storehouse", "--deals", 5, "--dry-run", "--out", out)
    assert "(game: storehouse; rules: the game's own; numbering: lab)" in lab(*words).out
    variant = lab(*words, "--variant", "en", "--numbering", "pysol").out
    assert variant.startswith("storehouse-en: 5 deals")
    assert "rules: tableau.moves=whole spaces.while_reserve=manual spaces.after=waste; numbering: pysol)" in variant


def test_a_study_file_with_a_grid_makes_a_table_of_cells(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "study.toml").write_text(
        'name = "passes"\nseeds = "1:40"\nbudgets = { deal = 2, hint = 5_000 }\n'
        '[[grid]]\ngame = "storehouse"\nset = { "stock.redeals" = [0, 1, 2, "unlimited"] }\n'
    )
    rows = lab("run", "study.toml", "--json").json
    assert [row["label"].rpartition("=")[2] for row in rows] == ["0", "1", "2", "unlimited"]
    wins = [row["win"] for row in rows]
    # A stricter rule's win is a looser rule's win.
    assert wins == sorted(wins)
    by_name, by_nodes = (lab("table", "results/passes-run", "--budget", word, "--json").json for word in ("deal", "2"))
    assert by_name == by_nodes
    assert sum(row["undecided"] for row in by_name) > sum(row["undecided"] for row in rows)
    small = lab("run", "study.toml", "--deals", 10, "--budget", 100, "--out", "small", "--json").json
    assert {(row["deals"], row["budget"]) for row in small} == {(10, 100)}


def test_a_study_file_may_leave_seeds_and_budget_to_the_command_line(tmp_path: Path) -> None:
    study = tmp_path / "study.toml"
    study.write_text('name = "open"\n[[cells]]\ngame = "storehouse"\n')
    words = ("run", study, "--out", tmp_path / "out", "--dry-run", "--json")
    assert "--seeds" in refused(*words, "--budget", 50)
    assert "--budget" in refused(*words, "--seeds", "1:9")
    (plan,) = lab(*words, "--seeds", "1:9", "--budget", 50).json
    assert (plan["todo"], plan["budget"]) == (9, 50)


def test_deals_of_a_study_file_without_seeds_are_counted_from_1(tmp_path: Path) -> None:
    study = tmp_path / "bare.toml"
    study.write_text('name = "bare"\nbudgets = { run = 100 }\n[[cells]]\ngame = "storehouse"\n')
    (row,) = lab("run", study, "--deals", 10, "--out", tmp_path / "out", "--json").json
    assert (row["seeds"], row["deals"]) == ("1:10", 10)
    assert "It has no seeds" in refused("run", study, "--out", tmp_path / "out")


def test_a_study_file_whose_ending_is_left_out_is_offered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("g.toml").write_text("")
    assert "There is no game 'g'; did you mean the study g.toml?" in refused("run", "g")
    assert "g.toml" not in refused("run", "gg")


def test_numbers_may_be_written_as_tables_print_them(out: Path) -> None:
    words = ("run", "storehouse", "--out", out, "--dry-run", "--json")
    for deals in ("--deals=2,000", "--deals=2_000", "--seeds=1:2,000", "--seeds=1:2_000"):
        (plan,) = lab(*words, deals, "--budget", "1,000,000").json
        assert (plan["todo"], plan["budget"]) == (2_000, 1_000_000)


def test_status_tells_what_is_missing(out: Path) -> None:
    lab("run", "storehouse", "--deals", 100, "--out", out)
    assert "100 of 100" in lab("status", out).out
    (cell,) = lab("status", out, "--json").json
    assert (cell["stored"], cell["missing"]) == (100, 0)
    (rows,) = out.glob("cells/*/rows-*.parquet")
    rows.unlink()
    (cell,) = lab("status", out, "--json").json
    assert (cell["stored"], cell["missing"]) == (0, 100)
    assert "100 to do" in lab("status", out).out


def test_verify_passes_what_run_wrote_and_fails_what_is_missing(out: Path) -> None:
    lab("run", "storehouse", "--deals", 100, "--out", out)
    sound = lab("verify", out, "--sample", 7)
    assert sound.code == 0
    (row,) = lab("table", out, "--json").json
    report = lab("verify", out, "--sample", 7, "--json").json
    assert (report["wins_replayed"], report["losses_proved"], report["sound"]) == (row["win"], 7, True)
    next(out.glob("cells/*/solutions-*.parquet")).unlink()
    assert lab("verify", out).code == 4


@pytest.mark.parametrize("style", ["text", "markdown", "csv", "json", "latex", "html"])
def test_every_format_tells_the_same_counts(style: str, out: Path, tmp_path: Path) -> None:
    lab("run", "storehouse", "--deals", 60, "--out", out)
    lab("run", "storehouse", "--deals", 40, "--set", "stock.redeals=0", "--out", tmp_path / "second")
    rows = lab("table", out, tmp_path / "second", "--json").json
    assert [row["deals"] for row in rows] == [60, 40]
    text = lab("table", out, tmp_path / "second", "--format", style).out
    for row in rows:
        assert str(row["win"]) in text
        assert row["cell"][:12] in text
    if style == "csv":
        assert [int(row["win"]) for row in csv.DictReader(io.StringIO(text))] == [row["win"] for row in rows]
    if style == "json":
        assert lab("table", out, tmp_path / "second", "--format", "json").json == rows


def test_bench_measures_a_real_run() -> None:
    (speed,) = lab("bench", "storehouse", "--seconds", 0.3, "--json").lines
    assert speed["game"] == "storehouse"
    assert speed["deals_per_second"] == pytest.approx(speed["deals"] / speed["solving_seconds"])
    assert 0 <= speed["not_solving"] < 1
    # Every deal of Storehouse is decided, by the only phase of its search; any machine meets some positions.
    assert speed["phases"] == {"depth-first": speed["deals"]}
    assert speed["positions_per_second"] > 1_000
    # Workers can't search for longer than they ran.
    assert speed["solving_seconds"] <= speed["seconds"] * speed["workers"]
    assert speed["million_seconds"] * speed["workers"] * speed["deals_per_second"] == pytest.approx(1e6)
    told = lab("bench", "storehouse", "--seconds", 0.1).out
    assert re.search(r"^storehouse .* ([0-9]+ (d|h|min|s) ?)+  depth-first [0-9,]+$", told, re.MULTILINE)
