"""Comparisons in the formats that people read and programs parse."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterable
from typing import Any

from solitaire_lab import __version__
from solitaire_lab.reports.compare import Comparison, Comparisons, Side
from solitaire_lab.reports.paired import Difference
from solitaire_lab.reports.render import Grid, one_line, render_grid
from solitaire_lab.reports.verdicts import Seeds
from solitaire_lab.results.rows import OUTCOMES
from solitaire_lab.rules.settings import value_text

LISTED = 100
"""Seeds that are named in a text; JSON and CSV have all."""
_UNDER = {"a": "A", "b": "B"}


def render_comparison(pair: Comparison, style: str) -> str:
    """A comparison as text that ends in a newline; ``style`` is one of ``render.FORMATS``."""
    if style == "json":
        return json.dumps(pair.record(), indent=1, ensure_ascii=False) + "\n"
    return _csv([pair]) if style == "csv" else render_grid(_pair_grid(pair), style)


def render_comparisons(found: Comparisons, style: str) -> str:
    """All comparisons of a study: a matrix for people, a list for programs; ``style`` is one of ``render.FORMATS``."""
    if style == "json":
        return json.dumps([pair.record() for pair in found.pairs.values()], indent=1, ensure_ascii=False) + "\n"
    return _csv(found.pairs.values()) if style == "csv" else render_grid(_matrix(found), style)


# --- for programs -----------------------------------------------------------------------------------------------


def _csv(pairs: Iterable[Comparison]) -> str:
    """A line a pair; lists are JSON."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    for number, record in enumerate(map(_flat, pairs)):
        if number == 0:
            writer.writerow(record)
        writer.writerow(value if isinstance(value, str | float) else _json_value(value) for value in record.values())
    return text.getvalue()


def _flat(pair: Comparison) -> dict[str, Any]:
    """The record with nothing nested but lists."""
    record = pair.record()
    sides = {f"{name}_{key}": value for name in ("a", "b") for key, value in record.pop(name).items()}
    outcomes = {f"{i}_{j}": deals for i, row in record.pop("outcomes").items() for j, deals in row.items()}
    p = record.pop("p_value") or dict.fromkeys(("decided", "least", "most"))
    return {**record, **sides, **outcomes, **{f"p_{name}": value for name, value in p.items()}}


def _json_value(value: Any) -> str:
    return "" if value is None else json.dumps(value, ensure_ascii=False)


# --- two cells, for people --------------------------------------------------------------------------------------


def _pair_grid(pair: Comparison) -> Grid:
    header = ["", *(f"B: {outcome}" for outcome in OUTCOMES), "all"]
    body = [
        [f"A: {outcome}", *(f"{deals:,}" for deals in (*row, sum(row)))]
        for outcome, row in zip(OUTCOMES, pair.table.counts, strict=True)
    ]
    totals = [sum(column) for column in zip(*pair.table.counts, strict=True)]
    body.append(["all", *(f"{deals:,}" for deals in (*totals, sum(totals)))])
    return Grid(header, body, list(_pair_notes(pair)), frozenset(range(1, 5)))


def _pair_notes(pair: Comparison) -> Iterable[str]:
    if pair.difference is not None:
        yield _easier_note(pair, pair.difference)
    yield f"{_side(pair.a, 'A')}."
    yield f"{_side(pair.b, 'B')}."
    yield _seeds_note(pair)
    if not pair.same_deals:
        yield (
            f"The deals are not the same ({'; '.join(pair.deal_differences)}): only the numbers of the seeds are, so "
            "that rules that are stricter could still win a deal that looser ones lose."
        )
    else:
        yield _ORDERS[pair.order]
    yield f"Lost under A and won under B: {_listed(pair.gained)}"
    yield f"Won under A and lost under B: {_listed(pair.lost)}"
    for deals in pair.settled:
        other = "b" if deals.undecided == "a" else "a"
        yield (
            f"Undecided under {_UNDER[deals.undecided]}, but a {deals.outcome} there too, since it is one under "
            f"{_UNDER[other]} (counted as undecided above): {_listed(deals.seeds)}"
        )
    if not pair.sound:
        yield _contradiction(pair)
    yield _difference_note(pair)
    yield _p_note(pair)
    yield "All cards are known to the solver, face-down ones too (thoughtful play)."
    yield f"Made with solitaire-lab {__version__}."


