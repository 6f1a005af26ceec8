"""Tables in the formats that people read and programs parse."""

from __future__ import annotations

import csv
import html
import io
import json
import math
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from solitaire_lab import __version__
from solitaire_lab.reports.precision import precision_note
from solitaire_lab.reports.tables import TableRow
from solitaire_lab.results.rows import BLOCK

NUMERIC = frozenset({"deals", "win", "loss", "undecided", "win %", "95 % interval", "budget", "memory", "solver"})
"""Columns of ``layout`` that are aligned to the right."""


def render(rows: Sequence[TableRow], style: str) -> str:
    """A table as text that ends in a newline; ``style`` is one of ``FORMATS``."""
    if style in _FOR_PROGRAMS:
        return _FOR_PROGRAMS[style](rows)
    header, body, notes = layout(rows)
    numeric = frozenset(column for column, name in enumerate(header) if name in NUMERIC)
    return render_grid(Grid(header, body, notes, numeric), style)


# --- for people -------------------------------------------------------------------------------------------------


class Grid(NamedTuple):
    """A table for people: a header, lines with as many cells, and notes below, a sentence or two each."""

    header: list[str]
    body: list[list[str]]
    notes: list[str]
    numeric: frozenset[int]
    """The columns, counted from 0, that are aligned at the right."""


def render_grid(grid: Grid, style: str) -> str:
    """A table as text that ends in a newline; ``style`` is text, markdown, latex or html."""
    return _STYLES[style](grid)


