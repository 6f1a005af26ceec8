"""Study files: what they mean, and what is said of mistakes in them."""

from __future__ import annotations

from pathlib import Path

import pytest

from solitaire_lab.errors import InputError
from solitaire_lab.results.rows import SeedRange
from solitaire_lab.rules.catalog import resolve
from solitaire_lab.study.config import load_study
from solitaire_lab.study.model import Study, StudyCell, study_of_game

DOCUMENTED = """\
name = "faq"
seeds = "1:100"            # inclusive
numbering = "lab"
budgets = { deal = 2_000, hint = 20_000 }
[[cells]]
game = "storehouse"
[[cells]]
game = "storehouse"
label = "no redeal"
set = { "stock.redeals" = 0 }     # quoted or not
budgets = { hint = 5_000 }        # may be given per cell, as may seeds and numbering
[[grid]]                          # every combination becomes a cell, labelled by what differs
game = "storehouse"
set = { "stock.redeals" = [0, 1, 2, "unlimited"] }
"""
HEAD = 'name = "x"\nseeds = "1:100"\nbudgets = { run = 1_000 }\n'
CELL = '[[cells]]\ngame = "storehouse"\n'


def load(tmp_path: Path, text: str | bytes, **options: int) -> Study:
    path = tmp_path / "study.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return load_study(path, **options)


def refusal(tmp_path: Path, text: str | bytes) -> str:
    with pytest.raises(InputError) as caught:
        load(tmp_path, text)
    return str(caught.value).replace(str(tmp_path), "DIR")


def settings(cell: StudyCell) -> dict[str, object]:
    return cell.game.overrides


def test_the_documented_study_means_what_it_says(tmp_path: Path) -> None:
    study = load(tmp_path, DOCUMENTED)
    assert study.name == "faq"
    assert {cell.label: settings(cell) for cell in study.cells} == {
        "storehouse": {},
        "no redeal": {"stock.redeals": 0},
        "storehouse stock.redeals=0": {"stock.redeals": 0},
        "storehouse stock.redeals=1": {"stock.redeals": 1},
        "storehouse stock.redeals=2": {},
        "storehouse stock.redeals=unlimited": {"stock.redeals": "unlimited"},
    }
    budgets = [cell.planned.budgets for cell in study.cells]
    assert budgets[1] == {"hint": 5_000}
    assert all(budget == {"deal": 2_000, "hint": 20_000} for budget in budgets[:1] + budgets[2:])
    assert {cell.planned.seeds for cell in study.cells} == {SeedRange(1, 100)}
    # What a setting is called is no part of what is computed.
    assert len({cell.planned.cell.id for cell in study.cells}) == 4


@pytest.mark.parametrize(
    "written", ['set = { "stock.redeals" = 1 }', "set = { stock.redeals = 1 }", "set.stock.redeals = 1"]
)
def test_a_setting_may_be_quoted_or_not(tmp_path: Path, written: str) -> None:
    (cell,) = load(tmp_path, HEAD + CELL + written).cells
    assert settings(cell) == {"stock.redeals": 1}
    assert cell.label == "storehouse stock.redeals=1"


def test_a_grid_has_every_combination(tmp_path: Path) -> None:
    grid = '[[grid]]\ngame = "storehouse"\nlabel = "S"\n[grid.set]\nstock.redeals = [0, 1]\n'
    grid += 'spaces.after = ["any", "waste"]\n'
    study = load(tmp_path, HEAD + grid + 'tableau.wrap = "off"\n')
    assert [cell.label for cell in study.cells] == [
        "S stock.redeals=0 spaces.after=any",
        "S stock.redeals=0 spaces.after=waste",
        "S stock.redeals=1 spaces.after=any",
        "S stock.redeals=1 spaces.after=waste",
    ]
    assert all(settings(cell)["tableau.wrap"] == "off" for cell in study.cells)


def test_a_variant_is_a_cell_of_its_own(tmp_path: Path) -> None:
    study = load(tmp_path, HEAD + CELL + '[[cells]]\ngame = "Thirteen Up"\nvariant = "storehouse-en"\n')
    assert [cell.label for cell in study.cells] == ["storehouse", "storehouse-en"]
    assert study.cells[1].game == resolve("storehouse-en")


def test_seeds_and_numbering_and_memory_may_be_given_where_they_are_wanted(tmp_path: Path) -> None:
    text = 'name = "x"\nmemory = "64MiB"\n' + CELL + 'seeds = "7:9"\nnumbering = "pysol"\nbudgets = { a = 5 }'
    (cell,) = load(tmp_path, text).cells
    assert (cell.planned.seeds, cell.planned.cell.numbering, cell.planned.budget) == (SeedRange(7, 9), "pysol", 5)
    assert cell.planned.cell.table_bytes == 64 << 20
    (cell,) = load(tmp_path, text, memory=1 << 27).cells
    assert cell.planned.cell.table_bytes == 1 << 27


