"""Which steps follow from a position: automatic ones, forced ones, and the moves to choose from."""

from __future__ import annotations

import numpy as np

from solitaire_lab.solver.compiling import compiled
from solitaire_lab.solver.record import (
    ALTERNATING_RUN_UP,
    ANY_FILLS,
    AUTO_FILL,
    AUTOMATIC,
    DEAL_ROW,
    EQUAL_PILES,
    FIRST_CELL,
    FIRST_FOUNDATION,
    FIRST_RESERVE,
    FLIP,
    FREE_FILL,
    GROUP,
    KING_FILLS,
    MANUAL_FILL,
    NATURAL_COLUMNS,
    NO_FOUNDATIONS,
    NO_RETURNS,
    NOTHING_FILLS,
    OPEN_COLUMN,
    RETURN_BASE,
    RETURN_OFF,
    RUN_UP,
    SAFE_FOUNDATION,
    SINGLE,
    SIZE,
    SOURCE,
    STOCK_AT_WILL,
    TARGET,
    TOP_OR_WHOLE,
    TWIN_HOSTS,
    WASTE,
    WASTE_FILLS,
    WHOLE,
    Record,
    Word,
    signed,
)
from solitaire_lab.solver.steps import has, move_step, turn_step, waste_step


@compiled
def _top(r: Record, pile: int) -> int:
    return r.cards[pile, r.held[pile] - 1]


@compiled
def _goes_up(r: Record, foundation: int, card: int) -> bool:
    """Whether a foundation takes a single card."""
    pile = FIRST_FOUNDATION + foundation
    size = r.held[pile]
    if size == 0:
        return has(r.base_up[foundation], card)
    return size < r.ranks and has(r.up[r.cards[pile, size - 1]], card)


@compiled
def _foundation_for(r: Record, card: int) -> int:
    """The first foundation that takes a single card, or -1."""
    for foundation in range(r.foundations):
        if _goes_up(r, foundation, card):
            return FIRST_FOUNDATION + foundation
    return -1


@compiled
def _foundation_for_run(r: Record, column: int) -> int:
    """The first foundation that takes the whole run at the end of a column, or -1."""
    size, ranks = r.held[column], r.ranks
    first = size - ranks
    if first < r.down[column] or (r.whole_column_runs and first != 0) or not has(r.kings, r.cards[column, first]):
        return -1
    for place in range(first, size - 1):
        if not has(r.runs[r.cards[column, place]], r.cards[column, place + 1]):
            return -1
    for foundation in range(r.foundations):
        if r.held[FIRST_FOUNDATION + foundation] == 0:
            return FIRST_FOUNDATION + foundation
    return -1


@compiled
def _takes_runs(r: Record) -> bool:
    return r.build_up == RUN_UP or r.build_up == ALTERNATING_RUN_UP


@compiled
def _space(r: Record) -> int:
    """The leftmost empty column, or -1."""
    for column in range(r.columns):
        if r.held[column] == 0:
            return column
    return -1


@compiled
def _fills(r: Record, card: int, source: int) -> bool:
    """Whether a card (with all on it) may go to an empty column by hand."""
    from_reserve = FIRST_RESERVE <= source < FIRST_CELL
    if r.while_reserve != FREE_FILL and r.reserve_cards > 0:
        return from_reserve
    if r.after == ANY_FILLS:
        return True
    if r.after == KING_FILLS:
        return has(r.kings, card)
    return r.after == WASTE_FILLS and (source == WASTE or from_reserve)


@compiled
def _is_safe(r: Record, card: int) -> bool:
    """Whether SAFE_FOUNDATION holds for a card that can go up."""
    level = r.level[card]
    if level < r.safe_level:
        return False
    suit = card // 13
    safe, hosts_nothing = True, r.safe_hosts_up != 0
    for foundation in range(r.foundations):
        if foundation != suit:
            held = r.held[FIRST_FOUNDATION + foundation]
            if foundation + suit == 3:
                safe = safe and held >= level - r.safe_same
            else:
                safe = safe and held >= level - r.safe_other
                hosts_nothing = hosts_nothing and held >= level
    return safe or hosts_nothing