_ORDERS = {
    "equal": "The rules of A and B decide every deal alike.",
    "stricter": "The rules of A are stricter: what is won under A can be won under B.",
    "looser": "The rules of A are looser: what is won under B can be won under A.",
    "incomparable": "Neither the rules of A nor those of B are known to be stricter.",
}


def _side(side: Side, name: str) -> str:
    """What a cell is that goes by a letter or a number here, and by its label in the study."""
    cell = side.planned.cell
    rules = ", ".join(f"{key} = {_value(value)}" for key, value in cell.overrides.items()) or "the game's own"
    budget_name = f" ({one_line(side.budget_name)})" if side.budget_name else ""
    who = name if side.label == name else f"{name}: {side.label}"
    return one_line(
        f"{who} (game: {cell.game}; rules: {rules}; numbering: {cell.numbering}; budget: {side.budget:,} "
        f"nodes{budget_name}; solver: revision {cell.solver}; cell: {cell.short_id})"
    )


def _seeds_note(pair: Comparison) -> str:
    if pair.complete:
        return f"Seeds: {pair.seeds}, all that both are planned for."
    so_far = "none" if pair.seeds is None else str(pair.seeds)
    return (
        f"Unfinished: both are planned for seeds {pair.planned}; compared are the whole blocks in seed order that both "
        f"have, so far {so_far}."
    )


def _contradiction(pair: Comparison, a: str = "A", b: str = "B") -> str:
    why = {
        "equal": f"The rules of {a} and {b} decide every deal alike, but the verdicts differ",
        "stricter": f"The rules of {a} are stricter than those of {b}, but win what those lose",
        "looser": f"The rules of {b} are stricter than those of {a}, but win what those lose",
    }[pair.order]
    return f"A verdict is wrong! {why}: {_listed(pair.impossible)} Please report this; `verify` checks what is stored."


def _easier_note(pair: Comparison, difference: float) -> str:
    """Which cell is easier, by how much, and whether that is more than chance."""
    if not difference:
        return "A and B are won equally often: these deals don't tell which is easier."
    name, side = ("B", pair.b) if difference > 0 else ("A", pair.a)
    won = f"won more often by {100 * abs(difference):.{_digits(pair.table.interval)}f} points"
    who = name if side.label == name else f"{name} ({one_line(side.label)})"
    if pair.easier:
        return f"{who} is easier: {won}, and the 95 % interval of the difference excludes 0."
    return (
        f"{who} is {won}, but the 95 % interval of the difference does not exclude 0: these deals don't tell which is "
        "easier."
    )


def _difference_note(pair: Comparison) -> str:
    if pair.difference is None:
        return "Without deals, nothing is known of the difference."
    deals, interval = pair.table.deals, pair.table.interval
    digits = _digits(interval)
    before, after = (f"{100 * wins / deals:.{digits}f} %" for wins in pair.table.wins)
    low, high = _outwards(interval.low, digits, math.floor), _outwards(interval.high, digits, math.ceil)
    return (
        f"Won: {before} under A, {after} under B; B less A: {100 * pair.difference:+.{digits}f} points, 95 % interval "
        f"{low} to {high} (Tango's score interval for paired shares; its low end takes undecided deals at their worst "
        "for B, its high end at their best)."
    )


def _p_note(pair: Comparison) -> str:
    p = pair.p_value
    if p is None:
        return f"No p value: {pair.why_no_p_value}."
    deals = pair.table.gained + pair.table.lost
    what = f"{deals:,} {'deal' if deals == 1 else 'deals'} that one wins and the other loses"
    text = f"McNemar's exact test on {what}: p = {_p(p.decided)}"
    if p.least == p.most:
        return f"{text}."
    return f"{text}; {_p(p.least)} to {_p(p.most)}, however the undecided deals end."


# --- all cells, for people --------------------------------------------------------------------------------------


