"""The moves to choose from."""

from __future__ import annotations

import numpy as np

from solitaire_lab.solver.compiling import compiled
from solitaire_lab.solver.forced import natural_moves
from solitaire_lab.solver.lazy import add_lazy_ups, lazy
from solitaire_lab.solver.places import (
    add,
    fills,
    first_space,
    foundation_for,
    foundation_for_run,
    goes_up,
    least_of_chain,
    may_redeal,
    takes_runs,
    top,
)
from solitaire_lab.solver.record import (
    ANY_FILLS,
    DEAL_ROW,
    EQUAL_PILES,
    FIRST_CELL,
    FIRST_FOUNDATION,
    FIRST_RESERVE,
    FREE_FILL,
    GROUP,
    KING_FILLS,
    LIFT,
    NATURAL_COLUMNS,
    NATURAL_JOINS,
    NO_FOUNDATIONS,
    NO_RETURNS,
    RETURN_BASE,
    RETURN_OFF,
    ROOTS_STAY,
    SAFE_FOUNDATION,
    SINGLE,
    SIZE,
    SOURCE,
    STOCK_AT_WILL,
    TARGET,
    TOP_OR_WHOLE,
    TWIN_HOSTS,
    WASTE,
    WHOLE,
    Record,
    Word,
    signed,
)
from solitaire_lab.solver.sets import bit, has, lowest_card
from solitaire_lab.solver.steps import move_step, turn_step, waste_step

_NONE = np.uint64(0)


@compiled
def _lowest(r: Record, column: int) -> int:
    """The lowest card of a column that may move to another column, as far as the rule looks at runs."""
    size = r.held[column]
    rule = r.moves_rule
    if rule == SINGLE:
        return size - 1
    if rule == GROUP:
        return r.down[column]
    if rule == WHOLE:
        return 0 if r.head[column, size - 1] == 0 else size
    return signed(r.head[column, size - 1])


@compiled
def _part_moves(r: Record, column: int, place: int, lowest: int) -> bool:
    """Whether a part of a column that begins between its lowest movable card and its top moves."""
    if r.moves_rule == TOP_OR_WHOLE:
        return place == 0 or place == r.held[column] - 1
    return r.moves_rule != WHOLE or place == 0


@compiled
def _add_ups(r: Record, count: int) -> int:
    """Plays to the foundations; a place of equal piles, here and below, counts once with EQUAL_PILES."""
    if r.build_up == NO_FOUNDATIONS:
        return count
    if takes_runs(r):
        for column in range(r.columns):
            if r.held[column] >= r.ranks and foundation_for_run(r, column) >= 0:
                for foundation in range(r.foundations):
                    pile = FIRST_FOUNDATION + foundation
                    if r.held[pile] == 0:
                        count = add(r, count, move_step(column, pile, r.ranks))
                        if r.prunings & EQUAL_PILES:
                            break
        return count
    for column in range(r.columns):
        if r.held[column] > 0:
            count = _add_single_ups(r, count, top(r, column), move_step(column, 0, 1))
    for i in range(r.foundations, r.singles):
        pile = signed(r.single_piles[i])
        if r.held[pile] > 0:
            count = _add_single_ups(r, count, top(r, pile), move_step(pile, 0, 1))
    return count


@compiled
def _add_single_ups(r: Record, count: int, card: int, step: int) -> int:
    if not has(r.next_up, card):
        return count
    for foundation in range(r.foundations):
        if goes_up(r, foundation, card):
            count = add(r, count, step | ((FIRST_FOUNDATION + foundation) << TARGET))
    return count


@compiled
def _add_builds(r: Record, count: int, step: int, card: int, size: int, source: int) -> int:
    """Moves of ``size`` cards headed by ``card`` to the non-empty columns."""
    hosts = r.hosts[card] & r.tops
    targets = np.uint64(0)
    while hosts != _NONE:
        host = lowest_card(hosts)
        hosts &= ~bit(host)
        targets |= r.topped[host]
    while targets != _NONE:
        target = lowest_card(targets)
        targets &= ~bit(target)
        if target != source and r.held[target] + size <= r.capacity:
            count = add(r, count, step | (target << TARGET))
    return count


