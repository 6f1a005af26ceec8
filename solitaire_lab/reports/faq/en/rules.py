"""Rules in a few words of English."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from solitaire_lab.reports.faq.en.words import word
from solitaire_lab.rules.model import Rules


@dataclass(frozen=True)
class Terms:
    """What the pages about a game call its parts, where they differ."""

    columns: str = "columns"
    two: str = "2"


GLOSSARY: Mapping[str, Terms] = {
    "storehouse": Terms(columns="tableau piles", two="deuce"),
    "shamrocks": Terms(columns="fans"),
    "fan": Terms(columns="fans"),
}
"""By game; a game that is not here has ``Terms()``."""

_BUILDS = {
    "suit": "in suit",
    "alternating": "in alternating colours",
    "any": "in any suit",
    "colour": "in one colour",
}


def rules_text(game: str, rules: Rules) -> str:
    """The rules of a game in a few words."""
    terms = GLOSSARY.get(game, Terms())
    decks = "one deck" if rules.pack.decks == 1 else "two decks"
    return ", ".join([decks, _foundations(rules, terms), _columns(rules, terms), *_stock(rules)])


def _foundations(rules: Rules, terms: Terms) -> str:
    build, base = rules.foundations.build, rules.foundations.base
    if build == "none":
        return "no foundations"
    if build in ("run", "alternating-run"):
        whole = "whole suits" if build == "run" else "whole runs in alternating colours"
        return f"only {whole} go to the foundations"
    names = {"A": "ace", "2": terms.two, "T": "10", "J": "jack", "Q": "queen", "K": "king"}
    rank = "rank that is dealt" if base == "dealt" else names.get(base, base)
    return f"foundations up {_BUILDS[build]} from the {rank}"


def _columns(rules: Rules, terms: Terms) -> str:
    build, direction = rules.tableau.build, rules.tableau.direction
    if build == "none":
        return f"nothing built on {terms.columns}"
    way = "up or down" if direction == "both" else direction
    return f"{terms.columns} {way} {_BUILDS[build]}"


def _stock(rules: Rules) -> list[str]:
    redeals, turn = rules.stock.redeals, rules.stock.turn
    if not rules.stock_size:
        return []
    if rules.stock.row:
        return ["the stock dealt in rows"]
    if redeals == "unlimited":
        passes = "any number of passes"
    else:
        passes = "one pass" if redeals == 0 else f"{word(redeals + 1)} passes"
    at_a_time = "card by card" if turn == 1 else f"{word(turn)} cards at a time"
    return [f"{passes} through the stock, {at_a_time}"]
