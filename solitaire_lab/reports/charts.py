"""The kinds of figures: what the panel of a cell shows, and how it is drawn on axes of matplotlib's."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import pandas as pd

from solitaire_lab.reports import figures
from solitaire_lab.reports.figures import CellDeals
from solitaire_lab.reports.render import layout

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Blue and orange are told apart however people see colours, and in grey too; undecided deals are hatched.
WIN, LOSS, OPEN, HATCH = "#005f9e", "#dd7a12", "#e3e6ea", "#7d8591"
INK, FAINT, PAPER = "#1b1f24", "#d3d8de", "#ffffff"
LEGEND = {"won": WIN, "undecided": OPEN, "lost": LOSS}

_QUARTERS = [0, 25, 50, 75, 100]
_PERCENT = "{x:g} %"
_STEP = 10 ** (1 / figures.STEPS_A_DECADE)


class Chart(ABC):
    """A kind of figure of some cells: what its panels share, and how one is drawn."""

    title: ClassVar[str]
    """What it shows, in a few words."""
    size: ClassVar[tuple[float, float]] = (4.4, 2.4)
    """Width and height of a panel in inches."""
    margins: ClassVar[tuple[float, float, float, float]] = (0.136, 0.965, 0.235, 0.965)
    """Where the axes of a panel that stands alone end: left, right, bottom and top, as shares of its size."""
    columns: ClassVar[int] = 3
    """At most so many panels beside each other."""
    shown: ClassVar[tuple[str, ...]] = tuple(LEGEND)
    """Those of ``LEGEND`` that it shows."""
    interval: ClassVar[bool] = False
    """Whether it shows intervals."""

    @abstractmethod
    def __init__(self, cells: Sequence[CellDeals]) -> None: ...

    @abstractmethod
    def absence(self, item: CellDeals) -> str | None:
        """Why there is nothing to draw of a cell, as a sentence; None if there is."""

    @abstractmethod
    def draw(self, axes: Axes, item: CellDeals) -> None:
        """Draw the panel of a cell, without a title."""

    @abstractmethod
    def description(self, item: CellDeals) -> str:
        """What the panel of a cell shows, in words, for those who don't see it."""

    def heading(self, item: CellDeals) -> str:
        """What stands at the right above a panel."""
        return ""


class Bars(Chart):
    """Won, undecided and lost deals as a bar, with the interval for the share that can be won."""

    title = "Won, undecided and lost deals"
    interval = True
    size = (4.4, 0.5)
    margins = (0.035, 0.945, 0.5, 0.97)
    columns = 1

    def __init__(self, cells: Sequence[CellDeals]) -> None:
        header, body, _ = layout([item.row for item in cells])
        self._texts = {
            item.label: (line[header.index("win %")], line[header.index("95 % interval")])
            for item, line in zip(cells, body, strict=True)
        }

    def absence(self, item: CellDeals) -> str | None:
        """See ``Chart``."""
        return _nothing_counted(item)

    def draw(self, axes: Axes, item: CellDeals) -> None:
        """See ``Chart``."""
        counts, interval = item.row.counts, item.row.interval
        left = 0.0
        for deals, colour in ((counts.win, WIN), (counts.undecided, OPEN), (counts.loss, LOSS)):
            width = 100 * deals / counts.deals
            axes.barh(0, width, left=left, height=1, color=colour, **hatched(colour))
            left += width
        ends = [100 * interval.low, 100 * interval.high]
        for colour, more in ((PAPER, 1.6), (INK, 0.0)):
            axes.plot(ends, [0, 0], color=colour, linewidth=1.2 + more, solid_capstyle="butt")
            for end in ends:
                axes.plot([end, end], [-0.25, 0.25], color=colour, linewidth=1.2 + more, clip_on=False)
        axes.set(xlim=(0, 100), ylim=(-0.56, 0.56))
        axes.set_xticks(_QUARTERS)
        axes.xaxis.set_major_formatter(_PERCENT)
        axes.set_yticks([])
        axes.spines["left"].set_visible(False)

    def heading(self, item: CellDeals) -> str:
        """See ``Chart``."""
        share, ends = self._texts[item.label]
        return f"{share} % ({ends})"

    def description(self, item: CellDeals) -> str:
        """See ``Chart``."""
        counts = item.row.counts
        share, ends = self._texts[item.label]
        return (
            f"Bar of {_deals(counts.deals)}: {counts.win:,} won ({share} %), {counts.undecided:,} undecided, "
            f"{counts.loss:,} lost; the interval for the share that can be won is {ends} %."
        )


