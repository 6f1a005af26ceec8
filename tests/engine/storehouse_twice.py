"""Storehouse written a second time, for comparison only: from the rules in words, on strings, knowing no other game.

Nothing here uses the package. A pile is a string of cards, two characters a card, its top last; the stock's next card
is its last.
"""

from __future__ import annotations

from typing import NamedTuple

RISING = "23456789TJQKA"
SUITS = "CDHS"


class Reading(NamedTuple):
    """The points on which the sources differ."""

    whole_columns_only: bool = False
    fill: str = "at once"
    """How a space is filled while the reserve lasts: at once, by hand, or by hand from the waste too."""
    afterwards: str = "any card"
    """What fills it afterwards: any card, or waste."""
    passes: int | None = 3


class Table(NamedTuple):
    up: str
    """The highest card of each suit that is on its foundation, in the order of ``SUITS``, such as ``2242``."""
    columns: tuple[str, ...]
    reserve: str
    waste: str
    stock: str
    passes_begun: int


def successors(table: Table, reading: Reading) -> dict[tuple[str, str, int], Table]:
    """Every legal move as (from, to, cards) with the table after it; a move that changes nothing is none."""
    found = {}
    for name, pile in sources(table):
        card = pile[-2:]
        if (height := RISING.index(card[0])) == 1 + RISING.index(table.up[SUITS.index(card[1])]):
            suit = SUITS.index(card[1])
            up = table.up[:suit] + RISING[height] + table.up[suit + 1 :]
            found[name, f"foundation:{suit}", 1] = filled(without(table, name, 1)._replace(up=up), reading)
        for count in liftable(name, pile, reading):
            bottom = pile[-2 * count :][:2]
            for target, column in enumerate(table.columns):
                if name == f"tableau:{target}":
                    continue
                if builds(bottom, column[-2:]) if column else may_fill(table, name, count, reading):
                    rest = without(table, name, count)
                    columns = list(rest.columns)
                    columns[target] += pile[-2 * count :]
                    after = rest._replace(columns=tuple(columns))
                    found[name, f"tableau:{target}", count] = filled(after, reading)
    if table.stock:
        found["stock", "waste", 1] = filled(
            table._replace(waste=table.waste + table.stock[-2:], stock=table.stock[:-2]), reading
        )
    elif table.waste and (reading.passes is None or table.passes_begun < reading.passes):
        cards = [table.waste[i : i + 2] for i in range(0, len(table.waste), 2)]
        begun = table.passes_begun + (reading.passes is not None)
        found["waste", "stock", 0] = table._replace(waste="", stock="".join(reversed(cards)), passes_begun=begun)
    return found


def sources(table: Table) -> list[tuple[str, str]]:
    """The piles whose top card may be played."""
    columns = [(f"tableau:{index}", column) for index, column in enumerate(table.columns)]
    piles = [*columns, ("reserve:0", table.reserve), ("waste", table.waste)]
    return [(name, pile) for name, pile in piles if pile]


def liftable(name: str, pile: str, reading: Reading) -> list[int]:
    """How many cards may go to a column together: the top card, or the whole of a column."""
    whole = len(pile) // 2
    if not name.startswith("tableau") or whole == 1:
        return [1]
    return [whole] if reading.whole_columns_only else [1, whole]


def builds(card: str, on: str) -> bool:
    """Down in suit, a king on an ace."""
    if card[1] != on[1]:
        return False
    return (on[0], card[0]) in zip("A23456789TJQK", "KA23456789TJQ", strict=True)


def may_fill(table: Table, name: str, count: int, reading: Reading) -> bool:
    """Whether cards may go to an empty column."""
    if name.startswith("tableau") and 2 * count == len(table.columns[int(name[8:])]):
        return False  # an empty column for another
    if table.reserve and reading.fill != "by hand from the waste too":
        return name == "reserve:0"
    return reading.afterwards == "any card" or name in ("waste", "reserve:0")


def without(table: Table, name: str, count: int) -> Table:
    if name == "waste":
        return table._replace(waste=table.waste[:-2])
    if name == "reserve:0":
        return table._replace(reserve=table.reserve[:-2])
    columns = list(table.columns)
    columns[int(name[8:])] = columns[int(name[8:])][: -2 * count]
    return table._replace(columns=tuple(columns))


def filled(table: Table, reading: Reading) -> Table:
    """The table after spaces have been filled from the reserve, if that happens by itself."""
    while reading.fill == "at once" and table.reserve and "" in table.columns:
        columns = list(table.columns)
        columns[columns.index("")] = table.reserve[-2:]
        table = table._replace(columns=tuple(columns), reserve=table.reserve[:-2])
    return table


def lines_of_play(table: Table, reading: Reading, depth: int) -> int:
    """How many sequences of so many moves there are."""
    if depth == 0:
        return 1
    return sum(lines_of_play(after, reading, depth - 1) for after in successors(table, reading).values())
