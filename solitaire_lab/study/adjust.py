"""A study with fewer or more deals, another budget or a precision."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from solitaire_lab.deals.numberings import check_room
from solitaire_lab.errors import InputError
from solitaire_lab.results.rows import SeedRange
from solitaire_lab.study.model import Study, StudyCell, check_budget, check_precision

if TYPE_CHECKING:
    from solitaire_lab.results.cell import PlannedCell


def adjusted(
    study: Study,
    *,
    deals: int | None = None,
    budget: int | None = None,
    precision: float | None = None,
) -> Study:
    """The study with every cell's number of deals, budget or precision replaced.

    Args:
        deals: how many seeds, from the first of each cell on, or None to leave them.
        budget: the one budget of every cell, in nodes, or None to leave them.
        precision: half the width of the interval, in percentage points, at which every cell ends, or None to leave
            that.

    Raises:
        InputError: there are no such deals, or the budget or the precision is out of range.
    """

    def adjust(cell: StudyCell) -> StudyCell:
        planned = cell.planned
        if deals is not None:
            planned = replace(planned, seeds=_first(planned, deals))
        if budget is not None:
            planned = replace(planned, budgets={"run": check_budget(budget)})
        if precision is not None:
            planned = replace(planned, precision=check_precision(precision))
        return replace(cell, planned=planned)

    return replace(study, cells=tuple(map(adjust, study.cells)))


def _first(planned: PlannedCell, deals: int) -> SeedRange:
    if deals < 1:
        raise InputError(f"{deals} deals can't be run; the number of deals is 1 or more.")
    first = planned.seeds.first
    check_room(planned.cell.numbering, first, deals, what="deals")
    return SeedRange(first, first + deals - 1)