def _matrix(found: Comparisons) -> Grid:
    numbers = range(len(found.sides))
    header = ["", "cell", *(str(number + 1) for number in numbers)]
    body = [
        [str(i + 1), one_line(side.label), *(_matrix_cell(found, i, j) for j in numbers)]
        for i, side in enumerate(found.sides)
    ]
    return Grid(header, body, list(_matrix_notes(found)), frozenset([0, *(number + 2 for number in numbers)]))


def _matrix_cell(found: Comparisons, i: int, j: int) -> str:
    if i == j:
        return "."
    place = min(i, j), max(i, j)
    if place in found.of_two_numberings:
        return "-"
    pair = found.pairs.get(place)
    if pair is None:
        return "no seeds"
    if pair.difference is None:
        return "no block"
    gained, lost, sign = (len(pair.gained), len(pair.lost), 1) if i < j else (len(pair.lost), len(pair.gained), -1)
    marks = ("" if pair.same_deals else "*") + ("" if pair.complete else "?") + ("" if pair.sound else "!")
    return f"{100 * sign * pair.difference + 0.0:+.2f} ({gained:,}/{lost:,}){marks}"


def _matrix_notes(found: Comparisons) -> Iterable[str]:
    pairs = found.pairs.values()
    yield (
        "Line i, column j: the share of proved wins of cell j less that of cell i, in points of the deals that both "
        "have; in brackets, how many deals j wins and i loses, and how many i wins and j loses. Undecided deals are in "
        "neither."
    )
    for number, side in enumerate(found.sides, 1):
        yield f"{_side(side, str(number))}; seeds: {side.planned.seeds}."
    if found.of_two_numberings:
        yield f"-: {left_out_note(found)}"
    if any(not pair.same_deals for pair in pairs):
        yield "*: the deals are not the same, only the numbers of the seeds are."
    if any(not pair.complete for pair in pairs):
        yield "?: unfinished; compared are the whole blocks in seed order that both have."
    settled = sum(len(deals.seeds) for pair in pairs for deals in pair.settled)
    if settled:
        yield (
            f"{settled:,} undecided {'verdict is' if settled == 1 else 'verdicts are'} settled by that of a stricter "
            "or looser cell, and counted as undecided all the same."
        )
    ordered = sum(pair.order != "incomparable" for pair in pairs)
    if found.sound:
        yield (
            f"{ordered:,} of {len(pairs):,} {'pair' if len(pairs) == 1 else 'pairs'} {'is' if ordered == 1 else 'are'} "
            "ordered by strictness; no verdict contradicts another."
        )
    for (i, j), pair in found.pairs.items():
        if not pair.sound:
            yield f"!: {_contradiction(pair, f'cell {i + 1}', f'cell {j + 1}')}"
    yield "All cards are known to the solver, face-down ones too (thoughtful play)."
    yield f"Made with solitaire-lab {__version__}."


def left_out_note(found: Comparisons) -> str:
    """Which pairs are left out of a comparison of all, and why."""
    pairs = len(found.of_two_numberings)
    return (
        f"{pairs:,} {'pair is' if pairs == 1 else 'pairs are'} left out: a seed is another shuffle in each numbering."
    )


# --- words and numbers ------------------------------------------------------------------------------------------


def _listed(seeds: Seeds) -> str:
    """How many, and which, such as ``2 deals: 5, 17.``"""
    if not len(seeds):
        return "none."
    named = ", ".join(map(str, seeds[:LISTED].tolist()))
    more = f" and {len(seeds) - LISTED:,} more (JSON has all)" if len(seeds) > LISTED else ""
    return f"{len(seeds):,} {'deal' if len(seeds) == 1 else 'deals'}: {named}{more}."


def _digits(interval: Difference) -> int:
    """Decimals of a percentage so that an interval of this width has at least two figures."""
    width = interval.high - interval.low
    return max(2, math.ceil(1 - math.log10(100 * width))) if width > 0 else 2


def _outwards(share: float, digits: int, rounded: Any) -> str:
    """A difference in points, rounded so that what is printed is never too narrow."""
    return f"{rounded(share * 10 ** (digits + 2)) / 10**digits:+.{digits}f}"


def _p(value: float) -> str:
    return f"{value:.2g}" if value else "0 (below 1e-300)"


def _value(value: object) -> str:
    return value if isinstance(value, str) else value_text(value)
