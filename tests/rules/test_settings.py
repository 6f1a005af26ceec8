"""Settings: found by key whatever their form, and every mistake told at once in plain words."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from hypothesis import given

from solitaire_lab.errors import InputError
from solitaire_lab.rules import Rules, SettingsError, parse_set, resolve
from solitaire_lab.rules.settings import (
    allowed_values,
    nested,
    setting_keys,
    settings_between,
    settings_of,
    with_settings,
)
from tests.strategies import raw_rules_strategy, rules_strategy


def mistakes_of(overrides: Any) -> tuple[str, ...]:
    with pytest.raises(SettingsError) as caught:
        resolve("storehouse", overrides=overrides)
    return caught.value.mistakes


def test_dotted_nested_and_mixed_settings_are_the_same() -> None:
    wanted = resolve("storehouse", overrides={"stock.redeals": 0, "stock.turn": 3})
    assert wanted.rules.stock.redeals == 0
    assert resolve("storehouse", overrides={"stock": {"redeals": 0, "turn": 3}}) == wanted
    assert resolve("storehouse", overrides={"stock": {"redeals": 0}, "stock.turn": 3}) == wanted


@pytest.mark.parametrize(
    ("key", "nearest"),
    [
        ("stock.redals", "stock.redeals"),
        ("stok.redeals", "stock.redeals"),
        ("redeals", "stock.redeals"),
        ("Stock.Redeals", "stock.redeals"),
        ("tableau.move", "tableau.moves"),
        ("foundations.returns", "foundations.return"),
        ("foundations.return_", "foundations.return"),
        ("stock.redeals.max", "stock.redeals"),
        ("columns", "tableau.columns"),
        ("autoplai", "foundations.autoplay"),
    ],
)
def test_an_unknown_key_is_refused_with_the_nearest(key: str, nearest: str) -> None:
    (mistake,) = mistakes_of({key: 1})
    assert mistake.startswith(f"{key} is no rule")
    assert nearest in mistake


def test_a_group_is_no_rule_and_its_rules_are_listed() -> None:
    (mistake,) = mistakes_of({"reserve": 13})
    assert "reserve.piles, reserve.size" in mistake


def test_a_key_like_no_other_is_refused_with_the_groups() -> None:
    assert "pack, foundations, tableau, spaces, reserve, cells, stock, deal" in mistakes_of({"zzz": 1})[0]


def test_all_mistakes_are_told_at_once_each_with_its_key() -> None:
    wrong = {"stock.redals": 1, "stock.redeals": -1, "tableau": {"wrap": True, "colums": 3}, "pack.decks": 3}
    mistakes = mistakes_of(wrong)
    assert sorted(text.split()[0] for text in mistakes) == [
        "pack.decks",
        "stock.redals",
        "stock.redeals",
        "tableau.colums",
        "tableau.wrap",
    ]


def test_all_contradictions_are_told_at_once() -> None:
    mistakes = mistakes_of({"stock.turn": 0, "cells.filled": 1, "foundations.wrap": False})
    assert any("stock.redeals needs a waste" in text for text in mistakes)
    assert any("cells.filled is 1" in text for text in mistakes)
    assert any("foundations.wrap" in text for text in mistakes)


@pytest.mark.parametrize(
    ("key", "value", "given_as", "allowed"),
    [
        ("stock.redeals", -1, "-1", "a whole number from 0 to 200, or unlimited"),
        ("stock.redeals", "many", '"many"', "a whole number from 0 to 200, or unlimited"),
        ("stock.redeals", 2.0, "2.0", "a whole number from 0 to 200, or unlimited"),
        ("stock.auto_turn", 1, "1", "true or false"),
        ("stock.auto_turn", "yes", '"yes"', "true or false"),
        ("pack.decks", True, "true", "1 or 2"),
        ("spaces.after", "kings", '"kings"', "any, king, waste or none"),
        ("tableau.columns", True, "true", "a whole number from 1 to 36"),
        ("tableau.layout", [1, -1, 1, 1], "[1, -1, 1, 1]", "a list of whole numbers (one for each column)"),
        ("foundations.base", 14, "14", "Q, K or dealt"),
    ],
)
def test_a_wrong_value_is_shown_with_what_would_be_right(key: str, value: Any, given_as: str, allowed: str) -> None:
    (mistake,) = mistakes_of({key: value})
    assert mistake.startswith(f"{key} is {given_as}, but must be ")
    assert allowed in mistake


def test_the_same_rule_set_twice_is_refused() -> None:
    assert mistakes_of({"stock.redeals": 0, "stock": {"redeals": 1}}) == ("stock.redeals is set twice; set it once.",)


def test_settings_that_are_no_table_are_refused() -> None:
    with pytest.raises(InputError, match="must be a table"):
        resolve("storehouse", overrides=["stock.redeals"])  # type: ignore[arg-type]


def test_an_overlong_value_is_shown_in_short() -> None:
    (mistake,) = mistakes_of({"stock.redeals": "x" * 10_000})
    assert len(mistake) < 200


def test_an_error_survives_the_way_from_a_worker() -> None:
    error = SettingsError("a is wrong.", "b is wrong.")
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error)
    assert again.mistakes == error.mistakes


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("stock.redeals=1", 1),
        (" stock.redeals = 1 ", 1),
        ("stock.redeals=unlimited", "unlimited"),
        ('stock.redeals="unlimited"', "unlimited"),
        ("stock.redeals=true", True),
        ("stock.redeals=[1, 2]", [1, 2]),
        ("stock.redeals=top-or-whole", "top-or-whole"),
        ("stock.redeals=a=b", "a=b"),
        ("stock.redeals=1\nstock.turn=3", "1\nstock.turn=3"),
    ],
)
def test_set_reads_toml_or_else_text(text: str, value: Any) -> None:
    assert parse_set([text]) == {"stock.redeals": value}


def test_set_tells_every_text_that_is_no_setting() -> None:
    with pytest.raises(SettingsError) as caught:
        parse_set(["stock.redeals", "=1", "stock.turn=", "stock.row=1", "stock.row=2"])
    assert len(caught.value.mistakes) == 4


@given(rules_strategy())
def test_settings_give_the_rules_back(rules: Rules) -> None:
    settings = settings_of(rules)
    assert tuple(settings) == setting_keys()
    assert Rules.model_validate(nested(settings)) == rules


@given(rules_strategy(), rules_strategy())
def test_what_differs_makes_one_of_the_other(base: Rules, rules: Rules) -> None:
    differing = settings_between(base, rules)
    assert with_settings(base, differing) == rules
    assert (differing == {}) == (base == rules)


@given(raw_rules_strategy())
def test_any_settings_make_rules_or_sentences(settings: dict[str, Any]) -> None:
    mistakes: tuple[str, ...] = ()
    try:
        rules = with_settings(resolve("storehouse").rules, settings)
    except SettingsError as error:
        mistakes = error.mistakes
    else:
        assert set(settings) <= set(settings_of(rules))
    assert all(text.endswith((".", "?")) and " " in text for text in mistakes)
    assert "pydantic" not in " ".join(mistakes)


@pytest.mark.parametrize("key", setting_keys())
def test_what_is_allowed_is_told_for_every_rule(key: str) -> None:
    assert allowed_values(key)
    (mistake,) = mistakes_of({key: None})
    assert mistake == f"{key} is null, but must be {allowed_values(key)}."
