"""Positions that are expanded as one: verdicts are those of a search that expands each by itself."""

from __future__ import annotations

from random import Random

import pytest
from families import alternating_rules, family_deal, family_rules, turned_rules

from solitaire_lab.deals.dealing import deal_many
from solitaire_lab.deals.position import Position
from solitaire_lab.rules.catalog import resolve
from solitaire_lab.rules.model import Rules
from solitaire_lab.solver.prunings import prunings_of
from solitaire_lab.solver.record import MOST_MEMBERS, STOCK_AT_WILL
from solitaire_lab.solver.solver import LEAST_MEMORY, Solver, Verdict
from solitaire_lab.solver.strategy import BEST_FIRST, Phase, strategy_of


def best_first(rules: Rules, members: int, *, prunings: int | None = None, key: int = 0) -> Solver:
    strategy = strategy_of(rules)._replace(phases=(Phase(BEST_FIRST, None),), members=members)
    return Solver(rules, memory=8 * LEAST_MEMORY, strategy=strategy, prunings=prunings, key=key)


def decide(solver: Solver, position: Position, *, budget: int = 10_000) -> Verdict:
    verdict = solver.solve(position, budget=budget)
    assert verdict is not None
    return verdict


def two_packs(random: Random) -> Rules:
    """Kin of Wood with two packs and returns, most of them with so large a reserve that many are lost."""
    while True:
        rules = alternating_rules(random)
        if rules.pack.decks == 2 and rules.foundations.return_ != "off" and rules.reserve.size in (4, 6, 8):
            return rules


def with_returns(random: Random) -> Rules:
    """One pack or two, cards come back."""
    while True:
        rules = random.choice((alternating_rules, family_rules, turned_rules))(random)
        if rules.foundations.return_ != "off":
            return rules


def check_members(seeds: range) -> dict[str, int]:
    """Compare verdicts of classes of any size, with and without prunings; count them."""
    counts = {"win": 0, "loss": 0, "undecided": 0}
    for seed in seeds:
        rules, position = family_deal(seed, [two_packs, with_returns])
        held = prunings_of(rules)
        for prunings in (held, held & ~STOCK_AT_WILL, 0):
            singly, *together = (
                decide(best_first(rules, members, prunings=prunings), position).outcome
                for members in (1, 2, 5, MOST_MEMBERS)
            )
            for outcome in together:
                assert "undecided" in (outcome, singly) or outcome == singly, (seed, prunings, rules)
            counts[singly] += 1
    return counts


def test_classes_change_no_verdict() -> None:
    counts = check_members(range(160))
    assert min(counts["win"], counts["loss"]) > 30 > counts["undecided"], counts


@pytest.mark.slow
def test_classes_change_no_verdict_of_thousands() -> None:
    counts = check_members(range(1_000, 4_000))
    assert min(counts["win"], counts["loss"]) > 500 > counts["undecided"], counts


@pytest.mark.parametrize("members", [3, MOST_MEMBERS])
def test_verdicts_with_classes_depend_on_the_deal_alone(members: int) -> None:
    """Not on the fingerprints, nor on what was searched before, however many positions make a class."""
    game = resolve("wood")
    one, other = (best_first(game.rules, members, key=key) for key in (0, 5))
    deals = [one.engine.settle(position) for position in deal_many(game, numbering="lab", seeds=range(1, 7))]
    found = [decide(one, position, budget=2_000) for position in deals]
    assert [decide(other, position, budget=2_000) for position in reversed(deals)] == found[::-1]
    assert [decide(one, position, budget=2_000) for position in reversed(deals)] == found[::-1]


def test_classes_save_nodes() -> None:
    """Positions that would be nodes of their own count as one."""
    game = resolve("wood")
    nodes = dict.fromkeys((1, MOST_MEMBERS), 0)
    for members in nodes:
        solver = best_first(game.rules, members)
        for position in deal_many(game, numbering="lab", seeds=range(1, 13)):
            nodes[members] += decide(solver, solver.engine.settle(position), budget=8_000).nodes
    assert nodes[MOST_MEMBERS] < 0.9 * nodes[1], nodes
