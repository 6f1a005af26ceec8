"""Reading what the commands are given: files, positions, and positions line by line."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from solitaire_lab.cli.output import emit_json, shortened
from solitaire_lab.documents import parse_json
from solitaire_lab.errors import InputError

if TYPE_CHECKING:
    from solitaire_lab.deals.position import Position
    from solitaire_lab.rules.catalog import Game


def read_text(path: str) -> str:
    """The text of a file; ``-`` is standard input.

    Raises:
        InputError: it can't be read or is not UTF-8.
    """
    name = "Standard input" if path == "-" else path
    try:
        data = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{name} is not UTF-8 text: byte {error.start} is wrong; save it as UTF-8.") from None
    except OSError as error:
        raise InputError(f"{name} can't be read: {(error.strerror or str(error)).lower()}.") from None


def read_position(record: Any) -> tuple[Game, Position]:
    """The game and the position that a JSON record gives, with no automatic step pending.

    A record that only names a deal gives the position after the automatic steps of the deal.

    Raises:
        InputError: it gives none.
    """
    from solitaire_lab.deals.notation import has_layout, parse_position
    from solitaire_lab.engine.engine import Engine

    game, position = parse_position(record)
    engine = Engine(game.rules)
    if not has_layout(record):
        return game, engine.settle(position)
    engine.require_settled(position)
    return game, position


def chosen_game(name: str, *, variant: str | None, settings: Sequence[str]) -> Game:
    """The game that ``GAME --variant NAME --set key=value`` means.

    Raises:
        InputError: there is none.
    """
    from solitaire_lab.rules.catalog import resolve
    from solitaire_lab.rules.settings import parse_set

    return resolve(name, variant=variant, overrides=parse_set(settings))


def dealt_position(game: Game, *, numbering: str, seed: int) -> Position:
    """The position in which a deal begins, after its automatic steps.

    Raises:
        InputError: there is no such deal.
    """
    from solitaire_lab.deals.dealing import deal
    from solitaire_lab.engine.engine import Engine

    return Engine(game.rules).settle(deal(game, numbering=numbering, seed=seed))


def chosen_position(
    name: str | None,
    *,
    seed: int | None,
    deal_file: str | None,
    numbering: str,
    variant: str | None,
    settings: Sequence[str],
) -> tuple[Game, Position]:
    """The position that ``GAME --seed N`` or ``--deal FILE`` means.

    Raises:
        click.UsageError: neither is given, or both.
        InputError: what is given is no position.
    """
    from solitaire_lab.deals.board import parse_board
    from solitaire_lab.engine.engine import Engine

    game = None if name is None else chosen_game(name, variant=variant, settings=settings)
    if (seed is None) == (deal_file is None):
        raise click.UsageError("Give either GAME and --seed, or --deal.")
    text = "" if deal_file is None else read_text(deal_file)
    if text.lstrip().startswith("{"):
        found, position = read_position(parse_json(text, where=str(deal_file)))
        if game is not None and (game.name != found.name or ((settings or variant) and game.rules != found.rules)):
            raise InputError(
                f"{deal_file} is a position of {found.name} with rules of its own; leave out GAME, --variant and --set."
            )
        return found, position
    if game is None:
        raise click.UsageError("Give GAME too: only a position in JSON names its game.")
    if seed is not None:
        return game, dealt_position(game, numbering=numbering, seed=seed)
    position = parse_board(text, game=game)
    Engine(game.rules).require_settled(position)
    return game, position


def answer_lines(answer: Callable[[Any], Any]) -> int | None:
    """Answer each line of JSON on standard input with a line of JSON, a bad one with its error and its number.

    Returns:
        The exit code: 1 if a line was bad.
    """
    code = None
    for number, line in enumerate(sys.stdin.buffer, 1):
        try:
            answered = answer(parse_json(line, where="The line"))
        except InputError as error:
            answered, code = {"error": shortened(str(error)), "line": number}, 1
        if not emit_json(answered):
            break
    return code
