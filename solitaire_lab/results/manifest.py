"""The manifest: which cells a results folder is for."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from solitaire_lab.errors import InputError
from solitaire_lab.results.cell import Cell, PlannedCell
from solitaire_lab.results.rows import SeedRange

SCHEMA = 1
"""Raised when the layout of a results folder changes."""


@dataclass(frozen=True)
class Manifest:
    """A study's name and its cells, in the order of the study."""

    study: str
    cells: tuple[PlannedCell, ...]

    def find(self, text: str) -> PlannedCell:
        """The cell with this label or with an id that begins so.

        Raises:
            InputError: none or several are meant.
        """
        found = [planned for planned in self.cells if planned.cell.label == text] or [
            planned for planned in self.cells if text and planned.cell.id.startswith(text)
        ]
        if len(found) == 1:
            return found[0]
        labels = ", ".join(planned.cell.label for planned in self.cells)
        what = "several cells" if found else "no cell"
        raise InputError(f"{text!r} means {what} of this study; name one by its label or its id: {labels}.")

    def to_json(self) -> str:
        """The text of ``manifest.json``."""
        record = {
            "schema": SCHEMA,
            "study": self.study,
            "cells": [
                {
                    "id": planned.cell.id,
                    "game": planned.cell.game,
                    "label": planned.cell.label,
                    "set": dict(planned.cell.overrides),
                    "seeds": [planned.seeds.first, planned.seeds.last],
                    "budgets": dict(planned.budgets),
                    **_precision_record(planned),
                    "cell": planned.cell.content,
                }
                for planned in self.cells
            ],
        }
        return json.dumps(record, indent=1) + "\n"


def parse_manifest(text: str, *, where: str) -> Manifest:
    """Read a manifest; ``where`` names the file in messages.

    Raises:
        InputError: the text is damaged, of another version of the layout, or an id is not that of its cell.
    """
    remedy = "restore it from a copy, or begin a new folder."
    try:
        record = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{where} is no JSON ({error}); {remedy}") from None
    if not isinstance(record, dict) or not isinstance(record.get("schema"), int):
        raise InputError(f"{where} is no manifest of a results folder; {remedy}")
    if record["schema"] != SCHEMA:
        raise InputError(
            f"{where} has schema {record['schema']}, but this version of solitaire-lab reads schema {SCHEMA}; "
            "use the version that wrote it."
        )
    try:
        cells = tuple(_planned(entry) for entry in record["cells"])
        manifest = Manifest(_checked(record["study"], str), cells)
    except (KeyError, TypeError, ValueError) as error:
        detail = f"{error.args[0]} is missing" if isinstance(error, KeyError) else str(error)
        raise InputError(f"{where} is damaged ({detail.rstrip('.')}); {remedy}") from None
    return manifest


def _planned(entry: Mapping[str, Any]) -> PlannedCell:
    content = entry["cell"]
    cell = Cell(
        game=_checked(entry["game"], str),
        label=_checked(entry["label"], str),
        rules=_checked(content["rules"], dict),
        dealing=_checked(content["deal"], dict),
        numbering=_checked(content["numbering"], str),
        solver=_checked(content["solver"], int),
        table_bytes=_checked(content["table_bytes"], int),
        overrides=_checked(entry["set"], dict),
    )
    if cell.id != entry["id"]:
        raise ValueError(f"the id of cell {cell.label!r} is {entry['id']}, but its content has {cell.id}")
    seeds = _seeds(entry["seeds"])
    budgets = {name: _checked(nodes, int) for name, nodes in entry["budgets"].items()}
    if not budgets:
        raise ValueError(f"cell {cell.label!r} has no budget")
    if wrong := [nodes for nodes in budgets.values() if not 1 <= nodes < 2**63]:
        raise ValueError(f"cell {cell.label!r} has a budget of {wrong[0]} nodes")
    if "precision" not in entry:
        return PlannedCell(cell, seeds, budgets)
    precision = _checked(entry["precision"], float)
    if not precision > 0:
        raise ValueError(f"cell {cell.label!r} has a precision of {precision}")
    asked = _seeds(entry["asked"]) if "asked" in entry else None
    if asked is not None and (asked.first != seeds.first or asked.last <= seeds.last):
        raise ValueError(f"cell {cell.label!r} has seeds {seeds}, which are not the first of {asked}")
    return PlannedCell(cell, seeds, budgets, precision, asked)


def _precision_record(planned: PlannedCell) -> dict[str, Any]:
    """What a manifest says of a cell that is run to a precision."""
    if planned.precision is None:
        return {}
    asked = {} if planned.asked is None else {"asked": [planned.asked.first, planned.asked.last]}
    return {"precision": planned.precision, **asked}


def _seeds(value: Any) -> SeedRange:
    first, last = (_checked(seed, int) for seed in value)
    return SeedRange(first, last)


def _checked(value: Any, kind: type) -> Any:
    if type(value) is not kind:
        raise TypeError(f"{value!r} is no {kind.__name__}")
    return value
