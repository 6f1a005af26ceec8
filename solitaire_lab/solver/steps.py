"""Doing and undoing single steps on the record, with the fingerprint kept up to date."""

from __future__ import annotations

import numpy as np

from solitaire_lab.solver.compiling import compiled
from solitaire_lab.solver.fingerprint import link, retouch, see_waste
from solitaire_lab.solver.places import chain_of, top
from solitaire_lab.solver.record import (
    COLUMNS,
    DEAL_ROW,
    FIRST_CELL,
    FIRST_FOUNDATION,
    FIRST_RESERVE,
    FLIP,
    GROUP,
    LIFT,
    LIFTED_TO,
    MOVE,
    NEW_REDEALS,
    NEW_WASTE,
    OLD_REDEALS,
    OLD_WASTE,
    OPEN_COLUMN,
    PILES,
    SIZE,
    SOURCE,
    TALON_ID,
    TARGET,
    TURN,
    WASTE,
    Bytes,
    Record,
    signed,
)
from solitaire_lab.solver.sets import bit, has

_NONE = np.uint64(0)


@compiled
def move_step(source: int, target: int, size: int) -> int:
    """The word for moving ``size`` cards from pile to pile."""
    return MOVE | (source << SOURCE) | (target << TARGET) | (size << SIZE)


@compiled
def turn_step(waste_size: int, redeals_used: int) -> int:
    """The word for turning the stock until the waste has a size."""
    return TURN | (waste_size << NEW_WASTE) | (redeals_used << NEW_REDEALS)


@compiled
def waste_step(target: int, waste_size: int, redeals_used: int) -> int:
    """The word for turning the stock until the waste has a size, then playing its top."""
    return (
        MOVE | (WASTE << SOURCE) | (target << TARGET) | (1 << SIZE)
        | (waste_size << NEW_WASTE) | (redeals_used << NEW_REDEALS)
    )  # fmt: skip


@compiled
def _count(r: Record, pile: int, change: int) -> None:
    if pile >= FIRST_FOUNDATION:
        if pile < FIRST_RESERVE:
            r.up_cards += change
        elif pile < FIRST_CELL:
            r.reserve_cards += change
        else:
            r.cell_cards += change


@compiled
def _place(r: Record, pile: int, place: int, card: int) -> None:
    """Set the card at a place of a pile, face up, and what is known of the cards there."""
    r.cards[pile, place] = card
    link(r, pile, place, card)
    if pile < COLUMNS:
        r.pile_of[card] = pile
        r.place_of[card] = place
        head, reach = place, bit(card)
        if place > r.down[pile]:
            joined = has(r.joins[r.cards[pile, place - 1]], card)
            if joined:
                head = signed(r.head[pile, place - 1])
            if joined or r.moves_rule == GROUP:
                reach |= r.reach[pile, place - 1]
        r.head[pile, place] = head
        r.reach[pile, place] = reach


@compiled
def put(r: Record, pile: int, card: int) -> None:
    """Put a face-up card on a pile; what follows for its term of the fingerprint is left to the caller."""
    place = r.held[pile]
    _place(r, pile, place, card)
    r.held[pile] = place + 1


@compiled
def _see_foundation(r: Record, pile: int) -> None:
    """Note what has changed with a foundation: which cards it takes, and the least one of each chain."""
    size = r.held[pile]
    takes = np.uint64(0)
    if size == 0:
        takes = r.base_up[pile - FIRST_FOUNDATION]
    elif size < r.ranks:
        takes = r.up[r.cards[pile, size - 1]]
    r.takes[pile - FIRST_FOUNDATION] = takes
    r.next_up = takes
    for foundation in range(r.foundations):
        r.next_up |= r.takes[foundation]
    if r.safe_chains:
        r.least[:] = r.ranks
        for other in range(FIRST_FOUNDATION, FIRST_FOUNDATION + r.foundations):
            if r.held[other] > 0:
                chain = chain_of(r, top(r, other))
                r.least[chain] = min(r.least[chain], r.held[other])


@compiled
def _finish(r: Record, pile: int, change: int) -> None:
    """Note what follows when cards were put on a pile or taken, a number of them."""
    _count(r, pile, change)
    if FIRST_FOUNDATION <= pile < FIRST_RESERVE:
        _see_foundation(r, pile)
    retouch(r, pile)


