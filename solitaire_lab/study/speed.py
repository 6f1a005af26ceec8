"""How many distinct positions a second the exhaustive phase of the solver goes through.

    python -m solitaire_lab.study.speed how-they-run klondike --seeds 1:50 --budget 100000

Depth-first search alone, of one process on one core: with the prunings of the game, but for the relaxed player, which
is asked about each position and takes more time than the search; and with none but ``EQUAL_PILES`` and
``STOCK_AT_WILL``, which is what other solvers search. Prunings make fewer positions of a search, and each of them
dearer. Won deals don't count, since the time for them holds the replay of their lines of play. (`bench` tells the same
of any deals, won ones and the relaxed player included.)
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from solitaire_lab.deals.dealing import deal_many
from solitaire_lab.rules.catalog import Game
from solitaire_lab.solver.prunings import prunings_of
from solitaire_lab.solver.record import DEAD_ENDS, EQUAL_PILES, STOCK_AT_WILL
from solitaire_lab.solver.solver import Solver, load_kernel
from solitaire_lab.solver.strategy import DEPTH_FIRST, Phase, strategy_of
from solitaire_lab.study.search_arguments import read_searches, search_parser


class Speed(NamedTuple):
    """How fast deals were searched that were not won."""

    prunings: str
    deals: int
    nodes: int
    seconds: float
    """Processor time."""


def speeds(game: Game, *, seeds: range, budget: int) -> Iterator[Speed]:
    """Search depth-first, with the game's prunings and with few.

    Args:
        seeds: deals of the lab numbering.
        budget: nodes for each.

    Yields:
        A line for each of the two.
    """
    held = prunings_of(game.rules)
    strategy = strategy_of(game.rules)._replace(phases=(Phase(DEPTH_FIRST, None),), shortens=False)
    for name, prunings in (("the game's", held & ~DEAD_ENDS), ("few", held & (EQUAL_PILES | STOCK_AT_WILL))):
        solver = Solver(game.rules, prunings=prunings, strategy=strategy)
        deals = nodes = 0
        seconds = 0.0
        for deal in deal_many(game, numbering="lab", seeds=seeds):
            begun = time.process_time()
            verdict = solver.solve(solver.engine.settle(deal), budget=budget)
            assert verdict is not None
            if verdict.outcome != "win":
                seconds += time.process_time() - begun
                deals += 1
                nodes += verdict.nodes
        yield Speed(name, deals, nodes, seconds)


def main(arguments: Sequence[str] | None = None) -> None:
    """The program; it prints a Markdown table."""
    parser = search_parser(
        "Distinct positions a second of depth-first search.", games="+", seeds="1:50", budget=100_000
    )
    asked, _ = read_searches(parser, arguments)
    load_kernel(print)  # so that compiling is not counted
    print("| game | prunings | deals | nodes | nodes a CPU second |")
    print("| --- | --- | ---: | ---: | ---: |")
    for name, game in zip(asked.names, asked.games, strict=True):
        for found in speeds(game, seeds=asked.seeds, budget=asked.budget):
            rate = found.nodes / max(found.seconds, 1e-9)
            print(f"| {name} | {found.prunings} | {found.deals} | {found.nodes:,} | {rate:,.0f} |", flush=True)


if __name__ == "__main__":
    main()
