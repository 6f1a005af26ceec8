"""Whole games, written out: every position, every legal move in it, and the one that was made.

The files in ``tests/data/playthroughs`` are read by people and compared line by line. A new one is written by
``transcript`` and looked through once.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from solitaire_lab.deals.board import board_text
from solitaire_lab.deals.dealing import deal
from solitaire_lab.engine.engine import Engine, move_text
from solitaire_lab.engine.moves import Move
from solitaire_lab.rules.catalog import resolve

PLAYTHROUGHS = sorted((Path(__file__).parents[1] / "data" / "playthroughs").glob("*.txt"))


def transcript(name: str, numbering: str, seed: int, moves: Sequence[Move]) -> str:
    """A game as text: a line that names the deal, then a block for every position."""
    game = resolve(name)
    engine = Engine(game.rules)
    position = engine.settle(deal(game, numbering=numbering, seed=seed))
    lines = [f"{name} {numbering} {seed}"]
    for made in [*moves, None]:
        lines += ["", *board_text(position, game=game).splitlines()]
        for move in engine.legal_moves(position):
            lines.append(f"{'>>' if move == made else '--'} {move_text(engine, position, move)}")
        if made is not None:
            position = engine.play(position, made)
    return "\n".join([*lines, "won" if engine.won(position) else "not won", ""])


def made_moves(text: str) -> list[Move]:
    """The moves that a transcript marks, found among the engine's by their text."""
    name, numbering, seed = text.partition("\n")[0].split()
    game = resolve(name)
    engine = Engine(game.rules)
    position = engine.settle(deal(game, numbering=numbering, seed=int(seed)))
    moves: list[Move] = []
    for line in text.splitlines():
        if line.startswith(">> "):
            by_text = {move_text(engine, position, move): move for move in engine.legal_moves(position)}
            assert line[3:] in by_text, f"after {len(moves)} moves"
            moves.append(by_text[line[3:]])
            position = engine.play(position, moves[-1])
    return moves


@pytest.mark.parametrize("path", PLAYTHROUGHS, ids=lambda path: path.stem)
def test_games_are_played_as_written(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    name, numbering, seed = text.partition("\n")[0].split()
    moves = made_moves(text)
    assert len(moves) > 50
    assert transcript(name, numbering, int(seed), moves).splitlines() == text.splitlines()
    assert text.endswith("\nwon\n")


def test_there_is_a_game_of_each_reading_of_storehouse() -> None:
    assert {path.stem for path in PLAYTHROUGHS} >= {"storehouse", *resolve("storehouse").variants}
