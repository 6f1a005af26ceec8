"""A line of play as one HTML page that plays it board by board.

The page loads nothing. It holds every board as the engine has it, so that its script knows no rules: it shows a board,
and tells those who don't see it what has happened. Cards that lie face down are shown by their backs, though the solver
knows them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from importlib import resources
from string import Template
from typing import TYPE_CHECKING, Any

from solitaire_lab import __version__
from solitaire_lab.cards import SUITS, card_text
from solitaire_lab.deals.board import board_text
from solitaire_lab.engine.moves import CELL, FOUNDATION, RESERVE, ROW, STOCK, TABLEAU, WASTE, pile_name
from solitaire_lab.reports.markup import text

if TYPE_CHECKING:
    from solitaire_lab.deals.position import Pile, Position
    from solitaire_lab.reports.playthrough import Step
    from solitaire_lab.rules.catalog import Game
    from solitaire_lab.rules.model import Rules

_MOST_ABREAST = 10
"""Piles that stand beside each other on a small screen; more go to a second line."""
_WASTE_SHOWN = 3
_SUIT_SIGNS = dict(zip(SUITS, "♣♦♥♠", strict=True))
_SUIT_NAMES = dict(zip(SUITS, ("clubs", "diamonds", "hearts", "spades"), strict=True))


def playthrough_page(game: Game, steps: Sequence[Step], *, origin: str, notes: Sequence[str] = ()) -> str:
    """The text of the page.

    Args:
        steps: as ``playthrough.line_steps`` gives them, the deal first.
        origin: which deal it is, such as ``seed 1 of the lab numbering``.
        notes: sentences below the board: what a reader needs to check the line.
    """
    record = page_record(game.rules, steps)
    moves = len(steps) - 1
    title = f"{game.title}: {origin}"
    template = Template(
        resources.files("solitaire_lab.reports").joinpath("playthrough.html").read_text(encoding="utf-8")
    )
    return template.substitute(
        title=text(title),
        lead=text(f"A line of play of {moves:,} move{'' if moves == 1 else 's'}, one board after another."),
        board=text(board_text(steps[0].position, game=game)),
        columns=min(_MOST_ABREAST, max(map(len, record["rows"]))),
        last=moves,
        moves="\n".join(f"<li>{text(step.words)}</li>" for step in steps[1:]),
        notes="\n".join(f"<li>{text(note)}</li>" for note in (*notes, f"Made with solitaire-lab {__version__}.")),
        data=json.dumps(record, separators=(",", ":")).replace("<", "\\u003c"),
    )


def page_record(rules: Rules, steps: Sequence[Step]) -> dict[str, Any]:
    """What the page's script shows.

    Returns:
        ``rows`` of piles, each pile with ``id``, ``name``, ``short`` and ``counted``; and ``steps``, each with
        ``words``, ``to`` (the id of the pile that cards went to, or null), ``moved`` (how many of them lie on top of it
        still) and ``piles``, by id: ``count``, and ``cards``, those that are shown, ``""`` for the back of one that
        lies face down.
    """
    return {
        "rows": [row for row in _rows(rules, steps) if row],
        "steps": [
            {
                "words": step.words,
                "to": None if step.move is None or step.move.target == ROW else pile_name(step.move.target),
                "moved": _still_there(rules, step),
                "piles": {
                    pile_name(number): {"count": len(pile), "cards": shown}
                    for number, pile, shown in _piles(rules, step.position)
                },
            }
            for step in steps
        ],
    }


def _rows(rules: Rules, steps: Sequence[Step]) -> Iterator[list[dict[str, Any]]]:
    """The piles in the order in which they stand on the page."""
    first, columns = steps[0].position, max(len(step.position.tableau) for step in steps)
    in_suit = rules.foundations.build == "suit"
    talon = [_pile(STOCK, "Stock", "Stock", counted=True)] if rules.stock_size else []
    if rules.stock_size and rules.stock.turn:
        talon.append(_pile(WASTE, "Waste", "Waste", counted=True))
    foundations = [
        _pile(
            FOUNDATION + index,
            f"Foundation {index + 1}" + (f", {_SUIT_NAMES[SUITS[suit]]}" if in_suit else ""),
            _SUIT_SIGNS[SUITS[suit]] if in_suit else f"F{index + 1}",
        )
        for index, suit in zip(range(len(first.foundations)), rules.foundation_suits, strict=False)
    ]
    cells = [_pile(CELL + index, f"Cell {index + 1}", f"Cell {index + 1}") for index in range(len(first.cells))]
    several = len(first.reserve) > 1
    reserve = [
        _pile(
            RESERVE + index,
            f"Reserve {index + 1}" if several else "Reserve",
            f"R{index + 1}" if several else "Reserve",
            counted=rules.reserve.size > 1,
        )
        for index in range(len(first.reserve))
    ]
    tableau = [_pile(TABLEAU + index, f"Column {index + 1}", str(index + 1)) for index in range(columns)]
    yield [*talon, *foundations]
    yield [*cells, *reserve]
    yield tableau


def _pile(number: int, name: str, short: str, *, counted: bool = False) -> dict[str, Any]:
    return {"id": pile_name(number), "name": name, "short": short, "counted": counted}


def _piles(rules: Rules, position: Position) -> Iterator[tuple[int, Pile, list[str]]]:
    """Every pile: its number, its cards, and what of them is shown."""
    for index, (column, down) in enumerate(zip(position.tableau, position.down, strict=True)):
        yield TABLEAU + index, column, [""] * down + _texts(column[down:])
    for index, pile in enumerate(position.foundations):
        yield FOUNDATION + index, pile, _texts(pile[-1:])
    for index, pile in enumerate(position.reserve):
        hides = rules.reserve.face == "top"
        yield RESERVE + index, pile, [""] * (hides and len(pile) > 1) + _texts(pile[-1:] if hides else pile)
    for index, held in enumerate(position.cells):
        card = () if held is None else (held,)
        yield CELL + index, card, _texts(card)
    yield STOCK, position.stock, [""] * bool(position.stock)
    yield WASTE, position.waste, _texts(position.waste[-_WASTE_SHOWN:])


def _texts(pile: Pile) -> list[str]:
    return [card_text(card) for card in pile]


def _still_there(rules: Rules, step: Step) -> int:
    """How many of the cards that were moved lie on top of where they went, automatic steps having been carried out."""
    if step.record is None or step.move is None:
        return 0
    cards = step.record["cards"]
    target = next((pile for number, pile, _ in _piles(rules, step.position) if number == step.move.target), ())
    return len(cards) if _texts(target[len(target) - len(cards) :]) == cards else 0
