"""The numbers behind the answers: against hand counts, plain loops and what the published pages say."""

from __future__ import annotations

import itertools
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solitaire_lab.errors import InputError
from solitaire_lab.reports.faq.numbers import (
    Search,
    difficulty,
    game_faqs,
    relation,
)
from solitaire_lab.reports.faq.shuffles import Shuffles, count_shuffles
from solitaire_lab.reports.tables import Counts, table_rows
from solitaire_lab.results.rows import SeedRange
from solitaire_lab.study.config import load_study
from tests.reports.faq.samples import DEAL, HINT, a_plan, a_study

CONFIGS = Path(__file__).parents[3] / "configs"


# --- the short answer -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("win", "loss", "undecided", "opening"),
    [
        (44, 50, 6, "no"),  # as the Storehouse page has it
        (69, 2, 29, "most"),  # as the Shamrocks page has it
        (0, 50, 50, "no"),
        (50, 49, 1, "no"),  # one lost deal is enough for that
        (30, 1, 69, "no"),
        (50, 0, 50, "open"),
        (51, 49, 0, "most"),
        (0, 0, 100, "open"),
        (100, 0, 0, "all"),
        (0, 100, 0, "no"),
        (1, 0, 0, "all"),
        (0, 1, 0, "no"),
        (0, 0, 1, "open"),
        (0, 0, 0, "unknown"),
    ],
)
def test_the_short_answer_contradicts_no_proof(win: int, loss: int, undecided: int, opening: str) -> None:
    assert Search("hint", HINT, Counts(win=win, loss=loss, nodes=undecided)).opening == opening


# --- shuffles ---------------------------------------------------------------------------------------------------


def boards_of(wins: list[bool], tries: int) -> tuple[list[int], int]:
    """Shuffles of each board with a proof, and boards without: one shuffle after the other."""
    needed, ran_out, shuffled = [], 0, 0
    for win in wins:
        shuffled += 1
        if win:
            needed.append(shuffled)
        elif shuffled == tries:
            ran_out += 1
        else:
            continue
        shuffled = 0
    return needed, ran_out


@given(st.lists(st.booleans(), max_size=60), st.integers(1, 7))
def test_boards_are_dealt_one_after_the_other(wins: list[bool], tries: int) -> None:
    needed, ran_out = boards_of(wins, tries)
    found = count_shuffles(np.array(wins, bool), tries=tries)
    assert found.needed == tuple(needed.count(taken) for taken in range(1, tries + 1))
    assert (found.ran_out, found.boards) == (ran_out, len(needed) + ran_out)
    assert found.longest == max(needed, default=None)
    everything = sorted([*needed, *[math.inf] * ran_out])
    half = everything[(len(everything) - 1) // 2] if everything else math.inf
    assert found.median == (None if half == math.inf else half)


def test_boards_by_hand() -> None:
    #               1  |  2     |  ran out        |  1  | no board
    wins = [True, False, True, False, False, False, True, False, False]
    found = count_shuffles(np.array(wins), tries=3)
    assert found == Shuffles(tries=3, needed=(2, 1, 0), ran_out=1)
    assert (found.boards, found.median, found.longest) == (4, 1, 2)


def test_with_the_published_share_of_wins_the_published_median_comes_out() -> None:
    chance = np.random.default_rng(2026)
    # 44 of 100 proved winnable and a median of two shuffles; 61 of 100 and at most five, of which 0.39^5 is 0.9 %.
    storehouse = count_shuffles(chance.random(100_000) < 0.44, tries=50)
    shamrocks = count_shuffles(chance.random(100_000) < 0.61, tries=50)
    assert (storehouse.median, shamrocks.median) == (2, 1)
    longer = sum(shamrocks.needed[5:]) / shamrocks.boards
    assert longer == pytest.approx(0.39**5, abs=0.001)


# --- other games, difficulty ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("here", "there", "expected"),
    [
        # Half of 100 lies between 40 and 60 % (Wilson), 30 of 100 ends at 40 %, 20 at 29 %.
        (Counts(win=50, loss=50), Counts(win=80, loss=20), "more"),
        (Counts(win=50, loss=50), Counts(win=60, loss=40), "alike"),
        (Counts(win=50, loss=50), Counts(win=70, loss=20, nodes=10), "more"),
        (Counts(win=50, loss=50), Counts(win=2, loss=2, nodes=96), "more-proved"),
        (Counts(win=2, loss=2, nodes=96), Counts(win=50, loss=50), "fewer-proved"),
        (Counts(win=80, loss=20), Counts(win=50, loss=50), "fewer"),
        (Counts(nodes=100), Counts(nodes=100), "alike"),
        (Counts(loss=1), Counts(win=1), "alike"),
    ],
)
def test_lost_deals_are_compared_by_their_intervals(here: Counts, there: Counts, expected: str) -> None:
    assert relation(here, there) == expected


