"""``bench``: how fast this machine is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

import click

from solitaire_lab.cli.options import SECONDS, game_options, json_option, nodes
from solitaire_lab.cli.output import emit, emit_json, remark


@click.command()
@click.argument("games", metavar="[GAME]...", nargs=-1)
@game_options
@click.option(
    "--seconds",
    type=SECONDS,
    default=5.0,
    show_default=True,
    metavar="SECONDS",
    help="For each game.",
)
@click.option("--budget", default="10000", callback=nodes, show_default=True, metavar="NODES", help="For each deal.")
@json_option
def bench(
    games: Sequence[str],
    *,
    numbering: str,
    variant: str | None,
    settings: Sequence[str],
    seconds: float,
    budget: int,
    as_json: bool,
) -> None:
    """Measure nodes and deals a second here.

    A short study of each game is run on all processors and thrown away. "Not solving" is the share of the workers'
    time that was not searching: starting, dealing, writing and waiting. "A million" is the time that a million deals
    would take at this speed. "Positions/s" are the different positions that exhaustive search meets. The last column
    says which phases of the search decided how many deals.

    \b
    Example:
      solitaire-lab bench storehouse
    """
    from solitaire_lab.rules.catalog import game_names, resolve
    from solitaire_lab.rules.settings import parse_set
    from solitaire_lab.study.bench import measure
    from solitaire_lab.study.progress import duration

    overrides = parse_set(settings)
    chosen = [resolve(name, variant=variant, overrides=overrides) for name in games or game_names()]
    if not as_json:
        emit(
            f"{'game':<24}{'deals/s a core':>16}{'nodes/s a core':>16}{'positions/s':>13}"
            f"{'workers':>9}{'not solving':>13}{'a million':>14}  decided by"
        )
    for game in chosen:
        speed = measure(game, seconds=seconds, budget=budget, numbering=numbering, report=remark)
        if as_json:
            emit_json(
                {
                    **asdict(speed),
                    "deals_per_second": speed.deals_per_second,
                    "nodes_per_second": speed.nodes_per_second,
                    "not_solving": speed.not_solving,
                    "million_seconds": speed.million_seconds,
                }
            )
        else:
            emit(
                f"{speed.game:<24}{speed.deals_per_second:>16,.0f}{speed.nodes_per_second:>16,.0f}"
                f"{speed.positions_per_second:>13,.0f}{speed.workers:>9}{speed.not_solving:>13.1%}"
                f"{duration(speed.million_seconds):>14}  "
                + ", ".join(f"{phase} {count:,}" for phase, count in sorted(speed.phases.items()))
            )
