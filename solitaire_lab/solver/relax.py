"""A relaxation that proves positions lost: every card that can leave its place stays there as well.

See ``prunings.dead_ends`` for what is proved by it and why.
"""

from __future__ import annotations

import numpy as np

from solitaire_lab.solver.compiling import compiled
from solitaire_lab.solver.record import (
    ANY_FILLS,
    FIRST_CELL,
    FIRST_FOUNDATION,
    FIRST_RESERVE,
    GROUP,
    KING_FILLS,
    RETURN_OFF,
    RUN_UP,
    SINGLE,
    WASTE_FILLS,
    Record,
    Word,
)
from solitaire_lab.solver.steps import has

_NONE = np.uint64(0)
_ONE = np.uint64(1)

# Facts, bits of ``relaxed_places``.
_SPACE, _CELL = 1, 2


@compiled
def _bit(card: int) -> Word:
    return _ONE << np.uint64(card)


@compiled
def _movable(r: Record, column: int, place: int) -> bool:
    """Whether a card of a column that isn't uncovered may move all the same, with what lies on it."""
    if r.moves_rule == SINGLE:
        return False
    if r.moves_rule == GROUP:
        return place >= r.down[column]
    if place < r.down[column]:
        return False
    for upper in range(place + 1, r.held[column]):
        card = r.cards[column, upper]
        if has(r.left, card):
            return True
        if not has(r.joins[r.cards[column, upper - 1]], card):
            return False
    return True


@compiled
def _hosts(r: Record, card: int) -> Word:
    """The cards on which a card may come to lie, wherever it is now."""
    return r.hosts[card] & ((r.uncovered & r.hosting) | r.left)


@compiled
def _finds_host(r: Record, column: int, place: int) -> bool:
    """Whether a card of a column may come to lie on another card than the one below it."""
    hosts = _hosts(r, r.cards[column, place])
    if place > 0:
        hosts &= ~_bit(r.cards[column, place - 1])
    if hosts == _NONE:
        return False
    # A card above in the same column is no host before something up to it has left.
    for upper in range(place + 1, r.held[column]):
        card = r.cards[column, upper]
        if has(r.left, card):
            break
        hosts &= ~_bit(card)
    return hosts != _NONE


@compiled
def _may_fill(r: Record, card: int, undealt: bool) -> bool:
    """Whether a card may ever fill a space; ``undealt`` for those of reserve and talon."""
    if r.after == ANY_FILLS:
        return True
    if r.after == KING_FILLS and has(r.kings, card):
        return True
    return undealt and (r.after == WASTE_FILLS or r.auto_waste != 0 or r.reserves > 0)


@compiled
def _relax_column(r: Record, column: int) -> bool:
    """Derive what is new about the cards of a column."""
    changed = False
    size = r.held[column]
    for place in range(size - 1, -1, -1):
        card = r.cards[column, place]
        if not has(r.uncovered, card) and (place == size - 1 or has(r.left, r.cards[column, place + 1])):
            r.uncovered |= _bit(card)
            changed = True
        if has(r.left, card):
            continue
        uncovered = has(r.uncovered, card)
        if not uncovered and not _movable(r, column, place):
            continue
        leaves = _finds_host(r, column, place) or (uncovered and r.relaxed_places & _CELL != 0)
        if leaves and place == 0:
            r.relaxed_places |= _SPACE
        if leaves or (place > 0 and r.relaxed_places & _SPACE != 0 and _may_fill(r, card, False)):
            r.left |= _bit(card)
            for upper in range(place, size):
                # What lies on it may have come along, to where there is room on top of it.
                r.hosting |= _bit(r.cards[column, upper])
            changed = True
    return changed


@compiled
def _relax_reserves(r: Record) -> bool:
    changed = False
    for pile in range(FIRST_RESERVE, FIRST_CELL):
        for place in range(r.held[pile] - 1, -1, -1):
            card = r.cards[pile, place]
            if not has(r.uncovered, card):
                if place < r.held[pile] - 1 and not has(r.left, r.cards[pile, place + 1]):
                    break
                r.uncovered |= _bit(card)
                changed = True
            if not has(r.left, card) and r.reserve_to_columns:
                fills = r.relaxed_places & _SPACE != 0 and _may_fill(r, card, True)
                if fills or _hosts(r, card) != _NONE or (r.cells_from_any and r.relaxed_places & _CELL != 0):
                    r.left |= _bit(card)
                    changed = True
    return changed


