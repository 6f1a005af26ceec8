"""Winnable deals: the first that the solver proves, shuffle by shuffle, and the deal of a day."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import pairwise

import pytest

from solitaire_lab.deals.dealing import deal
from solitaire_lab.deals.numberings import checked_seeds
from solitaire_lab.engine.moves import decode_moves
from solitaire_lab.errors import InputError
from solitaire_lab.rules.catalog import resolve
from solitaire_lab.solver.solver import Solver
from solitaire_lab.study.solvable import Attempt, daily_deal, daily_seed, find_solvable

STOREHOUSE = resolve("storehouse")


def decided(seed: int, *, budget: int = 100_000) -> Attempt:
    """What the solver finds out about one deal."""
    solver = Solver(STOREHOUSE.rules)
    verdict = solver.solve(solver.engine.settle(deal(STOREHOUSE, numbering="lab", seed=seed)), budget=budget)
    assert verdict is not None
    return Attempt(seed, verdict.outcome, verdict.nodes)


@pytest.mark.parametrize("seed", [1, 3, 100])
def test_the_first_deal_that_is_proved_is_found(seed: int) -> None:
    expected = []
    while not expected or expected[-1].outcome != "win":
        expected.append(decided(seed + len(expected)))
    found = find_solvable(STOREHOUSE, seed=seed)
    assert list(found.attempts) == expected
    assert found.found
    assert found.seed == expected[-1].seed
    assert found.is_first, "a search of Storehouse leaves nothing undecided"


def test_the_deal_that_is_found_is_won_by_its_line_of_play() -> None:
    found = find_solvable(STOREHOUSE, seed=3)
    engine = Solver(STOREHOUSE.rules).engine
    assert found.position == engine.settle(deal(STOREHOUSE, numbering="lab", seed=found.seed))
    assert found.moves is not None
    assert engine.won(engine.replay(found.position, decode_moves(found.moves)))


def test_a_deal_found_after_undecided_ones_may_not_be_the_first() -> None:
    found = find_solvable(STOREHOUSE, seed=1, budget=3)
    assert decided(1).outcome == "win"
    assert found.attempts[0] == Attempt(1, "undecided", 3)
    assert found.found
    assert not found.is_first
    assert found.counts["undecided"] == sum(attempt.nodes == 3 for attempt in found.attempts[:-1])


def test_it_is_given_up_after_so_many_tries() -> None:
    found = find_solvable(STOREHOUSE, seed=3, tries=2)
    assert [decided(seed).outcome for seed in (3, 4)] == ["loss", "loss"]
    assert not found.found
    assert not found.is_first
    assert (found.seed, found.position, found.moves) == (4, None, None)
    assert found.counts == {"win": 0, "loss": 2, "undecided": 0}


def test_one_try_is_the_deal_itself() -> None:
    assert find_solvable(STOREHOUSE, seed=1, tries=1).seed == 1


def test_shuffles_are_those_of_the_numbering() -> None:
    found = find_solvable(STOREHOUSE, seed=1, numbering="pysol")
    engine = Solver(STOREHOUSE.rules).engine
    assert found.position == engine.settle(deal(STOREHOUSE, numbering="pysol", seed=found.seed))


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"tries": 0}, "0 tries are not possible"),
        ({"tries": 1_000_001}, "1000001 tries are not possible"),
        ({"budget": 0}, "0 is no budget"),
        ({"seed": -1}, "Seed -1 names no deal"),
        ({"numbering": "solvitaire"}, "The solvitaire numbering has no deals for storehouse"),
        ({"numbering": "microsoft", "seed": 2**33 - 2, "tries": 3}, "no 3 shuffles from seed 8589934590 .* 2 at most"),
        ({"memory": 1}, "A memory of 1 bytes is out of range"),
    ],
)
def test_what_is_not_possible_is_refused(options: dict[str, int], says: str) -> None:
    with pytest.raises(InputError, match=says):
        find_solvable(STOREHOUSE, **{"seed": 1, **options})  # type: ignore[arg-type]


# --- the deal of a day ------------------------------------------------------------------------------------------


def test_a_day_has_the_hundred_shuffles_that_begin_with_its_date() -> None:
    assert daily_seed(date(2026, 12, 31)) == 2026123100
    assert daily_seed(date(2027, 1, 2)) == 2027010200


def test_no_two_days_share_a_shuffle() -> None:
    days = [date(2023, 12, 1) + timedelta(days=number) for number in range(3 * 366)]
    first = [daily_seed(day) for day in days]
    assert all(later - earlier >= 100 for earlier, later in pairwise(first))


@pytest.mark.parametrize("numbering", ["lab", "pysol", "microsoft", "solvitaire"])
def test_every_numbering_has_the_days_of_this_century(numbering: str) -> None:
    for day in (date(2001, 1, 1), date(2099, 12, 31)):
        checked_seeds(numbering, range(daily_seed(day), daily_seed(day) + 100))


def test_the_deal_of_a_day_is_the_first_winnable_of_its_shuffles() -> None:
    found, same = (
        daily_deal(STOREHOUSE, date(2026, 12, 31)),
        find_solvable(STOREHOUSE, seed=2026123100, tries=100),
    )
    assert found == same
    assert found.found
    assert daily_deal(STOREHOUSE, date(2027, 1, 1)).seed != found.seed


def test_a_day_has_no_more_than_a_hundred_shuffles() -> None:
    with pytest.raises(InputError, match="101 tries are too many for one day"):
        daily_deal(STOREHOUSE, date(2026, 12, 31), tries=101)
