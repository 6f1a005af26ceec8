"""Figures: what is drawn is what was counted, and the same results give the same bytes."""

from __future__ import annotations

import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import matplotlib
import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle, StepPatch

from solitaire_lab.errors import InputError
from solitaire_lab.reports import charts, plots
from solitaire_lab.reports.charts import KINDS, LOSS, OPEN, WIN
from solitaire_lab.reports.figures import CellDeals, read_cells
from solitaire_lab.results.intervals import headline
from solitaire_lab.results.rows import Row, SeedRange
from tests.reports.studies import TEN, left_open, lost, part, won, write_study

NASTY = '_a $x^2$ & <script>"1"</script> %s {x}\n\x00 \N{PLAYING CARD ACE OF SPADES}'


@pytest.fixture
def ten(tmp_path: Path) -> list[CellDeals]:
    return read_cells(write_study(tmp_path, part(TEN)))


def panels(figure: Figure) -> list[Axes]:
    return [axes for axes in figure.axes if axes.axison]


def texts(figure: Figure) -> list[str]:
    """All text that an SVG of the figure shows."""
    root = ElementTree.fromstring(plots.image(figure, "svg"))
    return ["".join(element.itertext()) for element in root.iter("{http://www.w3.org/2000/svg}text")]


# --- what is drawn ----------------------------------------------------------------------------------------------


def test_a_bar_shows_won_undecided_and_lost_in_this_order(ten: list[CellDeals]) -> None:
    (axes,) = panels(plots.study_figure("bars", ten))
    bars = [patch for patch in axes.patches if isinstance(patch, Rectangle)]
    found = [(round(bar.get_x()), round(bar.get_width()), to_hex(bar.get_facecolor())) for bar in bars]
    assert found == [(0, 40, WIN), (40, 30, OPEN), (70, 30, LOSS)]
    interval = headline(win=4, loss=3, undecided=3)
    ends = {round(float(x), 6) for line in axes.lines for x in np.asarray(line.get_xdata())}
    assert ends == {round(100 * interval.low, 6), round(100 * interval.high, 6)}


def heights_at(areas: PolyCollection, budget: float) -> tuple[float, float]:
    """Where an area begins and ends above a budget."""
    points = areas.get_paths()[0].vertices
    assert isinstance(points, np.ndarray)
    around = [(one, other) for one, other in pairwise(points) if one[1] == other[1]]
    found = [float(one[1]) for one, other in around if min(one[0], other[0]) < budget < max(one[0], other[0])]
    return min(found), max(found)


def test_a_curve_has_the_share_of_every_budget(ten: list[CellDeals]) -> None:
    (axes,) = panels(plots.study_figure("curve", ten))
    won_area, open_area, lost_area = (area for area in axes.collections if isinstance(area, PolyCollection))
    assert axes.get_xscale() == "log"
    for budget, win, loss in ((1.5, 1, 2), (2.5, 2, 2), (3.5, 2, 3), (5.5, 3, 3), (80, 3, 3), (105, 4, 3)):
        assert heights_at(won_area, budget) == pytest.approx((0, 10 * win))
        assert heights_at(open_area, budget) == pytest.approx((10 * win, 100 - 10 * loss))
        assert heights_at(lost_area, budget) == pytest.approx((100 - 10 * loss, 100))


def test_a_curve_ends_at_the_budget_that_was_run(tmp_path: Path) -> None:
    short, long = part([won(1, 1, 5)], budgets={"run": 10}), part([won(1, 1, 5)], label="b", budgets={"run": 10_000})
    figure = plots.study_figure("curve", read_cells(write_study(tmp_path, short, long)))
    ends = []
    for axes in panels(figure):
        points = axes.collections[0].get_paths()[0].vertices
        assert isinstance(points, np.ndarray)
        ends.append(float(points[:, 0].max()))
        assert axes.get_xlim()[1] > 10_000
    assert ends[0] < 12 < 10_000 < ends[1]


