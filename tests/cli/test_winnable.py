"""``deal --solvable`` and ``--daily``, ``numbers`` and ``simulate``."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from cli.lab import lab, popen, refused, tree
from tests.study.background import children, wait_until

# Of Storehouse by the ``lab`` numbering: 3, 4 and 5 are lost, 6 can be won.
LOST, THEN_WON = 3, 6


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a command wrote by mistake would be in the working folder."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Forty deals of Storehouse, by PySolFC's numbers."""
    folder = tmp_path_factory.mktemp("results") / "pysol"
    assert lab("run", "storehouse", "--numbering", "pysol", "--deals", 40, "--out", folder).code == 0
    return folder


# --- deal -------------------------------------------------------------------------------------------------------


def test_solvable_shuffles_until_a_deal_is_proved() -> None:
    verdicts = [lab("solve", "storehouse", "--seed", n, "--json").json for n in range(LOST, THEN_WON + 1)]
    assert [verdict["outcome"] for verdict in verdicts] == ["loss", "loss", "loss", "win"]
    found = lab("deal", "storehouse", "--solvable", "--seed", LOST)
    assert found.code == 0
    assert found.out == lab("deal", "storehouse", "--seed", THEN_WON).out
    shuffles = [line for line in found.err.splitlines() if line.startswith("Shuffle ")]
    assert [line.split(", ")[1].split(":")[0] for line in shuffles] == ["seed 3", "seed 4", "seed 5", "seed 6"]
    assert [line.split(": ")[1].split()[0] for line in shuffles] == ["loss", "loss", "loss", "win"]
    assert found.err.splitlines()[-1] == "Seed 6 can be won; found in 4 shuffles. All before it are lost."


def test_solvable_begins_with_1() -> None:
    first = lab("deal", "storehouse", "--solvable", "--numbering", "pysol", "--json")
    assert "Shuffle 1, seed 1:" in first.err
    assert first.json["seed"] >= 1
    assert lab("solve", "--deal", "-", "--json", stdin=first.out).json["outcome"] == "win"


def test_what_may_not_be_the_first_is_told() -> None:
    found = lab("deal", "storehouse", "--solvable", "--budget", 3)
    assert found.code == 0
    assert "were left undecided, so that another budget or a later solver may find another deal" in found.err


def test_no_winnable_deal_exits_with_4_and_prints_none() -> None:
    none = lab("deal", "storehouse", "--solvable", "--seed", LOST, "--tries", 3)
    assert (none.code, none.out) == (4, "")
    assert none.err.splitlines()[-1] == (
        "Error: No winnable deal was found in 3 shuffles (all are lost, whatever the budget); give more --tries or "
        "another --seed."
    )
    assert " in 1 shuffle (it is lost, " in lab("deal", "storehouse", "--solvable", "--seed", LOST, "--tries", 1).err


def test_a_larger_budget_is_advised_where_it_may_help() -> None:
    none = lab("deal", "storehouse", "--solvable", "--tries", 1, "--budget", 3)
    assert none.code == 4
    assert "undecided after 3 nodes); give more --tries or a larger --budget." in none.err


def test_a_day_without_a_winnable_deal_has_no_more_shuffles() -> None:
    # A column that can't be moved, and no stock: no deal of these is won.
    lost = ("--set", "tableau.build=none", "--set", "stock.redeals=0", "--set", "spaces.after=none")
    none = lab("deal", "storehouse", "--daily", "2026-12-31", *lost)
    assert none.code == 4
    assert none.err.splitlines()[-1].endswith("in 100 shuffles (all are lost, whatever the budget); give another day.")
    fewer = lab("deal", "storehouse", "--daily", "2026-12-31", "--tries", 2, *lost)
    assert fewer.err.endswith("give more --tries or another day.\n")


def test_the_deal_of_a_day_is_the_same_for_everyone() -> None:
    daily = lab("deal", "storehouse", "--daily", "2026-12-31", "--json")
    solvable = lab("deal", "storehouse", "--solvable", "--seed", 2026123100, "--json")
    assert daily == solvable
    assert 2026123100 <= daily.json["seed"] <= 2026123199
    assert lab("deal", "storehouse", "--daily", "2027-01-01", "--json").json["seed"] >= 2027010100
    assert lab("deal", "storehouse", "--solvable", "--daily", "2026-12-31", "--json") == daily


