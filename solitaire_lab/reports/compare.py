"""Two cells of a study, deal by deal on the same seeds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from solitaire_lab.errors import InputError
from solitaire_lab.reports.paired import PairTable, PValue
from solitaire_lab.reports.tables import chosen_budget
from solitaire_lab.reports.verdicts import UNDECIDED, Kinds, Seeds, Verdicts, verdicts
from solitaire_lab.results.rows import OUTCOMES, SeedRange
from solitaire_lab.rules.dealing import deal_facts
from solitaire_lab.rules.order import Strictness, compare_strictness
from solitaire_lab.rules.settings import value_text

if TYPE_CHECKING:
    from solitaire_lab.results.cell import PlannedCell
    from solitaire_lab.results.store import Store
    from solitaire_lab.rules.model import Rules

_WIN, _LOSS = 0, 1


@dataclass(frozen=True)
class Side:
    """One of the cells that are compared."""

    planned: PlannedCell = field(repr=False)
    budget: int
    budget_name: str | None
    """The study's name for the budget, if it has one."""

    @property
    def label(self) -> str:
        """What the study calls the cell."""
        return self.planned.cell.label

    def record(self) -> dict[str, Any]:
        """The cell as it stands in JSON."""
        cell = self.planned.cell
        return {
            "label": cell.label,
            "game": cell.game,
            "set": dict(cell.overrides),
            "numbering": cell.numbering,
            "planned_seeds": str(self.planned.seeds),
            "precision": self.planned.precision,
            "budget": self.budget,
            "budget_name": self.budget_name,
            "solver": cell.solver,
            "memory": cell.table_bytes,
            "cell": cell.id,
        }


class Settled(NamedTuple):
    """Deals that are undecided under one cell, and decided all the same, since the rules of the cells are ordered."""

    undecided: Literal["a", "b"]
    """The cell under which they are undecided."""
    outcome: Literal["win", "loss"]
    """How they end under that cell: as under the other."""
    seeds: Seeds


@dataclass(frozen=True, eq=False)
class Comparison:
    """Two cells on the seeds that both have. Undecided deals are counted as such, also those that ``settled`` names."""

    study: str
    a: Side
    b: Side
    planned: SeedRange
    """The seeds that both cells are to have."""
    seeds: SeedRange | None
    """The seeds that are compared, whole blocks in seed order; None if both don't have one yet."""
    table: PairTable
    """The outcomes, ``a`` first."""
    gained: Seeds = field(repr=False)
    """The deals that are lost under ``a`` and won under ``b``."""
    lost: Seeds = field(repr=False)
    """The deals that are won under ``a`` and lost under ``b``."""
    deal_differences: tuple[str, ...]
    """In what the deals of one seed differ, a clause each; empty if they are the same."""
    order: Strictness
    """How the rules of ``a`` stand to those of ``b``; ``incomparable`` where the deals differ."""
    settled: tuple[Settled, ...]

    @property
    def complete(self) -> bool:
        """Whether all seeds that both cells are to have are compared."""
        return self.seeds == self.planned

    @property
    def same_deals(self) -> bool:
        """Whether a seed is one deal under both cells."""
        return not self.deal_differences

    @property
    def impossible(self) -> Seeds:
        """The deals that the stricter rules win and the looser ones lose: one of the verdicts is wrong."""
        found = []
        if self.order in ("equal", "stricter"):
            found.append(self.lost)
        if self.order in ("equal", "looser"):
            found.append(self.gained)
        return np.sort(np.concatenate(found)) if found else np.array([], np.uint64)

    @property
    def sound(self) -> bool:
        """Whether no verdict contradicts another."""
        return not len(self.impossible)

    @property
    def difference(self) -> float | None:
        """The share of proved wins under ``b`` less that under ``a``; None without deals."""
        before, after = self.table.wins
        return (after - before) / self.table.deals if self.table.deals else None

    @property
    def easier(self) -> Literal["a", "b"] | None:
        """The cell that is won more often, if the interval of the difference excludes 0."""
        low, high = self.table.interval
        return "b" if low > 0 else "a" if high < 0 else None

    @cached_property
    def p_value(self) -> PValue | None:
        """McNemar's exact test; None where ``why_no_p_value`` has a reason."""
        return None if self.why_no_p_value else self.table.p_value

    @property
    def why_no_p_value(self) -> str | None:
        """Why there is no p value, a clause. It means what it says only for a range that was fixed before the run, and
        that is finished: who looks at it again and again and stops when it is small finds a difference where none is.
        """
        precise = [side.label for side in (self.a, self.b) if side.planned.precision is not None]
        if precise:
            return f"the seeds of {precise[0]} were not fixed beforehand, but ended by a precision"
        return None if self.complete else "the run is not finished"

    def record(self) -> dict[str, Any]:
        """The comparison as it stands in JSON; ``low``, ``high`` and ``difference`` are differences of shares."""
        table, interval, p = self.table, self.table.interval, self.p_value
        return {
            "study": self.study,
            "a": self.a.record(),
            "b": self.b.record(),
            "seeds": None if self.seeds is None else str(self.seeds),
            "planned_seeds": str(self.planned),
            "complete": self.complete,
            "deals": table.deals,
            "outcomes": {
                before: dict(zip(OUTCOMES, row, strict=True))
                for before, row in zip(OUTCOMES, table.counts, strict=True)
            },
            "gained": self.gained.tolist(),
            "lost": self.lost.tolist(),
            "difference": self.difference,
            "easier": self.easier,
            "low": interval.low,
            "high": interval.high,
            "interval": "Tango 95 %, undecided at their worst for b at the low end and at their best at the high end",
            "p_value": None if p is None else p._asdict(),
            "why_no_p_value": self.why_no_p_value,
            "deal_differences": list(self.deal_differences),
            "order": self.order,
            "settled": [
                {"undecided": deals.undecided, "outcome": deals.outcome, "seeds": deals.seeds.tolist()}
                for deals in self.settled
            ],
            "impossible": self.impossible.tolist(),
            "information": "all cards are known to the solver",
        }


