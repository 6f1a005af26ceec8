"""What game sites say of a game in their questions and answers, counted from a results folder.

A ``GameFaq`` holds the numbers of one cell: what two searches decided of the same deals, how the game compares with
the others of its study, how many shuffles a winnable deal takes, and how hard the game is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

from solitaire_lab.errors import InputError
from solitaire_lab.reports.faq.shuffles import MOST_TRIES, TRIES, Shuffles, count_shuffles
from solitaire_lab.reports.tables import Counts, chosen_budget, count
from solitaire_lab.results.intervals import Interval, headline, wilson
from solitaire_lab.results.rows import SeedRange
from solitaire_lab.rules.catalog import resolve
from solitaire_lab.rules.model import Rules

if TYPE_CHECKING:
    from solitaire_lab.results.cell import PlannedCell
    from solitaire_lab.results.store import Store

DEAL: Literal["deal"] = "deal"
HINT: Literal["hint"] = "hint"
"""The budgets that a study of this kind names: the search when cards are dealt, and the one behind a hint."""

Role: TypeAlias = Literal["deal", "hint"]
Opening: TypeAlias = Literal["all", "most", "no", "open", "unknown"]
Relation: TypeAlias = Literal["more", "more-proved", "alike", "fewer-proved", "fewer"]
Band: TypeAlias = Literal["easy", "medium", "hard"]

_BANDS: tuple[tuple[Band, float, float], ...] = (("easy", 2 / 3, 1.0), ("medium", 1 / 3, 2 / 3), ("hard", 0.0, 1 / 3))


@dataclass(frozen=True)
class Search:
    """A search of so many nodes for each deal, and what it decided."""

    role: Role | None
    """What the search is for; None if the study doesn't say."""
    nodes: int
    counts: Counts

    @property
    def interval(self) -> Interval:
        """The share of deals that can be won, at 95 %, however the undecided ones would end."""
        return headline(win=self.counts.win, loss=self.counts.loss, undecided=self.counts.undecided)

    @property
    def opening(self) -> Opening:
        """The short answer to whether every deal can be won.

        ``all`` if all deals are proved winnable, ``most`` if more than half are, else ``no`` if one is proved lost and
        ``open`` if none is, and ``unknown`` without deals.
        """
        deals, win, loss = self.counts.deals, self.counts.win, self.counts.loss
        if deals == 0:
            return "unknown"
        if win == deals:
            return "all"
        if 2 * win > deals:
            return "most"
        return "no" if loss else "open"


@dataclass(frozen=True)
class Other:
    """Another game of the study, on as many deals and with the same search."""

    cell_id: str
    title: str
    counts: Counts
    relation: Relation
    """How many deals are lost in the game that is compared with it, against how many here."""


@dataclass(frozen=True)
class GameFaq:
    """The numbers of a cell from which its answers are made."""

    study: str
    planned: PlannedCell = field(repr=False)
    title: str
    """What the game is called."""
    rules: Rules = field(repr=False)
    seeds: SeedRange | None
    """The deals that are counted; None if no block is whole yet."""
    short: Search | None
    """The search when cards are dealt, if the study has one that is shorter than the other."""
    long: Search
    """The search behind a hint, or the only one there is."""
    shuffles: Shuffles
    """Counted with the search when cards are dealt."""
    others: tuple[Other, ...]
    not_compared: tuple[str, ...]
    """Titles of games of the study that were not run with as many nodes or on the same seeds."""

    @property
    def dealing(self) -> Search:
        """The search that is made when cards are dealt."""
        return self.short or self.long

    @property
    def complete(self) -> bool:
        """Whether all deals of the study are counted."""
        return self.seeds == self.planned.seeds

    @property
    def difficulty(self) -> tuple[Band, ...]:
        """How hard the game is, by the share of deals that the search when cards are dealt wins.

        ``easy`` from two thirds on, ``medium`` from one third on, ``hard`` below. Few winnable deals make a game hard,
        and so do wins that take a long search. All bands are named that the 95 % interval of this share (Wilson)
        touches; none without deals. How hard a single deal is, ``reports.difficulty`` tells.
        """
        counts = self.dealing.counts
        return difficulty(counts.win, counts.deals)

    def record(self) -> dict[str, Any]:
        """The numbers as they stand in JSON; shares are between 0 and 1."""
        cell = self.planned.cell
        return {
            "study": self.study,
            "game": cell.game,
            "label": cell.label,
            "title": self.title,
            "set": dict(cell.overrides),
            "cell": cell.id,
            "numbering": cell.numbering,
            "seeds": None if self.seeds is None else str(self.seeds),
            "planned_seeds": str(self.planned.seeds),
            "complete": self.complete,
            "solver": cell.solver,
            "searches": [_search_record(search) for search in (self.short, self.long) if search is not None],
            "opening": self.long.opening,
            "others": [
                {
                    "title": other.title,
                    "cell": other.cell_id,
                    "relation": other.relation,
                    **other.counts.record(),
                }
                for other in self.others
            ],
            "not_compared": list(self.not_compared),
            "shuffles": {
                "tries": self.shuffles.tries,
                "boards": self.shuffles.boards,
                "median": self.shuffles.median,
                "longest": self.shuffles.longest,
                "ran_out": self.shuffles.ran_out,
                "needed": list(self.shuffles.needed),
            },
            "difficulty": list(self.difficulty),
        }


