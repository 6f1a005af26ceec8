"""Difficulty: the bands as they are defined, and the measures as the search and the policies give them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from solitaire_lab.deals.dealing import deal
from solitaire_lab.engine.engine import Engine
from solitaire_lab.engine.policies import play_out, policy_of
from solitaire_lab.errors import InputError
from solitaire_lab.reports import difficulty
from solitaire_lab.reports.difficulty import difficulty_frame
from solitaire_lab.reports.numbers import ProvedDeals, proved_deals
from solitaire_lab.results.rows import SeedRange
from solitaire_lab.results.store import Store
from solitaire_lab.rules.catalog import resolve
from solitaire_lab.study.model import study_of_game
from solitaire_lab.study.progress import Silence
from solitaire_lab.study.run import run
from solitaire_lab.study.simulate import Simulation, play_chance

GAME = resolve("yukon")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """Six deals of Yukon, most of which can be won."""
    folder = tmp_path_factory.mktemp("yukon")
    run(study_of_game(GAME, seeds=SeedRange(1, 6), budget=5_000), folder, workers=1, progress=Silence())
    return Store(folder)


@pytest.fixture(scope="module")
def frame(store: Store) -> pd.DataFrame:
    """The difficulty of its won deals."""
    return difficulty_frame(proved_deals(store), workers=1)


def by_plays(monkeypatch: pytest.MonkeyPatch, **wins: list[int]) -> None:
    """Let policies win so many plays of the deals, whatever they are."""

    def simulate(game: Any, *, policy: str, seeds: list[int], plays: int, **options: Any) -> Simulation:
        assert plays == 10
        none = np.zeros(len(seeds), np.int64)
        won = np.array(wins[policy], np.int64)
        return Simulation(game, policy, "lab", plays, 0, np.array(seeds, np.uint64), won, none, none)

    monkeypatch.setattr(difficulty, "simulate", simulate)


@pytest.mark.parametrize(
    ("greedy", "random", "nodes", "length", "band"),
    [
        (10, 0, 10**6, 50, "easy"),
        (5, 0, 10**6, 50, "easy"),
        (4, 0, 10**6, 50, "medium"),
        (1, 0, 10**6, 50, "medium"),
        (0, 1, 10**6, 50, "medium"),
        (0, 10, 10**6, 50, "medium"),
        (0, 0, 10**6, 50, "hard"),
        (0, 0, 101, 50, "hard"),
        (0, 0, 100, 50, "medium"),
        (0, 0, 0, 50, "medium"),
        # Won as it is dealt: there is no move to find.
        (10, 10, 0, 0, "easy"),
    ],
)
def test_the_bands(
    store: Store, monkeypatch: pytest.MonkeyPatch, greedy: int, random: int, nodes: int, length: int, band: str
) -> None:
    deals = pd.DataFrame({"seed": [7], "nodes": [nodes], "solution_length": [length]})
    deals = deals.astype({"seed": np.uint64, "nodes": np.uint64})
    by_plays(monkeypatch, greedy=[greedy], random=[random])
    proved = ProvedDeals(store.manifest().cells[0], "win", 5_000, deals)
    frame = difficulty_frame(proved)
    assert frame["difficulty"].tolist() == [band]
    assert (frame["greedy"].tolist(), frame["random"].tolist()) == ([greedy / 10], [random / 10])


def test_the_measures_are_those_of_the_search_and_of_ten_plays_each(store: Store, frame: pd.DataFrame) -> None:
    pd.testing.assert_frame_equal(frame[["seed", "nodes", "solution_length"]], proved_deals(store).deals)
    engine = Engine(GAME.rules)
    won = 0
    for row in frame.itertuples():
        position = engine.settle(deal(GAME, numbering="lab", seed=int(row.seed)))
        for policy in ("greedy", "random"):
            player = policy_of(policy, engine)
            plays = [play_out(engine, position, player, play_chance(0, int(row.seed), n)) for n in range(10)]
            assert getattr(row, policy) == sum(play.won for play in plays) / 10
            won += sum(play.won for play in plays)
    assert won, "no play was won, so little was tested"


def test_a_deal_has_its_difficulty_whatever_is_around_it_and_whoever_finds_out(
    store: Store, frame: pd.DataFrame
) -> None:
    seed = int(frame["seed"].iloc[-1])
    alone = difficulty_frame(proved_deals(store, seeds=SeedRange(seed, seed)), workers=2)
    pd.testing.assert_frame_equal(alone, frame.iloc[-1:].reset_index(drop=True))


def test_bands_are_in_order(frame: pd.DataFrame) -> None:
    assert frame["difficulty"].cat.ordered
    assert frame["difficulty"].cat.categories.tolist() == ["easy", "medium", "hard"]


def test_no_win_has_no_difficulty(store: Store) -> None:
    none = difficulty_frame(proved_deals(store, seeds=SeedRange(7, 40)))
    assert len(none) == 0
    assert list(none) == ["seed", "nodes", "solution_length", "greedy", "random", "difficulty"]


@pytest.mark.parametrize("outcome", ["loss", "undecided"])
def test_only_wins_have_a_difficulty(store: Store, outcome: str) -> None:
    with pytest.raises(InputError, match="Only deals that can be won have a difficulty"):
        difficulty_frame(proved_deals(store, outcome=outcome))


def test_progress_tells_every_play(store: Store) -> None:
    told: list[int] = []
    first = difficulty_frame(proved_deals(store, seeds=SeedRange(1, 2)), workers=1, progress=told.append)
    assert sum(told) == 20 * len(first) > 0


def test_storehouse_is_easy_where_it_can_be_won(tmp_path: Path) -> None:
    """Cards are built in suit, so that there is next to no choice: whoever plays what lies at hand wins what can be
    won."""
    game = resolve("storehouse")
    run(study_of_game(game, seeds=SeedRange(1, 20)), tmp_path, workers=1, progress=Silence())
    frame = difficulty_frame(proved_deals(Store(tmp_path)), workers=1)
    assert len(frame) > 5
    assert set(frame["difficulty"]) == {"easy"}
