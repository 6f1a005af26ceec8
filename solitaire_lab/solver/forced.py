"""What follows before anything is chosen: automatic steps, and plays that a pruning proves to lose nothing."""

from __future__ import annotations

import numpy as np

from solitaire_lab.solver.compiling import compiled
from solitaire_lab.solver.places import (
    add,
    fills,
    first_space,
    foundation_for,
    foundation_for_run,
    host_for,
    host_in_suit,
    least_of_chain,
    place_in_column,
    takes_runs,
    top,
)
from solitaire_lab.solver.record import (
    AUTO_FILL,
    AUTOMATIC,
    FIRST_FOUNDATION,
    FIRST_RESERVE,
    FLIP,
    FREE_FILL,
    MANUAL_FILL,
    NATURAL_COLUMNS,
    NATURAL_JOINS,
    NO_FOUNDATIONS,
    NOTHING_FILLS,
    OPEN_COLUMN,
    ROOTS_STAY,
    SAFE_FOUNDATION,
    SOURCE,
    WASTE,
    Record,
    Word,
    signed,
)
from solitaire_lab.solver.sets import bit, count_cards, has, lowest_card
from solitaire_lab.solver.steps import move_step, turn_step, waste_step

_NONE = np.uint64(0)


@compiled
def _is_safe(r: Record, card: int, target: int, source: int) -> bool:
    """Whether SAFE_FOUNDATION, or ROOTS_STAY, holds for a card that can go up."""
    if r.safe_chains and r.prunings & SAFE_FOUNDATION:
        return r.held[target] == least_of_chain(r, target)
    if r.prunings & ROOTS_STAY and _hosts_nothing_more(r, card, source):
        return True
    level = r.level[card]
    safe, bare = level >= r.safe_level, level >= r.safe_bare
    if not r.prunings & SAFE_FOUNDATION or not (safe or bare):
        return False
    suit = card // 13
    for foundation in range(r.foundations):
        if foundation != suit:
            held = r.held[FIRST_FOUNDATION + foundation]
            safe = safe and held >= level - (r.safe_same if foundation + suit == 3 else r.safe_other)
            if bare and held < level:
                bare = not has(r.fits[card], r.suit_cards[foundation, level - 1])
    return safe or bare


@compiled
def _hosts_nothing_more(r: Record, card: int, column: int) -> bool:
    """Whether nothing will ever be built on a card, with ROOTS_STAY: see there."""
    roots = uppers = _NONE
    for other in range(r.columns):
        size = r.held[other]
        if size > 0:
            roots |= bit(r.cards[other, 0])
            for place in range(1, size):
                uppers |= bit(r.cards[other, place])
    if r.fits[card] & uppers == _NONE:
        return True
    return r.capacity == 3 and r.held[column] == 3 and r.hosts[card] & roots == _NONE


@compiled
def _up_step(r: Record, safe: bool) -> int:
    """A step that plays a card or a run to a foundation, or 0; sources in the order of the engine's listing.

    With ``safe``, only what SAFE_FOUNDATION holds for.
    """
    for column in range(r.columns):
        if r.held[column] > 0:
            if takes_runs(r):
                target = foundation_for_run(r, column)
                if target >= 0:
                    return move_step(column, target, r.ranks)
            else:
                card = top(r, column)
                target = foundation_for(r, card)
                if target >= 0 and (not safe or _is_safe(r, card, target, column)):
                    return move_step(column, target, 1)
    for i in range(r.foundations, r.singles):
        pile = signed(r.single_piles[i])
        if r.held[pile] > 0:
            card = top(r, pile)
            target = foundation_for(r, card)
            if target >= 0 and (not safe or _is_safe(r, card, target, pile)):
                return move_step(pile, target, 1)
    if r.waste_size > 0 and not (safe and r.turn > 1):
        card = r.talon[r.waste_size - 1]
        target = foundation_for(r, card)
        if target >= 0 and (not safe or _is_safe(r, card, target, WASTE)):
            return waste_step(target, r.waste_size, r.redeals_used)
    return 0


@compiled
def _automatic_step(r: Record) -> int:
    """The automatic step that is due, or 0, in the order of ``Engine.settle``."""
    if r.down_cards > 0:
        for column in range(r.columns):
            if r.down[column] > 0 and r.down[column] == r.held[column]:
                return FLIP | (column << SOURCE)
    if r.becomes_column and r.waste_size == r.talon_size and r.columns == r.dealt_columns:
        return OPEN_COLUMN
    if (r.while_reserve != FREE_FILL and r.reserve_cards > 0) or (r.auto_waste and r.waste_size > 0):
        space = first_space(r)
        if space >= 0:
            if r.while_reserve != FREE_FILL and r.reserve_cards > 0:
                if r.while_reserve == AUTO_FILL:
                    return move_step(_first_reserve(r), space, 1)
            elif r.auto_waste:
                return waste_step(space, r.waste_size, r.redeals_used)
    if r.auto_turn and r.waste_size == 0 and r.talon_size > 0:
        return turn_step(min(r.turn, r.talon_size), r.redeals_used)
    if r.forced_up:
        return _up_step(r, False)
    return 0


@compiled
def _first_reserve(r: Record) -> int:
    for pile in range(FIRST_RESERVE, FIRST_RESERVE + r.reserves):
        if r.held[pile] > 0:
            return pile
    return -1


