"""Promise 1: a stricter rule's win is a looser rule's win. The declared orders against brute force."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from solitaire_lab.deals.dealing import deal
from solitaire_lab.engine.engine import Engine
from solitaire_lab.rules import Rules, SettingsError, compare_strictness, resolve
from solitaire_lab.rules.order import ORDERS
from solitaire_lab.rules.settings import setting_keys, with_settings
from tests.brute import brute_force
from tests.play import game_of
from tests.strategies import CHOICES, rules_strategy

REVERSED = {"equal": "equal", "stricter": "looser", "looser": "stricter", "incomparable": "incomparable"}
MOVABLE = [key for key in setting_keys() if ORDERS[key].why != ORDERS["pack.decks"].why]


@st.composite
def neighbours_strategy(draw: st.DrawFn) -> tuple[Rules, Rules]:
    """Rules, and rules that differ from them in a few parameters that may be ordered."""
    rules = draw(rules_strategy(max_ranks=4, max_decks=1))
    keys = draw(st.lists(st.sampled_from(MOVABLE), min_size=1, max_size=3, unique=True))
    try:
        return rules, with_settings(rules, {key: draw(st.sampled_from(CHOICES[key])) for key in keys})
    except SettingsError:
        assume(False)
        raise


def wins(rules: Rules, seed: int) -> bool | None:
    engine = Engine(rules)
    start = engine.settle(deal(game_of(rules), numbering="lab", seed=seed))
    return brute_force(engine, start, limit=300)


def test_every_parameter_declares_its_order() -> None:
    assert tuple(ORDERS) == setting_keys()


@given(neighbours_strategy(), st.integers(0, 2**64 - 1))
@settings(max_examples=150)
def test_a_stricter_rules_win_is_a_looser_rules_win(pair: tuple[Rules, Rules], seed: int) -> None:
    order = compare_strictness(*pair)
    assume(order != "incomparable")
    first, second = wins(pair[0], seed), wins(pair[1], seed)
    if order in ("equal", "stricter"):
        assert not (first is True and second is False)
    if order in ("equal", "looser"):
        assert not (first is False and second is True)


@given(rules_strategy(), rules_strategy(), rules_strategy())
def test_strictness_is_an_order(a: Rules, b: Rules, c: Rules) -> None:
    assert compare_strictness(a, a) == "equal"
    assert compare_strictness(b, a) == REVERSED[compare_strictness(a, b)]
    if compare_strictness(a, b) == compare_strictness(b, c) != "incomparable":
        assert compare_strictness(a, c) == compare_strictness(a, b)


@given(neighbours_strategy(), st.data())
def test_strictness_is_transitive_among_neighbours(pair: tuple[Rules, Rules], data: st.DataObject) -> None:
    (a, b), key = pair, data.draw(st.sampled_from(MOVABLE))
    try:
        c = with_settings(b, {key: data.draw(st.sampled_from(CHOICES[key]))})
    except SettingsError:
        assume(False)
    if compare_strictness(a, b) == compare_strictness(b, c) != "incomparable":
        assert compare_strictness(a, c) == compare_strictness(a, b)


@pytest.mark.parametrize(
    ("stricter", "looser"),
    [
        ({"stock.redeals": 0}, {"stock.redeals": 1}),
        ({"stock.redeals": 2}, {"stock.redeals": "unlimited"}),
        ({"tableau.moves": "whole"}, {}),
        ({}, {"tableau.moves": "run"}),
        ({"spaces.after": "waste"}, {}),
        ({}, {"spaces.while_reserve": "manual"}),
        ({"spaces.while_reserve": "manual"}, {"spaces.while_reserve": "free"}),
        ({"foundations.autoplay": "forced"}, {}),
        ({}, {"foundations.return": "on"}),
        ({"stock.turn": 3}, {}),
        ({}, {"cells.count": 1}),
        ({"tableau.build": "suit"}, {"tableau.build": "colour"}),
    ],
)
def test_storehouse_settings_in_order(stricter: dict[str, Any], looser: dict[str, Any]) -> None:
    a = resolve("storehouse", overrides=stricter).rules
    b = resolve("storehouse", overrides=looser).rules
    assert compare_strictness(a, b) == "stricter"
    assert compare_strictness(b, a) == "looser"


@pytest.mark.parametrize(
    ("overrides", "others"),
    [
        ({"stock.turn": 3}, {"stock.turn": 2}),
        ({"stock.redeals": 1}, {"spaces.after": "waste"}),
        ({"spaces.after": "king"}, {"spaces.after": "waste"}),
        ({"tableau.moves": "single"}, {"tableau.moves": "whole"}),
        ({"tableau.columns": 5}, {}),
        ({"reserve.size": 12}, {}),
        ({"spaces.after": "king"}, {"spaces.after": "king", "spaces.while_reserve": "free"}),
    ],
)
def test_storehouse_settings_without_order(overrides: dict[str, Any], others: dict[str, Any]) -> None:
    a = resolve("storehouse", overrides=overrides).rules
    b = resolve("storehouse", overrides=others).rules
    assert compare_strictness(a, b) == "incomparable"


def test_faces_of_the_reserve_and_layouts_of_equal_heights_make_no_difference() -> None:
    same = resolve("storehouse", overrides={"reserve.face": "up", "tableau.layout": [1, 1, 1, 1]}).rules
    assert compare_strictness(resolve("storehouse").rules, same) == "equal"
