"""The report of a study as one HTML page: tables, figures, and how to make it again.

The page holds no script and loads nothing. Each figure has a text in its place for those who don't see it, and its
numbers stand in a table. The same results give the same page.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import pandas as pd

from solitaire_lab import __version__
from solitaire_lab.reports import charts, figures, plots
from solitaire_lab.reports.figures import CellDeals
from solitaire_lab.reports.markup import Section, code, inline_svg, notes, page, paragraph, table, text
from solitaire_lab.reports.render import NUMERIC, layout, one_line
from solitaire_lab.reports.reproduce import solve_command, study_text, versions
from solitaire_lab.reports.tables import table_row

if TYPE_CHECKING:
    from solitaire_lab.results.manifest import Manifest
    from solitaire_lab.results.store import Store

HARDEST = 5
"""Deals of each cell that are listed."""
_OPEN_SEEDS = 10
"""Undecided deals of each cell that are named."""
_NUMBERS = ("win %", "95 % interval", "deals", "win", "loss", "undecided")
"""Columns of a table that a reader looks for first."""
_COLOURS = {
    charts.WIN: "win",
    charts.LOSS: "loss",
    charts.OPEN: "open",
    charts.HATCH: "hatch",
    charts.INK: "ink",
    charts.FAINT: "faint",
    charts.PAPER: "paper",
}
_VERDICTS = {"win": "won", "loss": "lost", "undecided": "undecided"}


def report(store: Store) -> str:
    """The report of a results folder, finished or not, as the text of an HTML page.

    Raises:
        InputError: there is no results folder, or a file of it can't be read.
    """
    manifest = store.manifest()
    cells = figures.read_cells(store)
    title = f"{one_line(manifest.study)}: which deals can be won"
    if not cells:
        return page(title, paragraph("This study has no cells, so there is nothing to report."), [])
    sections = [_results(cells), _budgets(store, cells), _nodes(cells), _lengths(cells)]
    sections += [part for part in (_variants(store, cells), _hardest(cells)) if part is not None]
    sections.append(_reproduction(store, manifest))
    return page(title, _lead(cells), sections)


def _lead(cells: Sequence[CellDeals]) -> str:
    deals = sum(len(item.deals) for item in cells)
    what = f"{_count(len(cells), 'cell')}, {_count(deals, 'deal')}, searched exactly under a budget of nodes."
    unfinished = sum(not item.row.complete for item in cells)
    lead = f'<p class="lead">{text(what)} All cards are known to the solver, face-down ones too.</p>'
    if unfinished:
        verb = "is" if unfinished == 1 else "are"
        which = "Its cell is" if len(cells) == 1 else f"{unfinished:,} of its {len(cells):,} cells {verb}"
        lead += (
            f'\n<p class="warning"><strong>This study is unfinished.</strong> {which} not complete; counted are whole '
            "blocks in seed order only.</p>"
        )
    return lead


# --- sections ---------------------------------------------------------------------------------------------------


def _results(cells: Sequence[CellDeals]) -> Section:
    header, body, remarks = layout([item.row for item in cells])
    others = [name for name in header if name not in ("label", "cell", *_NUMBERS)]
    header, body = _arranged(header, body, ["label", *_NUMBERS, *others])
    parts = [
        _key(("won", "undecided", "lost"), interval=True),
        _panels("bars", cells),
        table("Won, lost and undecided deals", header, body, numeric=NUMERIC),
        notes(remarks),
    ]
    return Section("results", "Won, lost and undecided", "\n".join(parts))


def _budgets(store: Store, cells: Sequence[CellDeals]) -> Section:
    parts = [
        paragraph(
            "A deal that is decided in n nodes is decided under every budget of at least n, so one run tells what "
            "every smaller budget would have left open. The scale of budgets is logarithmic."
        ),
        _key(("won", "undecided", "lost")),
        _panels("curve", cells),
    ]
    counted = [item for item in cells if len(item.deals)]
    if counted:
        parts.append(_decided_table(counted))
    if any(len(item.row.planned.budgets) > 1 for item in counted):
        parts.append(_named_budgets_table(store, counted))
    return Section("budgets", "How far a budget goes", "\n".join(parts))


def _decided_table(cells: Sequence[CellDeals]) -> str:
    """The share that is decided under budgets of powers of ten."""
    budgets = charts.powers_of_ten(max(item.row.budget for item in cells))
    frame = figures.decided_against_budget(
        cells, {item.label: [budget for budget in budgets if budget <= item.row.budget] for item in cells}
    )
    shares = {
        (label, budget): _percent(win + loss, deals)
        for label, budget, win, loss, deals in _tuples(frame, "label", "budget", "win", "loss", "deals")
    }
    header = ["label", *(_count(budget, "node") for budget in budgets)]
    body = [
        [one_line(item.label), *(shares.get((item.label, budget), "not run") for budget in budgets)] for item in cells
    ]
    return table("Decided deals under smaller budgets, in percent", header, body, numeric=header[1:])


def _named_budgets_table(store: Store, cells: Sequence[CellDeals]) -> str:
    rows = [
        table_row(store, item.row.study, item.row.planned, budget=name)
        for item in cells
        for name, _ in sorted(item.row.planned.budgets.items(), key=lambda entry: entry[1])
    ]
    shown = ("label", "budget", *_NUMBERS)
    header, body = _arranged(*layout(rows)[:2], shown)
    return table("The budgets of the study", header, body, numeric=_NUMBERS, heads=2)


def _nodes(cells: Sequence[CellDeals]) -> Section:
    parts = [
        paragraph(
            "A node is a position whose moves were listed, after all forced moves. Each bar holds twice as many "
            "numbers of nodes as the one before it, on a logarithmic scale; 0 nodes means that a proof made the search "
            "needless, or that every move was forced. Heights are in percent of all deals; cells of one game have the "
            "same scale. Undecided deals are left out."
        ),
        _key(("won", "lost")),
        _panels("nodes", cells),
        _spread_table(cells, "nodes", "Nodes of decided deals"),
    ]
    return Section("nodes", "Nodes of decided deals", "\n".join(parts))


def _lengths(cells: Sequence[CellDeals]) -> Section:
    parts = [
        paragraph(
            "Moves of the line of play that the solver found for each won deal. There may be shorter ones. Heights are "
            "in percent of all deals; cells of one game have the same scales."
        ),
        _panels("length", cells),
        _spread_table(cells, "solution_length", "Moves of winning lines of play"),
    ]
    return Section("length", "Length of winning lines", "\n".join(parts))


def _spread_table(cells: Sequence[CellDeals], column: str, caption: str) -> str:
    frame = figures.spread(cells, column)
    if not len(frame):
        return ""
    verdicts = ["verdict"] if column == "nodes" else []
    names = ("label", "outcome", "deals", "mean", "least", "median", "p90", "p99", "most")
    header = ["label", *verdicts, "deals", "mean", "least", "median", "90 %", "99 %", "most"]
    body = [
        [
            one_line(label),
            *([_VERDICTS[outcome]] if verdicts else []),
            f"{deals:,}",
            f"{mean:,.1f}",
            *(f"{number:,}" for number in numbers),
        ]
        for label, outcome, deals, mean, *numbers in _tuples(frame, *names)
    ]
    return "\n".join(
        [
            table(caption, header, body, numeric=header[-7:], heads=1 + len(verdicts)),
            notes(["90 % and 99 %: so many of these deals have at most this number."]),
        ]
    )


def _variants(store: Store, cells: Sequence[CellDeals]) -> Section | None:
    frame = figures.variants(store, cells)
    if not len(frame):
        return None
    header, body, _ = layout([item.row for item in cells])
    shares = {
        item.label: [line[header.index(name)] for name in ("win %", "95 % interval")]
        for item, line in zip(cells, body, strict=True)
    }
    parts = [
        paragraph(
            "Cells of one game beside the first of them. Where a seed names the same deal in both, deals are compared "
            "one by one, and those that are undecided in either are counted apart. The command compare lists the deals "
            "in which two cells differ, and tests the difference."
        )
    ]
    if contradictions := int(frame["impossible"].sum()):
        parts.append(
            f'<p class="warning"><strong>{text(_count(contradictions, "contradiction"))}:</strong> stricter rules win '
            "what looser rules lose, so a verdict is wrong. The command compare names the deals.</p>"
        )
    counts = ("common", "both", "here", "there", "neither", "open")
    for game, rows in frame.groupby("game", sort=False):
        first = one_line(rows["first"].iloc[0])
        columns = ["label", "differs by", "win %", "95 % interval", "same deals", "won in both", "won only here"]
        columns += ["won only in the first", "lost in both", "undecided in either"]
        lines = []
        for label, changes, *numbers in _tuples(rows, "label", "changes", *counts):
            texts = ["" if pd.isna(number) else f"{number:,}" for number in numbers]
            if label == rows["first"].iloc[0]:
                changes = "the first"
            elif not texts[0]:
                texts[0] = "other deals"
            lines.append([one_line(label), one_line(changes), *shares[label], *texts])
        parts.append(table(f"{one_line(str(game))}: beside {first}", columns, lines, numeric=columns[2:]))
    return Section("variants", "Variants side by side", "\n".join(parts))


def _hardest(cells: Sequence[CellDeals]) -> Section | None:
    frame = figures.hardest(cells, HARDEST)
    header = ["label", "seed", "verdict", "nodes", "moves"]
    body = [
        [one_line(label), str(seed), _VERDICTS[outcome], f"{nodes:,}", "" if length != length else f"{length:,.0f}"]
        for label, seed, outcome, nodes, length in _tuples(
            frame, "label", "seed", "outcome", "nodes", "solution_length"
        )
    ]
    parts = []
    if body:
        parts.append(
            table("Decided deals that took the most nodes", header, body, numeric=["seed", "nodes", "moves"], heads=2)
        )
    undecided = [(item, item.deals.loc[item.deals["outcome"] == "undecided", "seed"].tolist()) for item in cells]
    lines = [
        [
            one_line(item.label),
            f"{len(seeds):,}",
            ", ".join(map(str, seeds[:_OPEN_SEEDS])) + (", …" if len(seeds) > _OPEN_SEEDS else ""),
        ]
        for item, seeds in undecided
        if seeds
    ]
    if lines:
        parts.append(table("Undecided deals", ["label", "deals", "seeds"], lines, numeric=["deals"]))
    return Section("hardest", "Hardest deals", "\n".join(parts)) if parts else None


def _reproduction(store: Store, manifest: Manifest) -> Section:
    wrote = [", ".join(f"{program} {number}" for program, number in entries.items()) for entries in versions(store)]
    first = manifest.cells[0]
    commands = [
        "solitaire-lab run study.toml --out again",
        "solitaire-lab verify again",
        "solitaire-lab report again --out again.html",
    ]
    header = ["label", "id of the cell", "solver", "seeds", "numbering"]
    body = [
        [
            one_line(planned.cell.label),
            planned.cell.id,
            f"revision {planned.cell.solver}",
            str(planned.seeds),
            planned.cell.numbering,
        ]
        for planned in manifest.cells
    ]
    parts = [
        paragraph(
            "A verdict and its nodes depend on the cell and the seed alone: not on the machine, the clock, the number "
            "of workers or an interruption. Save the study as study.toml, and give these commands."
        ),
        code("\n".join(commands), name="Commands"),
        code(study_text(manifest), name="study.toml"),
        paragraph("A single deal, here the first of the first cell, is decided again by:"),
        code(solve_command(first, first.seeds.first), name="Command for one deal"),
        table("Cells", header, body, numeric=[]),
        notes(
            [
                "The id of a cell is a hash of everything that its rows are computed from: rules, deal, numbering, "
                "solver revision and memory. Equal ids, equal rows.",
                *(f"Rows were written by {entry}." for entry in wrote),
                f"This page was made by solitaire-lab {__version__}.",
            ]
        ),
    ]
    return Section("reproduce", "How to make this again", "\n".join(parts))


# --- figures ----------------------------------------------------------------------------------------------------


def _panels(kind: str, cells: Sequence[CellDeals]) -> str:
    chart = charts.CHARTS[kind](cells)
    panels = []
    for number, item in enumerate(cells):
        label, heading = text(one_line(item.label)), text(chart.heading(item))
        caption = f"<figcaption><b>{label}</b> <span>{heading}</span></figcaption>"
        absence = chart.absence(item)
        if absence is None:
            image = plots.image(plots.panel_figure(chart, item), "svg")
            description = f"{one_line(item.label)}. {chart.description(item)}"
            body = inline_svg(image, name=f"{kind}{number}", description=description, colours=_COLOURS)
        else:
            body = f"<p>{text(absence)}</p>"
        panels.append(f"<figure>{caption}{body}</figure>")
    return "\n".join([f'<div class="panels {kind}">', *panels, "</div>"])


def _key(names: Iterable[str], *, interval: bool = False) -> str:
    """What the colours mean."""
    hatch = '<path d="M0 9 9 0M7 9 16 0" stroke="currentColor" stroke-width="0.8" style="stroke: var(--hatch)"/>'
    entries = []
    for name in names:
        colour = _COLOURS[charts.LEGEND[name]]
        box = f'<rect width="16" height="9" style="fill: var(--{colour})"/>{hatch if colour == "open" else ""}'
        entries.append(f'<li><svg viewBox="0 0 16 9" aria-hidden="true">{box}</svg>{name}</li>')
    if interval:
        line = '<path d="M1 4.5H15M1 1V8M15 1V8" fill="none" style="stroke: var(--ink)"/>'
        entries.append(f'<li><svg viewBox="0 0 16 9" aria-hidden="true">{line}</svg>95 % interval</li>')
    return f'<ul class="key">{"".join(entries)}</ul>'


# --- texts ------------------------------------------------------------------------------------------------------


def _arranged(
    header: Sequence[str], body: Sequence[Sequence[str]], names: Sequence[str]
) -> tuple[list[str], list[list[str]]]:
    """Some of the columns of a table, in another order."""
    places = [header.index(name) for name in names]
    return list(names), [[line[at] for at in places] for line in body]


def _tuples(frame: pd.DataFrame, *names: str) -> Iterable[tuple[Any, ...]]:
    return zip(*(frame[name].tolist() for name in names), strict=True)


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.2f}"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
