"""``export``, ``query`` and ``compact``: the rows of a results folder, for other programs and other questions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from itertools import islice

import click

from solitaire_lab.cli.options import json_option
from solitaire_lab.cli.output import counted, emit, emit_json, remark

EXPORT_FORMATS = ("csv", "jsonl")
QUERY_FORMATS = ("text", "csv", "json")

_LINES_AT_A_TIME = 1_000


@click.command()
@click.argument("folder", metavar="DIR")
@click.option(
    "--format", "style", type=click.Choice(EXPORT_FORMATS), default="csv", show_default=True, help="How to write."
)
@click.option("--out", default="-", show_default=True, metavar="FILE", help="The file; - is standard output.")
@click.option("--cell", "label", metavar="LABEL", help="Only the cell with this label, or with an id that begins so.")
@click.option("--moves", is_flag=True, help="Add the lines of play, as replay reads them.")
def export(folder: str, *, style: str, out: str, label: str | None, moves: bool) -> None:
    """Write rows as CSV or JSON lines.

    One line is one deal of the results folder DIR; results/README.md of the project tells the columns. A file is
    written whole or not at all. Seeds are written in full; spreadsheets round those above 2^53.

    \b
    Examples:
      solitaire-lab export results/storehouse-run --out rows.csv
      solitaire-lab export results/storehouse-run --format jsonl --moves --out rows.jsonl
    """
    from solitaire_lab.reports.export import export as export_to
    from solitaire_lab.reports.export import export_lines
    from solitaire_lab.results.store import Store

    if out == "-":
        _emit_lines(export_lines(Store(folder), style=style, label=label, moves=moves))
    else:
        rows = export_to(Store(folder), out, style=style, label=label, moves=moves)
        remark(f"{counted(rows, 'row')} written to {out}.")


@click.command()
@click.argument("folder", metavar="DIR")
@click.argument("sql", metavar="SQL")
@click.option(
    "--format", "style", type=click.Choice(QUERY_FORMATS), default="text", show_default=True, help="How to print."
)
@json_option
def query(folder: str, sql: str, *, style: str, as_json: bool) -> None:
    """Ask a results folder in SQL.

    The tables are rows (one a deal), cells (one a row of the study's table) and solutions (one a win, with its line
    of play); the columns cell and label join them. DESCRIBE with a table's name lists its columns. A query reads DIR
    and nothing else, and changes nothing. DuckDB answers it, which pip install 'solitaire-lab[query]' brings.

    \b
    Examples:
      solitaire-lab query results/storehouse-run "SELECT outcome, count(*) FROM rows GROUP BY outcome"
      solitaire-lab query results/storehouse-run "SELECT seed, nodes FROM rows ORDER BY nodes DESC LIMIT 10"
      solitaire-lab query results/storehouse-run "DESCRIBE cells"
    """
    from solitaire_lab.reports.query import query as ask
    from solitaire_lab.reports.query import render_answer
    from solitaire_lab.results.store import Store

    _emit_lines(render_answer(ask(Store(folder), sql), "json" if as_json else style))


@click.command()
@click.argument("folder", metavar="DIR")
@json_option
def compact(folder: str, *, as_json: bool) -> None:
    """Bring many files into few.

    A run writes two files for each 1,000 deals of a cell; this brings those of the results folder DIR, finished or not,
    into two for each million. Every command reads them as before, and a run goes on from them. Nothing is lost if this
    is killed; give it again.

    \b
    Example:
      solitaire-lab compact results/storehouse-run
    """
    from solitaire_lab.results.compact import compact as compact_store
    from solitaire_lab.results.store import Store
    from solitaire_lab.study.sizes import size_text

    done = compact_store(Store(folder))
    if as_json:
        emit_json(asdict(done))
    elif done.blocks:
        before, after = map(size_text, (done.bytes_before, done.bytes))
        emit(f"{counted(done.files_before, 'file')} ({before}) are now {done.files:,} ({after}).")
    else:
        emit(f"{folder} is compact already, with {counted(done.files, 'file')}.")


def _emit_lines(lines: Iterable[str]) -> None:
    """Print lines as they come, as long as someone reads."""
    rest = iter(lines)
    while some := list(islice(rest, _LINES_AT_A_TIME)):
        if not emit("\n".join(some)):
            break