def stairs(axes: Axes) -> dict[str, list[tuple[float, float, float]]]:
    """The bars of each colour that are not empty: left end, right end and height."""
    found = {}
    for patch in axes.patches:
        assert isinstance(patch, StepPatch)
        tops, edges, floors = patch.get_data()
        bars = zip(edges, edges[1:], np.asarray(tops) - np.asarray(floors), strict=False)
        colour = to_hex(patch.get_facecolor())
        found[colour] = [(float(a), float(b), round(float(h), 6)) for a, b, h in bars if h > 1e-9]
    return found


def test_nodes_are_drawn_in_percent_of_all_deals(ten: list[CellDeals]) -> None:
    (axes,) = panels(plots.study_figure("nodes", ten))
    assert stairs(axes) == {
        WIN: [(1, 2, 10), (2, 4, 10), (4, 8, 10), (64, 128, 10)],
        LOSS: [(0.5, 1, 10), (1, 2, 10), (2, 4, 10)],
    }
    assert axes.get_xscale() == "log"


def test_lengths_are_drawn_around_whole_numbers(ten: list[CellDeals]) -> None:
    (axes,) = panels(plots.study_figure("length", ten))
    assert stairs(axes) == {WIN: [(29.5, 30.5, 10), (39.5, 40.5, 10), (40.5, 41.5, 10), (54.5, 55.5, 10)]}


def test_the_axis_of_lengths_has_different_whole_numbers(tmp_path: Path) -> None:
    cells = read_cells(write_study(tmp_path, part([won(1, 1, 20)])))
    (axes,) = panels(plots.study_figure("length", cells))
    assert stairs(axes) == {WIN: [(19.5, 20.5, 100)]}
    low, high = axes.get_xlim()
    ticks = [tick for tick in axes.get_xticks() if low <= tick <= high]
    assert 20 in ticks
    assert ticks == sorted({round(tick) for tick in ticks})


@pytest.mark.parametrize("kind", ["nodes", "length"])
def test_cells_of_a_game_have_the_same_scales(kind: str, tmp_path: Path) -> None:
    first, second = [won(1, 5, 10), lost(2, 1)], [won(1, 5, 90)]
    store = write_study(
        tmp_path, part(first), part(second, label="b", settings={"stock.redeals": 0}), part(TEN, game="fan")
    )
    one, other, fan = panels(plots.study_figure(kind, read_cells(store)))
    assert (one.get_xlim(), one.get_ylim()) == (other.get_xlim(), other.get_ylim())
    assert fan.get_ylim() != one.get_ylim()
    for axes in (one, other, fan):
        assert axes.get_ylim()[1] <= 105


@pytest.mark.parametrize("kind", KINDS)
def test_a_figure_says_which_deals_of_which_game_it_shows(kind: str, tmp_path: Path) -> None:
    alone = read_cells(write_study(tmp_path / "alone", part(TEN, label="mine")))
    assert "storehouse; seeds 1:10; lab numbering; 100 nodes a deal" in texts(plots.study_figure(kind, alone))
    games = ("storehouse", "fan", "yukon", "wood")
    parts = (part(TEN, game=game, budgets={"run": 50 if game == "fan" else 100}) for game in games)
    several = read_cells(write_study(tmp_path / "several", *parts))
    said = " ".join(texts(plots.study_figure(kind, several)))
    assert "4 games; seeds 1:10; lab numbering; budgets from 50 to 100 nodes a deal" in said
    none = read_cells(write_study(tmp_path / "none", part([], seeds=SeedRange(1, 9))))
    assert "no seeds yet" in " ".join(texts(plots.study_figure(kind, none)))


