"""From a seed to the starting position: which procedure holds, and how it lays out a pack."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from solitaire_lab.cards import Card, card, rank_of, suit_of
from solitaire_lab.deals.generator import Words
from solitaire_lab.deals.numberings import PACK_ORDERS, checked_seeds, packs
from solitaire_lab.deals.position import Pile, Position
from solitaire_lab.errors import InputError
from solitaire_lab.rules.catalog import Game
from solitaire_lab.rules.dealing import DealProcedure
from solitaire_lab.rules.model import Rules

_AT_ONCE = 1_000
"""Packs that are shuffled before the first is laid out; a few microseconds a deal matter."""


def deal(game: Game, *, numbering: str, seed: int) -> Position:
    """The layout that a seed names, before any automatic step.

    Raises:
        InputError: an unknown numbering, one that has no deals for these rules, or a seed that it does not know.
    """
    return next(deal_many(game, numbering=numbering, seeds=(seed,)))


def deal_many(game: Game, *, numbering: str, seeds: Sequence[int] | Words) -> Iterator[Position]:
    """The layouts that seeds name, in their order, before any automatic step.

    Raises:
        InputError: as ``deal``, at once and not at the first layout.
    """
    rules, layout = game.rules, _Layout(game.rules, _procedure(game, numbering))
    words = checked_seeds(numbering, seeds)
    blocks = (
        packs(
            numbering,
            words[first : first + _AT_ONCE],
            decks=rules.pack.decks,
            suits=rules.pack.suits,
            ranks=rules.pack.ranks,
        ).tolist()
        for first in range(0, len(words), _AT_ONCE)
    )
    return map(layout.lay_out, chain.from_iterable(blocks))


def dealing_record(game: Game, numbering: str) -> dict[str, Any]:
    """How a seed becomes a layout, apart from the rules, as JSON values: equal records, equal deals.

    Raises:
        InputError: an unknown numbering, or one that has no deals for these rules.
    """
    procedure = _procedure(game, numbering).model_dump(mode="json", include={"order", "tableau", "take_from"})
    return {"numbering": numbering, "pack": PACK_ORDERS[numbering], **procedure}


def _procedure(game: Game, numbering: str) -> DealProcedure:
    """The procedure of a numbering that holds under the rules of a game."""
    checked_seeds(numbering, ())
    known = [procedure for procedure in game.dealings if numbering in procedure.numberings]
    fitting = [procedure for procedure in known if not game.misfits(procedure)]
    if fitting:
        return fitting[0]
    others = sorted({name for p in game.dealings if not game.misfits(p) for name in p.numberings})
    instead = f"numberings that have: {', '.join(others)}"
    if not known:
        raise InputError(f"The {numbering} numbering has no deals for {game.name}; {instead}.")
    nearest = min(known, key=lambda procedure: len(game.misfits(procedure)))
    needs = [f"{key} {_shown(has)}, not {_shown(is_)}" for key, (has, is_) in game.misfits(nearest).items()]
    raise InputError(
        f"The {numbering} numbering has no deals for {game.name} under these rules; the nearest, {nearest.program}, "
        f"has {' and '.join(needs)}; {instead}."
    )


def _shown(value: Any) -> str:
    return "[" + ", ".join(map(str, value)) + "]" if isinstance(value, list) else str(value)


class _Layout:
    """A deal procedure under given rules, worked out once so that thousands of packs can be laid out quickly.

    The base cards are taken out first. All other places get their cards by index from what is left, since how many
    cards are taken out does not depend on the pack.
    """

    def __init__(self, rules: Rules, procedure: DealProcedure) -> None:
        self._rules = rules
        self._backwards = procedure.take_from == "last"
        self._base_place = -1 if self._backwards else _cards_before_foundations(rules, procedure)
        self._reserve: list[list[int]] = []
        self._columns: list[list[int]] = [[] for _ in rules.heights]
        self._cells: list[int] = []
        undealt = iter(range(len(rules.pack_cards) - rules.placed_count))
        stock: list[int] = []
        for place in procedure.order:
            if place == "reserve":
                self._reserve = [[next(undealt) for _ in range(rules.reserve.size)] for _ in range(rules.reserve.piles)]
            elif place == "tableau":
                for column in _columns_in_order(rules.heights, procedure.tableau):
                    self._columns[column].append(next(undealt))
            elif place == "cells":
                self._cells = [next(undealt) for _ in range(rules.cells.filled)]
            elif place == "stock":
                stock = [next(undealt) for _ in range(rules.stock_size)][::-1]
        self._stock = stock + list(undealt)
        self._no_base_cards: tuple[Pile, ...] = ((),) * (
            0 if rules.foundations.build == "none" else len(rules.foundation_suits)
        )
        self._empty_cells = (None,) * (rules.cells.count - rules.cells.filled)

    def lay_out(self, pack: list[Card]) -> Position:
        """The layout of one pack."""
        rules = self._rules
        if self._backwards:
            pack = pack[::-1]
        base, foundations, rest = self._place_base_cards(pack)
        columns = [tuple([rest[place] for place in column]) for column in self._columns]
        if rules.deal.kings != "as-dealt":
            columns = [_with_kings_moved(column, rules) for column in columns]
        return Position(
            base=base,
            foundations=foundations,
            tableau=tuple(columns),
            down=rules.downs,
            reserve=tuple([tuple([rest[place] for place in pile]) for pile in self._reserve]),
            cells=(*[rest[place] for place in self._cells], *self._empty_cells),
            stock=tuple([rest[place] for place in self._stock]),
        )

    def _place_base_cards(self, pack: list[Card]) -> tuple[int, tuple[Pile, ...], list[Card]]:
        """The base rank, the foundations, and the cards that are left, in order."""
        rules = self._rules
        placed, base = rules.foundations.placed, rules.fixed_base
        if base is None:
            base = rank_of(pack[self._base_place])
        if placed == "none":
            return base, self._no_base_cards, pack
        if placed == "all":
            rest = [c for c in pack if c % 13 + 1 != base]
            return base, tuple([(card(base, suit),) for suit in rules.foundation_suits]), rest
        place = self._base_place
        if rules.fixed_base is not None:
            place = next(i for i, c in enumerate(pack) if rank_of(c) == base)
        rest = pack.copy()
        base_card = rest.pop(place)
        foundation = rules.foundation_suits.index(suit_of(base_card))
        piles = list(self._no_base_cards)
        piles[foundation] = (base_card,)
        return base, tuple(piles), rest


def _cards_before_foundations(rules: Rules, procedure: DealProcedure) -> int:
    """How many cards are dealt before the foundations get theirs."""
    sizes = {
        "reserve": rules.reserve.piles * rules.reserve.size,
        "tableau": sum(rules.heights),
        "cells": rules.cells.filled,
        "stock": rules.stock_size,
    }
    return sum(sizes[place] for place in procedure.order[: procedure.order.index("foundations")])


def _columns_in_order(heights: Sequence[int], order: str | tuple[tuple[int, ...], ...]) -> Iterator[int]:
    """The column of every card that is dealt to the tableau, in dealing order."""
    if isinstance(order, tuple):
        yield from chain.from_iterable(order)
    elif order == "columns":
        for column, height in enumerate(heights):
            yield from (column,) * height
    else:
        columns = range(len(heights)) if order == "rows" else range(len(heights) - 1, -1, -1)
        for row in range(max(heights)):
            yield from (column for column in columns if heights[column] > row)


def _with_kings_moved(column: Pile, rules: Rules) -> Pile:
    """A column after its cards of the highest rank have gone where ``deal.kings`` puts them."""
    highest = [rank_of(c) == rules.pack.ranks for c in column]
    if rules.deal.kings == "slide":
        kings = [c for c, high in zip(column, highest, strict=True) if high]
        return (*kings, *(c for c, high in zip(column, highest, strict=True) if not high))
    cards = list(column)
    for place, high in enumerate(highest):
        if not high:
            continue
        if rules.deal.kings == "swap":
            lower = next((i for i in range(place) if rank_of(cards[i]) != rules.pack.ranks), place)
            cards[lower], cards[place] = cards[place], cards[lower]
        else:
            king = cards.pop(place)
            lower = next((i for i in range(place) if suit_of(cards[i]) == suit_of(king) and cards[i] != king), place)
            cards.insert(lower, king)
    return tuple(cards)
