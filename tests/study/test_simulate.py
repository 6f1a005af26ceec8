"""Simulated plays: the same for any number of workers, and nothing left behind when they are stopped."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from solitaire_lab.deals.dealing import deal
from solitaire_lab.engine.engine import Engine
from solitaire_lab.engine.policies import play_out, policy_of
from solitaire_lab.errors import InputError
from solitaire_lab.rules.catalog import resolve
from solitaire_lab.study import simulate as module
from solitaire_lab.study.simulate import Simulation, play_chance, simulate
from tests.study.background import ROOT, alive, children, wait_until

GAME = resolve("three-blind-mice")
SEEDS = range(1, 9)


def counts(played: Simulation) -> list[list[int]]:
    return [played.wins.tolist(), played.given_up.tolist(), played.moves.tolist()]


def one_after_another(seeds: Any, *, policy: str, plays: int, play_seed: int = 0) -> list[list[int]]:
    """What ``simulate`` counts, play by play."""
    engine = Engine(GAME.rules)
    wins, given_up, moves = ([0] * len(seeds) for _ in range(3))
    for (place, seed), number in product(enumerate(seeds), range(plays)):
        position = engine.settle(deal(GAME, numbering="lab", seed=seed))
        play = play_out(engine, position, policy_of(policy, engine), play_chance(play_seed, seed, number))
        wins[place] += play.won
        given_up[place] += not play.won and not play.stuck
        moves[place] += len(play.moves)
    return [wins, given_up, moves]


@pytest.mark.parametrize("policy", ["random", "greedy"])
@pytest.mark.parametrize("plays", [1, 3, 25])
def test_plays_are_counted_deal_by_deal(policy: str, plays: int) -> None:
    seeds = SEEDS if plays < 25 else range(1, 3)
    played = simulate(GAME, policy=policy, seeds=seeds, plays=plays, workers=1)
    assert counts(played) == one_after_another(seeds, policy=policy, plays=plays)
    assert (played.total, played.won) == (len(seeds) * plays, sum(played.wins))
    assert played.seeds.tolist() == list(seeds)


@pytest.mark.parametrize(("method", "workers"), [("fork", 2), ("fork", 3), ("spawn", 2)])
def test_any_number_of_workers_counts_the_same(method: str, workers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "default_start_method", lambda: method)
    played = simulate(GAME, policy="random", seeds=SEEDS, plays=12, play_seed=2**64 - 1, workers=workers)
    assert counts(played) == one_after_another(SEEDS, policy="random", plays=12, play_seed=2**64 - 1)


def test_a_deal_is_played_alike_whatever_else_is_played() -> None:
    whole = simulate(GAME, policy="random", seeds=SEEDS, plays=4, workers=1)
    part = simulate(GAME, policy="random", seeds=[7, 2], plays=4, workers=1)
    assert counts(part) == [[row[6], row[1]] for row in counts(whole)]


def test_the_seed_of_plays_chooses_other_plays() -> None:
    first, other = (simulate(GAME, policy="random", seeds=SEEDS, play_seed=seed, workers=1) for seed in (0, 1))
    assert counts(first) != counts(other)
    assert counts(other) == one_after_another(SEEDS, policy="random", plays=1, play_seed=1)


def test_no_two_plays_share_their_random_numbers() -> None:
    names = [*product((0, 1, 2**64 - 1), (0, 1, 2**32, 2**64 - 1), (0, 1, 2**32 - 1))]
    assert len({play_chance(*name).random() for name in names}) == len(names)


def test_progress_tells_every_play() -> None:
    told: list[int] = []
    simulate(GAME, policy="random", seeds=SEEDS, plays=13, workers=2, progress=told.append)
    assert sum(told) == 8 * 13


def test_no_deal_is_no_play() -> None:
    played = simulate(GAME, policy="random", seeds=[])
    assert (played.total, played.won, counts(played)) == (0, 0, [[], [], []])


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"workers": 0}, "0 workers are not possible; give 1 to"),
        ({"workers": 5_000}, "5000 workers are not possible"),
        ({"plays": 0}, "0 plays of a deal are not possible; give 1 to"),
        ({"plays": 2**32}, "4294967296 plays of a deal are not possible"),
        ({"seeds": range(10_000_001)}, "10000001 deals are not possible"),
        ({"seeds": range(2**64)}, "So many deals are not possible; give 0 to 10000000"),
        ({"play_seed": -1}, "-1 is no seed of plays"),
        ({"play_seed": 2**64}, "18446744073709551616 is no seed of plays"),
        ({"policy": "best"}, "'best' is no policy; there are random, greedy"),
        ({"seeds": [1, 2, 1]}, "A deal is given twice"),
        ({"seeds": [-1]}, "Seed -1 names no deal"),
        ({"numbering": "pyslo"}, "'pyslo' is no numbering"),
        ({"numbering": "solvitaire"}, "The solvitaire numbering has no deals for three-blind-mice"),
    ],
)
def test_what_is_not_possible_is_refused(options: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError, match=says):
        simulate(GAME, **{"policy": "random", "seeds": SEEDS, **options})


def test_a_worker_that_dies_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "default_start_method", lambda: "fork")
    monkeypatch.setattr(module._Player, "play", lambda self, task: os.kill(os.getpid(), signal.SIGKILL))
    with pytest.raises(InputError, match=r"A worker died .*try fewer workers"):
        simulate(GAME, policy="random", seeds=SEEDS, plays=10, workers=2)


SCRIPT = """
import threading
from solitaire_lab.rules.catalog import resolve
from solitaire_lab.study.simulate import simulate
print("begun")
if {threads}:
    threading.Thread(target=threading.Event().wait, daemon=True).start()
print(simulate(resolve("spider"), policy="random", seeds=range({deals}), plays=10, workers=2).total)
"""
"""It has no main guard, on purpose; with threads, its workers are spawned."""


def background(folder: Path, deals: int, *, threads: bool = False) -> subprocess.Popen[str]:
    script = folder / "script.py"
    script.write_text(SCRIPT.format(deals=deals, threads=threads))
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    pipe = subprocess.PIPE
    return subprocess.Popen([sys.executable, str(script)], env=environment, stdout=pipe, stderr=pipe, text=True)


@pytest.mark.parametrize("threads", [False, True])
def test_a_script_needs_no_main_guard(tmp_path: Path, threads: bool) -> None:
    with background(tmp_path, 2, threads=threads) as process:
        assert process.communicate(timeout=120) == ("begun\n20\n", "")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_no_worker_outlives_its_parent(tmp_path: Path, number: signal.Signals) -> None:
    with background(tmp_path, 100_000) as process:
        try:
            wait_until(lambda: len(children(process.pid)) == 2, seconds=30)
            workers = children(process.pid)
            process.send_signal(number)
            assert process.wait(20) != 0
            wait_until(lambda: not any(map(alive, workers)), seconds=10)
        finally:
            process.kill()


def test_counts_are_whole_numbers_of_each_deal() -> None:
    played = simulate(GAME, policy="greedy", seeds=[3], plays=2, workers=1)
    assert {array.dtype for array in (played.wins, played.given_up, played.moves)} == {np.dtype(np.int64)}
    assert played.seeds.dtype == np.uint64
