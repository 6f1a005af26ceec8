"""Cards, packs, and their text.

A card is a small integer, ``13 * suit + rank - 1``, so that twins of two packs are equal and tables can be
indexed by it. Ranks run from 1 (ace) to 13 (king); suits from 0 to 3 in the order clubs, diamonds, hearts, spades.
"""

from __future__ import annotations

import re
from typing import TypeAlias

from solitaire_lab.errors import InputError

Card: TypeAlias = int

RANKS = "A23456789TJQK"
SUITS = "CDHS"
CARDS = 52

_CARD_TEXT = re.compile(r"(10|[A2-9TJQK])([CDHS])", re.IGNORECASE)


def card(rank: int, suit: int) -> Card:
    """The card of a rank (1 to 13) and a suit (0 to 3)."""
    return 13 * suit + rank - 1


def rank_of(card: Card) -> int:
    """The rank of a card, 1 (ace) to 13 (king)."""
    return card % 13 + 1


def suit_of(card: Card) -> int:
    """The suit of a card: 0 clubs, 1 diamonds, 2 hearts, 3 spades."""
    return card // 13


def is_red(card: Card) -> bool:
    """Whether a card is a diamond or a heart."""
    return card // 13 in (1, 2)


CARD_TEXTS = tuple(RANKS[rank_of(c) - 1] + SUITS[suit_of(c)] for c in range(CARDS))
"""The text of every card, such as ``9H``; the index is the card."""


def card_text(card: Card) -> str:
    """A card as two characters, such as ``9H`` or ``TD``."""
    return CARD_TEXTS[card]


def parse_card(text: str) -> Card:
    """Read a card; ``10D`` and lower case are read too.

    Raises:
        InputError: the text is no card.
    """
    match = _CARD_TEXT.fullmatch(text.strip())
    if match is None:
        raise InputError(f"{text!r} is no card; a card is a rank of {RANKS} and a suit of {SUITS}, such as 9H or TD.")
    return parse_rank(match[1]) - 1 + 13 * SUITS.index(match[2].upper())


def rank_text(rank: int) -> str:
    """A rank as one character."""
    return RANKS[rank - 1]


def parse_rank(text: str) -> int:
    """Read a rank, 1 to 13, from its character; ``10`` is read too.

    Raises:
        InputError: the text is no rank.
    """
    found = RANKS.find("T" if text == "10" else text.upper()) if text else -1
    if found < 0:
        raise InputError(f"{text!r} is no rank; ranks are {RANKS}.")
    return found + 1
