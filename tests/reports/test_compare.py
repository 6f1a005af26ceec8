"""Two cells on the same deals: counted by hand, and what strictness makes of them."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from solitaire_lab.errors import InputError
from solitaire_lab.reports.compare import Comparison, compare_all, compare_cells
from solitaire_lab.reports.paired import PairTable
from solitaire_lab.reports.render import FORMATS
from solitaire_lab.reports.render_compare import LISTED, render_comparison, render_comparisons
from solitaire_lab.results.cell import Cell, PlannedCell
from solitaire_lab.results.manifest import Manifest
from solitaire_lab.results.rows import Row, SeedRange
from solitaire_lab.results.store import Store
from solitaire_lab.rules.catalog import resolve

BUDGET = 100


def cell(label: str, game: str = "storehouse", *, numbering: str = "lab", **settings: object) -> Cell:
    """A cell of a game with some rules set otherwise, underlines for dots."""
    overrides = {key.replace("__", "."): value for key, value in settings.items()}
    return Cell.from_game(resolve(game, overrides=overrides), numbering=numbering, label=label, memory=1 << 24)


STRICT, LOOSE = cell("strict", stock__redeals=0), cell("loose", stock__redeals=1)
"""What is won with one pass can be won with two."""


def row(seed: int, outcome: str, *, nodes: int = 7) -> Row:
    """A row of a deal that is won (``w``), lost (``l``), or open for want of nodes (``n``) or memory (``m``)."""
    match outcome:
        case "w":
            return Row(seed, "win", None, nodes, "p", 1, 0.0, b"abc")
        case "l":
            return Row(seed, "loss", None, nodes, "p", None, 0.0, None)
        case "n":
            return Row(seed, "undecided", "nodes", BUDGET, "p", None, 0.0, None)
    return Row(seed, "undecided", "memory", nodes, "p", None, 0.0, None)


def a_store(path: Path, *cells: tuple[Cell, str], first: int = 1, **changes: Any) -> Store:
    """A folder of cells with outcomes from the first seed on; ``changes`` are for the plan of the last."""
    store, plans = Store(path), []
    for number, (one, outcomes) in enumerate(cells):
        values = {"seeds": SeedRange(first, first + len(outcomes) - 1), "budgets": {"short": 3, "run": BUDGET}}
        plan = PlannedCell(one, **(values | (changes if number == len(cells) - 1 else {})))
        plans.append(plan)
        rows = [row(seed, outcome) for seed, outcome in enumerate(outcomes, first) if outcome != "-"]
        for block in sorted({each.seed // 1_000 for each in rows}):
            store.write_block(plan, block, [each for each in rows if each.seed // 1_000 == block])
    store.write_manifest(Manifest("two", tuple(plans)))
    return store


def compared(path: Path, a: tuple[Cell, str], b: tuple[Cell, str], **changes: Any) -> Comparison:
    return compare_cells(a_store(path, a, b, **changes), a[0].label, b[0].label)


# --- counting ---------------------------------------------------------------------------------------------------


def test_outcomes_are_counted_and_differing_deals_named(tmp_path: Path) -> None:
    #                                    seeds 12345678901
    pair = compared(tmp_path, (STRICT, "wwlllnmllnn"), (LOOSE, "wwwwlwlnmnm"))
    assert pair.table == PairTable(((2, 0, 0), (2, 1, 2), (1, 1, 2)))
    assert (pair.gained.tolist(), pair.lost.tolist()) == ([3, 4], [])
    assert (pair.seeds, pair.complete, pair.same_deals, pair.order) == (SeedRange(1, 11), True, True, "stricter")
    assert pair.difference == pytest.approx((5 - 2) / 11)
    assert pair.sound


def test_the_cells_in_the_other_order_give_the_same_turned_over(tmp_path: Path) -> None:
    outcomes = "wwlllnmlwnn", "wwwwlwlnmnm"
    there = compared(tmp_path / "there", (STRICT, outcomes[0]), (LOOSE, outcomes[1]))
    back = compared(tmp_path / "back", (LOOSE, outcomes[1]), (STRICT, outcomes[0]))
    assert back.table.counts == tuple(zip(*there.table.counts, strict=True))
    assert (back.gained.tolist(), back.lost.tolist()) == (there.lost.tolist(), there.gained.tolist())
    assert back.order == "looser"
    assert {(deals.undecided, deals.outcome, *deals.seeds.tolist()) for deals in back.settled} == {
        ("ab"["ba".index(deals.undecided)], deals.outcome, *deals.seeds.tolist()) for deals in there.settled
    }
    assert back.table.interval == pytest.approx(tuple(-end for end in reversed(there.table.interval)))


def test_a_budget_is_a_filter(tmp_path: Path) -> None:
    store = a_store(tmp_path, (STRICT, "wwllnm"), (LOOSE, "wlwlwl"))
    whole = compare_cells(store, "strict", "loose").table
    assert whole == PairTable(((1, 1, 0), (1, 1, 0), (1, 1, 0)))
    for budget in (7, BUDGET, "run"):
        assert compare_cells(store, "strict", "loose", budget=budget).table == whole
    # Each deal took 7 nodes: under fewer it is open.
    for budget in (6, "short", 1):
        pair = compare_cells(store, "strict", "loose", budget=budget)
        assert (pair.table.counts[2][2], pair.table.deals, pair.seeds) == (6, 6, SeedRange(1, 6))
    assert pair.a.budget == 1
    assert compare_cells(store, "strict", "loose", budget="short").b.budget_name == "short"


@pytest.mark.parametrize(
    ("a", "b", "easier", "says"),
    [
        ("l" * 9 + "w", "w" * 8 + "lw", "b", "B (loose) is easier: won more often by 80.00 points, and"),
        ("w" * 8 + "lw", "l" * 9 + "w", "a", "A (strict) is easier: won more often by 80.00 points, and"),
        ("wl" * 5, "ww" + "wl" * 4, None, "B (loose) is won more often by 10.00 points, but"),
        # Were the open deals won, A would be as easy.
        ("n" * 9 + "w", "w" * 10, None, "B (loose) is won more often by 90.00 points, but"),
        ("wl", "wl", None, "A and B are won equally often"),
    ],
)
def test_the_easier_cell_is_told_in_words(a: str, b: str, easier: str | None, says: str, tmp_path: Path) -> None:
    pair = compared(tmp_path, (STRICT, a), (LOOSE, b))
    assert (pair.easier, pair.record()["easier"]) == (easier, easier)
    for style in FORMATS:
        assert (says in render_comparison(pair, style)) == (style not in ("json", "csv"))
    assert ("excludes 0" in render_comparison(pair, "text")) == (easier is not None)


def test_a_label_that_is_the_letter_or_number_of_its_cell_is_told_once(tmp_path: Path) -> None:
    def told(text: str) -> list[str]:
        return [line.partition(" (")[0] for line in text.splitlines() if " (game: " in line]

    outcomes = ("l" * 9 + "w", "w" * 8 + "lw")
    letters = [cell("A", stock__redeals=0), cell("B", stock__redeals=1)]
    store = a_store(tmp_path / "letters", *zip(letters, outcomes, strict=True))
    text = render_comparison(compare_cells(store, "A", "B"), "text")
    assert told(text) == ["A", "B"]
    assert "\nB is easier: " in text
    # A and B here are the labels of the other cell each.
    text = render_comparison(compare_cells(store, "B", "A"), "text")
    assert told(text) == ["A: B", "B: A"]
    assert "\nA (B) is easier: " in text
    numbers = [cell("1", stock__redeals=0), cell("two", stock__redeals=1)]
    store = a_store(tmp_path / "numbers", *zip(numbers, outcomes, strict=True))
    assert told(render_comparisons(compare_all(store), "text")) == ["1", "2: two"]


# --- strictness -------------------------------------------------------------------------------------------------


def settled(pair: Comparison) -> list[tuple[str, str, list[int]]]:
    return [(deals.undecided, deals.outcome, deals.seeds.tolist()) for deals in pair.settled]


def test_verdicts_of_ordered_rules_settle_open_deals_and_are_not_merged(tmp_path: Path) -> None:
    pair = compared(tmp_path, (STRICT, "wnmlwlw"), (LOOSE, "nllnmwn"))
    assert settled(pair) == [("b", "win", [1, 5, 7]), ("a", "loss", [2, 3])]
    assert pair.table == PairTable(((0, 0, 3), (1, 0, 1), (0, 2, 0)))


def test_rules_that_decide_alike_settle_in_all_directions(tmp_path: Path) -> None:
    same = cell("face up", reserve__face="up")
    pair = compared(tmp_path, (cell("as it is"), "wnnlwl"), (same, "nwlnwl"))
    assert pair.order == "equal"
    assert settled(pair) == [("b", "win", [1]), ("a", "loss", [3]), ("a", "win", [2]), ("b", "loss", [4])]
    assert pair.sound


@pytest.mark.parametrize(
    ("a", "b", "order", "impossible"),
    [
        (STRICT, LOOSE, "stricter", [2]),
        (LOOSE, STRICT, "looser", [3, 5]),
        (cell("as it is"), cell("face up", reserve__face="up"), "equal", [2, 3, 5]),
        (cell("one"), cell("two", stock__redeals=1, spaces__after="any"), "looser", [3, 5]),
        (cell("one", stock__turn=3), cell("two", stock__turn=2), "incomparable", []),
    ],
)
def test_a_win_of_stricter_rules_that_looser_ones_lose_is_a_contradiction(
    tmp_path: Path, a: Cell, b: Cell, order: str, impossible: list[int]
) -> None:
    store = a_store(tmp_path, (a, "wwlwlnn"), (b, "wlwwwwl"))
    pair = compare_cells(store, a.label, b.label)
    assert (pair.order, pair.impossible.tolist(), pair.sound) == (order, impossible, not impossible)
    everything = compare_all(store)
    assert everything.sound == (not impossible)
    for text in (render_comparison(pair, "text"), render_comparisons(everything, "text")):
        assert ("A verdict is wrong!" in text) == bool(impossible)
        assert not impossible or f": {', '.join(map(str, impossible))}." in text


@pytest.mark.parametrize(
    ("a", "b", "differing"),
    [
        (cell("a", stock__redeals=0), cell("b", tableau__columns=5), "tableau.columns is 4 and 5"),
        (cell("a", "freecell"), cell("b", "klondike"), "tableau.columns is 8 and 7"),
        (cell("a", "shamrocks"), cell("b", "shamrocks", deal__kings="as-dealt"), "deal.kings is"),
    ],
)
def test_rules_that_change_the_deal_are_not_ordered_by_it(tmp_path: Path, a: Cell, b: Cell, differing: str) -> None:
    pair = compared(tmp_path, (a, "wl"), (b, "lw"))
    assert (pair.same_deals, pair.order, pair.sound, pair.settled) == (False, "incomparable", True, ())
    assert any(differing in text for text in pair.deal_differences)
    assert "The deals are not the same" in render_comparison(pair, "text")


def test_cards_that_lie_face_down_make_no_other_deal(tmp_path: Path) -> None:
    pair = compared(tmp_path, (cell("down", "klondike"), "ww"), (cell("up", "klondike", tableau__down=0), "lw"))
    assert (pair.same_deals, pair.order, pair.impossible.tolist()) == (True, "stricter", [1])


def test_empty_cells_make_no_other_deal(tmp_path: Path) -> None:
    pair = compared(tmp_path, (cell("four", "freecell"), "wl"), (cell("three", "freecell", cells__count=3), "ll"))
    assert (pair.same_deals, pair.order, pair.sound) == (True, "looser", True)


# --- which seeds ------------------------------------------------------------------------------------------------


def test_the_seeds_that_both_have_are_compared(tmp_path: Path) -> None:
    store = a_store(tmp_path, (STRICT, "w" * 10))
    late = PlannedCell(LOOSE, SeedRange(6, 15), {"run": BUDGET})
    store.write_block(late, 0, [row(seed, "l" if seed == 6 else "w") for seed in late.seeds])
    store.write_manifest(Manifest("two", (*store.manifest().cells, late)))
    pair = compare_cells(store, "strict", "loose")
    assert (pair.planned, pair.seeds, pair.table.deals, pair.lost.tolist()) == (
        SeedRange(6, 10),
        SeedRange(6, 10),
        5,
        [6],
    )


@pytest.mark.parametrize(
    ("missing", "covered"), [(998, None), (999, None), (1_000, SeedRange(998, 999)), (2_500, SeedRange(998, 1_999))]
)
def test_of_unfinished_cells_whole_blocks_in_seed_order_are_compared(
    tmp_path: Path, missing: int, covered: SeedRange | None
) -> None:
    outcomes = ["w"] * 2_000
    outcomes[missing - 998] = "-"
    pair = compared(tmp_path, (STRICT, "w" * 2_000), (LOOSE, "".join(outcomes)), first=998)
    assert (pair.seeds, pair.complete) == (covered, False)
    assert pair.table.deals == (0 if covered is None else covered.count)
    assert (pair.p_value, pair.why_no_p_value) == (None, "the run is not finished")
    text = render_comparison(pair, "text")
    assert "Unfinished: both are planned for seeds 998:2997" in text
    assert "No p value: the run is not finished." in text
    assert ("Without deals" in text) == (covered is None)


def test_a_finished_fixed_range_has_a_p_value(tmp_path: Path) -> None:
    pair = compared(tmp_path, (STRICT, "l" * 8 + "wn"), (LOOSE, "w" * 8 + "wl"))
    assert pair.p_value is not None
    # 8 of 8 deals on one side, 2 / 2 ** 8; the open one is lost under both, or one on the other side: 2 * 10 / 2 ** 9.
    assert pair.p_value == pytest.approx((2 / 256, 2 / 256, 20 / 512))
    assert "p = 0.0078; 0.0078 to 0.039, however" in render_comparison(pair, "text")


@pytest.mark.parametrize("asked", [None, SeedRange(1, 90)])
def test_a_range_that_a_precision_ended_has_none(tmp_path: Path, asked: SeedRange | None) -> None:
    pair = compared(tmp_path, (STRICT, "lw"), (LOOSE, "ww"), precision=50.0, asked=asked)
    assert pair.complete
    assert pair.p_value is None
    assert "the seeds of loose were not fixed beforehand" in render_comparison(pair, "text")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("strict", "nobody"), "'nobody' means no cell"),
        (("strict", "strict"), "are one cell, 'strict'; name two"),
        (("strict", "far"), r"'strict' \(seeds 1:2\) and 'far' \(seeds 5:6\) have no seed in common"),
    ],
)
def test_cells_that_cant_be_compared_are_refused(tmp_path: Path, words: tuple[str, str], says: str) -> None:
    store = a_store(tmp_path, (STRICT, "ww"), (cell("far", stock__turn=3), "ww"), seeds=SeedRange(5, 6))
    with pytest.raises(InputError, match=says):
        compare_cells(store, *words)


def test_cells_of_two_numberings_are_not_compared_deal_by_deal(tmp_path: Path) -> None:
    other = cell("other", numbering="pysol")
    store = a_store(tmp_path / "two", (cell("one"), "wl"), (other, "lw"))
    says = r"another shuffle under 'one' \(lab numbering\) than under 'other' \(pysol numbering\)"
    with pytest.raises(InputError, match=says):
        compare_cells(store, "one", "other")
    with pytest.raises(InputError, match=r"No two cells of .* have one numbering"):
        compare_all(store)
    store = a_store(tmp_path / "three", (STRICT, "wl"), (other, "lw"), (LOOSE, "ww"))
    found = compare_all(store)
    assert (list(found.pairs), found.of_two_numberings) == ([(0, 2)], {(0, 1), (1, 2)})
    text = render_comparisons(found, "text")
    assert "-: 2 pairs are left out: a seed is another shuffle in each numbering." in text
    assert text.splitlines()[3].split()[1:] == ["other", "-", ".", "-"]
    assert len(json.loads(render_comparisons(found, "json"))) == 1


def test_a_budget_that_was_not_run_is_refused(tmp_path: Path) -> None:
    store = a_store(tmp_path, (STRICT, "ww"), (LOOSE, "ww"))
    for budget in (0, BUDGET + 1, "long"):
        with pytest.raises(InputError, match="budget"):
            compare_cells(store, "strict", "loose", budget=budget)


def test_a_cell_alone_has_nothing_to_be_compared_with(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="one cell only"):
        compare_all(a_store(tmp_path, (STRICT, "ww")))


def test_two_labels_of_one_cell_agree(tmp_path: Path) -> None:
    store = a_store(tmp_path, (STRICT, "wlnm"))
    (plan,) = store.manifest().cells
    again = PlannedCell(cell("again", stock__redeals=0), plan.seeds, plan.budgets)
    store.write_manifest(Manifest("two", (plan, again)))
    pair = compare_cells(store, "strict", "again")
    assert (pair.order, pair.sound, pair.table) == ("equal", True, PairTable(((1, 0, 0), (0, 1, 0), (0, 0, 2))))


# --- all cells --------------------------------------------------------------------------------------------------


def test_every_pair_with_seeds_in_common_is_compared(tmp_path: Path) -> None:
    far = cell("far", stock__turn=3)
    store = a_store(tmp_path, (STRICT, "wl"), (LOOSE, "ww"), (far, "ww"), seeds=SeedRange(5, 6))
    found = compare_all(store)
    assert [side.label for side in found.sides] == ["strict", "loose", "far"]
    assert list(found.pairs) == [(0, 1)]
    assert found.pairs[0, 1].record() == compare_cells(store, "strict", "loose").record()
    text = render_comparisons(found, "text")
    assert "no seeds" in text
    assert "1 of 1 pair is ordered by strictness; no verdict contradicts another." in text


def test_the_matrix_tells_the_difference_both_ways(tmp_path: Path) -> None:
    found = compare_all(a_store(tmp_path, (STRICT, "llwwn"), (LOOSE, "wwlww")))
    lines = render_comparisons(found, "text").splitlines()
    # Of 5 deals 4 are won and 2: 40 points; two are won by the second alone, one by the first.
    assert lines[2].split()[1:] == ["strict", ".", "+40.00", "(2/1)!"]
    assert lines[3].split()[1:] == ["loose", "-40.00", "(1/2)!", "."]


def test_pairs_without_a_whole_block_say_so(tmp_path: Path) -> None:
    found = compare_all(a_store(tmp_path, (STRICT, "w-"), (LOOSE, "ww")))
    assert "no block" in render_comparisons(found, "text")
    assert json.loads(render_comparisons(found, "json"))[0]["difference"] is None


# --- formats ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("outcomes", [("w", "w"), ("l", "l"), ("n", "m"), ("w", "n"), ("lll", "www"), ("-", "w")])
@pytest.mark.parametrize("style", FORMATS)
def test_every_format_can_tell_of_little_and_of_one_sided_studies(
    tmp_path: Path, outcomes: tuple[str, str], style: str
) -> None:
    store = a_store(tmp_path, (STRICT, outcomes[0]), (LOOSE, outcomes[1]))
    for text in (
        render_comparison(compare_cells(store, "strict", "loose"), style),
        render_comparisons(compare_all(store), style),
    ):
        assert text.endswith("\n")
        assert not text.endswith("\n\n")
        assert "nan" not in text.lower()


def test_what_programs_read_holds_every_number(tmp_path: Path) -> None:
    pair = compared(tmp_path, (STRICT, "wlln"), (LOOSE, "wwlw"))
    record = json.loads(render_comparison(pair, "json"))
    assert record["outcomes"]["loss"] == {"win": 1, "loss": 1, "undecided": 0}
    assert (record["gained"], record["lost"], record["seeds"], record["order"]) == ([2], [], "1:4", "stricter")
    assert record["settled"] == []
    assert (record["low"], record["high"]) == pair.table.interval
    (line,) = csv.DictReader(io.StringIO(render_comparison(pair, "csv")))
    assert (line["a_label"], line["b_label"], line["loss_win"], line["gained"]) == ("strict", "loose", "1", "[2]")
    assert float(line["p_decided"]) == record["p_value"]["decided"] == 1
    assert line["why_no_p_value"] == ""


def test_a_text_names_so_many_seeds_and_json_all(tmp_path: Path) -> None:
    pair = compared(tmp_path, (STRICT, "l" * 250), (LOOSE, "w" * 250))
    text = render_comparison(pair, "text")
    assert "250 deals: 1, 2, 3, 4" in text
    assert f", {LISTED} and 150 more (JSON has all)." in text
    assert json.loads(render_comparison(pair, "json"))["gained"] == list(range(1, 251))
