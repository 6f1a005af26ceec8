"""What is to do: the deals that a study asks for less those that its folder holds."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from solitaire_lab.errors import InputError
from solitaire_lab.results.cell import Cell, PlannedCell, differences
from solitaire_lab.results.manifest import Manifest
from solitaire_lab.results.rows import BLOCK, SeedRange
from solitaire_lab.results.store import Store
from solitaire_lab.study.messages import Job
from solitaire_lab.study.model import Study, StudyCell


def merged_manifest(before: Manifest | None, study: Study) -> Manifest:
    """The manifest of a folder that held ``before``, once a study is run there.

    More seeds, more cells and other budgets are welcome; the cells that the study doesn't name stay.

    Raises:
        InputError: a label means another cell than before, or its seeds would have a gap.
    """
    if before is None:
        return Manifest(study.name, tuple(cell.planned for cell in study.cells))
    planned = {planned.cell.label: planned for planned in before.cells}
    for cell in study.cells:
        old = planned.get(cell.label)
        planned[cell.label] = cell.planned if old is None else _merged(old, cell.planned)
    return Manifest(before.study, tuple(planned.values()))


def _merged(old: PlannedCell, new: PlannedCell) -> PlannedCell:
    label = new.cell.label
    if found := differences(old.cell, new.cell):
        raise InputError(
            f"The folder's cell {label!r} is not the one that is to be run: {'; '.join(map(str, found))}. "
            "Give the new cell another label, or use another folder."
        )
    first, last = sorted((old.seeds, new.seeds))
    if last.first > first.last + 1:
        raise InputError(
            f"Cell {label!r} has seeds {old.seeds} in this folder; {new.seeds} would leave a gap. "
            f"Ask for {first.first}:{last.last}, or give the new seeds a cell of their own."
        )
    seeds = SeedRange(first.first, max(old.seeds.last, new.seeds.last))
    return PlannedCell(old.cell, seeds, new.budgets)


@dataclass(frozen=True)
class CellWork:
    """The deals to decide of one cell, under all labels that it has in a study."""

    store: Store
    cells: tuple[StudyCell, ...]
    written_as: PlannedCell
    """The first with this id in the manifest."""
    retry: tuple[str, ...]
    """Reasons for which an undecided deal is tried again."""
    todo: int
    """How many deals there are to decide."""
    untouched: frozenset[int] = field(repr=False)
    """Stored blocks in which there is nothing to do."""

    @property
    def cell(self) -> Cell:
        """The cell."""
        return self.written_as.cell

    @property
    def deals(self) -> int:
        """How many deals the study asks for, done or not."""
        return sum(seeds.count for seeds in _ranges(self.cells))

    @property
    def budget(self) -> int:
        """The largest that a deal may take."""
        return max(cell.planned.budget for cell in self.cells)

    @property
    def job(self) -> Job:
        """What a worker must know."""
        return Job(self.cells[0].game, self.cell.numbering, self.cell.table_bytes)

    def blocks(self) -> Iterator[int]:
        """The blocks in which there is something to do, in order."""
        for blocks in _spans(self.cells):
            yield from (block for block in blocks if block not in self.untouched)

    def missing(self, block: int) -> dict[int, int]:
        """The deals to decide of a block: a budget for each seed."""
        return _missing(self.store, self.cells, block, self.retry)


def plan_work(study: Study, store: Store, *, manifest: Manifest, retry: Collection[str] = ()) -> tuple[CellWork, ...]:
    """What a study has still to do in a folder, cell by cell in its order.

    Raises:
        InputError: a stored file is damaged.
    """
    by_id: dict[str, list[StudyCell]] = {}
    for cell in study.cells:
        by_id.setdefault(cell.planned.cell.id, []).append(cell)
    written_as = {planned.cell.id: planned for planned in reversed(manifest.cells)}
    return tuple(_work(store, tuple(cells), written_as[cell_id], tuple(retry)) for cell_id, cells in by_id.items())


def _work(store: Store, cells: tuple[StudyCell, ...], written_as: PlannedCell, retry: tuple[str, ...]) -> CellWork:
    spans = _spans(cells)
    todo = sum(range_.count for range_ in _ranges(cells))
    untouched = []
    for block in store.blocks(written_as.cell.id):
        if any(block in blocks for blocks in spans):
            missing = len(_missing(store, cells, block, retry))
            todo += missing - len(_budgets(cells, block))
            if not missing:
                untouched.append(block)
    return CellWork(store, cells, written_as, retry, todo, frozenset(untouched))


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
