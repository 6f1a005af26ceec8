"""The answers in words: the right numbers, and grammar for none, one and several of everything."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import get_args

import pytest

from solitaire_lab import __version__
from solitaire_lab.reports.faq.de.rules import rules_text as rules_de
from solitaire_lab.reports.faq.en.rules import rules_text as rules_en
from solitaire_lab.reports.faq.figures import decimals, percents, small_percent
from solitaire_lab.reports.faq.numbers import GameFaq, Other, Relation, Search
from solitaire_lab.reports.faq.page import LANGUAGES, statements
from solitaire_lab.reports.tables import Counts
from solitaire_lab.results.intervals import Interval, wilson
from solitaire_lab.results.rows import SeedRange
from solitaire_lab.rules.catalog import game_names, resolve
from tests.reports.faq.samples import HINT, a_faq, a_plan

NBSP = "\u00a0"
STOREHOUSE = a_faq("w" * 44 + "l" * 50 + "u" * 6)
"""Counts of the Storehouse page."""
SHAMROCKS = a_faq("w" * 61 + "l" * 2 + "W" * 8 + "u" * 29, game="shamrocks")
"""Counts of the Shamrocks page; it doesn't say how many are lost in the longer search."""


def said(faq: GameFaq, language: str) -> dict[str, str]:
    return {statement.id: statement.text for statement in statements(faq, language)}


def in_words(faq: GameFaq, language: str) -> str:
    return " ".join(said(faq, language).values())


def numbers(text: str) -> list[int]:
    """The whole numbers of a text, in its order."""
    return [int(re.sub("[.,]", "", number)) for number in re.findall(r"\d+(?:[.,]\d{3})*", text)]


# --- the statements of the published pages ----------------------------------------------------------------------


@pytest.mark.parametrize(("language", "opening"), [("en", "No."), ("de", "Nein.")])
def test_storehouse_as_its_page_counted(language: str, opening: str) -> None:
    text = said(STOREHOUSE, language)["F1"]
    assert text.startswith(f"{opening} ")
    assert numbers(text) == [100, 44, 50, 6]


@pytest.mark.parametrize(("language", "opening"), [("en", "Most."), ("de", "Die meisten.")])
def test_shamrocks_as_its_page_counted(language: str, opening: str) -> None:
    text = said(SHAMROCKS, language)["F6"]
    assert text.startswith(f"{opening} ")
    assert numbers(text) == [100, 61, 2, 69, 2, 29]