class _Nodes(NamedTuple):
    """What the two searches of a cell are."""

    short: int | None
    long: int
    long_role: Role | None


def game_faqs(
    store: Store,
    *,
    game: str | None = None,
    deal_budget: str | int | None = None,
    hint_budget: str | int | None = None,
    tries: int = TRIES,
) -> list[GameFaq]:
    """The numbers of every cell of a results folder, in the order of the study.

    The searches are those of the budgets ``deal`` and ``hint``. A cell without ``hint`` has its largest budget in
    that place, one without a smaller ``deal`` only one search. Of an unfinished run, whole blocks are counted.

    Args:
        game: only the cell with this label, or else all of this game or variant, by any of its names, or with an id
            that begins so.
        deal_budget: a number of nodes, or the study's name for one, instead of ``deal``.
        hint_budget: the same instead of ``hint``.
        tries: shuffles after which the search for a winnable deal is given up.

    Raises:
        InputError: the tries are out of range, the study has no such game or budget, the search at the deal is not the
            shorter one, or a file can't be read.
    """
    if not 1 <= tries <= MOST_TRIES:
        raise InputError(f"{tries} tries are not possible; give 1 to {MOST_TRIES}.")
    manifest = store.manifest()
    tables = _Tables(store)
    return [
        _game_faq(manifest.study, planned, manifest.cells, tables, deal_budget, hint_budget, tries)
        for planned in _chosen(manifest.cells, game)
    ]


def relation(here: Counts, there: Counts) -> Relation:
    """How the lost deals here compare with those of another game on as many deals.

    ``more`` and ``fewer`` hold however the undecided deals of both would end, ``more-proved`` and ``fewer-proved`` for
    the losses that are proved; all mean that the 95 % intervals (Wilson) lie apart. Else they are ``alike``.
    """
    if _least_lost(here).low > _most_lost(there).high:
        return "more"
    if _least_lost(there).low > _most_lost(here).high:
        return "fewer"
    if _least_lost(here).low > _least_lost(there).high:
        return "more-proved"
    return "fewer-proved" if _least_lost(there).low > _least_lost(here).high else "alike"


def difficulty(wins: int, deals: int) -> tuple[Band, ...]:
    """The bands that the 95 % interval (Wilson) of a share of wins touches, the easiest first; none without deals."""
    share = wilson(wins, deals)
    return tuple(band for band, low, high in _BANDS if deals and share.high >= low and share.low < high)


def _least_lost(counts: Counts) -> Interval:
    return wilson(counts.loss, counts.deals)


def _most_lost(counts: Counts) -> Interval:
    return wilson(counts.loss + counts.undecided, counts.deals)