class Curve(Chart):
    """Won, undecided and lost deals against the budget."""

    title = "Won, undecided and lost deals against the budget"

    def __init__(self, cells: Sequence[CellDeals]) -> None:
        self._frames = _by_label(figures.decided_against_budget(cells))
        self._limit = max((item.row.budget for item in cells), default=1)

    def absence(self, item: CellDeals) -> str | None:
        """See ``Chart``."""
        return _nothing_counted(item)

    def draw(self, axes: Axes, item: CellDeals) -> None:
        """See ``Chart``."""
        frame = self._frames[item.label]
        # A point stands for the budgets up to the next point.
        budgets = [*frame["budget"].tolist(), frame["budget"].iloc[-1] * _STEP]
        won, decided = (
            [*(100 * counts / frame["deals"]).tolist(), 100 * counts.iloc[-1] / frame["deals"].iloc[-1]]
            for counts in (frame["win"], frame["win"] + frame["undecided"])
        )
        zero, full = [0.0] * len(budgets), [100.0] * len(budgets)
        for low, high, colour in ((zero, won, WIN), (won, decided, OPEN), (decided, full, LOSS)):
            axes.fill_between(budgets, low, high, step="post", facecolor=colour, linewidth=0, **hatched(colour))
        axes.set_xscale("log")
        axes.set(xlim=(1, self._limit * _STEP), ylim=(0, 100), xlabel="budget in nodes")
        powers = powers_of_ten(self._limit)
        axes.set_xticks(powers, labels=map(_short, powers))
        axes.set_xticks([], minor=True)
        axes.set_yticks(_QUARTERS)
        axes.yaxis.set_major_formatter(_PERCENT)

    def description(self, item: CellDeals) -> str:
        """See ``Chart``."""
        frame = self._frames[item.label]
        ends = [
            f"with {_nodes(row['budget'])} {_share(row['win'], row['deals'])} are won, "
            f"{_share(row['loss'], row['deals'])} lost and {_share(row['undecided'], row['deals'])} undecided"
            for row in frame.iloc[[0, -1] if len(frame) > 1 else [0]].to_dict("records")
        ]
        return f"Areas of {_deals(item.row.counts.deals)} against the budget: {'; '.join(ends)}."


class Nodes(Chart):
    """How many nodes the decided deals took."""

    title = "Nodes of decided deals, in % of all deals"
    shown = ("won", "lost")

    def __init__(self, cells: Sequence[CellDeals]) -> None:
        self._frames = _by_label(figures.node_histogram(cells))
        self._spread = _by_label(figures.spread(cells, "nodes"))
        self._tops = _tops_by_game(cells, self._frames)

    def absence(self, item: CellDeals) -> str | None:
        """See ``Chart``."""
        return _nothing_counted(item) or (None if len(item.decided) else "No deal is decided.")

    def draw(self, axes: Axes, item: CellDeals) -> None:
        """See ``Chart``."""
        frame = self._frames[item.label]
        # On a logarithmic scale, deals of no node stand left of those of one.
        edges = [0.5, *frame["first"].tolist()[1:], frame["last"].iloc[-1] + 1.0]
        _stack(axes, frame, edges, len(item.deals), {"win": WIN, "loss": LOSS})
        powers = powers_of_ten(edges[-1] - 1)
        axes.set_xscale("log")
        axes.set(xlim=(edges[0], edges[-1]), ylim=(0, self._tops[item.cell.game]), xlabel="nodes")
        axes.set_xticks([math.sqrt(0.5), *powers], labels=["0", *map(_short, powers)])
        axes.set_xticks([], minor=True)

    def description(self, item: CellDeals) -> str:
        """See ``Chart``."""
        texts = [
            f"{_deals(row['deals'])} {'won' if row['outcome'] == 'win' else 'lost'} within {row['least']:,} to "
            f"{_nodes(row['most'])}, half of them within {row['median']:,}"
            for row in self._spread[item.label].to_dict("records")
        ]
        return f"Histogram of the nodes that decided deals took: {'; '.join(texts)}."


