"""Sets of cards, a bit each."""

from __future__ import annotations

import numpy as np

from solitaire_lab.solver.compiling import compiled
from solitaire_lab.solver.record import Word, signed

_ONE = np.uint64(1)
_EVERY_2ND, _PAIRS = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333)
_NIBBLES, _BYTES = np.uint64(0x0F0F0F0F0F0F0F0F), np.uint64(0x0101010101010101)


@compiled
def bit(card: int) -> Word:
    """The set of one card."""
    return _ONE << np.uint64(card)


@compiled
def has(mask: Word, card: int) -> bool:
    """Whether a set of cards, a bit each, holds a card."""
    return (mask >> np.uint64(card)) & _ONE != np.uint64(0)


@compiled
def count_cards(mask: Word) -> int:
    """How many cards a set has."""
    mask = mask - ((mask >> _ONE) & _EVERY_2ND)
    mask = (mask & _PAIRS) + ((mask >> np.uint64(2)) & _PAIRS)
    mask = (mask + (mask >> np.uint64(4))) & _NIBBLES
    return signed((mask * _BYTES) >> np.uint64(56))


@compiled
def lowest_card(mask: Word) -> int:
    """The lowest card of a set that is not empty."""
    return count_cards((mask & (~mask + _ONE)) - _ONE)
