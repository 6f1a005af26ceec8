"""The store: what is written is read, and what can't be written or read is said in a sentence."""

from __future__ import annotations

import hashlib
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solitaire_lab.engine.moves import Move, decode_moves, encode_moves
from solitaire_lab.errors import InputError
from solitaire_lab.results.cell import PlannedCell
from solitaire_lab.results.manifest import Manifest
from solitaire_lab.results.rows import Row, SeedRange
from solitaire_lab.results.schema import content_hash
from solitaire_lab.results.store import Store
from tests.results.samples import a_cell, planned, rewrite, some_rows

PLAN = planned(1, 2_500)
CELL = PLAN.cell.id


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """A store with the three blocks of ``PLAN``."""
    return filled(Store(tmp_path / "out"), PLAN)


def filled(store: Store, plan: PlannedCell) -> Store:
    with store.lock():
        store.write_manifest(Manifest("sample", (plan,)))
        for block in plan.seeds.blocks:
            store.write_block(plan, block, some_rows(plan.seeds.in_block(block)))
    return store


def files(store: Store) -> dict[str, bytes]:
    return {str(path.relative_to(store.path)): path.read_bytes() for path in store.path.rglob("*") if path.is_file()}


# --- writing and reading ----------------------------------------------------------------------------------------


def test_the_folder_has_the_documented_files(store: Store) -> None:
    folder = f"cells/{CELL[:12]}"
    firsts = ["00000000000000000000", "00000000000000001000", "00000000000000002000"]
    blocks = [f"{folder}/{kind}-{first}.parquet" for kind in ("rows", "solutions") for first in firsts]
    assert sorted(files(store)) == sorted(["manifest.json", "lock", *blocks])


def test_rows_are_read_as_they_were_written_with_their_lines_of_play(store: Store) -> None:
    for block in PLAN.seeds.blocks:
        rows = some_rows(PLAN.seeds.in_block(block))
        assert store.read_block(CELL, block) == rows
        for row in rows[:50]:
            assert store.solution(CELL, row.seed) == row.moves


def test_rows_may_be_given_in_any_order(store: Store) -> None:
    rows = some_rows(range(1_000, 2_000))
    store.write_block(PLAN, 1, rows[::-1])
    assert store.read_block(CELL, 1) == rows


def test_any_reader_of_parquet_reads_the_columns_and_the_footer(store: Store) -> None:
    path = store.block_path(CELL, 2)
    table = pq.read_table(path)
    assert [(field.name, str(field.type)) for field in table.schema] == [
        ("cell", "string"),
        ("game", "string"),
        ("label", "string"),
        ("numbering", "string"),
        ("seed", "uint64"),
        ("outcome", "string"),
        ("reason", "string"),
        ("nodes", "uint64"),
        ("phase", "string"),
        ("solution_length", "uint32"),
        ("seconds", "double"),
    ]
    assert table.column("seed").to_pylist() == list(range(2_000, 2_501))
    assert set(table.column("cell").to_pylist()) == {CELL}
    footer = {key.decode(): value.decode() for key, value in pq.read_metadata(path).metadata.items()}
    assert hashlib.sha256(footer["solitaire_lab.cell"].encode()).hexdigest() == footer["solitaire_lab.cell_id"] == CELL
    assert footer["solitaire_lab.seeds"] == "2000:2500"
    assert set(json.loads(footer["solitaire_lab.versions"])) == {"solitaire-lab", "python", "numba", "pyarrow"}
    assert pq.ParquetFile(path).metadata.row_group(0).column(0).compression == "ZSTD"


def test_the_largest_seed_and_the_largest_count_of_nodes_fit(tmp_path: Path) -> None:
    plan = planned(2**64 - 616, 2**64 - 1)
    row = Row(2**64 - 1, "win", None, 2**63 - 1, "p", 1, 0.0, encode_moves([Move(1, 2, 3)]))
    store = Store(tmp_path)
    store.write_block(plan, plan.seeds.blocks[-1], [row])
    assert store.blocks(CELL) == [18_446_744_073_709_551]
    assert store.read_block(CELL, 18_446_744_073_709_551) == [row]
    assert list(decode_moves(store.solution(CELL, 2**64 - 1) or b"")) == [Move(1, 2, 3)]
    assert store.rows(CELL, seeds=SeedRange(2**64 - 1, 2**64 - 1)).num_rows == 1


