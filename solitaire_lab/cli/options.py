"""Options that several commands share, and the values they take."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from solitaire_lab.whole import parse_whole

if TYPE_CHECKING:
    from solitaire_lab.results.rows import SeedRange

Command = TypeVar("Command", bound=Callable[..., Any])

DEFAULT_BUDGET_TEXT = "1000000"
DEFAULT_MEMORY_TEXT = "256MiB"
"""``study.model.DEFAULT_BUDGET`` and ``solver.solver.DEFAULT_MEMORY``; help must not wait for those modules."""


class Whole(click.ParamType):  # type: ignore[type-arg]  # in click 8.2 it takes no argument
    """A whole number, which may be written as people write large ones."""

    name = "whole number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number, or a refusal that says how numbers are written."""
        number = value if isinstance(value, int) else parse_whole(value)
        if number is None:
            self.fail(f"{value!r} is no whole number; write it such as 1000, 1_000 or 1,000.", param, ctx)
        return number


WHOLE = Whole()


class Seconds(click.FloatRange):
    """A time that ends: of a day at most, and a number, which click's own range does not ask for."""

    name = "seconds"

    def __init__(self) -> None:
        super().__init__(min=0.1, max=86_400)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number, or a refusal."""
        seconds = float(super().convert(value, param, ctx))
        if math.isnan(seconds):
            self.fail(f"{value!r} is no time; write it in seconds, such as 5.", param, ctx)
        return seconds


SECONDS = Seconds()


def as_whole(text: str) -> int | str:
    """A text as the whole number that it is, if it is one."""
    number = parse_whole(text)
    return text if number is None else number


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
seed_option = click.option("--seed", type=WHOLE, metavar="N", help="The number of the deal.")
deal_option = click.option(
    "--deal",
    "deal_file",
    metavar="FILE",
    help="A position instead of a deal, as JSON or as a board of GAME; - is standard input.",
)
seeds_option = click.option(
    "--seeds", callback=_seeds, metavar="A:B", help="These deals, the first and the last included."
)


def search_options(*, study: bool) -> Callable[[Command], Command]:
    """``--budget`` and ``--memory``, for a command that may be given a study or for one that may not."""
    else_study = ", or what the study says" if study else ""
    budget = click.option(
        "--budget",
        callback=nodes,
        metavar="NODES",
        help=f"Leave a deal open after so many nodes.  [default: {DEFAULT_BUDGET_TEXT}{else_study}]",
    )
    memory = click.option(
        "--memory",
        callback=_size,
        metavar="SIZE",
        help=f"Memory that one search may use, such as 512MB.  [default: {DEFAULT_MEMORY_TEXT}{else_study}]",
    )
    return lambda command: budget(memory(command))


def rule_options(command: Command) -> Command:
    """``--variant`` and ``--set``."""
    settings = click.option(
        "--set",
        "settings",
        multiple=True,
        metavar="KEY=VALUE",
        help="Change a rule, such as stock.redeals=0; rules GAME --json lists all, and how they are set.",
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
