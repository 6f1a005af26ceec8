"""What each technique of the solver buys: the same deals without it.

    python -m solitaire_lab.study.techniques how-they-run --seeds 1:200 --budget 20000

Verdicts never change; what changes is how many deals are decided within the budget, in how many nodes, and at what
price. The time is that of one process, so it tells little if the machine does something else meanwhile.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from solitaire_lab.deals.dealing import deal_many
from solitaire_lab.rules.catalog import Game
from solitaire_lab.solver import record
from solitaire_lab.solver.prunings import prunings_of
from solitaire_lab.solver.solver import Solver
from solitaire_lab.solver.strategy import BEST_FIRST, DEPTH_FIRST, Phase, Strategy, strategy_of
from solitaire_lab.study.search_arguments import read_searches, search_parser

PRUNINGS = {
    "stock at will": record.STOCK_AT_WILL,
    "safe foundation plays": record.SAFE_FOUNDATION,
    "natural columns": record.NATURAL_COLUMNS,
    "twin hosts": record.TWIN_HOSTS,
    "no returns": record.NO_RETURNS,
    "dead ends": record.DEAD_ENDS,
    "natural joins": record.NATURAL_JOINS,
    "colour twins": record.COLOUR_TWINS,
    "roots stay": record.ROOTS_STAY,
    "lazy roots": record.LAZY_ROOTS,
}


class Yield(NamedTuple):
    """How a search fared on some deals."""

    technique: str
    """What was left out."""
    win: int
    loss: int
    undecided: int
    nodes: int
    """All deals together."""
    seconds: float
    """Processor time, the shortening of lines of play included."""

    @property
    def decided_per_second(self) -> float:
        """Decided deals for a second of processor time."""
        return (self.win + self.loss) / max(self.seconds, 1e-9)


def techniques(game: Game, *, seeds: range, budget: int) -> Iterator[Yield]:
    """Search with everything, then without each technique that the game's search has.

    Without "best-first search" the search is depth-first from beginning to end; without "other searches" it is
    best-first throughout, with the strategy's own weights.

    Args:
        seeds: deals of the lab numbering.
        budget: nodes for each.

    Yields:
        First the search as it is, named "nothing".
    """
    held, strategy = prunings_of(game.rules), strategy_of(game.rules)
    yield _measured(game, "nothing", held, strategy, seeds=seeds, budget=budget)
    for name, pruning in PRUNINGS.items():
        if held & pruning:
            yield _measured(game, name, held & ~pruning, strategy, seeds=seeds, budget=budget)
    if any(phase.name == BEST_FIRST for phase in strategy.phases):
        depth = strategy._replace(phases=(Phase(DEPTH_FIRST, None),))
        yield _measured(game, "best-first search", held, depth, seeds=seeds, budget=budget)
    if len(strategy.phases) > 2:
        best = strategy._replace(phases=(Phase(BEST_FIRST, None),))
        yield _measured(game, "other searches", held, best, seeds=seeds, budget=budget)
    if strategy.members > 1:
        yield _measured(game, "classes", held, strategy._replace(members=1), seeds=seeds, budget=budget)
    if strategy.turns != "best":
        yield _measured(game, "layers", held, strategy._replace(turns="best"), seeds=seeds, budget=budget)


def _measured(game: Game, name: str, prunings: int, strategy: Strategy, *, seeds: range, budget: int) -> Yield:
    solver = Solver(game.rules, prunings=prunings, strategy=strategy)
    deals = [solver.engine.settle(deal) for deal in deal_many(game, numbering="lab", seeds=seeds)]
    solver.solve(deals[0], budget=1)  # so that loading the kernel is not counted
    counts = {"win": 0, "loss": 0, "undecided": 0}
    nodes = 0
    begun = time.process_time()
    for deal in deals:
        verdict = solver.solve(deal, budget=budget)
        assert verdict is not None
        counts[verdict.outcome] += 1
        nodes += verdict.nodes
    seconds = time.process_time() - begun
    return Yield(name, counts["win"], counts["loss"], counts["undecided"], nodes, seconds)


def main(arguments: Sequence[str] | None = None) -> None:
    """The program; it prints a Markdown table."""
    parser = search_parser("What each technique of the solver buys.", games="+", seeds="1:200", budget=20_000)
    asked, _ = read_searches(parser, arguments)
    print("| game | without | win | loss | undecided | nodes a deal | decided a CPU second |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: |")
    for name, game in zip(asked.names, asked.games, strict=True):
        for found in techniques(game, seeds=asked.seeds, budget=asked.budget):
            mean, rate = found.nodes / len(asked.seeds), found.decided_per_second
            print(
                f"| {name} | {found.technique} | {found.win} | {found.loss} | {found.undecided} | {mean:,.0f} "
                f"| {rate:,.1f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