@dataclass(frozen=True, eq=False)
class Comparisons:
    """Every two cells of a study that have a numbering and seeds in common."""

    study: str
    sides: tuple[Side, ...]
    """All cells, in the order of the study."""
    pairs: Mapping[tuple[int, int], Comparison]
    """By the places of the two cells among ``sides``, the smaller first."""
    of_two_numberings: frozenset[tuple[int, int]]
    """The pairs that are left out since a seed is another shuffle under each cell."""

    @property
    def sound(self) -> bool:
        """Whether no verdict contradicts another."""
        return all(pair.sound for pair in self.pairs.values())


def compare_cells(store: Store, a: str, b: str, *, budget: str | int | None = None) -> Comparison:
    """Compare two cells of a results folder.

    Args:
        a: a cell's label, or the beginning of its id.
        b: another one.
        budget: a number of nodes, or the study's name for one; None for the largest that each cell was run with.

    Raises:
        InputError: there is no such cell, the two are one, they have no numbering or no seed in common, a budget is
            unknown or above the one that was run, a file can't be read, or this version doesn't know the rules of a
            cell.
    """
    manifest = store.manifest()
    first, second = manifest.find(a), manifest.find(b)
    if first is second:
        raise InputError(f"{a!r} and {b!r} are one cell, {first.cell.label!r}; name two.")
    if not _one_numbering(first, second):
        raise InputError(
            f"A seed is another shuffle under {first.cell.label!r} ({first.cell.numbering} numbering) than under "
            f"{second.cell.label!r} ({second.cell.numbering} numbering), so there is nothing to compare deal by deal; "
            "run both with one numbering, or see their shares in table."
        )
    pair = _compared(manifest.study, *(_read(store, planned, budget) for planned in (first, second)))
    if pair is None:
        raise InputError(
            f"Cells {first.cell.label!r} (seeds {first.seeds}) and {second.cell.label!r} (seeds {second.seeds}) have "
            "no seed in common, so there is nothing to compare."
        )
    return pair


