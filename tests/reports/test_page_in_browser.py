"""Pages in a real browser: on a phone, on a desk, in the dark, on paper, and heard.

A page is looked at with scripts switched off unless it is one that plays.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from cli.lab import lab

from solitaire_lab.reports.page import report
from solitaire_lab.results.rows import SeedRange
from tests.browser import Browser, browser
from tests.reports.studies import left_open, lost, part, won, write_study

pytestmark = pytest.mark.browser

PHONE, SMALL_PHONE, TABLET, DESK = 390, 320, 768, 1280
PAPER = 703
"""The width of an A4 page between the margins, in CSS pixels."""
LONG = "a-label-without-any-place-to-break-" * 4
NASTY = "<script>document.title = 'run'</script><img src=x onerror=\"document.title='run'\">"
DARK = {"prefers-color-scheme": "dark"}

ROWS = [
    *(won(seed, seed * seed, 20 + seed % 40) for seed in range(1, 101)),
    *(lost(seed, seed % 7) for seed in range(101, 160)),
    *(left_open(seed, 20_000) for seed in range(160, 181)),
]


@pytest.fixture(scope="module")
def tab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browser(tmp_path_factory.mktemp("browser")) as tab:
        yield tab


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of a study with five cells, one of them unfinished, with labels that are hard to set."""
    folder = tmp_path_factory.mktemp("report")
    budgets = {"deal": 2_000, "run": 20_000}
    store = write_study(
        folder / "study",
        part(ROWS, budgets=budgets),
        part(ROWS, label=LONG, settings={"stock.redeals": 0, "tableau.wrap": "off", "spaces.after": "waste"}),
        part(ROWS, label=NASTY, settings={"stock.redeals": "unlimited"}, budgets=budgets),
        part([won(seed, seed % 9, 20) for seed in range(1, 1_000)], game="fan", seeds=SeedRange(1, 1_500)),
        part(ROWS, game="yukon"),
        name=f"study {NASTY}",
    )
    path = folder / "page.html"
    path.write_text(report(store), encoding="utf-8")
    return path


