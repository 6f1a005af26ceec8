"""What each search of a game's portfolio decides by itself, and all of them together.

    python -m solitaire_lab.study.portfolio spider --seeds 1004001:1004100 --budget 150000

A portfolio is good if its searches fail on different deals. So this tells, of each search, how many deals it decides
and how many of these no other one does; longer runs of the same search count as one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from statistics import median
from typing import NamedTuple

from solitaire_lab.deals.dealing import deal_many
from solitaire_lab.rules.catalog import Game
from solitaire_lab.solver.solver import Solver
from solitaire_lab.solver.strategy import BEST_FIRST, Phase, Strategy, strategy_of
from solitaire_lab.study.complements import decided_by
from solitaire_lab.study.search_arguments import read_searches, search_parser


class Alone(NamedTuple):
    """A search of a portfolio, and the nodes in which it decided deals, by seed."""

    phase: Phase
    """Without a quota."""
    decided: dict[int, int]


def searches_of(strategy: Strategy) -> tuple[Phase, ...]:
    """The different searches of a portfolio, in the order of its phases, without quotas."""
    found: list[Phase] = []
    for phase in strategy.phases:
        weights = strategy.weights if phase.weights is None else phase.weights
        layering = strategy.layering if phase.layering is None else phase.layering
        search = phase._replace(quota=None, weights=weights, layering=layering)
        if phase.name != BEST_FIRST:
            search = Phase(phase.name, None, without=phase.without)
        if search not in found:
            found.append(search)
    return tuple(found)


def portfolio(game: Game, *, seeds: range, budget: int) -> Iterator[Alone]:
    """Search with each search of a game's portfolio alone.

    Args:
        seeds: deals of the lab numbering.
        budget: nodes of each search for each deal.
    """
    strategy = strategy_of(game.rules)._replace(shortens=False)
    engine = Solver(game.rules).engine
    dealt = deal_many(game, numbering="lab", seeds=seeds)
    deals = {seed: engine.settle(deal) for seed, deal in zip(seeds, dealt, strict=True)}
    for phase in searches_of(strategy):
        yield Alone(phase, decided_by(game, strategy._replace(phases=(phase,)), deals, budget))


def by_no_other(one: Alone, all_of_them: Collection[Alone]) -> int:
    """How many deals a search decides that no other one does."""
    others = (other.decided.keys() for other in all_of_them if other is not one)
    return len(one.decided.keys() - set().union(*others))


def main(arguments: Sequence[str] | None = None) -> None:
    """The program; it prints a Markdown table."""
    parser = search_parser(
        "What each search of a game's portfolio decides by itself.",
        games=None,
        seeds="1000001:1000100",
        budget=20_000,
    )
    asked, _ = read_searches(parser, arguments)
    (game,) = asked.games
    found = list(portfolio(game, seeds=asked.seeds, budget=asked.budget))
    print("| search | decided | by no other | nodes, median | weights | layers |")
    print("| --- | ---: | ---: | ---: | --- | --- |")
    for one in found:
        weights = " ".join(f"{name} {weight}" for name, weight in (one.phase.weights or {}).items())
        middle = f"{median(one.decided.values()):,.0f}" if one.decided else ""
        cells = one.phase.name, f"{len(one.decided):,}", f"{by_no_other(one, found):,}", middle, weights
        print("|", " | ".join((*cells, one.phase.layering or "")), "|")
    together = set().union(*(one.decided.keys() for one in found))
    print(f"| all together | {len(together):,} of {len(asked.seeds):,} | | | | |")


if __name__ == "__main__":
    main()
