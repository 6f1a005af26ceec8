"""The answers in German: a question, what is said, and how to check it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from solitaire_lab.reports.faq.de.rules import rules_text, terms_of
from solitaire_lab.reports.faq.de.words import listed, nodes, number, percent, percent_range, shuffles, some
from solitaire_lab.reports.faq.figures import FIXED, MADE_WITH, SHUFFLING, changed_rules, searches, small_percent
from solitaire_lab.reports.faq.numbers import Band, GameFaq, Opening, Other, Relation, Search
from solitaire_lab.reports.tables import Counts

_BANDS: Mapping[Band, str] = {"easy": "leicht", "medium": "mittelschwer", "hard": "schwer"}


def question(faq: GameFaq, statement: str) -> str:
    """The question that a statement answers."""
    return _QUESTIONS[statement].format(game=faq.title)


def answer(faq: GameFaq, statement: str) -> str | None:
    """A statement in words; None if it has nothing to say of these numbers."""
    return _ANSWERS[statement](faq)


def check(faq: GameFaq, statement: str) -> str:
    """What a reader needs to come to the same figures, in one line."""
    if statement in FIXED:
        return f"Zum Nachprüfen: sagt, wie eine Seite gibt und Hinweise findet, ohne Zahl der Studie; {MADE_WITH}."
    cell, changes = faq.planned.cell, changed_rules(faq)
    seeds = "keine" if faq.seeds is None else str(faq.seeds)
    parts = [
        f"Regeln von {faq.title}{f' mit {changes}' if changes else ''} ({rules_text(cell.game, faq.rules)})",
        f"Nummerierung {cell.numbering}",
        f"Nummern {seeds}" if faq.complete else f"Nummern {seeds} von {faq.planned.seeds}, unfertig",
        f"Budget {' und '.join(_budget(search) for search in searches(faq, statement))}",
        *_extra(faq, statement),
        f"Löser-Revision {cell.solver}, alle Karten bekannt",
        f"Zelle {cell.short_id}",
        MADE_WITH,
    ]
    return f"Zum Nachprüfen: {'; '.join(parts)}."


def _budget(search: Search) -> str:
    name = f" ({search.role})" if search.role else ""
    return f"{nodes(search.nodes)}{name}"


def _extra(faq: GameFaq, statement: str) -> list[str]:
    """What else a statement depends on."""
    counts, tries = faq.long.counts, faq.shuffles.tries
    if statement == "F2":
        cells = [f"verglichen mit Zellen {', '.join(other.cell_id[:12] for other in faq.others)}"] if faq.others else []
        left_out = [f"ohne {listed(faq.not_compared)} (andere Nummern oder weniger Knoten)"] if faq.not_compared else []
        clear = ["deutlich heißt: die 95-%-Intervalle (Wilson) liegen getrennt"] if faq.others else []
        return [*cells, *left_out, *clear]
    if statement in SHUFFLING:
        median = ["Median: genug für die Hälfte der Bretter"] if statement == "F3" else []
        most = f"höchstens {number(tries)} {'Mischung' if tries == 1 else 'Mischungen'} je Brett"
        return [f"{most}, Nummer für Nummer", *median]
    if statement == "F10":
        return [
            "95-%-Intervall (Wilson), nicht entschiedene Partien am unteren Ende verloren, am oberen gewonnen",
            f"leicht, wenn {nodes(faq.dealing.nodes)} zwei Drittel der Partien gewinnen, mittelschwer ab einem Drittel",
        ]
    if counts.nodes < counts.undecided:
        reasons = {"Knoten verbraucht": counts.nodes, "Speicher voll": counts.memory, "abgestürzt": counts.crashed}
        parts = [f"{number(deals)} {why}" for why, deals in reasons.items() if deals]
        return [f"nicht entschieden: {', '.join(parts)}"]
    return []


# --- what the searches decided ----------------------------------------------------------------------------------


def _tested(faq: GameFaq) -> str:
    search, counts = faq.long, faq.long.counts
    opening = _opening(search.opening, counts.deals)
    if not counts.deals:
        return f"{opening} Von {faq.title} ist noch keine Partie ausgezählt."
    if counts.deals == 1:
        only = f"eine einzige gemischte Partie {faq.title}"
        return f"{opening} Geprüft hat der Löser {only}, {_with(search)}: Sie ist {_fate(counts)}."
    deals = f"{number(counts.deals)} gemischte Partien {faq.title}"
    return f"{opening} Geprüft hat der Löser {deals}, jede {_with(search)}: {_fates(counts)}."


def _two_searches(faq: GameFaq) -> str | None:
    short, long = faq.short, faq.long
    if not long.counts.deals:
        return None
    if short is None:
        return f"Das lässt sich hier nicht sagen: Die Studie hat nur eine Suche, mit höchstens {nodes(long.nodes)}."
    opening = _opening(long.opening, long.counts.deals)
    purpose = "für einen Hinweis" if long.role == "hint" else f"mit höchstens {nodes(long.nodes)}"
    before, after = short.counts, long.counts
    if after.deals == 1:
        return (
            f"{opening} Die einzige Partie ist nach der kurzen Suche beim Geben {_fate(before)}, nach der längeren "
            f"{purpose} {_fate(after)}."
        )
    left = f"bleibt {some(after.undecided)}" if after.undecided < 2 else f"bleiben {number(after.undecided)}"
    return (
        f"{opening} Von {number(after.deals)} gemischten Partien beweist die kurze Suche beim Geben {some(before.win)} "
        f"als lösbar und {some(before.loss)} als verloren, die längere {purpose} {some(after.win)} als lösbar und "
        f"{some(after.loss)} als verloren; offen {left}."
    )


def _lower_bound(faq: GameFaq) -> str | None:
    counts = faq.long.counts
    if not counts.undecided:
        return None
    too = (
        "Auch die eine nicht entschiedene Partie kann"
        if counts.undecided == 1
        else f"Auch die {number(counts.undecided)} nicht entschiedenen Partien können"
    )
    return (
        f"Nein. {number(counts.win)} von {number(counts.deals)} ist nur eine Untergrenze: {too} lösbar sein. Und wie "
        "oft ein Mensch gewinnt, ist damit nicht gesagt."
    )


def _opening(opening: Opening, deals: int) -> str:
    if opening == "all":
        return "Die einzige geprüfte schon." if deals == 1 else "Alle geprüften."
    return {
        "no": "Nein.",
        "most": "Die meisten.",
        "open": "Das ist offen.",
        "unknown": "Das steht noch nicht fest.",
    }[opening]


def _with(search: Search) -> str:
    return {
        "hint": "mit der Suche, die ein Hinweis auslöst",
        "deal": "mit der Suche beim Geben",
        None: f"mit höchstens {nodes(search.nodes)}",
    }[search.role]


def _fates(counts: Counts) -> str:
    """Such as ``44 sind nachweislich lösbar, keine ist nachweislich verloren und eine ist offen geblieben``."""
    parts = {
        "nachweislich lösbar": counts.win,
        "nachweislich verloren": counts.loss,
        "offen geblieben": counts.undecided,
    }
    for what, deals in parts.items():
        if deals == counts.deals:
            return f"Alle {number(deals)} sind {what}"
    return listed([f"{some(deals)} {'ist' if deals < 2 else 'sind'} {what}" for what, deals in parts.items()])


def _fate(counts: Counts) -> str:
    """How the only deal ended."""
    return "nachweislich lösbar" if counts.win else "nachweislich verloren" if counts.loss else "offen geblieben"


# --- other games ------------------------------------------------------------------------------------------------

_TURN_ROUND = "doch die nicht entschiedenen könnten das umkehren"
_RELATIONS: Mapping[Relation, str] = {
    "more": "{game} hat deutlich mehr verlorene Partien als {names}{however}.",
    "more-proved": f"Nachweislich verloren sind deutlich mehr Partien als bei {{names}}, {_TURN_ROUND}.",
    "alike": "Kein deutlicher Unterschied zeigt sich zu {names}.",
    "fewer-proved": f"Nachweislich verloren sind deutlich weniger Partien als bei {{names}}, {_TURN_ROUND}.",
    "fewer": "{game} hat deutlich weniger verlorene Partien als {names}{however}.",
}


def _compared(faq: GameFaq) -> str | None:
    if not faq.long.counts.deals:
        return None
    if not faq.others:
        return (
            "Das lässt sich hier nicht sagen: Die Studie hat kein anderes Spiel mit ebenso vielen Partien und "
            "derselben Suche."
        )
    sentences = []
    for relation, sentence in _RELATIONS.items():
        group = [other for other in faq.others if other.relation == relation]
        if group:
            undecided = any(counts.undecided for counts in (faq.long.counts, *(other.counts for other in group)))
            however = ", wie auch immer die nicht entschiedenen ausgehen" if undecided else ""
            names = listed([_other(other) for other in group])
            sentences.append(sentence.format(game=faq.title, names=names, however=however))
    return f"Bei ebenso vielen Partien und derselben Suche gilt: {' '.join(sentences)}"


def _other(other: Other) -> str:
    counts = other.counts
    return f"{other.title} ({number(counts.loss)} verloren, {number(counts.undecided)} nicht entschieden)"


# --- shuffles ---------------------------------------------------------------------------------------------------


def _median(faq: GameFaq) -> str:
    taken, deals = faq.shuffles, faq.dealing.counts.deals
    begin = "Für ein lösbares Brett wird gemischt, bis der Löser einen Sieg bewiesen hat."
    if not deals:
        return f"{begin} Wie oft, ist noch nicht gemessen."
    if not taken.boards and deals == 1:
        return f"{begin} Die einzige Mischung im Test war nicht nachweislich lösbar."
    if not taken.boards:
        return f"{begin} Keine der {number(deals)} Mischungen im Test war nachweislich lösbar."
    if taken.median is None:
        which = "das einzige Brett" if taken.boards == 1 else f"mehr als die Hälfte der {number(taken.boards)} Bretter"
        return f"{begin} Im Test {_sufficed(taken.tries)} für {which} nicht."
    if taken.boards == 1:
        return f"{begin} Das einzige Brett im Test brauchte {shuffles(taken.median)}."
    was = "war" if taken.median == 1 else "waren"
    return f"{begin} Bei {number(taken.boards)} Brettern im Test {was} das im Median {shuffles(taken.median)}."


def _ran_out(faq: GameFaq) -> str:
    taken = faq.shuffles
    boards, out = taken.boards, taken.ran_out
    tries = "dem einzigen Versuch" if taken.tries == 1 else f"{number(taken.tries)} Versuchen"
    begin = f"Nach {tries} ohne Beweis bleibt es bei einer gewöhnlichen Mischung, ob sie zu gewinnen ist oder nicht."
    if not boards:
        return begin
    if boards == 1:
        return f"{begin} Im Test traf das auf das einzige Brett {'zu' if out else 'nicht zu'}."
    if not out:
        return f"{begin} Im Test traf das auf keines der {number(boards)} Bretter zu."
    if out == boards:
        return f"{begin} Im Test traf das auf alle {number(boards)} Bretter zu."
    share = percent(small_percent(out / boards))
    return f"{begin} Im Test traf das auf {_boards(out)} der {number(boards)} Bretter zu, also auf {share}."


def _longest(faq: GameFaq) -> str | None:
    taken = faq.shuffles
    boards, out, longest = taken.boards, taken.ran_out, taken.longest
    if not boards:
        return None
    if longest is None and boards == 1:
        return f"Im Test {_sufficed(taken.tries)} für das einzige Brett nicht."
    if longest is None:
        return f"Im Test {_sufficed(taken.tries)} für keines der {number(boards)} Bretter."
    if boards == 1:
        return f"Im Test gab es nur ein Brett, und das brauchte {shuffles(longest)}."
    if not out:
        return f"Im Test brauchte keines der {number(boards)} Bretter mehr als {shuffles(longest)}."
    rest = "das andere brauchte" if boards - out == 1 else "die anderen brauchten höchstens"
    was = "war" if out == 1 else "waren"
    tries = "einer Mischung" if taken.tries == 1 else shuffles(taken.tries)
    still = f"{_boards(out)} der {number(boards)} Bretter nach {tries} ohne Beweis"
    return f"Im Test {was} {still}; {rest} {shuffles(longest)}."


def _sufficed(tries: int) -> str:
    return f"{'reichte' if tries == 1 else 'reichten'} {shuffles(tries)}"


def _boards(value: int) -> str:
    """So many of the boards."""
    return "eines" if value == 1 else number(value)


# --- the rest ---------------------------------------------------------------------------------------------------


def _hint(faq: GameFaq) -> str:
    return "Derselbe Löser: Er sucht eine Zugfolge, die gewinnt, ehe er einen Zug zeigt."


def _daily(faq: GameFaq) -> str:
    return (
        "Das Datum bestimmt, mit welcher Mischung die Suche nach einem lösbaren Brett beginnt; darum haben am selben "
        "Tag alle dasselbe."
    )


def _chance(faq: GameFaq) -> str:
    terms = terms_of(faq.planned.cell.game)
    decks = f"einem {terms.deck}" if faq.rules.pack.decks == 1 else f"zwei {terms.with_two_decks}"
    begin = f"{faq.title} wird mit {decks} gespielt."
    if not faq.long.counts.deals:
        return f"{begin} Wie viele Partien zu gewinnen sind, ist noch nicht ausgezählt."
    by = "die Suche beim Geben" if faq.dealing.role == "deal" else "die Suche"
    bands = [_BANDS[band] for band in faq.difficulty]
    band = bands[0] if len(bands) == 1 else f"{bands[0]} bis {bands[-1]}"
    return (
        f"{begin} Wer alle Karten kennt, kann {percent_range(faq.long.interval)} der Partien gewinnen; wie oft ein "
        "Mensch gewinnt, steht auf einem anderen Blatt. Schwierigkeit, gemessen daran, wie viele Partien "
        f"{by} gewinnt: {band}."
    )


_QUESTIONS: Mapping[str, str] = {
    "F1": "Ist jede Partie {game} zu gewinnen?",
    "F2": "Hat {game} mehr verlorene Partien als andere Spiele?",
    "F3": "Wie oft wird für ein lösbares Brett gemischt?",
    "F4": "Und wenn sich kein lösbares Brett findet?",
    "F5": "Wer steckt hinter dem Hinweis?",
    "F6": "Ist jede Partie zu gewinnen, kurz gesucht und länger gesucht?",
    "F7": "Ist der Anteil der Siege die Gewinnchance?",
    "F8": "Wie oft wurde höchstens gemischt?",
    "F9": "Was ist das Brett des Tages?",
    "F10": "Wie schwer ist {game}?",
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
