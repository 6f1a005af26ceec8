"""The answers of a study as a page: text, Markdown, or a record for JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from solitaire_lab.paragraphs import paragraph
from solitaire_lab.reports.faq.de import answers as de
from solitaire_lab.reports.faq.de import beside as de_beside
from solitaire_lab.reports.faq.en import answers as en
from solitaire_lab.reports.faq.en import beside as en_beside
from solitaire_lab.reports.faq.figures import STATEMENTS
from solitaire_lab.reports.faq.numbers import GameFaq
from solitaire_lab.reports.faq.published import Comparison, comparisons
from solitaire_lab.reports.render import markdown_escaped


@dataclass(frozen=True)
class Wording:
    """A language."""

    question: Callable[[GameFaq, str], str]
    """The question that a statement answers."""
    answer: Callable[[GameFaq, str], str | None]
    """A statement in words; None if it has nothing to say of these numbers."""
    check: Callable[[GameFaq, str], str]
    """What a reader needs to come to the same figures, in one line."""
    beside_title: str
    beside_header: tuple[str, ...]
    beside_row: Callable[[Comparison], tuple[str, ...]]
    """A published figure beside ours, in the columns of the header."""


WORDINGS: dict[str, Wording] = {
    "en": Wording(en.question, en.answer, en.check, en_beside.TITLE, en_beside.HEADER, en_beside.row),
    "de": Wording(de.question, de.answer, de.check, de_beside.TITLE, de_beside.HEADER, de_beside.row),
}
LANGUAGES = tuple(WORDINGS)


@dataclass(frozen=True)
class Statement:
    """A question, its answer, and how to check it."""

    id: str
    """``F1`` to ``F10``, as ``figures.STATEMENTS`` tells them."""
    question: str
    text: str
    check: str


def statements(faq: GameFaq, language: str) -> list[Statement]:
    """All answers that can be given with these numbers; ``language`` is one of ``LANGUAGES``."""
    wording = WORDINGS[language]
    return [
        Statement(name, wording.question(faq, name), text, wording.check(faq, name))
        for name in STATEMENTS
        if (text := wording.answer(faq, name)) is not None
    ]


def render_faq(faqs: Sequence[GameFaq], *, language: str, style: str) -> str:
    """The page as text that ends in a newline; ``style`` is one of ``FORMATS``."""
    return _RENDERERS[style](faqs, language)


def faq_record(faq: GameFaq, language: str) -> dict[str, Any]:
    """A game's numbers, answers and published figures as they stand in JSON."""
    return {
        **faq.record(),
        "language": language,
        "statements": [
            {"id": said.id, "question": said.question, "text": said.text, "check": said.check}
            for said in statements(faq, language)
        ],
        "published": [comparison.record() for comparison in comparisons(faq)],
    }


def _text(faqs: Sequence[GameFaq], language: str) -> str:
    lines: list[str] = []
    for faq in faqs:
        title = _heading(faq)
        lines += [title, "=" * len(title), ""]
        for said in statements(faq, language):
            lines += [f"{said.id}  {said.question}", *paragraph(said.text, indent=5), f"     {said.check}", ""]
    wording, rows = WORDINGS[language], _comparison_rows(faqs, language)
    if rows:
        title = wording.beside_title
        lines += [title, "=" * len(title), ""]
        for row in rows:
            facts = zip(wording.beside_header, row, strict=True)
            lines += [line for name, value in facts for line in paragraph(f"{name}: {value}", hang=5)] + [""]
    return "\n".join(lines).rstrip("\n") + "\n"


def _markdown(faqs: Sequence[GameFaq], language: str) -> str:
    lines: list[str] = []
    for faq in faqs:
        lines += [f"## {markdown_escaped(_heading(faq))}", ""]
        for said in statements(faq, language):
            question, text, check = map(markdown_escaped, (said.question, said.text, said.check))
            lines += [f"**{said.id}. {question}** {text}  ", check, ""]
    wording, rows = WORDINGS[language], _comparison_rows(faqs, language)
    if rows:
        lines += [
            f"## {wording.beside_title}",
            "",
            _pipes(wording.beside_header),
            _pipes(["---" for _ in wording.beside_header]),
        ]
        lines += [_pipes(map(markdown_escaped, row)) for row in rows]
    return "\n".join(lines).rstrip("\n") + "\n"


_RENDERERS: dict[str, Callable[[Sequence[GameFaq], str], str]] = {"text": _text, "markdown": _markdown}
FORMATS = tuple(_RENDERERS)


def _heading(faq: GameFaq) -> str:
    """The game, and the label where the study calls the cell otherwise."""
    cell = faq.planned.cell
    label = " ".join(cell.label.split())
    return faq.title if label in (cell.game, faq.title) else f"{faq.title} ({label})"


def _comparison_rows(faqs: Sequence[GameFaq], language: str) -> list[tuple[str, ...]]:
    return [WORDINGS[language].beside_row(found) for faq in faqs for found in comparisons(faq)]


def _pipes(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
