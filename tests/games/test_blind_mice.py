"""How They Run, Three Blind Mice and Farmer's Wife: rules on small boards, deals, brute force, lines counted twice."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from solitaire_lab.deals.dealing import deal
from solitaire_lab.deals.numberings import packs
from solitaire_lab.rules.catalog import resolve
from tests.games.boards import moves_on, on_board
from tests.games.checks import (
    Shrink,
    check_by_brute_force,
    check_lines_of_play,
    outcomes_of_readings,
    small_deals,
)

GAMES = ("how-they-run", "three-blind-mice", "farmers-wife")
HOW_THEY_RUN = tuple(resolve("how-they-run").variants)

FOUR_RANKS = {"pack.ranks": 4, "tableau.columns": 5, "tableau.layout": "even", "tableau.down": [1, 0, 0, 0, 0]}
THREE_RANKS = {"pack.ranks": 3, "tableau.columns": 5, "tableau.layout": 2, "tableau.down": 0}


def shrink(*, columns: tuple[int, int]) -> Shrink:
    """Few ranks on few columns, cards hidden here and there; two cards aside."""

    def settings(random: Random) -> dict[str, Any]:
        ranks, places = random.randint(3, 5), random.randint(*columns)
        dealt = 4 * ranks - 2
        layout = [dealt // places + (column < dealt % places) for column in range(places)]
        down = [random.randint(0, max(0, height - 1)) if random.random() < 0.5 else 0 for height in layout]
        return {
            "pack.ranks": ranks,
            "tableau.columns": places,
            "tableau.layout": layout,
            "tableau.down": down,
        }

    return settings


SHRINK = {
    "how-they-run": shrink(columns=(2, 4)),
    "three-blind-mice": shrink(columns=(3, 4)),
    "farmers-wife": shrink(columns=(2, 3)),
}

# --- rules --------------------------------------------------------------------------------------------------------

MIXED = """
Foundation: 4D 3D 2D AD
Freecells: AS -
<2H> 4C 3H AC
4H 2S
:
3S 2C
4S 3C AH
"""


def test_groups_move_in_any_order_kings_fill_spaces_and_cells_take_tops() -> None:
    """With four ranks the 4 is the king. Neither 2H, face down, nor 4H and 4S, alone in their columns, can move."""
    assert moves_on("how-they-run", MIXED, **FOUR_RANKS) == [
        "4C 3H AC from tableau:0 to tableau:2",
        "AC from tableau:0 to tableau:3",
        "AC from tableau:0 to cell:1",
        "2S from tableau:1 to cell:1",
        "2C from tableau:3 to cell:1",
        "AH from tableau:4 to cell:1",
        "AS from cell:0 to tableau:1",
    ]


def test_only_built_runs_move_where_a_variant_says_so() -> None:
    every = moves_on("how-they-run", MIXED, **FOUR_RANKS)
    built = moves_on("how-they-run-built-runs", MIXED, **FOUR_RANKS)
    assert built == [text for text in every if text != "4C 3H AC from tableau:0 to tableau:2"]
    joined = MIXED.replace("4C 3H AC", "4C 3C AC").replace("4S 3C AH", "4S 3H AH").replace("3S 2C", "3S").replace(
        "4H 2S", "4H 2S 2C"
    )  # fmt: skip
    assert "4C 3C AC from tableau:0 to tableau:2" not in moves_on("how-they-run-built-runs", joined, **FOUR_RANKS)


def test_face_down_cards_are_turned_up_when_they_are_tops() -> None:
    engine, position = on_board("how-they-run", MIXED, **FOUR_RANKS)
    group = next(move for move in engine.legal_moves(position) if move.size == 3)
    after = engine.play(position, group)
    assert (position.down[0], after.down[0]) == (1, 0)
    assert len(after.tableau[0]) == 1


COMPLETE = """
Freecells: - -
2H 3C 2C AC
AD 3D
3H AH
3S 2D
2S AS
"""


def test_a_whole_suit_leaves_from_the_end_of_a_column_and_single_cards_never() -> None:
    up = [text for text in moves_on("how-they-run", COMPLETE, **THREE_RANKS) if "foundation" in text]
    assert up == [f"3C 2C AC from tableau:0 to foundation:{index}" for index in range(4)]


def test_a_suit_leaves_as_a_whole_column_only_where_a_variant_says_so() -> None:
    assert not [text for text in moves_on("how-they-run-whole-columns", COMPLETE, **THREE_RANKS) if "found" in text]
    alone = COMPLETE.replace("2H 3C", "3C").replace("AD 3D", "2H AD 3D")
    up = [text for text in moves_on("how-they-run-whole-columns", alone, **THREE_RANKS) if "foundation" in text]
    assert up == [f"3C 2C AC from tableau:0 to foundation:{index}" for index in range(4)]


def test_no_card_can_come_back_though_a_variant_lets_them() -> None:
    """An ace on a foundation fits on the 2 beneath it only, and spaces take kings."""
    assert moves_on("how-they-run-return", MIXED, **FOUR_RANKS) == moves_on("how-they-run", MIXED, **FOUR_RANKS)


ASIDE = """
Reserve: 2S AC
3C 2C
3D AD
3S AS
:
2H AH 2D 3H
"""


def test_cards_that_lie_aside_are_played_to_columns_and_their_places_stay_empty() -> None:
    assert moves_on("three-blind-mice", ASIDE, **THREE_RANKS) == [
        "3H from tableau:4 to tableau:3",
        "AC from reserve:1 to tableau:0",
    ]
    engine, position = on_board("three-blind-mice", ASIDE, **THREE_RANKS)
    after = engine.play(position, engine.legal_moves(position)[-1])
    assert after.reserve[1] == ()
    assert not [move for move in engine.legal_moves(after) if 96 <= move.target < 128]


def test_a_complete_suit_leaves_at_once_where_a_variant_says_so() -> None:
    engine, position = on_board("three-blind-mice-at-once", ASIDE, **THREE_RANKS)
    after = engine.play(position, engine.legal_moves(position)[-1])
    assert after.tableau[0] == ()
    assert [len(pile) for pile in after.foundations] == [3, 0, 0, 0]


def test_farmers_wife_alternates_colours() -> None:
    """Columns and the runs that leave: black on red, red on black."""
    board = """