def test_a_byte_order_mark_is_no_mistake(tmp_path: Path) -> None:
    assert load(tmp_path, b"\xef\xbb\xbf" + (HEAD + CELL).encode()).name == "x"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (HEAD + '[[cells]]\ngmae = "storehouse"', "line 5, cells[1].gmae: There is no such key; did you mean game?"),
        (HEAD + "[[cells]]\n", "line 4, cells[1].game: This key is missing."),
        ('name = "x"\nseeds = "1:2"\nbudgets = {}\n' + CELL, "line 3, budgets: It is empty; give at least one."),
        (HEAD + CELL + "[[cells]]\ngame = 5", "line 7, cells[2].game: This should be a valid string, not 5."),
        (HEAD.replace("budgets", "budgtes") + CELL, "line 3, budgtes: There is no such key; did you mean budgets?"),
        (HEAD + '[[cells]]\ngame = "storehose"', "cells[1]: There is no game 'storehose'; did you mean"),
        (HEAD + CELL + 'variant = "uk"', "line 4, cells[1]: storehouse has no variant 'uk'"),
        (HEAD + CELL + "set.stock.redels = 1", "line 6, cells[1].set: stock.redels is no rule of a game; did you mean"),
        (HEAD + CELL + 'set = { "stock.redeals" = -1 }', "line 6, cells[1].set: stock.redeals"),
        (HEAD.replace("1:100", "5:1") + CELL, "line 2, seeds: 5:1 is no range of seeds"),
        (HEAD.replace("1:100", "-1:5") + CELL, "line 2, seeds: -1:5 is no range of seeds"),
        (HEAD.replace("1:100", f"1:{2**64}") + CELL, f"line 2, seeds: 1:{2**64} is no range of seeds"),
        (HEAD.replace('"1:100"', "100") + CELL, "line 2, seeds: 100 is no range of seeds"),
        (HEAD + CELL + 'seeds = "ten"', "line 6, cells[1].seeds: 'ten' is no range of seeds"),
        (HEAD.replace("1_000", "0") + CELL, "line 3, budgets.run: 0 is no budget"),
        (HEAD.replace("1_000", "-5") + CELL, "line 3, budgets.run: -5 is no budget"),
        (HEAD.replace("1_000", str(2**63)) + CELL, f"line 3, budgets.run: {2**63} is no budget"),
        (HEAD.replace("1_000", "1e3") + CELL, "line 3, budgets.run: 1000.0 is no budget"),
        (HEAD.replace("run =", "2000 =") + CELL, "line 3, budgets.2000: '2000' is no name for a budget"),
        (HEAD.replace("{ run = 1_000 }", "{}") + CELL, "line 3, budgets"),
        (HEAD + 'numbering = "psyol"\n' + CELL, "line 4, numbering: 'psyol' is no numbering; numberings are lab"),
        (HEAD + CELL + 'numbering = "pysol"\nseeds = "0:5"', "line 4, cells[1]: Seed 0 names no deal"),
        (HEAD + 'memory = "much"\n' + CELL, "line 4, memory: 'much' is no size of memory"),
        (HEAD + "memory = 0\n" + CELL, "line 4, memory: 0 is no size of memory"),
        (HEAD + CELL + CELL, "Several cells are called 'storehouse'"),
        (HEAD, "There are no cells; give a [[cells]] or a [[grid]] table."),
        (HEAD + '[[grid]]\ngame = "storehouse"\nset.stock.redeals = []', "line 6, grid[1].set.stock.redeals: This"),
        ('name = "x"\nbudgets = { a = 1 }\n' + CELL, "line 3, cells[1]: It has no seeds"),
        ('name = "x"\nseeds = "1:2"\n' + CELL, "line 3, cells[1]: It has no budgets"),
        ('name = "x"\nseeds = 1:100', "is no TOML: expected newline or end of document after"),
        (b'name = "caf\xe9"\n', "is no UTF-8 text (byte 11); save it as UTF-8."),
    ],
)  # fmt: skip
def test_a_mistake_is_named_with_its_place_and_a_remedy(tmp_path: Path, text: str | bytes, said: str) -> None:
    message = refusal(tmp_path, text)
    assert message.startswith("DIR/study.toml")
    assert said in message


LACKING = """\
name = "x"
[[cells]]
game = "storehouse"
[[cells]]
game = "fan"
[[grid]]
game = "storehouse"
set = { "stock.redeals" = [0, 1] }
"""


