"""Parts of pages, read back by a strict reader."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solitaire_lab.reports.markup import Section, code, inline_svg, notes, page, paragraph, table, text
from tests.reports.html_tree import grid, read_html

NASTY = '</td></script><script>alert("1")</script> & \' \x00\x1b\ud800 \N{WHITE SMILING FACE}'
SHOWN = '</td></script><script>alert("1")</script> & \' \ufffd\ufffd\ufffd \N{WHITE SMILING FACE}'


@given(st.text())
def test_any_text_is_read_back_as_it_is_but_for_what_html_cannot_hold(plain: str) -> None:
    read = read_html(f"<p>{text(plain)}</p>").one("p")
    assert len(read.text) == len(plain)
    assert all(there in (sign, "\ufffd") for there, sign in zip(read.text, plain, strict=True))
    text(plain).encode()


@pytest.mark.parametrize("part", [paragraph(NASTY), notes([NASTY]), code(NASTY, name=NASTY)])
def test_text_never_becomes_an_element(part: str) -> None:
    tree = read_html(part)
    assert {element.tag for element in tree.all()} <= {"p", "ul", "li", "pre", "code"}
    assert tree.text == SHOWN


def test_a_table_has_a_caption_and_names_for_rows_and_columns() -> None:
    rows = [["a", "x", "1"], ["a", "y", "2"], ["b", "x", NASTY]]
    tree = read_html(table("Some & numbers", ["label", "kind", "n"], rows, numeric={"n"}, heads=2))
    assert tree.one("caption").text == "Some & numbers"
    assert [cell["scope"] for cell in tree.one("thead").all("th")] == ["col"] * 3
    heads = [(cell.text, cell["scope"], cell.attributes.get("rowspan")) for cell in tree.one("tbody").all("th")]
    assert heads == [
        ("a", "rowgroup", "2"),
        ("x", "row", None),
        ("y", "row", None),
        ("b", "rowgroup", "1"),
        ("x", "row", None),
    ]
    assert grid(tree.one("table")) == [["label", "kind", "n"], *rows[:2], ["b", "x", SHOWN]]
    (region,) = [element for element in tree.all("div") if element.attributes.get("role") == "region"]
    # Whoever has no pointer must be able to scroll it, and to know what it is.
    assert (region["tabindex"], region["aria-label"]) == ("0", "Some & numbers")


def test_rows_of_one_name_are_joined_only_where_they_follow_each_other() -> None:
    rows = [["a", "1"], ["b", "1"], ["a", "2"]]
    tree = read_html(table("t", ["label", "n"], rows, numeric=(), heads=2))
    assert grid(tree.one("table"))[1:] == rows
    assert [cell["rowspan"] for cell in tree.all("th") if cell.attributes.get("scope") == "rowgroup"] == ["1"] * 3


SVG = b"""<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<svg xmlns:xlink="http://www.w3.org/1999/xlink" width="9pt" height="5pt" viewBox="0 0 9 5"
 xmlns="http://www.w3.org/2000/svg" version="1.1">
 <metadata><secret/></metadata>
 <defs><style type="text/css">*{color: red}</style><clipPath id="c"><rect x="0.123456"/></clipPath></defs>
 <path id="m" d="M 1.23456 -2.98765 L 3 4.5" style="fill: #0072b2; stroke: url(#h)" clip-path="url(#c)"/>
 <use xlink:href="#m"/><pattern id="h"><rect fill="#e3e6ea"/></pattern>
</svg>"""


def test_an_svg_in_a_page_has_ids_of_its_own_and_colours_of_the_page() -> None:
    colours = {"#0072b2": "win", "#e3e6ea": "open"}
    tree = read_html(inline_svg(SVG, name="f1", description='A "line" & more', colours=colours))
    svg = tree.one("svg")
    assert (svg["role"], svg["aria-label"], svg["viewbox"]) == ("img", 'A "line" & more', "0 0 9 5")
    assert {"width", "height", "version"}.isdisjoint(svg.attributes)
    assert {child["aria-hidden"] for child in svg.children} == {"true"}
    assert {element.tag for element in svg.all()} == {"defs", "clippath", "rect", "path", "use", "pattern"}
    assert {element["id"] for element in svg.all() if "id" in element.attributes} == {"f1-c", "f1-m", "f1-h"}
    path = svg.one("path")
    assert path["style"] == "fill: var(--win); stroke: url(#f1-h)"
    assert path["clip-path"] == "url(#f1-c)"
    assert path["d"] == "M 1.23 -2.99 L 3 4.5"
    assert svg.one("use")["href"] == "#f1-m"
    assert [element.attributes.get("style") for element in svg.all("rect")] == [None, "fill: var(--open)"]


def test_a_page_has_a_title_and_a_link_to_each_section() -> None:
    sections = [Section("one", "First <1>", "<p>a</p>"), Section("two", "Second", "<p>$b</p>")]
    tree = read_html(page("Title & more", "<p>lead</p>", sections))
    assert tree.one("html")["lang"] == "en"
    assert tree.one("title").text == tree.one("h1").text == "Title & more"
    assert [(link["href"], link.text) for link in tree.one("nav").all("a")] == [
        ("#one", "First <1>"),
        ("#two", "Second"),
    ]
    assert [section["id"] for section in tree.all("section")] == ["one", "two"]
    assert [heading.text for heading in tree.all("h2")] == ["First <1>", "Second"]


def test_a_page_may_load_and_run_nothing() -> None:
    tree = read_html(page("Title", "", []))
    (policy,) = [meta for meta in tree.all("meta") if "http-equiv" in meta.attributes]
    assert policy["http-equiv"] == "Content-Security-Policy"
    assert policy["content"] == "default-src 'none'; style-src 'unsafe-inline'"
    assert not list(tree.all("script", "link", "img"))
    assert "@import" not in tree.one("style").text
    assert "url(" not in tree.one("style").text
