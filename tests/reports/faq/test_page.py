"""The page: every format says the same."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from solitaire_lab.reports.faq import game_faqs, render_faq, statements
from solitaire_lab.reports.faq.page import FORMATS, LANGUAGES, faq_record
from solitaire_lab.reports.faq.published import comparisons
from tests.reports.faq.samples import a_faq, a_plan, a_study

NASTY = "a|b *c* <d> `e`\nf"


def flat(text: str) -> str:
    """A text without its line breaks and Markdown's escapes."""
    text = re.sub(r"\\(.)", r"\1", text).replace("&lt;", "<").replace("&amp;", "&")
    return " ".join(re.sub(r"[ \n]+", " ", text).split(" "))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("style", FORMATS)
def test_every_format_has_every_answer_once(style: str, language: str) -> None:
    faqs = [a_faq("w" * 44 + "l" * 50 + "u" * 6), a_faq("wu", game="how-they-run")]
    page = render_faq(faqs, language=language, style=style)
    assert page.endswith("\n")
    assert not page.endswith("\n\n")
    text = flat(page)
    for faq in faqs:
        for said in statements(faq, language):
            assert said.text in text
            assert said.question in text
            # One line, whatever its length.
            assert any(said.check in flat(line) for line in page.splitlines())
        record = faq_record(faq, language)
        assert [said["text"] for said in record["statements"]] == [said.text for said in statements(faq, language)]
        assert len(record["published"]) == len(comparisons(faq))
    assert ("politaire.com" in text) == ("storehouse" in [faq.planned.cell.game for faq in faqs])


def test_markdown_has_a_table_of_published_figures() -> None:
    page = render_faq([a_faq("w" * 44 + "l" * 50 + "u" * 6)], language="en", style="markdown")
    table = [line for line in page.splitlines() if line.startswith("|")]
    # Two counts of the page, two of Wolter's, and the median, below a header and its rule.
    assert len(table) == 2 + 5
    assert {line.count("|") for line in table} == {6}


@pytest.mark.parametrize("style", FORMATS)
def test_without_published_figures_there_is_no_table(style: str) -> None:
    page = render_faq([a_faq("wu", game="wood")], language="en", style=style)
    assert "Published" not in page


def test_labels_are_escaped_and_told_where_they_differ(tmp_path: Path) -> None:
    planned = a_plan("storehouse", 2, label=NASTY, overrides={"stock.redeals": 0})
    (faq,) = game_faqs(a_study(tmp_path, (planned, "wl")))
    text, markdown = (render_faq([faq], language="en", style=style) for style in FORMATS)
    assert text.startswith("Storehouse (a|b *c* <d> `e` f)\n")
    assert markdown.startswith("## Storehouse (a\\|b \\*c\\* &lt;d> \\`e\\` f)\n")
    assert "rules of Storehouse with stock.redeals = 0 (" in text
    assert "one pass through the stock" in text


def test_a_game_that_is_gone_keeps_its_name() -> None:
    faq = a_faq("wl")
    gone = replace(faq, planned=replace(faq.planned, cell=replace(faq.planned.cell, game="gone")), title="gone")
    for language in LANGUAGES:
        page = render_faq([gone], language=language, style="text")
        assert page.startswith("gone (storehouse)\n")
        assert "Talon" in page if language == "de" else "through the stock" in page


def test_no_games_are_an_empty_page() -> None:
    for style in FORMATS:
        assert render_faq([], language="en", style=style) == "\n"