class _Tables:
    """The rows of a folder's cells, each read once."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._read: dict[tuple[str, SeedRange], pa.Table] = {}

    def of(self, planned: PlannedCell) -> pa.Table:
        key = planned.cell.id, planned.seeds
        if key not in self._read:
            columns = ("seed", "outcome", "reason", "nodes")
            self._read[key] = self._store.rows(planned.cell.id, seeds=planned.seeds, columns=columns)
        return self._read[key]


def _chosen(cells: Sequence[PlannedCell], game: str | None) -> list[PlannedCell]:
    """The cells that a name means: a label, the beginning of an id, or a game or variant by any of its names."""
    if game is None:
        return list(cells)
    found = [planned for planned in cells if planned.cell.label == game]
    if not found:
        try:
            meant = resolve(game)
        except InputError:
            found = [
                planned for planned in cells if planned.cell.game == game or (game and planned.cell.id.startswith(game))
            ]
        else:
            found = [
                planned
                for planned in cells
                if planned.cell.game == meant.name
                and (meant.variant is None or planned.cell.overrides == meant.overrides)
            ]
    if not found:
        known = ", ".join(planned.cell.label for planned in cells)
        raise InputError(f"There is no game {game!r} in this study; it has {known}.")
    return found


def _game_faq(
    study: str,
    planned: PlannedCell,
    cells: Sequence[PlannedCell],
    tables: _Tables,
    deal_budget: str | int | None,
    hint_budget: str | int | None,
    tries: int,
) -> GameFaq:
    nodes = _nodes(planned, deal_budget, hint_budget)
    table = tables.of(planned)
    seeds, counts = count(table, seeds=planned.seeds, budget=nodes.long)
    if seeds is not None:
        table = _within(table, seeds)
    short = None
    if nodes.short is not None:
        counted = Counts() if seeds is None else count(table, seeds=seeds, budget=nodes.short)[1]
        short = Search(DEAL, nodes.short, counted)
    dealing = nodes.long if nodes.short is None else nodes.short
    wins = pc.and_(pc.equal(table["outcome"], "win"), pc.less_equal(table["nodes"], dealing)).to_numpy()
    others, not_compared = _others(planned, cells, tables, seeds, nodes.long, counts)
    return GameFaq(
        study=study,
        planned=planned,
        title=game_title(planned.cell.game),
        rules=planned.cell.to_game().rules,
        seeds=seeds,
        short=short,
        long=Search(nodes.long_role, nodes.long, counts),
        shuffles=count_shuffles(wins if seeds is not None else wins[:0], tries=tries),
        others=others,
        not_compared=not_compared,
    )


def _nodes(planned: PlannedCell, deal_budget: str | int | None, hint_budget: str | int | None) -> _Nodes:
    named: Mapping[str, int] = planned.budgets
    long, long_role = planned.budget, _role(planned)
    if hint_budget is not None:
        long, long_role = chosen_budget(planned, hint_budget)[0], "hint"
    elif HINT in named:
        long = named[HINT]
    short = named.get(DEAL) if deal_budget is None else chosen_budget(planned, deal_budget)[0]
    if short is not None and (short > long or (short == long and deal_budget is not None)):
        raise InputError(
            f"In cell {planned.cell.label!r} the search at the deal has {short:,} nodes and the other one {long:,}; "
            "the one at the deal must be the shorter."
        )
    return _Nodes(None if short == long else short, long, long_role)


def _role(planned: PlannedCell) -> Role | None:
    """What the longer search of a cell is for, by the names of its budgets."""
    if HINT in planned.budgets:
        return "hint"
    return "deal" if planned.budgets.get(DEAL) == planned.budget else None


def _others(
    planned: PlannedCell,
    cells: Sequence[PlannedCell],
    tables: _Tables,
    seeds: SeedRange | None,
    nodes: int,
    counts: Counts,
) -> tuple[tuple[Other, ...], tuple[str, ...]]:
    """The other games of the study, and the titles of those that can't be compared.

    Of a game that stands in several cells, the one with its own rules is taken, else the first.
    """
    chosen: dict[str, PlannedCell] = {}
    for other in sorted(cells, key=lambda cell: bool(cell.cell.overrides)):
        if other.cell.game != planned.cell.game:
            chosen.setdefault(other.cell.game, other)
    others, not_compared = [], []
    for other in (cell for cell in cells if cell in chosen.values()):
        title = game_title(other.cell.game)
        there = None if seeds is None else _counts_on(tables, other, seeds, nodes)
        if there is None:
            not_compared.append(title)
        else:
            others.append(Other(other.cell.id, title, there, relation(counts, there)))
    return tuple(others), tuple(not_compared)


def _counts_on(tables: _Tables, planned: PlannedCell, seeds: SeedRange, nodes: int) -> Counts | None:
    """What a search decided of these deals; None if it was not made on all of them."""
    if planned.budget < nodes or not (seeds.first in planned.seeds and seeds.last in planned.seeds):
        return None
    covered, counts = count(_within(tables.of(planned), seeds), seeds=seeds, budget=nodes)
    return counts if covered == seeds else None


def game_title(name: str) -> str:
    """What a game is called; a game that this version doesn't know by its name."""
    try:
        return resolve(name).title
    except InputError:
        return name


def _within(table: pa.Table, seeds: SeedRange) -> pa.Table:
    first, last = (pa.scalar(seed, pa.uint64()) for seed in (seeds.first, seeds.last))
    return table.filter(pc.and_(pc.greater_equal(table["seed"], first), pc.less_equal(table["seed"], last)))


def _search_record(search: Search) -> dict[str, Any]:
    interval = search.interval
    return {
        "role": search.role,
        "budget": search.nodes,
        **search.counts.record(),
        "low": interval.low,
        "high": interval.high,
    }
