"""Rendered tables: each format is parsed again, with a label that no format likes."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solitaire_lab.reports.render import FORMATS, render
from solitaire_lab.reports.tables import Counts, TableRow
from solitaire_lab.results.rows import SeedRange
from tests.results.samples import a_cell, planned

NASTY = 'a|b & c_d <e> "f", 50% #1 $x {y} ~z ^w \\v `u` *t*\nnext'
ON_ONE_LINE = NASTY.replace("\n", " ")

FIRST = TableRow(
    study="faq",
    planned=planned(1, 1_000_000),
    budget=20_000,
    budget_name="hint",
    seeds=SeedRange(1, 1_000_000),
    counts=Counts(win=438_117, loss=561_800, nodes=83),
)
SECOND = TableRow(
    study="faq",
    planned=planned(1, 2_000, cell=a_cell(label=NASTY, overrides={"stock.redeals": 0, "spaces.after": "waste"})),
    budget=20_000,
    budget_name="hint",
    seeds=SeedRange(1, 1_999),
    counts=Counts(win=3, loss=1_900, nodes=90, memory=5, crashed=1),
)


class Page(HTMLParser):
    """The cells of an HTML table, and its caption."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.caption = ""
        self.open: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == [], "every element is closed"

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag == "br":
            return
        self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in ("td", "th"):
            self.rows[-1][-1] += data
        if self.open and self.open[-1] == "caption":
            self.caption += data


def cells_of(style: str, text: str) -> list[list[str]]:
    """Header and body of a table for people, as its readers see them."""
    if style == "html":
        return Page(text).rows
    if style == "markdown":
        lines = [line for line in text.splitlines() if line.startswith("|")]
        split = [re.split(r"(?<!\\)\|", line)[1:-1] for line in lines]
        assert all(set(mark.strip()) <= {"-", ":"} for mark in split[1])
        return [[unescaped_markdown(cell.strip()) for cell in line] for line in (split[0], *split[2:])]
    if style == "latex":
        lines = text.splitlines()
        body = [line for line in lines if line.endswith(r" \\")]
        return [[unescaped_latex(cell) for cell in re.split(r" (?<!\\)& ", line[:-3])] for line in body]
    lines = text.split("\n\n")[0].splitlines()
    spans = [match.span() for match in re.finditer("-+", lines[1])]
    return [[line[begin:end].strip() for begin, end in spans] for line in (lines[0], *lines[2:])]


def unescaped_markdown(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text).replace("&lt;", "<").replace("&amp;", "&")


def unescaped_latex(text: str) -> str:
    commands = {"textbackslash": "\\", "textasciitilde": "~", "textasciicircum": "^"}
    commands |= {"textless": "<", "textgreater": ">", "textbar": "|"}
    assert not re.search(r"(?<!\\)[&%$#_]|[~^<>|]", text), "every special character is escaped"
    text = re.sub(r"\\(\w+)\{\}", lambda match: commands[match[1]], text)
    return re.sub(r"\\([&%$#_{}])", r"\1", text)


PEOPLES = ("text", "markdown", "latex", "html")


@pytest.mark.parametrize("style", PEOPLES)
def test_tables_for_people_say_the_same_in_every_format(style: str) -> None:
    header, first, second = cells_of(style, render([FIRST, SECOND], style))
    assert header == [
        "game", "label", "rules", "seeds", "deals", "win", "loss", "undecided", "win %", "95 % interval", "cell"
    ]  # fmt: skip
    assert first[:8] == [
        "storehouse", "storehouse", "the game's own", "1:1000000", "1,000,000", "438,117", "561,800", "83"
    ]  # fmt: skip
    # The counts of the published run of a million deals, 438,117 won, with 83 of the others taken for undecided.
    assert first[8:10] == ["43.81", "43.71 to 43.92"]
    assert second[1] == ON_ONE_LINE
    assert second[2] == "stock.redeals = 0, spaces.after = waste"
    assert second[7] == "96 (90 nodes, 5 memory, 1 crashed)"


@pytest.mark.parametrize("style", PEOPLES)
def test_tables_for_people_say_what_their_numbers_depend_on(style: str) -> None:
    text = render([FIRST, SECOND], style)
    if style == "html":
        text = Page(text).caption
    for fact in (
        "All cards are known to the solver",
        "Wilson",
        "low end counts undecided deals as losses",
        "high end as wins",
        "numbering: lab",
        "budget: 20,000 nodes (hint)",
        "solver: revision 1",
        "memory: 256 MiB",
        "is planned for seeds 1:2000; counted are whole blocks in seed order, so far 1:1999",
    ):
        assert fact in text