def test_rules_hold_for_shuffles() -> None:
    rules = ("--set", "stock.redeals=unlimited", "--json")
    found = lab("deal", "storehouse", "--solvable", "--seed", LOST, *rules).json
    assert found["set"] == {"stock.redeals": "unlimited"}
    assert lab("solve", "storehouse", "--seed", found["seed"], *rules).json["outcome"] == "win"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("deal storehouse --daily tomorrow", ["'tomorrow' is no date", "2026-12-31"]),
        ("deal storehouse --daily 2026-02-30", ["'2026-02-30' is no date"]),
        ("deal storehouse --daily 2026-12-31 --tries 101", ["101 tries", "1 to 100"]),
        ("deal storehouse --solvable --tries 0", ["0 tries", "1 to 1000000"]),
        ("deal storehouse --solvable --budget 0", ["0 is no budget"]),
        ("deal storehouse --solvable --seed -1", ["Seed -1", "0 to"]),
        (
            "deal storehouse --solvable --seed 18446744073709551600",
            ["100 shuffles from seed 18446744073709551600", "16"],
        ),
        ("deal storehouse --solvable --seed 18446744073709551616", ["Seed 18446744073709551616 names no deal"]),
        ("deal klondike --daily 2148-01-01 --numbering solvitaire", ["no deal of 2148-01-01", "2147483647"]),
        ("deal storehouse --daily 2148-01-01 --numbering lap", ["'lap' is no numbering"]),
        ("deal storehose --solvable", ["'storehose'", "storehouse"]),
        ("deal storehouse --solvable --numbering solvitaire", ["solvitaire numbering has no deals"]),
        ("simulate storehose --policy greedy", ["'storehose'", "storehouse"]),
        ("simulate storehouse --policy best", ["'best'", "random", "greedy"]),
        ("simulate storehouse --policy greedy --deals 0", ["0 deals", "1 or more"]),
        ("simulate storehouse --policy greedy --deals 10000001", ["10000001 deals", "10000000"]),
        (f"simulate storehouse --policy greedy --deals {10**30}", ["So many deals", "10000000"]),
        ("simulate storehouse --policy greedy --plays 0", ["0 plays", "1 to"]),
        ("simulate storehouse --policy greedy --play-seed -1", ["-1 is no seed of plays"]),
        ("simulate storehouse --policy greedy --workers 0", ["0 workers", "1 to"]),
        ("simulate storehouse --policy greedy --seeds 5:1", ["5:1", "1:100"]),
        ("simulate storehouse --policy greedy --numbering solvitaire", ["solvitaire numbering has no deals"]),
        ("numbers missing", ["missing is no folder"]),
        ("numbers missing --outcome won", ["'won'", "undecided"]),
        ("numbers missing --difficulty fiendish", ["'fiendish'", "hard"]),
    ],
)
def test_a_wrong_word_is_refused(words: str, says: list[str], tmp_path: Path) -> None:
    complaint = refused(*words.split())
    for text in says:
        assert text in complaint
    assert tree(tmp_path) == {}


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("deal storehouse", "Missing option '--seed'"),
        ("deal storehouse --seed 1 --daily 2026-12-31", "Give --seed or --daily, not both"),
        ("deal storehouse --seed 1 --tries 5", "go with --solvable or --daily"),
        ("deal storehouse --seed 1 --budget 5", "go with --solvable or --daily"),
        ("simulate storehouse", "Missing option '--policy'"),
        ("simulate storehouse --policy greedy --deals 5 --seeds 1:5", "not both"),
        ("numbers results --outcome loss --difficulty easy", "only won deals have one"),
        ("numbers", "Missing argument"),
    ],
)
def test_options_that_do_not_go_together_exit_with_2(words: str, says: str) -> None:
    result = lab(*words.split())
    assert (result.code, result.out) == (2, "")
    assert says in result.err


# --- numbers ----------------------------------------------------------------------------------------------------


def test_numbers_are_printed_as_pysolfc_reads_them(results: Path) -> None:
    by_outcome = {
        outcome: lab("numbers", results, "--outcome", outcome, "--numbering", "pysol")
        for outcome in ("win", "loss", "undecided")
    }
    assert {result.code for result in by_outcome.values()} == {0}
    seeds = {outcome: [int(line) for line in result.out.splitlines()] for outcome, result in by_outcome.items()}
    assert sorted(seeds["win"] + seeds["loss"]) == list(range(1, 41))
    assert by_outcome["undecided"].out == ""
    assert by_outcome["undecided"].err.startswith("0 deals of storehouse, pysol numbering: undecided")
    for seed in seeds["win"][:3]:
        verdict = lab("solve", "storehouse", "--numbering", "pysol", "--seed", seed, "--json").json
        assert verdict["outcome"] == "win"
    (row,) = lab("table", results, "--json").json
    assert (row["win"], row["loss"]) == (len(seeds["win"]), len(seeds["loss"]))


