"""``compare``: cells on the same deals."""

from __future__ import annotations

from collections.abc import Sequence

import click

from solitaire_lab.cli.exits import CHECK_FAILED
from solitaire_lab.cli.options import as_whole, json_option
from solitaire_lab.cli.output import emit, remark
from solitaire_lab.cli.studies import DATA_FORMATS, FORMATS


@click.command()
@click.argument("folder", metavar="DIR")
@click.argument("cells", metavar="[A B]", nargs=-1)
@click.option("--all", "every", is_flag=True, help="Compare every cell with every other.")
@click.option("--budget", metavar="NAME|N", help="As if run with this budget, or with so many nodes.")
@click.option("--format", "style", type=click.Choice(FORMATS), default="text", show_default=True, help="How to print.")
@json_option
def compare(
    folder: str, cells: Sequence[str], *, every: bool, budget: str | None, style: str, as_json: bool
) -> int | None:
    """Compare two cells, deal by deal.

    A and B are cells of the results folder DIR, of one numbering, each by its label or the beginning of its id. On the
    seeds that both have: how often each outcome meets each other, which deals one wins and the other loses, McNemar's
    exact test, and an interval of the difference. Where rules that are stricter win a deal that looser ones lose, a
    verdict is wrong, and the exit code is 4.

    \b
    Examples:
      solitaire-lab compare results/passes-run "1 pass" "2 passes"
      solitaire-lab compare results/passes-run --all --format markdown
    """
    from solitaire_lab.reports.compare import compare_all, compare_cells
    from solitaire_lab.reports.render_compare import left_out_note, render_comparison, render_comparisons
    from solitaire_lab.results.store import Store

    if every and cells:
        raise click.UsageError("Name two cells, or give --all, not both.")
    if not every and len(cells) != 2:
        raise click.UsageError(f"Name two cells, or give --all; {len(cells)} named.")
    store, nodes, style = Store(folder), None if budget is None else as_whole(budget), "json" if as_json else style
    if every:
        found = compare_all(store, budget=nodes)
        emit(render_comparisons(found, style).rstrip("\n"))
        if found.of_two_numberings and style in DATA_FORMATS:
            remark(left_out_note(found))
        return None if found.sound else CHECK_FAILED
    pair = compare_cells(store, *cells, budget=nodes)
    emit(render_comparison(pair, style).rstrip("\n"))
    return None if pair.sound else CHECK_FAILED
