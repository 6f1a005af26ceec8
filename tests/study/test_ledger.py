"""The ledger: rows reach the disk in whole blocks, or after ten seconds."""

from __future__ import annotations

from pathlib import Path

from solitaire_lab.results.rows import Row
from solitaire_lab.results.store import Store
from solitaire_lab.study.blocks import merged_manifest, plan_work
from solitaire_lab.study.ledger import Ledger
from solitaire_lab.study.model import Study
from tests.study.fakes import a_cell, row_of


class Clock:
    """A clock that stands still until it is set."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


class Book:
    """A ledger of one cell, and the folder that it writes to."""

    def __init__(self, path: Path, seeds: str, *, budget: int = 1_000) -> None:
        self.store, cell = Store(path), a_cell(seeds, budget=budget)
        study = Study("x", (cell,))
        self.works = plan_work(study, self.store, manifest=merged_manifest(None, study))
        self.clock = Clock()
        self.ledger = Ledger(self.store, self.works, clock=self.clock)
        self.budget = budget
        for block in self.works[0].blocks():
            self.ledger.open(0, block, self.works[0].missing(block))

    def add(self, *seeds: int) -> None:
        self.ledger.add(0, [row_of(seed, self.budget) for seed in seeds])

    def stored(self, block: int = 0) -> list[Row]:
        return self.store.read_block(self.works[0].cell.id, block)


def test_a_complete_block_is_written_at_once_whatever_the_order(tmp_path: Path) -> None:
    book = Book(tmp_path, "997:1003")
    book.add(1000, 1001, 1003)
    book.add(998)
    assert book.stored(0) == book.stored(1) == []
    book.add(1002)
    assert book.stored(1) == [row_of(seed, 1_000) for seed in range(1000, 1004)]
    book.add(999, 997)
    assert book.stored(0) == [row_of(seed, 1_000) for seed in range(997, 1000)]


def test_a_row_is_written_ten_seconds_after_it_came(tmp_path: Path) -> None:
    book = Book(tmp_path, "1:9")
    book.clock.now = 100.0
    book.add(4)
    book.clock.now = 105.0
    book.add(2)
    book.clock.now = 109.9
    book.ledger.write()
    assert book.stored() == []
    book.clock.now = 110.0
    book.ledger.write()
    assert [row.seed for row in book.stored()] == [2, 4]
    book.add(3)
    book.clock.now = 119.0
    book.ledger.write()
    assert [row.seed for row in book.stored()] == [2, 4]
    book.ledger.write(at_least=0.0)
    assert [row.seed for row in book.stored()] == [2, 3, 4]


def test_what_is_not_new_is_not_written_again(tmp_path: Path) -> None:
    book = Book(tmp_path, "1:9")
    book.add(1)
    book.ledger.write(at_least=0.0)
    path = book.store.block_path(book.works[0].cell.id, 0)
    path.unlink()
    book.clock.now = 1_000.0
    book.ledger.write()
    assert not path.exists()


def test_rows_that_were_there_stay_until_new_ones_replace_them(tmp_path: Path) -> None:
    first = Book(tmp_path, "1:50", budget=200)
    first.add(*range(1, 51))
    again = Book(tmp_path, "1:60", budget=5_000)
    open_before = [row.seed for row in first.stored() if row.reason == "nodes"]
    again.add(open_before[0], 55)
    again.ledger.write(at_least=0.0)
    expected = {seed: row_of(seed, 200) for seed in range(1, 51)}
    expected |= {seed: row_of(seed, 5_000) for seed in (open_before[0], 55)}
    assert again.stored() == [expected[seed] for seed in sorted(expected)]
    again.add(*open_before[1:], *(seed for seed in range(51, 61) if seed != 55))
    assert again.stored() == [row_of(seed, 5_000) for seed in range(1, 61)]
