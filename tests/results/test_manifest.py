"""The manifest and what may be wrong with it."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from solitaire_lab.errors import InputError
from solitaire_lab.results.manifest import Manifest, parse_manifest
from solitaire_lab.results.rows import SeedRange
from solitaire_lab.results.store import Store
from tests.results.samples import a_cell, planned

MANIFEST = Manifest(
    "faq",
    (
        planned(1, 100),
        planned(0, 2**64 - 1, cell=a_cell(label="Patience „übrig“", solver=2, overrides={"stock.redeals": 0}), run=7),
    ),
)
TO_PRECISION = replace(planned(1, 2_999, cell=a_cell(label="p")), precision=0.5, asked=SeedRange(1, 10**6))


def test_a_manifest_is_read_as_it_was_written(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.write_manifest(MANIFEST)
    assert store.manifest() == MANIFEST
    assert [path.name for path in tmp_path.iterdir()] == ["manifest.json"]


@pytest.mark.parametrize("asked", [None, SeedRange(1, 10**6)])
def test_a_precision_is_read_as_it_was_written(asked: SeedRange | None) -> None:
    manifest = Manifest("faq", (replace(TO_PRECISION, asked=asked),))
    assert parse_manifest(manifest.to_json(), where="here") == manifest
    assert "precision" not in MANIFEST.to_json()


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"precision": "0.5"}, "'0.5' is no float"),
        ({"precision": 0.0}, "has a precision of 0.0"),
        ({"precision": float("nan")}, "has a precision of nan"),
        ({"asked": [1, 2_999]}, "not the first of 1:2999"),
        ({"asked": [2, 10**6]}, "not the first of 2:1000000"),
        ({"asked": 7}, "is damaged"),
    ],
)
def test_a_wrong_precision_is_refused(change: dict[str, Any], says: str) -> None:
    record = json.loads(Manifest("faq", (TO_PRECISION,)).to_json())
    record["cells"][0].update(change)
    with pytest.raises(InputError) as caught:
        parse_manifest(json.dumps(record), where="here")
    assert says in str(caught.value)


def test_a_cell_ends_where_it_is_told_to() -> None:
    plan = replace(TO_PRECISION, seeds=SeedRange(1, 10**6), asked=None)
    ended = plan.ended(2_999)
    assert (ended.seeds, ended.most, ended.ended(1_999).most) == (SeedRange(1, 2_999), plan.seeds, plan.seeds)
    assert plan.ended(10**6) == plan


def changed(change: Callable[[dict[str, Any]], object]) -> str:
    record = json.loads(MANIFEST.to_json())
    change(record)
    return json.dumps(record)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "no JSON"),
        (MANIFEST.to_json()[:-20], "no JSON"),
        ("[]", "no manifest of a results folder"),
        (changed(lambda record: record.update(schema=2)), "has schema 2, but this version of solitaire-lab reads"),
        (changed(lambda record: record.pop("study")), "study is missing"),
        (changed(lambda record: record.update(cells=7)), "is damaged"),
        (changed(lambda record: record["cells"][0].pop("seeds")), "seeds is missing"),
        (changed(lambda record: record["cells"][0].update(seeds=[5, 1])), "5:1 is no range of seeds"),
        (changed(lambda record: record["cells"][0].update(seeds=["1", 5])), "'1' is no int"),
        (100_000 * "[", "no JSON"),
        (changed(lambda record: record["cells"][0].update(budgets={"run": 0})), "has a budget of 0 nodes"),
        (changed(lambda record: record["cells"][0].update(budgets={"run": 2**63})), f"has a budget of {2**63} nodes"),
        (changed(lambda record: record["cells"][0].update(budgets={})), "no budget"),
        (changed(lambda record: record["cells"][0]["cell"].update(solver=9)), "its content has"),
        (changed(lambda record: record["cells"][0]["cell"]["rules"].update(x=1.5)), "is damaged"),
    ],
)
def test_a_wrong_manifest_is_refused_in_a_sentence_that_names_it(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "manifest.json").write_text(text)
    with pytest.raises(InputError, match=r"manifest\.json") as caught:
        Store(tmp_path).manifest()
    assert says in str(caught.value)


def test_a_manifest_that_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_bytes(b"\xff\xfe{}")
    with pytest.raises(InputError, match=r"manifest\.json is no UTF-8 text"):
        Store(tmp_path).manifest()


def test_cells_are_found_by_label_or_by_the_beginning_of_an_id() -> None:
    manifest = parse_manifest(MANIFEST.to_json(), where="here")
    first, second = manifest.cells
    assert manifest.find("storehouse") == first
    assert manifest.find(second.cell.id[:8]) == second
    for unknown in ("zz", ""):
        with pytest.raises(InputError, match="no cell of this study; name one by its label"):
            manifest.find(unknown)
