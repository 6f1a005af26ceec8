"""Queries: true answers, exact numbers, nothing but the study can be read, and errors in a sentence."""

from __future__ import annotations

import builtins
import csv
import json
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from solitaire_lab.engine.moves import Move, encode_moves
from solitaire_lab.errors import InputError
from solitaire_lab.reports.query import FORMATS, TABLES, query, render_answer
from solitaire_lab.reports.tables import table_rows
from solitaire_lab.results.cell import PlannedCell
from solitaire_lab.results.compact import compact
from solitaire_lab.results.manifest import Manifest
from solitaire_lab.results.rows import Row, SeedRange
from solitaire_lab.results.store import Store
from tests.results.samples import a_cell, planned, some_rows
from tests.results.test_store import files

PLAN = planned(1, 1_500)
OTHER = planned(
    2**64 - 20,
    2**64 - 1,
    cell=a_cell(label="one pass", solver=2, overrides={"stock.redeals": 0, "tableau.moves": "top"}),
    run=20_000,
)
AGAIN = PlannedCell(replace(PLAN.cell, label="again"), SeedRange(10, 20), {"run": 20_000})
ROWS = some_rows(PLAN.seeds)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    store = Store(tmp_path_factory.mktemp("query"))
    store.write_manifest(Manifest("sample", (PLAN, OTHER, AGAIN)))
    for plan in (PLAN, OTHER):
        for block in plan.seeds.blocks:
            store.write_block(plan, block, some_rows(plan.seeds.in_block(block)))
    return store


def ask(store: Store, sql: str) -> list[tuple[Any, ...]]:
    return list(query(store, sql).rows)


# --- answers ----------------------------------------------------------------------------------------------------


def test_rows_are_those_of_the_store_under_every_label(store: Store) -> None:
    found = dict(ask(store, "SELECT label, count(*) FROM rows GROUP BY label"))
    assert found == {"storehouse": 1_500, "one pass": 20, "again": 11}
    outcomes = dict(ask(store, "SELECT outcome, count(*) FROM rows WHERE label = 'storehouse' GROUP BY outcome"))
    assert outcomes == Counter(row.outcome for row in ROWS)
    (totals,) = ask(
        store, "SELECT sum(nodes), sum(solution_length), count(reason) FROM rows WHERE label = 'storehouse'"
    )
    assert totals == (
        sum(row.nodes for row in ROWS),
        sum(row.solution_length or 0 for row in ROWS),
        sum(row.reason is not None for row in ROWS),
    )


def test_counts_are_those_of_the_table(store: Store) -> None:
    sql = "SELECT label, count(*), count(*) FILTER (outcome = 'win') FROM rows GROUP BY label ORDER BY label"
    rows = sorted(table_rows([store]), key=lambda row: row.planned.cell.label)
    assert ask(store, sql) == [(row.planned.cell.label, row.counts.deals, row.counts.win) for row in rows]


def test_large_seeds_and_their_sums_are_exact(store: Store) -> None:
    assert ask(store, "SELECT max(seed), sum(seed) FROM rows WHERE label = 'one pass'") == [
        (2**64 - 1, sum(OTHER.seeds))
    ]


def test_cells_tell_what_the_study_wants(store: Store) -> None:
    columns = "label, cell, study, game, numbering, first_seed, last_seed, budget, solver, memory"
    assert ask(store, f"SELECT {columns} FROM cells") == [
        (plan.cell.label, plan.cell.id, "sample", "storehouse", "lab", plan.seeds.first, plan.seeds.last, plan.budget,
         plan.cell.solver, 1 << 28)
        for plan in (PLAN, OTHER, AGAIN)
    ]  # fmt: skip
    assert ask(store, "SELECT DISTINCT precision FROM cells") == [(None,)]
    assert ask(store, "SELECT budgets['hint'], budgets['run'] FROM cells LIMIT 2") == [(20_000, None), (None, 20_000)]
    assert ask(store, "SELECT settings['stock.redeals'], settings['tableau.moves'] FROM cells LIMIT 2") == [
        (None, None),
        ("0", "top"),
    ]
    assert json.loads(ask(store, "SELECT rules FROM cells")[0][0]) == PLAN.cell.rules


def test_a_cell_that_is_run_to_a_precision_tells_it_and_has_the_rows_up_to_its_end(tmp_path: Path) -> None:
    plan = replace(planned(1, 1_500), precision=2.5).ended(999)
    store = Store(tmp_path)
    store.write_manifest(Manifest("sample", (plan,)))
    for block in (0, 1):
        store.write_block(plan, block, some_rows(PLAN.seeds.in_block(block)))
    assert ask(store, "SELECT precision, last_seed FROM cells") == [(2.5, 999)]
    assert ask(store, "SELECT max(seed) FROM rows") == [(999,)]


def test_tables_can_be_joined(store: Store) -> None:
    sql = "SELECT count(*) FROM rows JOIN cells USING (cell, label) LEFT JOIN solutions USING (cell, label, seed)"
    assert ask(store, sql) == [(1_531,)]


