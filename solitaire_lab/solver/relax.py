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
    COLUMNS,
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
    signed,
)
from solitaire_lab.solver.relax_alternating import all_stand, leave_in_runs
from solitaire_lab.solver.sets import bit, count_cards, has, lowest_card

_NONE = np.uint64(0)
_ALL = ~_NONE
_8 = np.uint64(8)

# Facts, bits of ``relaxed_places``.
SPACE, _CELL = 1, 2


@compiled
def _hosts(r: Record, card: int) -> Word:
    """The cards on which a card may come to lie, wherever it is now; no card hosts in a cell."""
    return r.hosts[card] & r.uncovered & r.hosting & ~r.in_cells


@compiled
def leave(r: Record, card: int) -> None:
    r.left |= bit(card)
    r.hosting |= bit(card)


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
def _as_before(r: Record, group: int) -> bool:
    """Whether all that matters to the cards of a column, or of the talon, is as it was when last asked.

    Then nothing is new about them: whoever asks derives at once what follows, and goes on until nothing does; so that
    holds after going back to what was known then, too. How They
    Run was searched 1.7 times as fast when this came, together with an end of deriving at the win.
    """
    cards = r.group_cards[group]
    left, uncovered = r.left & cards, r.uncovered & cards
    hosts = r.group_hosts[group] & r.uncovered & r.hosting & ~r.in_cells
    places = np.uint64(r.relaxed_places) | (np.uint64(_reserve_first(r)) << _8)
    looked_at = r.looked_at[group]
    same = looked_at[0] == left and looked_at[1] == uncovered and looked_at[2] == hosts and looked_at[3] == places
    looked_at[0], looked_at[1], looked_at[2], looked_at[3] = left, uncovered, hosts, places
    return same


@compiled
def _relax_column(r: Record, column: int) -> bool:
    """Derive what is new about the cards of a column."""
    if _as_before(r, column):
        return False
    size = r.held[column]
    # Of the cards above: all; those up to the first that has left, which are no hosts before something leaves; whether
    # they may move with the card below them if that moves uncovered.
    above = fixed = _NONE
    free = moves_along = True
    upper = 0
    left, uncovered, hosting = r.left, r.uncovered, r.hosting
    for place in range(size - 1, -1, -1):
        card = signed(r.cards[column, place])
        if free:
            uncovered |= bit(card)
            fixed = _NONE
        moves_along = free or r.moves_rule == GROUP or (moves_along and has(r.joins[card], upper))
        free = has(left, card)
        if not free:
            open_ = has(uncovered, card)
            if open_ or (moves_along and r.moves_rule != SINGLE and place >= r.down[column]):
                hosts = r.hosts[card] & uncovered & hosting & ~r.in_cells & ~fixed
                if place > 0:
                    hosts &= ~bit(r.cards[column, place - 1])
                leaves = hosts != _NONE or (open_ and r.relaxed_places & _CELL != 0)
                if leaves and place == 0:
                    r.relaxed_places |= SPACE
                if leaves or (place > 0 and _finds_space(r, card, False)):
                    free = True
                    left |= bit(card)
                    # What lies on it may have come along, to where there is room on top of it.
                    hosting |= above | bit(card)
        above |= bit(card)
        fixed |= bit(card)
        upper = card
    changed = left != r.left or uncovered != r.uncovered
    r.left, r.uncovered, r.hosting = left, uncovered, hosting
    return changed


@compiled
def _relax_reserves(r: Record) -> bool:
    changed = False
    for pile in range(FIRST_RESERVE, FIRST_RESERVE + r.reserves):
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
def _relax_talon(r: Record) -> bool:
    """Derive which cards of the talon are shown and can leave.

    A card can be brought to the top of the waste if it is the last or the top already; if the next one has left; if
    turning on from here ends with it; or, after a redeal, when so many before it have left that whole turns do.
    """
    if r.talon_size == 0 or _as_before(r, COLUMNS):
        return False
    changed = False
    redeals = may_redeal(r)
    cell = r.cells_from_any and r.relaxed_places & _CELL != 0
    # How many cards before a card have left, and how many must so that it ends a turn; the same for turning on from
    # here, where none leaves.
    removed, needed, ahead = 0, 0, -1
    for place in range(r.talon_size):
        needed = needed + 1 if needed < r.turn else 1
        if place == r.waste_size:
            ahead = 0
        if ahead >= 0:
            ahead = ahead + 1 if ahead < r.turn else 1
        card = r.talon[place]
        if has(r.left, card):
            removed += 1
            continue
        if not has(r.uncovered, card):
            shown = (
                r.row > 0
                or place + 1 == r.talon_size
                or place + 1 == r.waste_size
                or has(r.left, r.talon[place + 1])
                or ahead == r.turn
                or (redeals and (needed == r.turn or removed >= needed))
            )
            if not shown:
                continue
            r.uncovered |= bit(card)
            changed = True
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
    if r.relaxed_places & SPACE == 0:
        for column in range(r.columns):
            # A base that went up leaves a space.
            if r.held[column] > 0 and has(r.left, r.cards[column, 0]):
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
        king = bit(13 * suit + r.ranks - 1)
        others = king - bit(13 * suit)
        if others & ~(r.joined | r.left) == _NONE:
            r.relaxed_up[suit] = 1
            r.relaxed_places |= SPACE
            r.left |= king | others
            r.in_cells &= ~(king | others)
            r.in_spaces &= ~(king | others)
            changed = True
    return changed


@compiled
def _relax_alternating_runs(r: Record) -> bool:
    """Derive which cards can leave with whole runs in alternating colours."""
    cards = leave_in_runs(r)
    if cards & (~r.left | r.in_spaces) == _NONE:
        return False
    r.relaxed_places |= SPACE
    r.left |= cards
    r.in_spaces &= ~cards
    # Not all of them need leave so; others may still move, and bring what lies on them to where there is room.
    r.hosting = ~_NONE
    return True


@compiled
def _begin_group(r: Record, group: int, cards: Word, hosts: Word) -> None:
    r.group_cards[group] = cards
    r.group_hosts[group] = hosts
    r.looked_at[group, 0] = _ALL


@compiled
def begin_relaxed(r: Record) -> None:
    # A stock that is yet to become a column is a space.
    r.relaxed_places = SPACE if r.becomes_column and r.columns == r.dealt_columns else 0
    r.uncovered = r.left = r.hosting = r.joined = r.in_cells = r.in_spaces = _NONE
    for column in range(r.columns):
        size = r.held[column]
        if size == 0:
            r.relaxed_places |= SPACE
        cards = hosts = _NONE
        for place in range(size):
            card = r.cards[column, place]
            cards |= bit(card)
            hosts |= r.hosts[card]
            if place < r.capacity - 1:
                r.hosting |= bit(card)
            if place > r.down[column] and has(r.runs[r.cards[column, place - 1]], card):
                r.joined |= bit(card)
        _begin_group(r, column, cards, hosts)
    cards = hosts = _NONE
    for place in range(r.talon_size):
        cards |= bit(r.talon[place])
        hosts |= r.hosts[r.talon[place]]
    _begin_group(r, COLUMNS, cards, hosts)
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
    """Derive all that follows, and say whether the relaxed player wins: when every card has left, no more does."""
    alternating = r.build_up == ALTERNATING_RUN_UP
    changed = True
    while changed and (alternating or not _wins(r)):
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
    return all_stand(r) if alternating else _wins(r)


@compiled
def _wins(r: Record) -> bool:
    need = 1 if r.build_up >= RUN_UP else r.ranks
    wins = True
    for suit in range(4):
        wins = wins and r.relaxed_up[suit] >= need
    return wins
