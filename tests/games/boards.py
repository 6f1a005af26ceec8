"""Positions given as boards of small packs."""

from __future__ import annotations

from typing import Any

from solitaire_lab.deals.board import parse_board
from solitaire_lab.deals.position import Position
from solitaire_lab.engine.engine import Engine, move_text
from solitaire_lab.rules.catalog import resolve


def on_board(name: str, board: str, **settings: Any) -> tuple[Engine, Position]:
    """The engine of a game, of a smaller pack by its settings, and the settled position that a board shows."""
    game = resolve(name, overrides=settings)
    engine = Engine(game.rules)
    position = parse_board(board.strip("\n"), game=game)
    engine.require_settled(position)
    return engine, position


def moves_on(name: str, board: str, **settings: Any) -> list[str]:
    """The legal moves on a board, in words."""
    engine, position = on_board(name, board, **settings)
    return [move_text(engine, position, move) for move in engine.legal_moves(position)]
