"""How to go on with a study or make its results again: its file, its commands, and the versions that made it."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from solitaire_lab.errors import InputError
from solitaire_lab.results.manifest import Manifest
from solitaire_lab.results.parquet import remedy
from solitaire_lab.rules.catalog import resolve
from solitaire_lab.study.model import study_of_game
from solitaire_lab.study.sizes import parse_size, size_text
from solitaire_lab.study.status import status

if TYPE_CHECKING:
    from solitaire_lab.results.cell import PlannedCell
    from solitaire_lab.results.parquet import Part
    from solitaire_lab.results.store import Store

_BARE = re.compile("[A-Za-z0-9_-]+")
"""Keys that a study file needs no quotes for."""


def study_text(manifest: Manifest) -> str:
    """A study file with the cells of a results folder, of which there is at least one, as ``load_study`` reads it.

    A study gives all its cells one size of memory; where the cells of the folder have several, as after runs with
    different ones, it gives that of the first.
    """
    entries = [
        {"seeds": str(planned.seeds), "numbering": planned.cell.numbering, "budgets": dict(planned.budgets)}
        for planned in manifest.cells
    ]
    shared = {key: value for key, value in entries[0].items() if all(entry[key] == value for entry in entries)}
    head = {"name": manifest.study, **shared, "memory": manifest.cells[0].cell.table_bytes}
    lines = [f"{key} = {_toml(value)}" for key, value in head.items()]
    for planned, entry in zip(manifest.cells, entries, strict=True):
        cell = planned.cell
        own = {"game": cell.game, "label": cell.label, "set": cell.overrides, **entry}
        lines += ["", "[[cells]]"]
        lines += [f"{key} = {_toml(value)}" for key, value in own.items() if key not in shared and value]
    return "\n".join(lines) + "\n"


def solve_command(planned: PlannedCell, seed: int) -> str:
    """The command that decides one deal of a cell again."""
    words = ["solitaire-lab", "solve", planned.cell.game, "--seed", str(seed), *_options(planned)]
    return shlex.join(words)


def unfinished_note(store: Store) -> str | None:
    """How much of a study is done, and the command that goes on with it, in a sentence or two; None if all is done.

    Raises:
        InputError: a file is damaged or can't be read.
    """
    manifest, cells = store.manifest(), status(store)
    missing, deals = sum(cell.missing for cell in cells), sum(cell.seeds.count for cell in cells)
    if not missing:
        return None
    most = "" if all(cell.precision is None for cell in cells) else "at most "
    words = _game_words(manifest)
    how = "this command goes on" if words else "the command that began it goes on"
    command = shlex.join(["solitaire-lab", "run", *(words or ["STUDY.toml"]), "--out", str(store.path)])
    return (
        f"The study {manifest.study!r} is unfinished: {deals - missing:,} of {most}{deals:,} deals are done; {how}: "
        f"{command}"
    )


def _game_words(manifest: Manifest) -> list[str] | None:
    """The game, and its options, of which ``run`` makes such a manifest; None if there is none, so that a study file
    has made it."""
    first = manifest.cells[0]
    cell = first.cell
    try:
        study = study_of_game(
            resolve(cell.game, overrides=cell.overrides),
            seeds=first.most,
            budget=first.budget,
            precision=first.precision,
            numbering=cell.numbering,
            memory=cell.table_bytes,
        )
    except InputError:
        return None
    if Manifest(study.name, tuple(one.planned for one in study.cells)) != manifest:
        return None
    precision = [] if first.precision is None else ["--precision", f"{first.precision:g}"]
    return [cell.game, "--seeds", str(first.most), *precision, *_options(first)]


def _options(planned: PlannedCell) -> list[str]:
    """Whose deals are searched, and how far."""
    cell, words = planned.cell, []
    if cell.numbering != "lab":
        words += ["--numbering", cell.numbering]
    for key, value in cell.overrides.items():
        words += ["--set", f"{key}={value if isinstance(value, str) else _toml(value)}"]
    return [*words, "--budget", str(planned.budget), "--memory", _size(cell.table_bytes)]


def _size(count: int) -> str:
    """A size of memory as an option takes it, such as ``256MiB``."""
    text = size_text(count).replace(" ", "")
    return text if count >= 1024 and parse_size(text) == count else str(count)


def versions(store: Store) -> list[dict[str, str]]:
    """The versions of programs that wrote the rows of a results folder, each set of them once.

    Raises:
        InputError: a file is damaged or can't be read.
    """
    found = set()
    for planned in store.manifest().cells:
        for block in store.blocks(planned.cell.id):
            if block in planned.seeds.blocks:
                part = store.part(planned.cell.id, block, columns=["seed"])
                found |= set() if part is None else {_versions_of(part)}
    return [dict(entries) for entries in sorted(found)]


def _versions_of(part: Part) -> tuple[tuple[str, str], ...]:
    """What the footer of a block says about versions, as pairs of name and version."""
    try:
        entries = json.loads(part.footer["solitaire_lab.versions"])
        return tuple((str(name), str(version)) for name, version in entries.items())
    except (KeyError, ValueError, AttributeError):
        raise InputError(f"{part.path} is damaged (its footer is incomplete); {remedy(part.path)}") from None


def _toml(value: Any) -> str:
    """A value of a study file: a text, a number, a boolean, or a list or table of them."""
    if isinstance(value, Mapping):
        entries = (f"{key if _BARE.fullmatch(key) else _toml(key)} = {_toml(inner)}" for key, inner in value.items())
        return f"{{ {', '.join(entries)} }}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_toml, value))}]"
    # A JSON text is a TOML text, but for a sign that JSON lets stand.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
