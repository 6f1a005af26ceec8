"""``run --precision``, and what ``status`` and ``table`` tell of it."""

from __future__ import annotations

from pathlib import Path

from cli.lab import lab, refused, tree


def test_run_ends_at_the_precision_asked_for(tmp_path: Path) -> None:
    out = tmp_path / "out"
    words = ("run", "storehouse", "--precision", 4, "--deals", 4_000, "--out", out)
    assert "at most 4,000 deals" in lab(*words, "--dry-run").out
    (row,) = lab(*words, "--json").json
    # 999 deals give 3.1 points to either side at most, and none stays open.
    assert (row["deals"], row["complete"], row["precision"], row["asked_seeds"]) == (999, True, 4, "1:4000")
    assert lab("table", out).out == lab(*words).out
    assert "for at most 4,000 deals; with 1,000,000 nodes it is so after 999." in lab("table", out).out
    assert "complete, ended by its precision of 4 points (asked for: 1:4000)" in lab("status", out).out
    (cell,) = lab("status", out, "--json").json
    assert (cell["missing"], cell["seeds"], cell["asked"]) == (0, "1:999", "1:4000")
    assert "0 deals, up to" in lab(*words, "--dry-run").out
    assert lab("verify", out).code == 0


def test_run_says_that_open_deals_put_a_precision_out_of_reach(tmp_path: Path) -> None:
    words = ("run", "storehouse", "--precision", 4, "--deals", 300, "--budget", 2, "--out", tmp_path / "out")
    done = lab(*words)
    assert done.code == 0
    assert "More deals can't change that" in done.out
    as_json = lab(*words, "--json")
    assert "More deals can't change that" in as_json.err
    assert [row["deals"] for row in as_json.json] == [300]


def test_a_study_file_says_how_far_a_precision_may_go(tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_text(
        'name = "x"\nseeds = "1:3000"\nbudgets = { run = 5_000 }\n[[cells]]\ngame = "storehouse"\n'
    )
    (row,) = lab("run", tmp_path / "study.toml", "--precision", 3.5, "--out", tmp_path / "out", "--json").json
    assert (row["deals"], row["asked_seeds"]) == (999, "1:3000")


def test_a_precision_needs_an_end_and_a_value(tmp_path: Path) -> None:
    result = lab("run", "storehouse", "--precision", 0.5, "--out", tmp_path / "out")
    assert (result.code, result.out) == (2, "")
    assert "Give --deals or --seeds with --precision" in result.err
    for points in ("0", "-1", "51", "nan", "inf", "1e-7", "1e-150"):
        assert "is no precision" in refused("run", "storehouse", "--deals", 5, "--precision", points)
    assert "'lots'" in refused("run", "storehouse", "--deals", 5, "--precision", "lots")
    assert tree(tmp_path) == {}