def overflow(tab: Browser) -> int:
    """By how many pixels the page is wider than its window."""
    width: int = tab.value("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return width


@pytest.mark.parametrize("width", [SMALL_PHONE, PHONE, TABLET, DESK])
def test_a_report_fits_the_window(tab: Browser, page: Path, width: int) -> None:
    tab.open(page, width=width, scripts=False)
    assert tab.value("window.innerWidth") == width
    assert overflow(tab) == 0
    # Nothing sticks out but what lies in a part that can be scrolled.
    sticking_out = """[...document.querySelectorAll("main *, header *, nav *")]
        .filter((element) => !element.closest(".table, pre, svg"))
        .filter((element) => element.getBoundingClientRect().right > window.innerWidth + 1)
        .map((element) => element.outerHTML.slice(0, 80))"""
    assert tab.value(sticking_out) == []


@pytest.mark.parametrize("scripts", [True, False])
def test_a_report_loads_and_runs_nothing(tab: Browser, page: Path, scripts: bool) -> None:
    tab.open(page, width=PHONE, scripts=scripts)
    assert tab.requests() == []
    assert tab.complaints() == []
    assert tab.value("document.title").startswith("study <script>")


@pytest.mark.parametrize("width", [PHONE, DESK])
def test_figures_are_there_and_legible(tab: Browser, page: Path, width: int) -> None:
    tab.open(page, width=width, scripts=False)
    boxes = tab.value(
        """[...document.querySelectorAll("figure svg")].map((svg) => {
            const box = svg.getBoundingClientRect();
            const drawn = [...svg.querySelectorAll("path")].map((path) => path.getBoundingClientRect().width);
            const texts = [...svg.querySelectorAll("text")].map((text) => text.getBoundingClientRect());
            return {
                width: box.width, height: box.height, drawn: Math.max(...drawn),
                smallest: Math.min(...texts.map((text) => text.height)),
                inside: texts.every((text) => text.left > box.left - 1 && text.right < box.right + 1
                    && text.top > box.top - 1 && text.bottom < box.bottom + 1),
            };
        })"""
    )
    assert len(boxes) == 5 * 4
    for box in boxes:
        assert 250 < box["width"] <= width
        assert box["height"] > 30
        assert box["drawn"] > 200
        # The height of a line; its letters are about 85 % of it.
        assert box["smallest"] > 10
        assert box["inside"]


def luminance(colour: str) -> float:
    """Relative luminance, as WCAG 2 defines it, of ``rgb(…)``."""
    parts = [int(part) / 255 for part in colour.removeprefix("rgb(").removesuffix(")").split(",")]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours, as WCAG 2 defines it."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("dark", [False, True])
def test_colours_have_contrast_in_the_light_and_in_the_dark(tab: Browser, page: Path, dark: bool) -> None:
    tab.open(page, width=DESK, scripts=False, media=DARK if dark else {})
    paper = tab.value("getComputedStyle(document.documentElement).backgroundColor")
    assert (luminance(paper) < 0.1) == dark
    for selector in ("body", "td", "th", ".lead", ".notes li", "nav a", "figcaption b", "caption"):
        colour = tab.value(f"getComputedStyle(document.querySelector({selector!r})).color")
        assert contrast(colour, paper) >= 4.5, selector
    drawn = tab.value(
        """[...new Set([...document.querySelectorAll("figure svg :is(path, text)")].filter((element) => {
            const box = element.getBoundingClientRect();
            return box.width * box.height > 0;
        }).map((element) => getComputedStyle(element).fill).filter((fill) => fill.startsWith("rgb")))]"""
    )
    # Text, won and lost; what is undecided has a pattern instead.
    assert len(drawn) == 3
    hatch = tab.value("getComputedStyle(document.querySelector('pattern path')).stroke")
    assert all(contrast(colour, paper) >= 3 for colour in [*drawn, hatch])


def test_a_screen_reader_hears_figures_and_tables(tab: Browser, page: Path) -> None:
    tab.open(page, width=DESK, scripts=False)
    heard = tab.heard()
    images = [name for role, name in heard if role == "image"]
    assert len(images) == 5 * 4
    assert all("deals" in name or "lines of play" in name for name in images)
    assert any(name.startswith("storehouse. Bar of 180 deals: 100 won (55.56 %)") for name in images)
    # What is in a figure isn't read out piece by piece.
    assert "budget in nodes" not in [name for _, name in heard]
    headings = [name for role, name in heard if role == "heading"]
    assert headings[1:] == [
        "Won, lost and undecided",
        "How far a budget goes",
        "Nodes of decided deals",
        "Length of winning lines",
        "Variants side by side",
        "Hardest deals",
        "How to make this again",
    ]
    tables = [name for role, name in heard if role == "table"]
    assert "Won, lost and undecided deals" in tables
    assert len(tables) == len(set(tables)) == tab.value("document.querySelectorAll('table').length")
    assert {"columnheader", "rowheader", "navigation", "main", "banner"} <= {role for role, _ in heard}
    assert "LayoutTable" not in {role for role, _ in heard}


def test_links_lead_to_their_sections(tab: Browser, page: Path) -> None:
    tab.open(page, width=PHONE, scripts=False)
    count = tab.value("document.querySelectorAll('nav a').length")
    assert count == 7
    for number in range(count):
        away = f"""(() => {{
            const link = document.querySelectorAll("nav a")[{number}];
            link.click();
            return document.querySelector(link.hash).querySelector("h2").textContent === link.textContent;
        }})()"""
        assert tab.value(away)


def test_on_paper_all_of_a_table_is_seen(tab: Browser, page: Path) -> None:
    tab.open(page, width=PAPER, scripts=False, media=DARK)
    tab.call("Emulation.setEmulatedMedia", media="print", features=[{"name": "prefers-color-scheme", "value": "dark"}])
    assert overflow(tab) == 0
    assert tab.value("getComputedStyle(document.querySelector('nav')).display") == "none"
    cut_off = """[...document.querySelectorAll(".table")].filter((part) => part.scrollWidth > part.clientWidth)
        .map((part) => part.getAttribute("aria-label"))"""
    assert tab.value(cut_off) == []
    # Paper is white, whatever the screen is.
    assert tab.value("getComputedStyle(document.documentElement).backgroundColor") == "rgb(255, 255, 255)"
    assert tab.pdf().startswith(b"%PDF-")


# --- a page that plays a line -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def line(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, int]:
    """The page of a won deal of Storehouse, and how many moves it has."""
    path = tmp_path_factory.mktemp("line") / "line.html"
    # Deal 990 was won by the search of the published table.
    verdict = lab("solve", "storehouse", "--seed", 990, "--html", path, "--json").json
    assert verdict["outcome"] == "win"
    return path, len(verdict["solution"])


PILES = """Object.fromEntries([...document.querySelectorAll("#board ol")].map((pile) =>
    [pile.getAttribute("aria-label"), pile.querySelectorAll("li").length]))"""


def cards(tab: Browser) -> dict[str, int]:
    """How many cards each pile of the board has, by its name."""
    counts = {}
    for label in tab.value(PILES):
        name, _, count = label.rpartition(", ")
        counts[name] = 0 if count == "empty" else int(count.split()[0])
    return counts


@pytest.mark.parametrize("width", [PHONE, DESK])
def test_a_line_can_be_stepped_through_to_the_won_board(tab: Browser, line: tuple[Path, int], width: int) -> None:
    path, moves = line
    tab.open(path, width=width)
    assert tab.requests() == []
    begin = cards(tab)
    assert sum(begin.values()) == 52
    foundations = [name for name in begin if "oundation" in name]
    assert [begin[name] for name in foundations] == [1] * 4
    for number in range(1, moves + 1):
        tab.value("document.getElementById('forward').click()")
        assert f"Move {number} of {moves}" in tab.value("document.getElementById('status').textContent")
        assert sum(cards(tab).values()) == 52
        assert overflow(tab) == 0
    end = cards(tab)
    assert [end[name] for name in foundations] == [13] * 4
    # Nor does a further step lead anywhere.
    tab.value("document.getElementById('forward').click()")
    assert cards(tab) == end
    assert tab.complaints() == []


def test_keys_go_to_the_end_and_back(tab: Browser, line: tuple[Path, int]) -> None:
    path, moves = line
    tab.open(path, width=DESK)
    begin = tab.value("document.getElementById('board').innerHTML")

    def press(key: str) -> str:
        for kind in ("keyDown", "keyUp"):
            tab.call("Input.dispatchKeyEvent", type=kind, key=key)
        status: str = tab.value("document.getElementById('status').textContent")
        return status

    assert f"Move {moves} of {moves}" in press("End")
    assert f"Move {moves - 1} of {moves}" in press("ArrowLeft")
    press("Home")
    assert tab.value("document.getElementById('board').innerHTML") == begin


def test_without_scripts_the_moves_are_listed(tab: Browser, line: tuple[Path, int]) -> None:
    path, moves = line
    tab.open(path, width=PHONE, scripts=False)
    assert overflow(tab) == 0
    assert tab.value("document.querySelectorAll('#moves li').length") == moves
    assert not tab.value("document.getElementById('controls').checkVisibility()")
    assert tab.value("document.querySelector('noscript pre').checkVisibility()")
