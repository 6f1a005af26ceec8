"""Moves: their numbers, which storage and solver share, and their text.

A pile has a number below 256, so that a move is three bytes: the pile it leaves, the pile it goes to, and how many
cards go. Sorted, moves stand in the order in which they are listed everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from solitaire_lab.cards import Card, card_text
from solitaire_lab.errors import InputError

TABLEAU, FOUNDATION, RESERVE, CELL, STOCK, WASTE, ROW = 0, 64, 96, 128, 192, 193, 194
"""The first number of each kind of pile. ``ROW`` is the tableau as a whole, the target of a row deal."""

_INDEXED = {"tableau": TABLEAU, "foundation": FOUNDATION, "reserve": RESERVE, "cell": CELL}
_SINGLE = {"stock": STOCK, "waste": WASTE}
_KIND_END = {TABLEAU: FOUNDATION, FOUNDATION: RESERVE, RESERVE: CELL, CELL: STOCK}


class Move(NamedTuple):
    """``size`` cards go from the top of one pile to another, keeping their order.

    Turning is ``STOCK`` to ``WASTE``, a row deal ``STOCK`` to ``ROW``, a redeal ``WASTE`` to ``STOCK`` with size 0.
    """

    source: int
    target: int
    size: int


REDEAL = Move(WASTE, STOCK, 0)


class IllegalMoveError(InputError):
    """A move that the rules don't allow, with the reason."""


def pile_name(pile: int) -> str:
    """A pile's number as text, such as ``tableau:3`` or ``stock``; damaged moves may name any byte."""
    if pile > ROW:
        return f"pile {pile}"
    if pile >= STOCK:
        return ("stock", "waste", "tableau")[pile - STOCK]
    kind = max(first for first in _KIND_END if first <= pile)
    return f"{next(name for name, first in _INDEXED.items() if first == kind)}:{pile - kind}"


def parse_pile(text: str) -> int:
    """A pile's text as its number; ``tableau`` alone is the target of a row deal.

    Raises:
        InputError: there is no such pile.
    """
    name, colon, index = text.partition(":")
    if not colon and name == "tableau":
        return ROW
    if not colon and name in _SINGLE:
        return _SINGLE[name]
    if name in _INDEXED and index.isascii() and index.isdigit():
        first = _INDEXED[name]
        if int(index) < _KIND_END[first] - first:
            return first + int(index)
    raise InputError(
        f"{text!r} is no pile; piles are tableau:0, foundation:0, reserve:0, cell:0 (counted from 0), stock and waste."
    )


def encode_moves(moves: Iterable[Move]) -> bytes:
    """Moves as bytes, three a move: source, target, count."""
    return bytes(value for move in moves for value in move)


def decode_moves(data: bytes) -> Iterator[Move]:
    """The moves that ``encode_moves`` wrote.

    Raises:
        InputError: the length is no multiple of three.
    """
    if len(data) % 3:
        raise InputError(f"A line of play of {len(data)} bytes is damaged; every move takes three bytes.")
    return map(Move, data[0::3], data[1::3], data[2::3])


def move_record(move: Move, cards: Iterable[Card]) -> dict[str, Any]:
    """A move as it stands in JSON; ``cards`` are those that move, as ``Engine.moved_cards`` gives them."""
    return {
        "from": pile_name(move.source),
        "to": pile_name(move.target),
        "cards": [card_text(card) for card in cards],
    }


def parse_move(record: Any) -> Move:
    """A move from its JSON; which cards it names is for ``lines.parse_line`` to check.

    Raises:
        InputError: the record is no move.
    """
    if not isinstance(record, dict) or not {"from", "to", "cards"} <= record.keys():
        raise InputError(f'{record!r} is no move; a move is {{"from": pile, "to": pile, "cards": [cards]}}.')
    cards = record["cards"]
    if not isinstance(cards, list) or len(cards) > 104:
        raise InputError(f"{cards!r} is no list of cards.")
    return Move(parse_pile(str(record["from"])), parse_pile(str(record["to"])), len(cards))
