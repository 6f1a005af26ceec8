"""Prunings change no verdict: brute force by the engine, and the kernel with and without each of them."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from brute import brute_force
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from play import game_of
from strategies import rules_strategy

from solitaire_lab.cards import RANKS
from solitaire_lab.deals.dealing import deal
from solitaire_lab.deals.position import Position
from solitaire_lab.engine.engine import Engine
from solitaire_lab.rules.model import Rules
from solitaire_lab.solver.prunings import prunings_of
from solitaire_lab.solver.record import EQUAL_PILES, NATURAL_COLUMNS, SAFE_FOUNDATION, STOCK_AT_WILL
from solitaire_lab.solver.solver import LEAST_MEMORY, Solver

ALL_PRUNINGS = (EQUAL_PILES, STOCK_AT_WILL, SAFE_FOUNDATION, NATURAL_COLUMNS)
MEMORY = 8 * LEAST_MEMORY
BUDGET = 50_000


def in_suit_rules(random: Random) -> Rules:
    """Rules of the family that most prunings are about, on a small pack: one pack, built down in suit."""
    ranks = random.randint(3, 6)
    columns = random.randint(1, 3)
    placed = random.choice(["all", "all", "one", "none"])
    base = "A" if placed == "none" and random.random() < 0.5 else random.choice([*RANKS[:ranks], "dealt"])
    if base == "dealt" and placed == "none":
        placed = "one"
    reserve = random.choice([0, 1, 2, 3, 4])
    cells = random.choice([0, 0, 0, 1])
    layout: Any = 1 if random.random() < 0.6 else random.choice([2, "triangle", "even"])
    raw = {
        "pack": {"ranks": ranks},
        "foundations": {"base": base, "placed": placed, "wrap": True},
        "tableau": {
            "columns": columns,
            "layout": layout,
            "build": "suit",
            "wrap": random.choice(["on", "off", "not-on-base"]),
            "moves": random.choice(["whole", "top-or-whole", "run", "suit-run", "single"]),
        },
        "spaces": {
            "while_reserve": random.choice(["auto", "manual", "free"]) if reserve else "free",
            "after": random.choice(["any", "any", "waste", "king", "none"]),
        },
        "reserve": {"piles": 1, "size": reserve} if reserve else {},
        "cells": {"count": cells},
        "stock": {"turn": random.choice([1, 1, 1, 2, 3]), "redeals": random.choice([0, 1, 2, "unlimited"])},
    }
    return Rules.model_validate(raw)


def family_deal(seed: int) -> tuple[Rules, Position]:
    """Rules of the family and a settled deal of them."""
    random = Random(seed)
    while True:
        try:
            rules = in_suit_rules(random)
        except ValueError:
            continue
        return rules, Engine(rules).settle(deal(game_of(rules), numbering="lab", seed=seed))


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
    counts = check_by_brute_force(range(400), limit=400)
    assert min(counts.values()) > 50, counts


def test_small_packs_with_and_without_each_pruning() -> None:
    counts = check_switched_off(range(1_500))
    for pruning in ALL_PRUNINGS:
        assert min(counts.get((pruning, found), 0) for found in ("win", "loss")) > 50, counts


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
