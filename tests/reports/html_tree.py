"""HTML as a tree, read strictly: every element is closed, in order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

_VOID = {"br", "hr", "img", "input", "link", "meta"}


@dataclass
class Element:
    """An element with what is in it."""

    tag: str
    attributes: dict[str, str]
    children: list[Element] = field(default_factory=list)
    text: str = ""
    """All text in it, that of its children among it."""

    def __getitem__(self, name: str) -> str:
        return self.attributes[name]

    def all(self, *tags: str) -> Iterator[Element]:
        """All elements below it with one of these tags, or with any, in order."""
        for child in self.children:
            if not tags or child.tag in tags:
                yield child
            yield from child.all(*tags)

    def one(self, tag: str) -> Element:
        """The only element below it with this tag."""
        (found,) = self.all(tag)
        return found


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open = [Element("", {})]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(set(names)) == len(names), f"<{tag}> has an attribute twice"
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.open[-1].children.append(element)
        if tag not in _VOID:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in _VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop().tag == tag, f"</{tag}> closes another element"

    def handle_data(self, data: str) -> None:
        for element in self.open:
            element.text += data


def read_html(text: str) -> Element:
    """The tree of a page or a part of one."""
    reader = _Reader()
    reader.feed(text)
    reader.close()
    (root,) = reader.open
    return root


def grid(table: Element) -> list[list[str]]:
    """The texts of a table, row by row, a cell that spans rows in each of them; all spaces are plain ones."""
    rows: list[list[str]] = []
    spanning: dict[int, tuple[int, str]] = {}
    for line in table.all("tr"):
        row: list[str] = []
        cells = [child for child in line.children if child.tag in ("td", "th")]
        while cells or len(row) in spanning:
            if len(row) in spanning:
                left, text = spanning.pop(len(row))
            else:
                cell = cells.pop(0)
                left, text = int(cell.attributes.get("rowspan", "1")), cell.text
            if left > 1:
                spanning[len(row)] = (left - 1, text)
            row.append(text.replace("\xa0", " "))
        rows.append(row)
    assert not spanning, "no cell spans more rows than there are"
    return rows
