"""Positions as board text, the one that PySolFC and Freecell Solver read and write, with what theirs lacks.

::

    Foundations: C-3 D-2 H-2 S-0
    Freecells: 3D - 4H
    Reserve: <JD> <9H> QC
    Stock: QD JS AS
    Waste: 5H
    <7C> 9D 8D
    :

- Every line that begins with no name is a column, bottom first, with or without a colon before it; an empty column is a
  colon alone, or an empty line. ``#`` begins a comment. Face-down cards are written ``<9H>``, ten as ``T`` or ``10``.
- ``Foundations`` (or ``Founds``) shows suit and top card, ``0`` if there is none; a suit left out has none, with two
  packs a suit may stand twice. ``Freecells`` (or ``FC``) has an entry a cell, ``-`` if it is empty. ``Stock`` (or
  ``Talon``) shows the next card first, ``Waste`` its top last.
- Ours alone: ``Reserve``, a line for each pile, bottom first, or where piles are single cards, one line with ``-`` for
  those that are gone. ``Base: 7``, where a base was dealt. ``Redeals used: 1``; none, if it is left out. Where
  foundations are not built in suit, their tops don't tell what lies below, and each has a line ``Foundation: 7C 8D``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from solitaire_lab.cards import SUITS, Card, card, card_text, parse_rank, rank_of, rank_text
from solitaire_lab.deals.layout import read_layout
from solitaire_lab.deals.notation import layout_record
from solitaire_lab.deals.position import Position
from solitaire_lab.errors import InputError
from solitaire_lab.rules.catalog import Game
from solitaire_lab.rules.model import Rules

_PARTS = {
    "foundations": "foundations",
    "founds": "foundations",
    "foundation": "foundation",
    "freecells": "cells",
    "fc": "cells",
    "reserve": "reserve",
    "stock": "stock",
    "talon": "stock",
    "waste": "waste",
    "base": "base",
    "redeals used": "redeals_used",
}


def board_text(position: Position, *, game: Game) -> str:
    """A position as board text, with an end of line after every line."""
    rules = game.rules
    layout = layout_record(position, rules)
    lines = []
    if rules.fixed_base is None:
        lines.append(f"Base: {layout['base']}")
    if rules.foundations.build == "suit":
        tops = [
            f"{SUITS[suit]}-{rank_text(rank_of(pile[-1])) if pile else 0}"
            for suit, pile in zip(rules.foundation_suits, position.foundations, strict=True)
        ]
        lines.append(_line("Foundations", tops))
    else:
        lines += [_line("Foundation", pile) for pile in layout["foundations"]]
    if position.cells:
        lines.append(_line("Freecells", [entry or "-" for entry in layout["cells"]]))
    if rules.reserve.size == 1:
        lines.append(_line("Reserve", [pile[0] if pile else "-" for pile in layout["reserve"]]))
    else:
        lines += [_line("Reserve", pile) for pile in layout["reserve"]]
    if rules.stock_size:
        lines.append(_line("Stock", layout["stock"]))
    if rules.stock_size and rules.stock.turn:
        lines.append(_line("Waste", layout["waste"]))
    if position.redeals_used:
        lines.append(f"Redeals used: {position.redeals_used}")
    lines += [" ".join(column) or ":" for column in layout["tableau"]]
    return "".join(f"{line}\n" for line in lines)


def parse_board(text: str, *, game: Game) -> Position:
    """The position that board text shows.

    Raises:
        InputError: the text is no board of this game; the message names the line, or pile and card. Whether an
            automatic step is pending is not looked at.
    """
    board = _Board(text, game.rules)
    return read_layout(board.layout(), game.rules, labels=board.labels)


def _line(name: str, entries: Iterable[str]) -> str:
    return " ".join([f"{name}:", *entries])


class _Line(NamedTuple):
    number: int
    entries: list[str]
    colon: bool


class _Board:
    """A board text taken apart: its named lines, its columns, and for messages the line of every pile."""

    def __init__(self, text: str, rules: Rules) -> None:
        self._rules = rules
        self._named: dict[str, list[_Line]] = {part: [] for part in _PARTS.values()}
        self._columns: list[_Line] = []
        self.labels: dict[str, str] = {}
        for number, line in enumerate(text.splitlines(), 1):
            content, comment, _ = line.partition("#")
            before, colon, after = content.partition(":")
            name = " ".join(before.lower().split())
            if colon and name:
                if name not in _PARTS:
                    raise InputError(f"Line {number}: {name!r} is no part of a board; parts are {', '.join(_PARTS)}.")
                self._named[_PARTS[name]].append(_Line(number, after.split(), True))
            elif not comment or content.strip():
                self._columns.append(_Line(number, (after if colon else before).split(), bool(colon)))

    def layout(self) -> dict[str, Any]:
        """The board as ``read_layout`` takes it. Parts that are left out are empty."""
        base = self._entries("base")
        used = self._entries("redeals_used") or ["0"]
        if len(used) != 1 or not (used[0].isascii() and used[0].isdigit()):
            raise self._error("redeals_used", f"it must be a whole number, not {' '.join(used)!r}")
        return {
            **({"base": " ".join(base)} if base else {}),
            "foundations": self._foundations(),
            "tableau": self._piles("tableau", self._without_blank_lines()),
            "reserve": self._reserve(),
            "cells": self._cells(),
            "waste": self._entries("waste"),
            "redeals_used": int(used[0]),
            "stock": self._entries("stock"),
        }

    def _entries(self, part: str) -> list[str]:
        """The entries of a part that has one line at most."""
        lines = self._named[part]
        if len(lines) > 1:
            raise InputError(f"Line {lines[1].number}: {part} stands in line {lines[0].number} already.")
        if not lines:
            return []
        self.labels[part] = f"line {lines[0].number} ({part})"
        return lines[0].entries

    def _piles(self, kind: str, lines: list[_Line], count: int = 0) -> list[list[str]]:
        """Piles that have a line each; up to ``count``, those without one are empty."""
        for index, line in enumerate(lines):
            self.labels[f"{kind}:{index}"] = f"line {line.number} ({kind}:{index})"
        return [line.entries for line in lines] + [[]] * (count - len(lines))

    def _without_blank_lines(self) -> list[_Line]:
        """The columns, without empty lines that stand for none.

        Where colons are written, an empty column has one. Where they are not, empty lines at either end stand for
        columns only as far as columns are wanting.
        """
        lines = self._columns
        if any(line.colon for line in lines):
            return [line for line in lines if line.colon or line.entries]
        while len(lines) > self._rules.tableau.columns and not (lines[0].entries and lines[-1].entries):
            lines = lines[1:] if not lines[0].entries else lines[:-1]
        return lines

    def _reserve(self) -> list[list[str]]:
        count, lines = self._rules.reserve.piles, self._named["reserve"]
        if self._rules.reserve.size != 1:
            return self._piles("reserve", lines, count)
        entries = self._entries("reserve")
        self.labels |= {f"reserve:{index}": self.labels["reserve"] for index in range(len(entries))}
        return [[] if entry == "-" else [entry] for entry in entries] + [[]] * (count - len(entries))

    def _cells(self) -> list[str | None]:
        entries = self._entries("cells")
        self.labels |= {f"cell:{index}": self.labels["cells"] for index in range(len(entries))}
        return [None if entry == "-" else entry for entry in entries] + [None] * (
            self._rules.cells.count - len(entries)
        )

    def _foundations(self) -> list[list[str]]:
        """The foundations card by card; where they are built in suit, from the tops that the board shows."""
        build, suits = self._rules.foundations.build, self._rules.foundation_suits
        if build != "suit":
            if self._named["foundations"]:
                number = self._named["foundations"][0].number
                raise InputError(
                    f"Line {number}: in this game every foundation has a line of its own, Foundation: 7C 8D."
                )
            return self._piles("foundation", self._named["foundation"], 0 if build == "none" else len(suits))
        if self._named["foundation"]:
            number = self._named["foundation"][0].number
            raise InputError(
                f"Line {number}: in this game all foundations have one line, such as Foundations: C-3 D-2."
            )
        piles: list[list[str]] = [[] for _ in suits]
        entries = [entry for entry in self._entries("foundations") if entry != "-"]
        self.labels |= {f"foundation:{index}": self.labels["foundations"] for index in range(len(suits)) if entries}
        free = list(range(len(suits)))
        for entry in entries:
            suit, top = self._foundation_entry(entry)
            pile = next((index for index in free if suits[index] == suit), None)
            if pile is None:
                raise self._error("foundations", f"{entry} stands once too often")
            free.remove(pile)
            piles[pile] = [card_text(c) for c in self._built_up_to(top, suit)]
        return piles

    def _foundation_entry(self, entry: str) -> tuple[int, int]:
        """Suit and top rank of an entry such as ``H-T``; the rank is 0 if there is no card."""
        suit, dash, rank = entry.upper().partition("-")
        if not dash or len(suit) != 1 or suit not in SUITS:
            raise self._error("foundations", f"{entry!r} is no foundation; write suit and top card, such as H-T or H-0")
        try:
            top = 0 if rank == "0" else parse_rank(rank)
        except InputError as error:
            raise self._error("foundations", str(error).rstrip(".")) from None
        if top > self._rules.pack.ranks:
            raise self._error("foundations", f"{entry} is not in the pack of this game")
        return SUITS.index(suit), top

    def _built_up_to(self, top: int, suit: int) -> list[Card]:
        if not top:
            return []
        ranks, base = self._rules.pack.ranks, self._rules.fixed_base
        if base is None:
            given = " ".join(self._entries("base"))
            if not given:
                raise InputError("The board lacks a line such as Base: 7; the base was dealt, and tops don't show it.")
            base = parse_rank(given)
        return [card((base - 1 + step) % ranks + 1, suit) for step in range((top - base) % ranks + 1)]

    def _error(self, part: str, reason: str) -> InputError:
        return InputError(f"{self.labels[part]}: {reason}.")
