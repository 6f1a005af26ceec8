"""The games: one TOML file each, found by name, alias or variant."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from solitaire_lab.documents import parse_toml
from solitaire_lab.errors import InputError
from solitaire_lab.rules.dealing import DealProcedure, deal_facts
from solitaire_lab.rules.model import Rules
from solitaire_lab.rules.settings import nearest, settings_between, with_settings


class _Record(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Source(_Record):
    """Where a rule was read."""

    name: str
    says: str


class Reading(_Record):
    """One way to read an open point."""

    text: str
    settings: dict[str, Any] | None = Field(None, alias="set")
    """What chooses it, for the default reading what the game has anyway; empty if no rule depends on it, None if it
    can't be chosen."""


class OpenPoint(_Record):
    """A point on which sources differ or are silent."""

    point: str
    readings: tuple[Reading, ...] = Field(min_length=1)
    """The default first."""
    why: str
    """Why the first reading is the default."""


class Figure(_Record):
    """What others have published about a game."""

    text: str
    source: str


class Variant(_Record):
    """A game with some rules overridden, under a name of its own."""

    title: str
    settings: dict[str, Any] = Field(alias="set")


class GameFile(_Record):
    """What a game's TOML file holds."""

    title: str
    aliases: tuple[str, ...] = ()
    summary: str
    rules: Rules
    sources: tuple[Source, ...] = ()
    open_points: tuple[OpenPoint, ...] = ()
    figures: tuple[Figure, ...] = ()
    variants: dict[str, Variant] = {}
    dealings: tuple[DealProcedure, ...]


@dataclass(frozen=True, kw_only=True)
class Game:
    """A game with its rules resolved. Games of equal name and equal rules are equal."""

    name: str
    """The name of the game's file, such as ``storehouse``; a variant has the name of its game."""
    variant: str | None
    """The name of the variant whose rules these are, if any."""
    rules: Rules
    overrides: dict[str, Any]
    """What differs from the game's own rules, by dotted key, as JSON values."""
    file: GameFile = field(repr=False, compare=False)

    @property
    def title(self) -> str:
        """The game's or the variant's title."""
        return self.file.title if self.variant is None else self.file.variants[self.variant].title

    @property
    def aliases(self) -> tuple[str, ...]:
        """Other names of the game."""
        return self.file.aliases

    @property
    def summary(self) -> str:
        """The game in a sentence or two."""
        return self.file.summary

    @property
    def sources(self) -> tuple[Source, ...]:
        """Where the rules were read."""
        return self.file.sources

    @property
    def open_points(self) -> tuple[OpenPoint, ...]:
        """Points on which the sources differ or are silent."""
        return self.file.open_points

    @property
    def figures(self) -> tuple[Figure, ...]:
        """Published figures."""
        return self.file.figures

    @property
    def variants(self) -> dict[str, Variant]:
        """The named variants of the game."""
        return self.file.variants

    @property
    def dealings(self) -> tuple[DealProcedure, ...]:
        """How packs are laid out, for every numbering that the game has."""
        return self.file.dealings

    def misfits(self, procedure: DealProcedure) -> dict[str, tuple[Any, Any]]:
        """The rules that keep a deal procedure of this game from holding: key, what it needs, what is given."""
        if procedure.settings == "any":
            return {}
        needed = deal_facts(with_settings(self.file.rules, procedure.settings))
        given = deal_facts(self.rules)
        differing = {key: (needed[key], given[key]) for key in needed if needed[key] != given[key]}
        if "tableau.columns" in differing:
            differing.pop("tableau.layout", None)
            differing.pop("tableau.down", None)
        return differing


def game_names() -> tuple[str, ...]:
    """The names of all games, sorted."""
    folder = resources.files("solitaire_lab.rules") / "games"
    return tuple(sorted(path.name.removesuffix(".toml") for path in folder.iterdir() if path.name.endswith(".toml")))


def is_game(name: str) -> bool:
    """Whether a game or a variant goes by this name; capitals, spaces and hyphens don't count."""
    return _folded(name) in _index()


def is_file_name(name: str) -> bool:
    """Whether a file is meant and no game: no name of a game has a dot or a slash."""
    return "." in name or "/" in name


def resolve(name: str, *, variant: str | None = None, overrides: Mapping[str, Any] = {}) -> Game:
    """The game of a name, with some rules overridden.

    Args:
        name: a game's name, one of its other names, or the name of a variant. Capitals, spaces and hyphens don't
            count.
        variant: a variant of the game, with or without the game's name before it (``storehouse-en`` or ``en``).
        overrides: settings on top, as dotted keys or nested tables.

    Raises:
        InputError: there is no such game or variant; the text offers the nearest.
        SettingsError: the overrides are wrong; the text lists every mistake.
    """
    if not is_game(name):
        raise InputError(f"There is no game {name!r}; {_right_game(name)}")
    game, own_variant = _index()[_folded(name)]
    file = _load(game)
    if variant is not None:
        named = _find_variant(game, variant)
        if own_variant not in (None, named):
            raise InputError(f"{name} is a variant itself, other than {named}; name one of them.")
        own_variant = named
    rules = file.rules if own_variant is None else with_settings(file.rules, file.variants[own_variant].settings)
    rules = with_settings(rules, overrides)
    return Game(
        name=game,
        variant=_variant_of(game, rules),
        rules=rules,
        overrides=settings_between(file.rules, rules),
        file=file,
    )


def _find_variant(game: str, name: str) -> str:
    variants = _load(game).variants
    for known in variants:
        if _folded(name) in (_folded(known), _folded(known.removeprefix(game))):
            return known
    raise InputError(f"{game} has no variant {name!r}; {_right_variant(name, variants)}")


def _variant_of(game: str, rules: Rules) -> str | None:
    """The variant that has exactly these rules."""
    return next((name for name, known in _variant_rules(game).items() if known == rules), None)


@cache
def _variant_rules(game: str) -> dict[str, Rules]:
    file = _load(game)
    return {name: with_settings(file.rules, variant.settings) for name, variant in file.variants.items()}


@cache
def _load(game: str) -> GameFile:
    path = resources.files("solitaire_lab.rules") / "games" / f"{game}.toml"
    return GameFile.model_validate(parse_toml(path.read_text(encoding="utf-8"), where=path.name))


@cache
def _index() -> dict[str, tuple[str, str | None]]:
    """Game and variant by every name, folded."""
    index: dict[str, tuple[str, str | None]] = {}
    for game in game_names():
        file = _load(game)
        index |= {_folded(variant): (game, variant) for variant in file.variants}
        index |= {_folded(name): (game, None) for name in (game, file.title, *file.aliases)}
    return index


def _all_names() -> list[str]:
    files = {game: _load(game) for game in game_names()}
    return [name for game, file in files.items() for name in (game, *file.variants, *file.aliases)]


def _right_game(name: str) -> str:
    """What a name that no game has should have been: the end of a sentence."""
    if is_file_name(name):
        return (
            "games are not read from files. A game of your own is one of `solitaire-lab games` with rules changed by "
            "--set, or in a study's [[cells]] by set; `solitaire-lab run STUDY.toml` runs a study."
        )
    near = nearest(name, _all_names())
    return f"did you mean {' or '.join(near)}?" if near else "`solitaire-lab games` lists all."


def _right_variant(name: str, variants: Collection[str]) -> str:
    near = nearest(name, variants)
    if near:
        return f"did you mean {' or '.join(near)}?"
    return f"there are {', '.join(variants)}." if variants else "it has none."


def _folded(name: str) -> str:
    return "".join(name.lower().replace("-", " ").replace("_", " ").split())
