"""Figures of a study by matplotlib: the same results give the same bytes.

A figure has a panel for each cell. No figure is registered with pyplot, and neither settings nor styles of the user's
own are read or changed.
"""

from __future__ import annotations

import contextlib
import io
import math
import textwrap
import warnings
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from solitaire_lab.errors import InputError
from solitaire_lab.reports.charts import CHARTS, FAINT, HATCH, INK, LEGEND, PAPER, Chart, hatched
from solitaire_lab.reports.figures import CellDeals
from solitaire_lab.reports.render import one_line
from solitaire_lab.results.rows import SeedRange

try:
    from matplotlib import style
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch
except ImportError:
    raise InputError(
        "Figures are drawn by matplotlib, which is not installed; pip install 'solitaire-lab[plot]' brings it."
    ) from None

if TYPE_CHECKING:
    from matplotlib.artist import Artist

FORMATS = ("png", "svg")

_STYLE = {
    "axes.axisbelow": True,
    "axes.edgecolor": INK,
    "axes.facecolor": "none",
    "axes.grid": True,
    "axes.labelcolor": INK,
    "axes.labelsize": 10,
    "axes.linewidth": 0.6,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlecolor": INK,
    "axes.titlesize": 10.5,
    "figure.facecolor": "none",
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "grid.color": FAINT,
    "grid.linewidth": 0.6,
    "hatch.color": HATCH,
    "hatch.linewidth": 0.7,
    "legend.frameon": False,
    "legend.labelcolor": INK,
    "path.simplify": False,
    "svg.fonttype": "none",
    "svg.hashsalt": "solitaire-lab",
    "text.color": INK,
    "xtick.color": INK,
    "xtick.labelsize": 9.5,
    "ytick.color": INK,
    "ytick.labelsize": 9.5,
}
_TITLE = 44
"""Characters of a label above a panel."""
_ALONE = 6.6
"""Inches of a panel that has none beside it, at least, so that both titles have room."""
_CAPTION = 15
"""Characters of the caption to an inch."""
_LISTED = 3
"""Games or numberings that a caption lists."""


def study_figure(kind: str, cells: Sequence[CellDeals]) -> Figure:
    """One figure of all cells: a panel each, with its label; below, which deals of which games they are, and a legend.

    Args:
        kind: one of ``KINDS``.

    Raises:
        InputError: there are no cells.
    """
    if not cells:
        raise InputError("There is nothing to draw: the study has no cells.")
    chart = CHARTS[kind](cells)
    columns = min(chart.columns, len(cells))
    rows = math.ceil(len(cells) / columns)
    width, height = chart.size
    width = max(width, _ALONE) if columns == 1 else width
    with _styled():
        figure = Figure(figsize=(width * columns, (height + 0.3) * rows + 0.9), layout="constrained")
        figure.set_facecolor(PAPER)
        figure.suptitle(chart.title, x=0.01, horizontalalignment="left", fontsize=11, fontweight="bold")
        panels = figure.subplots(rows, columns, squeeze=False).flatten()
        for axes, item in zip(panels, cells, strict=False):
            axes.set_title(_title(item.label), loc="left", parse_math=False)
            if (absence := chart.absence(item)) is not None:
                axes.set_axis_off()
                axes.text(0.0, 0.5, absence, transform=axes.transAxes, verticalalignment="center")
                continue
            axes.set_title(chart.heading(item), loc="right")
            chart.draw(axes, item)
        for axes in panels[len(cells) :]:
            axes.set_axis_off()
        keys: list[Artist] = [
            Patch(facecolor=LEGEND[name], label=name, **hatched(LEGEND[name])) for name in chart.shown
        ]
        if chart.interval:
            keys.append(Line2D([], [], color=INK, linewidth=1.2, marker="|", markersize=7, label="95 % interval"))
        figure.legend(
            handles=keys,
            loc="outside lower center",
            ncols=len(keys),
            title=textwrap.fill(_caption(cells), round(_CAPTION * width * columns)),
            title_fontproperties={"size": 9},
        )
    return figure


def panel_figure(chart: Chart, item: CellDeals) -> Figure:
    """The panel of one cell as a figure of its own, without label and legend, for a page that has those.

    Args:
        chart: of this cell, and of those that it stands beside.
    """
    with _styled():
        figure = Figure(figsize=chart.size)
        # The same for all panels, so that axes stand in line; and laying them out by what is in them takes as long as
        # drawing them.
        left, right, bottom, top = chart.margins
        figure.subplots_adjust(left=left, right=right, bottom=bottom, top=top)
        chart.draw(figure.subplots(), item)
    return figure


def image(figure: Figure, file_format: str) -> bytes:
    """A figure as the bytes of a file, one of ``FORMATS``; they hold no date and no version."""
    data = io.BytesIO()
    nothing = {"png": {"Software": None}, "svg": {"Creator": None, "Date": None, "Format": None, "Type": None}}
    with _styled():
        figure.savefig(data, format=file_format, dpi=200, metadata=nothing[file_format])
    return data.getvalue()


@contextlib.contextmanager
def _styled() -> Iterator[None]:
    with style.context(_STYLE, after_reset=True), warnings.catch_warnings():
        # A label may have signs that the font lacks; a box stands for them.
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        yield


def _caption(cells: Sequence[CellDeals]) -> str:
    """Whose deals are shown, which, and how far each was searched: once what is the same for all cells; games and
    numberings that differ are listed, or counted if they are many, and of numbers that differ the ends are told."""
    games = _listed([item.cell.game for item in cells], "games")
    numberings = _listed([f"{item.cell.numbering} numbering" for item in cells], "numberings")
    low, high = (end(item.row.budget for item in cells) for end in (min, max))
    budgets = f"{high:,} nodes a deal" if low == high else f"budgets from {low:,} to {high:,} nodes a deal"
    return "; ".join([games, _seeds(cells), numberings, budgets])


def _seeds(cells: Sequence[CellDeals]) -> str:
    """The deals that are counted; those of cells that differ by how many there are, and between which seeds."""
    ranges = [item.row.seeds for item in cells]
    counted = [seeds for seeds in ranges if seeds is not None]
    if not counted:
        return "no seeds yet"
    if len(set(ranges)) == 1:
        return f"seeds {counted[0]}"
    around = SeedRange(min(seeds.first for seeds in counted), max(seeds.last for seeds in counted))
    low, high = (end(0 if seeds is None else seeds.count for seeds in ranges) for end in (min, max))
    deals = f"{high:,}" if low == high else f"{low:,} to {high:,}"
    return f"{deals} deals a cell within seeds {around}"


def _listed(values: Sequence[str], what: str) -> str:
    distinct = list(dict.fromkeys(values))
    return ", ".join(distinct) if len(distinct) <= _LISTED else f"{len(distinct)} {what}"


def _title(label: str) -> str:
    text = "".join(sign if sign.isprintable() else "\ufffd" for sign in one_line(label))
    return text if len(text) <= _TITLE else f"{text[: _TITLE - 1]}…"
