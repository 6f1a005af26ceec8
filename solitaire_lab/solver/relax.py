"""A relaxation that proves positions lost: every card that can leave its place stays there as well.

See ``prunings.dead_ends`` for what is proved by it and why, and ``dead.py`` for cells. What is known are sets of cards
that only grow, but for ``in_cells`` and ``in_spaces``; each step of deriving looks at what is new in them alone.
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
    signed,
)
from solitaire_lab.solver.relax_alternating import all_stand, leave_in_runs
from solitaire_lab.solver.sets import bit, count_cards, has, lowest_card

_NONE, _ONE = np.uint64(0), np.uint64(1)
_ALL = ~_NONE


@compiled
def leave(r: Record, card: int) -> None:
    r.left |= bit(card)
    r.hosting |= bit(card)


@compiled
def _below(r: Record, card: int) -> Word:
    """The card, as a set, on which a card of a column lies."""
    column, place = signed(r.pile_of[card]), signed(r.place_of[card])
    return bit(r.cards[column, place - 1]) if place > 0 else _NONE


@compiled
def _settle(r: Record) -> None:
    """Derive what is uncovered since cards have left."""
    # A reserve uncovers its cards one by one.
    new = r.left & ~r.settled & ~(r.in_reserves & ~r.uncovered)
    r.settled |= new
    uncovered, talon_left = r.uncovered, r.talon_left
    columns, reserves, undealt = new & r.in_columns, new & r.in_reserves, new & r.undealt & ~r.in_reserves
    while columns != _NONE:
        uncovered |= _below(r, lowest_card(columns))
        columns &= columns - _ONE
    while reserves != _NONE:
        uncovered |= bit(r.below[lowest_card(reserves)])
        reserves &= reserves - _ONE
    while undealt != _NONE:
        talon_left |= bit(r.below[lowest_card(undealt)])
        undealt &= undealt - _ONE
    r.uncovered, r.talon_left = uncovered, talon_left


@compiled
def _see(r: Record) -> None:
    """Derive what may move, and what finds a host, since cards are uncovered, hold more or have left cells."""
    opened = r.uncovered & ~r.opened & (r.in_columns | r.undealt | r.in_cells)
    r.opened |= opened
    movable = r.movable | opened
    if r.moves_rule != SINGLE and r.moves_rule != GROUP:
        opened &= r.in_columns
        while opened != _NONE:
            card = lowest_card(opened)
            opened &= opened - _ONE
            column, place = signed(r.pile_of[card]), signed(r.place_of[card])
            for lower in range(signed(r.head[column, place]), place):
                movable |= bit(r.cards[column, lower])
    r.movable = movable
    hosts = r.uncovered & r.hosting & ~r.in_cells & ~r.seen_hosts
    r.seen_hosts |= hosts
    wanted = _NONE
    while hosts != _NONE:
        wanted |= r.fits[lowest_card(hosts)]
        hosts &= hosts - _ONE
    r.wanted |= wanted
    r.held_back &= ~wanted


@compiled
def _reserve_first(r: Record) -> bool:
    """Whether spaces are for the one reserve pile alone, because it lasts."""
    # A card that went from its space to a cell would make room for the next one; where there are cells, don't count.
    if r.while_reserve == FREE_FILL or r.reserves != 1 or r.held[FIRST_RESERVE] == 0 or r.cells > 0:
        return False
    return not has(r.left, r.cards[FIRST_RESERVE, 0])


@compiled
def _fillers(r: Record) -> Word:
    """The cards that may come to fill a space."""
    r.space_found |= r.left & r.bases != _NONE
    if not r.space_found or _reserve_first(r):
        return _NONE
    if r.after == ANY_FILLS:
        return _ALL
    fillers = r.kings if r.after == KING_FILLS else _NONE
    return fillers | r.undealt if r.after == WASTE_FILLS or r.auto_waste != 0 or r.reserves > 0 else fillers


@compiled
def _is_held_back(r: Record, card: int) -> bool:
    """Whether all hosts of a card lie on it and would move with it."""
    if has(r.uncovered, card):
        return False
    hosts = r.hosts[card] & r.seen_hosts
    column = signed(r.pile_of[card])
    between = _NONE
    for place in range(signed(r.place_of[card]) + 1, r.held[column]):
        upper = bit(r.cards[column, place])
        if r.left & upper != _NONE:
            break
        between |= upper
    if hosts & ~between != _NONE:
        return False
    r.held_back |= bit(card)
    r.held_by |= between
    return True


@compiled
def _leave_places(r: Record) -> bool:
    """Derive which cards leave their places for hosts, spaces and cells."""
    if r.held_by & r.left != _NONE:
        r.held_back = r.held_by = _NONE
    fillers = _fillers(r)
    free = fillers & ~r.bases
    if not r.cells_counted and r.cells > 0 and count_cards(r.in_cells & ~r.left) < r.cells:
        free |= r.uncovered & (r.in_columns | r.undealt if r.cells_from_any else r.in_columns)
    movable = r.movable & ~r.left
    leaving = movable & free
    hosted = movable & r.wanted & ~r.held_back & ~free
    buried = hosted & ~r.uncovered
    leaving |= hosted & r.uncovered
    while buried != _NONE:
        card = lowest_card(buried)
        buried &= buried - _ONE
        if not _is_held_back(r, card):
            leaving |= bit(card)
    out_of_cells = r.in_cells & (r.left | leaving) & (r.wanted | fillers)
    r.in_cells &= ~out_of_cells
    r.left |= leaving
    r.hosting |= leaving
    if r.capacity < r.pack_size:
        _make_room(r, leaving & r.in_columns)
    return leaving | out_of_cells != _NONE


@compiled
def _make_room(r: Record, cards: Word) -> None:
    """What lies on cards that leave may have come along, to where there is room on top of it."""
    while cards != _NONE:
        card = lowest_card(cards)
        cards &= cards - _ONE
        column = signed(r.pile_of[card])
        for place in range(signed(r.place_of[card]) + 1, r.held[column]):
            r.hosting |= bit(r.cards[column, place])


@compiled
def _fill_spaces(r: Record) -> bool:
    """Derive whether the next card of the one reserve pile leaves for a space, which it fills for good."""
    if not _reserve_first(r):
        return False
    r.in_spaces &= ~r.wanted
    spare = r.empty_columns + count_cards(r.bases & r.left) - count_cards(r.in_spaces)
    ready = r.uncovered & r.in_reserves & r.undealt & ~r.left
    if ready == _NONE or spare <= 0:
        return False
    card = lowest_card(ready)
    leave(r, card)
    r.in_spaces |= bit(card)
    return True


@compiled
def _show_talon(r: Record) -> bool:
    """Derive which cards of the talon are shown.

    A card can be brought to the top of the waste if it is the last or the top already; if the next one has left; if
    turning on from here ends with it; or, after a redeal, when so many before it have left that whole turns do.
    """
    shown = r.talon_left >> _ONE
    if r.turn > 0 and may_redeal(r):
        left = r.talon_left
        for missing in range(r.turn - 1, 0, -1):
            if left == _NONE:
                break
            # What lies behind so many that have left.
            shown |= (r.turn_ends >> np.uint64(missing)) & ~(left ^ (left - _ONE))
            left &= left - _ONE
    return _show(r, shown & ~r.talon_left & (bit(r.talon_size) - _ONE))


@compiled
def _show(r: Record, places: Word) -> bool:
    new = places & ~r.talon_shown
    r.talon_shown |= new
    changed = new != _NONE
    while new != _NONE:
        r.uncovered |= bit(r.talon[lowest_card(new)])
        new &= new - _ONE
    return changed


@compiled
def _go_up(r: Record) -> bool:
    """Derive which cards can go up, one by one."""
    up = _NONE
    for foundation in range(r.foundations):
        while r.relaxed_up[foundation] < r.ranks:
            card = r.suit_cards[foundation, r.relaxed_up[foundation]]
            if not has(r.uncovered, card):
                break
            r.relaxed_up[foundation] += 1
            up |= bit(card)
    r.left |= up
    r.hosting |= up
    r.in_cells &= ~up
    r.in_spaces &= ~up
    return up != _NONE


@compiled
def _is_joined(r: Record, card: int) -> bool:
    """Whether a card lies on the next one of its suit, both face up."""
    if has(r.joined, card):
        return True
    if not has(r.in_columns, card):
        return False
    column, place = signed(r.pile_of[card]), signed(r.place_of[card])
    if place <= r.down[column] or not has(r.runs[r.cards[column, place - 1]], card):
        return False
    r.joined |= bit(card)
    return True


@compiled
def _leave_in_suits(r: Record) -> bool:
    """Derive which suits can leave as whole runs: every card but the highest joined to the next, or able to be."""
    changed = False
    for suit in range(4):
        if r.relaxed_up[suit]:
            continue
        king = bit(13 * suit + r.ranks - 1)
        others = king - bit(13 * suit)
        apart = others & ~(r.joined | r.left)
        while apart != _NONE and _is_joined(r, lowest_card(apart)):
            apart &= apart - _ONE
        if apart == _NONE:
            r.relaxed_up[suit] = 1
            r.space_found = 1
            r.left |= king | others
            r.hosting |= king | others  # each may come back to a lower place
            r.in_cells &= ~(king | others)
            r.in_spaces &= ~(king | others)
            changed = True
    return changed


@compiled
def _leave_in_alternating_runs(r: Record) -> bool:
    """Derive which cards can leave with whole runs in alternating colours."""
    cards = leave_in_runs(r)
    if cards & (~r.left | r.in_spaces) == _NONE:
        return False
    r.space_found = 1
    r.left |= cards
    r.in_spaces &= ~cards
    # Not all of them need leave so; others may still move, and bring what lies on them to where there is room.
    r.hosting = ~_NONE
    return True


@compiled
def _go_away(r: Record) -> bool:
    """Derive which cards leave for foundations, or with whole runs."""
    if r.build_up == ALTERNATING_RUN_UP:
        return _leave_in_alternating_runs(r)
    return _leave_in_suits(r) if r.build_up >= RUN_UP else _go_up(r)


@compiled
def begin_relaxed(r: Record) -> None:
    r.uncovered = r.left = r.hosting = r.in_cells = r.in_spaces = r.bases = r.in_reserves = _NONE
    r.movable = r.wanted = r.held_back = r.held_by = _NONE
    r.settled = r.opened = r.seen_hosts = r.joined = r.talon_left = r.talon_shown = _NONE
    r.relaxed_up[:] = 0
    up = _NONE
    for foundation in range(r.foundations):
        pile = FIRST_FOUNDATION + foundation
        if r.build_up < RUN_UP:
            r.relaxed_up[foundation] = r.held[pile]
        for place in range(r.held[pile]):
            up |= bit(r.cards[pile, place])
    if r.returns != RETURN_OFF:
        r.uncovered = r.left = r.hosting = up
    elif r.build_up >= RUN_UP:
        r.left = up
    for pile in range(FIRST_CELL, FIRST_CELL + r.cells):
        if r.held[pile] > 0:
            r.in_cells |= bit(r.cards[pile, 0])
    r.uncovered |= r.in_cells
    for pile in range(FIRST_RESERVE, FIRST_RESERVE + r.reserves):
        below = r.cards[pile, 0]
        for place in range(r.held[pile]):
            card = r.cards[pile, place]
            r.in_reserves |= bit(card)
            r.below[card] = below
            below = card
        if r.held[pile] > 0:
            r.uncovered |= bit(below)
    talon = _begin_talon(r)
    r.undealt = talon | r.in_reserves if r.reserve_to_columns else talon
    r.in_columns = r.pack & ~(up | r.in_cells | r.in_reserves | talon)
    r.hosting |= r.in_columns
    _begin_columns(r)
    # A stock that is yet to become a column is a space.
    r.empty_columns += r.becomes_column and r.columns == r.dealt_columns
    r.space_found = r.empty_columns > 0


@compiled
def _begin_columns(r: Record) -> None:
    r.empty_columns = 0
    face_down = _NONE
    for column in range(r.columns):
        size = r.held[column]
        if size == 0:
            r.empty_columns += 1
            continue
        r.bases |= bit(r.cards[column, 0])
        r.uncovered |= bit(r.cards[column, size - 1])
        for place in range(r.down[column]):
            face_down |= bit(r.cards[column, place])
        for place in range(r.capacity - 1, size):
            r.hosting &= ~bit(r.cards[column, place])
    if r.moves_rule == GROUP:
        r.movable = r.in_columns & ~face_down


@compiled
def _begin_talon(r: Record) -> Word:
    """Set what is known of the talon, and return its cards."""
    cards = _NONE
    for place in range(r.talon_size):
        cards |= bit(r.talon[place])
        r.below[r.talon[place]] = place
    if r.row > 0:
        r.uncovered |= cards
        r.left |= cards
        r.hosting |= cards
    elif r.talon_size > 0:
        shown = bit(r.talon_size - 1) | (bit(r.waste_size) >> _ONE) | (r.turn_ends << np.uint64(r.waste_size))
        if may_redeal(r):
            shown |= r.turn_ends
        _show(r, shown & (bit(r.talon_size) - _ONE))
    return cards


@compiled
def derive(r: Record) -> bool:
    """Derive all that follows, and say whether the relaxed player wins: when every card has left, no more does."""
    in_suit = r.build_up < RUN_UP
    changed = True
    while changed:
        _settle(r)
        _see(r)
        if in_suit and (r.in_columns | r.in_reserves | r.undealt) & ~r.uncovered == _NONE:
            # What is uncovered goes up in time.
            r.left |= r.in_columns | r.in_reserves | r.undealt | r.in_cells
            return True
        changed = _leave_places(r) or _show_talon(r) or _fill_spaces(r) or _go_away(r)
    if r.build_up == ALTERNATING_RUN_UP:
        return all_stand(r)
    return not in_suit and r.relaxed_up[0] + r.relaxed_up[1] + r.relaxed_up[2] + r.relaxed_up[3] == 4
