"""Verdicts on small packs, to be found alike by the kernel in every mode; run as a script it prints them."""

from __future__ import annotations

import numpy as np
from families import family_deal

from solitaire_lab.solver.prunings import prunings_of
from solitaire_lab.solver.solver import LEAST_MEMORY, Solver


def verdicts() -> str:
    """A line for each of some deals: outcome, reason and nodes, with prunings and without."""
    lines = []
    for number in range(60):
        rules, position = family_deal(number)
        for prunings in (prunings_of(rules), 0):
            verdict = Solver(rules, memory=LEAST_MEMORY, prunings=prunings).solve(position, budget=60)
            assert verdict is not None
            lines.append(f"{number} {prunings} {verdict.outcome} {verdict.reason} {verdict.nodes}\n")
    return "".join(lines)


if __name__ == "__main__":
    # Without compiling, numpy warns where fingerprints wrap, as they should.
    np.seterr(over="ignore")
    print(verdicts(), end="")