counts = st.builds(Counts, win=st.integers(0, 300), loss=st.integers(0, 300), nodes=st.integers(0, 300))


@given(counts, counts, st.floats(0, 1), st.floats(0, 1))
def test_a_clear_difference_stays_however_the_undecided_end(a: Counts, b: Counts, one: float, other: float) -> None:
    mirrored = {"more": "fewer", "fewer": "more", "more-proved": "fewer-proved", "fewer-proved": "more-proved"}
    found = relation(a, b)
    assert relation(b, a) == mirrored.get(found, "alike")
    if found == "more":
        lost_a, lost_b = (x.loss + part * x.undecided for x, part in ((a, one), (b, other)))
        assert lost_a / a.deals > lost_b / b.deals


@pytest.mark.parametrize(
    ("wins", "deals", "bands"),
    [
        (0, 0, ()),
        (900, 1_000, ("easy",)),
        (500, 1_000, ("medium",)),
        (100, 1_000, ("hard",)),
        (667, 1_000, ("easy", "medium")),
        (333, 1_000, ("medium", "hard")),
        (1, 1, ("easy", "medium", "hard")),  # Wilson of 1 of 1: 21 to 100 %
        (1_000_000, 1_000_000, ("easy",)),
        (0, 1_000_000, ("hard",)),
    ],
)
def test_difficulty_names_every_band_that_the_interval_touches(wins: int, deals: int, bands: tuple[str, ...]) -> None:
    assert difficulty(wins, deals) == bands


# --- from a folder ----------------------------------------------------------------------------------------------


def test_two_searches_of_one_run_are_counted_on_the_same_deals(tmp_path: Path) -> None:
    store = a_study(tmp_path, (a_plan("shamrocks", 9), "wWwlLumcW"))
    (faq,) = game_faqs(store)
    assert faq.short is not None
    assert (faq.short.role, faq.short.nodes, faq.long.role, faq.long.nodes) == ("deal", DEAL, "hint", HINT)
    assert faq.short.counts == Counts(win=2, loss=1, nodes=4, memory=1, crashed=1)
    assert faq.long.counts == Counts(win=4, loss=2, nodes=1, memory=1, crashed=1)
    for search in (faq.short, faq.long):
        (row,) = table_rows([store], budget=search.nodes)
        assert (row.counts, row.seeds, row.interval) == (search.counts, faq.seeds, search.interval)
    # Shuffles are counted with the search at the deal: w | W w | then nothing for seven shuffles.
    assert faq.shuffles == Shuffles(tries=20, needed=(1, 1, *[0] * 18), ran_out=0)
    assert game_faqs(store, tries=2)[0].shuffles == Shuffles(tries=2, needed=(1, 1), ran_out=3)


def test_a_study_with_one_budget_has_one_search(tmp_path: Path) -> None:
    cases = [({"run": HINT}, None), ({"hint": HINT}, "hint"), ({"deal": HINT}, "deal"), ({"a": 9, "b": HINT}, None)]
    for number, (budgets, role) in enumerate(cases):
        (faq,) = game_faqs(a_study(tmp_path / str(number), (a_plan("wood", 3, budgets=budgets), "wWu")))
        assert (faq.short, faq.long.role, faq.long.nodes) == (None, role, HINT)
        assert faq.shuffles.needed[:2] == (2, 0)
        assert faq.dealing is faq.long


def test_searches_can_be_named_or_counted(tmp_path: Path) -> None:
    store = a_study(tmp_path, (a_plan("wood", 3, budgets={"small": DEAL, "run": HINT}), "wWu"))
    for deal_budget in (DEAL, "small"):
        (faq,) = game_faqs(store, deal_budget=deal_budget, hint_budget="run")
        assert faq.short is not None
        assert (faq.short.role, faq.short.nodes, faq.short.counts.win) == ("deal", DEAL, 1)
        assert (faq.long.role, faq.long.nodes, faq.long.counts.win) == ("hint", HINT, 2)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ({"deal_budget": HINT}, "must be the shorter"),
        ({"deal_budget": 500, "hint_budget": 400}, "must be the shorter"),
        ({"hint_budget": 1_000}, "must be the shorter"),
        ({"hint_budget": HINT + 1}, "was run with 20000 nodes"),
        ({"deal_budget": "quick"}, "There is no budget 'quick'"),
        ({"deal_budget": 0}, "at least 1"),
        ({"tries": 0}, "give 1 to 1000000"),
        ({"game": "chess"}, "There is no game 'chess' in this study; it has wood."),
        ({"game": "shamrocks"}, "There is no game 'shamrocks' in this study; it has wood."),
        ({"game": ""}, "There is no game ''"),
    ],
)
def test_what_the_study_has_not_is_refused(tmp_path: Path, words: dict[str, str | int], says: str) -> None:
    store = a_study(tmp_path, (a_plan("wood", 3), "wWu"))
    with pytest.raises(InputError) as caught:
        game_faqs(store, **words)  # type: ignore[arg-type]
    assert says in str(caught.value)


