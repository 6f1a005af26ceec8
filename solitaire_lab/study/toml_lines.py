"""Where in a TOML file a key stands, for messages: the standard reader doesn't say."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

Keys = tuple[str | int, ...]
"""Keys from the top down; the tables of an array are counted from 0."""

_HEADER = re.compile(r"\s*(\[\[?)([^\[\]]+)\]\]?\s*(#.*)?")
_KEY = re.compile(r"""\s*((?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*'))*)\s*=""")
_PART = re.compile(r"""[A-Za-z0-9_-]+|"[^"]*"|'[^']*'""")


def key_lines(text: str) -> dict[Keys, int]:
    """The line, counted from 1, of every table header and of every key that begins a line.

    Keys within inline tables and within text of several lines are not told apart from others; a message can do with
    the line of the key around them.
    """
    lines: dict[Keys, int] = {}
    arrays: Counter[Keys] = Counter()
    table: Keys = ()
    for number, line in enumerate(text.splitlines(), 1):
        if header := _HEADER.fullmatch(line):
            table = ()
            for part in _parts(header[2])[:-1]:
                table = _within(arrays, (*table, part))
            table = (*table, _parts(header[2])[-1])
            if header[1] == "[[":
                arrays[table] += 1
            table = _within(arrays, table)
            lines.setdefault(table, number)
        elif key := _KEY.match(line):
            lines.setdefault((*table, *_parts(key[1])), number)
    return lines


def line_of(path: Keys, lines: Mapping[Keys, int]) -> int | None:
    """The first line of a key or of what is below it, else that of the nearest table around it."""
    for depth in range(len(path), 0, -1):
        if found := [line for known, line in lines.items() if known[:depth] == path[:depth]]:
            return min(found)
    return None


def _within(arrays: Mapping[Keys, int], table: Keys) -> Keys:
    """The latest table of an array, if the name is that of one."""
    return (*table, arrays[table] - 1) if table in arrays else table


def _parts(text: str) -> tuple[str, ...]:
    return tuple(part.strip("\"'") for part in _PART.findall(text))
