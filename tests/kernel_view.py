"""The kernel's record in the engine's terms."""

from __future__ import annotations

import numpy as np

from solitaire_lab.cards import Card
from solitaire_lab.deals.position import Position
from solitaire_lab.engine.engine import Engine
from solitaire_lab.engine.moves import CELL, FOUNDATION, RESERVE, ROW, STOCK, WASTE, Move
from solitaire_lab.rules.model import Rules
from solitaire_lab.solver import fingerprint, forced
from solitaire_lab.solver import generate as generating
from solitaire_lab.solver import record as rec
from solitaire_lab.solver import steps as stepping
from solitaire_lab.solver.compiling import cached
from solitaire_lab.solver.strategy import strategy_of
from solitaire_lab.solver.tables import new_record, position_bytes, set_base

# Compiled as parts of the search they would be compiled anew in every test run; these copies are kept on disk.
forced_step, generate, won = (cached(f.py_func) for f in (forced.forced_step, generating.generate, forced.won))
completed, do, load, undo = (cached(f.py_func) for f in (stepping.completed, stepping.do, stepping.load, stepping.undo))
foresee = cached(fingerprint.foresee.py_func)


class KernelView:
    """One position in a record, moved about with the kernel's own functions."""

    def __init__(self, rules: Rules, *, prunings: int = 0, key: int = 0) -> None:
        self.rules = rules
        self.record = new_record(rules, strategy_of(rules), key=key, prunings=prunings)
        self._engine = Engine(rules)
        self._base = 1

    def load(self, position: Position) -> None:
        self._base = position.base
        set_base(self.record, self.rules, self._engine, base=position.base)
        load(self.record, position_bytes(position, redeals_counted=self.rules.stock.redeals != "unlimited"))

    def fingerprint(self) -> tuple[int, int]:
        return int(self.record.fingerprint[0]), int(self.record.fingerprint[1])

    def won(self) -> bool:
        return bool(won(self.record))

    def steps(self) -> list[int]:
        return [int(step) for step in self.record.moves[: generate(self.record)]]

    def foreseen(self, index: int) -> tuple[int, int]:
        """The fingerprint to which the listed step leads, before forced steps, as the search foresees it."""
        foresee(self.record, index)
        first, second = self.record.leads_to[index]
        return int(first), int(second)

    def forced(self) -> int:
        """The forced step that is due, or 0."""
        return int(forced_step(self.record))

    def do(self, step: int) -> list[int]:
        """Carry out a step alone; return the trail."""
        step = int(completed(self.record, step))
        do(self.record, step)
        return [step]

    def play(self, step: int) -> list[int]:
        """Carry out a step and the forced ones after it; return the trail."""
        trail = []
        while step:
            step = int(completed(self.record, step))
            do(self.record, step)
            trail.append(step)
            step = int(forced_step(self.record))
        return trail

    def take_back(self, trail: list[int]) -> None:
        for step in reversed(trail):
            undo(self.record, step)

    def state(self) -> bytes:
        """All that describes the position, beyond the cards that unused places happen to hold."""
        r = self.record
        piles = [r.cards[pile, : r.held[pile]].tobytes() for pile in range(rec.PILES)]
        heads = [
            of[column, r.down[column] : r.held[column]].tobytes()
            for of in (r.head, r.reach)
            for column in range(rec.COLUMNS)
        ]
        numbers = [r.columns, r.up_cards, r.down_cards, r.reserve_cards, r.cell_cards, r.waste_size, r.redeals_used]
        chains = [r.chain[pile, : r.held[pile] + 1] for pile in range(rec.PILES)]
        sums = [
            r.fingerprint,
            r.down,
            r.talon[: r.talon_size],
            r.talon_id[: r.talon_size],
            r.term,
            r.takes,
            r.next_up,
            r.least,
            *chains,
        ]
        return b"|".join([*piles, *heads, np.array(numbers).tobytes(), *(np.array(x).tobytes() for x in sums)])

    def position(self) -> Position:
        """The record's position as the engine has it."""
        r = self.record

        def piles(first: int, count: int) -> tuple[tuple[Card, ...], ...]:
            return tuple(tuple(map(int, r.cards[p, : r.held[p]])) for p in range(first, first + count))

        columns = int(r.columns)
        talon = tuple(map(int, r.talon[: r.talon_size]))
        cut = int(r.waste_size)
        return Position(
            base=self._base,
            foundations=piles(rec.FIRST_FOUNDATION, int(r.foundations)),
            tableau=piles(0, columns),
            down=tuple(map(int, r.down[:columns])),
            reserve=piles(rec.FIRST_RESERVE, int(r.reserves)),
            cells=tuple(cell[0] if cell else None for cell in piles(rec.FIRST_CELL, int(r.cells))),
            waste=talon[:cut],
            stock=talon[cut:],
            redeals_used=int(r.redeals_used),
        )

    def engine_move(self, step: int) -> Move:
        """A step that is listed without prunings as the engine's move."""
        r = self.record
        kind = step & 7
        if kind == rec.DEAL_ROW:
            return Move(STOCK, ROW, (step >> rec.SIZE) & 127)
        if kind == rec.TURN:
            size = ((step >> rec.NEW_WASTE) & 127) - int(r.waste_size)
            return Move(STOCK, WASTE, size) if size > 0 else Move(WASTE, STOCK, 0)
        source, target = (step >> rec.SOURCE) & 127, (step >> rec.TARGET) & 127
        return Move(_engine_pile(source), _engine_pile(target), (step >> rec.SIZE) & 127)


def _engine_pile(pile: int) -> int:
    for first, number in ((rec.WASTE, WASTE), (rec.FIRST_CELL, CELL), (rec.FIRST_RESERVE, RESERVE)):
        if pile >= first:
            return number + pile - first
    return pile if pile < rec.FIRST_FOUNDATION else FOUNDATION + pile - rec.FIRST_FOUNDATION
