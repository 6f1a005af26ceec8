"""What a study is: named cells, each with its game, its seeds and its budgets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from solitaire_lab.deals.numberings import checked_seeds
from solitaire_lab.errors import InputError
from solitaire_lab.results.cell import Cell, PlannedCell
from solitaire_lab.results.rows import SeedRange
from solitaire_lab.rules.settings import value_text

if TYPE_CHECKING:
    from solitaire_lab.rules.catalog import Game

MAX_BUDGET = 2**63 - 1
"""The kernel counts nodes in 64 bits with a sign."""
MIN_PRECISION, MAX_PRECISION = 1e-6, 50
"""Percentage points: less would take more deals than anyone can run; half the width of the interval of which nothing is
known."""
DEFAULT_BUDGET = 1_000_000
"""Nodes for a game that is run without a study file; it decides every deal of Storehouse."""


@dataclass(frozen=True)
class StudyCell:
    """A cell of a study, with the game that its deals are dealt by."""

    game: Game
    planned: PlannedCell

    @property
    def label(self) -> str:
        """What the study calls the cell."""
        return self.planned.cell.label


@dataclass(frozen=True)
class Study:
    """What to run.

    Two cells may be the same but for their labels, seeds and budgets (as when a grid comes by the default rules):
    their deals are decided once, and each label has its table.

    Raises:
        InputError: no cell, two cells with one label, or two that are the same but don't end together.
    """

    name: str
    cells: tuple[StudyCell, ...]

    def __post_init__(self) -> None:
        if not self.cells:
            raise InputError(f"The study {self.name!r} has no cells; give it a [[cells]] or a [[grid]] table.")
        twice = [label for label, count in Counter(cell.label for cell in self.cells).items() if count > 1]
        if twice:
            raise InputError(f"Several cells are called {twice[0]!r}; give each a label of its own.")
        self._check_ends()

    def _check_ends(self) -> None:
        """A cell that ends by its precision ends at one seed, whatever it is called."""
        by_id: dict[str, PlannedCell] = {}
        for cell in self.cells:
            one = by_id.setdefault(cell.planned.cell.id, cell.planned)
            plans = [(plan.precision, plan.seeds, plan.budget) for plan in (one, cell.planned)]
            if plans[0] != plans[1] and (plans[0][0], plans[1][0]) != (None, None):
                raise InputError(
                    f"Cells {one.cell.label!r} and {cell.label!r} are the same but for their labels, and run to a "
                    "precision; give both the same precision, seeds and largest budget."
                )


def study_of_game(
    game: Game,
    *,
    seeds: SeedRange,
    budget: int = DEFAULT_BUDGET,
    precision: float | None = None,
    numbering: str = "lab",
    memory: int | None = None,
    label: str | None = None,
) -> Study:
    """The study of one game, as ``run GAME`` runs it.

    Args:
        precision: Half the width of the headline interval, in percentage points, at which it ends; None means that it
            ends with the last seed.
        memory: Bytes of one search's table; None means the solver's default.
        label: None means ``game_label``.

    Raises:
        InputError: the budget or the precision is out of range, or the numbering does not deal this game under these
            settings.
    """
    label = game_label(game) if label is None else label
    budgets = {"run": check_budget(budget)}
    cell = study_cell(game, label, seeds, budgets, numbering=numbering, memory=memory, precision=precision)
    return Study(game.name, (cell,))


def study_cell(
    game: Game,
    label: str,
    seeds: SeedRange,
    budgets: Mapping[str, int],
    *,
    numbering: str,
    memory: int | None,
    precision: float | None = None,
) -> StudyCell:
    """A cell as this version of the program computes it.

    Raises:
        InputError: the numbering does not deal this game under these settings, or does not know all of these seeds;
            the memory or the precision is out of range.
    """
    # Commands that only check a budget must not wait for numba.
    from solitaire_lab.solver.solver import DEFAULT_MEMORY, checked_memory

    checked_seeds(numbering, (seeds.first, seeds.last))
    memory = DEFAULT_MEMORY if memory is None else checked_memory(memory)
    precision = None if precision is None else check_precision(precision)
    cell = Cell.from_game(game, numbering=numbering, label=label, memory=memory)
    return StudyCell(game, PlannedCell(cell, seeds, dict(budgets), precision))


def game_label(game: Game) -> str:
    """The game or variant, and what else is set differently from its rules, such as ``storehouse stock.redeals=0``."""
    return game.variant or setting_label(game.name, game.overrides)


def setting_label(name: str, settings: Mapping[str, Any]) -> str:
    """A name followed by settings."""
    texts = (f"{key}={value if isinstance(value, str) else value_text(value)}" for key, value in settings.items())
    return " ".join([name, *texts])


def check_budget(nodes: Any) -> int:
    """A number of nodes, if it is one.

    Raises:
        InputError: it is not.
    """
    if type(nodes) is not int or not 1 <= nodes <= MAX_BUDGET:
        raise InputError(
            f"{nodes!r} is no budget; a budget is a whole number of nodes from 1 to {MAX_BUDGET}, such as 100_000."
        )
    return nodes


def check_precision(points: Any) -> float:
    """Half the width of an interval in percentage points, if it is one.

    Raises:
        InputError: it is not.
    """
    if type(points) not in (int, float) or not MIN_PRECISION <= points <= MAX_PRECISION:
        raise InputError(
            f"{points!r} is no precision; it is half the width of the interval in percentage points, such as 0.5, "
            f"from {MIN_PRECISION:f} to {MAX_PRECISION}."
        )
    return float(points)