@given(st.integers(0, 2_600), st.integers(0, 2_600))
def test_a_range_of_seeds_can_be_read(one: int, other: int) -> None:
    store, seeds = shared_store(), SeedRange(min(one, other), max(one, other))
    wanted = [seed for seed in range(1, 2_501) if seed in seeds]
    assert store.rows(CELL, seeds=seeds)["seed"].to_pylist() == wanted
    only = store.rows(CELL, seeds=seeds, columns=["nodes"])
    assert only.column_names == ["nodes"]
    assert only["nodes"].to_pylist() == [row.nodes for row in some_rows(wanted)]


_shared: list[Store] = []


def shared_store() -> Store:
    """One store for all examples of a property."""
    return _shared[0]


@pytest.fixture(scope="module", autouse=True)
def _fill_shared_store(tmp_path_factory: pytest.TempPathFactory) -> None:
    _shared[:] = [filled(Store(tmp_path_factory.mktemp("shared") / "out"), PLAN)]


def test_rows_become_a_pandas_frame(store: Store) -> None:
    plan = planned(1, 2_500, cell=a_cell(label="another label"))
    store.write_block(plan, 1, some_rows(range(1_000, 2_000)))
    frame = store.rows(CELL).to_pandas()
    assert list(frame["label"]) == ["storehouse"] * 999 + ["another label"] * 1_000 + ["storehouse"] * 501
    assert (frame["outcome"] == "win").sum() == sum(row.outcome == "win" for row in some_rows(range(1, 2_501)))


def test_nothing_is_a_table_without_rows(store: Store) -> None:
    other = a_cell(solver=2).id
    assert store.rows(other).num_rows == 0
    assert store.rows(other).schema == store.rows(CELL).schema
    assert store.blocks(other) == []
    assert store.read_block(other, 0) == []
    assert store.solution(other, 5) is None
    assert store.seeds_done(planned(1, 9, cell=a_cell(solver=2)), 0) == set()


def test_a_block_is_replaced_as_a_whole(store: Store) -> None:
    store.write_block(PLAN, 0, some_rows(range(1, 11)))
    assert store.read_block(CELL, 0) == some_rows(range(1, 11))
    assert store.read_block(CELL, 1) == some_rows(range(1_000, 2_000))


@pytest.mark.parametrize(
    "rows",
    [
        some_rows([1_000, 1_000]),
        some_rows([999]),
        [Row(1_000, "win", None, 1, "p", 1, 0.0, None)],
        [Row(1_000, "loss", None, 1, "p", None, 0.0, b"abc")],
    ],
)
def test_a_block_that_can_not_be_is_a_bug_and_not_written(store: Store, rows: Sequence[Row]) -> None:
    before = files(store)
    with pytest.raises(ValueError, match="block 1 must hold"):
        store.write_block(PLAN, 1, rows)
    assert files(store) == before


# --- what a run has not to search -------------------------------------------------------------------------------


ROWS = {
    1: Row(1, "win", None, 30_000, "p", 1, 0.0, b"abc"),
    2: Row(2, "loss", None, 0, "p", None, 0.0, None),
    3: Row(3, "undecided", "nodes", 20_000, "p", None, 0.0, None),
    4: Row(4, "undecided", "memory", 500, "p", None, 0.0, None),
    5: Row(5, "undecided", "crashed", 500, "", None, 0.0, None),
}


