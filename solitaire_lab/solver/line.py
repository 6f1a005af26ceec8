"""The line of play that a search found, as the engine's moves."""

from __future__ import annotations

from solitaire_lab.engine import moves as engine
from solitaire_lab.solver.compiling import compiled
from solitaire_lab.solver.record import (
    AUTOMATIC,
    FIRST_CELL,
    FIRST_FOUNDATION,
    FIRST_RESERVE,
    FLIP,
    LIFT,
    LIFTED_TO,
    MOVE,
    NEW_REDEALS,
    NEW_WASTE,
    OLD_REDEALS,
    OLD_WASTE,
    OPEN_COLUMN,
    SIZE,
    SOURCE,
    TARGET,
    TURN,
    WASTE,
    Bytes,
    Record,
    Steps,
)


@compiled
def _engine_pile(pile: int) -> int:
    """The engine's number of a pile."""
    if pile < FIRST_FOUNDATION:
        return pile
    if pile < FIRST_RESERVE:
        return engine.FOUNDATION + pile - FIRST_FOUNDATION
    if pile < FIRST_CELL:
        return engine.RESERVE + pile - FIRST_RESERVE
    return engine.CELL + pile - FIRST_CELL if pile < WASTE else engine.WASTE


@compiled
def _write(out: Bytes, at: int, source: int, target: int, size: int) -> int:
    if at + 3 <= out.size:
        out[at] = source
        out[at + 1] = target
        out[at + 2] = size
    return at + 3


@compiled
def write_line(r: Record, trail: Steps, talon_size: int, out: Bytes) -> int:
    """Write the steps of the trail as the engine's moves, three bytes each; turning is written out.

    Args:
        talon_size: cards of stock and waste at the root.
        out: uint8; what doesn't fit is left out.

    Returns:
        The bytes that the line needs.
    """
    at = 0
    for i in range(r.trail_size):
        step = trail[i]
        kind = step & 7
        source = (step >> SOURCE) & 127
        from_waste = kind == MOVE and source == WASTE
        if step & AUTOMATIC or kind in (FLIP, OPEN_COLUMN):
            talon_size -= from_waste
            continue
        if from_waste or kind == TURN:
            waste_size, redeals = (step >> OLD_WASTE) & 127, (step >> OLD_REDEALS) & 255
            new_size, new_redeals = (step >> NEW_WASTE) & 127, (step >> NEW_REDEALS) & 255
            while waste_size != new_size or redeals != new_redeals:
                if waste_size < talon_size:
                    size = min(r.turn, talon_size - waste_size)
                    waste_size += size
                    at = _write(out, at, engine.STOCK, engine.WASTE, size)
                else:
                    waste_size = 0
                    redeals += r.redeals >= 0
                    at = _write(out, at, engine.WASTE, engine.STOCK, 0)
        if kind == LIFT:
            for cell in range(r.cells):
                if (step >> (LIFTED_TO + cell)) & 1:
                    at = _write(out, at, source, engine.CELL + cell, 1)
        elif kind == MOVE:
            at = _write(out, at, _engine_pile(source), _engine_pile((step >> TARGET) & 127), (step >> SIZE) & 127)
            talon_size -= from_waste
        elif kind != TURN:
            at = _write(out, at, engine.STOCK, engine.ROW, (step >> SIZE) & 127)
    return at
