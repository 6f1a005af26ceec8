"""Fingerprints of positions: kept up to date with every step, and known of a move before it is made.

A fingerprint has two words, and is a plain sum: of a term for each pile, and of words for the cards that the talon has
left, for the size of the waste and for the redeals used. A pile's term is its chain, mixed; the chain is a polynomial
of random words, one for each card, in a random factor modulo 2**64. Two piles with the same cards in another order
differ by sums of such words times differences of two powers. The factor is of the form 8 n + 5, so no power under the
104th differs from 1 by a multiple of more than 2**8: of the 64 bits of either word at most 8 tell nothing about the
order.
"""

from __future__ import annotations

import numpy as np

from solitaire_lab.solver.compiling import compiled
from solitaire_lab.solver.record import (
    ALL_CARDS,
    COUNT_ONLY,
    FIRST_FOUNDATION,
    FIRST_RESERVE,
    MOVE,
    NEW_REDEALS,
    NEW_WASTE,
    SIZE,
    SOURCE,
    STOCK_AT_WILL,
    TARGET,
    WASTE,
    Record,
    Word,
)

_S30, _S27, _S31 = np.uint64(30), np.uint64(27), np.uint64(31)
_M1, _M2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


@compiled
def _mix(x: Word) -> Word:
    """A bijection of 64-bit words that spreads every bit: the finaliser of SplitMix64 (Steele, Lea, Flood 2014)."""
    x = (x ^ (x >> _S30)) * _M1
    x = (x ^ (x >> _S27)) * _M2
    return x ^ (x >> _S31)


@compiled
def _term(r: Record, pile: int, chain: Word, size: int, card: int, word: int) -> Word:
    """What a pile adds to a word of the fingerprint, which is a plain sum: so piles with equal salt may stand in any
    order.

    Args:
        chain: of its cards.
        size: how many these are.
        card: the top one; of foundations whose lower cards can't matter any more it is all that counts, or not even
            that.
    """
    if FIRST_FOUNDATION <= pile < FIRST_RESERVE and r.foundation_view != ALL_CARDS:
        seen = size - 1 if r.foundation_view == COUNT_ONLY else card
        chain = np.uint64(0) if size == 0 else r.card_word[seen, word]
    return _mix(chain + r.salt[pile, word])


@compiled
def retouch(r: Record, pile: int) -> None:
    """Bring a pile's term of the fingerprint up to date."""
    size = r.held[pile]
    card = r.cards[pile, size - 1] if size > 0 else 0
    for word in range(2):
        term = _term(r, pile, r.chain[pile, size, word], size, card, word)
        r.fingerprint[word] += term - r.term[pile, word]
        r.term[pile, word] = term


@compiled
def link(r: Record, pile: int, place: int, card: int) -> None:
    """Set the chain of a pile up to a card at a place; ``card`` has 64 more if it lies face down.

    The lowest card has the highest power of the factor. So the chain of a pile with other cards on it follows from two
    chains of the pile that they come from, however many they are; see ``foresee``.
    """
    for word in range(2):
        r.chain[pile, place + 1, word] = r.chain[pile, place, word] * r.power[1, word] + r.card_word[card, word]


@compiled
def _seen(r: Record, waste_size: int, talon_size: int) -> int:
    """The size of the waste, as far as the fingerprint tells sizes apart.

    With STOCK_AT_WILL and unlimited redeals the same cards can be shown whenever the waste holds whole turns or the
    whole talon, so these sizes count as one.
    """
    if r.redeals < 0 and r.prunings & STOCK_AT_WILL and (waste_size == talon_size or waste_size % r.turn == 0):
        return 0
    return waste_size


@compiled
def see_waste(r: Record) -> None:
    """Bring the fingerprint up to date with the size of the waste."""
    seen = _seen(r, r.waste_size, r.talon_size)
    for word in range(2):
        r.fingerprint[word] += r.waste_word[seen, word] - r.waste_word[r.waste_seen, word]
    r.waste_seen = seen


@compiled
def foresee(r: Record, move: int) -> None:
    """Set in ``leads_to`` what a listed move leads to, before forced steps: a fingerprint, or twice 0 if it moves no
    cards.

    What a lone root begins (LAZY_ROOTS) counts as met, too, where the root alone leads to a position that was met:
    there the play that it is a part of is listed as well, less the root.
    Where sizes of the waste count as one, a child may be taken for met though its own waste card would be forced up:
    the position that was met shows that card as well, and wins in as many moves (STOCK_AT_WILL).
    """
    step = r.moves[move]
    if step & 7 != MOVE:
        r.leads_to[move] = 0
        return
    source, target, size = (step >> SOURCE) & 127, (step >> TARGET) & 127, (step >> SIZE) & 127
    for word in range(2):
        ahead = r.fingerprint[word]
        if source == WASTE:
            place = ((step >> NEW_WASTE) & 127) - 1
            redeals = (step >> NEW_REDEALS) & 255
            ahead += r.redeal_word[redeals, word] - r.redeal_word[r.redeals_used, word]
            ahead += r.waste_word[_seen(r, place, r.talon_size - 1), word] - r.waste_word[r.waste_seen, word]
            ahead -= r.talon_word[r.talon_id[place], word]
            card = r.talon[place]
            cards = r.card_word[card, word]
        else:
            held = r.held[source]
            left = held - size
            chain = r.chain[source, left, word]
            below = r.cards[source, left - 1] if left > 0 else 0
            ahead += _term(r, source, chain, left, below, word) - r.term[source, word]
            card = r.cards[source, held - 1]
            cards = r.chain[source, held, word] - chain * r.power[size, word]
        held = r.held[target]
        chain = r.chain[target, held, word] * r.power[size, word] + cards
        r.leads_to[move, word] = ahead + _term(r, target, chain, held + size, card, word) - r.term[target, word]
