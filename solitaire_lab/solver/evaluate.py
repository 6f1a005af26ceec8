"""How promising a position looks: a weighted sum of features, in integers. It orders the search and decides nothing."""

from __future__ import annotations

import numpy as np

from solitaire_lab.solver.compiling import compiled
from solitaire_lab.solver.lazy import lazy, lone_roots, risen
from solitaire_lab.solver.places import chain_of, top
from solitaire_lab.solver.record import ALTERNATING_UP, FIRST_FOUNDATION, FIRST_RESERVE, LAYERS, Record
from solitaire_lab.solver.sets import bit, has

FEATURES = (
    "not_up",  # cards that are not on the foundations
    "down",  # face-down cards of the tableau
    "blockers",  # cards of the tableau that lie on a card that goes up sooner
    "unjoined",  # face-up cards of the tableau that are not built on the card below them
    "off_suit",  # face-up cards of the tableau that do not lie on the next card of their suit
    "depth",  # cards that lie on the next cards of the foundations
    "reserve",  # cards of the reserve
    "cells",  # cards in cells
    "talon",  # cards of stock and waste
    "columns",  # columns in use
    "spread",  # cards that the fullest foundation is ahead of the others
    "redeals",  # redeals used
    "waste",  # cards of the waste
    "stuck",  # cards that the relaxed player of ``relax`` can't move, where there is one
    "kings",  # kings that are not at the bottom of a column
    "lowest",  # levels that the lowest foundation lacks; where foundations alternate, the lowest of each chain
    "waste_low",  # levels that the cards of the waste lie below the highest
    "waste_blockers",  # cards of the waste that lie on one that goes up sooner
    "buried",  # cards of the tableau that lie below a card on which they could be built
    "waste_under",  # levels that cards of the waste which lie below a higher one of their chain are below the highest
    "reserve_lacks",  # cards that must go up before all cards of the reserves can, each to the fullest foundation
)
VALUES = 1 << 12
"""Values lie from 0 to this, low ones promising."""

_LATE = 99


LAYERINGS = ("none", "not_up", "undealt", "off_suit", "unjoined", "blockers", "lowest")
"""What the layers of a best-first search can be: one layer, or a layer for each number of such cards; ``lowest``: for
each size of the lowest foundation and number of cards that lie on the next cards of the foundations."""


TURNS = ("best", "both", "layers")
"""How a search goes about the layers: not at all; by turns the best position of all and that of the next layer; or the
next layer only, but staying where the best position becomes better each time."""


@compiled
def _layer(r: Record, up: int, off_suit: int, unjoined: int, blockers: int, depth: int) -> int:
    if r.layering == 1:
        return r.pack_size - up
    if r.layering == 2:
        return r.talon_size - r.waste_size
    if r.layering == 3:
        return off_suit
    if r.layering == 4:
        return unjoined
    if r.layering == 6:
        return min(10 * max(r.ranks - _lacking(r), 0) + min(depth, 9), LAYERS - 1)
    return blockers if r.layering == 5 else 0


@compiled
def _buried(r: Record, column: int) -> int:
    above, buried = np.uint64(0), 0
    for place in range(r.held[column] - 1, -1, -1):
        card = r.cards[column, place]
        buried += r.hosts[card] & above != np.uint64(0)
        above |= bit(card)
    return buried


@compiled
def _lacking(r: Record) -> int:
    """What the lowest foundations lack."""
    if r.build_up == ALTERNATING_UP:
        least_0 = least_1 = r.ranks
        for pile in range(FIRST_FOUNDATION, FIRST_FOUNDATION + r.foundations):
            if r.held[pile] == 0 or chain_of(r, top(r, pile)) == 0:
                least_0 = min(least_0, r.held[pile])
            if r.held[pile] == 0 or chain_of(r, top(r, pile)) == 1:
                least_1 = min(least_1, r.held[pile])
        return 2 * r.ranks - least_0 - least_1
    least = r.ranks
    for foundation in range(r.foundations):
        least = min(least, r.risen[foundation])
    return r.ranks - least


@compiled
def _under(r: Record) -> int:
    """Of all cards of the waste that lie below a higher one of their chain, the levels from theirs to the highest."""
    under, highest_0, highest_1 = 0, -1, -1
    for place in range(r.waste_size - 1, -1, -1):
        card = r.talon[place]
        level = r.level[card]
        if chain_of(r, card) == 0:
            under += r.ranks - level if level < highest_0 else 0
            highest_0 = max(highest_0, level)
        else:
            under += r.ranks - level if level < highest_1 else 0
            highest_1 = max(highest_1, level)
    return under


