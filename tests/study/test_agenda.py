"""The agenda: every deal is handed out until it is decided, in chunks that fit."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solitaire_lab.results.store import Store
from solitaire_lab.study.agenda import Agenda
from solitaire_lab.study.blocks import merged_manifest, plan_work
from solitaire_lab.study.model import Study
from tests.study.fakes import a_cell

NOWHERE = Store(Path("nowhere"))


def agenda(*ranges: str, workers: int = 2) -> tuple[Agenda, dict[tuple[int, int], dict[int, int]]]:
    """An agenda of several cells, and the blocks that it has opened."""
    cells = tuple(a_cell(seeds, label=seeds, stock__redeals=number) for number, seeds in enumerate(ranges))
    study, opened = Study("x", cells), {}
    works = plan_work(study, NOWHERE, manifest=merged_manifest(None, study))
    return Agenda(
        works, workers=workers, opened=lambda job, block, missing: opened.update({(job, block): missing})
    ), opened


@given(workers=st.integers(1, 5), salt=st.integers(0, 2**32))
def test_every_deal_is_decided_once_whatever_is_put_back(workers: int, salt: int) -> None:
    chance = Random(salt)
    todo, opened = agenda("990:2100", "5:20", workers=workers)
    decided: list[tuple[int, int]] = []
    while chunk := todo.take():
        assert len({seed // 1000 for seed in chunk.seeds}) == 1
        assert (chunk.job, chunk.seeds[0] // 1000) in opened
        done = chance.randint(0, len(chunk.seeds))
        todo.put_back(chunk, chunk.seeds[done:], alone=done == len(chunk.seeds) - 1 and chance.random() < 0.5)
        decided += [(chunk.job, seed) for seed in chunk.seeds[:done]]
        if done:
            todo.learn(chunk.job, done, chance.expovariate(1))
    assert todo.left == 0
    assert sorted(decided) == [(0, seed) for seed in range(990, 2101)] + [(1, seed) for seed in range(5, 21)]


@pytest.mark.parametrize(("seconds", "least", "most"), [(1e-4, 1000, 1000), (0.01, 20, 30), (1.0, 1, 1), (100.0, 1, 1)])
def test_a_chunk_keeps_a_worker_busy_for_a_moment(seconds: float, least: int, most: int) -> None:
    todo, _ = agenda("0:99999")
    for _ in range(10):
        todo.learn(0, 10, 10 * seconds)
    chunk = todo.take()
    assert chunk is not None
    assert least <= len(chunk.seeds) <= most


def test_chunks_shrink_to_single_deals_as_the_end_comes_near() -> None:
    todo, _ = agenda("0:1999", workers=4)
    todo.learn(0, 1, 1e-6)
    sizes = []
    while chunk := todo.take():
        sizes.append(len(chunk.seeds))
    assert sizes[0] == 250
    assert sizes[-1] == 1
    assert max(sizes[-8:]) == 1
    assert len(sizes) < 60


def test_a_deal_that_killed_its_worker_is_handed_out_alone_and_first() -> None:
    todo, _ = agenda("0:99")
    chunk = todo.take()
    assert chunk is not None
    todo.put_back(chunk, chunk.seeds[1:])
    todo.put_back(chunk, chunk.seeds[:1], alone=True)
    again = todo.take()
    assert again is not None
    assert again.seeds == chunk.seeds[:1]
    assert again.number in todo.suspects
    # Given back without having been tried, it is no less suspect.
    todo.put_back(again, again.seeds)
    once_more = todo.take()
    assert once_more is not None
    assert once_more.seeds == again.seeds
    assert once_more.number in todo.suspects