def test_solutions_are_the_lines_of_play(tmp_path: Path) -> None:
    store, plan = Store(tmp_path), planned(1, 3)
    line = [Move(192, 193, 3), Move(193, 2, 1), Move(0, 65, 1)]
    rows = [Row(seed, "loss", None, 1, "p", None, 0.0, None) for seed in (1, 3)]
    rows.insert(1, Row(2, "win", None, 1, "p", 3, 0.0, encode_moves(line)))
    store.write_manifest(Manifest("sample", (plan,)))
    store.write_block(plan, 0, rows)
    assert ask(store, "SELECT seed, unnest(moves, recursive := true) FROM solutions") == [
        (2, "stock", "waste", 3),
        (2, "waste", "tableau:2", 1),
        (2, "tableau:0", "foundation:1", 1),
    ]


def test_every_win_has_one_line_of_play(store: Store) -> None:
    lengths = dict(ask(store, "SELECT seed, len(moves) FROM solutions WHERE label = 'storehouse'"))
    assert lengths == {row.seed: row.solution_length for row in ROWS if row.outcome == "win"}
    assert ask(store, "SELECT count(*) FROM solutions WHERE label = 'again'") == [
        (sum(row.outcome == "win" for row in ROWS[9:20]),)
    ]


def test_a_compact_folder_answers_the_same(store: Store, tmp_path: Path) -> None:
    copy = Store(tmp_path)
    copy.write_manifest(store.manifest())
    for plan in (PLAN, OTHER):
        for block in store.blocks(plan.cell.id):
            copy.write_block(plan, block, store.read_block(plan.cell.id, block))
    compact(copy)
    for table in TABLES:
        assert ask(copy, f"FROM {table} ORDER BY ALL") == ask(store, f"FROM {table} ORDER BY ALL")


@pytest.mark.parametrize("table", TABLES)
def test_a_study_that_has_not_begun_has_empty_tables(table: str, tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.write_manifest(Manifest("sample", (PLAN,)))
    assert ask(store, f"SELECT count(*) FROM {table}") == [(int(table == "cells"),)]
    described = [row[0] for row in ask(store, f"DESCRIBE {table}")]
    assert described == TABLES[table].names


@pytest.mark.parametrize("outcome", ["win", "loss", "undecided"])
def test_all_deals_may_end_alike_and_one_deal_be_all(outcome: str, tmp_path: Path) -> None:
    moves = b"abc" if outcome == "win" else None
    row = Row(1, outcome, "nodes" if outcome == "undecided" else None, 1, "p", moves and 1, 0.0, moves)
    store, plan = Store(tmp_path), planned(1, 1)
    store.write_manifest(Manifest("sample", (plan,)))
    store.write_block(plan, 0, [row])
    sql = "SELECT outcome, count(*), count(s.seed) FROM rows LEFT JOIN solutions s USING (cell, seed) GROUP BY 1"
    assert ask(store, sql) == [(outcome, 1, int(outcome == "win"))]


def test_other_questions_are_answered_too(store: Store) -> None:
    assert ask(store, "SHOW TABLES") == [("cells",), ("rows",), ("solutions",)]
    assert ask(store, "WITH a AS (SELECT 1 AS x) FROM a;") == [(1,)]
    assert len(ask(store, "SUMMARIZE rows")) == 11
    (pivot,) = ask(store, "PIVOT (SELECT outcome FROM rows WHERE label = 'again') ON outcome USING count(*)")
    assert sum(pivot) == 11


# --- what is refused --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sql", "says"),
    [
        ("", "A query is one statement, such as SELECT"),
        (" ; ", "A query is one statement"),
        ("SELECT 1; SELECT 2", "A query is one statement"),
        ("SELCT 1", "SELCT"),
        ("SELECT label FROM row", "The tables are rows, cells, solutions; DESCRIBE"),
        ("SELECT lable FROM rows", '"lable"'),
        ("SELECT sum(outcome) FROM rows", "sum"),
        ("SELECT outcome::INT FROM rows", "Could not convert"),
        ("INSERT INTO rows VALUES (1)", "A query only reads"),
        ("DELETE FROM rows", "A query only reads"),
        ("DROP VIEW rows", "A query only reads"),
        ("CREATE TABLE x AS SELECT 1", "A query only reads"),
        ("SET threads = 1", "A query only reads"),
        ("PRAGMA version", "A query only reads"),
        ("ATTACH 'x.db'", "A query only reads"),
        ("COPY rows TO 'x.csv'", "A query only reads"),
        ("INSTALL httpfs", "A query only reads"),
        ("LOAD httpfs", "A query only reads"),
        ("EXPORT DATABASE 'x'", "A query only reads"),
    ],
)
def test_what_is_no_question_is_refused_in_a_sentence(
    sql: str, says: str, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    before = files(store)
    with pytest.raises(InputError) as caught:
        ask(store, sql)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)
    assert str(caught.value).endswith(".")
    assert files(store) == before
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "source",
    [
        "'{file}'",
        "read_text('{file}')",
        "read_csv('{file}')",
        "read_blob('{file}')",
        "glob('{file}')",
        "'https://example.org/x.csv'",
        "secret",
    ],
)
def test_nothing_else_can_be_read(source: str, store: Store, tmp_path: Path) -> None:
    secret = [{"x": 1}]  # What Python has is no table either.
    path = tmp_path / "secret.csv"
    path.write_text("x\n1\n")
    with pytest.raises(InputError, match="The query can't be answered"):
        ask(store, f"FROM {source.format(file=path)}")
    assert secret