@compiled
def _move_cards(r: Record, source: int, target: int, size: int) -> None:
    first, to = r.held[source] - size, r.held[target]
    for i in range(size):
        _place(r, target, to + i, r.cards[source, first + i])
    r.held[source] = first
    r.held[target] = to + size
    _finish(r, source, -size)
    _finish(r, target, size)


@compiled
def _set_talon(r: Record, waste_size: int, redeals_used: int) -> None:
    for word in range(2):
        r.fingerprint[word] += r.redeal_word[redeals_used, word] - r.redeal_word[r.redeals_used, word]
    r.waste_size = waste_size
    r.redeals_used = redeals_used


@compiled
def _play_waste(r: Record, target: int) -> None:
    place = r.waste_size - 1
    card = r.talon[place]
    number = r.talon_id[place]
    for word in range(2):
        r.fingerprint[word] -= r.talon_word[number, word]
    r.talon_size -= 1
    for i in range(place, r.talon_size):
        r.talon[i] = r.talon[i + 1]
        r.talon_id[i] = r.talon_id[i + 1]
    r.waste_size = place
    see_waste(r)
    put(r, target, card)
    _finish(r, target, 1)


@compiled
def _unplay_waste(r: Record, target: int, number: int, waste_size: int) -> None:
    r.held[target] -= 1
    card = r.cards[target, r.held[target]]
    _finish(r, target, -1)
    place = waste_size - 1
    for i in range(r.talon_size, place, -1):
        r.talon[i] = r.talon[i - 1]
        r.talon_id[i] = r.talon_id[i - 1]
    r.talon[place] = card
    r.talon_id[place] = number
    r.talon_size += 1
    for word in range(2):
        r.fingerprint[word] += r.talon_word[number, word]


@compiled
def _flip(r: Record, column: int, change: int) -> None:
    """Turn the top of a column up (change -1) or down again (change 1)."""
    place = r.held[column] - 1
    r.down[column] += change
    r.down_cards += change
    link(r, column, place, r.cards[column, place] + (64 if change > 0 else 0))
    retouch(r, column)


@compiled
def _deal_row(r: Record, size: int) -> None:
    for column in range(size):
        put(r, column, r.talon[column])
        retouch(r, column)
        for word in range(2):
            r.fingerprint[word] -= r.talon_word[r.talon_id[column], word]
    r.talon_size -= size
    for i in range(r.talon_size):
        r.talon[i] = r.talon[i + size]
        r.talon_id[i] = r.talon_id[i + size]


@compiled
def _undeal_row(r: Record, size: int, number: int) -> None:
    for i in range(r.talon_size - 1, -1, -1):
        r.talon[i + size] = r.talon[i]
        r.talon_id[i + size] = r.talon_id[i]
    r.talon_size += size
    for column in range(size):
        r.held[column] -= 1
        r.talon[column] = r.cards[column, r.held[column]]
        r.talon_id[column] = number + column
        retouch(r, column)
        for word in range(2):
            r.fingerprint[word] += r.talon_word[number + column, word]


@compiled
def _lift(r: Record, step: int) -> None:
    """Move the top cards of a column to cells, one by one."""
    source = (step >> SOURCE) & 127
    for cell in range(r.cells):
        if (step >> (LIFTED_TO + cell)) & 1:
            _move_cards(r, source, FIRST_CELL + cell, 1)


@compiled
def _unlift(r: Record, step: int) -> None:
    source = (step >> SOURCE) & 127
    for cell in range(r.cells - 1, -1, -1):
        if (step >> (LIFTED_TO + cell)) & 1:
            _move_cards(r, FIRST_CELL + cell, source, 1)


@compiled
def completed(r: Record, step: int) -> int:
    """A step as it goes on the trail: with what undoing it needs."""
    kind = step & 7
    if kind == TURN or (kind == MOVE and (step >> SOURCE) & 127 == WASTE):
        step |= (r.waste_size << OLD_WASTE) | (r.redeals_used << OLD_REDEALS)
        if kind == MOVE:
            step |= signed(r.talon_id[((step >> NEW_WASTE) & 127) - 1]) << TALON_ID
    elif kind == DEAL_ROW:
        step |= signed(r.talon_id[0]) << TALON_ID
    elif kind == LIFT:
        left = (step >> SIZE) & 127
        for cell in range(r.cells):
            if left > 0 and r.held[FIRST_CELL + cell] == 0:
                step |= 1 << (LIFTED_TO + cell)
                left -= 1
    return step


