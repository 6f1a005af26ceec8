"""``report`` and ``plot``: what a study shows, as a page and as single figures."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from solitaire_lab.cli.output import counted, emit
from solitaire_lab.errors import InputError

KINDS = ("bars", "curve", "nodes", "length")
IMAGES = ("png", "svg")
PAGES = ("html", "htm")


@click.command()
@click.argument("folder", metavar="DIR")
@click.option("--out", required=True, metavar="FILE.html", help="The page to write; one of that name is replaced.")
def report(folder: str, *, out: str) -> None:
    """Write a page with the tables and figures of a study.

    DIR is a results folder. The page is one file that loads nothing; it has the verdicts, what every smaller budget
    would decide, nodes and lengths, variants side by side, the hardest deals, and how to make all that again. It needs
    matplotlib: pip install 'solitaire-lab[plot]'.

    \b
    Example:
      solitaire-lab report results/storehouse-run --out storehouse.html
    """
    path, _ = _target(out, PAGES)
    from solitaire_lab.reports.page import report as report_of
    from solitaire_lab.results.files import chosen_file
    from solitaire_lab.results.store import Store

    store = Store(folder)
    page = report_of(store)
    with chosen_file(path) as file:
        file.write(page.encode())
    emit(f"{out} reports on {counted(len(store.manifest().cells), 'cell')} of {folder}.")


@click.command()
@click.argument("folder", metavar="DIR")
@click.argument("kind", metavar="KIND", type=click.Choice(KINDS))
@click.option("--out", required=True, metavar="FILE", help="FILE.png or FILE.svg; one of that name is replaced.")
@click.option(
    "--cell", "labels", multiple=True, metavar="LABEL", help="Only this cell, by its label or id; repeatable."
)
def plot(folder: str, kind: str, *, out: str, labels: Sequence[str]) -> None:
    """Draw one figure of a study.

    DIR is a results folder. KIND is bars (won, undecided and lost, with the interval), curve (the same against the
    budget), nodes (that decided deals took) or length (of winning lines). It needs matplotlib: pip install
    'solitaire-lab[plot]'.

    \b
    Examples:
      solitaire-lab plot results/storehouse-run curve --out curve.svg
      solitaire-lab plot results/passes-run bars --cell "1 pass" --cell "2 passes" --out passes.png
    """
    path, file_format = _target(out, IMAGES)
    from solitaire_lab.reports.figures import read_cells
    from solitaire_lab.reports.plots import image, study_figure
    from solitaire_lab.results.files import chosen_file
    from solitaire_lab.results.store import Store

    cells = read_cells(Store(folder), labels)
    data = image(study_figure(kind, cells), file_format)
    with chosen_file(path) as file:
        file.write(data)
    emit(f"{out} shows {kind} of {counted(len(cells), 'cell')} of {folder}.")


def _target(out: str, endings: Sequence[str]) -> tuple[Path, str]:
    """The file that is to be written, and its ending, which must be one of these: so no data file is replaced.

    Raises:
        InputError: it has another.
    """
    path = Path(out)
    ending = path.suffix.lower().removeprefix(".")
    if ending not in endings:
        right = " or ".join(f"{path.stem or 'report'}.{name}" for name in endings)
        raise InputError(f"--out is {out!r}, whose ending tells no format; give a name such as {right}.")
    return path, ending