@compiled
def _reserve_lacks(r: Record) -> int:
    """How many cards must go up so that the cards of the reserves can, one by one, each to the fullest foundation."""
    lacks = 0
    for foundation in range(r.foundations):
        r.reached[foundation] = r.held[FIRST_FOUNDATION + foundation]
    for pile in range(FIRST_RESERVE, FIRST_RESERVE + r.reserves):
        for place in range(r.held[pile] - 1, -1, -1):
            card = r.cards[pile, place]
            level = r.level[card]
            best = -1
            for foundation in range(r.foundations):
                reached = r.reached[foundation]
                fuller = reached <= level and (best < 0 or reached > r.reached[best])
                if fuller and _may_take(r, foundation, card):
                    best = foundation
            if best < 0:
                lacks += r.ranks
            else:
                lacks += level - r.reached[best]
                r.reached[best] = level + 1
    return lacks


@compiled
def _may_take(r: Record, foundation: int, card: int) -> bool:
    """Whether a card belongs to a foundation's suit or, where foundations alternate, to its chain."""
    pile = FIRST_FOUNDATION + foundation
    if r.build_up == ALTERNATING_UP:
        return r.held[pile] == 0 or chain_of(r, top(r, pile)) == chain_of(r, card)
    return r.suit_cards[foundation, 0] // 13 == card // 13


@compiled
def _rise(r: Record) -> int:
    """Set ``risen``, and return how many cards that are in all."""
    lone = lone_roots(r) if lazy(r) else np.uint64(0)
    up = 0
    for foundation in range(r.foundations):
        r.risen[foundation] = risen(r, foundation, lone)
        up += r.risen[foundation]
    return up


@compiled
def value_of(r: Record) -> int:
    """The value of the record's position; its layer is left in ``layer``."""
    w = r.weights
    up = _rise(r)
    value = (
        w[0] * (r.pack_size - up)
        + w[1] * r.down_cards
        + w[6] * r.reserve_cards
        + w[7] * r.cell_cards
        + w[8] * r.talon_size
        + w[11] * r.redeals_used
        + w[12] * r.waste_size
    )
    highest, wanted = 0, np.uint64(0)
    for foundation in range(r.foundations):
        pile = FIRST_FOUNDATION + foundation
        size = r.risen[foundation]
        if size == 0:
            wanted |= r.base_up[foundation]
        elif size > r.held[pile]:
            if size < r.ranks:
                wanted |= bit(r.suit_cards[foundation, size])
        elif size < r.ranks:
            wanted |= r.up[r.cards[pile, size - 1]]
        highest = max(highest, size)
    if w[15] != 0:
        value += w[15] * _lacking(r)
    if w[16] != 0 or w[17] != 0:
        lowest = _LATE
        for place in range(r.waste_size):
            level = r.level[r.talon[place]]
            value += w[16] * (r.ranks - 1 - level) + w[17] * (level > lowest)
            lowest = min(lowest, level)
    if w[19] != 0:
        value += w[19] * _under(r)
    if w[20] != 0:
        value += w[20] * _reserve_lacks(r)
    value += w[10] * (highest * r.foundations - up)
    value += w[13] * r.stuck
    blockers = unjoined = off_suit = depth = used = 0
    based = 0
    for column in range(r.columns):
        size = r.held[column]
        if size == 0:
            continue
        used += 1
        down = r.down[column]
        lowest = _LATE
        below = 0
        for place in range(size):
            card = r.cards[column, place]
            level = r.level[card]
            if level > lowest:
                blockers += 1
            else:
                lowest = level
            if place > down:
                unjoined += not has(r.fits[below], card)
                off_suit += not has(r.runs[below], card)
            if has(wanted, card):
                depth += size - 1 - place
            below = card
        if w[18] != 0:
            value += w[18] * _buried(r, column)
        based += has(r.kings, r.cards[column, 0])
    if w[14] != 0:
        for foundation in range(r.foundations):
            based += r.held[FIRST_FOUNDATION + foundation] == r.ranks
        value += w[14] * (r.pack_size // r.ranks - based)
    r.layer = _layer(r, up, off_suit, unjoined, blockers, depth)
    return value + w[2] * blockers + w[3] * unjoined + w[4] * off_suit + w[5] * depth + w[9] * used
