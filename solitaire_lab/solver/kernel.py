"""The compiled entry points: all that Python calls of the kernel."""

from __future__ import annotations

from solitaire_lab.solver.best_first import begin_best_first, search_best_first
from solitaire_lab.solver.compiling import cached
from solitaire_lab.solver.depth_first import LOST, OUT_OF_MEMORY, OUT_OF_NODES, PAUSED, WON, search_depth_first
from solitaire_lab.solver.line import write_line
from solitaire_lab.solver.record import Bytes, Links, Nodes, Record, Steps, Words
from solitaire_lab.solver.steps import load
from solitaire_lab.solver.table import begin

__all__ = ["LOST", "OUT_OF_MEMORY", "OUT_OF_NODES", "PAUSED", "WON", "best_first", "depth_first", "line", "start"]


@cached
def start(r: Record, table: Words, heads: Links, data: Bytes) -> None:
    """Load a position, as ``steps.load`` reads it, and begin a search of it, of either kind."""
    load(r, data)
    begin(r, table)
    begin_best_first(r, heads)


@cached
def best_first(
    r: Record, table: Words, trail: Steps, nodes: Nodes, heads: Links, path: Steps, budget: int, pause_at: int
) -> int:
    """Search on until it ends or pauses; the arguments are those of ``search_best_first``."""
    return search_best_first(r, table, trail, nodes, heads, path, budget, pause_at)


@cached
def depth_first(r: Record, table: Words, trail: Steps, stack: Words, frames: Steps, budget: int, pause_at: int) -> int:
    """Search on until it ends or pauses; the arguments are those of ``search_depth_first``."""
    return search_depth_first(r, table, trail, stack, frames, budget, pause_at)


@cached
def line(r: Record, trail: Steps, talon_size: int, out: Bytes) -> int:
    """Write the line of play that leads to the record's position; see ``write_line``."""
    return write_line(r, trail, talon_size, out)
