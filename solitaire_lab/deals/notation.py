"""Positions in JSON.

A position is an object: ``game``, ``set`` (rules that differ from the game's own), ``numbering`` and ``seed`` where
it is a deal or came from one, and the layout. Every pile stands bottom first, but ``stock`` with the next card first.
``<9H>`` is face down.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from reprlib import repr as shortened
from typing import Any

from solitaire_lab.cards import Card, card_text, rank_text
from solitaire_lab.deals.dealing import deal
from solitaire_lab.deals.layout import LAYOUT_KEYS, read_layout
from solitaire_lab.deals.position import Position
from solitaire_lab.errors import InputError
from solitaire_lab.rules.catalog import Game, resolve
from solitaire_lab.rules.model import Rules
from solitaire_lab.rules.settings import nearest

_KEYS = ("game", "set", "numbering", "seed", *LAYOUT_KEYS)


def position_record(
    position: Position, *, game: Game, numbering: str | None = None, seed: int | None = None
) -> dict[str, Any]:
    """A position as it stands in JSON; ``numbering`` and ``seed`` are written where they are given."""
    origin = {"numbering": numbering, "seed": seed}
    return {
        "game": game.name,
        "set": dict(game.overrides),
        **{key: value for key, value in origin.items() if value is not None},
        **layout_record(position, game.rules),
    }


def layout_record(position: Position, rules: Rules) -> dict[str, Any]:
    """The layout of a position as it stands in JSON: ``LAYOUT_KEYS``, all of them."""
    hidden = [len(pile) - 1 if rules.reserve.face == "top" else 0 for pile in position.reserve]
    return {
        "base": rank_text(position.base),
        "foundations": [_texts(pile) for pile in position.foundations],
        "tableau": [_texts(column, down) for column, down in zip(position.tableau, position.down, strict=True)],
        "reserve": [_texts(pile, down) for pile, down in zip(position.reserve, hidden, strict=True)],
        "cells": [None if card is None else card_text(card) for card in position.cells],
        "waste": _texts(position.waste),
        "redeals_used": position.redeals_used,
        "stock": _texts(position.stock),
    }


def has_layout(record: Mapping[str, Any]) -> bool:
    """Whether a record shows a layout, or only names a deal by its seed."""
    return any(key in record for key in LAYOUT_KEYS)


def parse_position(record: Any) -> tuple[Game, Position]:
    """The game and the position that a record from JSON gives.

    If it shows a layout, that counts, whatever seed stands beside it. If not, ``numbering`` and ``seed`` name a deal,
    and the position is that deal before any automatic step.

    Raises:
        InputError: the record is no position of a game; the text names the key, or pile and card. Whether an
            automatic step is pending is not looked at.
    """
    if not isinstance(record, Mapping):
        raise InputError(f"A position is a JSON object with game, tableau and other keys, not {shortened(record)}.")
    for key in record:
        if key not in _KEYS:
            near = nearest(str(key), _KEYS, count=1)
            right = f"did you mean {near[0]}" if near else f"keys are {', '.join(_KEYS)}"
            raise InputError(f"{shortened(key)} is no key of a position; {right}.")
    game = _game(record)
    seed, numbering = record.get("seed"), record.get("numbering")
    if seed is not None and (not isinstance(seed, int) or isinstance(seed, bool)):
        raise InputError(f"seed must be a whole number, not {shortened(seed)}.")
    if numbering is not None and not isinstance(numbering, str):
        raise InputError(f"numbering must be a text, such as lab, not {shortened(numbering)}.")
    if has_layout(record):
        return game, read_layout(record, game.rules)
    if seed is None or numbering is None:
        raise InputError("The position has no layout (tableau, stock and so on) and no numbering and seed to deal by.")
    return game, deal(game, numbering=numbering, seed=seed)


def _game(record: Mapping[str, Any]) -> Game:
    name, settings = record.get("game"), record.get("set", {})
    if not isinstance(name, str):
        raise InputError('game is missing; a position names its game, such as "storehouse".')
    return resolve(name, overrides=settings)


def _texts(pile: Iterable[Card], face_down: int = 0) -> list[str]:
    """Cards as text, the first so many of them face down."""
    return [f"<{card_text(card)}>" if place < face_down else card_text(card) for place, card in enumerate(pile)]