def compare_all(store: Store, *, budget: str | int | None = None) -> Comparisons:
    """Compare every cell of a results folder with every other.

    Args:
        budget: as for ``compare_cells``.

    Raises:
        InputError: there is one cell only, or no two have a numbering in common, a budget is unknown or above the one
            that was run, a file can't be read, or this version doesn't know the rules of a cell.
    """
    manifest = store.manifest()
    if len(manifest.cells) < 2:
        raise InputError(f"{store.path} has one cell only, so there is nothing to compare.")
    places = list(combinations(range(len(manifest.cells)), 2))
    apart = frozenset((i, j) for i, j in places if not _one_numbering(manifest.cells[i], manifest.cells[j]))
    if len(apart) == len(places):
        raise InputError(
            f"No two cells of {store.path} have one numbering, and a seed is another shuffle in each, so there is "
            "nothing to compare deal by deal; see their shares in table."
        )
    cells = [_read(store, planned, budget) for planned in manifest.cells]
    pairs = {
        (i, j): pair
        for i, j in places
        if (i, j) not in apart and (pair := _compared(manifest.study, cells[i], cells[j])) is not None
    }
    return Comparisons(manifest.study, tuple(cell.side for cell in cells), pairs, apart)


def _one_numbering(a: PlannedCell, b: PlannedCell) -> bool:
    """Whether a seed is one shuffle under both cells, though perhaps not one deal."""
    return a.cell.numbering == b.cell.numbering


class _Read(NamedTuple):
    """What is known of a cell."""

    side: Side
    rules: Rules
    verdicts: Verdicts


def _read(store: Store, planned: PlannedCell, budget: str | int | None) -> _Read:
    nodes, name = chosen_budget(planned, budget)
    rows = store.rows(planned.cell.id, seeds=planned.seeds, columns=("seed", "outcome", "reason", "nodes"))
    return _Read(Side(planned, nodes, name), planned.cell.to_game().rules, verdicts(rows, budget=nodes))


def _compared(study: str, a: _Read, b: _Read) -> Comparison | None:
    """The comparison, or None if the cells have no seed in common."""
    planned = _in_common(a.side.planned.seeds, b.side.planned.seeds)
    if planned is None:
        return None
    covered = [found.verdicts.whole_blocks(planned) for found in (a, b)]
    seeds = None if None in covered else min(part for part in covered if part is not None)
    outcomes = np.zeros((2, 0), np.int8)
    names = np.array([], np.uint64)
    if seeds is not None:
        parts = [found.verdicts.within(seeds) for found in (a, b)]
        names, outcomes = parts[0].seeds, np.minimum([part.kinds for part in parts], UNDECIDED)
    before, after = outcomes
    counts = np.bincount(3 * before + after, minlength=9).reshape(3, 3).tolist()
    differences = tuple(_deal_differences(a, b))
    order = "incomparable" if differences else compare_strictness(a.rules, b.rules)
    return Comparison(
        study=study,
        a=a.side,
        b=b.side,
        planned=planned,
        seeds=seeds,
        table=PairTable(tuple(map(tuple, counts))),
        gained=names[(before == _LOSS) & (after == _WIN)],
        lost=names[(before == _WIN) & (after == _LOSS)],
        deal_differences=differences,
        order=order,
        settled=tuple(deals for deals in _settled(order, names, before, after) if len(deals.seeds)),
    )


def _settled(order: Strictness, seeds: Seeds, before: Kinds, after: Kinds) -> Iterator[Settled]:
    """A win under the stricter rules is one under the looser; a loss under the looser is one under the stricter."""
    if order in ("equal", "stricter"):
        yield Settled("b", "win", seeds[(before == _WIN) & (after == UNDECIDED)])
        yield Settled("a", "loss", seeds[(before == UNDECIDED) & (after == _LOSS)])
    if order in ("equal", "looser"):
        yield Settled("a", "win", seeds[(before == UNDECIDED) & (after == _WIN)])
        yield Settled("b", "loss", seeds[(before == _LOSS) & (after == UNDECIDED)])


def _in_common(a: SeedRange, b: SeedRange) -> SeedRange | None:
    first, last = max(a.first, b.first), min(a.last, b.last)
    return SeedRange(first, last) if first <= last else None


def _deal_differences(a: _Read, b: _Read) -> Iterator[str]:
    """In what the deals that a seed names differ. Which cards are face down is no matter: all are known."""
    before, after = ({**_dealing(found), **deal_facts(found.rules)} for found in (a, b))
    for key in sorted(before.keys() | after.keys()):
        if key != "tableau.down" and before.get(key) != after.get(key):
            yield f"{key} is {value_text(before.get(key))} and {value_text(after.get(key))}"


def _dealing(found: _Read) -> dict[str, Any]:
    return {f"deal.{key}": value for key, value in found.side.planned.cell.dealing.items()}
