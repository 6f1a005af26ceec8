"""Winnable deals: shuffled for ``deal``, listed by ``numbers``; and ``simulate``, a policy's chance to win."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from typing import TYPE_CHECKING, Any

import click

from solitaire_lab.cli.options import WHOLE, as_whole, game_options, json_option, seeds_option
from solitaire_lab.cli.output import counted, emit, emit_json, remark
from solitaire_lab.errors import InputError

if TYPE_CHECKING:
    from solitaire_lab.results.rows import SeedRange
    from solitaire_lab.rules.catalog import Game
    from solitaire_lab.study.solvable import SolvableDeal

OUTCOMES = ("win", "loss", "undecided")
BANDS = ("easy", "medium", "hard")
POLICIES = ("random", "greedy")
SHUFFLE_BUDGET = 100_000
TRIES = DAILY_TRIES = 100
"""Of ``study.solvable``, which help must not wait for."""
DEALS = 1_000
"""Deals that are played without saying how many."""

_workers_option = click.option(
    "--workers", type=WHOLE, metavar="N", help="Processes.  [default: one for each processor]"
)


def shuffled_deal(
    game: Game, *, seed: int | None, day: str | None, budget: int | None, tries: int | None, numbering: str
) -> SolvableDeal:
    """The winnable deal from a number on, or of a day; every shuffle is told on standard error.

    Raises:
        click.UsageError: both a number and a day are given.
        InputError: there is no such number, day or budget.
    """
    from solitaire_lab.solver.solver import load_kernel
    from solitaire_lab.study.solvable import daily_deal, find_solvable

    if day is not None and seed is not None:
        raise click.UsageError("Give --seed or --daily, not both: the date says which shuffles there are.")
    nodes = SHUFFLE_BUDGET if budget is None else budget
    most = TRIES if tries is None else tries
    date_given = None if day is None else _date(day)
    load_kernel(remark)
    if date_given is not None:
        found = daily_deal(game, date_given, numbering=numbering, budget=nodes, tries=most)
    else:
        first = 1 if seed is None else seed
        found = find_solvable(game, seed=first, numbering=numbering, budget=nodes, tries=most)
    for shuffle, attempt in enumerate(found.attempts, 1):
        remark(f"Shuffle {shuffle}, seed {attempt.seed}: {attempt.outcome} after {counted(attempt.nodes, 'node')}.")
    remark(_told(found, nodes, daily=day is not None))
    return found


def _date(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise InputError(f"{text!r} is no date; write year, month and day, such as 2026-12-31.") from None


def _told(found: SolvableDeal, nodes: int, *, daily: bool) -> str:
    """What came of shuffling, in a sentence or two."""
    shuffles, counts = counted(len(found.attempts), "shuffle"), found.counts
    if not found.found:
        advice = [] if daily and len(found.attempts) == DAILY_TRIES else ["more --tries"]
        if counts["undecided"]:
            advice.append("a larger --budget")
            what = f"{counts['loss']:,} lost, {counts['undecided']:,} undecided after {counted(nodes, 'node')}"
        else:
            advice.append("another day" if daily else "another --seed")
            what = f"{'it is' if counts['loss'] == 1 else 'all are'} lost, whatever the budget"
        return f"Error: No winnable deal was found in {shuffles} ({what}); give {' or '.join(advice)}."
    if counts["undecided"]:
        return (
            f"Seed {found.seed} can be won; found in {shuffles}. Of those before it {counts['undecided']:,} were left "
            "undecided, so that another budget or a later solver may find another deal."
        )
    before = " All before it are lost." if counts["loss"] else ""
    return f"Seed {found.seed} can be won; found in {shuffles}.{before}"


@click.command()
@click.argument("folder", metavar="DIR")
@click.option(
    "--outcome",
    type=click.Choice(OUTCOMES),
    default="win",
    show_default=True,
    help="How the deals end that are listed.",
)
@click.option("--cell", "label", metavar="LABEL", help="The cell, by its label or its id; needed if there are several.")
@click.option("--budget", metavar="NAME|N", help="As if run with this budget, or with so many nodes.")
@click.option("--numbering", metavar="NAME", help="Refuse if the numbers count deals of another numbering.")
@click.option("--difficulty", type=click.Choice(BANDS), help="Only won deals that are so difficult.")
@seeds_option
@_workers_option
@json_option
def numbers(
    folder: str,
    *,
    outcome: str,
    label: str | None,
    budget: str | None,
    numbering: str | None,
    difficulty: str | None,
    seeds: SeedRange | None,
    workers: int | None,
    as_json: bool,
) -> None:
    """List the numbers of deals that are proved to be winnable.

    DIR is a results folder. The numbers stand one a line; those of the pysol numbering can be typed into PySolFC as
    they are, those of the microsoft numbering with ms before them.

    With --difficulty, each won deal is played ten times by either policy of simulate. It is easy if greedy wins at
    least half of its plays; hard if no play wins, and the search took more than two nodes for each move of its line;
    else medium.

    \b
    Examples:
      solitaire-lab numbers results/storehouse-run
      solitaire-lab numbers results/pysol-run --numbering pysol --outcome loss
      solitaire-lab numbers results/freecell-run --seeds 1:500 --difficulty easy --json
    """
    from solitaire_lab.reports.difficulty import BANDS as MEANINGS
    from solitaire_lab.reports.difficulty import PLAYS, difficulty_frame
    from solitaire_lab.reports.numbers import proved_deals
    from solitaire_lab.results.store import Store

    if difficulty is not None and outcome != "win":
        raise click.UsageError("--difficulty goes with --outcome win: only won deals have one.")
    proved = proved_deals(
        Store(folder),
        outcome=outcome,
        cell=label,
        numbering=numbering,
        budget=None if budget is None else as_whole(budget),
        seeds=seeds,
    )
    deals = proved.deals
    if difficulty is not None:
        with _plays_bar(2 * PLAYS * len(deals)) as progress:
            deals = difficulty_frame(proved, workers=workers, progress=progress)
        deals = deals[deals["difficulty"] == difficulty]
    cell = proved.planned.cell
    band = "" if difficulty is None else f"; {difficulty} to play: {MEANINGS[difficulty]}"
    remark(
        f"{counted(len(deals), 'deal')} of {cell.label}, {cell.numbering} numbering: {outcome} within "
        f"{counted(proved.budget, 'node')}{band}."
    )
    if as_json:
        emit_json(deals.to_dict("records"))
    elif len(deals):
        emit("\n".join(map(str, deals["seed"].tolist())))


@click.command()
@click.argument("game")
@click.option("--policy", type=click.Choice(POLICIES), required=True, help="How moves are chosen.")
@game_options
@click.option("--deals", type=WHOLE, metavar="N", help=f"Play the first N deals.  [default: {DEALS}]")
@seeds_option
@click.option("--plays", type=WHOLE, default=1, show_default=True, metavar="K", help="Play each deal so many times.")
@click.option(
    "--play-seed", type=WHOLE, default=0, show_default=True, metavar="N", help="Chooses other random numbers."
)
@_workers_option
@json_option
def simulate(
    game: str,
    *,
    policy: str,
    numbering: str,
    variant: str | None,
    settings: Sequence[str],
    deals: int | None,
    seeds: SeedRange | None,
    plays: int,
    play_seed: int,
    workers: int | None,
    as_json: bool,
) -> None:
    """Play deals without foresight, and count the wins.

    That is a player's chance to win, not the share of deals that can be won. A policy sees what a player sees: no
    face-down card, and not the stock. The policy random makes any legal move, each as likely as any other; greedy plays
    to the foundations, turns cards up, builds and fills spaces as most people do at first sight.

    \b
    Examples:
      solitaire-lab simulate klondike --policy greedy
      solitaire-lab simulate storehouse --policy random --seeds 1:500 --plays 10 --json
    """
    from solitaire_lab.reports.play_rates import play_rate
    from solitaire_lab.rules.catalog import resolve
    from solitaire_lab.rules.settings import parse_set
    from solitaire_lab.study.simulate import simulate as simulate_plays

    if deals is not None and seeds is not None:
        raise click.UsageError("Give --deals or --seeds, not both.")
    chosen = resolve(game, variant=variant, overrides=parse_set(settings))
    if seeds is None:
        count = DEALS if deals is None else deals
        if count < 1:
            raise InputError(f"{count} deals can't be played; the number of deals is 1 or more.")
        chosen_seeds = range(1, count + 1)
    else:
        count, chosen_seeds = seeds.count, range(seeds.first, seeds.last + 1)
    with _plays_bar(count * plays) as progress:
        played = simulate_plays(
            chosen,
            policy=policy,
            seeds=chosen_seeds,
            numbering=numbering,
            plays=plays,
            play_seed=play_seed,
            workers=workers,
            progress=progress,
        )
    rate = play_rate(played)
    if as_json:
        emit_json(rate.record())
    else:
        emit(rate.text())


@contextmanager
def _plays_bar(plays: int) -> Iterator[Callable[[int], Any]]:
    """A bar on a terminal that is told how many plays were made."""
    from solitaire_lab.study.progress import QuietBar

    with QuietBar(total=plays, unit=" plays", leave=False, disable=not sys.stderr.isatty()) as bar:
        yield bar.update
