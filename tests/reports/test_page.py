"""Reports: true numbers, sound HTML and something true to say about every odd study."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from solitaire_lab import __version__
from solitaire_lab.errors import InputError
from solitaire_lab.reports.page import report
from solitaire_lab.results.manifest import Manifest
from solitaire_lab.results.rows import SeedRange
from solitaire_lab.results.store import Store
from tests.reports.html_tree import Element, grid, read_html
from tests.reports.studies import TEN, Part, left_open, lost, part, won, write_study

NASTY = "<script>alert(1)</script> \"q\" & 'a' </td> ]]> --> $x \x00"

STUDIES: dict[str, Callable[[], list[Part]]] = {
    "no cells": list,
    "not begun": lambda: [part([], seeds=SeedRange(1, 9))],
    "unfinished": lambda: [
        part([lost(seed, 1) for seed in range(1, 1_200)], seeds=SeedRange(1, 1_500)),
        part(TEN, game="fan"),
    ],
    "one win": lambda: [part([won(1, 0, 7)])],
    "one loss": lambda: [part([lost(1, 0)])],
    "one open": lambda: [part([left_open(1, 100)])],
    "all wins": lambda: [part([won(seed, seed, 9) for seed in range(1, 30)])],
    "all losses": lambda: [part([lost(seed, seed) for seed in range(1, 30)])],
    "all open": lambda: [part([left_open(seed, 100) for seed in range(1, 30)])],
    "nasty label": lambda: [part(TEN, label=NASTY), part(TEN, label=f"{NASTY}2", settings={"stock.redeals": 0})],
    "25 cells": lambda: [part(TEN, label=f"cell {n}", settings={"tableau.columns": 4 + n % 5}) for n in range(25)],
    "different seeds and budgets": lambda: [
        part(TEN, label="small", budgets={"deal": 2, "run": 100}),
        part([won(2**64 - 1, 2**62, 300)], label="last", budgets={"run": 2**63 - 1}, settings={"stock.redeals": 0}),
        part([lost(5, 1), won(6, 1, 3)], label="one node", budgets={"run": 1}, settings={"stock.redeals": 1}),
        part([won(seed, 9, 12) for seed in range(900, 1_101)], game="freecell", numbering="microsoft"),
    ],
}  # fmt: skip


def page_of(folder: Path, *parts: Part, name: str = "study") -> Element:
    return read_html(report(write_study(folder, *parts, name=name)))


def section(page: Element, name: str) -> Element:
    (found,) = [part for part in page.all("section") if part["id"] == name]
    return found


def table(page: Element, caption: str) -> list[dict[str, str]]:
    """A table of the page as a dictionary a row."""
    (found,) = [element for element in page.all("table") if element.one("caption").text == caption]
    header, *body = grid(found)
    return [dict(zip(header, row, strict=True)) for row in body]


@pytest.fixture
def ten(tmp_path: Path) -> Element:
    return page_of(tmp_path, part(TEN, budgets={"deal": 2, "run": 100}))


# --- what every page is -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", STUDIES)
def test_every_page_is_sound(name: str, tmp_path: Path) -> None:
    parts = STUDIES[name]()
    if parts:
        store = write_study(tmp_path, *parts)
    else:
        store = Store(tmp_path)
        store.write_manifest(Manifest("study", ()))
    text = report(store)
    page = read_html(text)
    ids = [element["id"] for element in page.all() if "id" in element.attributes]
    assert len(ids) == len(set(ids))
    # Nothing is loaded or run: no script, and what is referred to is in the page.
    loading = page.all("script", "link", "img", "iframe", "object", "embed", "style")
    assert [element.tag for element in loading] == ["style"]
    for element in page.all():
        assert not {"src", "srcset", "data", "action", "background", "xlink:href"} & element.attributes.keys()
        assert not [key for key in element.attributes if key.startswith("on")]
        references = re.findall(r"url\(([^)]*)\)", " ".join(element.attributes.values()))
        references += [element["href"]] if "href" in element.attributes else []
        assert {reference.removeprefix("#") for reference in references} <= set(ids)
        assert all(reference.startswith("#") for reference in references)
    assert "http:" not in text
    assert "https:" not in text
    # A screen reader finds headings in order, captions, and names of rows and columns.
    assert [heading.tag for heading in page.all("h1", "h2", "h3")] == ["h1"] + ["h2"] * (len(list(page.all("section"))))
    for found in page.all("table"):
        assert found.one("caption").text
        header, *body = grid(found)
        assert body
        assert all(len(row) == len(header) for row in body)
        assert {cell["scope"] for cell in found.one("thead").all("th")} == {"col"}
        assert all(cell["scope"] in ("row", "rowgroup") for cell in found.one("tbody").all("th"))
    for figure in page.all("figure"):
        assert figure.one("figcaption").text.strip()
        drawings = list(figure.all("svg"))
        if drawings:
            (drawing,) = drawings
            assert drawing["role"] == "img"
            assert len(drawing["aria-label"]) > 40
        else:
            assert figure.one("p").text.startswith("No deal is ")
    for drawing in page.all("svg"):
        assert drawing.attributes.get("role") == "img" or drawing.attributes.get("aria-hidden") == "true"


@pytest.mark.parametrize("name", ["unfinished", "different seeds and budgets"])
def test_every_cell_has_a_figure_of_each_kind(name: str, tmp_path: Path) -> None:
    parts = STUDIES[name]()
    page = page_of(tmp_path, *parts)
    for kind in ("results", "budgets", "nodes", "length"):
        assert len(list(section(page, kind).all("figure"))) == len(parts)


def test_the_same_results_give_the_same_page(tmp_path: Path) -> None:
    parts = [part(TEN), part(TEN, label="one pass", settings={"stock.redeals": 0})]
    one, other = (write_study(tmp_path / name, *parts) for name in ("one", "other"))
    assert report(one) == report(other)


def test_a_folder_without_results_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is no folder"):
        report(Store(tmp_path / "none"))


def test_without_matplotlib_a_sentence_tells_how_to_get_it(tmp_path: Path) -> None:
    script = (
        "import sys\n"
        "sys.modules['matplotlib'] = None\n"
        "from solitaire_lab.errors import InputError\n"
        "try:\n"
        "    import solitaire_lab.reports.page\n"
        "except InputError as error:\n"
        "    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert "pip install 'solitaire-lab[plot]'" in done.stdout


# --- numbers ----------------------------------------------------------------------------------------------------


def test_the_table_has_the_counts_and_what_they_depend_on(ten: Element) -> None:
    (row,) = table(ten, "Won, lost and undecided deals")
    assert {key: row[key] for key in ("label", "win %", "95 % interval", "deals", "win", "loss", "undecided")} == {
        "label": "storehouse",
        # Wilson's interval of 4 and of 7 among 10, worked out by hand with z = 1.96.
        "win %": "40.00",
        "95 % interval": "16.81 to 89.23",
        "deals": "10",
        "win": "4",
        "loss": "3",
        "undecided": "3 (1 nodes, 1 memory, 1 crashed)",
    }
    text = section(ten, "results").text
    for fact in ("numbering: lab", "seeds: 1:10", "100 nodes (run)", "256 MiB", "thoughtful", "Wilson", __version__):
        assert fact in text


def test_budgets_are_tabled_by_powers_of_ten_and_by_name(ten: Element) -> None:
    (row,) = table(ten, "Decided deals under smaller budgets, in percent")
    assert row == {"label": "storehouse", "1 node": "30.00", "10 nodes": "60.00", "100 nodes": "70.00"}
    deal, run = table(ten, "The budgets of the study")
    assert (deal["label"], deal["budget"], deal["win"], deal["loss"]) == ("storehouse", "2 nodes (deal)", "2", "2")
    assert (run["budget"], run["win"], run["loss"]) == ("100 nodes (run)", "4", "3")


def test_a_budget_that_a_cell_was_not_run_with_is_said_so(tmp_path: Path) -> None:
    page = page_of(tmp_path, *STUDIES["different seeds and budgets"]())
    rows = {row["label"]: row for row in table(page, "Decided deals under smaller budgets, in percent")}
    assert rows["one node"]["1 node"] == "100.00"
    assert set(list(rows["one node"].values())[2:]) == {"not run"}
    assert "not run" not in rows["last"].values()


def test_nodes_and_lengths_are_tabled(ten: Element) -> None:
    won_row, lost_row = table(ten, "Nodes of decided deals")
    assert (won_row["verdict"], lost_row["verdict"]) == ("won", "lost")
    names = ("deals", "mean", "least", "median", "90 %", "99 %", "most")
    assert [won_row[name] for name in names] == ["4", "26.8", "1", "2", "100", "100", "100"]
    assert [lost_row[name] for name in names] == ["3", "1.3", "0", "1", "3", "3", "3"]
    (lengths,) = table(ten, "Moves of winning lines of play")
    assert [lengths[name] for name in names] == ["4", "41.5", "30", "40", "55", "55", "55"]


def test_the_hardest_deals_have_seed_nodes_and_length(ten: Element) -> None:
    rows = table(ten, "Decided deals that took the most nodes")
    assert [(row["label"], row["seed"], row["verdict"], row["nodes"], row["moves"]) for row in rows] == [
        ("storehouse", "7", "won", "100", "55"),
        ("storehouse", "6", "won", "4", "41"),
        ("storehouse", "5", "lost", "3", ""),
        ("storehouse", "4", "won", "2", "40"),
        ("storehouse", "2", "lost", "1", ""),
    ]
    (undecided,) = table(ten, "Undecided deals")
    assert undecided == {"label": "storehouse", "deals": "3", "seeds": "8, 9, 10"}


def test_variants_stand_side_by_side(tmp_path: Path) -> None:
    other = [won(1, 1, 5), lost(2, 1), lost(3, 1), won(4, 1, 5), lost(5, 1), *(won(seed, 3, 5) for seed in (6, 7, 8))]
    page = page_of(
        tmp_path,
        part(TEN, label="three passes"),
        part(other, label="more", settings={"stock.redeals": "unlimited"}),
        part(TEN, label="five columns", settings={"tableau.columns": 5}),
        part(TEN, game="fan"),
    )
    first, more, columns = table(page, "storehouse: beside three passes")
    assert first["differs by"] == "the first"
    assert more["differs by"] == "stock.redeals = unlimited"
    counts = (
        "same deals",
        "won in both",
        "won only here",
        "won only in the first",
        "lost in both",
        "undecided in either",
    )
    # Deals 4, 6 and 7 are won in both, 1 only here, 3 only there, 2 and 5 lost in both, and 8 is open there.
    assert [more[name] for name in counts] == ["8", "3", "1", "1", "2", "1"]
    assert columns["same deals"] == "other deals"
    assert more["win %"] == "62.50"
    # Unlimited passes lose deal 3, which three win: only rows made up can do that.
    assert "1 contradiction:" in section(page, "variants").text


def test_a_study_of_one_game_each_has_no_variants(tmp_path: Path) -> None:
    page = page_of(tmp_path, part(TEN), part(TEN, game="fan"))
    assert "variants" not in [found["id"] for found in page.all("section")]


def test_how_to_make_it_again_is_told(ten: Element) -> None:
    text = section(ten, "reproduce").text
    for fact in (
        "solitaire-lab run study.toml --out again",
        'game = "storehouse"',
        'seeds = "1:10"',
        "budgets = { deal = 2, run = 100 }",
        "solitaire-lab solve storehouse --seed 1 --budget 100 --memory 256MiB",
        "pyarrow ",
        f"solitaire-lab {__version__}",
    ):
        assert fact in text
    (cell,) = table(ten, "Cells")
    assert re.fullmatch("[0-9a-f]{64}", cell["id of the cell"])


# --- odd studies ------------------------------------------------------------------------------------------------


def test_a_study_without_cells_says_so(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.write_manifest(Manifest("empty", ()))
    page = read_html(report(store))
    assert "This study has no cells" in page.text
    assert not list(page.all("table", "figure", "nav"))


def test_a_study_that_has_not_begun_says_so(tmp_path: Path) -> None:
    page = page_of(tmp_path, *STUDIES["not begun"]())
    assert "This study is unfinished. Its cell is not complete" in page.text
    (row,) = table(page, "Won, lost and undecided deals")
    assert (row["win %"], row["95 % interval"], row["deals"]) == ("?", "0.00 to 100.00", "0")
    assert {figure.one("p").text for figure in page.all("figure")} == {"No deal is counted yet: no block is whole."}
    # No frame, no table of nothing.
    assert [found.one("caption").text for found in page.all("table")] == ["Won, lost and undecided deals", "Cells"]


def test_an_unfinished_study_counts_whole_blocks(tmp_path: Path) -> None:
    page = page_of(tmp_path, *STUDIES["unfinished"]())
    assert "1 of its 2 cells is not complete" in page.text
    rows = {row["label"]: row for row in table(page, "Won, lost and undecided deals")}
    assert (rows["storehouse"]["deals"], rows["fan"]["deals"]) == ("999", "10")
    assert "storehouse is planned for seeds 1:1500" in page.text


@pytest.mark.parametrize(
    ("name", "share", "absent"),
    [
        ("one win", "100.00", []),
        ("one loss", "0.00", ["No deal is won."]),
        ("one open", "0.00", ["No deal is decided.", "No deal is won."]),
        ("all wins", "100.00", []),
        ("all losses", "0.00", ["No deal is won."]),
        ("all open", "0.00", ["No deal is decided.", "No deal is won."]),
    ],
)
def test_studies_of_one_verdict_have_what_there_is(name: str, share: str, absent: list[str], tmp_path: Path) -> None:
    page = page_of(tmp_path, *STUDIES[name]())
    (row,) = table(page, "Won, lost and undecided deals")
    assert row["win %"] == share
    assert "unfinished" not in page.text.lower()
    assert [part.text for figure in page.all("figure") for part in figure.all("p")] == absent
    captions = [found.one("caption").text for found in page.all("table")]
    assert ("Nodes of decided deals" in captions) == ("No deal is decided." not in absent)
    assert ("Moves of winning lines of play" in captions) == ("No deal is won." not in absent)
    assert ("Undecided deals" in captions) == ("open" in name)


def test_a_label_is_text_wherever_it_stands(tmp_path: Path) -> None:
    page = page_of(tmp_path, *STUDIES["nasty label"](), name=NASTY)
    shown = NASTY.replace("\x00", "\ufffd")
    assert page.one("h1").text.startswith(shown)
    assert not list(page.all("script"))
    assert [figure.one("b").text for figure in section(page, "results").all("figure")] == [shown, f"{shown}2"]
    assert [row["label"] for row in table(page, "Won, lost and undecided deals")] == [shown, f"{shown}2"]
    for drawing in (figure.one("svg") for figure in page.all("figure")):
        assert drawing["aria-label"].startswith(shown)
    # In a study file it is written so that it can be read back.
    assert json.dumps(NASTY) in section(page, "reproduce").text


def test_a_damaged_file_is_not_left_out(tmp_path: Path) -> None:
    cell = part(TEN)
    store = write_study(tmp_path, cell)
    path = store.block_path(cell.planned.cell.id, 0)
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(InputError, match=path.name):
        report(store)
