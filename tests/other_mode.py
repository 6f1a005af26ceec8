"""Verdicts on small packs, to be found alike by the kernel in every mode; run as a script it prints them."""

from __future__ import annotations

import numpy as np
from families import family_deal
from hypothesis import given, seed, settings
from play import Played, played_strategy

from solitaire_lab.solver.prunings import prunings_of
from solitaire_lab.solver.solver import LEAST_MEMORY, Solver


def verdicts() -> str:
    """A line for each of some deals: outcome, reason and nodes, with prunings and without."""
    lines = []
    for number in range(25):
        rules, position = family_deal(number)
        for prunings in (prunings_of(rules), 0):
            verdict = Solver(rules, memory=LEAST_MEMORY, prunings=prunings).solve(position, budget=200)
            assert verdict is not None
            lines.append(f"{number} {prunings} {verdict.outcome} {verdict.reason} {verdict.nodes}\n")
    return "".join(lines + _any_rules())


def _any_rules() -> list[str]:
    lines = []

    @seed(1)
    @settings(max_examples=60, database=None, deadline=None)
    @given(played_strategy(max_moves=3))
    def decide(played: Played) -> None:
        verdict = Solver(played.game.rules, memory=LEAST_MEMORY).solve(played.positions[-1], budget=40)
        assert verdict is not None
        lines.append(f"{verdict.outcome} {verdict.reason} {verdict.nodes}\n")

    decide()
    return lines


if __name__ == "__main__":
    # Without compiling, numpy warns where fingerprints wrap, as they should.
    np.seterr(over="ignore")
    print(verdicts(), end="")