def captioned(folder: Path, ranges: Sequence[str | None]) -> str:
    """What a figure says of cells of these seeds; of a cell without, no deal is stored."""
    parts = []
    for number, text in enumerate(ranges):
        seeds = SeedRange(1, 9) if text is None else SeedRange.parse(text)
        rows = [] if text is None else [won(seed, 1, 5) for seed in seeds]
        parts.append(part(rows, label=f"cell {number}", settings={"stock.redeals": number}, seeds=seeds))
    return " ".join(texts(plots.study_figure("bars", read_cells(write_study(folder, *parts)))))


@pytest.mark.parametrize(
    ("ranges", "said"),
    [
        (["1:10", "1:10"], "; seeds 1:10; "),
        (["1:10", "1:3"], "; 3 to 10 deals a cell within seeds 1:10; "),
        (["1:1200", "3:20", "3:3"], "; 1 to 1,200 deals a cell within seeds 1:1200; "),
        (["1:10", "11:20"], "; 10 deals a cell within seeds 1:20; "),
        (["5:10", None], "; 0 to 6 deals a cell within seeds 5:10; "),
        ([None, None], "; no seeds yet; "),
    ],
)
def test_seeds_that_differ_are_told_by_their_ends(ranges: list[str | None], said: str, tmp_path: Path) -> None:
    assert f"storehouse{said}lab numbering; 100 nodes a deal" in captioned(tmp_path, ranges)


def test_each_panel_has_its_label_and_the_figure_a_legend(tmp_path: Path) -> None:
    figure = plots.study_figure("bars", read_cells(write_study(tmp_path, part(TEN), part(TEN, label="passes: 3"))))
    found = texts(figure)
    assert {"storehouse", "passes: 3", "won", "undecided", "lost", "95 % interval"} <= set(found)
    # 4 of 10 won, 3 undecided: the interval was worked out by hand with z = 1.96.
    assert found.count("40.00 % (16.81 to 89.23)") == 2


@pytest.mark.parametrize("kind", KINDS)
def test_descriptions_tell_what_is_counted(kind: str, ten: list[CellDeals]) -> None:
    description = charts.CHARTS[kind](ten).description(ten[0])
    facts = {
        "bars": ["10 deals", "4 won (40.00 %)", "3 undecided", "3 lost", "16.81 to 89.23 %"],
        "curve": ["1 node 10.00 % are won, 20.00 % lost", "100 nodes 40.00 % are won, 30.00 % lost"],
        "nodes": ["4 deals won within 1 to 100 nodes", "half of them within 2", "3 deals lost within 0 to 3 nodes"],
        "length": ["4 lines of play", "30 to 55", "half of them up to 40"],
    }
    for fact in facts[kind]:
        assert fact in description


def test_colours_can_be_told_apart_in_grey(ten: list[CellDeals]) -> None:
    def lightness(colour: str) -> float:
        red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    lights = sorted(map(lightness, (WIN, LOSS, OPEN)))
    assert min(np.diff(lights)) > 20
    # And undecided deals are hatched.
    (axes,) = panels(plots.study_figure("bars", ten))
    assert [bool(bar.get_hatch()) for bar in axes.patches] == [False, True, False]


# --- odd studies ------------------------------------------------------------------------------------------------


ODD: dict[str, Callable[[int], list[Row]]] = {
    "one win": lambda budget: [won(1, budget, 1)],
    "one win without a search": lambda budget: [won(1, 0, 1)],
    "one loss": lambda budget: [lost(1, 0)],
    "one that is open": lambda budget: [left_open(1, budget)],
    "one crash": lambda budget: [left_open(1, 0, "crashed")],
    "all wins": lambda budget: [won(seed, min(seed, budget), 12) for seed in range(1, 9)],
    "all losses": lambda budget: [lost(seed, min(seed, budget)) for seed in range(1, 9)],
    "all open": lambda budget: [left_open(seed, budget) for seed in range(1, 9)],
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ODD)
@pytest.mark.parametrize("budget", [100, 1, 2**63 - 1])
def test_studies_of_one_deal_or_one_verdict_are_drawn(kind: str, name: str, budget: int, tmp_path: Path) -> None:
    cells = read_cells(write_study(tmp_path, part(ODD[name](budget), budgets={"run": budget})))
    figure = plots.study_figure(kind, cells)
    assert plots.image(figure, "svg")
    absent = None
    if kind == "nodes" and ("open" in name or "crash" in name):
        absent = "No deal is decided."
    if kind == "length" and "win" not in name:
        absent = "No deal is won."
    assert charts.CHARTS[kind](cells).absence(cells[0]) == absent
    assert len(panels(figure)) == (absent is None)
    assert absent is None or absent in texts(figure)


