"""Cells: what a row is computed from, and the id that names it.

A row depends on its cell and its seed alone. The cell therefore holds everything that could change a row, and its
id is a hash of exactly that; names and descriptions stay outside.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from solitaire_lab.errors import InputError
from solitaire_lab.results.rows import SeedRange

if TYPE_CHECKING:
    from solitaire_lab.rules.catalog import Game


class Difference(NamedTuple):
    """A key in which two cells differ, with its value in each; None where a cell has no such key."""

    key: str
    """Dotted, such as ``rules.stock.redeals``."""
    before: Any
    after: Any

    def __str__(self) -> str:
        return f"{self.key} was {_value_text(self.before)} and is now {_value_text(self.after)}"


@dataclass(frozen=True)
class Cell:
    """One row of a table."""

    game: str
    """The game's canonical name; not part of the identity."""
    label: str
    """What the study calls the cell; not part of the identity."""
    rules: Mapping[str, Any] = field(hash=False)
    """The fully resolved rules, as JSON values."""
    dealing: Mapping[str, Any] = field(hash=False)
    """How a seed becomes a layout, as ``deals.dealing_record`` tells it."""
    numbering: str
    solver: int
    """The solver revision."""
    table_bytes: int
    """The memory that one search may use for its table."""
    overrides: Mapping[str, Any] = field(default_factory=dict, hash=False)
    """What differs from the game's default rules, for people; not part of the identity, which has all rules."""

    @classmethod
    def from_game(cls, game: Game, *, numbering: str, label: str, memory: int) -> Cell:
        """The cell that this version of the program computes for a game.

        Raises:
            InputError: the numbering does not deal this game under these settings.
        """
        # Not needed to read results, and slow to import.
        from solitaire_lab.deals.dealing import dealing_record
        from solitaire_lab.solver.solver import REVISION

        return cls(
            game=game.name,
            label=label,
            rules=game.rules.model_dump(mode="json", by_alias=True),
            dealing=dealing_record(game, numbering),
            numbering=numbering,
            solver=REVISION,
            table_bytes=memory,
            overrides=dict(game.overrides),
        )

    def to_game(self) -> Game:
        """The game as the cell has it, whatever the game's file says today: its rules, and the cell's numbering only.

        Raises:
            InputError: this version of the program doesn't know such rules or such a deal.
        """
        from pydantic import ValidationError

        from solitaire_lab.deals.dealing import dealing_record
        from solitaire_lab.rules.catalog import Game, GameFile
        from solitaire_lab.rules.dealing import DealProcedure
        from solitaire_lab.rules.model import Rules

        procedure = {key: value for key, value in self.dealing.items() if key in DealProcedure.model_fields}
        procedure |= {"numberings": [self.numbering], "program": "the stored cell", "settings": "any"}
        try:
            rules = Rules.model_validate(self.rules)
            dealings = (DealProcedure.model_validate(procedure),)
        except ValidationError as error:
            raise InputError(
                f"This version of solitaire-lab can't read the rules of cell {self.label!r}: {error}"
            ) from None
        file = GameFile(title=self.game, summary=self.label, rules=rules, dealings=dealings)
        game = Game(name=self.game, variant=None, rules=rules, overrides=dict(self.overrides), file=file)
        if dealing_record(game, self.numbering) != self.dealing:
            raise InputError(f"This version of solitaire-lab can't deal as cell {self.label!r} was dealt.")
        return game

    @property
    def content(self) -> dict[str, Any]:
        """Everything that the id is a hash of."""
        return {
            "rules": dict(self.rules),
            "deal": dict(self.dealing),
            "numbering": self.numbering,
            "solver": self.solver,
            "table_bytes": self.table_bytes,
        }

    @cached_property
    def canonical(self) -> str:
        """The content as canonical JSON."""
        return canonical_json(self.content)

    @cached_property
    def id(self) -> str:
        """SHA-256 of the canonical JSON, in hex."""
        return hashlib.sha256(self.canonical.encode()).hexdigest()

    @property
    def short_id(self) -> str:
        """The first 12 digits of the id, the name of the cell's folder."""
        return self.id[:12]


@dataclass(frozen=True)
class PlannedCell:
    """A cell with what a study wants of it: seeds, and budgets of which the largest is run."""

    cell: Cell
    seeds: SeedRange
    """The deals that it is made of."""
    budgets: Mapping[str, int] = field(hash=False)
    precision: float | None = None
    """Half the width of the headline interval, in percentage points, at which the cell ends; None if it is made of all
    the seeds that were asked for, however well its share is known by then."""
    asked: SeedRange | None = None
    """The seeds that were asked for, if the precision was reached before the last of them. Rows beyond ``seeds`` may be
    stored, since several blocks are in work at a time; they are not counted."""

    @property
    def budget(self) -> int:
        """The number of nodes that is run."""
        return max(self.budgets.values())

    @property
    def most(self) -> SeedRange:
        """The seeds that were asked for, of which a cell that has ended by its precision holds the first."""
        return self.asked or self.seeds

    def ended(self, last: int) -> PlannedCell:
        """The cell as its precision ends it, with the seed ``last``."""
        asked = self.most if last < self.most.last else None
        return replace(self, seeds=SeedRange(self.seeds.first, min(last, self.most.last)), asked=asked)


def canonical_json(value: Any) -> str:
    """JSON with sorted keys and no spaces, so that equal values are equal texts.

    Raises:
        TypeError: the value holds something else than integers, strings, booleans, lists and objects of them. (No
            floats: two programs may write one number differently.)
    """
    _require_plain(value)
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def differences(before: Cell, after: Cell) -> tuple[Difference, ...]:
    """The keys in which two cells differ, sorted; empty exactly if they have one id."""
    from solitaire_lab.rules.settings import flattened

    old, new = dict(flattened(before.content)), dict(flattened(after.content))
    return tuple(
        Difference(key, old.get(key), new.get(key))
        for key in sorted(old.keys() | new.keys())
        if key not in old or key not in new or canonical_json(old[key]) != canonical_json(new[key])
    )


def _require_plain(value: Any) -> None:
    if isinstance(value, dict):
        for key, inner in value.items():
            if not isinstance(key, str):
                raise TypeError(f"{key!r} is a key of a cell, but no string")
            _require_plain(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            _require_plain(inner)
    elif not isinstance(value, int | str):
        raise TypeError(f"{value!r} is in a cell, but no integer, string or boolean")


def _value_text(value: Any) -> str:
    return "absent" if value is None else json.dumps(value)