def test_what_differs_between_rows_is_a_column_and_what_they_share_is_a_note() -> None:
    other = replace(FIRST, budget=2_000, budget_name=None, planned=planned(1, 9, cell=a_cell(numbering="pysol")))
    text = render([FIRST, other], "text")
    header, first, second = cells_of("text", text)
    assert "numbering" in header
    assert "budget" in header
    assert (first[header.index("budget")], second[header.index("budget")]) == ("20,000 nodes (hint)", "2,000 nodes")
    assert "rules: the game's own" in text
    assert "numbering:" not in text


def test_a_row_without_deals_claims_nothing() -> None:
    empty = replace(FIRST, seeds=None, counts=Counts())
    header, row = cells_of("text", render([empty], "text"))
    assert row[header.index("win %")] == "?"
    assert row[header.index("95 % interval")] == "0.00 to 100.00"
    assert "so far none" in render([empty], "text")


def test_why_a_part_of_a_block_is_not_counted_is_told() -> None:
    unfinished = replace(SECOND, seeds=None, counts=Counts())
    assert "counted are whole blocks of 1,000 seeds in seed order, so far none (what is" in render([unfinished], "text")
    asked = replace(SECOND, seeds=SeedRange(1, 5), counts=Counts(win=5), of_run=True)
    assert "is planned for seeds 1:2000; counted are the deals asked for now, 1:5." in render([asked], "text")


@given(st.integers(0, 10**9), st.integers(0, 10**9), st.integers(0, 10**6))
def test_the_printed_interval_is_never_narrower_and_has_two_figures(win: int, loss: int, undecided: int) -> None:
    row = replace(FIRST, counts=Counts(win=win, loss=loss, nodes=undecided))
    header, cells = cells_of("text", render([row], "text"))
    low, high = (float(text) / 100 for text in cells[header.index("95 % interval")].split(" to "))
    assert low <= row.interval.low + 1e-15
    assert high >= row.interval.high - 1e-15
    units = (high - low) * 100 * 10 ** len(cells[header.index("win %")].partition(".")[2] or "00")
    assert units >= 9.99 or math.isclose(high, 1)


def test_json_rows_are_objects_with_the_promised_keys() -> None:
    first, second = json.loads(render([FIRST, SECOND], "json"))
    for row in (first, second):
        assert row.keys() >= {"game", "label", "deals", "win", "loss", "undecided", "low", "high", "budget"}
    assert second["label"] == NASTY
    assert second["set"] == {"stock.redeals": 0, "spaces.after": "waste"}
    assert (first["deals"], first["win"], first["loss"], first["undecided"]) == (1_000_000, 438_117, 561_800, 83)
    assert 0.437 < first["low"] < first["win"] / first["deals"] < first["high"] < 0.440
    assert first["information"] == "all cards are known to the solver"


def test_csv_says_what_json_says() -> None:
    text = render([FIRST, SECOND], "csv")
    expected = json.loads(render([FIRST, SECOND], "json"))
    for row, record in zip(csv.DictReader(io.StringIO(text, newline="")), expected, strict=True):
        assert row["label"] == record["label"]
        assert json.loads(row["set"]) == record["set"]
        assert json.loads(row["complete"]) == record["complete"]
        for key in ("deals", "win", "loss", "undecided", "low", "high", "budget", "memory", "solver"):
            assert float(row[key]) == record[key]
        assert row["information"] == record["information"]


@pytest.mark.parametrize("style", FORMATS)
def test_every_format_ends_in_one_newline(style: str) -> None:
    text = render([FIRST, SECOND], style)
    assert text.endswith("\n")
    assert not text.endswith("\n\n")


def test_latex_groups_are_balanced() -> None:
    text = re.sub(r"\\[{}]", "", render([FIRST, SECOND], "latex"))
    depth = 0
    for mark in re.findall("[{}]", text):
        depth += 1 if mark == "{" else -1
        assert depth >= 0
    assert depth == 0
    assert re.findall(r"\\(begin|end)\{(\w+)\}", text) == [
        ("begin", "table"), ("begin", "tabular"), ("end", "tabular"), ("end", "table")
    ]  # fmt: skip
