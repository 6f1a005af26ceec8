"""``faq``: what game sites say of a game, filled in from a study."""

from __future__ import annotations

import click

from solitaire_lab.cli.options import WHOLE, as_whole, json_option
from solitaire_lab.cli.output import emit, emit_json

LANGUAGES = ("en", "de")
FORMATS = ("text", "markdown")
TRIES = 20


@click.command()
@click.argument("folder", metavar="DIR")
@click.option("--game", metavar="NAME", help="Only the cell with this label, or all of this game.")
@click.option("--lang", type=click.Choice(LANGUAGES), default="en", show_default=True, help="The language.")
@click.option(
    "--deal-budget",
    metavar="NAME|N",
    help="The search when cards are dealt.  [default: the study's budget deal, if any]",
)
@click.option(
    "--hint-budget",
    metavar="NAME|N",
    help="The search behind a hint.  [default: the study's budget hint, or its largest]",
)
@click.option(
    "--tries",
    type=WHOLE,
    default=TRIES,
    show_default=True,
    metavar="N",
    help="Shuffles after which a site gives up looking for a winnable deal.",
)
@click.option("--format", "style", type=click.Choice(FORMATS), default="text", show_default=True, help="How to print.")
@json_option
def faq(
    folder: str,
    *,
    game: str | None,
    lang: str,
    deal_budget: str | None,
    hint_budget: str | None,
    tries: int,
    style: str,
    as_json: bool,
) -> None:
    """Answer what players ask, with the numbers of a study.

    DIR is a results folder. Can every deal be won, how does the game compare, how many shuffles does a winnable deal
    take? Each answer has a line with what a reader needs to check it; published figures stand beside ours.

    Shuffles are counted as deal --solvable makes them, one seed after another, but with the short search and the few
    tries of a site that keeps a player waiting: --deal-budget and --tries are what --budget and --tries are there.

    \b
    Examples:
      solitaire-lab faq results/faq-run
      solitaire-lab faq results/faq-run --game storehouse --lang de --format markdown
      solitaire-lab faq results/sources/run --deal-budget 2000 --game shamrocks
    """
    from solitaire_lab.reports.faq.numbers import game_faqs
    from solitaire_lab.reports.faq.page import faq_record, render_faq
    from solitaire_lab.results.store import Store

    faqs = game_faqs(
        Store(folder),
        game=game,
        deal_budget=None if deal_budget is None else as_whole(deal_budget),
        hint_budget=None if hint_budget is None else as_whole(hint_budget),
        tries=tries,
    )
    if as_json:
        emit_json([faq_record(answers, lang) for answers in faqs])
    else:
        emit(render_faq(faqs, language=lang, style=style).rstrip("\n"))
