"""Study files: TOML in, a ``Study`` out, and every mistake named at once."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PlainValidator, ValidationError

from solitaire_lab.deals.numberings import NUMBERINGS
from solitaire_lab.documents import parse_toml
from solitaire_lab.errors import InputError
from solitaire_lab.results.rows import SeedRange
from solitaire_lab.rules.catalog import resolve
from solitaire_lab.rules.settings import SettingsError, nearest, setting_items
from solitaire_lab.study.model import (
    Study,
    StudyCell,
    check_budget,
    check_precision,
    game_label,
    setting_label,
    study_cell,
)
from solitaire_lab.study.sizes import parse_size
from solitaire_lab.study.toml_lines import Keys, key_lines, line_of

ENDING = ".toml"
"""Of the names of study files."""
EXAMPLE = 'name = "first"\nseeds = "1:100"\nbudgets = { run = 10_000 }\n[[cells]]\ngame = "storehouse"'


def _seeds(value: Any) -> SeedRange:
    if not isinstance(value, str):
        raise InputError(f'{value!r} is no range of seeds; write the first and the last seed, such as "1:100".')
    return SeedRange.parse(value)


def _numbering(value: Any) -> Any:
    if value not in NUMBERINGS:
        raise InputError(f"{value!r} is no numbering; numberings are {', '.join(NUMBERINGS)}.")
    return value


def _memory(value: Any) -> Any:
    if type(value) is int and value > 0:
        return value
    if not isinstance(value, str):
        raise InputError(f'{value!r} is no size of memory; write bytes, or text such as "256MB".')
    return parse_size(value)


def _budget_name(value: Any) -> Any:
    if isinstance(value, str) and value.isdigit():
        raise InputError(f"{value!r} is no name for a budget; a number would be taken for nodes.")
    return value


Seeds = Annotated[SeedRange, PlainValidator(_seeds)]
Numbering = Annotated[str, BeforeValidator(_numbering)]
Memory = Annotated[int, BeforeValidator(_memory)]
Precision = Annotated[float, PlainValidator(check_precision)]
Text = Annotated[str, Field(strict=True, min_length=1)]
Budgets = Annotated[
    dict[Annotated[Text, BeforeValidator(_budget_name)], Annotated[int, PlainValidator(check_budget)]],
    Field(min_length=1),
]


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, arbitrary_types_allowed=True)


class _Head(_Table):
    """The top of a study file; what it says of all cells, each may say for itself."""

    name: Text
    seeds: Seeds | None = None
    numbering: Numbering = "lab"
    budgets: Budgets | None = None
    precision: Precision | None = None
    memory: Memory | None = None
    cells: list[dict[str, Any]] = []
    grid: list[dict[str, Any]] = []


class _Entry(_Table):
    """One ``[[cells]]`` or ``[[grid]]`` table."""

    game: Text
    label: Text | None = None
    variant: Text | None = None
    set: dict[str, Any] = {}
    seeds: Seeds | None = None
    numbering: Numbering | None = None
    budgets: Budgets | None = None
    precision: Precision | None = None


class _Problem(NamedTuple):
    path: Keys
    text: str
    """A sentence."""


class _Wish(NamedTuple):
    """A cell before its game is looked up: where the file asks for it, and with which settings."""

    path: Keys
    entry: _Entry
    settings: Mapping[str, Any]
    varied: Mapping[str, Any] | None = None
    """For a cell of a grid, its settings that are not those of all cells of the grid."""


class _Instead(NamedTuple):
    """What is said of every cell elsewhere than in the file."""

    seeds: SeedRange | None
    else_seeds: SeedRange | None
    """If the file says none."""
    budgets: Mapping[str, int] | None
    memory: int | None


def load_study(
    path: Path | str,
    *,
    seeds: SeedRange | None = None,
    else_seeds: SeedRange | None = None,
    budget: int | None = None,
    memory: int | None = None,
) -> Study:
    """Read a study file.

    Args:
        seeds: For every cell, instead of what the file says; it then need not say any.
        else_seeds: For every cell of which the file says none; it then need not say any either.
        budget: The one budget of every cell, in nodes, likewise.
        memory: Bytes of one search's table, likewise.

    Raises:
        InputError: the file can't be read, does not end in ``.toml`` or is no study; the text names every mistake with
            its key and line. Or the budget is out of range.
    """
    path = Path(path)
    instead = _Instead(seeds, else_seeds, None if budget is None else {"run": check_budget(budget)}, memory)
    text = _read(path)
    record = parse_toml(text, where=str(path))
    problems: list[_Problem] = []
    cells: list[StudyCell] = []
    head = _parsed(_Head, record, (), problems)
    wishes = list(_wishes(record, problems))
    if head is not None:
        problems += _lacking(wishes, head, instead)
    for wish in wishes:
        try:
            cell = _cell(wish, head, instead)
            cells += [cell] if cell else []
        except SettingsError as error:
            problems += [_Problem((*wish.path, "set"), mistake) for mistake in error.mistakes]
        except InputError as error:
            problems.append(_Problem(wish.path, str(error)))
    twice = [label for label, count in Counter(cell.label for cell in cells).items() if count > 1]
    problems += [_Problem((), f"Several cells are called {label!r}; give each a label of its own.") for label in twice]
    if not (record.get("cells") or record.get("grid")):
        problems.append(_Problem((), "There are no cells; give a [[cells]] or a [[grid]] table."))
    if head is None or problems:
        raise InputError(_report(path, problems, key_lines(text)))
    return Study(head.name, tuple(cells))


def _read(path: Path) -> str:
    if not path.name.endswith(ENDING) and not path.is_dir():
        raise InputError(f"{path} does not end in {ENDING}, as study files do; {_right_file(path)}")
    try:
        # Written by some editors on Windows, a byte-order mark is no part of the text.
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise InputError(f"{path} does not exist; {_right_file(path)}") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is no UTF-8 text (byte {error.start}); save it as UTF-8.") from None
    except OSError as error:
        raise InputError(f"{path} can't be read: {error.strerror}.") from None


def _right_file(path: Path) -> str:
    """What a name that is none of a study file should have been: the end of a sentence."""
    near = nearest(path.stem, (other.stem for other in path.parent.glob(f"*{ENDING}")))
    if near:
        return f"did you mean {' or '.join(str(path.with_name(f'{name}{ENDING}')) for name in near)}?"
    return f"a study is a TOML file such as:\n{EXAMPLE}"


def _parsed(model: type[Any], record: Any, at: Keys, problems: list[_Problem]) -> Any:
    """The record as the model, or None and its mistakes among the problems."""
    try:
        return model.model_validate(record)
    except ValidationError as error:
        for detail in error.errors():
            path = (*at, *(step for step in detail["loc"] if step != "[key]"))
            problems.append(_Problem(path, _sentence(detail, list(model.model_fields))))
        return None


def _sentence(detail: Any, keys: Sequence[str]) -> str:
    """What is wrong, from pydantic's account of it."""
    kind = detail["type"]
    if kind == "extra_forbidden":
        near = nearest(str(detail["loc"][-1]), keys, count=1)
        return (
            f"There is no such key; did you mean {near[0]}?"
            if near
            else f"There is no such key; keys are {', '.join(keys)}."
        )
    if kind == "missing":
        return "This key is missing."
    if kind == "value_error":
        return str(detail["ctx"]["error"])
    if kind == "too_short":
        return "It is empty; give at least one."
    return f"{detail['msg'].replace('Input should', 'This should')}, not {detail['input']!r}."


