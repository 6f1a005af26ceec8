"""What a verdict promises, for every game: each has its own way to be searched."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from solitaire_lab.deals.dealing import deal_many
from solitaire_lab.deals.position import Position
from solitaire_lab.rules.catalog import game_names, resolve
from solitaire_lab.solver.solver import LEAST_MEMORY, REVISION, Solver, Verdict
from solitaire_lab.solver.strategy import BEST_FIRST, DEPTH_FIRST, Phase, strategy_of

GOLDEN = json.loads((Path(__file__).parents[1] / "data" / "golden_nodes.json").read_text())
BUDGET = 400
ENOUGH = {"wood": 6_000}
"""Budgets of games that seldom end before."""


def settled(name: str) -> tuple[Solver, list[Position]]:
    game = resolve(name)
    solver = Solver(game.rules, memory=16 * LEAST_MEMORY)
    deals = deal_many(game, numbering="lab", seeds=range(1, 7))
    return solver, [solver.engine.settle(position) for position in deals]


def decide(solver: Solver, position: Position, budget: int = BUDGET) -> Verdict:
    verdict = solver.solve(position, budget=budget)
    assert verdict is not None
    return verdict


@pytest.mark.parametrize("name", game_names())
def test_verdicts_depend_on_the_deal_alone(name: str) -> None:
    """Not on what was searched before, nor on the fingerprints; and all are those of this revision.

    The golden nodes have no other source: whoever changes one changes ``REVISION``, since stored rows would no longer
    be what the solver finds.
    """
    solver, positions = settled(name)
    budget = ENOUGH.get(name, BUDGET)
    forwards = [decide(solver, position, budget) for position in positions]
    assert [decide(solver, position, budget) for position in reversed(positions)] == forwards[::-1]
    other = Solver(resolve(name).rules, memory=16 * LEAST_MEMORY, key=1)
    assert [decide(other, position, budget) for position in positions] == forwards
    assert GOLDEN["revision"] == REVISION
    assert [[verdict.outcome, verdict.nodes] for verdict in forwards] == GOLDEN["games"][name]


@pytest.mark.parametrize("name", ["applegate", "canfield", "freecell", "how-they-run", "shamrocks", "wood"])
def test_budgets_only_cut_off_whatever_the_phases(name: str) -> None:
    """A deal decided in n nodes is decided alike under every budget of at least n, and under no smaller one; the
    change from one phase to the next is no exception."""
    rules = resolve(name).rules
    phases = (Phase(BEST_FIRST, 60), Phase(DEPTH_FIRST, 100), Phase(BEST_FIRST, None, layering="lowest"))
    solver = Solver(rules, memory=16 * LEAST_MEMORY, strategy=strategy_of(rules)._replace(phases=phases))
    for position in settled(name)[1]:
        full = decide(solver, position)
        for budget in {1, 59, 60, 61, 160, full.nodes - 1, full.nodes, full.nodes + 1} - {-1, 0}:
            verdict = decide(solver, position, budget)
            if budget < full.nodes:
                assert verdict[:3] == ("undecided", "nodes", budget)
            elif full.outcome != "undecided":
                assert verdict == full