@pytest.mark.parametrize("language", LANGUAGES)
def test_wins_are_called_a_lower_bound_while_deals_are_undecided(language: str) -> None:
    word = {"en": "lower bound", "de": "Untergrenze"}[language]
    assert word in said(SHAMROCKS, language)["F7"]
    assert numbers(said(SHAMROCKS, language)["F7"]) == [69, 100, 29]
    assert "F7" not in said(a_faq("wwll"), language)
    assert word not in in_words(a_faq("wwll"), language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_percentage_says_whose_chance_it_is(language: str) -> None:
    text = said(STOREHOUSE, language)["F10"]
    # 44 to 50 of 100: Wilson's interval is 34.7 to 59.6 %.
    assert numbers(text) == [34, 60]
    assert {"en": "who knows all cards", "de": "Wer alle Karten kennt"}[language] in text
    assert {"en": "medium", "de": "mittelschwer"}[language] in text


@pytest.mark.parametrize(
    ("language", "words"), [("en", ("two shuffles", "three shuffles")), ("de", ("zwei Mischungen", "drei Mischungen"))]
)
def test_shuffles_until_a_winnable_deal(language: str, words: tuple[str, str]) -> None:
    # One shuffle, then two, two, three: a median of two.
    text = said(a_faq("wlwuwllw", tries=5), language)
    assert words[0] in text["F3"]
    assert words[1] in text["F8"]
    assert numbers(text["F4"]) == [5, 4]
    assert numbers(said(a_faq("lllluu", tries=2), language)["F4"]) == [2, 3]
    # The first board runs out of its two tries, the second takes two shuffles.
    text = said(a_faq("lluw", tries=2), language)
    assert numbers(text["F4"]) == [2, 2, 50]


@pytest.mark.parametrize("language", LANGUAGES)
def test_other_games_are_named_with_what_is_open_about_them(language: str) -> None:
    others = (
        Other("a" * 64, "Canfield", Counts(win=70, loss=9, nodes=21), "more"),
        Other("b" * 64, "Superior Canfield", Counts(win=70, loss=3, nodes=27), "more"),
        Other("c" * 64, "Chameleon", Counts(win=3, loss=2, nodes=95), "more-proved"),
        Other("d" * 64, "Fan", Counts(win=47, loss=53), "alike"),
    )
    faq = replace(STOREHOUSE, others=others, not_compared=("Wood",))
    text = said(faq, language)["F2"]
    assert numbers(text) == [9, 21, 3, 27, 2, 95, 53, 0]
    sentences = [sentence for sentence in text.split(". ") if sentence]
    assert [[other.title for other in others if f"{other.title} (" in sentence] for sentence in sentences] == [
        ["Canfield", "Superior Canfield"],
        ["Chameleon"],
        ["Fan"],
    ]
    (check,) = [statement.check for statement in statements(faq, language) if statement.id == "F2"]
    assert "Wood" in check
    assert "Wood" not in text
    assert "a" * 12 in check


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_line_below_tells_all_that_the_figures_depend_on(language: str) -> None:
    faq = replace(STOREHOUSE, planned=a_plan("storehouse-en", 100))
    for statement in statements(faq, language):
        assert "\n" not in statement.check
        assert f"solitaire-lab {__version__}" in statement.check
        if statement.id in ("F5", "F9"):
            continue
        for fact in ("tableau.moves = whole", " lab;", "1:100;", faq.planned.cell.short_id, "evision"):
            assert fact in statement.check
        named = {"F3": ["deal"], "F4": ["deal"], "F8": ["deal"], "F6": ["deal", "hint"], "F10": ["deal", "hint"]}
        assert re.findall(r"\((deal|hint)\)", statement.check) == named.get(statement.id, ["hint"])
        thousands = {"en": "20,000", "de": "20.000"}[language]
        assert (thousands in statement.check) == ("(hint)" in statement.check)


@pytest.mark.parametrize("language", LANGUAGES)
def test_reasons_other_than_nodes_are_told(language: str) -> None:
    long = Search("hint", HINT, Counts(win=95, nodes=2, memory=1, crashed=2))
    (check,) = [said.check for said in statements(replace(STOREHOUSE, long=long), language) if said.id == "F1"]
    words = {"en": ["2 out of nodes", "1 out of memory", "2 crashed"], "de": ["2 Knoten", "1 Speicher", "2 abgestürzt"]}
    assert all(word in check for word in words[language])


# --- little, nothing, everything --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("verdicts", "words"),
    [
        ("", {"en": "No deal of Storehouse has been counted", "de": "noch keine Partie ausgezählt"}),
        ("w", {"en": "it is proved winnable", "de": "Sie ist nachweislich lösbar"}),
        ("l", {"en": "it is proved lost", "de": "Sie ist nachweislich verloren"}),
        ("u", {"en": "it is undecided", "de": "Sie ist offen geblieben"}),
        ("www", {"en": "all 3 are proved winnable", "de": "Alle 3 sind nachweislich lösbar"}),
        ("lll", {"en": "all 3 are proved lost", "de": "Alle 3 sind nachweislich verloren"}),
        ("uuu", {"en": "all 3 are undecided", "de": "Alle 3 sind offen geblieben"}),
    ],
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_none_one_and_all(verdicts: str, words: dict[str, str], language: str) -> None:
    text = said(a_faq(verdicts), language)
    assert words[language] in text["F1"]
    yes = {"en": ("yes", "All"), "de": ("schon", "Alle")}[language]
    opening = text["F1"].partition(".")[0]
    assert any(word in opening for word in yes) == (verdicts in ("w", "www"))


@pytest.mark.parametrize(
    ("verdicts", "tested", "searched"),
    [
        ("ww", "Alle 2 sind nachweislich lösbar", "offen bleibt keine"),
        ("wl", "eine ist nachweislich verloren und keine ist offen geblieben", "offen bleibt keine"),
        ("wu", "keine ist nachweislich verloren und eine ist offen geblieben", "offen bleibt eine"),
        ("wluu", "eine ist nachweislich verloren und 2 sind offen geblieben", "offen bleiben 2"),
        ("u", "Sie ist offen geblieben", "nach der kurzen Suche beim Geben offen geblieben"),
    ],
)
def test_no_german_sentence_denies_twice(verdicts: str, tested: str, searched: str) -> None:
    text = said(a_faq(verdicts), "de")
    assert tested in text["F1"]
    assert searched in text["F6"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_clear_is_explained_where_games_are_compared(language: str) -> None:
    word = {"en": "clear", "de": "deutlich"}[language]

    def answered(faq: GameFaq) -> tuple[str, str]:
        ((text, check),) = [(said.text, said.check) for said in statements(faq, language) if said.id == "F2"]
        return text.lower(), check

    text, check = answered(STOREHOUSE)
    assert word not in text + check, "no game is compared"
    for relation in get_args(Relation):
        text, check = answered(replace(STOREHOUSE, others=(Other("a" * 64, "Canfield", Counts(win=2), relation),)))
        assert word in text
        assert f"{word} " in check


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_a_deal_no_figure_is_given(language: str) -> None:
    text = said(a_faq(""), language)
    assert "F2" not in text
    assert "F7" not in text
    assert "F8" not in text
    # The tries are a rule, no finding.
    assert [numbers(text[name]) for name in sorted(text) if numbers(text[name])] == [[3]]


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_unfinished_study_says_so(language: str) -> None:
    for seeds, counted in ((SeedRange(1, 60), "1:60"), (None, {"en": "none", "de": "keine"}[language])):
        unfinished = replace(STOREHOUSE, seeds=seeds)
        check = statements(unfinished, language)[0].check
        of = {"en": f"{counted} of 1:100, unfinished", "de": f"{counted} von 1:100, unfertig"}[language]
        assert of in check


@pytest.mark.parametrize("language", LANGUAGES)
def test_with_one_search_no_second_one_is_claimed(language: str) -> None:
    hint = {"en": "hint", "de": "Hinweis"}[language]
    unnamed = a_faq("wwlu", roles=(None,))
    for statement in statements(unnamed, language):
        if statement.id not in ("F5", "F9"):
            assert hint not in statement.text
            assert "(hint)" not in statement.check
    assert {"en": "one search only", "de": "nur eine Suche"}[language] in said(unnamed, language)["F6"]
    assert hint in said(a_faq("wwlu", roles=("hint",)), language)["F1"]
    assert hint not in said(a_faq("wwlu", roles=("deal",)), language)["F1"]


# --- grammar ----------------------------------------------------------------------------------------------------


def small_studies() -> Iterator[GameFaq]:
    """None, one and several of everything that is counted."""
    for deals in range(5):
        for verdicts in itertools.product("wWlu", repeat=deals):
            for tries, roles in itertools.product((1, 2, 3), (("deal", "hint"), ("deal", None), (None,))):
                yield a_faq("".join(verdicts), tries=tries, roles=roles)  # type: ignore[arg-type]


# "2 of 3 is a lower bound" is right.
SEVERAL = {
    "en": r"(?<![\d.,])(?<!of )(\d*[2-9]|\d+\d|two|three|four)",
    "de": r"(?<![\d.,])(?<!von )(\d*[2-9]|\d+\d|zwei|drei|vier)",
}
WRONG = {
    "en": [
        r"\b(one|1) (are|were|deals|shuffles|boards|tries|nodes)\b",
        rf"{SEVERAL['en']} (is|was|deal|shuffle|board|try|node)\b",
    ],
    "de": [
        r"\b(eine|einen|einer|eines|einem|keine|1) (sind|waren|Partien|Mischungen|Brettern?|Versuchen?)\b",
        rf"{SEVERAL['de']} (ist|war|Partie|Mischung|Brett|Versuch)\b",
        rf"\b(bleibt|reichte|war das im Median) {SEVERAL['de']}\b",
        r"\b(bleiben|reichten|waren das im Median) (1|eine|keine)\b",
    ],
}


@pytest.mark.parametrize(
    ("language", "text"),
    [
        *(("en", text) for text in ("one are lost", "1 deals", "3 is undecided", "two shuffle", "20 board")),
        *(
            ("de", text)
            for text in ("eine sind", "1 Partien", "keine Bretter", "3 ist", "zwei Mischung", "bleiben eine")
        ),
        *(("de", text) for text in ("reichte 20", "waren das im Median eine", "war das im Median zwei")),
    ],
)
def test_the_grammar_rules_find_mistakes(language: str, text: str) -> None:
    assert any(re.search(rule, text) for rule in WRONG[language])


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_agree_with_their_numbers(language: str) -> None:
    seen = set()
    for faq in small_studies():
        for statement in statements(faq, language):
            seen.add(statement.text)
    assert len(seen) > 300
    for text in seen:
        for rule in WRONG[language]:
            assert not re.search(rule, text), text
        assert text[0].isupper()
        assert text.endswith(".")
        assert "  " not in text
        assert ".." not in text
        assert not re.search(r"\bNone\b(?! of)", text)
        assert "{" not in text


def test_german_and_english_figures() -> None:
    many = a_faq("w" * 4_321 + "l" * 3_000 + "u" * 2_679, game="shamrocks")
    others = (Other("a" * 64, "Fan", Counts(win=4_700, loss=5_300), "fewer"),)
    many = replace(many, others=others)
    german, english = in_words(many, "de"), in_words(many, "en")
    assert "10.000" in german
    assert "10,000" in english
    # Wilson for 4,321 and 7,000 of 10,000: 42.2 and 70.9 %.
    assert f"42 bis 71{NBSP}%" in german
    assert "42 to 71%" in english
    large = replace(many, long=Search("hint", HINT, Counts(win=4_321, loss=5_679)))
    assert f"42,2 bis 44,2{NBSP}%" in in_words(large, "de")
    assert "42.2 to 44.2%" in in_words(large, "en")
    assert not re.search(rf"(?<!{NBSP}|-)%", german)
    assert NBSP not in english
    assert not re.search(r"\s%", english)
    assert not re.search(r"\d\.\d(?!\d\d)", german), "a decimal point"
    assert not re.search(r"\d,\d\d\d", german), "a comma between thousands"


@pytest.mark.parametrize(
    ("share", "text"),
    [(0, "0"), (1, "100"), (0.5, "50"), (0.096, "9.6"), (0.0099, "0.99"), (0.39**5, "0.90"), (3e-5, "0.0030")],
)
def test_small_shares_keep_two_figures(share: float, text: str) -> None:
    assert small_percent(share) == text


@pytest.mark.parametrize(
    ("interval", "digits"),
    [
        (Interval(0, 1), 0),
        (Interval(0.35, 0.60), 0),
        (wilson(4_381, 10_000), 1),
        (wilson(438_117, 1_000_000), 2),
        (wilson(0, 100), 1),
        (Interval(0.5, 0.9945), 1),  # 99.5, since not every deal can be won
        (Interval(0.0004, 0.3), 2),
    ],
)
def test_percentages_are_as_fine_as_their_intervals(interval: Interval, digits: int) -> None:
    assert decimals(interval) == digits
    low, high = percents(interval)
    assert float(low) <= 100 * interval.low
    assert float(high) >= 100 * interval.high
    assert len(low.partition(".")[2]) == digits


# --- terms ------------------------------------------------------------------------------------------------------


def rules_of(game: str) -> str:
    return rules_de(game, resolve(game).rules)


def test_each_german_page_has_its_own_terms() -> None:
    storehouse, shamrocks, wood, mice = map(rules_of, ("storehouse", "shamrocks", "wood", "how-they-run"))
    assert "drei Durchgänge durch den Stapel" in storehouse
    assert "Zielstapel" in storehouse
    assert "ab der Zwei" in storehouse
    assert "Spalten in derselben Farbe abwärts" in storehouse
    assert "Fächer in beliebiger Farbe auf- oder abwärts" in shamrocks
    assert "durch den" not in shamrocks, "it has no stock"
    assert "zwei Kartendecks" in wood
    assert "Grundstapel in abwechselnden Farben" in wood
    assert "ein Durchgang durch den Talon" in wood
    assert "nur vollständige Farben kommen auf die Grundstapel" in mice
    assert "ein Kartendeck" in mice


def test_farbe_is_a_colour_only_where_the_page_says_so() -> None:
    for game in game_names():
        assert ("abwechselnden Farben" in rules_of(game)) == (game in ("wood", "blondes-and-brunettes"))
    assert "abwechselnd rot und schwarz" in rules_of("canfield")


def test_a_game_of_no_page_has_plain_terms() -> None:
    text = rules_de("a new game", resolve("klondike").rules)
    assert text == rules_of("klondike")
    assert "durch den Talon, je drei Karten" in text
    assert "any number of passes through the stock, three cards at a time" in rules_en(
        "a new game", resolve("klondike").rules
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_game_has_its_rules_in_words(language: str) -> None:
    for game in game_names():
        rules = resolve(game).rules
        text = {"en": rules_en, "de": rules_de}[language](game, rules)
        passes = rules.stock.redeals if rules.stock_size and rules.stock.turn else None
        words = {"en": {0: "one pass ", 2: "three passes "}, "de": {0: "ein Durchgang ", 2: "drei Durchgänge "}}
        if passes in (0, 2):
            assert words[language][passes] in text  # type: ignore[index]
        two = {"en": "two decks", "de": "zwei Karten"}[language]
        assert (two in text) == (rules.pack.decks == 2)
