"""Lines of play in JSON."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from solitaire_lab.cards import parse_card
from solitaire_lab.deals.position import Position
from solitaire_lab.engine.engine import Engine, move_text
from solitaire_lab.engine.moves import IllegalMoveError, Move, move_record, parse_move
from solitaire_lab.errors import InputError


def line_records(engine: Engine, position: Position, moves: Iterable[Move]) -> list[dict[str, Any]]:
    """A line of play as it stands in JSON, each move with the cards that it takes."""
    records = []
    for move in moves:
        records.append(move_record(move, engine.moved_cards(position, move)))
        position = engine.play(position, move)
    return records


def parse_line(engine: Engine, position: Position, records: Sequence[Any]) -> list[Move]:
    """A line of play from its JSON, each move legal where it stands and naming the cards that it takes.

    Raises:
        IllegalMoveError: a move is not legal or names other cards; the text says which one, counted from 1.
        InputError: a record is no move.
    """
    moves = []
    for number, record in enumerate(records, 1):
        try:
            move = parse_move(record)
            after = engine.play(position, move)
            named = tuple(parse_card(str(card)) for card in record["cards"])
            if named != engine.moved_cards(position, move):
                raise IllegalMoveError(f"{move_text(engine, position, move)} does not move the cards that are named.")
        except InputError as error:
            raise type(error)(f"Move {number}: {error}") from None
        moves.append(move)
        position = after
    return moves