@compiled
def _add_fills(r: Record, count: int, step: int, card: int, source: int) -> int:
    """Moves of cards headed by ``card`` to the empty columns."""
    if r.space >= 0 and fills(r, card, source):
        for target in range(r.space, r.columns):
            if r.held[target] == 0:
                count = add(r, count, step | (target << TARGET))
                if _columns_alike(r) and r.prunings & EQUAL_PILES:
                    break
    return count


@compiled
def _columns_alike(r: Record) -> bool:
    return r.row == 0 or r.talon_size == 0


@compiled
def _add_to_cells(r: Record, count: int, step: int) -> int:
    for cell in range(FIRST_CELL, FIRST_CELL + r.cells):
        if r.held[cell] == 0:
            count = add(r, count, step | (cell << TARGET))
            if r.prunings & EQUAL_PILES:
                break
    return count


@compiled
def _see_columns(r: Record) -> None:
    """Note what columns take, so that cards with nowhere to go are passed over at once."""
    tops, take, space = _NONE, _NONE, -1
    for column in range(r.columns - 1, -1, -1):
        if r.held[column] > 0:
            card = top(r, column)
            r.topped[card] = bit(column) | (r.topped[card] if has(tops, card) else _NONE)
            tops |= bit(card)
            take |= r.fits[card]
        else:
            space = column
    r.tops, r.tops_take, r.spaces_take, r.space = tops, take, _NONE, space
    if r.space >= 0 and (r.while_reserve == FREE_FILL or r.reserve_cards == 0):
        if r.after == ANY_FILLS:
            r.spaces_take = ~_NONE
        elif r.after == KING_FILLS:
            r.spaces_take = r.kings


@compiled
def _kept_together(r: Record, column: int, place: int) -> bool:
    """Whether TWIN_HOSTS forbids to part a run here."""
    if not r.prunings & TWIN_HOSTS or place == r.head[column, place]:
        return False
    return foundation_for(r, r.cards[column, place - 1]) < 0


@compiled
def _add_lifts(r: Record, count: int, source: int) -> int:
    """With NATURAL_JOINS: the run in suit at the end of a column to the cells, as a whole."""
    size = r.held[source]
    place = signed(r.head[source, size - 1])
    run = size - place
    if run > r.cells - r.cell_cards:
        return count
    king = r.after == KING_FILLS and place == 0 and has(r.kings, r.cards[source, 0])
    if king and r.space >= 0:
        return count
    if run == 1:
        return _add_to_cells(r, count, move_step(source, 0, 1))
    return add(r, count, LIFT | (source << SOURCE) | (run << SIZE))


@compiled
def _add_part_moves(r: Record, count: int, source: int, takes: Word) -> int:
    """Moves of the parts of a column that are headed by one of the cards which columns take."""
    size = r.held[source]
    lowest = _lowest(r, source)
    for place in range(lowest, size):
        card = r.cards[source, place]
        if not has(takes, card) or not _part_moves(r, source, place, lowest):
            continue
        step = move_step(source, 0, size - place)
        stays = place == 0 and r.prunings & ROOTS_STAY
        if has(r.tops_take, card) and not stays and not _kept_together(r, source, place):
            count = _add_builds(r, count, step, card, size - place, source)
        if has(r.spaces_take, card) and (place > 0 or not _columns_alike(r)):
            count = _add_fills(r, count, step, card, source)
    return count


@compiled
def _add_column_moves(r: Record, count: int) -> int:
    takes = r.tops_take | r.spaces_take
    for source in range(r.columns):
        size = r.held[source]
        if size == 0:
            continue
        if r.reach[source, size - 1] & takes != _NONE:
            count = _add_part_moves(r, count, source, takes)
        if r.cell_cards < r.cells:
            if r.prunings & NATURAL_JOINS:
                count = _add_lifts(r, count, source)
            else:
                count = _add_to_cells(r, count, move_step(source, 0, 1))
    return count