@compiled
def do(r: Record, step: int) -> None:
    """Carry out a step."""
    kind = step & 7
    if kind == MOVE:
        source = (step >> SOURCE) & 127
        target = (step >> TARGET) & 127
        if source == WASTE:
            _set_talon(r, (step >> NEW_WASTE) & 127, (step >> NEW_REDEALS) & 255)
            _play_waste(r, target)
        else:
            _move_cards(r, source, target, (step >> SIZE) & 127)
    elif kind == FLIP:
        _flip(r, (step >> SOURCE) & 127, -1)
    elif kind == TURN:
        _set_talon(r, (step >> NEW_WASTE) & 127, (step >> NEW_REDEALS) & 255)
        see_waste(r)
    elif kind == DEAL_ROW:
        _deal_row(r, (step >> SIZE) & 127)
    elif kind == OPEN_COLUMN:
        r.columns += 1
    elif kind == LIFT:
        _lift(r, step)


@compiled
def undo(r: Record, step: int) -> None:
    """Take a completed step back."""
    kind = step & 7
    if kind == MOVE:
        source = (step >> SOURCE) & 127
        target = (step >> TARGET) & 127
        if source == WASTE:
            _unplay_waste(r, target, (step >> TALON_ID) & 127, (step >> NEW_WASTE) & 127)
            _set_talon(r, (step >> OLD_WASTE) & 127, (step >> OLD_REDEALS) & 255)
            see_waste(r)
        else:
            _move_cards(r, target, source, (step >> SIZE) & 127)
    elif kind == FLIP:
        _flip(r, (step >> SOURCE) & 127, 1)
    elif kind == TURN:
        _set_talon(r, (step >> OLD_WASTE) & 127, (step >> OLD_REDEALS) & 255)
        see_waste(r)
    elif kind == DEAL_ROW:
        _undeal_row(r, (step >> SIZE) & 127, (step >> TALON_ID) & 127)
    elif kind == OPEN_COLUMN:
        r.columns -= 1
    elif kind == LIFT:
        _unlift(r, step)


@compiled
def _load_pile(r: Record, pile: int, data: Bytes, at: int) -> int:
    """Read a pile: its size, its face-down cards, its cards; return where the next one begins."""
    size = signed(data[at])
    down = signed(data[at + 1])
    if pile < COLUMNS:
        r.down[pile] = down
        r.down_cards += down
    for place in range(size):
        card = signed(data[at + 2 + place])
        put(r, pile, card)
        if place < down:
            link(r, pile, place, card + 64)
    _finish(r, pile, size)
    return at + 2 + size


@compiled
def load(r: Record, data: Bytes) -> None:
    """Set the record to a position, given as bytes by ``tables.position_bytes``, and forget any search."""
    r.fingerprint[:] = 0
    r.up_cards = r.down_cards = r.reserve_cards = r.cell_cards = 0
    r.held[:] = 0
    r.term[:] = 0
    r.down[:] = 0
    r.columns = signed(data[0])
    at = 1
    for first, count in (
        (0, r.columns),
        (FIRST_FOUNDATION, r.foundations),
        (FIRST_RESERVE, r.reserves),
        (FIRST_CELL, r.cells),
    ):
        for pile in range(first, first + count):
            at = _load_pile(r, pile, data, at)
    for pile in range(PILES):
        if r.held[pile] == 0:
            retouch(r, pile)
    r.waste_size = signed(data[at])
    r.talon_size = signed(data[at + 1])
    r.redeals_used = signed(data[at + 2])
    for place in range(r.talon_size):
        r.talon[place] = data[at + 3 + place]
        r.talon_id[place] = place
        for word in range(2):
            r.fingerprint[word] += r.talon_word[place, word]
    for word in range(2):
        r.fingerprint[word] += r.waste_word[0, word] + r.redeal_word[r.redeals_used, word]
    r.waste_seen = 0
    see_waste(r)
    r.natural = 1
    for column in range(r.columns):
        size = r.held[column]
        if r.down[column] > 0 or (size > 0 and r.head[column, size - 1] != 0):
            r.natural = 0