def test_a_game_is_found_by_any_of_its_names(tmp_path: Path) -> None:
    own, english = a_plan("storehouse", 3), a_plan("storehouse-en", 3, label="English page")
    store = a_study(tmp_path, (own, "wWu"), (english, "wWu"), (a_plan("wood", 3), "wWu"))

    def labels(game: str | None) -> list[str]:
        return [faq.planned.cell.label for faq in game_faqs(store, game=game)]

    assert labels(None) == ["storehouse", "English page", "wood"]
    assert labels("storehouse") == ["storehouse"]
    assert labels("Thirteen Up") == ["storehouse", "English page"]
    assert labels("storehouse-en") == labels("English page") == labels(english.cell.id[:12]) == ["English page"]


def test_of_an_unfinished_run_whole_blocks_are_counted(tmp_path: Path) -> None:
    planned = a_plan("storehouse", 2_500)
    (faq,) = game_faqs(a_study(tmp_path / "some", (planned, "wl" * 800)))
    assert (faq.seeds, faq.complete) == (SeedRange(1, 999), False)
    assert faq.long.counts == Counts(win=500, loss=499)
    assert faq.shuffles.boards == 500
    (faq,) = game_faqs(a_study(tmp_path / "none", (planned, "wl" * 300)))
    assert (faq.seeds, faq.long.counts, faq.shuffles.boards) == (None, Counts(), 0)
    assert (faq.long.opening, faq.difficulty, faq.others) == ("unknown", (), ())


def test_games_are_compared_on_as_many_deals_with_the_same_search(tmp_path: Path) -> None:
    verdicts = "l" * 60 + "w" * 40
    store = a_study(
        tmp_path,
        (a_plan("storehouse", 100), verdicts),
        (a_plan("storehouse-en", 100), verdicts),
        (a_plan("canfield-draw-1", 100), verdicts),
        (a_plan("canfield", 100), "W" * 90 + "u" * 10),
        (a_plan("wood", 100, budgets={"deal": 5, "hint": HINT - 1}), verdicts),
        (a_plan("shamrocks", 99), verdicts[:99]),
        (a_plan("scorpion", 100, first=2), verdicts),
        (a_plan("fan", 1_500, budgets={"hint": HINT}), "w" * 1_500),
    )
    faq, *_ = game_faqs(store)
    # Not its own variants, of Canfield the game itself, of Fan the same seeds only.
    assert [(other.title, other.counts, other.relation) for other in faq.others] == [
        ("Canfield", Counts(win=90, nodes=10), "more"),
        ("Fan", Counts(win=100), "more"),
    ]
    assert faq.not_compared == ("Wood", "Shamrocks", "Scorpion")
    # With Wood's smaller budget, Canfield's wins were not found.
    (wood,) = game_faqs(store, game="wood")
    assert {other.title: other.counts for other in wood.others}["Canfield"] == Counts(nodes=100)


def test_the_record_is_plain(tmp_path: Path) -> None:
    store = a_study(tmp_path, (a_plan("storehouse", 4), "wlWu"), (a_plan("wood", 4), "uuuu"))
    record = game_faqs(store)[0].record()
    deal, hint = record["searches"]
    assert (deal["role"], deal["win"], deal["loss"], deal["undecided"]) == ("deal", 1, 1, 2)
    assert (hint["role"], hint["win"], hint["loss"], hint["undecided"]) == ("hint", 2, 1, 1)
    assert record["others"][0]["undecided"] == 4
    assert record["seeds"] == "1:4"


# --- the studies ------------------------------------------------------------------------------------------------


def test_the_studies_have_the_games_of_the_pages_and_one_search_for_all() -> None:
    small, large = (load_study(CONFIGS / f"{name}.toml") for name in ("faq", "faq-10000"))
    games = ["storehouse", "storehouse-en", "how-they-run", "shamrocks", "wood"]
    games += ["canfield", "superior-canfield", "chameleon"]
    for study, count, deals in ((small, 8, 100), (large, 6, 10_000)):
        assert [cell.label for cell in study.cells] == games[:count]
        assert {cell.planned.seeds for cell in study.cells} == {SeedRange(1, deals)}
        budgets = [dict(cell.planned.budgets) for cell in study.cells]
        assert all(one == other for one, other in itertools.pairwise(budgets))
        assert budgets[0]["deal"] < budgets[0]["hint"]
    assert small.cells[0].planned.budgets == large.cells[0].planned.budgets
