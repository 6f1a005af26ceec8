"""``run``, ``status``, ``verify`` and ``table``: studies and their results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from solitaire_lab.cli.exits import CHECK_FAILED, CRASHED_DEALS
from solitaire_lab.cli.options import (
    WHOLE,
    as_whole,
    game_options,
    json_option,
    search_options,
    seeds_option,
)
from solitaire_lab.cli.output import counted, emit, emit_json, remark
from solitaire_lab.errors import InputError

if TYPE_CHECKING:
    from solitaire_lab.results.rows import SeedRange
    from solitaire_lab.study.model import Study

DEALS = 1_000
"""Deals of a game that is run without saying how many."""
FORMATS = ("text", "markdown", "csv", "json", "latex", "html")
DATA_FORMATS = ("csv", "json")
"""Those that have no room for a note."""


@click.command()
@click.argument("source", metavar="STUDY.toml|GAME")
@game_options
@click.option("--deals", type=WHOLE, metavar="N", help=f"Run the first N deals.  [default for a game: {DEALS}]")
@seeds_option
@search_options(study=True)
@click.option(
    "--precision",
    type=float,
    metavar="POINTS",
    help="End a cell at the first whole block (1,000 seeds) after which half the width of its interval is so many "
    "percentage points; --deals or --seeds are then the most that is run.",
)
@click.option("--workers", type=WHOLE, metavar="N", help="Processes.  [default: one for each processor]")
@click.option("--out", metavar="DIR", help="The results folder.  [default: results/NAME-run]")
@click.option("--retry", metavar="REASONS", default="", help="Try deals again that stayed open: crashed,memory.")
@click.option(
    "--start-method", type=click.Choice(["fork", "spawn"]), help="How workers are started.  [default: fork, if safe]"
)
@click.option("--dry-run", is_flag=True, help="Say what would be run, and do nothing.")
@json_option
def run(
    source: str,
    *,
    numbering: str,
    variant: str | None,
    settings: Sequence[str],
    deals: int | None,
    seeds: SeedRange | None,
    budget: int | None,
    precision: float | None,
    memory: int | None,
    workers: int | None,
    out: str | None,
    retry: str,
    start_method: Any,
    dry_run: bool,
    as_json: bool,
) -> int | None:
    """Run a study or a game, and print its table.

    Deals that the results folder holds already are not searched again: after Ctrl-C, or to add seeds, cells or a
    larger budget, give the command again. --deals, --seeds, --budget, --memory and --precision apply to every cell of
    a study; --variant, --set and --numbering go with a game.

    \b
    Examples:
      solitaire-lab run storehouse --deals 1000
      solitaire-lab run configs/storehouse.toml
      solitaire-lab run storehouse --set stock.redeals=0 --seeds 1:500 --out results/one-pass
      solitaire-lab run storehouse --precision 0.5 --deals 100000 --out results/half-a-point
    """
    from solitaire_lab.reports.precision import precision_note
    from solitaire_lab.reports.tables import table_rows
    from solitaire_lab.results.store import Store
    from solitaire_lab.rules.catalog import is_file_name
    from solitaire_lab.study.adjust import adjusted
    from solitaire_lab.study.model import setting_label
    from solitaire_lab.study.run import Stopped, preview
    from solitaire_lab.study.run import run as run_study

    if deals is not None and seeds is not None:
        raise click.UsageError("Give --deals or --seeds, not both.")
    if precision is not None and deals is None and seeds is None and not is_file_name(source):
        raise click.UsageError("Give --deals or --seeds with --precision: the most that is to be run.")
    study = adjusted(
        _study(
            source,
            numbering=numbering,
            variant=variant,
            settings=settings,
            deals=deals,
            seeds=seeds,
            budget=budget,
            memory=memory,
        ),
        deals=deals,
        precision=precision,
    )
    if out == "":
        raise InputError("--out is empty; give a folder, or leave it out.")
    folder = _folder(study) if out is None else Path(out)
    reasons = [reason.strip() for reason in retry.split(",") if reason.strip()]
    if dry_run:
        plans = preview(study, folder, retry=reasons)
        if as_json:
            emit_json([asdict(plan) for plan in plans])
        else:
            for plan in plans:
                most = "at most " if plan.precision is not None and plan.todo else ""
                work = f"{most}{counted(plan.todo, 'deal')}, up to {counted(plan.budget, 'node')} each"
                rules = setting_label("rules:", plan.settings) if plan.settings else "rules: the game's own"
                emit(
                    f"{', '.join(plan.labels)}: {work}, to {folder} (game: {plan.game}; {rules}; "
                    f"numbering: {plan.numbering})"
                )
        return None
    try:
        summary = run_study(study, folder, workers=workers, retry=reasons, start_method=start_method)
    except Stopped as stopped:
        remark(str(stopped))
        return stopped.exit_code
    decided = counted(summary.decided, "deal")
    remark(f"{decided} decided in {summary.seconds:.1f} s, {summary.stored:,} were there; see {folder}.")
    rows = table_rows([Store(folder)], asked={cell.label: cell.planned.seeds for cell in study.cells})
    if as_json:
        for note in filter(None, map(precision_note, rows)):
            remark(note)
    _print_table(rows, "json" if as_json else "text")
    return CRASHED_DEALS if summary.crashed or any(row.counts.crashed for row in rows) else None


def _study(
    source: str,
    *,
    numbering: str,
    variant: str | None,
    settings: Sequence[str],
    deals: int | None,
    seeds: SeedRange | None,
    budget: int | None,
    memory: int | None,
) -> Study:
    """The study that a file or the name of a game means; ``deals`` tells only whether seeds must be said."""
    from solitaire_lab.results.rows import SeedRange
    from solitaire_lab.rules.catalog import is_file_name, is_game, resolve
    from solitaire_lab.rules.settings import parse_set
    from solitaire_lab.study.config import ENDING, load_study
    from solitaire_lab.study.model import DEFAULT_BUDGET, study_of_game

    if not is_file_name(source):
        if not is_game(source) and Path(f"{source}{ENDING}").is_file():
            raise InputError(f"There is no game {source!r}; did you mean the study {source}{ENDING}?")
        game = resolve(source, variant=variant, overrides=parse_set(settings))
        return study_of_game(
            game,
            seeds=seeds or SeedRange(1, DEALS),
            budget=budget or DEFAULT_BUDGET,
            numbering=numbering,
            memory=memory,
        )
    context = click.get_current_context()
    for name, option in (("variant", "--variant"), ("settings", "--set"), ("numbering", "--numbering")):
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise InputError(f"{option} goes with a game; write it into {source} for the cells that it is for.")
    # ``adjusted`` says how many deals.
    else_seeds = None if deals is None else SeedRange(1, 1)
    return load_study(source, seeds=seeds, else_seeds=else_seeds, budget=budget, memory=memory)


def _folder(study: Study) -> Path:
    """Where a study is stored unless a folder is given: apart from results that are published under its name."""
    if Path(study.name).name != study.name:
        raise InputError(f"The study's name, {study.name!r}, is no name for a folder; change it, or give --out.")
    return Path("results", f"{study.name}-run")


@click.command()
@click.argument("folder", metavar="DIR")
@json_option
def status(folder: str, *, as_json: bool) -> None:
    """Tell what is done and what is missing.

    DIR is a results folder.

    \b
    Example:
      solitaire-lab status results/storehouse-run
    """
    from solitaire_lab.results.store import Store
    from solitaire_lab.study.status import status as status_of

    cells = status_of(Store(folder))
    if as_json:
        emit_json(
            [
                {
                    **asdict(cell),
                    "seeds": str(cell.seeds),
                    "asked": None if cell.asked is None else str(cell.asked),
                    "stored": cell.stored,
                    "missing": cell.missing,
                }
                for cell in cells
            ]
        )
        return
    for cell in cells:
        undecided = f"{sum(cell.open.values()):,} open"
        missing = f"{cell.missing:,} to do" if cell.missing else "complete"
        if cell.asked is not None:
            missing += f", ended by its precision of {cell.precision:g} points (asked for: {cell.asked})"
        elif cell.precision is not None and cell.missing:
            missing += f", or fewer to its precision of {cell.precision:g} points"
        emit(
            f"{cell.label}: {cell.stored:,} of {cell.seeds.count:,} deals stored ({cell.wins:,} won, "
            f"{cell.losses:,} lost, {undecided}); asked for {cell.budget:,} nodes; {missing}."
        )


@click.command()
@click.argument("folder", metavar="DIR")
@click.option(
    "--sample", type=click.IntRange(min=0), metavar="N", help="Losses of each cell to prove again.  [default: 100]"
)
@json_option
def verify(folder: str, *, sample: int | None, as_json: bool) -> int | None:
    """Check files, replay wins, prove losses again.

    Every file of the results folder DIR is checked, every win is replayed, and a sample of the losses is searched
    again with other fingerprints. The exit code is 4 if anything is wrong.

    \b
    Example:
      solitaire-lab verify results/storehouse-run
    """
    from solitaire_lab.results.store import Store
    from solitaire_lab.results.verify import SAMPLE
    from solitaire_lab.results.verify import verify as verify_store

    report = verify_store(Store(folder), sample=SAMPLE if sample is None else sample)
    if as_json:
        emit_json({"sound": report.sound, **asdict(report)})
    else:
        found = counted(len(report.problems), "problem") if report.problems else "No problem"
        where = f"{counted(report.cells, 'cell')}, {counted(report.files, 'file')} and {counted(report.rows, 'row')}"
        again = f"{counted(report.wins_replayed, 'win')} replayed, {report.losses_proved:,} losses proved again"
        emit("\n".join([*report.problems, *report.remarks, f"{found} in {where}; {again}."]))
    return None if report.sound else CHECK_FAILED


@click.command()
@click.argument("folders", metavar="DIR...", nargs=-1, required=True)
@click.option("--budget", metavar="NAME|N", help="As if run with this budget, or with so many nodes.")
@click.option("--format", "style", type=click.Choice(FORMATS), default="text", show_default=True, help="How to print.")
@json_option
def table(folders: Sequence[str], *, budget: str | None, style: str, as_json: bool) -> None:
    """Print wins, losses and undecided deals.

    DIR is a results folder; of several, the cells stand below each other.

    \b
    Examples:
      solitaire-lab table results/storehouse-run
      solitaire-lab table results/storehouse-run --budget 2000 --format markdown
    """
    from solitaire_lab.reports.reproduce import unfinished_note
    from solitaire_lab.reports.tables import table_rows
    from solitaire_lab.results.store import Store

    nodes = None if budget is None else as_whole(budget)
    stores = [Store(folder) for folder in folders]
    parts = [table_rows([store], budget=nodes) for store in stores]
    _print_table([row for part in parts for row in part], "json" if as_json else style)
    for store, part in zip(stores, parts, strict=True):
        if not all(row.complete for row in part) and (note := unfinished_note(store)):
            remark(note)


def _print_table(rows: Sequence[Any], style: str) -> None:
    from solitaire_lab.reports.render import render

    emit(render(rows, style).rstrip("\n"))