def _wishes(record: Mapping[str, Any], problems: list[_Problem]) -> Iterator[_Wish]:
    """Every cell that the file asks for, cells before grids."""
    for name in ("cells", "grid"):
        tables = record.get(name)
        for index, table in enumerate(tables if isinstance(tables, list) else []):
            if isinstance(table, dict) and (entry := _parsed(_Entry, table, (name, index), problems)) is not None:
                try:
                    settings = setting_items(entry.set)
                except SettingsError as error:
                    problems += [_Problem((name, index, "set"), mistake) for mistake in error.mistakes]
                    continue
                if name == "cells":
                    yield _Wish((name, index), entry, settings)
                else:
                    yield from _combinations((name, index), entry, settings, problems)


def _combinations(at: Keys, entry: _Entry, settings: Mapping[str, Any], problems: list[_Problem]) -> Iterator[_Wish]:
    """A cell for every combination of the values listed, labelled by the settings that have several."""
    choices = {key: value if isinstance(value, list) else [value] for key, value in settings.items()}
    empty = [key for key, among in choices.items() if not among]
    problems += [_Problem((*at, "set", *key.split(".")), "This list has no values.") for key in empty]
    for values in itertools.product(*choices.values()):
        combination = dict(zip(choices, values, strict=True))
        varied = {key: value for key, value in combination.items() if len(choices[key]) > 1}
        yield _Wish(at, entry, combination, varied)


