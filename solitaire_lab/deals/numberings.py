"""Which pack a seed names, in each numbering, for ever.

All four exchange, from the last place ``i`` of the pack down to 1, place ``i`` with a place ``j`` of 0 to ``i``. They
differ in the order of the pack before, in how ``j`` is drawn, and in the end from which cards are dealt.

``lab``, our own and the default
    Deck by deck, suits C D H S, ace to king. ``j`` is exactly uniform, from xoshiro256** (``generator.py``). Place 0
    is dealt first.

``pysol``, of PySolFC
    Deck by deck, suits C S H D, ace to king. ``j`` is ``int(random() * (i + 1))`` of the Mersenne Twister that
    Python's ``random.Random(seed)`` is; numbers below 32,000 are those of ``microsoft``. The last place is dealt first.

``microsoft``, of Microsoft's FreeCell, extended to 2**33 - 1 by FreeCell Pro and to two decks by PySolFC
    One deck rank by rank, suits C D H S; two decks as for ``pysol``. ``x``, at first the seed, becomes
    ``(214013 x + 2531011) mod 2**33``; ``j`` is its bits 16 to 30, modulo ``i + 1``. From 2**31 on, bit 15 of that
    number is set; from 2**32 on, ``x`` is at first the seed less 2**32, and the number is bits 16 to 31 plus 1. The
    last place is dealt first.

``solvitaire``, of the solver of this name
    Deck by deck, rank by rank, suits C H S D. The 32-bit words of a Mersenne Twister are divided among the places
    0 to ``i``, as many for each, and words left over are drawn again. The solver takes the base card from place 0 and
    deals the others from the last place on, so its packs stand here as it has them.

A pack of fewer suits is shuffled as a whole one, and then every card gets the suit that stands for its own
(``rules.model.SUITS_IN_PLAY``). A pack of fewer ranks lacks the others before it is shuffled.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from solitaire_lab.cards import CARDS, SUITS, card, rank_of, suit_of
from solitaire_lab.deals.generator import Words, below, seeded
from solitaire_lab.errors import InputError
from solitaire_lab.rules.model import SUITS_IN_PLAY

Packs: TypeAlias = NDArray[np.uint8]

NUMBERINGS = ("lab", "pysol", "microsoft", "solvitaire")

PACK_ORDERS = {
    "lab": "C D H S, each A to K",
    "pysol": "C S H D, each A to K",
    "microsoft": "A to K, each C D H S; two packs C S H D, each A to K",
    "solvitaire": "A to K, each C H S D",
}
"""How a pack lies before it is shuffled, in words; part of what a stored deal is known by."""

_LARGEST = {"lab": 2**64 - 1, "pysol": 2**64 - 1, "microsoft": 2**33 - 1, "solvitaire": 2**31 - 1}
_SMALLEST = {"lab": 0, "pysol": 1, "microsoft": 1, "solvitaire": 0}
_FIRST_MERSENNE = 32_000
_SIDE_BY_SIDE = 2_048
"""Packs that are shuffled at once: few enough to stay in the processor's cache."""


def packs(numbering: str, seeds: Sequence[int] | Words, *, decks: int, suits: int = 4, ranks: int = 13) -> Packs:
    """The packs that seeds name, a row each; the card that is dealt first stands first, in ``solvitaire`` last.

    Args:
        numbering: one of ``NUMBERINGS``.
        seeds: in any order.
        decks: 1 or 2.
        suits: different suits, 4, 2 or 1.
        ranks: ranks from the ace on; fewer than 13 are known to ``lab`` only.

    Returns:
        Cards as uint8, shape (seeds, ``decks * 4 * ranks``).

    Raises:
        InputError: an unknown numbering, a seed that it does not know, or ranks that it does not know.
    """
    words = checked_seeds(numbering, seeds)
    if ranks != 13 and numbering != "lab":
        raise InputError(
            f"The {numbering} numbering knows whole packs only, not packs of {ranks} ranks; use lab for those."
        )
    dealt = np.empty((len(words), decks * 4 * ranks), np.uint8)
    for first in range(0, len(words), _SIDE_BY_SIDE):
        some = slice(first, first + _SIDE_BY_SIDE)
        if numbering == "lab":
            dealt[some] = _lab(words[some], decks, ranks)
        elif numbering == "solvitaire":
            dealt[some] = _solvitaire(words[some], decks)
        else:
            dealt[some] = _pysol(words[some], decks, mersenne=numbering == "pysol")
    return dealt if suits == 4 else _suits_replaced(suits)[dealt]


def checked_seeds(numbering: str, seeds: Sequence[int] | Words) -> Words:
    """Seeds as an array.

    Raises:
        InputError: an unknown numbering, or a seed that it does not know.
    """
    if numbering not in NUMBERINGS:
        raise InputError(f"{numbering!r} is no numbering; there are {', '.join(NUMBERINGS)}.")
    if len(seeds):
        for seed in (int(min(seeds)), int(max(seeds))):
            if not _SMALLEST[numbering] <= seed <= _LARGEST[numbering]:
                raise InputError(
                    f"Seed {seed} names no deal: numbers of the {numbering} numbering run from "
                    f"{_SMALLEST[numbering]} to {_LARGEST[numbering]}."
                )
    return np.array(seeds, dtype=np.uint64)


