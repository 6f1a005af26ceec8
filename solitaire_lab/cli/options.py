"""Options that several commands share, and the values they take."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from solitaire_lab.results.rows import SeedRange

Command = TypeVar("Command", bound=Callable[..., Any])

DEFAULT_BUDGET_TEXT = "1000000"
"""``study.model.DEFAULT_BUDGET``; help must not wait for that module."""


def as_whole(text: str) -> int | str:
    """A text as the whole number that it is, if it is one; ``2_000`` is read too."""
    try:
        return int(text)
    except ValueError:
        return text


def nodes(context: click.Context, parameter: click.Parameter, text: str | None) -> int | None:
    """Read a budget."""
    from solitaire_lab.study.model import check_budget

    return None if text is None else check_budget(as_whole(text))


def _size(context: click.Context, parameter: click.Parameter, text: str | None) -> int | None:
    from solitaire_lab.study.sizes import parse_size

    return None if text is None else parse_size(text)


def _seeds(context: click.Context, parameter: click.Parameter, text: str | None) -> SeedRange | None:
    from solitaire_lab.results.rows import SeedRange

    return None if text is None else SeedRange.parse(text)


json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
jsonl_option = click.option(
    "--jsonl", is_flag=True, help="Read a position a line from standard input, and answer each with a line."
)
seed_option = click.option("--seed", type=int, metavar="N", help="The number of the deal.")
deal_option = click.option(
    "--deal",
    "deal_file",
    metavar="FILE",
    help="A position instead of a deal, as JSON or as a board of GAME; - is standard input.",
)
seeds_option = click.option(
    "--seeds", callback=_seeds, metavar="A:B", help="These deals, the first and the last included."
)
budget_option = click.option(
    "--budget",
    callback=nodes,
    metavar="NODES",
    help=f"Leave a deal open after so many nodes.  [default: {DEFAULT_BUDGET_TEXT}, or what the study says]",
)
memory_option = click.option(
    "--memory", callback=_size, metavar="SIZE", help="Memory that one search may use, such as 256MB."
)


def rule_options(command: Command) -> Command:
    """``--variant`` and ``--set``."""
    settings = click.option(
        "--set", "settings", multiple=True, metavar="KEY=VALUE", help="Change a rule, such as stock.redeals=0."
    )
    variant = click.option("--variant", metavar="NAME", help="Play a variant of the game.")
    return variant(settings(command))


def game_options(command: Command) -> Command:
    """``--variant``, ``--set`` and ``--numbering``."""
    numbering = click.option(
        "--numbering",
        default="lab",
        show_default=True,
        metavar="NAME",
        help="Whose deal a seed names: lab, pysol, microsoft or solvitaire.",
    )
    return rule_options(numbering(command))