@compiled
def returns(r: Record, pile: int) -> bool:
    """Whether the top card of a foundation may come back."""
    held = r.held[pile]
    if r.returns == RETURN_OFF or r.prunings & NO_RETURNS or (held == 1 and r.returns != RETURN_BASE):
        return False
    return not (r.safe_chains and r.prunings & SAFE_FOUNDATION and least_of_chain(r, pile) >= held - 1)


@compiled
def _add_single_moves(r: Record, count: int) -> int:
    """Moves from reserves, cells and foundations to columns and cells."""
    for i in range(r.singles):
        source = signed(r.single_piles[i])
        if r.held[source] == 0:
            continue
        if source < FIRST_RESERVE and not returns(r, source):
            continue
        if FIRST_RESERVE <= source < FIRST_CELL and not r.reserve_to_columns:
            continue
        card = top(r, source)
        step = move_step(source, 0, 1)
        count = _add_builds(r, count, step, card, 1, source)
        count = _add_fills(r, count, step, card, source)
        if r.cells_from_any and source < FIRST_CELL:
            count = _add_to_cells(r, count, step)
    return count


@compiled
def _add_waste_plays(r: Record, count: int, waste_size: int, redeals_used: int) -> int:
    """Plays of the top of the waste once the waste has a size."""
    card = r.talon[waste_size - 1]
    step = waste_step(0, waste_size, redeals_used)
    if not takes_runs(r):
        count = _add_single_ups(r, count, card, step)
    count = _add_builds(r, count, step, card, 1, -1)
    count = _add_fills(r, count, step, card, WASTE)
    if r.cells_from_any:
        count = _add_to_cells(r, count, step)
    return count


@compiled
def _add_talon_plays(r: Record, count: int) -> int:
    """With STOCK_AT_WILL: plays of every card that turning can bring to the top of the waste."""
    waste_size = r.waste_size
    if waste_size > 0:
        count = _add_waste_plays(r, count, waste_size, r.redeals_used)
    while waste_size < r.talon_size:
        waste_size = min(waste_size + r.turn, r.talon_size)
        count = _add_waste_plays(r, count, waste_size, r.redeals_used)
    if r.talon_size > 0 and may_redeal(r):
        redeals_used = r.redeals_used + (r.redeals >= 0)
        waste_size = 0
        while waste_size < r.talon_size:
            waste_size = min(waste_size + r.turn, r.talon_size)
            shown = waste_size >= r.waste_size and (
                (waste_size - r.waste_size) % r.turn == 0 or waste_size == r.talon_size
            )
            if not shown:
                count = _add_waste_plays(r, count, waste_size, redeals_used)
    return count


@compiled
def _add_turns(r: Record, count: int) -> int:
    """Turning, redealing and dealing rows as moves of their own."""
    undealt = r.talon_size - r.waste_size
    if r.row > 0:
        if undealt > 0 and not (r.blocked_by_space and first_space(r) >= 0):
            count = add(r, count, DEAL_ROW | (min(r.row, undealt) << SIZE))
    elif undealt > 0:
        count = add(r, count, turn_step(r.waste_size + min(r.turn, undealt), r.redeals_used))
    elif r.waste_size > 0 and may_redeal(r):
        count = add(r, count, turn_step(0, r.redeals_used + (r.redeals >= 0)))
    return count


@compiled
def generate(r: Record) -> int:
    """List the moves to choose from in ``moves``, the first to try first, and return their number."""
    if r.natural and r.prunings & NATURAL_COLUMNS:
        return natural_moves(r)
    _see_columns(r)
    count = add_lazy_ups(r, 0) if lazy(r) else _add_ups(r, 0)
    count = _add_single_moves(r, count)
    count = _add_column_moves(r, count)
    if r.turn > 0 and r.prunings & STOCK_AT_WILL:
        return _add_talon_plays(r, count)
    if r.waste_size > 0:
        count = _add_waste_plays(r, count, r.waste_size, r.redeals_used)
    return _add_turns(r, count)