@pytest.mark.parametrize(
    ("budget", "retry", "done"),
    [
        (20_000, (), {1, 2, 3, 4, 5}),
        (2_000, (), {1, 2, 3, 4, 5}),
        (20_001, (), {1, 2, 4, 5}),
        (20_000, ("crashed",), {1, 2, 3, 4}),
        (20_000, ("memory",), {1, 2, 3, 5}),
        (50_000, ("memory", "crashed"), {1, 2}),
    ],
)
def test_what_is_done_depends_on_the_budget_and_on_what_is_tried_again(
    tmp_path: Path, budget: int, retry: tuple[str, ...], done: set[int]
) -> None:
    store = Store(tmp_path)
    store.write_block(planned(1, 5), 0, list(ROWS.values()))
    assert store.seeds_done(planned(1, 5, run=budget), 0, retry=retry) == done


def test_a_larger_budget_replaces_rows_and_keeps_the_others(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.write_block(PLAN, 0, list(ROWS.values()))
    decided = ROWS[3]._replace(outcome="win", reason=None, nodes=25_000, solution_length=2, moves=b"abcdef")
    kept = [row for row in store.read_block(CELL, 0) if row.seed != 3]
    store.write_block(PLAN, 0, [*kept, decided])
    assert store.read_block(CELL, 0) == [ROWS[1], ROWS[2], decided, ROWS[4], ROWS[5]]


# --- the content hash -------------------------------------------------------------------------------------------


def by_hand(rows: Sequence[Row]) -> str:
    """The content hash, in plain Python, of rows of the sample cell."""
    lines = [
        ",".join("" if value is None else str(value) for value in (CELL, *row[:5], row.solution_length))
        for row in sorted(rows, key=lambda row: row.seed)
    ]
    return hashlib.sha256("".join(line + "\n" for line in lines).encode()).hexdigest()


def test_the_content_hash_can_be_computed_by_hand(store: Store) -> None:
    assert content_hash(store.rows(CELL)) == by_hand(some_rows(range(1, 2_501)))
    assert content_hash(store.rows(CELL).slice(0, 0)) == hashlib.sha256().hexdigest()


def test_the_content_hash_knows_neither_time_nor_order_nor_label(store: Store, tmp_path: Path) -> None:
    other = Store(tmp_path / "other")
    plan = planned(1, 2_500, cell=a_cell(label="another label"))
    for block in reversed(plan.seeds.blocks):
        rows = some_rows(plan.seeds.in_block(block))
        other.write_block(plan, block, [row._replace(seconds=row.seconds + 1) for row in rows])
    table = other.rows(CELL)
    assert content_hash(table) == content_hash(store.rows(CELL))
    assert content_hash(table.take(list(range(table.num_rows))[::-1])) == content_hash(store.rows(CELL))


@pytest.mark.parametrize("change", [{"nodes": 1}, {"phase": "q"}, {"outcome": "undecided", "reason": "memory"}])
def test_the_content_hash_knows_everything_else(store: Store, change: dict[str, object]) -> None:
    rows = some_rows(range(1_000, 2_000))
    place = next(i for i, row in enumerate(rows) if row.outcome == "loss")
    before = content_hash(store.rows(CELL))
    rows[place] = rows[place]._replace(**change)
    store.write_block(PLAN, 1, rows)
    assert content_hash(store.rows(CELL)) != before


# --- what is wrong with a folder --------------------------------------------------------------------------------


def test_reading_creates_nothing(tmp_path: Path) -> None:
    store = Store(tmp_path / "none")
    assert not store.exists
    assert store.rows(CELL).num_rows == 0
    with pytest.raises(
        InputError, match=r"none is no folder; a results folder is what `solitaire-lab run` has written"
    ):
        store.manifest()
    assert list(tmp_path.iterdir()) == []


def test_a_folder_without_a_manifest_is_no_results_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"has no manifest\.json"):
        Store(tmp_path).manifest()


@pytest.mark.parametrize("below", ["file", "file/below"])
def test_a_file_is_no_results_folder(tmp_path: Path, below: str) -> None:
    (tmp_path / "file").write_text("text")
    store = Store(tmp_path / below)
    with pytest.raises(InputError, match="can't be a folder, since a file has that name"), store.lock():
        pytest.fail("locked")
    with pytest.raises(InputError, match="is no folder"):
        store.manifest()
    assert (tmp_path / "file").read_text() == "text"


