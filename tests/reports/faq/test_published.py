"""Published figures beside ours: intervals by hand, verdicts for every case, and what the package knows."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from solitaire_lab.reports.faq.numbers import GameFaq, Search
from solitaire_lab.reports.faq.page import LANGUAGES, WORDINGS
from solitaire_lab.reports.faq.published import Comparison, PublishedFile, comparisons, median_shuffles, published
from solitaire_lab.reports.tables import Counts
from solitaire_lab.rules.catalog import resolve
from tests.reports.faq.samples import DEAL, HINT, a_faq, a_plan


def with_counts(game: str, *, win: int, loss: int, undecided: int = 0) -> GameFaq:
    """The numbers of a game whose two searches decided the same."""
    counts = Counts(win=win, loss=loss, nodes=undecided)
    return replace(
        a_faq("w" * 4 + "l" * 4, game=game), long=Search("hint", HINT, counts), short=Search("deal", DEAL, counts)
    )


def beside(faq: GameFaq, quantity: str, theirs: float) -> Comparison:
    """The comparison with one published figure."""
    (found,) = [
        found for found in comparisons(faq) if found.quantity == quantity and found.theirs == pytest.approx(theirs)
    ]
    return found


def test_what_the_pages_say_gives_these_intervals() -> None:
    # Worked out by hand from the counts of the pages: Wilson, undecided deals lost at one end and won at the other.
    storehouse = beside(with_counts("storehouse", win=44, loss=56), "win", 0.44).theirs_range
    deal = beside(with_counts("shamrocks", win=61, loss=2, undecided=37), "win", 0.61).theirs_range
    hint = beside(with_counts("shamrocks", win=61, loss=2, undecided=37), "win", 0.69).theirs_range
    assert storehouse is not None
    assert deal is not None
    assert hint is not None
    assert [round(100 * end, 1) for end in (storehouse.low, storehouse.high)] == [34.7, 59.6]
    assert [round(100 * end, 1) for end in (deal.low, deal.high)] == [51.2, 99.4]
    # As the page doesn't say how many are lost in the longer search, all others may be winnable.
    assert [round(100 * hint.low, 1), hint.high] == [59.4, 1]


@pytest.mark.parametrize(
    ("win", "loss", "undecided", "verdict"),
    [
        (439, 561, 0, "inside"),
        (600, 400, 0, "overlap"),  # 57 to 63 %; theirs ends at 59.6 %
        (700, 300, 0, "apart"),
        (0, 0, 1_000, "inside"),  # nothing is known, so nothing contradicts it
        (0, 0, 0, "missing"),
    ],
)
def test_a_share_lies_inside_overlaps_or_lies_apart(win: int, loss: int, undecided: int, verdict: str) -> None:
    faq = with_counts("storehouse", win=win, loss=loss, undecided=undecided)
    assert beside(faq, "win", 0.44).verdict == verdict


def test_lost_deals_are_compared_too() -> None:
    found = beside(with_counts("storehouse", win=439, loss=561), "loss", 0.5)
    # 53.0 to 59.2 % of 1,000; 50 to 56 of 100 are 40.4 to 65.3 %.
    assert (found.verdict, found.ours) == ("overlap", 0.561)
    assert found.theirs_undecided == 6


def test_each_search_is_compared_with_the_one_of_its_purpose() -> None:
    faq = replace(
        with_counts("shamrocks", win=0, loss=0),
        short=Search("deal", DEAL, Counts(win=600, loss=20, nodes=380)),
        long=Search("hint", HINT, Counts(win=900, loss=20, nodes=80)),
    )
    assert beside(faq, "win", 0.61).search == faq.short
    assert beside(faq, "win", 0.69).search == faq.long
    one = replace(faq, short=None)
    assert (beside(one, "win", 0.61).verdict, beside(one, "win", 0.69).search) == ("missing", one.long)
    deal = replace(faq, short=None, long=replace(faq.long, role="deal"))
    assert (beside(deal, "win", 0.61).search, beside(deal, "win", 0.69).verdict) == (deal.long, "missing")


@pytest.mark.parametrize(("win", "verdict"), [(400, "inside"), (850, "outside"), (0, "outside")])
def test_a_chance_of_winning_is_compared_with_the_share_of_winnable_deals(win: int, verdict: str) -> None:
    assert beside(with_counts("how-they-run", win=win, loss=1_000 - win), "chance", 0.4).verdict == verdict


@pytest.mark.parametrize(
    ("win", "verdict"),
    [(440, "inside"), (400, "inside"), (200, "outside"), (610, "outside"), (510, "inside"), (0, "outside")],
)
def test_a_median_of_two_shuffles_needs_a_share_of_wins_from_29_to_50_percent(win: int, verdict: str) -> None:
    # 510 of 1,000 are 47.9 to 54.1 %, so that the share may lie below one half.
    found = beside(with_counts("storehouse", win=win, loss=1_000 - win), "median", 2)
    assert found.verdict == verdict


@given(st.floats(0.001, 0.999))
def test_the_median_is_the_first_number_that_is_enough_for_half(share: float) -> None:
    median = median_shuffles(share)
    assert median is not None
    tiny = 1e-9
    assert (1 - share) ** median <= 0.5 + tiny
    assert median == 1 or (1 - share) ** (median - 1) > 0.5 - tiny


def test_the_median_at_the_ends() -> None:
    assert (median_shuffles(0), median_shuffles(1), median_shuffles(0.5)) == (None, 1, 1)
    assert (median_shuffles(0.44), median_shuffles(0.61), median_shuffles(0.25)) == (2, 1, 3)


def test_the_longest_shuffling_cant_be_judged() -> None:
    found = beside(with_counts("shamrocks", win=610, loss=390), "longest", 5)
    assert found.verdict == "untold"
    assert found.theirs_exceeded == pytest.approx(0.0090, abs=1e-4)  # 0.39^5


def test_other_rules_and_other_games_have_nothing_beside_them() -> None:
    assert comparisons(replace(with_counts("storehouse", win=1, loss=1), planned=a_plan("storehouse-en", 2))) == ()
    assert comparisons(with_counts("wood", win=1, loss=1)) == ()
    assert len(comparisons(with_counts("storehouse", win=1, loss=1))) == 5


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", ["storehouse", "shamrocks", "how-they-run"])
def test_every_comparison_can_be_told(game: str, language: str) -> None:
    shares = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (44, 50, 6), (610, 390, 0), (999, 1, 0), (0, 1_000, 0)]
    for win, loss, undecided in shares:
        faq = with_counts(game, win=win, loss=loss, undecided=undecided)
        for change in ({}, {"short": None}, {"shuffles": a_faq("").shuffles}):
            for found in comparisons(replace(faq, **change)):  # type: ignore[arg-type]
                row = WORDINGS[language].beside_row(found)
                assert len(row) == len(WORDINGS[language].beside_header)
                assert all(row)
                assert "None" not in " ".join(row)
                answer = row[-1].split()[0].strip(";:,")
                words = {"en": ("yes", "no", "not", "can't"), "de": ("ja", "nein", "unbekannt", "nicht")}
                assert answer in words[language]
                assert (answer in ("yes", "ja")) == (found.verdict == "inside")


def test_the_package_knows_games_that_exist_and_consistent_counts() -> None:
    file = published()
    for figure in (*file.counts, *file.shuffles, *file.chances):
        assert resolve(figure.game).name == figure.game
    wolter = next(counts for counts in file.counts if counts.search == "all")
    assert (wolter.undecided, wolter.win / wolter.deals) == (0, pytest.approx(0.4381, abs=5e-5))


@pytest.mark.parametrize(
    "change",
    [
        {"win": 60},
        {"source": "nobody"},
        {"search": "long"},
        {"deals": 0},
    ],
)
def test_figures_that_cant_be_are_refused(change: dict[str, object]) -> None:
    counts = {"game": "storehouse", "source": "a", "search": "hint", "deals": 100, "win": 44, "loss": 50}
    record = {"sources": {"a": {"en": "a", "de": "a"}}, "counts": [counts], "shuffles": [], "chances": []}
    assert PublishedFile.model_validate(record).counts[0].undecided == 6
    with pytest.raises(ValidationError):
        PublishedFile.model_validate(record | {"counts": [counts | change]})


def test_records_are_plain() -> None:
    for found in comparisons(with_counts("storehouse", win=0, loss=0)):
        assert all(not isinstance(value, float) or math.isfinite(value) for value in found.record().values())
