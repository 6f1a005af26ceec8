"""Random games for any test: a game made of random rules, dealt by a random seed, played at random."""

from __future__ import annotations

from typing import NamedTuple

from hypothesis import strategies as st

from solitaire_lab.deals.dealing import deal
from solitaire_lab.deals.position import Position
from solitaire_lab.engine.engine import Engine
from solitaire_lab.engine.moves import Move
from solitaire_lab.rules.catalog import Game, GameFile
from solitaire_lab.rules.dealing import DealProcedure
from solitaire_lab.rules.model import Rules
from tests.strategies import rules_strategy


def game_of(rules: Rules) -> Game:
    """A game that has these rules and no file."""
    dealing = DealProcedure(numberings=("lab",), program="solitaire-lab", settings="any")
    file = GameFile(title="Made up", summary="Made for a test.", rules=rules, dealings=(dealing,))
    return Game(name="made-up", variant=None, rules=rules, overrides={}, file=file)


class Played(NamedTuple):
    """A line of play from a deal; ``positions`` has one more than ``moves``, the first settled."""

    game: Game
    engine: Engine
    positions: list[Position]
    moves: list[Move]


@st.composite
def played_strategy(draw: st.DrawFn, *, max_moves: int = 25) -> Played:
    """Random rules, dealt and played at random for a while."""
    game = game_of(draw(rules_strategy()))
    engine = Engine(game.rules)
    dealt = deal(game, numbering="lab", seed=draw(st.integers(0, 2**64 - 1)))
    positions, moves = [engine.settle(dealt)], []
    for choice in draw(st.lists(st.integers(0, 1_000), max_size=max_moves)):
        legal = engine.legal_moves(positions[-1])
        if not legal:
            break
        moves.append(legal[choice % len(legal)])
        positions.append(engine.play(positions[-1], moves[-1]))
    return Played(game, engine, positions, moves)
