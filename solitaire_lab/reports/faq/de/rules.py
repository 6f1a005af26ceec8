"""Rules in a few words of German, in the terms of the pages about each game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from solitaire_lab.reports.faq.de.words import word
from solitaire_lab.rules.model import Rules


@dataclass(frozen=True)
class Terms:
    """What a game's parts are called. The German pages are of two sites, and each has its own words."""

    deck: str
    """After ``ein`` and ``einem``."""
    two_decks: str
    """After ``zwei``."""
    with_two_decks: str
    """After ``mit zwei``."""
    stock: str
    """``Stapel`` is the stock on the one site, and any pile on the other."""
    foundations: str
    columns: str
    alternating: str
    """Red on black, black on red. Where ``Farbe`` is the word for a suit, it can't be that for a colour."""


SPIELE = Terms(
    deck="Kartenspiel",
    two_decks="Kartenspiele",
    with_two_decks="Kartenspielen",
    stock="Stapel",
    foundations="Zielstapel",
    columns="Spalten",
    alternating="abwechselnd rot und schwarz",
)
"""The site that explains Storehouse and Shamrocks."""
DECKS = Terms(
    deck="Kartendeck",
    two_decks="Kartendecks",
    with_two_decks="Kartendecks",
    stock="Talon",
    foundations="Grundstapel",
    columns="Tableau-Stapel",
    alternating="abwechselnd rot und schwarz",
)
"""The site that explains How They Run and Wood."""
PLAIN = replace(SPIELE, stock="Talon")
"""For games of neither; ``Talon`` is the stock to everybody."""
_COLOURS = replace(DECKS, alternating="in abwechselnden Farben")
"""For games whose ``Farbe`` is red or black."""

GLOSSARY: Mapping[str, Terms] = {
    "storehouse": SPIELE,
    "canfield": SPIELE,
    "superior-canfield": SPIELE,
    "chameleon": SPIELE,
    "shamrocks": replace(SPIELE, columns="Fächer"),
    "fan": replace(PLAIN, columns="Fächer"),
    "how-they-run": DECKS,
    "three-blind-mice": DECKS,
    "farmers-wife": DECKS,
    "applegate": DECKS,
    "scorpion": DECKS,
    "spider": DECKS,
    "wood": _COLOURS,
    "blondes-and-brunettes": _COLOURS,
}
"""By game; a game that is not here has ``PLAIN``."""

_BASES = {
    "A": "dem Ass",
    "2": "der Zwei",
    "3": "der Drei",
    "4": "der Vier",
    "5": "der Fünf",
    "6": "der Sechs",
    "7": "der Sieben",
    "8": "der Acht",
    "9": "der Neun",
    "T": "der Zehn",
    "J": "dem Buben",
    "Q": "der Dame",
    "K": "dem König",
    "dealt": "dem ausgeteilten Rang",
}


def terms_of(game: str) -> Terms:
    """What the parts of a game are called."""
    return GLOSSARY.get(game, PLAIN)


def rules_text(game: str, rules: Rules) -> str:
    """The rules of a game in a few words."""
    terms = terms_of(game)
    decks = f"ein {terms.deck}" if rules.pack.decks == 1 else f"zwei {terms.two_decks}"
    return ", ".join([decks, _foundations(rules, terms), _columns(rules, terms), *_stock(rules, terms)])


def _foundations(rules: Rules, terms: Terms) -> str:
    build = rules.foundations.build
    if build == "none":
        return f"keine {terms.foundations}"
    if build in ("run", "alternating-run"):
        whole = "Farben" if build == "run" else "rot-schwarze Folgen"
        return f"nur vollständige {whole} kommen auf die {terms.foundations}"
    return f"{terms.foundations} {_build(build, terms)} aufwärts ab {_BASES[rules.foundations.base]}"


def _columns(rules: Rules, terms: Terms) -> str:
    build = rules.tableau.build
    if build == "none":
        return f"auf die {terms.columns} wird nicht gebaut"
    way = {"down": "abwärts", "up": "aufwärts", "both": "auf- oder abwärts"}[rules.tableau.direction]
    return f"{terms.columns} {_build(build, terms)} {way}"


def _build(build: str, terms: Terms) -> str:
    return {
        "suit": "in derselben Farbe",
        "alternating": terms.alternating,
        "any": "in beliebiger Farbe",
        "colour": "rot auf rot und schwarz auf schwarz",
    }[build]


def _stock(rules: Rules, terms: Terms) -> list[str]:
    redeals, turn = rules.stock.redeals, rules.stock.turn
    if not rules.stock_size:
        return []
    if rules.stock.row:
        return [f"{terms.stock} reihenweise ausgeteilt"]
    if redeals == "unlimited":
        passes = "beliebig viele Durchgänge"
    else:
        passes = "ein Durchgang" if redeals == 0 else f"{word(redeals + 1)} Durchgänge"
    at_a_time = "Karte für Karte" if turn == 1 else f"je {word(turn)} Karten"
    return [f"{passes} durch den {terms.stock}, {at_a_time}"]
