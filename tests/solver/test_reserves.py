"""Reserve cards that can't go up for want of their chain's cards: deals proved lost at the root are lost."""

from __future__ import annotations

import pytest
from brute import brute_force
from families import family_deal, reserved_rules

from solitaire_lab.deals.dealing import deal
from solitaire_lab.deals.position import Position
from solitaire_lab.engine.engine import Engine
from solitaire_lab.rules.catalog import resolve
from solitaire_lab.rules.model import Rules
from solitaire_lab.solver.prunings import prunings_of
from solitaire_lab.solver.record import DEAD_ENDS
from solitaire_lab.solver.solver import LEAST_MEMORY, Solver


def outcome(rules: Rules, position: Position, prunings: int, *, budget: int) -> str:
    verdict = Solver(rules, memory=LEAST_MEMORY, prunings=prunings).solve(position, budget=budget)
    assert verdict is not None
    return verdict.outcome


def proved_at_the_root(rules: Rules, position: Position) -> bool:
    verdict = Solver(rules, memory=LEAST_MEMORY).solve(position, budget=1)
    assert verdict is not None
    return verdict.outcome == "loss" and verdict.nodes == 0


def check_reserves(seeds: range, *, limit: int, budget: int) -> dict[str, int]:
    """Search deals that are proved lost at the root by brute force and without DEAD_ENDS; count what that finds."""
    counts = dict.fromkeys(("off", "on", "base-too", "brute force", "undecided"), 0)
    for seed in seeds:
        rules, position = family_deal(seed, [reserved_rules])
        held = prunings_of(rules)
        if not held & DEAD_ENDS or not proved_at_the_root(rules, position):
            continue
        winnable = brute_force(Engine(rules), position, limit=limit) if limit else None
        assert not winnable, (seed, rules)
        found = outcome(rules, position, held & ~DEAD_ENDS, budget=budget)
        assert found in ("loss", "undecided"), (seed, rules)
        lost = found == "loss" or winnable is False
        counts[rules.foundations.return_ if lost else "undecided"] += 1
        counts["brute force"] += winnable is False
    return counts


def test_a_deal_of_wood_lost_by_its_reserve() -> None:
    """Two cards of the last level must go up on the one chain while two of its level 1 lie under one of level 4."""
    game = resolve("wood")
    position = Engine(game.rules).settle(deal(game, numbering="lab", seed=403))
    assert proved_at_the_root(game.rules, position)


def test_deals_lost_by_their_reserve() -> None:
    counts = check_reserves(range(300), limit=200, budget=2_000)
    assert min(counts.values()) > 5, counts


@pytest.mark.slow
def test_thousands_of_deals_lost_by_their_reserve() -> None:
    counts = check_reserves(range(10_000, 30_000), limit=0, budget=10_000)
    assert counts["off"] + counts["on"] + counts["base-too"] > 2_000, counts
