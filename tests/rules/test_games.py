"""The game files: found by every name, complete, and saying what their sources say."""

from __future__ import annotations

import pytest

from solitaire_lab.errors import InputError
from solitaire_lab.rules import game_names, resolve
from solitaire_lab.rules.settings import setting_items


@pytest.mark.parametrize(
    "name", ["storehouse", "Storehouse", "Thirteen Up", "thirteen-up", "PROVISIONS", "StraightUp", "the_reserve"]
)
def test_storehouse_by_every_name(name: str) -> None:
    game = resolve(name)
    assert (game.name, game.variant, game.overrides) == ("storehouse", None, {})


def test_a_variant_by_name_by_option_and_by_settings_is_one_game() -> None:
    by_name = resolve("storehouse-en")
    assert by_name == resolve("Storehouse EN") == resolve("storehouse", variant="storehouse-en")
    assert by_name == resolve("thirteen up", variant="en") == resolve("storehouse", overrides=by_name.overrides)
    assert by_name.name == "storehouse"
    assert by_name.variant == "storehouse-en"


def test_the_english_source_is_read_as_it_stands() -> None:
    rules = resolve("storehouse-en").rules
    assert rules.tableau.moves == "whole"
    assert (rules.spaces.while_reserve, rules.spaces.after) == ("manual", "waste")
    assert rules.stock.redeals == 2


def test_the_german_source_is_the_default() -> None:
    rules = resolve("storehouse").rules
    assert (rules.foundations.base, rules.foundations.placed, rules.foundations.return_) == ("2", "all", "off")
    assert (rules.tableau.build, rules.tableau.wrap, rules.tableau.moves) == ("suit", "on", "top-or-whole")
    assert (rules.spaces.while_reserve, rules.spaces.after) == ("auto", "any")
    assert (rules.reserve.size, rules.reserve.face, rules.tableau.columns) == (13, "top", 4)
    assert (rules.stock.turn, rules.stock.redeals, rules.stock_size) == (1, 2, 31)


def test_overrides_on_a_variant_are_counted_from_the_game() -> None:
    game = resolve("storehouse-en", overrides={"tableau.moves": "top-or-whole"})
    assert game.overrides == {"spaces.while_reserve": "manual", "spaces.after": "waste"}
    assert game.variant is None
    assert resolve("storehouse-en", overrides={"tableau.moves": "top-or-whole", "spaces.while_reserve": "auto",
                                               "spaces.after": "any"}) == resolve("storehouse")  # fmt: skip


@pytest.mark.parametrize(
    ("name", "variant", "offered"),
    [
        ("storhouse", None, "did you mean storehouse"),
        ("provision", None, "did you mean Provisions"),
        ("xyzzy", None, "`solitaire-lab games` lists all"),
        ("", None, "`solitaire-lab games` lists all"),
        ("storehouse", "storehouse-eng", "did you mean storehouse-en"),
        ("storehouse", "zzz", "there are storehouse-en"),
        ("storehouse-en", "storehouse-free", "name one of them"),
    ],
)
def test_unknown_names_are_refused_with_the_nearest(name: str, variant: str | None, offered: str) -> None:
    with pytest.raises(InputError, match=offered):
        resolve(name, variant=variant)


def test_no_two_games_share_a_name() -> None:
    names = []
    for game in map(resolve, game_names()):
        own = {name.lower().replace("-", "").replace(" ", "") for name in (game.name, game.title, *game.aliases)}
        names += [*own, *(variant.lower().replace("-", "") for variant in game.variants)]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("name", game_names())
def test_every_reading_of_every_open_point_can_be_chosen(name: str) -> None:
    game = resolve(name)
    assert game.open_points
    for point in game.open_points:
        default, *others = point.readings
        assert default.settings is not None
        assert resolve(name, overrides=default.settings) == game, "the first reading is the default"
        for reading in others:
            if reading.settings is not None:
                assert resolve(name, overrides=reading.settings).overrides == setting_items(reading.settings)


@pytest.mark.parametrize("name", game_names())
def test_every_game_says_where_it_comes_from_and_can_be_dealt(name: str) -> None:
    game = resolve(name)
    assert game.sources
    assert any("lab" in procedure.numberings for procedure in game.dealings)
    for variant in game.variants:
        assert resolve(variant).variant == variant
        assert resolve(variant).overrides == setting_items(game.variants[variant].settings)


def test_a_deal_procedure_holds_where_the_same_cards_are_dealt() -> None:
    lab, pysol = resolve("storehouse").dealings
    assert pysol.program == "PySolFC game 100"
    assert pysol.numberings == ("pysol", "microsoft")
    other_play = resolve("storehouse-en", overrides={"stock.redeals": 0, "cells.count": 2, "tableau.layout": [1] * 4})
    assert other_play.misfits(pysol) == {}
    other_deal = resolve("storehouse", overrides={"tableau.columns": 5, "reserve.size": 12})
    assert other_deal.misfits(pysol) == {"tableau.columns": (4, 5), "reserve.size": (13, 12)}
    assert other_deal.misfits(lab) == {}
