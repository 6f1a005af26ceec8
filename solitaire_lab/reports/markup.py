"""Parts of HTML pages: text, tables and figures that a screen reader can read, and the page around them."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from importlib import resources
from string import Template
from typing import NamedTuple
from xml.etree import ElementTree

_SVG = "{http://www.w3.org/2000/svg}"
_XLINK = "{http://www.w3.org/1999/xlink}"
_DECIMAL = re.compile(r"-?\d+\.\d{3,}")
_REFERENCE = re.compile(r"url\(#([^)]+)\)")

_PAGE = Template(
    """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>$title</title>
<style>
$style</style>
</head>
<body>
<header>
<h1>$title</h1>
$lead
</header>
$contents
<main>
$sections
</main>
</body>
</html>
"""
)


class Section(NamedTuple):
    """A part of a page with a heading."""

    name: str
    """Its place in links."""
    heading: str
    body: str
    """HTML."""


def page(title: str, lead: str, sections: Sequence[Section]) -> str:
    """A whole page that loads nothing and runs nothing.

    Args:
        title: plain text.
        lead: HTML that stands below the title.
    """
    links = "".join(f'<li><a href="#{part.name}">{text(part.heading)}</a></li>' for part in sections)
    parts = [
        f'<section id="{part.name}" aria-labelledby="{part.name}-heading">\n'
        f'<h2 id="{part.name}-heading">{text(part.heading)}</h2>\n{part.body}\n</section>'
        for part in sections
    ]
    return _PAGE.substitute(
        title=text(title),
        style=resources.files("solitaire_lab.reports").joinpath("page.css").read_text(encoding="utf-8"),
        lead=lead,
        contents=f'<nav aria-label="Contents">\n<ul>{links}</ul>\n</nav>' if sections else "",
        sections="\n".join(parts),
    )


def text(value: object) -> str:
    """A text as HTML; signs that HTML can't hold are replaced."""
    return html.escape(_fit(str(value)))


def _fit(plain: str) -> str:
    return "".join(
        "\ufffd" if unicodedata.category(sign) in ("Cc", "Cs") and sign not in "\n\t" else sign for sign in plain
    )


def paragraph(*sentences: str) -> str:
    """Plain text as a paragraph."""
    return f"<p>{text(' '.join(sentences))}</p>"


def notes(sentences: Sequence[str]) -> str:
    """Plain texts as small print, one below the other."""
    return f'<ul class="notes">{"".join(f"<li>{text(sentence)}</li>" for sentence in sentences)}</ul>'


def code(plain: str, *, name: str) -> str:
    """Lines of code or commands; ``name`` tells what they are to those who hear the page."""
    return f'<pre tabindex="0" role="region" aria-label="{text(name)}"><code>{text(plain)}</code></pre>'


def table(
    caption: str, header: Sequence[str], rows: Sequence[Sequence[str]], *, numeric: Collection[str], heads: int = 1
) -> str:
    """A table of plain texts.

    Args:
        numeric: names of the columns that are aligned at the right.
        heads: so many columns at the left name a row. Where the first of them is as in the row above, they are one.
    """
    right = [name in numeric for name in header]
    columns = [f'<th scope="col"{_classes(number=name in numeric)}>{_together(name)}</th>' for name in header]
    lines = [
        f'<div class="table" tabindex="0" role="region" aria-label="{text(caption)}">',
        f"<table>\n<caption>{text(caption)}</caption>",
        f"<thead><tr>{''.join(columns)}</tr></thead>\n<tbody>",
    ]
    for number, row in enumerate(rows):
        cells = []
        for column, (value, at_right) in enumerate(zip(row, right, strict=True)):
            if column == 0 and heads > 1:
                if number and rows[number - 1][0] == value:
                    continue
                span = next((n for n, other in enumerate(rows[number:]) if other[0] != value), len(rows) - number)
                cells.append(f'<th scope="rowgroup" rowspan="{span}">{text(value)}</th>')
            elif column < heads:
                cells.append(f'<th scope="row"{_classes(number=at_right, second=column > 0)}>{text(value)}</th>')
            else:
                cells.append(f"<td{_classes(number=at_right)}>{text(value)}</td>")
        lines.append(f"<tr>{''.join(cells)}</tr>")
    return "\n".join([*lines, "</tbody>\n</table>\n</div>"])


def _together(name: str) -> str:
    """The name of a column, in which a line doesn't begin with a percent sign."""
    return text(name).replace(" %", "&nbsp;%")


def _classes(**wanted: bool) -> str:
    names = [name for name, is_wanted in wanted.items() if is_wanted]
    return f' class="{" ".join(names)}"' if names else ""


def inline_svg(image: bytes, *, name: str, description: str, colours: Mapping[str, str]) -> str:
    """An SVG file as an element of a page.

    Args:
        image: as matplotlib writes it.
        name: begins all ids in it, so that they are unique on the page.
        description: what it shows, for those who don't see it.
        colours: names of CSS variables by the colour that each stands for.
    """
    root = ElementTree.fromstring(image)
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag in (f"{_SVG}metadata", f"{_SVG}style"):
                parent.remove(child)
    for element in root.iter():
        # In HTML, elements of an SVG have no namespace.
        element.tag = element.tag.removeprefix(_SVG)
        element.attrib = {
            key.removeprefix(_XLINK): _inline_value(key, value, name, colours) for key, value in element.attrib.items()
        }
        # As an attribute, a colour can't be a variable.
        if "fill" in element.attrib:
            element.attrib["style"] = f"fill: {element.attrib.pop('fill')}"
    for key in ("width", "height", "version"):
        del root.attrib[key]
    root.attrib |= {"role": "img", "aria-label": _fit(description)}
    for child in root:
        # Browsers read the labels of axes out even so.
        child.attrib["aria-hidden"] = "true"
    return ElementTree.tostring(root, encoding="unicode")


def _inline_value(key: str, value: str, name: str, colours: Mapping[str, str]) -> str:
    if key == "id":
        return f"{name}-{value}"
    if key == f"{_XLINK}href":
        return f"#{name}-{value.removeprefix('#')}"
    if key in ("style", "fill", "clip-path"):
        value = _REFERENCE.sub(rf"url(#{name}-\1)", value)
        for colour, variable in colours.items():
            value = value.replace(colour, f"var(--{variable})")
        return value
    return _DECIMAL.sub(lambda number: f"{float(number[0]):.2f}", value)
