"""The arguments that the programs which measure searches have in common."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import NamedTuple

from solitaire_lab.errors import InputError
from solitaire_lab.results.rows import SeedRange
from solitaire_lab.rules.catalog import Game, resolve
from solitaire_lab.rules.settings import parse_set
from solitaire_lab.whole import parse_whole


class Searches(NamedTuple):
    """Which deals of which games to search, and how far."""

    games: tuple[Game, ...]
    names: tuple[str, ...]
    seeds: range
    budget: int


def search_parser(description: str, *, games: str | None, seeds: str, budget: int) -> argparse.ArgumentParser:
    """A parser for games, settings, seeds and a budget.

    Args:
        games: how many, as ``argparse`` has it; None for one.
        seeds: of the lab numbering, unless others are given.
    """
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("games", nargs=games or 1, metavar="GAME")
    parser.add_argument("--set", dest="settings", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--seeds", default=seeds, metavar="FIRST:LAST")
    parser.add_argument("--budget", default=budget, type=whole, metavar="NODES")
    return parser


def whole(text: str) -> int:
    """A whole number of at least 1, as ``argparse`` takes its types."""
    number = parse_whole(text)
    if number is None or number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from 1 on; write it such as 1000 or 1,000")
    return number


def read_searches(
    parser: argparse.ArgumentParser, arguments: Sequence[str] | None
) -> tuple[Searches, argparse.Namespace]:
    """What arguments ask for, and the arguments; what is wrong with them ends the program, told as the parser does."""
    given = parser.parse_args(arguments)
    try:
        games = tuple(resolve(name, overrides=parse_set(given.settings)) for name in given.games)
        asked = SeedRange.parse(given.seeds)
    except InputError as error:
        parser.error(str(error))
    return Searches(games, tuple(given.games), range(asked.first, asked.last + 1), given.budget), given
