"""``games``, ``rules``, ``deal``, ``moves``, ``solve`` and ``replay``."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from cli.lab import lab, lab_process

PYSOL_1 = {
    "game": "storehouse",
    "set": {},
    "numbering": "pysol",
    "seed": 1,
    "base": "2",
    "foundations": [["2C"], ["2D"], ["2H"], ["2S"]],
    "tableau": [["9D"], ["KS"], ["3H"], ["KH"]],
    "reserve": [
        ["<JD>", "<9H>", "<JC>", "<5D>", "<7H>", "<7C>", "<5H>", "<KD>", "<KC>", "<9S>", "<5S>", "<AD>", "QC"],
    ],
    "cells": [],
    "waste": [],
    "redeals_used": 0,
    "stock": [
        "QD",
        "JS",
        "AS",
        "AH",
        "3C",
        "4C",
        "5C",
        "TS",
        "QH",
        "4H",
        "AC",
        "4D",
        "7S",
        "3S",
        "TD",
        "4S",
        "TH",
        "8H",
        "JH",
        "7D",
        "6D",
        "8S",
        "8D",
        "QS",
        "6C",
        "3D",
        "8C",
        "TC",
        "6S",
        "9C",
        "6H",
    ],
}
"""What PySolFC deals as game 100, number 1; its waste, which PySolFC begins with a card, is turned back."""

# Of Storehouse by the ``lab`` numbering; what the engine says of them is checked below.
WON, LOST = 1, 3


@pytest.fixture
def position(tmp_path: Path) -> Path:
    """A file with the position of ``WON``."""
    path = tmp_path / "position.json"
    path.write_text(lab("deal", "storehouse", "--seed", WON, "--json").out)
    return path


@pytest.fixture
def line(tmp_path: Path) -> Path:
    """A file with what ``solve --json`` prints for ``WON``."""
    path = tmp_path / "line.json"
    path.write_text(lab("solve", "storehouse", "--seed", WON, "--json").out)
    return path


def test_games_lists_other_names_and_variants() -> None:
    assert "Thirteen Up" in lab("games").out
    storehouse = next(game for game in lab("games", "--json").json if game["name"] == "storehouse")
    assert storehouse["aliases"] == ["Thirteen Up", "Provisions", "Straight Up", "The Reserve"]
    assert "storehouse-en" in storehouse["variants"]


def test_rules_tell_what_is_set() -> None:
    assert "three times" in lab("rules", "Thirteen Up").out
    without = lab("rules", "storehouse", "--set", "stock.redeals=0", "--json").json
    assert without["rules"]["stock.redeals"] == 0
    assert without["set"] == {"stock.redeals": 0}
    assert lab("rules", "storehouse", "--variant", "en", "--json").json["rules"]["tableau.moves"] == "whole"


def test_deal_shows_the_board_of_pysolfc() -> None:
    assert lab("deal", "storehouse", "--seed", 1, "--numbering", "pysol", "--json").json == PYSOL_1
    board = lab("deal", "storehouse", "--seed", 1, "--numbering", "pysol").out
    assert "\nReserve: <JD> <9H> <JC> <5D> <7H> <7C> <5H> <KD> <KC> <9S> <5S> <AD> QC\n" in board
    assert board.endswith("\n9D\nKS\n3H\nKH\n")


def test_moves_of_a_position(position: Path) -> None:
    turn = [{"from": "stock", "to": "waste", "cards": ["8C"]}]
    assert lab("moves", position, "--json").json == turn
    assert lab("moves", stdin=position.read_text()).out == "1. stock -> waste  8C\n"


def test_a_deal_its_json_and_its_board_are_decided_alike(position: Path, tmp_path: Path) -> None:
    board = tmp_path / "board.txt"
    board.write_text(lab("deal", "storehouse", "--seed", WON).out)
    by_seed = lab("solve", "storehouse", "--seed", WON, "--json").json
    assert lab("solve", "--deal", position, "--json").json == by_seed
    assert lab("solve", "storehouse", "--deal", position, "--json").json == by_seed
    assert lab("solve", "storehouse", "--deal", board, "--json").json == by_seed
    assert lab("solve", "--deal", "-", "--json", stdin=position.read_text()).json == by_seed


def test_solve_says_what_was_found() -> None:
    won = lab("solve", "storehouse", "--seed", WON)
    solution = lab("solve", "storehouse", "--seed", WON, "--json").json["solution"]
    assert won.code == 0
    assert f"in {len(solution)} moves" in won.out
    assert won.out.splitlines()[-1].split()[0] == f"{len(solution)}."
    assert re.search(r"^ *4\. Move the 4 of spades from the waste to column 1\.$", won.out, re.MULTILINE)
    assert f"Move 4 of {len(solution)}: Move the 4 of spades" in lab("solve", "storehouse", "--seed", WON, "--show").out
    lost = lab("solve", "storehouse", "--seed", LOST)
    assert lost.code == 0
    assert "lost" in lost.out


def test_solve_stops_at_its_budget_and_its_memory() -> None:
    hard = ("storehouse-free", "--set", "tableau.build=alternating", "--seed", 3)
    short = lab("solve", *hard, "--budget", 100, "--json").json
    assert (short["outcome"], short["reason"], short["nodes"]) == ("undecided", "nodes", 100)
    small = lab("solve", *hard, "--memory", "1MiB", "--budget", "1_000_000_000", "--json").json
    assert (small["outcome"], small["reason"], small["solution"]) == ("undecided", "memory", None)
    assert "a larger --budget" in lab("solve", *hard, "--budget", 100).out
    assert "more --memory" in lab("solve", *hard, "--memory", "1MiB", "--budget", "1_000_000_000").out


def test_options_change_the_deal_and_the_rules() -> None:
    def verdicts(*options: str) -> list[str]:
        return [lab("solve", "storehouse", "--seed", n, "--json", *options).json["outcome"] for n in range(1, 21)]

    three_passes = verdicts()
    assert three_passes.count("win") > verdicts("--set", "stock.redeals=0").count("win")
    assert verdicts("--variant", "en") == three_passes
    assert verdicts("--numbering", "pysol") != three_passes


def test_replay_accepts_what_solve_prints(line: Path, position: Path, tmp_path: Path) -> None:
    moves = json.loads(line.read_text())["solution"]
    bare = tmp_path / "moves.json"
    bare.write_text(json.dumps(moves))
    for given in (line, bare):
        won = lab("replay", "storehouse", "--seed", WON, "--moves", given)
        assert won == (0, f"Legal: {len(moves)} moves. The game is won.\n", "")
    report = lab("replay", "--deal", position, "--moves", line, "--json").json
    assert report == {"legal": True, "wins": True, "moves": len(moves), "error": None}


def test_replay_fails_for_a_line_that_does_not_win(line: Path, tmp_path: Path) -> None:
    short = tmp_path / "short.json"
    short.write_text(json.dumps(json.loads(line.read_text())["solution"][:-1]))
    result = lab("replay", "storehouse", "--seed", WON, "--moves", short)
    assert result.code == 4
    assert "not won" in result.out
    other_deal = lab("replay", "storehouse", "--seed", LOST, "--moves", line, "--json")
    assert other_deal.code == 4
    assert other_deal.json["legal"] is False
    assert other_deal.json["error"].startswith("Move ")


def test_replay_names_the_move_that_is_not_legal(line: Path, tmp_path: Path) -> None:
    moves = json.loads(line.read_text())["solution"]
    moves[4] = {"from": "tableau:0", "to": "tableau:1", "cards": ["KC"]}
    wrong = tmp_path / "wrong.json"
    wrong.write_text(json.dumps(moves))
    result = lab("replay", "storehouse", "--seed", WON, "--moves", wrong)
    assert (result.code, result.out) == (4, "")
    assert result.err.startswith("Error: Move 5: ")


def stream(*records: Any) -> str:
    return "".join(f"{record if isinstance(record, str) else json.dumps(record)}\n" for record in records)


def test_jsonl_answers_line_by_line_and_goes_on_after_a_bad_one() -> None:
    doubled = {**PYSOL_1, "waste": ["9D"]}
    given = stream(PYSOL_1, "no json", doubled, PYSOL_1)
    for command in ("moves", "solve"):
        result = lab(command, "--jsonl", stdin=given)
        first, no_json, bad, last = result.lines
        assert result.code == 1
        assert first == last
        assert (no_json["line"], bad["line"]) == (2, 3)
        assert "9D" in bad["error"]
    assert lab("moves", "--jsonl", stdin=stream(PYSOL_1)).code == 0
    (verdict,) = lab("solve", "--jsonl", stdin=stream(PYSOL_1)).lines
    assert list(verdict) == ["outcome", "reason", "nodes", "phase", "solution"]


@pytest.mark.parametrize(
    "line",
    [b"\xff\xfe", b"", b"[]", b"3", b'"storehouse"', b"[" * 100_000, b"9" * 5_000, b'{"game": 7}', b"NaN", b"null"],
)
def test_no_line_stops_the_stream(line: bytes) -> None:
    good = json.dumps(PYSOL_1).encode()
    result = lab("moves", "--jsonl", stdin=line + b"\n" + good + b"\n")
    bad, answer = result.lines
    assert (result.code, bad["line"]) == (1, 1)
    assert bad["error"][-1] in ".?"
    assert answer


def test_solve_shows_a_compiling_remark_at_most_on_standard_error() -> None:
    result = lab_process("solve", "storehouse", "--seed", WON, "--json")
    assert result.code == 0
    assert result.json["outcome"] == "win"
