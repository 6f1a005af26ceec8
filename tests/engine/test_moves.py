"""Moves as numbers, bytes and JSON."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solitaire_lab.engine.moves import (
    REDEAL,
    ROW,
    STOCK,
    WASTE,
    Move,
    decode_moves,
    encode_moves,
    move_record,
    parse_move,
    parse_pile,
    pile_name,
)
from solitaire_lab.errors import InputError

PILES = [*range(64), *range(64, 96), *range(96, 128), *range(128, 192), STOCK, WASTE, ROW]


@pytest.mark.parametrize("pile", PILES)
def test_names_of_piles_are_read_back(pile: int) -> None:
    assert parse_pile(pile_name(pile)) == pile


@pytest.mark.parametrize(
    ("name", "pile"),
    [
        ("tableau:0", 0),
        ("tableau:35", 35),
        ("foundation:0", 64),
        ("foundation:7", 71),
        ("reserve:0", 96),
        ("cell:0", 128),
        ("stock", 192),
        ("waste", 193),
        ("tableau", 194),
    ],
)
def test_numbers_of_piles_are_fixed_for_ever(name: str, pile: int) -> None:
    """Stored solutions consist of them."""
    assert pile_name(pile) == name
    assert parse_pile(name) == pile


@pytest.mark.parametrize(
    "name", ["", "tableau:", "tableau:-1", "tableau:64", "tableau:x", "tableau:²", "foundation:32", "cell", "stock:0"]
)
def test_what_is_no_pile_is_refused(name: str) -> None:
    with pytest.raises(InputError, match="is no pile; piles are tableau:0"):
        parse_pile(name)


@given(st.lists(st.builds(Move, *[st.integers(0, 255)] * 3)))
def test_bytes_are_read_back(moves: list[Move]) -> None:
    data = encode_moves(moves)
    assert len(data) == 3 * len(moves)
    assert list(decode_moves(data)) == moves


def test_the_bytes_of_a_line_are_fixed_for_ever() -> None:
    line = [Move(STOCK, WASTE, 1), Move(WASTE, 64, 1), Move(3, 0, 5), REDEAL]
    assert encode_moves(line) == bytes([192, 193, 1, 193, 64, 1, 3, 0, 5, 193, 192, 0])


def test_damaged_bytes_are_refused() -> None:
    with pytest.raises(InputError, match="4 bytes is damaged"):
        decode_moves(b"abcd")


def test_every_byte_has_a_name() -> None:
    """Moves are read from files, and messages name their piles."""
    assert len({pile_name(pile) for pile in range(256)}) == 256


def test_records_are_as_documented() -> None:
    record = move_record(Move(3, 64, 2), [21, 20])
    assert record == {"from": "tableau:3", "to": "foundation:0", "cards": ["9D", "8D"]}
    assert parse_move(record) == Move(3, 64, 2)
    assert parse_move({"from": "waste", "to": "stock", "cards": []}) == REDEAL


@pytest.mark.parametrize(
    "record",
    [
        None,
        [],
        "9D",
        {},
        {"from": "stock", "to": "waste"},
        {"from": "stock", "to": "waste", "cards": "9D"},
        {"from": "stock", "to": "waste", "cards": ["9D"] * 105},
        {"from": "stock", "to": "rubbish", "cards": ["9D"]},
        {"from": 3, "to": "waste", "cards": ["9D"]},
    ],
)
def test_what_is_no_move_is_refused(record: Any) -> None:
    with pytest.raises(InputError, match=r"is no (move|pile|list of cards)"):
        parse_move(record)