def _text(grid: Grid) -> str:
    lines = [grid.header, *grid.body]
    widths = [max(len(line[i]) for line in lines) for i in range(len(grid.header))]
    aligned = [
        "  ".join(
            cell.rjust(width) if column in grid.numeric else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    ]
    rule = "  ".join("-" * width for width in widths)
    return "\n".join([aligned[0], rule, *aligned[1:], "", *grid.notes]) + "\n"


def _markdown(grid: Grid) -> str:
    marks = ["---:" if column in grid.numeric else "---" for column in range(len(grid.header))]
    table = [_pipes(map(markdown_escaped, grid.header)), _pipes(marks)]
    table += [_pipes(map(markdown_escaped, line)) for line in grid.body]
    return "\n".join([*table, "", "  \n".join(map(markdown_escaped, grid.notes))]) + "\n"


def _latex(grid: Grid) -> str:
    columns = "".join("r" if column in grid.numeric else "l" for column in range(len(grid.header)))
    lines = [r"\begin{table}", r"\centering", rf"\begin{{tabular}}{{{columns}}}", r"\hline"]
    lines += [_ampersands(grid.header), r"\hline", *map(_ampersands, grid.body), r"\hline", r"\end{tabular}"]
    lines += [rf"\caption{{{' '.join(map(_latex_escaped, grid.notes))}}}", r"\end{table}"]
    return "\n".join(lines) + "\n"


def _html(grid: Grid) -> str:
    caption = "<br>\n".join(map(html.escape, grid.notes))
    head = "".join(f'<th scope="col">{html.escape(name)}</th>' for name in grid.header)
    lines = ["<table>", f"<caption>{caption}</caption>", f"<thead><tr>{head}</tr></thead>", "<tbody>"]
    for line in grid.body:
        cells = "".join(
            f'<td style="text-align: right">{html.escape(cell)}</td>'
            if column in grid.numeric
            else f"<td>{html.escape(cell)}</td>"
            for column, cell in enumerate(line)
        )
        lines.append(f"<tr>{cells}</tr>")
    return "\n".join([*lines, "</tbody>", "</table>"]) + "\n"


def _pipes(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _ampersands(cells: Iterable[str]) -> str:
    return " & ".join(map(_latex_escaped, cells)) + r" \\"


_MARKDOWN = str.maketrans({"&": "&amp;", "<": "&lt;"} | {mark: f"\\{mark}" for mark in "\\|*_`[]#~$"})
_LATEX = str.maketrans(
    {mark: f"\\{mark}" for mark in "&%$#_{}"}
    | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    | {"<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}"}
)


def markdown_escaped(text: str) -> str:
    """A text that Markdown shows as it is."""
    return text.translate(_MARKDOWN)


def _latex_escaped(text: str) -> str:
    return text.translate(_LATEX)


# --- for programs -----------------------------------------------------------------------------------------------


def _json(rows: Sequence[TableRow]) -> str:
    return json.dumps([row.record() for row in rows], indent=1, ensure_ascii=False) + "\n"


def _csv(rows: Sequence[TableRow]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    records = [row.record() for row in rows]
    writer.writerow(records[0])
    for record in records:
        record |= {"set": json.dumps(record["set"]), "complete": json.dumps(record["complete"])}
        writer.writerow(record.values())
    return text.getvalue()


FORMATS = ("text", "markdown", "csv", "json", "latex", "html")
_STYLES: dict[str, Callable[[Grid], str]] = {"text": _text, "markdown": _markdown, "latex": _latex, "html": _html}
_FOR_PROGRAMS: dict[str, Callable[[Sequence[TableRow]], str]] = {"csv": _csv, "json": _json}


# --- what stands in them ----------------------------------------------------------------------------------------


def layout(rows: Sequence[TableRow]) -> tuple[list[str], list[list[str]], list[str]]:
    """Header, body and notes of a table for people; what all rows share is said once, in the notes.

    Returns:
        The names of the columns (those in ``NUMERIC`` hold numbers), a list of as many texts for each row, and the
        sentences that stand below.
    """
    facts = [_facts(row) for row in rows]
    shared = {
        name: facts[0][name]
        for name in (facts[0] if facts else ())
        if name not in ("game", "label", "cell") and all(fact[name] == facts[0][name] for fact in facts)
    }
    kept = [name for name in (facts[0] if facts else ()) if name not in shared and name != "cell"]
    header = [*kept, "deals", "win", "loss", "undecided", "win %", "95 % interval", "cell"]
    body = [
        [*(fact[name] for name in kept), *_numbers(row), fact["cell"]] for row, fact in zip(rows, facts, strict=True)
    ]
    return header, body, _notes(rows, shared)


def _facts(row: TableRow) -> dict[str, str]:
    """What a row's numbers depend on."""
    cell = row.planned.cell
    settings = ", ".join(f"{key} = {_value(value)}" for key, value in cell.overrides.items())
    name = f" ({one_line(row.budget_name)})" if row.budget_name else ""
    return {
        "game": one_line(cell.game),
        "label": one_line(cell.label),
        "rules": one_line(settings) or "the game's own",
        "numbering": cell.numbering,
        "seeds": "none" if row.seeds is None else str(row.seeds),
        "budget": f"{row.budget:,} nodes{name}",
        "solver": f"revision {cell.solver}",
        "memory": _size(cell.table_bytes),
        "cell": cell.short_id,
    }


def _numbers(row: TableRow) -> list[str]:
    counts, interval = row.counts, row.interval
    undecided = f"{counts.undecided:,}"
    if counts.nodes < counts.undecided:
        reasons = {"nodes": counts.nodes, "memory": counts.memory, "crashed": counts.crashed}
        parts = [f"{deals:,} {why}" for why, deals in reasons.items() if deals]
        undecided = f"{undecided} ({', '.join(parts)})" if len(parts) > 1 else f"{parts[0]}"
    digits = _digits(interval.high - interval.low)
    low, high = interval.percent(digits)
    share = f"{100 * counts.win / counts.deals:.{digits}f}" if counts.deals else "?"
    return [
        f"{counts.deals:,}",
        f"{counts.win:,}",
        f"{counts.loss:,}",
        undecided,
        share,
        f"{_decimal(low, digits)} to {_decimal(high, digits)}",
    ]


def _notes(rows: Sequence[TableRow], shared: dict[str, str]) -> list[str]:
    notes = []
    if shared:
        notes.append("; ".join(f"{name}: {value}" for name, value in shared.items()) + ".")
    notes.append("All cards are known to the solver, face-down ones too (thoughtful play).")
    notes.append(
        "The interval is Wilson's at 95 %, in percent of all deals; its low end counts undecided deals as losses, its "
        "high end as wins."
    )
    for row in rows:
        if not row.complete:
            precision = row.planned.precision
            fewer = "" if precision is None else f", or fewer if its interval is ±{precision:g} points before"
            notes.append(
                f"Unfinished: {one_line(row.planned.cell.label)} is planned for seeds {row.planned.seeds}{fewer}; "
                f"counted are {_counted(row)}."
            )
    notes += filter(None, map(precision_note, rows))
    notes.append(f"Made with solitaire-lab {__version__}.")
    return notes


def _counted(row: TableRow) -> str:
    """Which deals of an unfinished cell are counted, and why no others."""
    if row.of_run:
        return f"the deals asked for now, {row.seeds}"
    if row.seeds is None:
        return (
            f"whole blocks of {BLOCK:,} seeds in seed order, so far none (what is stored of a block are its easy deals "
            "first, which would flatter the game)"
        )
    return f"whole blocks in seed order, so far {row.seeds}"


def _digits(width: float) -> int:
    """Decimals of a percentage so that an interval of this width (a share) has at least two figures."""
    return max(2, math.ceil(1 - math.log10(100 * width))) if width > 0 else 2


def _decimal(units: int, digits: int) -> str:
    """An integer of units of 10^-digits as a decimal."""
    return f"{units // 10**digits}.{units % 10**digits:0{digits}d}"


def _size(count: int) -> str:
    for unit, size in (("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10)):
        if count >= size and count % size == 0:
            return f"{count // size} {unit}"
    return f"{count:,} bytes"


def _value(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def one_line(text: str) -> str:
    """A text without line breaks."""
    return " ".join(text.split())
