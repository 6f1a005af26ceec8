"""Rules that contradict each other are refused, and what follows from rules is right."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from solitaire_lab.rules import Rules, SettingsError, resolve
from solitaire_lab.rules.settings import nested, setting_keys
from tests.strategies import rules_strategy

SPIDER = {
    "pack.decks": 2,
    "foundations.build": "run",
    "tableau.columns": 10,
    "tableau.layout": [6, 5, 5, 6, 5, 5, 6, 5, 5, 6],
    "tableau.down": "all-but-top",
    "tableau.build": "any",
    "tableau.moves": "suit-run",
    "stock.row": 10,
}


@pytest.mark.parametrize(
    ("overrides", "reason"),
    [
        ({"tableau.layout": [1, 1, 1]}, "tableau.layout is a list of 3, but tableau.columns is 4"),
        ({"tableau.down": [0]}, "tableau.down is a list of 1"),
        ({"tableau.down": 1}, "leaves a column without a face-up card"),
        ({"cells.filled": 1}, "there are only 0 cells"),
        ({"reserve.size": 0}, "must both be 0 or both be more"),
        ({"reserve.piles": 0}, "must both be 0 or both be more"),
        ({"tableau.layout": 13}, "need 69 cards, but the pack has 52"),
        ({"tableau.layout": 3, "tableau.capacity": 2}, "tableau.capacity is 2, but a column is dealt 3 cards"),
        ({"pack.ranks": 4, "foundations.base": "5"}, "the pack has only 4 ranks"),
        ({"foundations.build": "run"}, "base must be A and placed none"),
        ({"foundations.base": "dealt", "foundations.placed": "none"}, "placed must be one or all"),
        ({"foundations.wrap": False}, "foundations.wrap must be true"),
        ({"foundations.build": "alternating", "pack.suits": 1}, "a pack of one suit has one colour"),
        ({"foundations.runs": "whole-column"}, "foundations.build is not a run"),
        ({"foundations.autoplay": "forced", "foundations.return": "on"}, "foundations.return must be off"),
        ({"reserve.piles": 0, "reserve.size": 0}, "there is no reserve to fill from"),
        ({"reserve.to": "foundation"}, "spaces.while_reserve is auto, but reserve.to is foundation"),
        ({"stock.row": 2}, "stock.turn and stock.row exclude each other"),
        ({"stock.turn": 0, "stock.redeals": 0}, "31 cards are left over"),
        ({"stock.turn": 0, "stock.redeals": 0, "stock.row": 5}, "there are only 4 columns"),
        ({"stock.turn": 0, "stock.row": 1}, "stock.redeals needs a waste"),
        ({"stock.turn": 0, "stock.row": 1, "stock.redeals": 0, "spaces.after": "waste"}, "spaces.after waste needs"),
        ({"stock.blocked_by_space": True}, "stock.row is 0"),
        ({"stock.becomes_column": True}, "stock.redeals must be 0"),
    ],
)
def test_contradictions_are_refused_with_a_reason(overrides: dict[str, Any], reason: str) -> None:
    with pytest.raises(SettingsError, match=r"^[^\n]+") as caught:
        resolve("storehouse", overrides=overrides)
    assert any(reason in mistake for mistake in caught.value.mistakes)
    assert all(mistake.split()[0] in setting_keys() for mistake in caught.value.mistakes)


def test_a_base_rank_is_read_as_number_or_character() -> None:
    for value in (10, "10", "T"):
        assert resolve("storehouse", overrides={"foundations.base": value}).overrides == {"foundations.base": "T"}
    assert resolve("storehouse", overrides={"foundations.base": 2}).overrides == {}


def test_storehouse_adds_up() -> None:
    rules = resolve("storehouse").rules
    assert (rules.placed_count, rules.heights, rules.stock_size) == (4, (1, 1, 1, 1), 31)
    assert rules.fixed_base == 2


def test_spider_adds_up() -> None:
    rules = Rules.model_validate(nested(SPIDER))
    assert (len(rules.pack_cards), sum(rules.heights), rules.stock_size) == (104, 54, 50)
    assert rules.downs == (5, 4, 4, 5, 4, 4, 5, 4, 4, 5)


def test_layouts_by_name() -> None:
    klondike = Rules.model_validate(
        nested(
            {
                "tableau.columns": 7,
                "tableau.layout": "triangle",
                "tableau.down": "all-but-top",
                "tableau.build": "alternating",
                "stock.turn": 3,
            }
        )
    )
    assert klondike.heights == (1, 2, 3, 4, 5, 6, 7)
    assert klondike.downs == (0, 1, 2, 3, 4, 5, 6)
    assert klondike.stock_size == 24
    freecell = Rules.model_validate(nested({"tableau.columns": 8, "tableau.layout": "even"}))
    assert freecell.heights == (7, 7, 7, 7, 6, 6, 6, 6)


@given(rules_strategy())
def test_every_card_has_its_place(rules: Rules) -> None:
    dealt = (
        rules.placed_count
        + sum(rules.heights)
        + rules.reserve.piles * rules.reserve.size
        + rules.cells.filled
        + rules.stock_size
    )
    assert dealt == len(rules.pack_cards) == 4 * rules.pack.decks * rules.pack.ranks
    assert rules.stock_size >= 0
    assert len({card // 13 for card in rules.pack_cards}) == rules.pack.suits
