"""The answers in English: a question, what is said, and how to check it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from solitaire_lab.reports.faq.en.rules import rules_text
from solitaire_lab.reports.faq.en.words import (
    counted,
    listed,
    number,
    percent,
    percent_range,
    plural,
    shuffles,
    some,
    word,
)
from solitaire_lab.reports.faq.figures import FIXED, MADE_WITH, SHUFFLING, changed_rules, searches, small_percent
from solitaire_lab.reports.faq.numbers import GameFaq, Opening, Other, Relation, Search
from solitaire_lab.reports.tables import Counts


def question(faq: GameFaq, statement: str) -> str:
    """The question that a statement answers."""
    return _QUESTIONS[statement].format(game=faq.title)


def answer(faq: GameFaq, statement: str) -> str | None:
    """A statement in words; None if it has nothing to say of these numbers."""
    return _ANSWERS[statement](faq)


def check(faq: GameFaq, statement: str) -> str:
    """What a reader needs to come to the same figures, in one line."""
    if statement in FIXED:
        return f"To check: tells how a site deals and hints, without a figure of the study; {MADE_WITH}."
    cell, changes = faq.planned.cell, changed_rules(faq)
    seeds = "none" if faq.seeds is None else str(faq.seeds)
    parts = [
        f"rules of {faq.title}{f' with {changes}' if changes else ''} ({rules_text(cell.game, faq.rules)})",
        f"numbering {cell.numbering}",
        f"seeds {seeds}" if faq.complete else f"seeds {seeds} of {faq.planned.seeds}, unfinished",
        f"budget {' and '.join(_budget(search) for search in searches(faq, statement))}",
        *_extra(faq, statement),
        f"solver revision {cell.solver}, all cards known to it",
        f"cell {cell.short_id}",
        MADE_WITH,
    ]
    return f"To check: {'; '.join(parts)}."


def _budget(search: Search) -> str:
    name = f" ({search.role})" if search.role else ""
    return f"{counted(search.nodes, 'node')}{name}"


def _extra(faq: GameFaq, statement: str) -> list[str]:
    """What else a statement depends on."""
    counts, tries = faq.long.counts, faq.shuffles.tries
    if statement == "F2":
        cells = [f"compared with cells {', '.join(other.cell_id[:12] for other in faq.others)}"] if faq.others else []
        left_out = [f"without {listed(faq.not_compared)} (other seeds, or fewer nodes)"] if faq.not_compared else []
        clear = ["clear if the 95% intervals (Wilson) lie apart"] if faq.others else []
        return [*cells, *left_out, *clear]
    if statement in SHUFFLING:
        median = ["median: enough for half of the boards"] if statement == "F3" else []
        return [f"up to {counted(tries, 'shuffle')} a board, from seed to seed", *median]
    if statement == "F10":
        return [
            "interval of 95% (Wilson), undecided deals lost at its low end and won at its high end",
            f"easy if {counted(faq.dealing.nodes, 'node')} win two thirds of the deals, medium from one third on",
        ]
    if counts.nodes < counts.undecided:
        reasons = {"out of nodes": counts.nodes, "out of memory": counts.memory, "crashed": counts.crashed}
        return [f"undecided: {', '.join(f'{number(deals)} {why}' for why, deals in reasons.items() if deals)}"]
    return []


# --- what the searches decided ----------------------------------------------------------------------------------


def _tested(faq: GameFaq) -> str:
    search, counts = faq.long, faq.long.counts
    opening = _opening(search.opening, counts.deals)
    if not counts.deals:
        return f"{opening} No deal of {faq.title} has been counted."
    if counts.deals == 1:
        only = f"a single shuffled deal of {faq.title}"
        return f"{opening} The solver tried {only}, with {_search(search)}: it is {_fate(counts)}."
    deals = f"{number(counts.deals)} shuffled deals of {faq.title}"
    return f"{opening} The solver tried {deals}, each with {_search(search)}: {_fates(counts)}."


def _two_searches(faq: GameFaq) -> str | None:
    short, long = faq.short, faq.long
    if not long.counts.deals:
        return None
    if short is None:
        return f"That can't be said here: the study has one search only, of up to {counted(long.nodes, 'node')}."
    opening = _opening(long.opening, long.counts.deals)
    behind = "behind a hint" if long.role == "hint" else f"of up to {counted(long.nodes, 'node')}"
    before, after = short.counts, long.counts
    if after.deals == 1:
        return (
            f"{opening} The only deal is {_fate(before)} by the short search when cards are dealt, and {_fate(after)} "
            f"by the longer one {behind}."
        )
    return (
        f"{opening} Of {number(after.deals)} shuffled deals, the short search when cards are dealt proves "
        f"{some(before.win)} winnable and {some(before.loss)} lost; the longer one {behind} proves {some(after.win)} "
        f"winnable and {some(after.loss)} lost, and leaves {some(after.undecided)} undecided."
    )


def _lower_bound(faq: GameFaq) -> str | None:
    counts = faq.long.counts
    if not counts.undecided:
        return None
    deals = "deal" if counts.undecided == 1 else f"{number(counts.undecided)} deals"
    return (
        f"No. {number(counts.win)} of {number(counts.deals)} is a lower bound only: the {deals} left undecided may be "
        "winnable too. Nor does it tell how often a person wins."
    )


def _opening(opening: Opening, deals: int) -> str:
    if opening == "all":
        return "The only one that was tried, yes." if deals == 1 else "All that were tried."
    return {"no": "No.", "most": "Most.", "open": "That is open.", "unknown": "That is not known yet."}[opening]


def _search(search: Search) -> str:
    return {
        "hint": "the search that a hint sets off",
        "deal": "the search that is made when cards are dealt",
        None: f"up to {counted(search.nodes, 'node')}",
    }[search.role]


def _fates(counts: Counts) -> str:
    """Such as ``44 are proved winnable, none is proved lost and one is undecided``."""
    parts = {"proved winnable": counts.win, "proved lost": counts.loss, "undecided": counts.undecided}
    for what, deals in parts.items():
        if deals == counts.deals:
            return f"all {number(deals)} are {what}"
    return listed([f"{some(deals)} {'is' if deals < 2 else 'are'} {what}" for what, deals in parts.items()])


def _fate(counts: Counts) -> str:
    """How the only deal ended."""
    return "proved winnable" if counts.win else "proved lost" if counts.loss else "undecided"


# --- other games ------------------------------------------------------------------------------------------------

_RELATIONS: Mapping[Relation, str] = {
    "more": "{game} has clearly more lost deals than {names}{however}.",
    "more-proved": "Clearly more are proved lost than at {names}, but the undecided deals could turn that round.",
    "alike": "There is no clear difference to {names}.",
    "fewer-proved": "Clearly fewer are proved lost than at {names}, but the undecided deals could turn that round.",
    "fewer": "{game} has clearly fewer lost deals than {names}{however}.",
}


def _compared(faq: GameFaq) -> str | None:
    if not faq.long.counts.deals:
        return None
    if not faq.others:
        return "That can't be said here: the study has no other game with as many deals and the same search."
    sentences = []
    for relation, sentence in _RELATIONS.items():
        group = [other for other in faq.others if other.relation == relation]
        if group:
            undecided = any(counts.undecided for counts in (faq.long.counts, *(other.counts for other in group)))
            however = ", however the undecided deals would end" if undecided else ""
            names = listed([_other(other) for other in group])
            sentences.append(sentence.format(game=faq.title, names=names, however=however))
    return f"On as many deals and with the same search: {' '.join(sentences)}"


def _other(other: Other) -> str:
    counts = other.counts
    return f"{other.title} ({number(counts.loss)} lost, {number(counts.undecided)} undecided)"


# --- shuffles ---------------------------------------------------------------------------------------------------


def _median(faq: GameFaq) -> str:
    taken, deals = faq.shuffles, faq.dealing.counts.deals
    begin = "For a winnable board, the cards are shuffled until the solver has proved a win."
    if not deals:
        return f"{begin} How often has not been measured yet."
    if not taken.boards and deals == 1:
        return f"{begin} The only shuffle of the test was not proved winnable."
    if not taken.boards:
        return f"{begin} None of the {number(deals)} shuffles of the test was proved winnable."
    if taken.median is None:
        which = "the only board" if taken.boards == 1 else f"more than half of {number(taken.boards)} boards"
        return f"{begin} In the test, {_not_enough(taken.tries)} for {which}."
    if taken.boards == 1:
        return f"{begin} The only board of the test took {shuffles(taken.median)}."
    return f"{begin} In the test that took a median of {shuffles(taken.median)}, over {number(taken.boards)} boards."


def _ran_out(faq: GameFaq) -> str:
    taken = faq.shuffles
    tries = "the only try" if taken.tries == 1 else f"{number(taken.tries)} tries"
    begin = f"After {tries} without a proof, an ordinary shuffle is dealt, whether it can be won or not."
    if not taken.boards:
        return begin
    if taken.boards == 1:
        return f"{begin} In the test that {'happened' if taken.ran_out else 'did not happen'} to the only board."
    if not taken.ran_out:
        return f"{begin} In the test that happened to none of {number(taken.boards)} boards."
    if taken.ran_out == taken.boards:
        return f"{begin} In the test that happened to all {number(taken.boards)} boards."
    share = percent(small_percent(taken.ran_out / taken.boards))
    return f"{begin} In the test that happened to {some(taken.ran_out)} of {number(taken.boards)} boards, {share}."


def _longest(faq: GameFaq) -> str | None:
    taken = faq.shuffles
    boards, out, longest = taken.boards, taken.ran_out, taken.longest
    if not boards:
        return None
    if longest is None:
        which = "the only board" if boards == 1 else f"any of the {number(boards)} boards"
        return f"In the test, {_not_enough(taken.tries)} for {which}."
    if boards == 1:
        return f"The test had a single board, and that took {shuffles(longest)}."
    if not out:
        return f"In the test none of {number(boards)} boards took more than {shuffles(longest)}."
    rest = "the other one took" if boards - out == 1 else "the others took at most"
    return (
        f"In the test {some(out)} of {number(boards)} boards {_was(out)} without a proof after "
        f"{shuffles(taken.tries)}; {rest} {shuffles(longest)}."
    )


def _not_enough(tries: int) -> str:
    return f"{word(tries)} {plural(tries, 'shuffle')} {_was(tries)} not enough"


def _was(value: int) -> str:
    return "was" if value == 1 else "were"


# --- the rest ---------------------------------------------------------------------------------------------------


def _hint(faq: GameFaq) -> str:
    return "The same solver stands behind it, and looks for a line of play that wins before it shows a move."


def _daily(faq: GameFaq) -> str:
    return (
        "The date decides with which shuffle the search for a winnable board begins, so on one day everybody has the "
        "same one."
    )


def _chance(faq: GameFaq) -> str:
    decks = "one deck" if faq.rules.pack.decks == 1 else "two decks"
    begin = f"{faq.title} is played with {decks}."
    if not faq.long.counts.deals:
        return f"{begin} How many of its deals can be won has not been counted yet."
    by = "the search when cards are dealt" if faq.dealing.role == "deal" else "the search"
    bands = faq.difficulty
    band = bands[0] if len(bands) == 1 else f"{bands[0]} to {bands[-1]}"
    return (
        f"{begin} Somebody who knows all cards can win {percent_range(faq.long.interval)} of its deals; how often a "
        f"person wins is another matter. Difficulty, by how many deals {by} wins: {band}."
    )


_QUESTIONS: Mapping[str, str] = {
    "F1": "Can every deal of {game} be won?",
    "F2": "Does {game} have more lost deals than other games?",
    "F3": "How often are the cards shuffled for a winnable board?",
    "F4": "What if no winnable board turns up?",
    "F5": "What is behind a hint?",
    "F6": "Can every deal be won, by a short search and by a longer one?",
    "F7": "Is the share of wins the chance of winning?",
    "F8": "What is the longest that shuffling took?",
    "F9": "What is the daily board?",
    "F10": "How hard is {game}?",
}
_ANSWERS: Mapping[str, Callable[[GameFaq], str | None]] = {
    "F1": _tested,
    "F2": _compared,
    "F3": _median,
    "F4": _ran_out,
    "F5": _hint,
    "F6": _two_searches,
    "F7": _lower_bound,
    "F8": _longest,
    "F9": _daily,
    "F10": _chance,
}
