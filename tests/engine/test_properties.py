"""What holds in every game: random rules, random deals, random play."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solitaire_lab.deals.position import Position
from solitaire_lab.engine.engine import Engine
from solitaire_lab.engine.lines import line_records, parse_line
from solitaire_lab.engine.moves import REDEAL, IllegalMoveError, Move, decode_moves, encode_moves
from tests.families import family_deal
from tests.play import Played, played_strategy


def all_cards(position: Position) -> list[int]:
    piles = [*position.foundations, *position.tableau, *position.reserve, position.waste, position.stock]
    held = [card for card in position.cells if card is not None]
    return sorted([*held, *(card for pile in piles for card in pile)])


@given(played_strategy())
def test_cards_are_conserved(played: Played) -> None:
    assert all(all_cards(position) == list(played.game.rules.pack_cards) for position in played.positions)


@given(played_strategy())
def test_settling_is_finished(played: Played) -> None:
    for position in played.positions:
        assert played.engine.settle(position) == position
        played.engine.require_settled(position)


@given(played_strategy())
def test_tops_are_face_up_and_faces_only_turn_up(played: Played) -> None:
    for position in played.positions:
        assert all(
            down < len(column) or not column for column, down in zip(position.tableau, position.down, strict=True)
        )
    for before, after in pairwise(played.positions):
        assert all(then >= now for then, now in zip(before.down, after.down, strict=False))


@given(played_strategy(max_moves=10))
def test_moves_are_listed_in_order_once_each_and_all_can_be_played(played: Played) -> None:
    for position in played.positions:
        legal = played.engine.legal_moves(position)
        assert legal == sorted(set(legal))
        for move in legal:
            played.engine.play(position, move)


@given(played_strategy(max_moves=10))
def test_all_moves_without_an_objection_are_listed(played: Played) -> None:
    assert played.engine.legal_moves(played.positions[-1]) == allowed_moves(played.engine, played.positions[-1])


def test_all_moves_of_runs_and_columns_are_listed() -> None:
    for seed in range(150):
        rules, position = family_deal(seed)
        engine, chance = Engine(rules), Random(seed)
        for _ in range(8):
            legal = engine.legal_moves(position)
            assert legal == allowed_moves(engine, position)
            if legal:
                # Large moves first, that whole columns and runs come about.
                position = engine.play(position, max(legal, key=lambda move: (move.size, chance.random())))


def allowed_moves(engine: Engine, position: Position) -> list[Move]:
    """Every move between piles that there are, of any size, that the engine has no objection to."""
    piles = [
        *range(len(position.tableau)),
        *range(64, 64 + len(position.foundations)),
        *range(96, 96 + len(position.reserve)),
        *range(128, 128 + len(position.cells)),
        *range(192, 195),
    ]
    sizes = range(1 + max(map(len, [*position.tableau, position.stock, (0,)])))
    every = (Move(source, target, size) for source in piles for target in piles for size in sizes)
    return [move for move in every if engine.objection(position, move) is None]


@given(played_strategy(max_moves=10), st.lists(st.tuples(*[st.integers(0, 255)] * 3), max_size=40))
def test_what_is_not_listed_is_refused_in_a_sentence(played: Played, tried: list[tuple[int, int, int]]) -> None:
    position = played.positions[-1]
    legal = set(played.engine.legal_moves(position))
    for move in (Move(*numbers) for numbers in tried):
        if move not in legal:
            with pytest.raises(IllegalMoveError, match=r"^.+ from .+ to .+ is not legal: .+\.$|^redeal is not legal"):
                played.engine.play(position, move)


@given(played_strategy(max_moves=10))
def test_every_move_changes_something(played: Played) -> None:
    """Not counting the order of equal piles.

    Two things apart: of twin sevens one is as good as the other to build on, and a redeal of a single turn is turned
    at once where the stock is turned by itself.
    """
    pack_cards = played.game.rules.pack_cards
    if len(set(pack_cards)) < len(pack_cards):
        return

    def piles(position: Position) -> tuple[object, ...]:
        alike = not (played.game.rules.stock.row and position.stock)
        columns = list(zip(position.tableau, position.down, strict=True))
        by_suit = played.game.rules.foundations.build == "suit"
        return (
            sorted(columns) if alike else columns,
            position.foundations if by_suit else sorted(position.foundations),
            sorted(position.reserve),
            sorted(-1 if card is None else card for card in position.cells),
            position.waste,
            position.stock,
            position.redeals_used,
        )

    for position in played.positions:
        for move in played.engine.legal_moves(position):
            if move == REDEAL and played.game.rules.stock.auto_turn:
                continue
            after = played.engine.play(position, move)
            assert piles(after) != piles(position), move


@given(played_strategy())
def test_lines_are_stored_and_read_again(played: Played) -> None:
    assert list(decode_moves(encode_moves(played.moves))) == played.moves
    records = line_records(played.engine, played.positions[0], played.moves)
    assert parse_line(played.engine, played.positions[0], records) == played.moves
    assert played.engine.replay(played.positions[0], played.moves) == played.positions[-1]
