"""How ``solve`` shows a line of play: board by board in the terminal, or as a page."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from solitaire_lab.cli.output import counted, emit

if TYPE_CHECKING:
    from solitaire_lab.reports.playthrough import Step
    from solitaire_lab.rules.catalog import Game

_ASK = "Enter: next, q and Enter: quit "


def show_steps(texts: Iterable[str]) -> None:
    """Print texts one after another; in a terminal, each but the last waits for Enter, and q ends it."""
    waits = sys.stdin.isatty() and sys.stdout.isatty()
    for number, text in enumerate(texts):
        if number and waits and not _goes_on():
            return
        if not emit(text):
            return


def _goes_on() -> bool:
    # A line, not a key: to switch the terminal to keys throws away what is typed a moment too early.
    click.echo(_ASK, nl=False)
    answer = sys.stdin.readline()
    return bool(answer) and not answer.strip().lower().startswith("q")


def write_page(path: str, *, game: Game, steps: Sequence[Step], origin: str, nodes: int) -> None:
    """Write the page that plays a line of play, whole or not at all.

    Args:
        origin: which deal it is.
        nodes: within which the line was found.

    Raises:
        InputError: it can't be written.
    """
    from solitaire_lab.reports.playthrough_page import playthrough_page
    from solitaire_lab.results.files import chosen_file
    from solitaire_lab.solver.solver import REVISION
    from solitaire_lab.study.model import game_label

    notes = [
        f"Rules: {game_label(game)}.",
        f"Found within {counted(nodes, 'node')} by the solver's revision {REVISION}, to which all cards are known, "
        "face-down ones too (thoughtful play).",
    ]
    with chosen_file(Path(path)) as file:
        file.write(playthrough_page(game, steps, origin=origin, notes=notes).encode())