@compiled
def _natural_step(r: Record) -> int:
    """A step of the closure of NATURAL_COLUMNS, or 0."""
    step = _up_step(r, False)
    if step != 0:
        return step
    for column in range(r.columns):
        if r.held[column] > 0:
            host = host_for(r, r.cards[column, 0], column)
            if host >= 0:
                return move_step(column, host, r.held[column])
    if r.reserve_cards > 0:
        reserve = FIRST_RESERVE
        host = host_for(r, top(r, reserve), -1)
        if host >= 0:
            return move_step(reserve, host, 1)
        if r.while_reserve == MANUAL_FILL:
            space = first_space(r)
            if space >= 0:
                return move_step(reserve, space, 1)
    if r.waste_size > 0:
        host = host_for(r, r.talon[r.waste_size - 1], -1)
        if host >= 0:
            return waste_step(host, r.waste_size, r.redeals_used)
    if first_space(r) < 0 or (r.while_reserve != FREE_FILL and r.reserve_cards > 0) or r.after == NOTHING_FILLS:
        return _talon_play(r, -1, False)
    return 0


@compiled
def _join_step(r: Record) -> int:
    """A step that NATURAL_JOINS forces, or 0."""
    if r.cell_cards + r.reserve_cards > 0:
        for i in range(r.foundations + (0 if r.cells == 0 and r.reserve_to_columns else r.reserves), r.singles):
            pile = signed(r.single_piles[i])
            if r.held[pile] > 0:
                host = host_in_suit(r, top(r, pile))
                if host >= 0:
                    return move_step(pile, host, 1)
    return _join_with_king(r) if r.kings_join else 0


@compiled
def _join_with_king(r: Record) -> int:
    """A step that NATURAL_JOINS forces onto a run that begins with a king at the bottom of its column, or 0."""
    bases = _king_bases(r)
    settled = count_cards(bases)
    for foundation in range(r.foundations):
        settled += r.held[FIRST_FOUNDATION + foundation] == r.ranks
    while bases != _NONE:
        column = lowest_card(bases)
        bases &= ~bit(column)
        size = r.held[column]
        if r.head[column, size - 1] == 0 and (size > r.cells or settled == 4):
            step = _step_onto(r, column)
            if step != 0:
                return step
    return 0


@compiled
def _king_bases(r: Record) -> Word:
    """The columns whose lowest card is a king that lies face up, a bit each."""
    bases, kings = _NONE, r.kings
    while kings != _NONE:
        king = lowest_card(kings)
        kings &= ~bit(king)
        column, place = place_in_column(r, king)
        if place == 0 and r.down[column] == 0:
            bases |= bit(column)
    return bases


@compiled
def _step_onto(r: Record, target: int) -> int:
    """The move of the card that fits on a column, with all that lies on it, or 0 if it can't move."""
    fitting = r.fits[top(r, target)]
    if fitting == _NONE:
        return 0
    column, place = place_in_column(r, lowest_card(fitting))
    if column < 0 or column == target or place < r.down[column]:
        return 0
    return move_step(column, target, r.held[column] - place)


@compiled
def forced_step(r: Record) -> int:
    """The one step that is carried out before anything is chosen, or 0."""
    step = _automatic_step(r)
    if step != 0:
        return step | AUTOMATIC
    if r.natural and r.prunings & NATURAL_COLUMNS:
        return _natural_step(r)
    if r.prunings & NATURAL_JOINS:
        step = _join_step(r)
        if step != 0:
            return step
    if r.prunings & (SAFE_FOUNDATION | ROOTS_STAY) and not takes_runs(r):
        return _up_step(r, True)
    return 0


@compiled
def won(r: Record) -> bool:
    """Whether the position is won."""
    if r.build_up != NO_FOUNDATIONS:
        return r.up_cards == r.pack_size
    if r.talon_size > 0 or r.reserve_cards > 0 or r.cell_cards > 0:
        return False
    for column in range(r.columns):
        size = r.held[column]
        if size > 0:
            if size != r.ranks or r.down[column] > 0 or not has(r.kings, r.cards[column, 0]):
                return False
            for place in range(size - 1):
                if not has(r.runs[r.cards[column, place]], r.cards[column, place + 1]):
                    return False
    return True


@compiled
def _talon_play(r: Record, space: int, collect: bool) -> int:
    """With NATURAL_COLUMNS, what may come next from the talon.

    Walks the cards in the order in which turning shows them. The first one that has a host or goes up is the last to
    consider; those before it may fill ``space``. With ``collect`` the steps are listed in ``moves`` and counted;
    without, there is no space, and the one step is returned, or 0.
    """
    count = 0
    redeals_used, waste_size, passed = r.redeals_used, r.waste_size, False
    if waste_size == 0:
        waste_size = 1
    while True:
        if waste_size > r.talon_size:
            if passed or r.talon_size == 0 or (r.redeals >= 0 and redeals_used >= r.redeals):
                return count
            passed = True
            waste_size = 1
            redeals_used += r.redeals >= 0
        if passed and waste_size >= r.waste_size:
            return count
        card = r.talon[waste_size - 1]
        target = foundation_for(r, card)
        if target < 0:
            target = host_for(r, card, -1)
        if target >= 0:
            step = waste_step(target, waste_size, redeals_used)
            return add(r, count, step) if collect else step
        if space >= 0 and fills(r, card, WASTE):
            count = add(r, count, waste_step(space, waste_size, redeals_used))
        waste_size += 1


@compiled
def natural_moves(r: Record) -> int:
    """All moves worth considering with NATURAL_COLUMNS, when its closure is complete."""
    space = first_space(r)
    count = _talon_play(r, space, True)
    if space >= 0 and r.reserve_cards > 0 and fills(r, top(r, FIRST_RESERVE), FIRST_RESERVE):
        count = add(r, count, move_step(FIRST_RESERVE, space, 1))
    return count
