"""Where cards may go: what generating moves and forced steps both ask."""

from __future__ import annotations

import numpy as np

from solitaire_lab.solver.compiling import compiled
from solitaire_lab.solver.record import (
    ALTERNATING_RUN_UP,
    ANY_FILLS,
    COLUMNS,
    FIRST_CELL,
    FIRST_FOUNDATION,
    FIRST_RESERVE,
    FREE_FILL,
    KING_FILLS,
    RUN_UP,
    WASTE,
    WASTE_FILLS,
    Record,
    signed,
)
from solitaire_lab.solver.sets import has, lowest_card


@compiled
def top(r: Record, pile: int) -> int:
    return r.cards[pile, r.held[pile] - 1]


@compiled
def goes_up(r: Record, foundation: int, card: int) -> bool:
    """Whether a foundation takes a single card."""
    return has(r.takes[foundation], card)


@compiled
def foundation_for(r: Record, card: int) -> int:
    """The first foundation that takes a single card, or -1."""
    if not has(r.next_up, card):
        return -1
    for foundation in range(r.foundations):
        if goes_up(r, foundation, card):
            return FIRST_FOUNDATION + foundation
    return -1


@compiled
def foundation_for_run(r: Record, column: int) -> int:
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
def least_of_chain(r: Record, pile: int) -> int:
    """The fewest cards on a foundation of the same chain as a foundation that is not empty."""
    return r.least[chain_of(r, top(r, pile))]


@compiled
def chain_of(r: Record, card: int) -> int:
    """The chain of a card, 0 or 1, where foundations alternate.

    A chain is what can follow each other, up the foundations and down the columns: cards of one colour on even levels,
    of the other on odd ones.
    """
    suit = card // 13
    return (r.level[card] + (suit == 1 or suit == 2)) & 1


@compiled
def takes_runs(r: Record) -> bool:
    return r.build_up == RUN_UP or r.build_up == ALTERNATING_RUN_UP


@compiled
def first_space(r: Record) -> int:
    """The leftmost empty column, or -1."""
    for column in range(r.columns):
        if r.held[column] == 0:
            return column
    return -1


@compiled
def fills(r: Record, card: int, source: int) -> bool:
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
def host_for(r: Record, card: int, source: int) -> int:
    """The column other than ``source`` on whose top a card may be built, or -1; one pack in suit has at most one."""
    for column in range(r.columns):
        if column != source and r.held[column] > 0 and has(r.fits[top(r, column)], card):
            return column
    return -1


@compiled
def place_in_column(r: Record, card: int) -> tuple[int, int]:
    """The column and place of a card where there is but one of its like, or (-1, -1)."""
    column, place = signed(r.pile_of[card]), signed(r.place_of[card])
    if column < COLUMNS and place < r.held[column] and r.cards[column, place] == card:
        return column, place
    return -1, -1


@compiled
def column_topped_by(r: Record, card: int) -> int:
    """The column that a card is the top of, or -1, where there is but one of its like."""
    column, place = place_in_column(r, card)
    return column if column >= 0 and place + 1 == r.held[column] else -1


@compiled
def host_in_suit(r: Record, card: int) -> int:
    """The column on whose top a card from elsewhere may be built, or -1, where it has one host at most."""
    hosts = r.hosts[card]
    if hosts == np.uint64(0):
        return -1
    return column_topped_by(r, lowest_card(hosts))


@compiled
def may_redeal(r: Record) -> bool:
    return r.redeals < 0 or r.redeals_used < r.redeals


@compiled
def add(r: Record, count: int, step: int) -> int:
    r.moves[count] = step
    return count + 1