@compiled
def _up_step(r: Record, safe: bool) -> int:
    """A step that plays a card or a run to a foundation, or 0; sources in the order of the engine's listing.

    With ``safe``, only what SAFE_FOUNDATION holds for.
    """
    for column in range(r.columns):
        if r.held[column] > 0:
            if _takes_runs(r):
                target = _foundation_for_run(r, column)
                if target >= 0:
                    return move_step(column, target, r.ranks)
            else:
                card = _top(r, column)
                target = _foundation_for(r, card)
                if target >= 0 and (not safe or _is_safe(r, card)):
                    return move_step(column, target, 1)
    for pile in range(FIRST_RESERVE, FIRST_CELL + r.cells):
        if r.held[pile] > 0:
            card = _top(r, pile)
            target = _foundation_for(r, card)
            if target >= 0 and (not safe or _is_safe(r, card)):
                return move_step(pile, target, 1)
    if r.waste_size > 0 and not (safe and r.turn > 1):
        card = r.talon[r.waste_size - 1]
        target = _foundation_for(r, card)
        if target >= 0 and (not safe or _is_safe(r, card)):
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
        space = _space(r)
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
def _host(r: Record, card: int, source: int) -> int:
    """The column other than ``source`` on whose top a card may be built, or -1; one pack in suit has at most one."""
    for column in range(r.columns):
        if column != source and r.held[column] > 0 and has(r.fits[_top(r, column)], card):
            return column
    return -1


@compiled
def _natural_step(r: Record) -> int:
    """A step of the closure of NATURAL_COLUMNS, or 0."""
    step = _up_step(r, False)
    if step != 0:
        return step
    for column in range(r.columns):
        if r.held[column] > 0:
            host = _host(r, r.cards[column, 0], column)
            if host >= 0:
                return move_step(column, host, r.held[column])
    if r.reserve_cards > 0:
        reserve = FIRST_RESERVE
        host = _host(r, _top(r, reserve), -1)
        if host >= 0:
            return move_step(reserve, host, 1)
        if r.while_reserve == MANUAL_FILL:
            space = _space(r)
            if space >= 0:
                return move_step(reserve, space, 1)
    if r.waste_size > 0:
        host = _host(r, r.talon[r.waste_size - 1], -1)
        if host >= 0:
            return waste_step(host, r.waste_size, r.redeals_used)
    if _space(r) < 0 or (r.while_reserve != FREE_FILL and r.reserve_cards > 0) or r.after == NOTHING_FILLS:
        return _talon_play(r, -1, False)
    return 0


@compiled
def forced_step(r: Record) -> int:
    """The one step that is carried out before anything is chosen, or 0."""
    step = _automatic_step(r)
    if step != 0:
        return step | AUTOMATIC
    if r.natural and r.prunings & NATURAL_COLUMNS:
        return _natural_step(r)
    if r.prunings & SAFE_FOUNDATION:
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
def _add(r: Record, count: int, step: int) -> int:
    r.moves[count] = step
    return count + 1


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
        target = _foundation_for(r, card)
        if target < 0:
            target = _host(r, card, -1)
        if target >= 0:
            step = waste_step(target, waste_size, redeals_used)
            return _add(r, count, step) if collect else step
        if space >= 0 and _fills(r, card, WASTE):
            count = _add(r, count, waste_step(space, waste_size, redeals_used))
        waste_size += 1


@compiled
def _natural_moves(r: Record) -> int:
    """All moves worth considering with NATURAL_COLUMNS, when its closure is complete."""
    space = _space(r)
    count = _talon_play(r, space, True)
    if space >= 0 and r.reserve_cards > 0 and _fills(r, _top(r, FIRST_RESERVE), FIRST_RESERVE):
        count = _add(r, count, move_step(FIRST_RESERVE, space, 1))
    return count


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
    if _takes_runs(r):
        for column in range(r.columns):
            if r.held[column] >= r.ranks and _foundation_for_run(r, column) >= 0:
                for foundation in range(r.foundations):
                    pile = FIRST_FOUNDATION + foundation
                    if r.held[pile] == 0:
                        count = _add(r, count, move_step(column, pile, r.ranks))
                        if r.prunings & EQUAL_PILES:
                            break
        return count
    for pile in range(FIRST_CELL + r.cells):
        if (pile < r.columns or pile >= FIRST_RESERVE) and r.held[pile] > 0:
            count = _add_single_ups(r, count, _top(r, pile), move_step(pile, 0, 1))
    return count


@compiled
def _add_single_ups(r: Record, count: int, card: int, step: int) -> int:
    for foundation in range(r.foundations):
        if _goes_up(r, foundation, card):
            count = _add(r, count, step | ((FIRST_FOUNDATION + foundation) << TARGET))
    return count


@compiled
def _add_builds(r: Record, count: int, step: int, card: int, size: int, source: int) -> int:
    """Moves of ``size`` cards headed by ``card`` to the non-empty columns."""
    for target in range(r.columns):
        held = r.held[target]
        if target != source and held > 0 and held + size <= r.capacity and has(r.fits[_top(r, target)], card):
            count = _add(r, count, step | (target << TARGET))
    return count


