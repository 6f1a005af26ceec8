"""A relaxation that proves positions lost: every card that can leave its place stays there as well.

See ``prunings.dead_ends`` for what is proved by it and why, and ``dead.py`` for cells.
"""

from __future__ import annotations

import numpy as np

from solitaire_lab.solver.compiling import compiled
from solitaire_lab.solver.places import may_redeal
from solitaire_lab.solver.record import (
    ALTERNATING_RUN_UP,
    ANY_FILLS,
    FIRST_CELL,
    FIRST_FOUNDATION,
    FIRST_RESERVE,
    FREE_FILL,
    GROUP,
    KING_FILLS,
    RETURN_OFF,
    RUN_UP,
    SINGLE,
    WASTE_FILLS,
    Record,
    Word,
)
from solitaire_lab.solver.relax_alternating import all_stand, leave_in_runs
from solitaire_lab.solver.sets import bit, count_cards, has, lowest_card

_NONE = np.uint64(0)

# Facts, bits of ``relaxed_places``.
SPACE, _CELL = 1, 2


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
    """The cards on which a card may come to lie, wherever it is now; no card hosts in a cell."""
    return r.hosts[card] & r.uncovered & r.hosting & ~r.in_cells


@compiled
def leave(r: Record, card: int) -> None:
    r.left |= bit(card)
    r.hosting |= bit(card)


@compiled
def _finds_host(r: Record, column: int, place: int) -> bool:
    """Whether a card of a column may come to lie on another card than the one below it."""
    hosts = _hosts(r, r.cards[column, place])
    if place > 0:
        hosts &= ~bit(r.cards[column, place - 1])
    if hosts == _NONE:
        return False
    # A card above in the same column is no host before something up to it has left.
    for upper in range(place + 1, r.held[column]):
        card = r.cards[column, upper]
        if has(r.left, card):
            break
        hosts &= ~bit(card)
    return hosts != _NONE


@compiled
def _reserve_first(r: Record) -> bool:
    """Whether spaces are for the one reserve pile alone, because it lasts."""
    # A card that went from its space to a cell would make room for the next one; where there are cells, don't count.
    if r.while_reserve == FREE_FILL or r.reserves != 1 or r.held[FIRST_RESERVE] == 0 or r.cells > 0:
        return False
    return not has(r.left, r.cards[FIRST_RESERVE, 0])


@compiled
def _finds_space(r: Record, card: int, undealt: bool) -> bool:
    """Whether a card may come to fill a space; ``undealt`` for those of reserves and talon."""
    if r.relaxed_places & SPACE == 0 or _reserve_first(r):
        return False
    if r.after == ANY_FILLS or (r.after == KING_FILLS and has(r.kings, card)):
        return True
    return undealt and (r.after == WASTE_FILLS or r.auto_waste != 0 or r.reserves > 0)


@compiled
def _spare_spaces(r: Record) -> int:
    """Columns that can become empty, less those that reserve cards fill for good."""
    spaces = int(r.becomes_column and r.columns == r.dealt_columns)
    for column in range(r.columns):
        spaces += r.held[column] == 0 or has(r.left, r.cards[column, 0])
    return spaces - count_cards(r.in_spaces)


@compiled
def _relax_column(r: Record, column: int) -> bool:
    """Derive what is new about the cards of a column."""
    changed = False
    size = r.held[column]
    for place in range(size - 1, -1, -1):
        card = r.cards[column, place]
        if not has(r.uncovered, card) and (place == size - 1 or has(r.left, r.cards[column, place + 1])):
            r.uncovered |= bit(card)
            changed = True
        if has(r.left, card):
            continue
        uncovered = has(r.uncovered, card)
        if not uncovered and not _movable(r, column, place):
            continue
        leaves = _finds_host(r, column, place) or (uncovered and r.relaxed_places & _CELL != 0)
        if leaves and place == 0:
            r.relaxed_places |= SPACE
        if leaves or (place > 0 and _finds_space(r, card, False)):
            r.left |= bit(card)
            for upper in range(place, size):
                # What lies on it may have come along, to where there is room on top of it.
                r.hosting |= bit(r.cards[column, upper])
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
                r.uncovered |= bit(card)
                changed = True
            if has(r.left, card) or not r.reserve_to_columns:
                continue
            cell = r.cells_from_any and r.relaxed_places & _CELL != 0
            if cell or _hosts(r, card) != _NONE or _finds_space(r, card, True):
                leave(r, card)
                changed = True
            elif _reserve_first(r) and _spare_spaces(r) > 0:
                leave(r, card)
                r.in_spaces |= bit(card)
                changed = True
    filling = r.in_spaces
    while filling != _NONE:
        card = lowest_card(filling)
        filling &= ~bit(card)
        if _hosts(r, card) != _NONE:
            r.in_spaces &= ~bit(card)
            changed = True
    return changed


@compiled
def _shown(r: Record, place: int, removed: int) -> bool:
    """Whether a card of the talon can be brought to the top of the waste, when ``removed`` before it have left."""
    if r.row > 0 or place + 1 == r.talon_size or place + 1 == r.waste_size or has(r.left, r.talon[place + 1]):
        return True
    if place >= r.waste_size and (place - r.waste_size + 1) % r.turn == 0:
        return True
    return may_redeal(r) and removed >= (place + 1) % r.turn


