"""Rules by dotted keys, such as ``stock.redeals``: reading, checking and writing them.

A setting is a dotted key with a JSON value. Settings come from game files, study files, positions and the command
line; whatever is wrong with them is told at once, a sentence a mistake.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from pydantic import BaseModel, ValidationError

from solitaire_lab.documents import parse_toml
from solitaire_lab.errors import InputError
from solitaire_lab.rules.model import Rules


class SettingsError(InputError):
    """Settings that are wrong; ``mistakes`` holds a sentence for each, beginning with its key."""

    def __init__(self, *mistakes: str) -> None:
        super().__init__(*mistakes)
        self.mistakes = mistakes

    def __str__(self) -> str:
        if len(self.mistakes) == 1:
            return self.mistakes[0]
        return "\n".join([f"{len(self.mistakes)} settings are wrong:", *(f"  - {text}" for text in self.mistakes)])


@cache
def setting_keys() -> tuple[str, ...]:
    """The dotted key of every rule parameter, in the order of the model."""
    return tuple(
        f"{group}.{field.alias or name}"
        for group, kind in _groups().items()
        for name, field in kind.model_fields.items()
    )


def settings_of(rules: Rules) -> dict[str, Any]:
    """Every rule by its dotted key, as JSON values."""
    return _dotted(rules.model_dump(mode="json", by_alias=True))


def settings_between(base: Rules, rules: Rules) -> dict[str, Any]:
    """The settings that make ``rules`` out of ``base``."""
    before = settings_of(base)
    return {key: value for key, value in settings_of(rules).items() if value != before[key]}


def with_settings(base: Rules, settings: Mapping[str, Any]) -> Rules:
    """The rules with some of them set anew.

    Args:
        base: the rules to begin with.
        settings: dotted keys, nested tables, or both.

    Raises:
        SettingsError: unknown keys, wrong values, or rules that contradict each other; the text lists all of them.
    """
    if not isinstance(settings, Mapping):
        raise SettingsError(
            f'Settings are {value_text(settings)}, but must be a table, such as {{"stock.redeals": 1}}.'
        )
    merged, mistakes, seen = settings_of(base), [], set()
    for key, value in flattened(settings):
        if key in seen:
            mistakes.append(f"{key} is set twice; set it once.")
        elif key in merged:
            merged[key] = value
        else:
            mistakes.append(f"{key} is no rule of a game; {_suggestion(key)}")
        seen.add(key)
    try:
        rules = Rules.model_validate(nested(merged))
    except ValidationError as error:
        raise SettingsError(*mistakes, *_mistakes(error, merged)) from None
    if mistakes:
        raise SettingsError(*mistakes)
    return rules


def parse_set(texts: Sequence[str]) -> dict[str, Any]:
    """Settings from ``key=value`` texts; the value is read as TOML, and where it is no TOML, as text.

    Raises:
        SettingsError: a text is no ``key=value``, or a key stands in two.
    """
    settings: dict[str, Any] = {}
    mistakes = []
    for text in texts:
        key, equals, value = (part.strip() for part in text.partition("="))
        if not key or not equals or not value:
            mistakes.append(f"{text!r} is no setting; write key=value, such as stock.redeals=1.")
        elif key in settings:
            mistakes.append(f"{key} is set twice; set it once.")
        else:
            settings[key] = _toml_value(value)
    if mistakes:
        raise SettingsError(*mistakes)
    return settings


def setting_items(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Settings by dotted key, however they are nested.

    Raises:
        SettingsError: a key stands in them twice, dotted and nested.
    """
    items: dict[str, Any] = {}
    twice = []
    for key, value in flattened(settings):
        if key in items:
            twice.append(f"{key} is set twice; set it once.")
        items[key] = value
    if twice:
        raise SettingsError(*twice)
    return items