class Lengths(Chart):
    """How many moves the lines of play of the won deals have."""

    title = "Moves of winning lines, in % of all deals"
    shown = ("won",)

    def __init__(self, cells: Sequence[CellDeals]) -> None:
        self._frames = _by_label(figures.length_histogram(cells))
        self._spread = _by_label(figures.spread(cells, "solution_length"))
        self._tops = _tops_by_game(cells, self._frames)

    def absence(self, item: CellDeals) -> str | None:
        """See ``Chart``."""
        return _nothing_counted(item) or (None if item.row.counts.win else "No deal is won.")

    def draw(self, axes: Axes, item: CellDeals) -> None:
        """See ``Chart``."""
        frame = self._frames[item.label]
        # The bars of a bin stand around the whole numbers that it holds.
        edges = [*(frame["first"] - 0.5).tolist(), frame["last"].iloc[-1] + 0.5]
        _stack(axes, frame, edges, len(item.deals), {"win": WIN})
        # With room for a bin at each side, so that a single one is a bar too.
        bounds = edges[0] - (edges[1] - edges[0]), edges[-1] + (edges[1] - edges[0])
        axes.set(xlim=bounds, ylim=(0, self._tops[item.cell.game]), xlabel="moves")
        axes.locator_params(axis="x", nbins=5, integer=True, steps=[1, 2, 5, 10], min_n_ticks=1)
        axes.xaxis.set_major_formatter("{x:,.0f}")

    def description(self, item: CellDeals) -> str:
        """See ``Chart``."""
        (row,) = self._spread[item.label].to_dict("records")
        return (
            f"Histogram of the moves of {row['deals']:,} lines of play: {row['least']:,} to {row['most']:,}, half of "
            f"them up to {row['median']:,}."
        )


CHARTS: dict[str, type[Chart]] = {"bars": Bars, "curve": Curve, "nodes": Nodes, "length": Lengths}
KINDS = tuple(CHARTS)


# --- parts of panels --------------------------------------------------------------------------------------------


def _stack(axes: Axes, frame: pd.DataFrame, edges: Sequence[float], deals: int, colours: dict[str, str]) -> None:
    """Histograms on top of each other, in percent of all deals."""
    floor = pd.Series(0.0, index=frame.index)
    for column, colour in colours.items():
        top = floor + 100 * frame[column] / deals
        axes.stairs(top.to_numpy(), edges, baseline=floor.to_numpy(), fill=True, color=colour, linewidth=0)
        floor = top
    axes.locator_params(axis="y", nbins=4, steps=[1, 2, 5, 10])
    axes.yaxis.set_major_formatter(_PERCENT)


def _tops_by_game(cells: Sequence[CellDeals], frames: dict[str, pd.DataFrame]) -> dict[str, float]:
    """The end of the axis of percentages, the same for all cells of a game."""
    tops: dict[str, float] = {}
    for item in cells:
        if item.label in frames and len(item.deals):
            counts = frames[item.label].drop(columns=["label", "cell", "first", "last"]).sum(axis="columns")
            tops[item.cell.game] = max(tops.get(item.cell.game, 0), 105 * counts.max() / len(item.deals))
    return tops


def _by_label(frame: pd.DataFrame) -> dict[str, pd.DataFrame]:
    return {str(label): rows for label, rows in frame.groupby("label", sort=False)}


def hatched(colour: str) -> dict[str, Any]:
    return {"hatch": "////"} if colour == OPEN else {}


def powers_of_ten(limit: float) -> list[int]:
    """1, 10, 100 and so on, or every second or third of them, up to a limit."""
    powers = range(int(math.log10(max(limit, 1))) + 1)
    return [10**power for power in powers[:: math.ceil(len(powers) / 7)]]


def _short(number: int) -> str:
    """A power of ten as the label of an axis, such as 100k."""
    thousands = (len(str(number)) - 1) // 3
    return f"{number // 1000**thousands}{('', 'k', 'M', 'G', 'T', 'P', 'E')[thousands]}"


def _nothing_counted(item: CellDeals) -> str | None:
    return None if len(item.deals) else "No deal is counted yet: no block is whole."


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.2f} %"


def _deals(count: int) -> str:
    return f"{count:,} {'deal' if count == 1 else 'deals'}"


def _nodes(count: int) -> str:
    return f"{count:,} {'node' if count == 1 else 'nodes'}"
