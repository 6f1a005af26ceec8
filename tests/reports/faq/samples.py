"""Studies of real games whose verdicts are made up."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from solitaire_lab.reports.faq.numbers import GameFaq, Role, Search, game_title
from solitaire_lab.reports.faq.shuffles import count_shuffles
from solitaire_lab.reports.tables import Counts
from solitaire_lab.results.cell import Cell, PlannedCell
from solitaire_lab.results.manifest import Manifest
from solitaire_lab.results.rows import BLOCK, Row, SeedRange
from solitaire_lab.results.store import Store
from solitaire_lab.rules.catalog import resolve

DEAL, HINT = 2_000, 20_000
BUDGETS = {"deal": DEAL, "hint": HINT}

VERDICTS: Mapping[str, tuple[str, str | None, int]] = {
    "w": ("win", None, DEAL),
    "W": ("win", None, HINT),
    "l": ("loss", None, DEAL),
    "L": ("loss", None, HINT),
    "u": ("undecided", "nodes", HINT),
    "m": ("undecided", "memory", 500),
    "c": ("undecided", "crashed", 500),
}
"""Wins and losses, small if the search at the deal is enough; undecided for want of nodes, of memory, by a crash."""


def a_plan(
    name: str,
    deals: int,
    *,
    label: str | None = None,
    budgets: Mapping[str, int] = BUDGETS,
    first: int = 1,
    **more: Any,
) -> PlannedCell:
    """A cell of a game by its catalogue rules; ``more`` are ``overrides`` or the ``numbering``."""
    game = resolve(name, overrides=more.get("overrides", {}))
    numbering = more.get("numbering", "lab")
    cell = Cell.from_game(game, numbering=numbering, label=label or game.variant or game.name, memory=1 << 28)
    return PlannedCell(cell, SeedRange(first, first + max(deals, 1) - 1), dict(budgets))


def write(store: Store, planned: PlannedCell, verdicts: str) -> None:
    """Store verdicts for the first seeds of a cell."""
    rows = []
    for seed, verdict in enumerate(verdicts, planned.seeds.first):
        outcome, reason, nodes = VERDICTS[verdict]
        nodes = min(nodes, planned.budget)
        moves = b"abc" if outcome == "win" else None
        rows.append(Row(seed, outcome, reason, nodes, "p", 1 if moves else None, 0.0, moves))
    for block in {row.seed // BLOCK for row in rows}:
        store.write_block(planned, block, [row for row in rows if row.seed // BLOCK == block])


def a_study(folder: Path, *cells: tuple[PlannedCell, str]) -> Store:
    """A results folder with these cells and verdicts."""
    store = Store(folder)
    with store.lock():
        store.write_manifest(Manifest("faq", tuple(planned for planned, _ in cells)))
        for planned, verdicts in cells:
            write(store, planned, verdicts)
    return store


def a_faq(
    verdicts: str, *, game: str = "storehouse", tries: int = 3, roles: tuple[Role | None, ...] = ("deal", "hint")
) -> GameFaq:
    """The numbers of a game, without a folder and without other games."""
    planned = a_plan(game, len(verdicts))
    wins, losses, open_ = (sum(map(verdicts.count, kinds)) for kinds in ("wW", "lL", "u"))
    long = Search(roles[-1], HINT, Counts(win=wins, loss=losses, nodes=open_))
    short = None
    if len(roles) > 1:
        win, loss = verdicts.count("w"), verdicts.count("l")
        short = Search(roles[0], DEAL, Counts(win=win, loss=loss, nodes=len(verdicts) - win - loss))
    winning = "w" if short else "wW"
    return GameFaq(
        study="faq",
        planned=planned,
        title=game_title(game),
        rules=resolve(game).rules,
        seeds=planned.seeds if verdicts else None,
        short=short,
        long=long,
        shuffles=count_shuffles(np.array([verdict in winning for verdict in verdicts], bool), tries=tries),
        others=(),
        not_compared=(),
    )