def test_numbers_default_to_all_wins(results: Path) -> None:
    everything = lab("numbers", results)
    assert everything.out == lab("numbers", results, "--outcome", "win", "--cell", "storehouse").out
    some = lab("numbers", results, "--seeds", "1:10").out.splitlines()
    assert some == [line for line in everything.out.splitlines() if int(line) <= 10]
    fewer = lab("numbers", results, "--budget", 5).out.splitlines()
    assert set(fewer) < set(everything.out.splitlines())


def test_numbers_of_another_numbering_are_refused(results: Path) -> None:
    complaint = refused("numbers", results, "--numbering", "microsoft")
    assert "pysol numbering, not of microsoft" in complaint


def test_numbers_tell_what_they_are_on_standard_error_only(results: Path) -> None:
    told = lab("numbers", results).err
    assert told.strip().endswith("deals of storehouse, pysol numbering: win within 1,000,000 nodes.")


def test_numbers_of_one_difficulty(results: Path) -> None:
    chosen = ("numbers", results, "--seeds", "1:8", "--difficulty")
    easy = lab(*chosen, "easy", "--json")
    wins = lab("numbers", results, "--seeds", "1:8", "--json").json
    assert [row["seed"] for row in easy.json] == [row["seed"] for row in wins]
    assert {row["difficulty"] for row in easy.json} == {"easy"}
    assert list(easy.json[0]) == ["seed", "nodes", "solution_length", "greedy", "random", "difficulty"]
    assert "win within 1,000,000 nodes; easy to play: greedy play wins at least half of its plays." in easy.err
    hard = lab(*chosen, "hard", "--workers", 1)
    assert (hard.code, hard.out) == (0, "")
    assert lab(*chosen, "hard", "--json").json == []


# --- simulate ---------------------------------------------------------------------------------------------------


def test_simulate_counts_what_a_policy_wins() -> None:
    greedy = lab("simulate", "storehouse", "--policy", "greedy", "--deals", 30, "--json").json
    assert (greedy["deals"], greedy["plays"], greedy["seeds"]) == (30, 30, "1:30")
    assert greedy["share"] == greedy["won"] / 30
    assert greedy["low"] < greedy["share"] < greedy["high"]
    winnable = sum(lab("solve", "storehouse", "--seed", n, "--json").json["outcome"] == "win" for n in range(1, 31))
    assert 0 < greedy["won"] <= winnable
    random = lab("simulate", "storehouse", "--policy", "random", "--deals", 30, "--json").json
    assert random["won"] < greedy["won"]


def test_simulate_is_the_same_for_any_number_of_workers_and_other_for_another_seed() -> None:
    def moves(*options: object) -> float:
        chosen = ("simulate", "storehouse", "--policy", "random", "--seeds", "5:9", "--plays", 6, "--json")
        return float(lab(*chosen, *options).json["mean_moves"])

    assert moves("--workers", 1) == moves("--workers", 2) == moves()
    assert moves("--play-seed", 1) != moves()


def test_simulate_says_whose_chance_it_is() -> None:
    text = lab("simulate", "storehouse", "--policy", "greedy", "--seeds", "6:6", "--set", "stock.redeals=0").out
    assert text.startswith("Greedy play wins ")
    assert "of 1 plays of storehouse stock.redeals=0" in text
    assert "not the share of deals that can be won" in text


def test_ctrl_c_ends_plays_with_130() -> None:
    with popen("simulate", "spider", "--policy", "random", "--deals", 1_000_000, "--workers", 2) as process:
        wait_until(lambda: len(children(process.pid)) == 2, seconds=60)
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 130
        out, err = process.communicate()
    assert (out, err) == ("", "Stopped.\n")


def test_there_is_no_bar_where_there_is_no_terminal() -> None:
    with popen("simulate", "storehouse", "--policy", "random", "--deals", 5) as process:
        out, err = process.communicate(timeout=60)
    assert err == ""
    assert out.startswith("Random play wins ")
