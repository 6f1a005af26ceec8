"""A line of play board by board, with what happens in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from solitaire_lab.cards import RANKS, SUITS, Card, rank_of, suit_of
from solitaire_lab.deals.board import board_text
from solitaire_lab.engine.engine import Engine
from solitaire_lab.engine.moves import (
    CELL,
    FOUNDATION,
    REDEAL,
    RESERVE,
    ROW,
    STOCK,
    TABLEAU,
    WASTE,
    Move,
    move_record,
)

if TYPE_CHECKING:
    from solitaire_lab.deals.position import Pile, Position
    from solitaire_lab.rules.catalog import Game

_RANK_WORDS = {"A": "ace", "T": "10", "J": "jack", "Q": "queen", "K": "king"}
_SUIT_WORDS = dict(zip(SUITS, ("clubs", "diamonds", "hearts", "spades"), strict=True))


@dataclass(frozen=True)
class Step:
    """A point of a line of play."""

    number: int
    """Moves made so far; 0 for the deal."""
    move: Move | None
    """The move that led here; None for the deal."""
    record: dict[str, Any] | None = field(repr=False)
    """The move as it stands in JSON."""
    words: str
    """What has happened, in sentences: the move, and what the rules did by themselves."""
    position: Position = field(repr=False)

    def heading(self, moves: int) -> str:
        """A line that tells the move, as one of so many."""
        return f"Move {self.number} of {moves}: {self.words}" if self.number else "The deal"


def line_steps(engine: Engine, position: Position, moves: Iterable[Move]) -> list[Step]:
    """A line of play from a settled position, the position itself first.

    Raises:
        IllegalMoveError: a move is not legal.
    """
    words = _Words(engine)
    steps = [Step(0, None, None, "The deal.", position)]
    for number, move in enumerate(moves, 1):
        cards = engine.moved_cards(position, move)
        reached = engine.play_in_steps(position, move)
        told = [words.of_move(move, cards)]
        told += [words.of_automatic_step(before, after) for before, after in pairwise(reached)]
        position = reached[-1]
        steps.append(Step(number, move, move_record(move, cards), " ".join(told), position))
    return steps


def step_texts(steps: Sequence[Step], *, game: Game) -> Iterator[str]:
    """Each step as its heading and the board below it."""
    for step in steps:
        yield f"{step.heading(len(steps) - 1)}\n{board_text(step.position, game=game)}"


def card_words(card: Card) -> str:
    """A card as it is read out, such as ``9 of diamonds``."""
    rank = RANKS[rank_of(card) - 1]
    return f"{_RANK_WORDS.get(rank, rank)} of {_SUIT_WORDS[SUITS[suit_of(card)]]}"


class _Words:
    """What happens in one game, in words; piles are counted from 1, as people count."""

    def __init__(self, engine: Engine) -> None:
        rules = engine.rules
        self._in_suit = rules.foundations.build == "suit"
        self._one_reserve = rules.reserve.piles == 1

    def of_move(self, move: Move, cards: Pile) -> str:
        """A move as a sentence."""
        if move == REDEAL:
            return "Turn the waste over: it is the stock again."
        if move.target == ROW:
            return f"Deal a row: {_listed(cards)}."
        if move.source == STOCK:
            return f"Turn {_listed(cards)}."
        return f"Move {_listed(cards)} from {self.pile(move.source)} to {self.pile(move.target)}."

    def of_automatic_step(self, before: Position, after: Position) -> str:
        """What the rules did by themselves between two positions, as a sentence."""
        turned = [
            column[-1] for column, then, now in zip(after.tableau, before.down, after.down, strict=False) if now < then
        ]
        if turned:
            return f"Turned up: {_listed(turned)}."
        if len(after.tableau) > len(before.tableau):
            return f"The place of the stock is {self.pile(len(before.tableau))} now."
        source, target, cards = _carried(before, after)
        if source == STOCK:
            return f"Turned to the waste by itself: {_listed(cards)}."
        if target < FOUNDATION:
            return f"{_listed(cards).capitalize()} from {self.pile(source)} fills {self.pile(target)}."
        return f"{_listed(cards).capitalize()} goes up by itself from {self.pile(source)}."

    def pile(self, pile: int) -> str:
        """A pile by its number."""
        if pile == STOCK:
            return "the stock"
        if pile == WASTE:
            return "the waste"
        if pile >= CELL:
            return f"cell {pile - CELL + 1}"
        if pile >= RESERVE:
            return "the reserve" if self._one_reserve else f"reserve {pile - RESERVE + 1}"
        if pile >= FOUNDATION:
            return "its foundation" if self._in_suit else f"foundation {pile - FOUNDATION + 1}"
        return f"column {pile + 1}"


def _carried(before: Position, after: Position) -> tuple[int, int, Pile]:
    """Where cards came from and went to between two positions, one automatic move apart."""
    source, target = STOCK, WASTE
    cards: Pile = ()
    for pile, then, now in _piles(before, after):
        if len(now) < len(then):
            source = pile
        elif len(now) > len(then):
            target, cards = pile, now[len(then) :]
    return source, target, cards


def _piles(before: Position, after: Position) -> Iterator[tuple[int, Pile, Pile]]:
    """The number of every pile that may lose or gain cards by itself, with its cards then and now."""
    for first, then, now in (
        (TABLEAU, before.tableau, after.tableau),
        (FOUNDATION, before.foundations, after.foundations),
        (RESERVE, before.reserve, after.reserve),
        (CELL, _single(before.cells), _single(after.cells)),
        (STOCK, (before.stock,), (after.stock,)),
        (WASTE, (before.waste,), (after.waste,)),
    ):
        for index, (old, new) in enumerate(zip(then, now, strict=True)):
            yield first + index, old, new


def _single(cells: Sequence[Card | None]) -> tuple[Pile, ...]:
    return tuple(() if held is None else (held,) for held in cells)


def _listed(cards: Sequence[Card]) -> str:
    """Cards as words: each of a few, of many the first and the last."""
    words = [f"the {card_words(card)}" for card in cards]
    if len(words) == 1:
        return words[0]
    if len(words) <= 3:
        return f"{', '.join(words[:-1])} and {words[-1]}"
    return f"{len(words)} cards ({words[0]} to {words[-1]})"
