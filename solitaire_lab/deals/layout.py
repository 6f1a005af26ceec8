"""A layout that a person gave us, as text in piles, checked card by card and made a position.

JSON (``notation.py``) and board text (``board.py``) both come here. Whether an automatic step is pending is for the
engine to say.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from reprlib import repr as shortened
from typing import Any, NamedTuple

from solitaire_lab.cards import Card, card_text, is_red, parse_card, parse_rank, rank_of, rank_text, suit_of
from solitaire_lab.deals.position import Pile, Position
from solitaire_lab.errors import InputError
from solitaire_lab.rules.model import Rules

LAYOUT_KEYS = ("base", "foundations", "tableau", "reserve", "cells", "waste", "redeals_used", "stock")

_SUIT_NAMES = ("clubs", "diamonds", "hearts", "spades")


def read_layout(layout: Mapping[str, Any], rules: Rules, *, labels: Mapping[str, str] | None = None) -> Position:
    """The position that a layout shows.

    Args:
        layout: values by ``LAYOUT_KEYS``, as in the JSON of a position. What the game does not have may be left out.
        rules: the rules of the game.
        labels: for messages, what a pile such as ``tableau:3`` is called instead, say with its line.

    Raises:
        InputError: a pile is missing or malformed, a card is missing, doubled, not of this pack or where it can't
            be, or faces can't lie so. The text names pile and card.
    """
    return _Reader(layout, rules, labels or {}).position()


class _Faced(NamedTuple):
    card: Card
    down: bool


class _Reader:
    """One layout being read: what was given, the rules, and what piles are called in messages."""

    def __init__(self, layout: Mapping[str, Any], rules: Rules, labels: Mapping[str, str]) -> None:
        self._layout = layout
        self._rules = rules
        self._labels = labels

    def position(self) -> Position:
        rules = self._rules
        foundations = self._foundations()
        faced = self._piles("tableau", "column", self._column_count())
        reserve = self._piles("reserve", "pile", rules.reserve.piles)
        position = Position(
            base=self._base(foundations),
            foundations=foundations,
            tableau=tuple(_cards(column) for column in faced),
            down=tuple(self._face_down(index, column) for index, column in enumerate(faced)),
            reserve=tuple(_cards(pile) for pile in reserve),
            cells=self._cells(),
            waste=self._open_pile("waste", exists=bool(rules.stock.turn)),
            stock=self._open_pile("stock", exists=bool(rules.stock.turn or rules.stock.row)),
            redeals_used=self._redeals_used(),
        )
        for index, pile in enumerate(reserve):
            if pile and pile[-1].down:
                raise self._error(f"reserve:{index}", f"its top, <{card_text(pile[-1].card)}>, must be face up")
        self._check_pack(position)
        self._check_foundations(position)
        return position

    # --- reading what is there ----------------------------------------------------------------------------------

    def _value(self, key: str, *, needed: bool) -> Any:
        if key not in self._layout and needed:
            raise InputError(f"{key} is missing; only what the game does not have may be left out.")
        return self._layout.get(key, [])

    def _list(self, key: str, what: str, count: int) -> list[Any]:
        """A list of so many entries; where the game has none, one of empty entries is taken for none."""
        value = self._value(key, needed=count > 0)
        if not isinstance(value, list):
            raise InputError(f"{key} must be a list of {what}s, not {shortened(value)}.")
        if not count and not any(value):
            return []
        if len(value) != count:
            raise InputError(f"{key} has {len(value)} {what}{'s' * (len(value) != 1)}, but the game has {count}.")
        return value

    def _piles(self, key: str, what: str, count: int) -> list[list[_Faced]]:
        return [self._pile(f"{key}:{index}", pile) for index, pile in enumerate(self._list(key, what, count))]

    def _pile(self, name: str, value: Any) -> list[_Faced]:
        if not isinstance(value, list):
            raise self._error(name, f"it must be a list of cards, not {shortened(value)}")
        return [self._card(name, text) for text in value]

    def _card(self, name: str, text: Any) -> _Faced:
        if not isinstance(text, str) or len(text) > 20:
            raise self._error(name, f"{shortened(text)} is no card; cards are texts, such as 9H")
        down = text.startswith("<") and text.endswith(">")
        try:
            return _Faced(parse_card(text[1:-1] if down else text), down)
        except InputError as error:
            raise self._error(name, str(error).rstrip(".")) from None

    def _open_pile(self, key: str, *, exists: bool) -> Pile:
        pile = self._pile(key, self._value(key, needed=exists and bool(self._rules.stock_size)))
        if pile and not exists:
            raise self._error(key, f"{card_text(pile[0].card)} can't lie here; the game has no {key}")
        return self._all_open(key, pile)

    def _all_open(self, name: str, pile: Sequence[_Faced]) -> Pile:
        for card, down in pile:
            if down:
                raise self._error(name, f"<{card_text(card)}> can't lie face down here; write {card_text(card)}")
        return _cards(pile)

    def _foundations(self) -> tuple[Pile, ...]:
        count = 0 if self._rules.foundations.build == "none" else len(self._rules.foundation_suits)
        piles = self._piles("foundations", "pile", count)
        return tuple(self._all_open(f"foundation:{index}", pile) for index, pile in enumerate(piles))

    def _cells(self) -> tuple[Card | None, ...]:
        entries = self._list("cells", "cell", self._rules.cells.count)
        piles = [[] if entry is None else [self._card(f"cell:{i}", entry)] for i, entry in enumerate(entries)]
        opened = [self._all_open(f"cell:{i}", pile) for i, pile in enumerate(piles)]
        return tuple(pile[0] if pile else None for pile in opened)

    def _column_count(self) -> int:
        """Columns of the rules, and one more if the stock is used up and its place became one."""
        columns, given = self._rules.tableau.columns, self._layout.get("tableau")
        became = self._rules.stock.becomes_column and not self._layout.get("stock")
        return columns + 1 if became and isinstance(given, list) and len(given) == columns + 1 else columns

    def _face_down(self, index: int, column: Sequence[_Faced]) -> int:
        """How many cards at the bottom of a column are face down."""
        name, count = f"tableau:{index}", sum(faced.down for faced in column)
        for below, above in pairwise(column):
            if above.down and not below.down:
                face_up, face_down = card_text(below.card), card_text(above.card)
                raise self._error(name, f"<{face_down}> can't lie face down on {face_up}, which is face up")
        if column and count == len(column):
            raise self._error(name, f"its top, <{card_text(column[-1].card)}>, must be face up")
        return count

    def _base(self, foundations: Sequence[Pile]) -> int:
        """The base rank: as given, as the rules have it, or that of the cards at the bottom of the foundations."""
        given, fixed = self._layout.get("base"), self._rules.fixed_base
        if given is not None:
            if not isinstance(given, str):
                raise InputError(f"base must be a rank as text, such as 7 or K in quotes, not {shortened(given)}.")
            rank = parse_rank(given)
            if fixed not in (None, rank):
                raise InputError(f"base is {given}, but in this game it is {self._rules.foundations.base}.")
            if rank > self._rules.pack.ranks:
                raise InputError(f"base is {given}, but no such rank is in the pack.")
            return rank
        if fixed is not None:
            return fixed
        for pile in foundations:
            if pile:
                return rank_of(pile[0])
        raise InputError("base is missing; it was dealt, and no foundation shows it.")

    def _redeals_used(self) -> int:
        redeals = self._rules.stock.redeals
        if redeals not in (0, "unlimited"):
            self._value("redeals_used", needed=True)
        used = self._layout.get("redeals_used", 0)
        if not isinstance(used, int) or isinstance(used, bool) or used < 0:
            raise InputError(f"redeals_used must be a whole number from 0, not {shortened(used)}.")
        if redeals == "unlimited":
            return 0  # nothing depends on them then, so the engine doesn't count them
        if used > redeals:
            raise InputError(f"redeals_used is {used}, but the game has only {redeals}.")
        return used

    # --- checking -----------------------------------------------------------------------------------------------

    def _check_pack(self, position: Position) -> None:
        """Every card of the pack lies somewhere, as often as the pack has it, and no other."""
        pack = Counter(self._rules.pack_cards)
        places: dict[Card, list[str]] = {}
        for name, pile in _named_piles(position):
            for card in pile:
                places.setdefault(card, []).append(name)
        for card, names in places.items():
            if card not in pack:
                raise self._error(names[0], f"{card_text(card)} is not in the pack of this game")
            if len(names) > pack[card]:
                last, others = self._label(names[-1]), ", ".join(map(self._label, names[:-1]))
                times = {1: "once", 2: "twice"}.get(pack[card], f"{pack[card]} times")
                raise InputError(
                    f"{card_text(card)} lies in {others} and again in {last}, but the pack has it {times}."
                )
        lying = Counter({card: len(names) for card, names in places.items()})
        missing = [card_text(card) for card in (pack - lying).elements()]
        if missing:
            shown = ", ".join(missing[:8]) + (f" and {len(missing) - 8} more" if len(missing) > 8 else "")
            verb = "is" if len(missing) == 1 else "are"
            raise InputError(f"{shown} {verb} missing; every card of the pack must lie somewhere.")

    def _check_foundations(self, position: Position) -> None:
        rules = self._rules.foundations
        for index, pile in enumerate(position.foundations):
            name = f"foundation:{index}"
            if rules.build in ("run", "alternating-run"):
                self._check_whole_run(name, pile)
            else:
                self._check_foundation(name, pile, position.base, self._rules.foundation_suits[index])
        filled = sum(map(bool, position.foundations))
        if rules.return_ != "base-too" and filled < self._rules.placed_count:
            name = f"foundation:{next(i for i, pile in enumerate(position.foundations) if not pile)}"
            what = "its base card" if rules.placed == "all" else "a base card"
            raise self._error(name, f"{what}, of rank {rank_text(position.base)}, is placed before play and stays")

    def _check_foundation(self, name: str, pile: Pile, base: int, suit: int) -> None:
        """A pile that begins with the base rank and goes up in suit or in alternating colour."""
        in_suit = self._rules.foundations.build == "suit"
        for height, card in enumerate(pile):
            rank = (base - 1 + height) % self._rules.pack.ranks + 1
            if in_suit and suit_of(card) != suit:
                raise self._error(name, f"{card_text(card)} can't lie here; the pile is for {_SUIT_NAMES[suit]}")
            if height and not in_suit and is_red(card) == is_red(pile[height - 1]):
                raise self._error(name, f"{card_text(card)} has the colour of {card_text(pile[height - 1])} below it")
            if rank_of(card) != rank or height >= self._rules.pack.ranks:
                below = f"on {card_text(pile[height - 1])}" if height else f"first; the base is {rank_text(base)}"
                raise self._error(name, f"{card_text(card)} can't lie {below}")

    def _check_whole_run(self, name: str, pile: Pile) -> None:
        """A pile that is empty or a run from the highest rank down to the ace, or what is left of it by returns."""
        ranks, rules = self._rules.pack.ranks, self._rules.foundations
        for depth, card in enumerate(pile):
            below = pile[depth - 1] if depth else card
            agrees = (
                is_red(card) != is_red(below) if rules.build == "alternating-run" else suit_of(card) == suit_of(below)
            )
            if rank_of(card) != ranks - depth or (depth and not agrees):
                raise self._error(name, f"{card_text(card)} does not continue a run from {rank_text(ranks)} down")
        if pile and len(pile) != ranks and rules.return_ == "off":
            raise self._error(name, f"it has {len(pile)} cards, but only a whole run of {ranks} goes up")

    def _label(self, name: str) -> str:
        return self._labels.get(name, name)

    def _error(self, name: str, reason: str) -> InputError:
        return InputError(f"{self._label(name)}: {reason}.")


def _cards(pile: Sequence[_Faced]) -> Pile:
    return tuple(faced.card for faced in pile)


def _named_piles(position: Position) -> list[tuple[str, Pile]]:
    """Every pile with its name, in the order in which a layout names them."""
    return [
        *((f"foundation:{index}", pile) for index, pile in enumerate(position.foundations)),
        *((f"tableau:{index}", pile) for index, pile in enumerate(position.tableau)),
        *((f"reserve:{index}", pile) for index, pile in enumerate(position.reserve)),
        *((f"cell:{index}", () if card is None else (card,)) for index, card in enumerate(position.cells)),
        ("waste", position.waste),
        ("stock", position.stock),
    ]