@compiled
def _relax_talon(r: Record) -> bool:
    """Derive which cards of the talon are shown and can leave."""
    changed = False
    removed = 0
    for place in range(r.talon_size):
        card = r.talon[place]
        if has(r.left, card):
            removed += 1
            continue
        if not has(r.uncovered, card):
            if not _shown(r, place, removed):
                continue
            r.uncovered |= bit(card)
            changed = True
        cell = r.cells_from_any and r.relaxed_places & _CELL != 0
        if r.row > 0 or cell or _hosts(r, card) != _NONE or _finds_space(r, card, True):
            leave(r, card)
            removed += 1
            changed = True
    return changed


@compiled
def _relax_cells(r: Record) -> bool:
    """Derive which cards leave their cells."""
    changed = False
    for pile in range(FIRST_CELL, FIRST_CELL + r.cells):
        if r.held[pile] > 0:
            card = r.cards[pile, 0]
            if not has(r.left, card) and _leaves_cell(r, card):
                leave(r, card)
                r.in_cells &= ~bit(card)
                changed = True
            if not r.cells_counted and has(r.left, card) and r.relaxed_places & _CELL == 0:
                r.relaxed_places |= _CELL
                changed = True
    others = r.in_cells & r.left
    while others != _NONE:
        card = lowest_card(others)
        others &= ~bit(card)
        if _leaves_cell(r, card):
            r.in_cells &= ~bit(card)
            changed = True
    return changed


@compiled
def _leaves_cell(r: Record, card: int) -> bool:
    return _hosts(r, card) != _NONE or _finds_space(r, card, False)


@compiled
def _relax_ups(r: Record) -> bool:
    """Derive which cards can go up, one by one."""
    changed = False
    for column in range(r.columns):
        # A base that went up leaves a space.
        if r.held[column] > 0 and has(r.left, r.cards[column, 0]) and r.relaxed_places & SPACE == 0:
            r.relaxed_places |= SPACE
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
            leave(r, card)
            r.in_cells &= ~bit(card)
            r.in_spaces &= ~bit(card)
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
            r.relaxed_places |= SPACE
            for rank in range(r.ranks):
                r.left |= bit(13 * suit + rank)
                r.in_cells &= ~bit(13 * suit + rank)
                r.in_spaces &= ~bit(13 * suit + rank)
            changed = True
    return changed


@compiled
def _relax_alternating_runs(r: Record) -> bool:
    """Derive which cards can leave with whole runs in alternating colours."""
    cards = leave_in_runs(r)
    if cards & ~r.left == _NONE:
        return False
    r.relaxed_places |= SPACE
    r.left |= cards
    r.in_spaces &= ~cards
    # Not all of them need leave so; others may still move, and bring what lies on them to where there is room.
    r.hosting = ~_NONE
    return True


@compiled
def begin_relaxed(r: Record) -> None:
    # A stock that is yet to become a column is a space.
    r.relaxed_places = SPACE if r.becomes_column and r.columns == r.dealt_columns else 0
    r.uncovered = r.left = r.hosting = r.joined = r.in_cells = r.in_spaces = _NONE
    for column in range(r.columns):
        size = r.held[column]
        if size == 0:
            r.relaxed_places |= SPACE
        for place in range(size):
            card = r.cards[column, place]
            if place < r.capacity - 1:
                r.hosting |= bit(card)
            if place > r.down[column] and has(r.runs[r.cards[column, place - 1]], card):
                r.joined |= bit(card)
    if not r.cells_counted and r.cell_cards < r.cells:
        r.relaxed_places |= _CELL
    r.relaxed_up[:] = 0
    for foundation in range(r.foundations):
        pile = FIRST_FOUNDATION + foundation
        r.relaxed_up[foundation] = 0 if r.build_up >= RUN_UP else r.held[pile]
        for place in range(r.held[pile]):
            card = r.cards[pile, place]
            if r.build_up >= RUN_UP and r.returns == RETURN_OFF:
                r.left |= bit(card)
            elif r.returns != RETURN_OFF:
                r.uncovered |= bit(card)
                leave(r, card)
    for pile in range(FIRST_CELL, FIRST_CELL + r.cells):
        if r.held[pile] > 0:
            r.uncovered |= bit(r.cards[pile, 0])
            r.in_cells |= bit(r.cards[pile, 0])


@compiled
def derive(r: Record) -> bool:
    """Derive all that follows, and say whether the relaxed player wins."""
    changed = True
    while changed:
        changed = False
        for column in range(r.columns):
            changed |= _relax_column(r, column)
        changed |= _relax_reserves(r)
        changed |= _relax_talon(r)
        changed |= _relax_cells(r)
        if r.build_up == ALTERNATING_RUN_UP:
            changed |= _relax_alternating_runs(r)
        elif r.build_up >= RUN_UP:
            changed |= _relax_runs(r)
        else:
            changed |= _relax_ups(r)
    if r.build_up == ALTERNATING_RUN_UP:
        return all_stand(r)
    need = 1 if r.build_up >= RUN_UP else r.ranks
    alive = True
    for suit in range(4):
        alive = alive and r.relaxed_up[suit] >= need
    return alive