def test_a_damaged_file_is_named_if_the_query_needs_it(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.write_manifest(Manifest("sample", (PLAN,)))
    store.write_block(PLAN, 1, some_rows(range(1_000, 1_500)))
    path = store.block_path(PLAN.cell.id, 1)
    path.write_bytes(b"")
    with pytest.raises(InputError, match=path.name):
        ask(store, "SELECT count(*) FROM rows")
    assert ask(store, "SELECT count(*) FROM cells") == [(1,)]


def test_a_folder_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is no folder"):
        query(Store(tmp_path / "none"), "SELECT 1")
    assert list(tmp_path.iterdir()) == []


def test_without_duckdb_it_says_what_brings_it(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = builtins.__import__

    def without(name: str, *args: Any, **options: Any) -> Any:
        if name.partition(".")[0] == "duckdb":
            raise ImportError(name)
        return plain(name, *args, **options)

    monkeypatch.delitem(sys.modules, "duckdb", raising=False)
    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(InputError, match=r"pip install 'solitaire-lab\[query\]' brings it"):
        query(store, "SELECT 1")


# --- as text ----------------------------------------------------------------------------------------------------

EVERYTHING = """
SELECT 18446744073709551615::UBIGINT AS seed, 2 * 18446744073709551615::HUGEINT AS huge, 0.1::DOUBLE AS share,
    1.50::DECIMAL(9, 2) AS price, NULL AS nothing, TRUE AS truth, 'a, "b"' || chr(10) || 'ü' AS words,
    [1, NULL] AS list, {'x': [1]} AS struct, MAP {'k': 2} AS map, DATE '2024-02-29' AS day, TIME '10:00' AS hour,
    'NaN'::DOUBLE AS nan,
    '\\x00\\xff'::BLOB AS bytes, INTERVAL 2 DAY AS span
"""
VALUES = {
    "seed": 2**64 - 1,
    "huge": 2**65 - 2,
    "share": 0.1,
    "price": 1.5,
    "nothing": None,
    "truth": True,
    "words": 'a, "b"\nü',
    "list": [1, None],
    "struct": {"x": [1]},
    "map": {"k": 2},
    "day": "2024-02-29",
    "hour": "10:00:00",
    "nan": None,
    "bytes": "00ff",
    "span": "2 days, 0:00:00",
}


def rendered(store: Store, sql: str, style: str) -> str:
    return "".join(f"{line}\n" for line in render_answer(query(store, sql), style))


def test_json_has_every_kind_of_value(store: Store) -> None:
    assert json.loads(rendered(store, EVERYTHING, "json")) == [VALUES]


def test_csv_has_every_kind_of_value(store: Store) -> None:
    header, values = csv.reader(rendered(store, EVERYTHING, "csv").splitlines(keepends=True))
    assert header == list(VALUES)
    for name, text in zip(header, values, strict=True):
        value = VALUES[name]
        if isinstance(value, list | dict | bool):
            assert json.loads(text) == value
        else:
            assert text == ("" if value is None else str(value))


def test_text_is_a_table_with_numbers_at_the_right(store: Store) -> None:
    sql = "SELECT label AS who, count(*) AS deals FROM rows WHERE label <> 'again' GROUP BY label ORDER BY deals"
    assert rendered(store, sql, "text") == (
        "who         deals\n----------  -----\none pass       20\nstorehouse   1500\n\n2 rows.\n"
    )
    assert "ü" in rendered(store, EVERYTHING, "text")
    assert len(rendered(store, EVERYTHING, "text").splitlines()) == 5


@pytest.mark.parametrize("style", FORMATS)
def test_an_answer_without_rows_is_still_one(style: str, store: Store) -> None:
    text = rendered(store, "SELECT seed FROM rows WHERE false", style)
    assert text == {"text": "seed\n----\n\n0 rows.\n", "csv": "seed\n", "json": "[]\n"}[style]


@pytest.mark.parametrize("style", FORMATS)
def test_many_rows_all_come_once(style: str, store: Store) -> None:
    text = rendered(store, "SELECT range AS n FROM range(25000)", style)
    numbers = [row["n"] for row in json.loads(text)] if style == "json" else text.split("\n")
    assert [int(n) for n in numbers if str(n).strip().isdigit()] == list(range(25_000))


def test_two_columns_of_one_name_are_refused_where_they_can_not_be_told_apart(store: Store) -> None:
    sql = "SELECT 1 AS x, 2 AS x"
    assert rendered(store, sql, "csv") == "x,x\n1,2\n"
    assert "1  2" in rendered(store, sql, "text")
    with pytest.raises(InputError, match="Two columns are called 'x'; give each a name of its own, with AS"):
        rendered(store, sql, "json")
