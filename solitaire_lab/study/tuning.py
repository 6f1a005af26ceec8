"""Finding the weights of ``solver.strategy`` by measuring.

    python -m solitaire_lab.study.tuning wood --seeds 1000001:1000100 --budget 10000 --rounds 60

One setting at a time is changed; a change stays if the deals then take fewer nodes. Deals of tables that are
published are never used: theirs are the first seeds, these begin at 1,000,001.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from solitaire_lab.deals.dealing import deal_many
from solitaire_lab.deals.position import Position
from solitaire_lab.rules.catalog import Game
from solitaire_lab.solver.evaluate import FEATURES, LAYERINGS, TURNS
from solitaire_lab.solver.solver import Solver
from solitaire_lab.solver.strategy import Strategy, strategy_of
from solitaire_lab.study.search_arguments import read_searches, search_parser, whole

FACTORS = (0.0, 0.5, 0.75, 1.35, 2.0)
MOST_WEIGHT = 100


def cost(game: Game, strategy: Strategy, deals: Sequence[Position], *, budget: int, limit: int) -> int:
    """The nodes that deals take, undecided ones counted as two budgets; counting ends above ``limit``."""
    solver = Solver(game.rules, strategy=strategy)
    total = 0
    for deal in deals:
        verdict = solver.solve(deal, budget=budget)
        assert verdict is not None
        total += 2 * budget if verdict.outcome == "undecided" else verdict.nodes
        if total > limit:
            break
    return total


def tune(
    game: Game,
    *,
    seeds: range,
    budget: int,
    rounds: int,
    draw: int,
    report: Callable[[str], None],
    start: Strategy | None = None,
) -> Strategy:
    """The best strategy met in so many changes.

    Args:
        seeds: deals of the lab numbering to measure on; those decided in less than 10 nodes are left out.
        budget: nodes for each.
        draw: the seed of the random changes.
        report: gets a line for each change that is kept.
        start: where to begin; the game's own strategy by default.
    """
    random = Random(draw)
    best = strategy_of(game.rules) if start is None else start
    solver = Solver(game.rules, strategy=best)
    settled = [solver.engine.settle(deal) for deal in deal_many(game, numbering="lab", seeds=seeds)]
    verdicts = [solver.solve(deal, budget=budget) for deal in settled]
    deals = [deal for deal, verdict in zip(settled, verdicts, strict=True) if verdict and verdict.nodes >= 10]
    # The hardest first, so that a bad change is given up soon.
    least = cost(game, best, deals, budget=budget, limit=2 * budget * len(deals))
    report(f"{len(deals)} of {len(seeds)} deals: {least:,} nodes with {told(best)}")
    for number in range(1, rounds + 1):
        other = changed(best, random)
        nodes = cost(game, other, deals, budget=budget, limit=least)
        if nodes < least:
            best, least = other, nodes
            report(f"{number}: {least:,} nodes with {told(best)}")
    return best


def changed(strategy: Strategy, random: Random) -> Strategy:
    """A strategy with other layers and turns, or with one or two other weights."""
    if random.random() < 0.15:
        return strategy._replace(layering=random.choice(LAYERINGS), turns=random.choice(TURNS))
    weights = dict(strategy.weights)
    for _ in range(random.choice((1, 1, 2))):
        name = random.choice(FEATURES)
        old = weights.pop(name, 0)
        new = round(old * random.choice(FACTORS)) if old else random.choice((1, 3, 10))
        if new == old:
            new = old + 1
        if new:
            weights[name] = min(new, MOST_WEIGHT)
    return strategy._replace(weights=weights)


def told(strategy: Strategy) -> str:
    """What a strategy looks for, in a line."""
    return f"{strategy.weights}, layers {strategy.layering!r} by {strategy.turns!r}"


def main(arguments: Sequence[str] | None = None) -> None:
    """The program."""
    parser = search_parser(
        "Find weights for a game's search by measuring.", games=None, seeds="1000001:1000100", budget=10_000
    )
    parser.add_argument("--rounds", default=60, type=whole)
    parser.add_argument("--draw", default=1, type=int, help="the seed of the random changes")
    asked, given = read_searches(parser, arguments)
    (game,) = asked.games
    tune(game, seeds=asked.seeds, budget=asked.budget, rounds=given.rounds, draw=given.draw, report=print)


if __name__ == "__main__":
    main()
