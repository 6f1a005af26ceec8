"""Prunings change no verdict: brute force by the engine, and the kernel with and without each of them."""

from __future__ import annotations

import pytest
from brute import brute_force
from families import family_deal
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from play import game_of
from strategies import rules_strategy

from solitaire_lab.deals.dealing import deal
from solitaire_lab.deals.position import Position
from solitaire_lab.engine.engine import Engine
from solitaire_lab.rules.model import Rules
from solitaire_lab.solver.prunings import prunings_of
from solitaire_lab.solver.record import (
    DEAD_ENDS,
    EQUAL_PILES,
    NATURAL_COLUMNS,
    NO_RETURNS,
    SAFE_FOUNDATION,
    STOCK_AT_WILL,
    TWIN_HOSTS,
)
from solitaire_lab.solver.solver import LEAST_MEMORY, Solver

ALL_PRUNINGS = (EQUAL_PILES, STOCK_AT_WILL, SAFE_FOUNDATION, NATURAL_COLUMNS, TWIN_HOSTS, NO_RETURNS, DEAD_ENDS)
MEMORY = 8 * LEAST_MEMORY
BUDGET = 50_000


def outcome(rules: Rules, position: Position, prunings: int | None) -> str:
    verdict = Solver(rules, memory=MEMORY, prunings=prunings).solve(position, budget=BUDGET)
    assert verdict is not None
    return verdict.outcome


def check_by_brute_force(seeds: range, *, limit: int) -> dict[str, int]:
    """Compare verdicts with brute force; count the verdicts that were compared."""
    counts = {"win": 0, "loss": 0}
    for seed in seeds:
        rules, position = family_deal(seed)
        winnable = brute_force(Engine(rules), position, limit=limit)
        if winnable is not None:
            expected = "win" if winnable else "loss"
            assert outcome(rules, position, None) == expected, (seed, rules)
            counts[expected] += 1
    return counts


def check_switched_off(seeds: range) -> dict[tuple[int, str], int]:
    """Compare verdicts with all prunings and with one less, and with none; count the losses of each comparison."""
    counts: dict[tuple[int, str], int] = {}
    for seed in seeds:
        rules, position = family_deal(seed)
        held = prunings_of(rules)
        pruned = outcome(rules, position, held)
        for off in (*ALL_PRUNINGS, held):
            if off & held:
                found = outcome(rules, position, held & ~off)
                assert "undecided" in (found, pruned) or found == pruned, (seed, off, rules)
                counts[off & held, found] = counts.get((off & held, found), 0) + 1
    return counts


def test_small_packs_by_brute_force() -> None:
    counts = check_by_brute_force(range(300), limit=400)
    assert min(counts.values()) > 50, counts


def test_small_packs_with_and_without_each_pruning() -> None:
    counts = check_switched_off(range(800))
    for pruning in ALL_PRUNINGS:
        assert min(counts.get((pruning, found), 0) for found in ("win", "loss")) > 5, counts


@pytest.mark.slow
def test_thousands_of_small_packs_by_brute_force() -> None:
    check_by_brute_force(range(10_000, 14_000), limit=3_000)


@pytest.mark.slow
def test_many_small_packs_with_and_without_each_pruning() -> None:
    check_switched_off(range(10_000, 30_000))


@settings(suppress_health_check=[HealthCheck.too_slow], max_examples=200)
@given(rules=rules_strategy(max_ranks=3), seed=st.integers(0, 2**64 - 1))
def test_any_rules_by_brute_force(rules: Rules, seed: int) -> None:
    engine = Engine(rules)
    position = engine.settle(deal(game_of(rules), numbering="lab", seed=seed))
    winnable = brute_force(engine, position, limit=300)
    if winnable is not None:
        assert outcome(rules, position, None) == ("win" if winnable else "loss")
