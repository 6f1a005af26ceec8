"""Verdicts as they stand in JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from solitaire_lab.engine.engine import Engine
from solitaire_lab.engine.lines import line_records
from solitaire_lab.engine.moves import decode_moves

if TYPE_CHECKING:
    from solitaire_lab.deals.position import Position
    from solitaire_lab.solver.solver import Verdict


def verdict_record(verdict: Verdict, *, engine: Engine, position: Position) -> dict[str, Any]:
    """What was found about a position; ``solution`` is the line of play of a win, else null."""
    moves = verdict.moves
    return {
        "outcome": verdict.outcome,
        "reason": verdict.reason,
        "nodes": verdict.nodes,
        "phase": verdict.phase,
        "solution": None if moves is None else line_records(engine, position, decode_moves(moves)),
    }