@compiled
def _relax_singles(r: Record) -> bool:
    """Derive which cards of talon and cells can leave."""
    changed = False
    for place in range(r.talon_size):
        card = r.talon[place]
        if not has(r.left, card):
            fills = r.relaxed_places & _SPACE != 0 and _may_fill(r, card, True)
            cell = r.cells_from_any and r.relaxed_places & _CELL != 0
            if r.row > 0 or fills or cell or _hosts(r, card) != _NONE:
                r.left |= _bit(card)
                changed = True
    for pile in range(FIRST_CELL, FIRST_CELL + r.cells):
        if r.held[pile] > 0:
            card = r.cards[pile, 0]
            if not has(r.left, card) and (
                _hosts(r, card) != _NONE or (r.relaxed_places & _SPACE != 0 and _may_fill(r, card, False))
            ):
                r.left |= _bit(card)
                changed = True
            if has(r.left, card) and r.relaxed_places & _CELL == 0:
                r.relaxed_places |= _CELL
                changed = True
    return changed


@compiled
def _relax_ups(r: Record) -> bool:
    """Derive which cards can go up, one by one."""
    changed = False
    for column in range(r.columns):
        # A base that went up leaves a space.
        if r.held[column] > 0 and has(r.left, r.cards[column, 0]) and r.relaxed_places & _SPACE == 0:
            r.relaxed_places |= _SPACE
            changed = True
    for foundation in range(r.foundations):
        while True:
            size = r.relaxed_up[foundation]
            if size == r.ranks:
                break
            card = r.suit_cards[foundation, size]
            if not has(r.uncovered, card):
                break
            r.relaxed_up[foundation] = size + 1
            r.left |= _bit(card)
            changed = True
    return changed


@compiled
def _relax_runs(r: Record) -> bool:
    """Derive which suits can leave as whole runs: every card but the highest joined to the next, or able to be."""
    changed = False
    for suit in range(4):
        if r.relaxed_up[suit]:
            continue
        complete = True
        for rank in range(r.ranks - 1):
            card = 13 * suit + rank
            if not (has(r.joined, card) or has(r.left, card)):
                complete = False
                break
        if complete:
            r.relaxed_up[suit] = 1
            r.relaxed_places |= _SPACE
            for rank in range(r.ranks):
                r.left |= _bit(13 * suit + rank)
            changed = True
    return changed


@compiled
def _begin(r: Record) -> None:
    # A stock that is yet to become a column is a space.
    r.relaxed_places = _SPACE if r.becomes_column and r.columns == r.dealt_columns else 0
    r.uncovered = r.left = r.hosting = r.joined = _NONE
    for column in range(r.columns):
        size = r.held[column]
        if size == 0:
            r.relaxed_places |= _SPACE
        for place in range(size):
            card = r.cards[column, place]
            if place < r.capacity - 1:
                r.hosting |= _bit(card)
            if place > r.down[column] and has(r.runs[r.cards[column, place - 1]], card):
                r.joined |= _bit(card)
    for pile in range(FIRST_CELL, FIRST_CELL + r.cells):
        if r.held[pile] == 0:
            r.relaxed_places |= _CELL
    r.relaxed_up[:] = 0
    for foundation in range(r.foundations):
        pile = FIRST_FOUNDATION + foundation
        r.relaxed_up[foundation] = 0 if r.build_up >= RUN_UP else r.held[pile]
        for place in range(r.held[pile]):
            card = r.cards[pile, place]
            if r.build_up >= RUN_UP:
                r.left |= _bit(card)
            elif r.returns != RETURN_OFF:
                r.uncovered |= _bit(card)
                r.left |= _bit(card)
    for place in range(r.talon_size):
        r.uncovered |= _bit(r.talon[place])
    for pile in range(FIRST_CELL, FIRST_CELL + r.cells):
        if r.held[pile] > 0:
            r.uncovered |= _bit(r.cards[pile, 0])


@compiled
def dead(r: Record) -> bool:
    """Whether the relaxation proves that the position can't be won."""
    _begin(r)
    changed = True
    while changed:
        changed = False
        for column in range(r.columns):
            changed |= _relax_column(r, column)
        changed |= _relax_reserves(r)
        changed |= _relax_singles(r)
        if r.build_up >= RUN_UP:
            changed |= _relax_runs(r)
        else:
            changed |= _relax_ups(r)
    need = 1 if r.build_up >= RUN_UP else r.ranks
    lost = False
    for suit in range(4):
        lost = lost or r.relaxed_up[suit] < need
    return lost
