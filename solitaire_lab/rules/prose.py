"""A game as a rules page: its rules in words, where they come from, and what is open about them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from solitaire_lab.paragraphs import paragraph
from solitaire_lab.rules.catalog import Game, OpenPoint
from solitaire_lab.rules.settings import setting_items, settings_of, value_text
from solitaire_lab.rules.wording import sections


def describe(game: Game) -> str:
    """A game's rules page, as plain text of 80 columns."""
    return "\n".join(_page(game)) + "\n"


def _page(game: Game) -> Iterator[str]:
    yield from (game.title, "=" * len(game.title), "")
    yield from paragraph(game.summary)
    if game.aliases:
        yield from paragraph(f"Other names: {', '.join(game.aliases)}.")
    if game.overrides:
        yield from paragraph(f"Differs from {game.name} in {_settings_text(game.overrides)}.")
    for heading, sentences in sections(game.rules):
        yield from ("", heading)
        yield from paragraph(" ".join(sentences), indent=2)
    if game.sources:
        yield from ("", "Where the rules come from")
        for source in game.sources:
            yield from _item(f"{source.name}: {source.says}")
    if game.open_points:
        yield from ("", "Open points (sources differ or are silent; the first reading is the default)")
        for number, point in enumerate(game.open_points, 1):
            yield from _open_point(number, point, settings_of(game.rules))
    if game.figures:
        yield from ("", "Published figures")
        for figure in game.figures:
            yield from _item(f"{figure.source}: {figure.text}")
    if game.variants:
        yield from ("", "Variants")
        for name, variant in game.variants.items():
            yield from _item(f"{name}: {variant.title}; {_settings_text(setting_items(variant.settings))}.")
    yield from ("", "Numbered deals")
    for procedure in game.dealings:
        holds = "" if not game.misfits(procedure) else " (not under these settings)"
        yield from _item(f"{' and '.join(procedure.numberings)}: the deals of {procedure.program}{holds}.")


def _open_point(number: int, point: OpenPoint, settings: dict[str, Any]) -> Iterator[str]:
    yield from paragraph(f"{number}. {point.point}", indent=2, hang=3)
    for place, reading in enumerate(point.readings):
        notes = ["default"] if place == 0 else []
        if reading.settings is None:
            notes.append("not offered")
        elif reading.settings:
            items = setting_items(reading.settings)
            notes.append(_settings_text(items))
            if place and all(settings[key] == value for key, value in items.items()):
                notes.append("chosen here")
        yield from paragraph(f"- {reading.text} [{'; '.join(notes)}]", indent=5, hang=2)
    yield from paragraph(point.why, indent=5)


def _settings_text(settings: dict[str, Any]) -> str:
    return ", ".join(
        f"{key}={value if isinstance(value, str) else value_text(value)}" for key, value in settings.items()
    )


def _item(text: str) -> list[str]:
    return paragraph(f"- {text}", indent=2, hang=2)
