"""Roots, the lowest cards of columns, that lie alone and wait for the next card of their suit; see LAZY_ROOTS."""

from __future__ import annotations

import numpy as np

from solitaire_lab.solver.compiling import compiled
from solitaire_lab.solver.places import add, column_topped_by
from solitaire_lab.solver.record import FIRST_FOUNDATION, GOES_ON, LAZY_ROOTS, ROOTS_STAY, TARGET, Record, Steps, Word
from solitaire_lab.solver.sets import bit, has
from solitaire_lab.solver.steps import move_step

_BOTH = LAZY_ROOTS | ROOTS_STAY


@compiled
def lazy(r: Record) -> bool:
    """Whether LAZY_ROOTS holds; it needs ROOTS_STAY, which plays the last roots up."""
    return r.prunings & _BOTH == _BOTH


@compiled
def lone_roots(r: Record) -> Word:
    """The cards that lie alone in their columns."""
    lone = np.uint64(0)
    for column in range(r.columns):
        if r.held[column] == 1:
            lone |= bit(r.cards[column, 0])
    return lone


@compiled
def risen(r: Record, foundation: int, lone: Word) -> int:
    """How many cards a foundation would have with the lone roots that can follow."""
    size = r.held[FIRST_FOUNDATION + foundation]
    while size < r.ranks and has(lone, r.suit_cards[foundation, size]):
        size += 1
    return size


@compiled
def _next_up(r: Record, foundation: int) -> int:
    """The step that plays the next card of a foundation, which is on top of a column; a lone root goes on."""
    pile = FIRST_FOUNDATION + foundation
    column = column_topped_by(r, r.suit_cards[foundation, r.held[pile]])
    return move_step(column, pile, 1) | (GOES_ON if r.held[column] == 1 else 0)


@compiled
def add_lazy_ups(r: Record, count: int) -> int:
    """Plays to the foundations of cards that are no lone roots, each with the lone roots that go before it."""
    lone = lone_roots(r)
    for foundation in range(r.foundations):
        size = risen(r, foundation, lone)
        if size < r.ranks and column_topped_by(r, r.suit_cards[foundation, size]) >= 0:
            count = add(r, count, _next_up(r, foundation))
    return count


@compiled
def going_on(r: Record, trail: Steps) -> int:
    """The step that belongs to the last one of the trail, or 0."""
    if r.trail_size == 0 or not lazy(r) or not trail[r.trail_size - 1] & GOES_ON:
        return 0
    return _next_up(r, ((trail[r.trail_size - 1] >> TARGET) & 127) - FIRST_FOUNDATION)