def nested(settings: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Dotted keys as tables, a group each."""
    groups: dict[str, dict[str, Any]] = {}
    for key, value in settings.items():
        group, _, name = key.partition(".")
        groups.setdefault(group, {})[name] = value
    return groups


def value_text(value: Any) -> str:
    """A value as it would be written in a file."""
    text = json.dumps(value, default=str)
    return text if len(text) <= 60 else f"{text[:56]} ..."


def nearest(name: str, names: Iterable[str], *, count: int = 3) -> list[str]:
    """The names most like a misspelt one, best first; capitals don't count."""
    by_lower = {candidate.lower(): candidate for candidate in names}
    return [by_lower[found] for found in difflib.get_close_matches(name.lower(), by_lower, n=count, cutoff=0.6)]


def _dotted(groups: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    return {f"{group}.{name}": value for group, names in groups.items() for name, value in names.items()}


def flattened(settings: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Dotted keys and their values, twice what is given twice; an empty table is a value too."""
    for key, value in settings.items():
        if isinstance(value, Mapping) and value:
            yield from flattened(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value


def _suggestion(key: str) -> str:
    """What a key that doesn't exist should have been: the end of a sentence."""
    members = [known for known in setting_keys() if known.startswith(f"{key}.")]
    if members:
        return f"it is a group of rules: {', '.join(members)}."
    group, _, word = key.rpartition(".")
    same_word = [known for known in setting_keys() if known.rpartition(".")[2] == word]
    # In a group that there is, the word alone must be near: what all its keys have in common tells nothing.
    same_group = {known.rpartition(".")[2]: known for known in setting_keys() if known.startswith(f"{group}.")}
    words = same_group or {known.rpartition(".")[2]: known for known in setting_keys()}
    found = same_word or [words[close] for close in nearest(word, words, count=1)]
    if not found and not same_group:
        found = nearest(key, setting_keys(), count=1)
    if found:
        return f"did you mean {' or '.join(found)}?"
    there_are = ", ".join(same_group.values()) if same_group else f"the groups {', '.join(Rules.model_fields)}"
    return f"there are {there_are}; `solitaire-lab rules GAME --json` lists all rules."


def _toml_value(text: str) -> Any:
    try:
        document = parse_toml(f"value = {text}", where=text)
    except InputError:
        return text
    return document["value"] if len(document) == 1 else text


def _mistakes(error: ValidationError, settings: Mapping[str, Any]) -> list[str]:
    """A validation error in words: a sentence for each wrong value, or for each contradiction."""
    wrong: dict[str, str] = {}
    contradictions = []
    for detail in error.errors(include_url=False):
        if not detail["loc"]:
            contradictions += [f"{reason}." for reason in detail["ctx"]["error"].args]
            continue
        key = ".".join(map(str, detail["loc"][:2]))
        wrong[key] = f"{key} is {value_text(settings[key])}, but must be {allowed_values(key)}."
    return [*wrong.values(), *contradictions]


def allowed_values(key: str) -> str:
    """What a rule may be set to, in words."""
    group, _, name = key.partition(".")
    *others, last = _schema_texts(_schemas()[group][name])
    comma = "," if others and " " in others[0] else ""
    return f"{', '.join(others)}{comma} or {last}" if others else last


def _groups() -> dict[str, type[BaseModel]]:
    """The model of every group of rules, by its key."""
    kinds = {name: field.annotation for name, field in Rules.model_fields.items()}
    return {name: kind for name, kind in kinds.items() if isinstance(kind, type) and issubclass(kind, BaseModel)}


@cache
def _schemas() -> dict[str, dict[str, Any]]:
    """The JSON schema of every rule, by group and name."""
    schema = Rules.model_json_schema()
    return {name: schema["$defs"][kind.__name__]["properties"] for name, kind in _groups().items()}


def _schema_texts(schema: Mapping[str, Any]) -> list[str]:
    if "anyOf" in schema:
        return [text for part in schema["anyOf"] for text in _schema_texts(part)]
    if "enum" in schema or "const" in schema:
        return [str(value) for value in schema.get("enum", [schema.get("const")])]
    if schema["type"] == "integer":
        return [f"a whole number from {schema['minimum']} to {schema['maximum']}"]
    if schema["type"] == "boolean":
        return ["true", "false"]
    return ["a list of whole numbers (one for each column)"]
