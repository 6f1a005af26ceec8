"""Any rules in words: sentences as they stand on a rules page, made from the parameters alone."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Literal, NamedTuple

from solitaire_lab.rules.model import Rules

_NUMBERS = (
    *("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    "thirteen",
)
_RANK_NAMES = ("ace", "2", "3", "4", "5", "6", "7", "8", "9", "10", "jack", "queen", "king")
_SUIT_WORDS = {"suit": "in suit", "alternating": "in alternating colours", "colour": "in colour", "any": "in any suit"}


class Section(NamedTuple):
    """A heading with the sentences under it."""

    heading: str
    sentences: list[str]


def sections(rules: Rules) -> list[Section]:
    """The rules in words, from the deal to winning; what a game does not have is left out."""
    found = [
        Section("The deal", list(_deal(rules))),
        Section("Foundations", list(_foundations(rules))),
        Section("Columns", list(_columns(rules))),
        Section("Spaces", list(_spaces(rules))),
        Section("Reserve", list(_reserve(rules))),
        Section("Cells", list(_cells(rules))),
        Section("Stock", list(_stock(rules))),
        Section("Winning", list(_winning(rules))),
    ]
    return [section for section in found if section.sentences]


# --- the deal ---------------------------------------------------------------------------------------------------


def _deal(rules: Rules) -> Iterator[str]:
    yield _pack(rules)
    yield from _base(rules)
    yield from _reserve_dealt(rules)
    yield from _columns_dealt(rules)
    yield from _kings(rules)
    yield from _cells_dealt(rules)
    if rules.stock_size == 1:
        yield "The card that is left is the stock."
    elif rules.stock_size:
        yield f"The {_number(rules.stock_size)} cards that are left are the stock."


def _pack(rules: Rules) -> str:
    pack = rules.pack
    decks = f"{_number(pack.decks).capitalize()} {_plural('deck', pack.decks)}, {len(rules.pack_cards)} cards"
    ranks = "" if pack.ranks == 13 else ", aces only" if pack.ranks == 1 else f", from ace to {_rank(pack.ranks)} only"
    suits = {4: "", 2: ", in two suits, hearts and spades", 1: ", all of them spades"}[pack.suits]
    return f"{decks}{ranks}{suits}."


def _base(rules: Rules) -> Iterator[str]:
    placed, base = rules.foundations.placed, rules.fixed_base
    if placed == "none":
        return
    if base is None and placed == "one":
        yield "The first card begins a foundation, and its rank is the base rank."
    elif base is None:
        placed_cards = f"all {_number(rules.placed_count)} cards of it"
        yield f"The rank of the first card is the base rank; {placed_cards} are taken out and begin the foundations."
    elif placed == "one":
        yield f"The first {_rank(base)} of the pack is taken out and begins a foundation."
    else:
        yield f"All {_number(rules.placed_count)} {_rank(base)}s are taken out and begin the foundations."


def _reserve_dealt(rules: Rules) -> Iterator[str]:
    piles, size = rules.reserve.piles, rules.reserve.size
    if size == 1:
        yield f"{_counted('card', piles)} {_verb(piles, 'is', 'are')} dealt face up to the reserve, side by side."
    elif piles:
        into = "as one pile" if piles == 1 else f"in {_number(piles)} piles"
        tops = "only the top card face up" if piles == 1 else "only the top card of each face up"
        faces = tops if rules.reserve.face == "top" else "all face up"
        yield f"{_counted('card', piles * size)} are dealt to the reserve {into}, {faces}."


def _columns_dealt(rules: Rules) -> Iterator[str]:
    columns, heights = rules.tableau.columns, rules.heights
    subject = "The column" if columns == 1 else f"The {_number(columns)} columns"
    if not any(heights):
        yield f"{subject} {_verb(columns, 'begins', 'begin')} empty."
    else:
        yield f"{subject} {_verb(columns, 'gets', 'get')} {_heights(heights)}, {_faces(rules)}."


def _heights(heights: tuple[int, ...]) -> str:
    """Such as ``five cards each`` or ``7, 7, 6 and 6 cards``."""
    runs = [(height, len(list(run))) for height, run in groupby(heights)]
    if len(runs) == 1:
        return f"{_cards(heights[0])}{'' if len(heights) == 1 else ' each'}"
    if len(runs) == 2 and len(heights) > 4:
        (height, _), (other, others) = runs
        last = "the last" if others == 1 else f"the last {_number(others)}"
        return f"{_cards(height)} each, {last} {'only ' if other < height else ''}{_number(other)}"
    return f"{', '.join(map(str, heights[:-1]))} and {heights[-1]} cards"


def _faces(rules: Rules) -> str:
    downs = rules.downs
    if not any(downs):
        return "face up"
    if all(down == max(0, height - 1) for down, height in zip(downs, rules.heights, strict=True)):
        return "only the top card face up" if len(downs) == 1 else "only the top card of each face up"
    parts, first = [], 1
    for down, run in groupby(downs):
        last = first + len(list(run)) - 1
        if down:
            which = "lowest card" if down == 1 else f"lowest {_number(down)}"
            where = f"column {first}" if first == last else f"columns {first} to {last}"
            parts.append(f"the {which} of {where}")
        first = last + 1
    return f"face up but for {', '.join(parts)}"


def _kings(rules: Rules) -> Iterator[str]:
    kings = f"{_rank(rules.pack.ranks)}s"
    match rules.deal.kings:
        case "slide":
            yield f"Then {kings} are put at the bottom of their columns; the other cards keep their order."
        case "swap":
            yield f"Then {kings} change places with the lowest other card of their columns."
        case "own-suit":
            yield f"Then {kings} that lie on cards of their own suit are put below the lowest of these."


def _cells_dealt(rules: Rules) -> Iterator[str]:
    count, filled = rules.cells.count, rules.cells.filled
    if not count:
        return
    if filled == 0:
        yield f"{_counted('cell', count)} {_verb(count, 'is', 'are')} empty."
    elif filled == count:
        yield f"{_counted('cell', count)} {_verb(count, 'gets one card', 'get one card each')}."
    else:
        first = "the first gets a card" if filled == 1 else f"the first {_number(filled)} get a card each"
        yield f"Of {_number(count)} cells {first}."


# --- play -------------------------------------------------------------------------------------------------------


def _foundations(rules: Rules) -> Iterator[str]:
    build, top = rules.foundations.build, _rank(rules.pack.ranks)
    if build == "none":
        return
    if build in ("suit", "alternating"):
        yield f"Up {_SUIT_WORDS[build]}, card by card, {_foundation_order(rules)}."
    else:
        run = "a whole suit" if build == "run" else "a whole run in alternating colours"
        where = "at the end of a column" if rules.foundations.runs == "anywhere" else "as a whole column"
        yield f"Only {run}, from {top} down to ace, goes up, all at once, when it lies {where}."
    yield {
        "off": "A card on a foundation never comes back into play.",
        "on": "The top card of a foundation may come back into play, but the base card stays.",
        "base-too": "The top card of a foundation may come back into play, the base card too.",
    }[rules.foundations.return_]
    yield {"forced": "Whatever can go up goes up by itself.", "optional": "Nothing has to go up."}[
        rules.foundations.autoplay
    ]


def _foundation_order(rules: Rules) -> str:
    ranks, base = rules.pack.ranks, rules.fixed_base
    if ranks == 1:
        return "one card each"
    if base is None:
        return f"from the base rank on, the ace after the {_rank(ranks)}, until a foundation has {_cards(ranks)}"
    first = f"from {_rank(base)} to {_rank(ranks)}" if base < ranks else f"the {_rank(base)}"
    if base == 1:
        return first
    return f"{first}, then " + ("the ace" if base == 2 else f"from ace to {_rank(base - 1)}")


def _columns(rules: Rules) -> Iterator[str]:
    tableau = rules.tableau
    if tableau.build == "none":
        yield "Nothing is built on a column."
    else:
        direction = {"down": "down", "up": "up", "both": "up or down, changing at will,"}[tableau.direction]
        yield f"Built {direction} {_SUIT_WORDS[tableau.build]}{_wrapping(rules)}."
    if tableau.capacity != "unlimited":
        yield f"No column is built beyond {_cards(tableau.capacity)}."
    yield {
        "single": "Only the top card of a column moves.",
        "whole": "From column to column only a whole column moves, if it is one built run.",
        "top-or-whole": "The top card of a column moves, or the whole column, if it is one built run.",
        "run": "The top card of a column moves, or any part of a built run with all cards on it.",
        "suit-run": "The top card of a column moves, or any part of a built run in suit with all cards on it.",
        "group": "Any face-up card moves, with all cards on it, in whatever order they lie.",
    }[tableau.moves]
    if any(rules.downs):
        yield "A face-down card that becomes the top of its column is turned up at once."


def _wrapping(rules: Rules) -> str:
    """How a sentence on building goes on: whether the highest rank and the ace are neighbours."""
    tableau, ranks = rules.tableau, rules.pack.ranks
    if tableau.wrap == "off":
        end = {"down": _a(1), "up": _a(ranks)}.get(tableau.direction)
        return f"; nothing goes on {end}" if end else f"; ace and {_rank(ranks)} are not neighbours"
    too = {"down": f"{_a(ranks)} on an ace", "up": f"an ace on {_a(ranks)}", "both": f"ace and {_rank(ranks)}"}
    if tableau.wrap == "on":
        return f", {too[tableau.direction]} too"
    base = "a card of the base rank" if rules.fixed_base is None else _a(rules.fixed_base)
    return f", {too[tableau.direction]} too, but nothing goes on {base}"


def _spaces(rules: Rules) -> Iterator[str]:
    spaces, then, piles = rules.spaces, "", rules.reserve.piles
    if spaces.while_reserve == "auto":
        then = "once it is used up, "
        top = "its top card" if piles == 1 else "the top card of its first pile that is left"
        yield f"While the reserve lasts, {top} fills a space at once."
    elif spaces.while_reserve == "manual":
        then = "once it is used up, "
        top = "its top card" if piles == 1 else "one of its top cards"
        yield f"While the reserve lasts, only {top} fills a space, when the player likes."
    if spaces.auto_waste:
        yield _sentence(f"{then}the top of the waste, if there is a waste, fills a space at once")
        then = "without a waste, "
    reserve_too = spaces.while_reserve == "free" and piles > 0 and rules.reserve.to == "any"
    match spaces.after:
        case "any":
            yield _sentence(f"{then}whatever can move may fill a space{', the reserve too' if reserve_too else ''}")
        case "king":
            along = ", alone or with all cards on it" if rules.tableau.moves in ("run", "suit-run", "group") else ""
            yield _sentence(f"{then}only {_a(rules.pack.ranks)} may fill a space{along}")
        case "waste" if reserve_too:
            yield _sentence(f"{then}only the top of the reserve or of the waste may fill a space")
        case "waste" if not spaces.auto_waste:
            yield _sentence(f"{then}only the top of the waste may fill a space")
        case _:
            yield _sentence(f"{then}a space stays empty")
            return
    yield "A space may also stay open."


def _reserve(rules: Rules) -> Iterator[str]:
    piles, size = rules.reserve.piles, rules.reserve.size
    if not piles:
        return
    card = "A reserve card" if size == 1 else "The top card" if piles == 1 else "The top card of a pile"
    to_cell = rules.cells.count > 0 and rules.cells.from_ == "any"
    targets = [
        *(["a foundation"] if _takes_single_cards(rules) else []),
        *(["a column"] if rules.reserve.to == "any" else []),
        *(["a cell"] if rules.reserve.to == "any" and to_cell else []),
    ]
    yield f"{card} may go only to {_either(targets)}." if targets else "Nothing leaves the reserve."
    if size > 1 and rules.reserve.face == "top":
        yield "The next card is then turned up."
    yield "The reserve is never refilled."


def _cells(rules: Rules) -> Iterator[str]:
    if not rules.cells.count:
        return
    from_any = rules.cells.from_ == "any"
    sources = [
        "the top card of a column",
        *(["of the reserve"] if from_any and rules.reserve.piles and rules.reserve.to == "any" else []),
        *(["of the waste"] if from_any and rules.stock_size and rules.stock.turn else []),
        *(["of a foundation"] if from_any and rules.foundations.return_ != "off" else []),
    ]
    targets = "a foundation or a column" if _takes_single_cards(rules) else "a column"
    yield f"A cell takes one card: {_either(sources)}. From there it may go to {targets}."


def _stock(rules: Rules) -> Iterator[str]:
    stock = rules.stock
    if not rules.stock_size:
        return
    if stock.row:
        yield from _rows(rules)
        return
    at_a_time = "card by card" if stock.turn == 1 else f"{_cards(stock.turn)} at a time, in the end what is left"
    yield f"The stock is turned to the waste {at_a_time}. Only the top of the waste is in play."
    if stock.auto_turn:
        yield "When the waste is empty, the stock is turned by itself."
    yield _passes(stock.redeals)
    if stock.becomes_column:
        yield "When it is used up, its place becomes one more column, empty at first."


def _rows(rules: Rules) -> Iterator[str]:
    row, columns = rules.stock.row, rules.tableau.columns
    onto = (
        "the column"
        if columns == 1
        else "each column"
        if row == columns
        else f"each of the first {_number(row)} columns"
    )
    if row == 1 < columns:
        onto = "the first column"
    yield f"At any time {_cards(row)} may be dealt from the stock, face up: one to {onto}, as far as the stock goes."
    if rules.stock.blocked_by_space:
        yield "No row may be dealt while a column is empty."


def _passes(redeals: int | Literal["unlimited"]) -> str:
    if redeals == 0:
        return "The stock is gone through once."
    again = "When it is used up, the waste may be turned over, in order, to be the stock again"
    if redeals == "unlimited":
        return f"{again}, as often as the player likes."
    return f"{again}, {_times(redeals)}: it is gone through {_times(redeals + 1)}."


def _winning(rules: Rules) -> Iterator[str]:
    if rules.foundations.build == "none":
        suit = f"a whole suit from {_rank(rules.pack.ranks)} down to ace"
        yield "There are no foundations."
        yield f"The game is won when every column is empty or {suit}, and no card is left elsewhere."
    else:
        yield f"The game is won when all {_cards(len(rules.pack_cards))} lie on the foundations."
    yield "Whether a deal can be won is decided with all cards known."


def _takes_single_cards(rules: Rules) -> bool:
    """Whether foundations take cards one by one."""
    return rules.foundations.build in ("suit", "alternating")


# --- words ------------------------------------------------------------------------------------------------------


def _number(number: int) -> str:
    return _NUMBERS[number] if number < len(_NUMBERS) else str(number)


def _times(number: int) -> str:
    return {1: "once", 2: "twice"}.get(number, f"{_number(number)} times")


def _cards(number: int) -> str:
    return f"{_number(number)} {_plural('card', number)}"


def _counted(noun: str, number: int) -> str:
    return f"{_number(number).capitalize()} {_plural(noun, number)}"


def _plural(noun: str, number: int) -> str:
    return noun if number == 1 else f"{noun}s"


def _verb(number: int, one: str, more: str) -> str:
    return one if number == 1 else more


def _rank(rank: int) -> str:
    return _RANK_NAMES[rank - 1]


def _a(rank: int) -> str:
    return f"{'an' if rank in (1, 8) else 'a'} {_rank(rank)}"


def _either(words: list[str]) -> str:
    *others, last = words
    return f"{', '.join(others)} or {last}" if others else last


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."