@compiled
def _add_fills(r: Record, count: int, step: int, card: int, source: int) -> int:
    """Moves of cards headed by ``card`` to the empty columns."""
    if _fills(r, card, source):
        for target in range(r.columns):
            if r.held[target] == 0:
                count = _add(r, count, step | (target << TARGET))
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
            count = _add(r, count, step | (cell << TARGET))
            if r.prunings & EQUAL_PILES:
                break
    return count


@compiled
def _wanted(r: Record) -> Word:
    """The cards that some column top accepts, a bit each."""
    wanted = np.uint64(0)
    for column in range(r.columns):
        if r.held[column] > 0:
            wanted |= r.fits[_top(r, column)]
    return wanted


@compiled
def _kept_together(r: Record, column: int, place: int) -> bool:
    """Whether TWIN_HOSTS forbids to part a run here."""
    if not r.prunings & TWIN_HOSTS or place == r.head[column, place]:
        return False
    return _foundation_for(r, r.cards[column, place - 1]) < 0


@compiled
def _add_column_moves(r: Record, count: int) -> int:
    wanted = _wanted(r)
    space = _space(r) >= 0
    for source in range(r.columns):
        size = r.held[source]
        if size == 0:
            continue
        lowest = _lowest(r, source)
        for place in range(lowest, size):
            if not _part_moves(r, source, place, lowest):
                continue
            card = r.cards[source, place]
            step = move_step(source, 0, size - place)
            if has(wanted, card) and not _kept_together(r, source, place):
                count = _add_builds(r, count, step, card, size - place, source)
            if space and (place > 0 or not _columns_alike(r)):
                count = _add_fills(r, count, step, card, source)
        if r.cell_cards < r.cells:
            count = _add_to_cells(r, count, move_step(source, 0, 1))
    return count


@compiled
def _returns(r: Record, held: int) -> bool:
    """Whether the top card of a foundation with so many cards may come back."""
    return r.returns != RETURN_OFF and not r.prunings & NO_RETURNS and (held > 1 or r.returns == RETURN_BASE)


@compiled
def _add_single_moves(r: Record, count: int) -> int:
    """Moves from reserves, cells and foundations to columns and cells."""
    for source in range(FIRST_FOUNDATION, FIRST_CELL + r.cells):
        if r.held[source] == 0:
            continue
        if source < FIRST_RESERVE and not _returns(r, r.held[source]):
            continue
        if FIRST_RESERVE <= source < FIRST_CELL and not r.reserve_to_columns:
            continue
        card = _top(r, source)
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
    if not _takes_runs(r):
        count = _add_single_ups(r, count, card, step)
    count = _add_builds(r, count, step, card, 1, -1)
    count = _add_fills(r, count, step, card, WASTE)
    if r.cells_from_any:
        count = _add_to_cells(r, count, step)
    return count


@compiled
def _may_redeal(r: Record) -> bool:
    return r.redeals < 0 or r.redeals_used < r.redeals


@compiled
def _add_talon_plays(r: Record, count: int) -> int:
    """With STOCK_AT_WILL: plays of every card that turning can bring to the top of the waste."""
    waste_size = r.waste_size
    if waste_size > 0:
        count = _add_waste_plays(r, count, waste_size, r.redeals_used)
    while waste_size < r.talon_size:
        waste_size = min(waste_size + r.turn, r.talon_size)
        count = _add_waste_plays(r, count, waste_size, r.redeals_used)
    if r.talon_size > 0 and _may_redeal(r):
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
        if undealt > 0 and not (r.blocked_by_space and _space(r) >= 0):
            count = _add(r, count, DEAL_ROW | (min(r.row, undealt) << SIZE))
    elif undealt > 0:
        count = _add(r, count, turn_step(r.waste_size + min(r.turn, undealt), r.redeals_used))
    elif r.waste_size > 0 and _may_redeal(r):
        count = _add(r, count, turn_step(0, r.redeals_used + (r.redeals >= 0)))
    return count


@compiled
def generate(r: Record) -> int:
    """List the moves to choose from in ``moves``, the first to try first, and return their number."""
    if r.natural and r.prunings & NATURAL_COLUMNS:
        return _natural_moves(r)
    count = _add_ups(r, 0)
    count = _add_single_moves(r, count)
    count = _add_column_moves(r, count)
    if r.turn > 0 and r.prunings & STOCK_AT_WILL:
        return _add_talon_plays(r, count)
    if r.waste_size > 0:
        count = _add_waste_plays(r, count, r.waste_size, r.redeals_used)
    return _add_turns(r, count)
