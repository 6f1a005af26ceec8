"""Checking a results folder: its files, every win, and a sample of the losses."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from solitaire_lab.deals.dealing import deal_many
from solitaire_lab.engine.engine import Engine
from solitaire_lab.engine.moves import decode_moves
from solitaire_lab.errors import InputError
from solitaire_lab.results import schema
from solitaire_lab.results.files import reason
from solitaire_lab.results.names import is_leftover, parse_block_name, parse_volume_name
from solitaire_lab.results.parquet import Part
from solitaire_lab.results.precision import Ending
from solitaire_lab.results.rows import BLOCK, OUTCOMES, REASONS, Row
from solitaire_lab.results.store import Store

if TYPE_CHECKING:
    from solitaire_lab.results.cell import Cell, PlannedCell
    from solitaire_lab.rules.catalog import Game

SAMPLE = 100
"""Losses of each cell that are proved again, unless another number is asked for."""
OTHER_KEY = 1
"""Chooses fingerprints that are not those of a run."""


@dataclass(frozen=True)
class Report:
    """What was checked, and what was found."""

    cells: int
    files: int
    rows: int
    wins_replayed: int
    losses_proved: int
    problems: tuple[str, ...]
    """What is wrong, a sentence each."""
    remarks: tuple[str, ...]
    """What is not wrong but worth knowing, a sentence each."""

    @property
    def sound(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems


def verify(store: Store, *, sample: int = SAMPLE, progress: Callable[[int, int], None] | None = None) -> Report:
    """Check a results folder against its manifest.

    Every file must be whole, belong where it lies and agree with the manifest; every planned deal must be there, once;
    every line of play must be legal and win, from the deal that its seed names, by the engine. A sample of the losses,
    always the same, is searched again with other fingerprints and must be lost in as many nodes.

    Args:
        store: the folder.
        sample: how many losses of each cell to prove again.
        progress: called with the number of blocks checked so far and of all blocks.

    Raises:
        InputError: there is no results folder, its manifest can't be read, or the sample is negative.
    """
    if sample < 0:
        raise InputError(f"A sample of {sample} losses can't be proved; it must be at least 0.")
    plans: dict[str, list[PlannedCell]] = defaultdict(list)
    for planned in store.manifest().cells:
        plans[planned.cell.id].append(planned)
    found = _Findings()
    _check_names(store, [same[0].cell for same in plans.values()], found)
    blocks = {cell_id: _readable_blocks(store, cell_id, found) for cell_id in plans}
    total, done = sum(map(len, blocks.values())), 0
    for cell_id, same in plans.items():
        check = _CellCheck(store, same, found)
        for block in blocks[cell_id]:
            check.check_block(block)
            done += 1
            if progress is not None:
                progress(done, total)
        check.find_missing()
        check.check_ends()
        check.prove_losses(sample)
    return Report(
        cells=len(plans),
        files=found.files,
        rows=found.rows,
        wins_replayed=found.wins_replayed,
        losses_proved=found.losses_proved,
        problems=tuple(found.problems),
        remarks=tuple(found.remarks),
    )


@dataclass
class _Findings:
    """A report in the making."""

    files: int = 0
    rows: int = 0
    wins_replayed: int = 0
    losses_proved: int = 0
    problems: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)


def _check_names(store: Store, cells: Sequence[Cell], found: _Findings) -> None:
    """Find whatever does not belong in the folder, and lines of play without rows."""
    folders = {store.cell_folder(cell.id) for cell in cells}
    own = {store.manifest_path, store.path / "lock", store.path / "cells", *folders}
    for path in _everything_in([store.path, store.path / "cells", *sorted(folders)]):
        name = parse_block_name(path.name) or parse_volume_name(path.name)
        if path in own:
            continue
        if is_leftover(path):
            found.remarks.append(f"{path} was left by a run that was killed; the next run removes it.")
        elif path.parent not in folders or name is None or not path.is_file():
            found.problems.append(f"{path} is foreign: it belongs to no cell of the manifest.")
        else:
            found.files += 1
            if name[0] == "solutions" and not path.with_name(path.name.replace("solutions", "rows")).exists():
                found.remarks.append(f"{path} has no rows beside it yet, as when a run is killed between the two.")


def _readable_blocks(store: Store, cell_id: str, found: _Findings) -> list[int]:
    """All blocks of a cell but those of a damaged volume."""
    blocks = {block for kind, block in store.own_files(cell_id) if kind == "rows"}
    for volume in store.volumes(cell_id):
        try:
            blocks.update(store.volume_blocks(cell_id, volume))
        except InputError as error:
            found.problems.append(str(error))
    return sorted(blocks)


def _everything_in(folders: Sequence[Path]) -> Iterator[Path]:
    for folder in folders:
        try:
            yield from sorted(folder.iterdir())
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as error:
            raise InputError(f"{folder} can't be read: {reason(error)}.") from error


class _CellCheck:
    """The checks of one cell, block by block; ``plans`` are all that the manifest wants of it."""

    def __init__(self, store: Store, plans: Sequence[PlannedCell], found: _Findings) -> None:
        self.store = store
        self.plans = plans
        self.found = found
        self.cell = plans[0].cell
        self.seeds: list[list[int]] = [[]]
        """The seeds that are stored, by block."""
        self.short: list[tuple[int, int]] = []
        """Seed and nodes of every deal that ran out of nodes."""
        self.losses: list[tuple[int, int]] = []
        """Seed and nodes of every loss."""
        self.endings = [
            (plan, Ending(plan.most, budget=plan.budget, precision=plan.precision))
            for plan in plans
            if plan.precision is not None
        ]
        """The plans that their precision ends, and where."""
        self.game: Game | None = None
        try:
            self.game = self.cell.to_game()
        except InputError as error:
            self._problem(f"{error} Its wins are not replayed.")

    def _problem(self, text: str) -> None:
        self.found.problems.append(text)

    # --- files and rows -----------------------------------------------------------------------------------------

    def check_block(self, block: int) -> None:
        """Check a block's two files and replay its wins."""
        try:
            part = self.store.part(self.cell.id, block)
            rows = [] if part is None else self._read_rows(part, block)
        except InputError as error:
            self._problem(str(error))
            return
        self.found.rows += len(rows)
        self.seeds.append([row.seed for row in rows])
        self.losses += [(row.seed, row.nodes) for row in rows if row.outcome == "loss"]
        self.short += [(row.seed, row.nodes) for row in rows if row.reason == "nodes"]
        for _, ending in self.endings:
            if rows:
                ending.add_rows(rows)
        try:
            path, moves = self._read_solutions(block)
        except InputError as error:
            self._problem(str(error))
            return
        self._check_solutions({row.seed: row for row in rows}, moves, path)

    def _read_rows(self, part: Part, block: int) -> list[Row]:
        cell, path, table = self.cell, part.path, part.table
        seeds = table["seed"].to_pylist()
        self._check_footer(part, seeds)
        constants = {"cell": {cell.id}, "game": {cell.game}, "numbering": {cell.numbering}}
        constants["label"] = {planned.cell.label for planned in self.plans}
        for name, allowed in constants.items():
            if strange := set(table[name].to_pylist()) - allowed:
                self._problem(f"{path} has rows of {name} {min(strange)!r}, not {min(allowed)!r}.")
        if strays := [seed for seed in seeds if seed // BLOCK != block]:
            self._problem(f"{path} holds seed {strays[0]}, which belongs in another block.")
        if doubled := sorted({a for a, b in pairwise(sorted(seeds)) if a == b}):
            self._problem(f"{path} holds seed {doubled[0]} twice.")
        elif any(a > b for a, b in pairwise(seeds)):
            self._problem(f"{path} is not sorted by seed.")
        columns = [table[name].to_pylist() for name in Row._fields[:-1]]
        rows = [Row._make((*values, None)) for values in zip(*columns, strict=True)]
        if impossible := [row.seed for row in rows if not _possible(row)]:
            self._problem(f"{path} has an impossible row for seed {impossible[0]}.")
        return rows

    def _read_solutions(self, block: int) -> tuple[Path, dict[int, bytes]]:
        """The lines of play of a block, and the file that they are in."""
        part = self.store.part(self.cell.id, block, "solutions")
        if part is None:
            path = self.store.block_path(self.cell.id, block, "solutions")
            raise InputError(f"{path} is missing, so no win of this block can be replayed.")
        seeds = part.table["seed"].to_pylist()
        if len(set(seeds)) < len(seeds):
            self._problem(f"{part.path} holds a seed twice.")
        return part.path, dict(zip(seeds, part.table["moves"].to_pylist(), strict=True))

    def _check_footer(self, part: Part, seeds: Sequence[int]) -> None:
        expected = schema.footer(self.cell, seeds, rows=len(seeds))
        for key in ("solitaire_lab.cell", "solitaire_lab.seeds"):
            if part.footer.get(key) != expected[key]:
                self._problem(f"The footer of {part.path} disagrees with the manifest or the rows in {key}.")

    # --- wins ---------------------------------------------------------------------------------------------------

    def _check_solutions(self, rows: Mapping[int, Row], moves: Mapping[int, bytes], path: Path) -> None:
        """Check that wins and lines of play, which are in the file ``path``, correspond, and replay every line."""
        for seed, row in rows.items():
            if row.outcome == "win" and seed not in moves:
                self._problem(f"{path} has no line of play for seed {seed}, a win.")
            elif row.outcome == "win" and 3 * (row.solution_length or 0) != len(moves[seed]):
                self._problem(
                    f"{path} has a line of play for seed {seed} that is not {row.solution_length} moves long."
                )
            elif row.outcome == "loss" and seed in moves:
                self._problem(f"{path} has a line of play for seed {seed}, a loss.")
        won = sum(row.outcome == "win" for row in rows.values())
        if len(moves) > won:
            self.found.remarks.append(
                f"{path} has {len(moves) - won} lines of play more than there are wins, as when a run is killed "
                "between writing lines and rows; the next run mends it."
            )
        if self.game is not None:
            for objection in self._replay(self.game, moves):
                self._problem(f"{path}: {objection}")

    def _replay(self, game: Game, moves: Mapping[int, bytes]) -> Iterator[str]:
        """Replay lines of play by the engine; a sentence for every one that does not win."""
        engine = Engine(game.rules)
        try:
            deals = deal_many(game, numbering=self.cell.numbering, seeds=list(moves))
        except InputError as error:
            yield str(error)
            return
        for (seed, line), dealt in zip(moves.items(), deals, strict=True):
            try:
                if engine.won(engine.replay(engine.settle(dealt), decode_moves(line))):
                    self.found.wins_replayed += 1
                else:
                    yield f"the line of play for seed {seed} does not win."
            except InputError as error:
                yield f"the line of play for seed {seed} is not legal. {error}"

    # --- the cell -----------------------------------------------------------------------------------------------

    def find_missing(self) -> None:
        """Find planned deals that are not stored, or not searched as far as planned."""
        stored = np.unique(np.concatenate([np.array(seeds, np.uint64) for seeds in self.seeds]))
        planned_for = np.zeros(len(stored), np.bool_)
        for planned in self.plans:
            first, last = np.uint64(planned.seeds.first), np.uint64(planned.seeds.last)
            begin, end = np.searchsorted(stored, first), np.searchsorted(stored, last, side="right")
            # Behind the end of a cell that its precision ended, deals may be stored.
            planned_for[begin : np.searchsorted(stored, np.uint64(planned.most.last), side="right")] = True
            name, missing = f"Cell {planned.cell.label!r}", planned.seeds.count - int(end - begin)
            if missing:
                gaps = np.flatnonzero(stored[begin:end] - first != np.arange(end - begin, dtype=np.uint64))
                seed = planned.seeds.first + int(gaps[0] if len(gaps) else end - begin)
                self._problem(
                    f"{name} lacks {missing:,} of {planned.seeds.count:,} deals, the first of them seed {seed}."
                )
            short = [seed for seed, nodes in self.short if seed in planned.seeds and nodes < planned.budget]
            if short:
                self._problem(
                    f"{name} has {len(short):,} deals that are not decided nor searched for {planned.budget:,} nodes, "
                    f"the first of them seed {short[0]}."
                )
        if not planned_for.all():
            strays = stored[~planned_for]
            self._problem(
                f"Cell {self.cell.label!r} holds {len(strays):,} deals that the manifest doesn't plan, the first of "
                f"them seed {strays[0]}."
            )

    def check_ends(self) -> None:
        """Check that each cell ends where its precision is reached."""
        for planned, ending in self.endings:
            name, last = f"Cell {planned.cell.label!r}", planned.seeds.last
            if planned.asked is not None and ending.last is None:
                self._problem(
                    f"{name} ends with seed {last}, but hasn't its precision of {planned.precision:g} points."
                )
            elif planned.asked is not None and ending.last != last:
                self._problem(f"{name} ends with seed {last}, but has its precision at seed {ending.last}.")
            elif ending.last is not None and ending.last < last:
                self.found.remarks.append(
                    f"{name} has its precision at seed {ending.last}, but was not ended there, as when a run is "
                    "killed; the next run ends it."
                )

    def prove_losses(self, sample: int) -> None:
        """Search a sample of the losses again with other fingerprints."""
        # The solver is slow to import, and a folder without losses needs none.
        if not self.losses or not sample or self.game is None:
            return
        from solitaire_lab.solver.solver import REVISION, Solver

        if self.cell.solver != REVISION:
            self.found.remarks.append(
                f"The losses of cell {self.cell.label!r} are of solver revision {self.cell.solver}; this version of "
                f"solitaire-lab has {REVISION} and can't prove them again."
            )
            return
        chosen = sorted(random.Random(self.cell.id).sample(self.losses, min(sample, len(self.losses))))
        solver = Solver(self.game.rules, memory=self.cell.table_bytes, key=OTHER_KEY)
        deals = deal_many(self.game, numbering=self.cell.numbering, seeds=[seed for seed, _ in chosen])
        for (seed, nodes), dealt in zip(chosen, deals, strict=True):
            verdict = solver.solve(solver.engine.settle(dealt), budget=max(1, nodes))
            if verdict is not None and verdict[:3] == ("loss", None, nodes):
                self.found.losses_proved += 1
            else:
                self._problem(
                    f"Seed {seed} of cell {self.cell.label!r} is stored as a loss in {nodes} nodes; searched again, "
                    f"it is {verdict}."
                )


def _possible(row: Row) -> bool:
    """Whether a row's columns fit together."""
    return (
        row.outcome in OUTCOMES
        and ((row.reason in REASONS) if row.outcome == "undecided" else row.reason is None)
        and (row.outcome == "win") == (row.solution_length is not None)
        and row.seconds >= 0
    )
