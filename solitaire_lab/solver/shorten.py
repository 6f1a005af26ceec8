"""Lines of play for people: loops cut, needless moves dropped."""

from __future__ import annotations

from solitaire_lab.deals.position import Position
from solitaire_lab.engine.engine import Engine
from solitaire_lab.engine.moves import IllegalMoveError, Move

MOST_TO_DROP_FROM = 1_000
"""Longer lines only have their loops cut: trying every move takes a time that grows with the square of the length."""


def shortened(engine: Engine, position: Position, moves: list[Move]) -> list[Move]:
    """A winning line that is no longer than the one given, and is made of its moves.

    Raises:
        IllegalMoveError: a move of the line is not legal.
    """
    moves = _without_loops(engine, position, moves)
    return _without_needless(engine, position, moves) if len(moves) <= MOST_TO_DROP_FROM else moves


def _without_loops(engine: Engine, position: Position, moves: list[Move]) -> list[Move]:
    """Cut what leads from a position back to the same position."""
    seen = {position: 0}
    kept: list[Move] = []
    path = [position]
    for move in moves:
        position = engine.play(position, move)
        if position in seen:
            length = seen[position]
            for dropped in path[length + 1 :]:
                del seen[dropped]
            del kept[length:], path[length + 1 :]
        else:
            kept.append(move)
            path.append(position)
            seen[position] = len(kept)
    return kept


def _without_needless(engine: Engine, position: Position, moves: list[Move]) -> list[Move]:
    """Drop every move without which the rest still wins."""
    kept: list[Move] = []
    rest = moves
    while rest:
        shorter = rest[1:]
        if _wins(engine, position, shorter):
            rest = shorter
        else:
            kept.append(rest[0])
            position = engine.play(position, rest[0])
            rest = shorter
    return kept


def _wins(engine: Engine, position: Position, moves: list[Move]) -> bool:
    try:
        return engine.won(engine.replay(position, moves))
    except IllegalMoveError:
        return False
