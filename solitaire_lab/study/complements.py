"""Finding searches that decide what a game's own search leaves open.

    python -m solitaire_lab.study.complements spider --seeds 1000201:1000276 --after 200000 --budget 100000

Many searches of one portfolio win more than a long one, if they fail for different reasons. So weights and layers are
drawn at random around those of the game, each is tried on the deals that stay open, and the few that decide most of
them together are told. Deals of published tables are never used: theirs are the first seeds, these begin at 1,000,001.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import NamedTuple

from solitaire_lab.deals.dealing import deal_many
from solitaire_lab.deals.position import Position
from solitaire_lab.rules.catalog import Game
from solitaire_lab.solver.evaluate import LAYERINGS
from solitaire_lab.solver.solver import Solver
from solitaire_lab.solver.strategy import BEST_FIRST, Phase, Strategy, strategy_of
from solitaire_lab.study.search_arguments import read_searches, search_parser, whole
from solitaire_lab.study.tuning import changed, told

MOST_CHANGES = 6


class Complement(NamedTuple):
    """A search, and the nodes in which it decided deals, by seed."""

    strategy: Strategy
    decided: dict[int, int]


def open_deals(game: Game, *, seeds: range, budget: int) -> dict[int, Position]:
    """The deals of the lab numbering that the game's own search leaves open, by seed."""
    solver = Solver(game.rules)
    found = {}
    for seed, deal in zip(seeds, deal_many(game, numbering="lab", seeds=seeds), strict=True):
        position = solver.engine.settle(deal)
        verdict = solver.solve(position, budget=budget)
        if verdict is not None and verdict.outcome == "undecided":
            found[seed] = position
    return found


def complements(
    game: Game, deals: dict[int, Position], *, budget: int, rounds: int, draw: int, report: Callable[[str], None]
) -> list[Complement]:
    """Try searches on deals, and choose those that decide most of them together.

    Args:
        deals: as ``open_deals`` finds them.
        budget: nodes of each search for each deal.
        rounds: how many searches are tried.
        draw: the seed of the random choices.
        report: gets a line for each search that decides any.

    Returns:
        The search that decides most deals, then the one that decides most of the others, and so on.
    """
    random = Random(draw)
    tried = []
    for number in range(1, rounds + 1):
        strategy = _drawn(strategy_of(game.rules), random)
        decided = decided_by(game, strategy, deals, budget)
        tried.append(Complement(strategy, decided))
        if decided:
            report(f"{number}: {len(decided)} of {len(deals)} with {told(strategy)}")
    return _cover(tried)


def _drawn(strategy: Strategy, random: Random) -> Strategy:
    turns = strategy.turns  # a phase has none of its own
    for _ in range(random.randint(1, MOST_CHANGES)):
        strategy = changed(strategy, random)
    if random.random() < 0.3:
        strategy = strategy._replace(layering=random.choice(LAYERINGS))
    return strategy._replace(phases=(Phase(BEST_FIRST, None),), turns=turns, shortens=False)


def decided_by(game: Game, strategy: Strategy, deals: dict[int, Position], budget: int) -> dict[int, int]:
    """The nodes in which a search decides deals, by seed; those that it leaves open are not named."""
    solver = Solver(game.rules, strategy=strategy)
    verdicts = {seed: solver.solve(position, budget=budget) for seed, position in deals.items()}
    return {
        seed: verdict.nodes
        for seed, verdict in verdicts.items()
        if verdict is not None and verdict.outcome != "undecided"
    }


def _cover(tried: Sequence[Complement]) -> list[Complement]:
    chosen: list[Complement] = []
    known: set[int] = set()
    while tried:
        best = max(tried, key=lambda one: len(one.decided.keys() - known))
        if not best.decided.keys() - known:
            break
        known |= best.decided.keys()
        chosen.append(best)
    return chosen


def main(arguments: Sequence[str] | None = None) -> None:
    """The program."""
    parser = search_parser(
        "Find searches that decide what a game's own search leaves open.",
        games=None,
        seeds="1000001:1000100",
        budget=100_000,
    )
    parser.add_argument("--after", default=200_000, type=whole, metavar="NODES", help="of the game's own search")
    parser.add_argument("--rounds", default=40, type=whole)
    parser.add_argument("--draw", default=1, type=int, help="the seed of the random choices")
    asked, given = read_searches(parser, arguments)
    (game,) = asked.games
    deals = open_deals(game, seeds=asked.seeds, budget=given.after)
    print(f"{len(deals)} of {len(asked.seeds)} deals are open at {given.after:,} nodes.", flush=True)
    known: set[int] = set()
    for one in complements(game, deals, budget=asked.budget, rounds=given.rounds, draw=given.draw, report=print):
        new = sorted(one.decided.keys() - known)
        known |= one.decided.keys()
        nodes = ", ".join(f"{seed} in {one.decided[seed]:,}" for seed in new)
        print(f"{len(one.decided)}, {len(new)} new ({nodes}): {told(one.strategy)}")


if __name__ == "__main__":
    main()