def _lacking(wishes: Sequence[_Wish], head: _Head, instead: _Instead) -> Iterator[_Problem]:
    """What cells have neither of themselves nor from elsewhere: seeds and budgets, each told once."""
    for key, example, option in (
        ("seeds", 'seeds = "1:100"', "--seeds or --deals"),
        ("budgets", "budgets = { run = 10_000 }", "--budget"),
    ):
        if getattr(instead, key) or getattr(head, key) or (key == "seeds" and instead.else_seeds):
            continue
        without = list(dict.fromkeys(wish.path for wish in wishes if not getattr(wish.entry, key)))
        if len(without) == 1:
            text = f"It has no {key}; give {example} here or at the top of the file, or {option}."
            yield _Problem(without[0], text)
        elif without:
            who = "Its cells" if len(without) == len(head.cells) + len(head.grid) else ", ".join(map(_key, without))
            text = f"{who} have no {key}; give {example} at the top of the file or in each of them, or {option}."
            yield _Problem((), text)


def _cell(wish: _Wish, head: _Head | None, instead: _Instead) -> StudyCell | None:
    """The cell that is wished for, or None if the file does not tell enough of it."""
    entry = wish.entry
    game = resolve(entry.game, variant=entry.variant, overrides=wish.settings)
    if head is None:
        return None
    seeds = instead.seeds or entry.seeds or head.seeds or instead.else_seeds
    budgets = instead.budgets or entry.budgets or head.budgets
    if seeds is None or budgets is None:
        return None
    if wish.varied is None:
        label = entry.label or game_label(game)
    else:
        label = setting_label(entry.label or entry.variant or entry.game, wish.varied)
    return study_cell(
        game,
        label,
        seeds,
        budgets,
        numbering=entry.numbering or head.numbering,
        memory=head.memory if instead.memory is None else instead.memory,
        precision=entry.precision or head.precision,
    )


def _report(file: Path, problems: Sequence[_Problem], lines: Mapping[Keys, int]) -> str:
    # The cells of a grid share their mistakes.
    placed = sorted({(line_of(path, lines) or 0, path, text): None for path, text in problems}, key=lambda at: at[0])
    texts = []
    for line, path, text in placed:
        place = ", ".join(filter(None, (f"line {line}" if line else "", _key(path))))
        texts.append(f"{place}: {text}" if place else text)
    if len(texts) == 1:
        return f"{file}, {texts[0]}" if placed[0][1] else f"{file}: {texts[0]}"
    return "\n  ".join([f"{file} has {len(texts)} mistakes:", *texts])


def _key(path: Keys) -> str:
    """A key as people write it, such as ``cells[1].game``."""
    return "".join(f"[{step + 1}]" if isinstance(step, int) else f".{step}" for step in path).removeprefix(".")
