"""Whether a position is dead: the relaxed player of ``relax`` does not win it, however the cells are filled."""

from __future__ import annotations

import numpy as np

from solitaire_lab.solver.compiling import compiled
from solitaire_lab.solver.record import (
    ALTERNATING_UP,
    DEAD_ENDS,
    NATURAL_JOINS,
    ROOTS_STAY,
    TRIED_LEVELS,
    Record,
    Word,
    signed,
)
from solitaire_lab.solver.relax import begin_relaxed, derive, leave
from solitaire_lab.solver.relax_chains import all_can_leave
from solitaire_lab.solver.rooted import rooted_alive
from solitaire_lab.solver.sets import bit, count_cards, has, lowest_card

_NONE, _ONE = np.uint64(0), np.uint64(1)

MOST_TRIED = 300
"""Ways to fill the cells that are tried before a position is taken for alive."""

# What the relaxed player knows at a level of trying the cells, as words of ``tried``.
_UNCOVERED, _LEFT, _HOSTING, _MOVABLE, _WANTED, _HELD_BACK, _HELD_BY, _IN_CELLS, _IN_SPACES, _SPACE_FOUND = range(10)
_TALON_LEFT, _TALON_SHOWN, _UP, _TO_TRY = range(10, 14)


@compiled
def _save(r: Record, level: int) -> None:
    """Save what is known when nothing more follows."""
    r.tried[level, _UNCOVERED] = r.uncovered
    r.tried[level, _LEFT] = r.left
    r.tried[level, _HOSTING] = r.hosting
    r.tried[level, _MOVABLE] = r.movable
    r.tried[level, _WANTED] = r.wanted
    r.tried[level, _HELD_BACK] = r.held_back
    r.tried[level, _HELD_BY] = r.held_by
    r.tried[level, _IN_CELLS] = r.in_cells
    r.tried[level, _IN_SPACES] = r.in_spaces
    r.tried[level, _SPACE_FOUND] = np.uint64(r.space_found)
    r.tried[level, _TALON_LEFT] = r.talon_left
    r.tried[level, _TALON_SHOWN] = r.talon_shown
    up = 0
    for foundation in range(8):
        up = (up << 4) | r.relaxed_up[foundation]
    r.tried[level, _UP] = np.uint64(up)
    r.tried[level, _TO_TRY] = _to_lift(r)


@compiled
def _restore(r: Record, level: int) -> None:
    r.uncovered = r.opened = r.tried[level, _UNCOVERED]
    r.left = r.tried[level, _LEFT]
    r.hosting = r.tried[level, _HOSTING]
    r.movable = r.tried[level, _MOVABLE]
    r.wanted = r.tried[level, _WANTED]
    r.held_back = r.tried[level, _HELD_BACK]
    r.held_by = r.tried[level, _HELD_BY]
    r.in_cells = r.tried[level, _IN_CELLS]
    r.in_spaces = r.tried[level, _IN_SPACES]
    r.space_found = signed(r.tried[level, _SPACE_FOUND])
    r.talon_left = r.tried[level, _TALON_LEFT]
    r.talon_shown = r.tried[level, _TALON_SHOWN]
    up = signed(r.tried[level, _UP])
    for foundation in range(7, -1, -1):
        r.relaxed_up[foundation] = up & 15
        up >>= 4
    r.settled = r.left & ~(r.in_reserves & ~r.uncovered)
    r.seen_hosts = r.uncovered & r.hosting & ~r.in_cells


@compiled
def _lifted_from(r: Record, column: int, place: int) -> int:
    """The lowest card that is lifted with a card of a column: with NATURAL_JOINS that of its run in suit."""
    return signed(r.head[column, place]) if r.prunings & NATURAL_JOINS else place


@compiled
def _to_lift(r: Record) -> Word:
    """The cards that can be lifted to the cells, with NATURAL_JOINS with the run that they end."""
    free = r.cells - count_cards(r.in_cells)
    cards = _NONE
    ends = r.uncovered & r.in_columns & ~r.left if free > 0 else _NONE
    while ends != _NONE:
        card = lowest_card(ends)
        ends &= ~bit(card)
        column, place = signed(r.pile_of[card]), signed(r.place_of[card])
        count = 0
        for lower in range(_lifted_from(r, column, place), place + 1):
            count += not has(r.left, r.cards[column, lower])
        if count <= free:
            cards |= bit(card)
    return cards


@compiled
def _lift(r: Record, card: int) -> None:
    """Put a card, and with NATURAL_JOINS what lies below it in suit and has not left, to the cells."""
    column, place = signed(r.pile_of[card]), signed(r.place_of[card])
    for lower in range(_lifted_from(r, column, place), place + 1):
        lifted = r.cards[column, lower]
        if not has(r.left, lifted):
            leave(r, lifted)
            r.in_cells |= bit(lifted)
            if has(r.seen_hosts, lifted):
                _host_no_more(r, lifted)


@compiled
def _host_no_more(r: Record, card: int) -> None:
    """Take a card for no host while it is in a cell."""
    r.seen_hosts &= ~bit(card)
    cards = r.fits[card] & r.wanted
    while cards != _NONE:
        hosted = lowest_card(cards)
        cards &= cards - _ONE
        if r.hosts[hosted] & r.seen_hosts == _NONE:
            r.wanted &= ~bit(hosted)


@compiled
def _dead_with_cells(r: Record) -> bool:
    """Whether no way to fill the cells helps the relaxed player on; what has been derived is taken up from."""
    level, tried = 0, 0
    _save(r, 0)
    while level >= 0:
        cards = r.tried[level, _TO_TRY]
        if cards == _NONE:
            level -= 1
            continue
        card = lowest_card(cards)
        r.tried[level, _TO_TRY] = cards & ~bit(card)
        _restore(r, level)
        _lift(r, card)
        tried += 1
        if derive(r) or tried == MOST_TRIED:
            return False
        if r.in_cells & ~r.tried[level, _IN_CELLS] != _NONE:
            # Otherwise nothing is lost by it, and the level goes on from here.
            level += 1
            if level == TRIED_LEVELS:
                return False
        _save(r, level)
    return True


@compiled
def dead_end(r: Record) -> bool:
    """Whether DEAD_ENDS drops a position that was not met before."""
    if not r.prunings & DEAD_ENDS or (r.relaxed_at_root and r.nodes > 0):
        return False
    return dead(r)


@compiled
def dead(r: Record) -> bool:
    """Whether the relaxation proves that the position can't be won; leaves the cards that can't leave in ``stuck``."""
    r.stuck = 0
    if r.prunings & ROOTS_STAY:
        return not rooted_alive(r)
    if r.build_up == ALTERNATING_UP:
        return not all_can_leave(r)
    begin_relaxed(r)
    alive = derive(r)
    r.stuck = r.pack_size - count_cards(r.left)
    return not alive and (not r.cells_counted or _dead_with_cells(r))