def test_a_folder_that_can_not_be_written_is_refused() -> None:
    # Not even root may make a folder here.
    with pytest.raises(InputError, match=r"The folder /proc/results can't be made: "), Store("/proc/results").lock():
        pytest.fail("locked")


def test_a_folder_in_the_place_of_a_file_is_named(store: Store) -> None:
    path = store.block_path(CELL, 0)
    path.unlink()
    path.mkdir()
    with pytest.raises(InputError, match=path.name):
        store.rows(CELL)


def test_a_name_that_the_system_refuses_is_said_in_a_sentence(tmp_path: Path) -> None:
    store = Store(tmp_path / ("x" * 300))
    for ask in (lambda: store.exists, store.manifest, lambda: store.read_block(CELL, 0), lambda: store.blocks(CELL)):
        with pytest.raises(InputError, match="can't be read: file name too long"):
            ask()
    with pytest.raises(InputError, match="can't be made: file name too long"), store.lock():
        pytest.fail("locked")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_of_someone_else_is_refused(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(InputError, match="permission denied"), Store(tmp_path).lock():
        pytest.fail("locked")


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "cut short": lambda data: data[: len(data) // 2],
    "footer cut off": lambda data: data[:-1],
    "empty": lambda data: b"",
    "no Parquet": lambda data: b"seed,outcome\n1,win\n",
    "bytes changed": lambda data: data[:4] + bytes(len(data) - 12) + data[-8:],
}


@given(st.data())
@settings(max_examples=200)
def test_a_flipped_bit_is_found_or_harmless(data: st.DataObject) -> None:
    store, kind = shared_store(), data.draw(st.sampled_from(["rows", "solutions"]))
    path, rows = store.block_path(CELL, 1, kind), some_rows(range(1_000, 2_000))
    whole = path.read_bytes()
    place, bit = data.draw(st.integers(0, len(whole) - 1)), data.draw(st.integers(0, 7))
    path.write_bytes(whole[:place] + bytes([whole[place] ^ 1 << bit]) + whole[place + 1 :])
    try:
        assert store.read_block(CELL, 1) == rows
    except InputError as error:
        assert str(path) in str(error)  # noqa: PT017 - either is right
    finally:
        path.write_bytes(whole)


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE.keys())
@pytest.mark.parametrize("kind", ["rows", "solutions"])
def test_a_damaged_file_is_named_with_what_to_do(store: Store, kind: str, damage: Callable[[bytes], bytes]) -> None:
    path = store.block_path(CELL, 1, kind)
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(InputError, match="delete") as caught:
        store.read_block(CELL, 1)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)
    assert store.read_block(CELL, 0) == some_rows(range(1, 1_000))


def test_a_file_of_another_cell_is_not_taken_for_ours(store: Store) -> None:
    other = planned(1, 2_500, cell=a_cell(solver=2))
    store.write_block(other, 0, some_rows(range(1, 1_000)))
    store.block_path(other.cell.id, 0).replace(store.block_path(CELL, 0))
    with pytest.raises(InputError, match=f"is not a file of cell {CELL[:12]}, in whose folder it is"):
        store.rows(CELL)


@pytest.mark.parametrize("column", ["phase", "cell"])
def test_a_file_with_other_columns_is_not_taken_for_ours(store: Store, column: str) -> None:
    path = store.block_path(CELL, 0)
    table, footer = pq.read_table(path), pq.read_metadata(path).metadata
    pq.write_table(table.drop_columns([column]).replace_schema_metadata(footer), path)
    with pytest.raises(InputError, match="has other columns than cell, game"):
        store.rows(CELL, columns=["seed"])


