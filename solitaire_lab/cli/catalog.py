"""``games`` and ``rules``: what can be played."""

from __future__ import annotations

from collections.abc import Sequence

import click

from solitaire_lab.cli.options import json_option, rule_options
from solitaire_lab.cli.output import emit, emit_json
from solitaire_lab.paragraphs import paragraph


@click.command()
@json_option
def games(*, as_json: bool) -> None:
    """List the games, their names and variants.

    \b
    Example:
      solitaire-lab games
    """
    from solitaire_lab.rules.catalog import game_names, resolve

    known = [resolve(name) for name in game_names()]
    if as_json:
        emit_json(
            [
                {
                    "name": game.name,
                    "title": game.title,
                    "aliases": list(game.aliases),
                    "variants": {name: variant.title for name, variant in game.variants.items()},
                    "summary": game.summary,
                }
                for game in known
            ]
        )
        return
    for game in known:
        lines = paragraph(f"{game.name}: {game.summary}", hang=2)
        if game.aliases:
            lines += paragraph(f"also called {', '.join(game.aliases)}", indent=2, hang=2)
        for name, variant in game.variants.items():
            lines += paragraph(f"variant {name}: {variant.title}", indent=2, hang=2)
        emit("\n".join(lines))


@click.command()
@click.argument("game")
@rule_options
@json_option
def rules(game: str, *, variant: str | None, settings: Sequence[str], as_json: bool) -> None:
    """Tell the rules of a game in words.

    Where they come from is told too, what the sources leave open, and how that is read here.

    \b
    Examples:
      solitaire-lab rules storehouse
      solitaire-lab rules storehouse --set stock.redeals=0
    """
    from solitaire_lab.rules.catalog import resolve
    from solitaire_lab.rules.prose import describe
    from solitaire_lab.rules.settings import parse_set, settings_of

    chosen = resolve(game, variant=variant, overrides=parse_set(settings))
    if as_json:
        emit_json({"game": chosen.name, "set": chosen.overrides, "rules": settings_of(chosen.rules)})
    else:
        emit(describe(chosen).rstrip("\n"))
