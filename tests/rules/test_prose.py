"""Rules in words: every parameter is heard, and Storehouse reads as its sources do."""

from __future__ import annotations

import pytest
from hypothesis import given

from solitaire_lab.rules import Rules, describe, game_names, resolve
from solitaire_lab.rules.settings import nested
from solitaire_lab.rules.wording import sections
from tests.strategies import CHOICES, rules_strategy

# Between them they have everything, so that every parameter matters in one of them.
WITH_WASTE = {
    "pack.decks": 2, "foundations.base": "3", "foundations.placed": "one", "foundations.wrap": True,
    "tableau.columns": 4, "tableau.layout": [4, 3, 3, 2], "tableau.down": 1,
    "spaces.while_reserve": "manual", "spaces.after": "any",
    "reserve.piles": 2, "reserve.size": 3, "cells.count": 3, "cells.filled": 1, "stock.turn": 2,
}  # fmt: skip
FILLED_AT_WILL = {**WITH_WASTE, "spaces.while_reserve": "free"}
WITH_ROWS = {
    "foundations.build": "run", "tableau.columns": 4, "tableau.layout": 4, "tableau.moves": "run", "stock.row": 2,
}  # fmt: skip
WITHOUT_A_WORD = {"foundations.wrap"}
"""Rules in which it would matter are refused."""


def words(rules: Rules) -> str:
    return "\n".join(f"{heading}: {' '.join(sentences)}" for heading, sentences in sections(rules))


def page(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("key", sorted(set(CHOICES) - WITHOUT_A_WORD))
def test_every_value_of_every_parameter_is_heard(key: str) -> None:
    heard: dict[str, bool] = {}
    for base in (WITH_WASTE, FILLED_AT_WILL, WITH_ROWS):
        plain = Rules.model_validate(nested(base))
        for value in CHOICES[key]:
            try:
                changed = Rules.model_validate(nested({**base, key: value}))
            except ValueError:
                continue
            if changed != plain:
                heard[str(value)] = heard.get(str(value), False) or words(changed) != words(plain)
    assert heard
    assert all(heard.values()), heard


@given(rules_strategy())
def test_any_rules_can_be_told(rules: Rules) -> None:
    found = sections(rules)
    assert [found[0].heading, found[-1].heading] == ["The deal", "Winning"]
    for _, sentences in found:
        assert all(text.endswith(".") and not text[0].islower() for text in sentences)
        assert not any(bad in " ".join(sentences) for bad in ("  ", "None", "True", "False", "..", "one cards", "an 2"))


def test_storehouse_reads_as_its_source() -> None:
    text = page(describe(resolve("storehouse")))
    for claim in (
        "All four 2s are taken out and begin the foundations.",
        "Thirteen cards are dealt to the reserve as one pile, only the top card face up.",
        "The four columns get one card each, face up. The 31 cards that are left are the stock.",
        "Up in suit, card by card, from 2 to king, then the ace.",
        "A card on a foundation never comes back into play.",
        "Built down in suit, a king on an ace too.",
        "The top card of a column moves, or the whole column, if it is one built run.",
        "While the reserve lasts, its top card fills a space at once.",
        "The stock is turned to the waste card by card. Only the top of the waste is in play.",
        "twice: it is gone through three times.",
        "The game is won when all 52 cards lie on the foundations.",
        "Thirteen Up, Provisions, Straight Up, The Reserve",
        "438,117 of 1,000,000",
    ):
        assert claim in text


def test_the_page_tells_open_points_with_their_settings() -> None:
    text = page(describe(resolve("storehouse")))
    for setting in (
        "[default; spaces.while_reserve=auto]",
        "[spaces.while_reserve=manual]",
        "[spaces.while_reserve=free]",
        "[default; spaces.after=any]",
        "[spaces.after=waste]",
        "[stock.redeals=0]",
        "[stock.redeals=unlimited]",
        "[tableau.moves=whole]",
        "[not offered]",
    ):
        assert setting in text


def test_a_changed_game_says_what_is_changed() -> None:
    text = page(describe(resolve("storehouse-en", overrides={"stock.redeals": 0, "tableau.columns": 5})))
    assert "Differs from storehouse in" in text
    assert "stock.redeals=0" in text
    assert "The stock is gone through once." in text
    assert "[spaces.after=waste; chosen here]" in text
    assert "the deals of PySolFC game 100 (not under these settings)" in text


@pytest.mark.parametrize("name", game_names())
def test_pages_have_eighty_columns(name: str) -> None:
    lines = describe(resolve(name)).splitlines()
    assert max(map(len, lines)) <= 80
