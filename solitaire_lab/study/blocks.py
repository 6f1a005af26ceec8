"""What is to do: the deals that a study asks for less those that its folder holds."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from solitaire_lab.errors import InputError
from solitaire_lab.results.cell import Cell, PlannedCell, differences
from solitaire_lab.results.manifest import Manifest
from solitaire_lab.results.precision import Ending
from solitaire_lab.results.rows import BLOCK, Row, SeedRange
from solitaire_lab.results.store import Store
from solitaire_lab.study.messages import Job
from solitaire_lab.study.model import Study, StudyCell


def merged_manifest(before: Manifest | None, study: Study, *, reached: Mapping[str, SeedRange | None] = {}) -> Manifest:
    """The manifest of a folder that held ``before``, once a study is run there.

    More seeds, more cells, other budgets and another precision are welcome; the cells that the study doesn't name stay.
    A larger budget is one for all seeds of a cell.

    Args:
        reached: By label, as ``reached_seeds`` tells it.

    Raises:
        InputError: a label means another cell than before, its seeds would have a gap, some of them would be unfinished
            for a larger budget of the others, or a cell that is run to a precision would not begin with its first seed.
    """
    if before is None:
        return Manifest(study.name, tuple(cell.planned for cell in study.cells))
    planned = {planned.cell.label: planned for planned in before.cells}
    for cell in study.cells:
        old = planned.get(cell.label)
        if old is not None:
            planned[cell.label] = _merged(old, cell.planned, reached.get(cell.label, old.seeds))
        else:
            planned[cell.label] = cell.planned
    return Manifest(before.study, tuple(planned.values()))


def reached_seeds(store: Store) -> dict[str, SeedRange | None]:
    """How far each cell of a folder has come that was run to a precision, by label; None if nothing of it is stored.

    That it might have been run for more deals binds no later run.
    """
    cells = store.manifest().cells if store.exists else ()
    return {planned.cell.label: _reached(store, planned) for planned in cells if planned.precision is not None}


def _reached(store: Store, planned: PlannedCell) -> SeedRange | None:
    blocks = [block for block in store.blocks(planned.cell.id) if block in planned.most.blocks]
    return SeedRange(planned.seeds.first, planned.most.in_block(blocks[-1]).last) if blocks else None


def _merged(old: PlannedCell, new: PlannedCell, old_seeds: SeedRange | None) -> PlannedCell:
    label = new.cell.label
    if found := differences(old.cell, new.cell):
        raise InputError(
            f"The folder's cell {label!r} is not the one that is to be run: {'; '.join(map(str, found))}. "
            "Give the new cell another label, or use another folder."
        )
    first, last = sorted((old_seeds or new.seeds, new.seeds))
    if last.first > first.last + 1:
        raise InputError(
            f"Cell {label!r} has seeds {old_seeds} in this folder; {new.seeds} would leave a gap. "
            f"Ask for {first.first}:{last.last}, or give the new seeds a cell of their own."
        )
    if new.precision is not None and new.seeds.first > first.first:
        raise InputError(
            f"Cell {label!r} has seeds {old_seeds} in this folder, and its precision is that of all deals from its "
            f"first seed on. Ask for {first.first}:{new.seeds.last}, or use another folder."
        )
    both = SeedRange(first.first, max(first.last, last.last))
    if new.budget > old.budget and new.seeds != both:
        raise InputError(
            f"Cell {label!r} has seeds {old_seeds} in this folder, with {old.budget:,} nodes; {new.seeds} with "
            f"{new.budget:,} would leave the others unfinished. Ask for {both}, or for at most {old.budget:,} nodes, "
            "or use another folder."
        )
    return PlannedCell(old.cell, both, new.budgets, new.precision)


@dataclass(frozen=True)
class CellWork:
    """The deals to decide of one cell, under all labels that it has in a study."""

    store: Store
    cells: tuple[StudyCell, ...]
    written_as: PlannedCell
    """The first with this id in the manifest."""
    retry: tuple[str, ...]
    """Reasons for which an undecided deal is tried again."""
    planned: int
    """How many deals there are to decide, unless the cell ends before."""
    held: Mapping[int, int] = field(repr=False)
    """How many of the deals that are asked for are decided already, by stored block."""
    untouched: frozenset[int] = field(repr=False)
    """Stored blocks in which there is nothing to do."""
    ending: Ending | None = field(default=None, repr=False, compare=False)
    """Where the cell ends, if it is run to a precision."""

    @property
    def cell(self) -> Cell:
        """The cell."""
        return self.written_as.cell

    @property
    def last(self) -> int | None:
        """The last seed of the cell, if it has ended by its precision."""
        return None if self.ending is None else self.ending.last

    @property
    def todo(self) -> int:
        """How many deals there are to decide: at most so many, if the cell is run to a precision."""
        return 0 if self.last is not None else self.planned

    @property
    def deals(self) -> int:
        """How many deals the study asks for, done or not."""
        return sum(seeds.count for seeds in map(self._ended, _ranges(self.cells)) if seeds is not None)

    @property
    def stored(self) -> int:
        """How many of them were decided when the work was planned."""
        return sum(deals for block, deals in self.held.items() if self.last is None or block * BLOCK <= self.last)

    @property
    def budget(self) -> int:
        """The largest that a deal may take."""
        return max(cell.planned.budget for cell in self.cells)

    @property
    def job(self) -> Job:
        """What a worker must know."""
        return Job(self.cells[0].game, self.cell.numbering, self.cell.table_bytes)

    def blocks(self) -> Iterator[int]:
        """The blocks in which there is something to do, in order, until the cell has ended."""
        for blocks in _spans(self.cells):
            for block in blocks:
                if self.last is not None:
                    return
                if block not in self.untouched:
                    yield block

    def missing(self, block: int) -> dict[int, int]:
        """The deals to decide of a block: a budget for each seed."""
        return _missing(self.store, self.cells, block, self.retry)

    def ends_with(self, rows: Sequence[Row]) -> bool:
        """Whether the cell has ended, now that a block is done that holds these rows."""
        if self.ending is None:
            return False
        self.ending.add_rows(rows)
        return self.ending.last is not None

    def _ended(self, seeds: SeedRange) -> SeedRange | None:
        if self.last is None:
            return seeds
        return SeedRange(seeds.first, min(seeds.last, self.last)) if seeds.first <= self.last else None


def with_ends(manifest: Manifest, works: Sequence[CellWork]) -> Manifest:
    """The manifest with the cells ended that have ended by their precision."""
    last = {cell.label: work.last for work in works if work.last is not None for cell in work.cells}
    return Manifest(
        manifest.study,
        tuple(
            planned.ended(last[planned.cell.label]) if planned.cell.label in last else planned
            for planned in manifest.cells
        ),
    )


def plan_work(study: Study, store: Store, *, manifest: Manifest, retry: Collection[str] = ()) -> tuple[CellWork, ...]:
    """What a study has still to do in a folder, cell by cell in its order.

    Raises:
        InputError: a stored file is damaged.
    """
    by_id: dict[str, list[StudyCell]] = {}
    for cell in study.cells:
        by_id.setdefault(cell.planned.cell.id, []).append(cell)
    written_as = {planned.cell.id: planned for planned in reversed(manifest.cells)}
    by_label = {planned.cell.label: planned for planned in manifest.cells}
    return tuple(
        _work(store, tuple(cells), written_as[cell_id], tuple(retry), _ending(store, cells, by_label, retry))
        for cell_id, cells in by_id.items()
    )


def _work(
    store: Store,
    cells: tuple[StudyCell, ...],
    written_as: PlannedCell,
    retry: tuple[str, ...],
    ending: Ending | None,
) -> CellWork:
    spans = _spans(cells)
    held = {}
    untouched = []
    for block in store.blocks(written_as.cell.id):
        if any(block in blocks for blocks in spans):
            missing = len(_missing(store, cells, block, retry))
            held[block] = len(_budgets(cells, block)) - missing
            if not missing:
                untouched.append(block)
    planned = sum(range_.count for range_ in _ranges(cells)) - sum(held.values())
    return CellWork(store, cells, written_as, retry, planned, held, frozenset(untouched), ending)


def _ending(
    store: Store, cells: Sequence[StudyCell], by_label: Mapping[str, PlannedCell], retry: Collection[str]
) -> Ending | None:
    """Where a cell ends by its precision, as far as its stored blocks tell; None if it has none."""
    plans = [by_label[cell.label] for cell in cells]
    widest = max(plans, key=lambda planned: planned.seeds.last)
    if widest.precision is None:
        return None
    ending = Ending(widest.seeds, budget=widest.budget, precision=widest.precision)
    for block in store.blocks(widest.cell.id):
        if ending.last is None and block in widest.seeds.blocks:
            part = widest.seeds.in_block(block)
            if sum(seed in part for seed in store.seeds_done(widest, block, retry=tuple(retry))) == part.count:
                table = store.rows(widest.cell.id, seeds=part, columns=("outcome", "nodes"))
                ending.add(block, zip(table["outcome"].to_pylist(), table["nodes"].to_pylist(), strict=True))
    return ending


def _missing(store: Store, cells: tuple[StudyCell, ...], block: int, retry: tuple[str, ...]) -> dict[int, int]:
    missing = _budgets(cells, block)
    # Done under its largest budget, a deal is done under all.
    for budget in set(missing.values()):
        planned = next(cell.planned for cell in cells if cell.planned.budget == budget)
        for seed in store.seeds_done(planned, block, retry=retry):
            if missing.get(seed) == budget:
                del missing[seed]
    return missing


def _budgets(cells: tuple[StudyCell, ...], block: int) -> dict[int, int]:
    """The largest budget that is asked for, for each seed of a block, in order."""
    budgets: dict[int, int] = {}
    for cell in sorted(cells, key=lambda cell: cell.planned.budget):
        if block in cell.planned.seeds.blocks:
            budgets.update(dict.fromkeys(cell.planned.seeds.in_block(block), cell.planned.budget))
    return dict(sorted(budgets.items()))


def _ranges(cells: tuple[StudyCell, ...]) -> list[SeedRange]:
    """The seeds that are asked for under any label, as ranges apart from each other, in order."""
    ranges: list[SeedRange] = []
    for seeds in sorted(cell.planned.seeds for cell in cells):
        if ranges and seeds.first <= ranges[-1].last + 1:
            ranges[-1] = SeedRange(ranges[-1].first, max(ranges[-1].last, seeds.last))
        else:
            ranges.append(seeds)
    return ranges


def _spans(cells: tuple[StudyCell, ...]) -> list[range]:
    """The blocks that hold such seeds, each once, in order."""
    spans: list[range] = []
    for seeds in _ranges(cells):
        blocks = seeds.blocks
        start = max(blocks.start, spans[-1].stop) if spans else blocks.start
        spans.append(range(start, max(start, blocks.stop)))
    return spans


assert BLOCK < 2**16, "a place in a block must fit into a worker's slot"