@pytest.mark.parametrize(
    ("key", "value", "option", "other"),
    [
        ("seeds", '"1:100"', "--seeds or --deals", "budgets = { run = 10_000 }\n"),
        ("budgets", "{ run = 10_000 }", "--budget", 'seeds = "1:100"\n'),
    ],
)
def test_what_several_cells_lack_is_told_once(tmp_path: Path, key: str, value: str, option: str, other: str) -> None:
    right = f"have no {key}; give {key} = {value} at the top of the file or in each of them, or {option}."
    assert refusal(tmp_path, other + LACKING) == f"DIR/study.toml: Its cells {right}"
    with_one = LACKING.replace('"fan"\n', f'"fan"\n{key} = {value}\n')
    assert refusal(tmp_path, other + with_one) == f"DIR/study.toml: cells[1], grid[1] {right}"


def test_seeds_and_budgets_that_are_lacking_are_two_mistakes(tmp_path: Path) -> None:
    message = refusal(tmp_path, LACKING.replace("fan", "fna"))
    assert message.splitlines()[0] == "DIR/study.toml has 3 mistakes:"
    for said in ("  Its cells have no seeds; ", "  Its cells have no budgets; ", "There is no game 'fna'"):
        assert message.count(said) == 1


def test_all_mistakes_are_named_at_once(tmp_path: Path) -> None:
    text = 'nam = "x"\nseeds = "5:1"\nbudgets = { run = 0 }\n[[cells]]\ngame = "strehouse"\n[[cells]]\ngme = "x"\n'
    message = refusal(tmp_path, text)
    for said in ("nam:", "name: ", "5:1", "0 is no budget", "'strehouse'", "cells[2].gme", "cells[2].game"):
        assert said in message
    assert "7 mistakes" in message


@pytest.mark.parametrize(
    ("name", "said"), [("missing.toml", "does not exist; a study is a TOML file such as"), (".", "can't be read")]
)
def test_a_file_that_is_none_is_named(tmp_path: Path, name: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        load_study(tmp_path / name)


def test_a_misspelt_file_is_offered_as_it_is_spelt(tmp_path: Path) -> None:
    for name in ("storehouse.toml", "passes.toml", "storehouse.txt"):
        (tmp_path / name).touch()
    with pytest.raises(InputError) as caught:
        load_study(tmp_path / "storehous.toml")
    assert str(caught.value).endswith(f"does not exist; did you mean {tmp_path / 'storehouse.toml'}?")
    with pytest.raises(InputError, match="a study is a TOML file such as"):
        load_study(tmp_path / "missing.toml")


@pytest.mark.parametrize("name", ["storehouse.tom", "storehouse", "storehouse.txt", "storehous.json"])
def test_a_file_that_does_not_end_as_studies_do_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "storehouse.toml").write_text(DOCUMENTED)
    (tmp_path / "storehouse.txt").write_text(DOCUMENTED)
    with pytest.raises(InputError) as caught:
        load_study(tmp_path / name)
    right = f"did you mean {tmp_path / 'storehouse.toml'}?"
    assert str(caught.value) == f"{tmp_path / name} does not end in .toml, as study files do; {right}"


def test_a_game_alone_is_a_study() -> None:
    game = resolve("storehouse", overrides={"stock.redeals": 0})
    study = study_of_game(game, seeds=SeedRange(1, 5), budget=100)
    assert (study.name, [cell.label for cell in study.cells]) == ("storehouse", ["storehouse stock.redeals=0"])
    assert study.cells[0].planned.budgets == {"run": 100}


@pytest.mark.parametrize("budget", [0, -1, 2**63, True])
def test_a_game_alone_needs_a_possible_budget(budget: int) -> None:
    with pytest.raises(InputError, match="no budget"):
        study_of_game(resolve("storehouse"), seeds=SeedRange(1, 5), budget=budget)


@pytest.mark.parametrize("path", sorted(Path(__file__).parents[2].glob("configs/*.toml")), ids=lambda path: path.name)
def test_the_studies_that_come_along_can_be_read(path: Path) -> None:
    assert load_study(path).name == path.stem


def test_a_rule_that_is_set_twice_or_in_an_unknown_group_is_told(tmp_path: Path) -> None:
    file = tmp_path / "study.toml"
    file.write_text(
        'name = "x"\nseeds = "1:2"\nbudgets = { run = 10 }\n'
        '[[cells]]\ngame = "storehouse"\nset = { "stock.redeals" = 0, stock.redeals = 1 }\n'
        '[[cells]]\ngame = "storehouse"\nlabel = "b"\nset = { stok = {} }\n'
    )
    with pytest.raises(InputError) as caught:
        load_study(file)
    assert "stock.redeals is set twice" in str(caught.value)
    assert "stok is no rule" in str(caught.value)
