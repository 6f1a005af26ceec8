"""The compiled entry points: all that Python calls of the kernel."""

from __future__ import annotations

from solitaire_lab.solver.compiling import cached
from solitaire_lab.solver.record import Bytes, Record, Steps, Words
from solitaire_lab.solver.search import LOST, OUT_OF_MEMORY, OUT_OF_NODES, PAUSED, WON, begin, search, write_line
from solitaire_lab.solver.steps import load

__all__ = ["LOST", "OUT_OF_MEMORY", "OUT_OF_NODES", "PAUSED", "WON", "line", "proceed", "start"]


@cached
def start(r: Record, table: Words, data: Bytes) -> None:
    """Load a position, as ``steps.load`` reads it, and begin a search of it."""
    load(r, data)
    begin(r, table)


@cached
def proceed(r: Record, table: Words, trail: Steps, stack: Steps, frames: Steps, budget: int, pause_at: int) -> int:
    """Search on until it ends or pauses; the arguments are those of ``search.search``."""
    return search(r, table, trail, stack, frames, budget, pause_at)


@cached
def line(r: Record, trail: Steps, talon_size: int, out: Bytes) -> int:
    """Write the line of play that leads to the record's position; see ``search.write_line``."""
    return write_line(r, trail, talon_size, out)
