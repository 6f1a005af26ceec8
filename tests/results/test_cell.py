"""What names a cell."""

import hashlib
from dataclasses import replace
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solitaire_lab.deals.dealing import deal_many
from solitaire_lab.errors import InputError
from solitaire_lab.results.cell import Cell, canonical_json, differences
from solitaire_lab.rules.catalog import resolve
from tests.results.samples import RULES, a_cell

plain = st.recursive(
    st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
)


def test_the_id_is_the_sha_256_of_the_canonical_json_written_out_by_hand() -> None:
    cell = a_cell(rules={"b": True, "a": {"y": "unlimited", "x": 2}}, dealing={"order": ["stock"]})
    text = (
        '{"deal":{"order":["stock"]},"numbering":"lab","rules":{"a":{"x":2,"y":"unlimited"},"b":true},'
        '"solver":1,"table_bytes":268435456}'
    )
    assert cell.canonical == text
    assert cell.id == hashlib.sha256(text.encode()).hexdigest()


def test_names_are_not_part_of_the_identity() -> None:
    cell = a_cell()
    assert replace(cell, game="other", label="other", overrides={"stock.redeals": 2}).id == cell.id


@pytest.mark.parametrize(
    "change",
    [{"numbering": "pysol"}, {"solver": 2}, {"table_bytes": 1}, {"rules": {}}, {"dealing": {"order": []}}],
)
def test_everything_else_is(change: dict[str, object]) -> None:
    assert a_cell(**change).id != a_cell().id


@given(plain)
def test_canonical_json_does_not_depend_on_the_order_of_keys(value: object) -> None:
    def turned_over(value: object) -> object:
        if isinstance(value, dict):
            return {key: turned_over(inner) for key, inner in reversed(value.items())}
        return [turned_over(inner) for inner in value] if isinstance(value, list) else value

    assert canonical_json(value) == canonical_json(turned_over(value))


@pytest.mark.parametrize("value", [1.0, None, [1, [2.5]], {"a": None}, {1: 2}])
def test_canonical_json_holds_only_what_has_one_text(value: object) -> None:
    with pytest.raises(TypeError, match="is"):
        canonical_json(value)


def test_differences_name_the_keys_and_both_values() -> None:
    other = a_cell(rules=RULES | {"stock": {"turn": 1, "redeals": "unlimited"}}, solver=2)
    assert [str(difference) for difference in differences(a_cell(), other)] == [
        'rules.stock.redeals was 2 and is now "unlimited"',
        "solver was 1 and is now 2",
    ]


def test_a_key_that_only_one_cell_has_is_a_difference() -> None:
    fewer = a_cell(rules={key: value for key, value in RULES.items() if key != "pack"})
    assert [(d.key, d.before, d.after) for d in differences(fewer, a_cell())] == [("rules.pack.decks", None, 1)]


@given(st.dictionaries(st.text(max_size=3), plain, max_size=3), st.dictionaries(st.text(max_size=3), plain, max_size=3))
def test_cells_differ_in_a_key_exactly_if_their_ids_differ(one: dict[str, object], other: dict[str, object]) -> None:
    before, after = a_cell(rules=one), a_cell(rules=other)
    assert (before.id == after.id) == (differences(before, after) == ())


def test_true_and_one_are_different_rules() -> None:
    assert [d.key for d in differences(a_cell(rules={"a": True}), a_cell(rules={"a": 1}))] == ["rules.a"]


class TestARealGame:
    """Cells of Storehouse."""

    def cell(self, numbering: str = "lab", **overrides: object) -> Cell:
        game = resolve("storehouse", overrides={key.replace("_", "."): value for key, value in overrides.items()})
        return Cell.from_game(game, numbering=numbering, label="a label", memory=1 << 28)

    def test_another_rule_is_another_cell_and_is_named(self) -> None:
        before, after = self.cell(), self.cell(stock_redeals=0)
        assert [(d.key, d.before, d.after) for d in differences(before, after)] == [("rules.stock.redeals", 2, 0)]
        assert after.overrides == {"stock.redeals": 0}

    def test_saying_a_default_is_no_difference(self) -> None:
        assert self.cell(stock_redeals=2).id == self.cell().id

    @pytest.mark.parametrize("numbering", ["lab", "pysol"])
    def test_a_cell_deals_as_its_game_does_even_if_there_is_no_such_game_any_more(self, numbering: str) -> None:
        game = resolve("storehouse", overrides={"stock.redeals": "unlimited"})
        cell = Cell.from_game(game, numbering=numbering, label="x", memory=1 << 28)
        stored = replace(cell, game="forgotten").to_game()
        assert stored.rules == game.rules
        dealt = [list(islice(deal_many(g, numbering=numbering, seeds=range(1, 31)), 30)) for g in (game, stored)]
        assert dealt[0] == dealt[1]

    def test_rules_of_another_version_are_refused_in_a_sentence(self) -> None:
        cell = self.cell()
        with pytest.raises(InputError, match="can't read the rules of cell 'a label'"):
            replace(cell, rules={**cell.rules, "jokers": {"count": 2}}).to_game()

    def test_a_deal_of_another_version_is_refused_in_a_sentence(self) -> None:
        cell = self.cell()
        with pytest.raises(InputError, match="can't deal as cell 'a label' was dealt"):
            replace(cell, dealing={**cell.dealing, "pack": "some other order"}).to_game()