def check_room(numbering: str, first: int, count: int, *, what: str) -> None:
    """Refuse what would reach past the last seed of a numbering, in terms of what was asked for.

    Args:
        first: the seed from which on.
        count: how many.
        what: of what, in the plural.

    Raises:
        InputError: an unknown numbering, a first seed that it does not know, or not so many from there on.
    """
    checked_seeds(numbering, (first,))
    largest = _LARGEST[numbering]
    if first + count - 1 > largest:
        raise InputError(
            f"There are no {count} {what} from seed {first} on: numbers of the {numbering} numbering end with "
            f"{largest}; ask for {largest - first + 1} at most."
        )


def _ordered(suits: str, *, decks: int = 1, ranks: int = 13, by_rank: bool = False) -> Packs:
    """A pack before it is shuffled, deck by deck: suit by suit, or rank by rank."""
    in_order = [SUITS.index(suit) for suit in suits]
    if by_rank:
        deck = [card(rank, suit) for rank in range(1, ranks + 1) for suit in in_order]
    else:
        deck = [card(rank, suit) for suit in in_order for rank in range(1, ranks + 1)]
    return np.array(deck * decks, np.uint8)


def _suits_replaced(suits: int) -> Packs:
    """For every card, the one that is played with instead in a pack of so many different suits."""
    return np.array([card(rank_of(c), SUITS_IN_PLAY[suits][suit_of(c)]) for c in range(CARDS)], np.uint8)


def _lab(seeds: Words, decks: int, ranks: int) -> Packs:
    lanes = np.arange(len(seeds))
    states = seeded(seeds)
    pack = np.repeat(_ordered("CDHS", decks=decks, ranks=ranks)[:, None], len(seeds), axis=1)
    for place in range(len(pack) - 1, 0, -1):
        _exchange(pack, place, below(states, place + 1), lanes)
    return pack.T


def _exchange(pack: Packs, place: int, others: Words, lanes: NDArray[np.intp]) -> None:
    """Exchange one place with another in every lane of packs that lie side by side, shape (cards, lanes)."""
    indexes = others.astype(np.intp)
    moved = pack[indexes, lanes]
    pack[indexes, lanes] = pack[place]
    pack[place] = moved


def _pysol(seeds: Words, decks: int, *, mersenne: bool) -> Packs:
    dealt = np.empty((len(seeds), 52 * decks), np.uint8)
    by_mersenne = (seeds >= _FIRST_MERSENNE) & mersenne
    dealt[~by_mersenne] = _microsoft(seeds[~by_mersenne], decks)
    if by_mersenne.any():
        ordered = _ordered("CSHD", decks=decks).tolist()
        dealt[by_mersenne] = [_mersenne_shuffled(seed, ordered) for seed in seeds[by_mersenne].tolist()]
    return dealt


def _mersenne_shuffled(seed: int, ordered: list[int]) -> list[int]:
    draw, pack = random.Random(seed).random, ordered.copy()
    for place in range(len(pack) - 1, 0, -1):
        other = int(draw() * (place + 1))
        pack[place], pack[other] = pack[other], pack[place]
    pack.reverse()
    return pack


def _microsoft(seeds: Words, decks: int) -> Packs:
    lanes = np.arange(len(seeds))
    ordered = _ordered("CDHS", by_rank=True) if decks == 1 else _ordered("CSHD", decks=decks)
    pack = np.repeat(ordered[:, None], len(seeds), axis=1)
    wide, widest = seeds >= 2**31, seeds >= 2**32
    state = np.where(widest, seeds - np.uint64(2**32), seeds)
    for place in range(len(pack) - 1, 0, -1):
        state = (state * np.uint64(214013) + np.uint64(2531011)) & np.uint64(2**33 - 1)
        high = state >> np.uint64(16)
        drawn = high & np.uint64(0x7FFF)
        drawn = np.where(wide, drawn | np.uint64(0x8000), drawn)
        drawn = np.where(widest, (high & np.uint64(0xFFFF)) + np.uint64(1), drawn)
        _exchange(pack, place, drawn % np.uint64(place + 1), lanes)
    return pack.T[:, ::-1]


def _solvitaire(seeds: Words, decks: int) -> Packs:
    ordered = _ordered("CHSD", decks=decks, by_rank=True).tolist()
    dealt = np.empty((len(seeds), len(ordered)), np.uint8)
    twister = np.random.RandomState()
    for index, seed in enumerate(seeds.tolist()):
        twister.seed(seed)
        pack, words = ordered.copy(), _words(twister, len(ordered))
        for place in range(len(pack) - 1, 0, -1):
            words_each = 2**32 // (place + 1)
            while (other := next(words) // words_each) > place:
                pass
            pack[place], pack[other] = pack[other], pack[place]
        dealt[index] = pack
    return dealt


def _words(twister: np.random.RandomState, at_once: int) -> Iterator[int]:
    """The 32-bit words of a Mersenne Twister, one after another."""
    # RandomState is frozen for ever by numpy's policy on streams; draws from the full range are the words themselves.
    while True:
        yield from twister.randint(0, 2**32, at_once, dtype=np.uint32).tolist()