Reserve: 2S AC
3C 2D AS
3D
2H
AH 2C AD 3S
3H
"""
    assert moves_on("farmers-wife", board, **THREE_RANKS) == [
        "AS from tableau:0 to tableau:2",
        "2D AS from tableau:0 to tableau:3",
        *(f"3C 2D AS from tableau:0 to foundation:{index}" for index in range(4)),
        "2H from tableau:2 to tableau:3",
        "2C AD 3S from tableau:3 to tableau:1",
        "2C AD 3S from tableau:3 to tableau:4",
        "2S from reserve:0 to tableau:1",
        "2S from reserve:0 to tableau:4",
        "AC from reserve:1 to tableau:2",
    ]


# --- deals --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [1, 31_999, 32_000, 2**33])
@pytest.mark.parametrize("name", ["how-they-run-pysol", "three-blind-mice", "farmers-wife"])
def test_pysolfc_deals_five_rows_then_two_cards_aside(name: str, number: int) -> None:
    pack = packs("pysol", [number], decks=1)[0].tolist()
    dealt = deal(resolve(name), numbering="pysol", seed=number)
    assert dealt.tableau == tuple(tuple(pack[column:50:10]) for column in range(10))
    assert dealt.down == (0,) * 7 + (3,) * 3
    aside = dealt.cells if dealt.cells else tuple(card for pile in dealt.reserve for card in pile)
    assert aside == tuple(pack[50:])


def test_how_they_run_hides_cards_in_the_first_three_columns() -> None:
    dealt = deal(resolve("how-they-run"), numbering="lab", seed=1)
    assert dealt.down == (3,) * 3 + (0,) * 7
    assert [len(column) for column in dealt.tableau] == [5] * 10
    assert None not in dealt.cells


# --- counts and small packs ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_lines_of_play(game: str) -> None:
    check_lines_of_play(game)


@pytest.mark.parametrize("game", GAMES)
def test_small_packs(game: str) -> None:
    counts = check_by_brute_force(small_deals(game, resolve(game).variants, SHRINK[game], range(100)), limit=200)
    assert min(counts["win"], counts["loss"]) >= 20, counts
    assert counts["undecided by the solver"] == 0


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_many_small_packs(game: str) -> None:
    deals = small_deals(game, resolve(game).variants, SHRINK[game], range(1_000, 3_000))
    counts = check_by_brute_force(deals, limit=500)
    assert min(counts["win"], counts["loss"]) >= 300, counts


def test_returns_change_no_verdict_and_other_readings_some() -> None:
    readings = ("how-they-run", "how-they-run-return", "how-they-run-built-runs", "how-they-run-whole-columns")
    counts = outcomes_of_readings("how-they-run", readings, SHRINK["how-they-run"], range(60))
    for plain, returning, built, whole in counts:
        assert returning == plain
        assert plain == "win" or (built, whole) == ("loss", "loss")
    assert sum(deals for outcomes, deals in counts.items() if (outcomes[0], outcomes[2]) == ("win", "loss")) > 5
