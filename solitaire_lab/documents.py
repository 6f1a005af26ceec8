"""JSON and TOML that people wrote."""

from __future__ import annotations

import json
import tomllib
from typing import Any

from solitaire_lab.errors import InputError

_DEEPEST = 50
"""Tables and lists within each other."""
_LONGEST = 10**100
"""No whole number that means anything is so large; Python refuses to print those of more than 4,300 digits."""


def parse_json(text: str | bytes, *, where: str) -> Any:
    """Read JSON; ``where`` names its place in messages.

    Raises:
        InputError: the text is no JSON, is nested too deeply, or holds a number that is too long.
    """
    try:
        value = json.loads(text)
    except UnicodeDecodeError as error:
        raise InputError(f"{where} is not UTF-8 text: byte {error.start} is wrong.") from None
    except json.JSONDecodeError as error:
        raise InputError(f"{where} is no JSON: {error.msg} in line {error.lineno}, column {error.colno}.") from None
    except (ValueError, RecursionError):
        raise _immoderate(where, "JSON") from None
    return _moderate(value, where, "JSON")


def parse_toml(text: str, *, where: str) -> dict[str, Any]:
    """Read TOML; ``where`` names its place in messages.

    Raises:
        InputError: the text is no TOML, is nested too deeply, or holds a number that is too long.
    """
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{where} is no TOML: {str(error)[:1].lower()}{str(error)[1:]}.") from None
    except (ValueError, RecursionError):
        raise _immoderate(where, "TOML") from None
    _moderate(document, where, "TOML")
    return document


def _moderate(document: Any, where: str, language: str) -> Any:
    """What was read, unless its depth or its numbers are more than what is done with them can take.

    The readers stop later, or not at all: at dotted keys, and at numbers in hexadecimal.
    """
    level = [document]
    for _ in range(_DEEPEST + 1):
        if any(isinstance(value, int) and abs(value) >= _LONGEST for value in level):
            break
        level = [inner for value in level for inner in _within(value)]
        if not level:
            return document
    raise _immoderate(where, language)


def _within(value: Any) -> list[Any]:
    return list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []


def _immoderate(where: str, language: str) -> InputError:
    return InputError(f"{where} is no {language} that can be read: it is nested too deeply or a number is too long.")