@pytest.mark.parametrize("kind", KINDS)
def test_a_cell_that_has_not_begun_says_so_beside_one_that_has(kind: str, tmp_path: Path) -> None:
    cells = read_cells(write_study(tmp_path, part([], game="fan", seeds=SeedRange(1, 9)), part(TEN)))
    figure = plots.study_figure(kind, cells)
    assert len(panels(figure)) == 1
    assert "No deal is counted yet: no block is whole." in texts(figure)


@pytest.mark.parametrize("kind", KINDS)
def test_a_study_without_cells_is_refused(kind: str) -> None:
    with pytest.raises(InputError, match="the study has no cells"):
        plots.study_figure(kind, [])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("image_format", plots.FORMATS)
def test_labels_are_shown_as_they_are(kind: str, image_format: str, tmp_path: Path) -> None:
    cells = read_cells(write_study(tmp_path, part(TEN, label=NASTY), part(TEN, label="long " * 40)))
    figure = plots.study_figure(kind, cells)
    assert plots.image(figure, image_format)
    shown = texts(figure)
    # The first 43 signs, then an ellipsis.
    assert '_a $x^2$ & <script>"1"</script> %s {x} \ufffd \N{PLAYING CARD ACE OF SPADES}' in shown
    assert f"{('long ' * 40)[:43]}…" in shown


@pytest.mark.parametrize("kind", KINDS)
def test_many_cells_have_a_panel_each(kind: str, tmp_path: Path) -> None:
    cells = read_cells(write_study(tmp_path, *(part(TEN, label=f"cell {number}") for number in range(25))))
    figure = plots.study_figure(kind, cells)
    assert len(panels(figure)) == 25


# --- bytes ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("image_format", plots.FORMATS)
def test_the_same_results_give_the_same_bytes(kind: str, image_format: str, ten: list[CellDeals]) -> None:
    data = plots.image(plots.study_figure(kind, ten), image_format)
    # Whatever a user has set.
    with matplotlib.rc_context({"font.size": 30, "savefig.dpi": 5, "svg.fonttype": "path", "axes.grid": False}):
        assert plots.image(plots.study_figure(kind, ten), image_format) == data
    assert data.startswith({"png": b"\x89PNG", "svg": b"<?xml"}[image_format])
    for mark in (b"date", b"tIME", b"Software", matplotlib.__version__.encode()):
        assert mark not in data


@pytest.fixture
def settings() -> Iterator[dict[str, object]]:
    with matplotlib.rc_context({"font.size": 31}):
        yield dict(matplotlib.rcParams)


@pytest.mark.parametrize("kind", KINDS)
def test_settings_of_the_user_stay_as_they_are(kind: str, settings: dict[str, object], ten: list[CellDeals]) -> None:
    plots.image(plots.study_figure(kind, ten), "svg")
    assert dict(matplotlib.rcParams) == settings


def test_pyplot_is_not_needed(tmp_path: Path) -> None:
    write_study(tmp_path, part(TEN))
    script = (
        "import sys\n"
        "from solitaire_lab.reports.figures import read_cells\n"
        "from solitaire_lab.reports.plots import image, study_figure\n"
        "from solitaire_lab.results.store import Store\n"
        f"image(study_figure('bars', read_cells(Store({str(tmp_path)!r}))), 'png')\n"
        "assert 'matplotlib.pyplot' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