def test_rows_that_got_lost_in_a_file_are_missed(store: Store) -> None:
    rewrite(store.block_path(CELL, 0), lambda table: table.slice(1), rows="999")
    with pytest.raises(InputError, match=r"has not as many rows as were written; delete rows-0+\.parquet"):
        store.rows(CELL, columns=["seed"])


def test_a_win_without_its_line_of_play_is_refused_rather_than_forgotten(store: Store) -> None:
    path = store.block_path(CELL, 1, "solutions")
    rewrite(path, lambda table: table.slice(1))
    with pytest.raises(InputError, match="has no line of play for seed"):
        store.read_block(CELL, 1)
    path.unlink()
    with pytest.raises(InputError, match="has no line of play for seed"):
        store.read_block(CELL, 1)


# --- what is wrong with the disk --------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["rows", "solutions", "manifest"])
def test_a_full_disk_is_said_in_a_sentence_and_loses_nothing(store: Store, kind: str) -> None:
    before = files(store)
    path = store.manifest_path if kind == "manifest" else store.block_path(CELL, 1, kind)
    # Whatever is written to this device meets a full disk.
    path.with_name(f".{path.name}.tmp").symlink_to("/dev/full")
    write = {
        "manifest": lambda: store.write_manifest(Manifest("other", (PLAN,))),
        "rows": lambda: store.write_block(PLAN, 1, some_rows(range(1_000, 2_000), salt=1)),
        "solutions": lambda: store.write_block(PLAN, 1, some_rows(range(1_000, 2_000), salt=1)),
    }[kind]
    with pytest.raises(InputError, match=r"can't be written: no space left on device\. Nothing"):
        write()
    after = files(store)
    if kind == "rows":  # The solutions are written first, and may be newer.
        solutions = str(store.block_path(CELL, 1, "solutions").relative_to(store.path))
        assert after.pop(solutions) != before.pop(solutions)
    assert after == before


def test_a_limit_in_the_middle_of_a_file_leaves_no_half_of_it(tmp_path: Path) -> None:
    code = f"""
import resource, sys
from tests.results.samples import planned, some_rows
from solitaire_lab.results.store import Store
resource.setrlimit(resource.RLIMIT_FSIZE, (6_000, 6_000))
Store({str(tmp_path)!r}).write_block(planned(1, 2_500), 1, some_rows(range(1_000, 2_000)))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "InputError" in done.stderr
    assert "can't be written: file too large" in done.stderr
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_a_file_that_does_not_read_back_is_not_put_in_place(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    before = files(store)
    monkeypatch.setattr(pq, "read_metadata", lambda path: pa.table({"a": [1]}))
    with pytest.raises(InputError, match="does not read back with as many rows as were written"):
        store.write_block(PLAN, 1, some_rows(range(1_000, 2_000), salt=1))
    assert files(store) == before


# --- speed ------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_million_rows_are_written_in_ten_seconds_and_read_in_two(tmp_path: Path) -> None:
    plan, store = planned(0, 999_999), Store(tmp_path)
    blocks = [some_rows(range(1_000 * block, 1_000 * block + 1_000)) for block in range(10)]
    begun = time.process_time()
    for block in range(1_000):
        store.write_block(
            plan, block, [row._replace(seed=1_000 * block + i) for i, row in enumerate(blocks[block % 10])]
        )
    assert time.process_time() - begun < 10
    store.rows(CELL, seeds=SeedRange(0, 9_999))
    begun = time.process_time()
    assert store.rows(CELL).num_rows == 1_000_000
    assert time.process_time() - begun < 2
    begun = time.process_time()
    assert sum(len(store.seeds_done(plan, block)) for block in range(1_000)) == 1_000_000
    assert time.process_time() - begun < 2
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < 1 << 20


def test_a_folder_of_results_folders_names_them(tmp_path: Path) -> None:
    run = tmp_path / "run"
    with Store(run).lock():
        Store(run).write_manifest(Manifest("study", (planned(0, 9),)))
    with pytest.raises(InputError, match=r"did you mean .*run"):
        Store(tmp_path).manifest()
