"""Published figures beside ours, in German."""

from __future__ import annotations

from solitaire_lab.reports.faq.de.words import nodes, number, percent, percent_range, shuffles
from solitaire_lab.reports.faq.figures import percent as as_fine_as
from solitaire_lab.reports.faq.figures import small_percent
from solitaire_lab.reports.faq.published import Comparison

TITLE = "Veröffentlichte Zahlen neben unseren"
HEADER = ("Spiel", "veröffentlicht", "von", "hier", "in unserem Intervall")


def row(comparison: Comparison) -> tuple[str, ...]:
    """A published figure beside ours, in the columns of ``HEADER``."""
    source = comparison.source
    by = f"{source.de} ({source.url})" if source.url else source.de
    return comparison.title, _theirs(comparison), by, _ours(comparison), _why(comparison)


def _theirs(comparison: Comparison) -> str:
    value, interval = comparison.theirs, comparison.theirs_range
    match comparison.quantity:
        case "median":
            return f"im Median {shuffles(int(value))}"
        case "longest":
            return f"höchstens {shuffles(int(value))}"
    if interval is None or comparison.theirs_deals is None:
        return f"{percent(f'{100 * value:g}')} Gewinnchance"
    what = "lösbar" if comparison.quantity == "win" else "verloren"
    return f"{percent(as_fine_as(value, interval))} von {number(comparison.theirs_deals)} Partien als {what} bewiesen"


def _ours(comparison: Comparison) -> str:
    value, interval = comparison.ours, comparison.interval
    if comparison.verdict == "missing" or comparison.search is None:
        return "nichts zu vergleichen"
    within = f"mit höchstens {nodes(comparison.search.nodes)}"
    if interval is not None and value is not None:
        return f"{percent(as_fine_as(value, interval))} ({percent_range(interval)}), {within}"
    if comparison.medians is None:
        return f"{'kein Brett gewonnen' if value is None else f'höchstens {shuffles(int(value))}'}, {within}"
    low, high = comparison.medians
    end = " oder mehr" if high is None else "" if high == low else f" bis {number(high)}"
    median = "kein Median" if value is None else f"im Median {shuffles(int(value))}"
    return f"{median} ({number(low)}{end} nach unserem Anteil der Siege), {within}"


def _why(comparison: Comparison) -> str:
    match comparison.verdict:
        case "missing":
            return "unbekannt: Mit einer solchen Suche ist keine Partie ausgezählt"
        case "untold":
            more = percent(small_percent(comparison.theirs_exceeded or 0.0))
            return (
                "nicht zu sagen, denn die Quelle nennt nicht, wie viele Bretter es waren; nach unserem Anteil der "
                f"Siege brauchen {more} aller Bretter mehr als {shuffles(int(comparison.theirs))}"
            )
        case "outside" if comparison.quantity == "median":
            return "nein: Die Suche der Quelle, deren Länge sie nicht nennt, gewinnt einen anderen Anteil der Partien"
        case "inside" | "outside" if comparison.quantity == "chance":
            return (
                f"{'ja' if comparison.verdict == 'inside' else 'nein'}; die Quelle sagt weder, wessen Chance das ist, "
                "noch, woher sie stammt, und unsere ist die von jemandem, der alle Karten kennt"
            )
    if comparison.verdict == "inside" or comparison.theirs_range is None:
        return "ja"
    own = f"ihr eigenes Intervall, {percent_range(comparison.theirs_range)}"
    if comparison.verdict == "apart":
        return (
            f"nein, und {own}, liegt von unserem getrennt: Regeln, Geben oder einer der Löser müssen sich unterscheiden"
        )
    if not comparison.theirs_undecided:
        return f"nein, aber {own}, überschneidet sich mit unserem"
    left = number(comparison.theirs_undecided)
    return (
        f"nein, aber {own}, überschneidet sich mit unserem: Ihre Suche, deren Länge sie nicht nennt, ließ bis zu "
        f"{left} Partien offen"
    )
