"""Compacting: the same rows and lines of play in few files, whatever was there, and whatever is killed."""

from __future__ import annotations

import os
import random
import shutil
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solitaire_lab.errors import InputError
from solitaire_lab.results import parquet, schema
from solitaire_lab.results.compact import compact
from solitaire_lab.results.manifest import Manifest
from solitaire_lab.results.names import parse_block_name, parse_volume_name, volume_name
from solitaire_lab.results.rows import Row, SeedRange
from solitaire_lab.results.schema import content_hash
from solitaire_lab.results.store import Store
from tests.results.samples import a_cell, planned, rewrite, some_rows
from tests.results.test_kills import first_line, process
from tests.results.test_store import DAMAGE, files, filled

PLAN = planned(1, 3_500)
CELL = PLAN.cell.id
ROWS, LINES = (f"{kind}-00000000000000000000-00000000000000999999.parquet" for kind in ("rows", "solutions"))


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """A store with four blocks, each in files of its own."""
    return filled(Store(tmp_path / "out"), PLAN)


def names(store: Store) -> set[str]:
    return {path.name for path in store.cell_folder(CELL).iterdir()}


def all_rows(store: Store) -> list[Row]:
    return [row for block in store.blocks(CELL) for row in store.read_block(CELL, block)]


# --- what becomes of the files ----------------------------------------------------------------------------------


def test_many_files_become_two_with_the_same_rows_and_lines_of_play(store: Store) -> None:
    before = content_hash(store.rows(CELL))
    sizes = [path.stat().st_size for path in store.cell_folder(CELL).iterdir()]
    done = compact(store)
    assert names(store) == {ROWS, LINES}
    assert (done.blocks, done.files_before, done.files) == (4, 8, 2)
    assert (done.bytes_before, done.bytes) == (
        sum(sizes),
        sum(p.stat().st_size for p in store.cell_folder(CELL).iterdir()),
    )
    assert all_rows(store) == some_rows(PLAN.seeds)
    assert content_hash(store.rows(CELL)) == before
    # A store that has read nothing yet, too.
    assert all_rows(Store(store.path)) == some_rows(PLAN.seeds)


def test_what_a_folder_answers_is_the_same_afterwards(store: Store) -> None:
    asked: list[Callable[[], object]] = [
        lambda: store.blocks(CELL),
        lambda: store.rows(CELL, seeds=SeedRange(900, 2_100)).to_pylist(),
        lambda: store.rows(CELL, seeds=SeedRange(900, 2_100), columns=["nodes"]).to_pylist(),
        lambda: store.rows(CELL, seeds=SeedRange(5_000, 6_000)).to_pylist(),
        lambda: store.read_block(CELL, 9),
        lambda: [store.solution(CELL, seed) for seed in (0, 1, 999, 1_000, 3_500, 3_501)],
        lambda: [store.seeds_done(planned(1, 3_500, run=30_000), block, retry=["crashed"]) for block in range(5)],
    ]
    before = [ask() for ask in asked]
    compact(store)
    assert [ask() for ask in asked] == before


def test_a_volume_can_be_read_by_any_reader_of_parquet_and_says_what_is_where(store: Store) -> None:
    footers = [parquet.read_block_file(store.block_path(CELL, block), schema.ROWS, cell_id=CELL) for block in range(4)]
    compact(store)
    path = store.cell_folder(CELL) / ROWS
    assert pq.read_table(path)["seed"].to_pylist() == list(PLAN.seeds)
    metadata = pq.read_metadata(path)
    assert [metadata.row_group(group).num_rows for group in range(metadata.num_row_groups)] == [999, 1_000, 1_000, 501]
    assert metadata.metadata[b"solitaire_lab.seeds"] == b"1:3500"
    assert metadata.metadata[b"solitaire_lab.rows"] == b"3500"
    for block, before in enumerate(footers):
        part = store.part(CELL, block)
        assert part is not None
        assert before is not None
        assert part.footer == before.footer


def test_a_folder_that_is_compact_stays_as_it_is(store: Store) -> None:
    compact(store)
    before = files(store)
    done = compact(store)
    assert (done.blocks, done.files_before, done.files) == (0, 2, 2)
    assert files(store) == before


def test_an_empty_folder_stays_empty(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.write_manifest(Manifest("sample", (PLAN,)))
    done = compact(store)
    assert (done.blocks, done.files, done.bytes) == (0, 0, 0)
    assert store.blocks(CELL) == []


def test_progress_is_told(store: Store) -> None:
    told: list[tuple[int, int]] = []
    compact(store, progress=lambda done, total: told.append((done, total)))
    assert told == [(4, 4)]


def test_volumes_end_at_every_millionth_seed(tmp_path: Path) -> None:
    store, plan = Store(tmp_path), planned(999_990, 1_000_010)
    filled(store, plan)
    compact(store)
    assert names(store) == {volume_name(kind, volume) for kind in ("rows", "solutions") for volume in (0, 1)}
    assert all_rows(store) == some_rows(plan.seeds)


def test_the_last_seed_of_all_fits_into_a_volume(tmp_path: Path) -> None:
    store, plan = Store(tmp_path), planned(2**64 - 700, 2**64 - 1)
    filled(store, plan)
    compact(store)
    assert "rows-18446744073709000000-18446744073709551615.parquet" in names(store)
    assert all_rows(store) == some_rows(plan.seeds)


@pytest.mark.parametrize("outcome", ["loss", "undecided"])
def test_a_block_without_a_win_has_no_line_of_play(outcome: str, tmp_path: Path) -> None:
    store, plan = Store(tmp_path), planned(0, 2_999)
    reason = "nodes" if outcome == "undecided" else None
    none = [Row(seed, outcome, reason, 20_000, "p", None, 0.0, None) for seed in range(1_000, 2_000)]
    store.write_manifest(Manifest("sample", (plan,)))
    for block, rows in enumerate([some_rows(range(1_000)), none, some_rows(range(2_000, 3_000))]):
        store.write_block(plan, block, rows)
    compact(store)
    assert store.read_block(CELL, 1) == none
    assert store.read_block(CELL, 2) == some_rows(range(2_000, 3_000))
    assert store.solutions(CELL, 1) == {}


def test_one_deal_can_be_compacted(tmp_path: Path) -> None:
    store, plan = Store(tmp_path), planned(7, 7)
    filled(store, plan)
    compact(store)
    assert all_rows(store) == some_rows([7])


def test_rows_keep_the_label_that_they_were_written_with(store: Store) -> None:
    store.write_block(replace(PLAN, cell=a_cell(label="another")), 2, some_rows(range(2_000, 3_000)))
    before = store.rows(CELL)["label"].to_pylist()
    compact(store)
    assert store.rows(CELL)["label"].to_pylist() == before


def test_every_cell_is_compacted_and_nothing_foreign_is_touched(store: Store) -> None:
    other, stranger = planned(0, 1_500, cell=a_cell(label="other", solver=2)), planned(0, 9, cell=a_cell(solver=3))
    store.write_manifest(Manifest("sample", (PLAN, replace(PLAN, cell=a_cell(label="again")), other)))
    for plan in (other, stranger):
        for block in plan.seeds.blocks:
            store.write_block(plan, block, some_rows(plan.seeds.in_block(block)))
    (store.cell_folder(CELL) / "notes.txt").write_text("mine")
    compact(store)
    assert names(store) == {ROWS, LINES, "notes.txt"}
    assert {path.name for path in store.cell_folder(other.cell.id).iterdir()} == {ROWS, LINES}
    assert len(list(store.cell_folder(stranger.cell.id).iterdir())) == 2


# --- a run may follow -------------------------------------------------------------------------------------------


def test_what_a_run_writes_afterwards_goes_before_the_volume_and_joins_it_next_time(store: Store) -> None:
    compact(store)
    newer = some_rows(range(1_000, 2_000), salt=1, budget=10**9)
    later = some_rows(range(4_000, 4_400))
    store.write_block(PLAN, 1, newer)
    store.write_block(PLAN, 4, later)
    expected = [*some_rows(range(1, 1_000)), *newer, *some_rows(range(2_000, 3_501)), *later]
    assert store.blocks(CELL) == [0, 1, 2, 3, 4]
    assert all_rows(store) == expected
    assert compact(store).blocks == 2
    assert names(store) == {ROWS, LINES}
    assert all_rows(store) == expected


def test_lines_of_play_without_rows_wait_for_the_next_run(store: Store) -> None:
    # A run was killed between the two files of a new block.
    store.write_block(PLAN, 4, some_rows(range(4_000, 5_000)))
    store.block_path(CELL, 4).unlink()
    lines = store.block_path(CELL, 4, "solutions")
    compact(store)
    assert names(store) == {ROWS, LINES, lines.name}
    assert store.blocks(CELL) == [0, 1, 2, 3]


def test_newer_lines_of_play_of_a_block_in_a_volume_are_kept(store: Store) -> None:
    # A run with a larger budget has won a deal, and was killed when it had written the lines but not the rows.
    compact(store)
    rows = store.read_block(CELL, 1)
    place = next(place for place, row in enumerate(rows) if row.reason == "nodes")
    rows[place] = Row(rows[place].seed, "win", None, 25_000, "p", 1, 0.0, b"abc")
    store.write_block(PLAN, 1, rows)
    store.block_path(CELL, 1).unlink()
    assert all_rows(store) == some_rows(PLAN.seeds)
    compact(store)
    assert names(store) == {ROWS, LINES}
    assert all_rows(store) == some_rows(PLAN.seeds)
    assert store.solution(CELL, rows[place].seed) == b"abc"


# --- what is refused --------------------------------------------------------------------------------------------


def test_a_folder_that_is_none_is_refused_and_not_made(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is no folder"):
        compact(Store(tmp_path / "none"))
    assert list(tmp_path.iterdir()) == []


def test_a_folder_in_which_a_run_is_at_work_is_refused(store: Store) -> None:
    before = files(store)
    with store.lock(), pytest.raises(InputError, match="is at work on"):
        compact(Store(store.path))
    assert files(store) == before | {"lock": f"{os.getpid()}\n".encode()}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE.keys())
@pytest.mark.parametrize("kind", ["rows", "solutions"])
def test_a_damaged_file_is_named_and_nothing_is_removed(
    store: Store, kind: str, damage: Callable[[bytes], bytes]
) -> None:
    path = store.block_path(CELL, 2, kind)
    path.write_bytes(damage(path.read_bytes()))
    before = files(store)
    with pytest.raises(InputError, match=path.name):
        compact(store)
    after = files(store)
    # The lines of play are brought together first.
    assert {name: data for name, data in after.items() if not name.endswith(LINES)} == before


def test_missing_lines_of_play_are_named_and_nothing_is_removed(store: Store) -> None:
    path = store.block_path(CELL, 2, "solutions")
    path.unlink()
    before = files(store)
    with pytest.raises(InputError, match=rf"{path.name} is missing; delete {path.name} and rows-"):
        compact(store)
    assert files(store) == before


@pytest.mark.parametrize("name", [ROWS, LINES])
def test_a_full_disk_is_said_in_a_sentence_and_nothing_is_removed(
    store: Store, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = files(store)
    store.cell_folder(CELL).joinpath(f".{name}.tmp").symlink_to("/dev/full")
    # The lock would clear the link away with what killed runs have left.
    monkeypatch.setattr("solitaire_lab.results.store.is_leftover", lambda path: False)
    with pytest.raises(InputError, match=r"can't be written: no space left on device"):
        compact(store)
    after = files(store)
    assert {name: data for name, data in after.items() if not name.endswith(LINES)} == before
    assert all_rows(store) == some_rows(PLAN.seeds)


def test_a_volume_that_does_not_read_back_is_not_put_in_place(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    before = files(store)
    monkeypatch.setattr(parquet, "_same", lambda one, other: False)
    with pytest.raises(InputError, match="does not read back as it was written"):
        compact(store)
    assert files(store) == before


# --- volumes that are wrong -------------------------------------------------------------------------------------


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE.keys())
@pytest.mark.parametrize("name", [ROWS, LINES])
def test_a_damaged_volume_is_named_with_what_to_do(store: Store, name: str, damage: Callable[[bytes], bytes]) -> None:
    compact(store)
    path = store.cell_folder(CELL) / name
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(InputError, match="delete") as caught:
        all_rows(store)
    assert str(path) in str(caught.value)
    assert f"{ROWS}" in str(caught.value)
    assert str(caught.value).endswith("run the study again: only the deals in it are repeated.")


def test_a_volume_of_another_cell_is_not_taken_for_ours(store: Store) -> None:
    other = planned(1, 3_500, cell=a_cell(solver=2))
    store.write_manifest(Manifest("sample", (PLAN, other)))
    for block in other.seeds.blocks:
        store.write_block(other, block, some_rows(other.seeds.in_block(block)))
    compact(store)
    shutil.copy(store.cell_folder(other.cell.id) / ROWS, store.cell_folder(CELL) / ROWS)
    with pytest.raises(InputError, match=f"is not a file of cell {CELL[:12]}, in whose folder it is"):
        store.blocks(CELL)


@given(st.data())
@settings(max_examples=200)
def test_a_flipped_bit_is_found_or_harmless(data: st.DataObject) -> None:
    store, kind = _shared[0], data.draw(st.sampled_from(["rows", "solutions"]))
    path, rows = store.volume_path(CELL, 0, kind), some_rows(range(1_000, 2_000))
    whole = path.read_bytes()
    place, bit = data.draw(st.integers(0, len(whole) - 1)), data.draw(st.integers(0, 7))
    path.write_bytes(whole[:place] + bytes([whole[place] ^ 1 << bit]) + whole[place + 1 :])
    try:
        assert store.read_block(CELL, 1) == rows
    except InputError as error:
        assert str(path) in str(error)  # noqa: PT017 - either is right
    finally:
        path.write_bytes(whole)


_shared: list[Store] = []


@pytest.fixture(scope="module", autouse=True)
def _fill_shared_store(tmp_path_factory: pytest.TempPathFactory) -> None:
    _shared[:] = [filled(Store(tmp_path_factory.mktemp("shared") / "out"), PLAN)]
    compact(_shared[0])


@pytest.mark.parametrize(
    "blocks",
    [
        "",
        "[]",
        "7",
        "[{}]",
        '[{"block": 0, "seeds": "1:999", "rows": 999, "versions": {}}]',
        '[{"block": 0, "seeds": "1:999", "rows": 998, "versions": {}}]',
        '[{"block": 1, "seeds": "1:999", "rows": 999, "versions": {}}]',
        '[{"block": 0, "seeds": 1, "rows": 999, "versions": {}}]',
    ],
)
def test_a_footer_that_does_not_fit_the_volume_is_damage(store: Store, blocks: str) -> None:
    compact(store)
    path = store.cell_folder(CELL) / ROWS
    with pq.ParquetFile(path) as file:
        groups = [file.read_row_group(group) for group in range(file.num_row_groups)]
        entries = {key.decode(): value.decode() for key, value in file.metadata.metadata.items()}
    with pq.ParquetWriter(path, groups[0].schema.remove_metadata(), store_schema=False) as writer:
        for group in groups:
            writer.write_table(group.replace_schema_metadata(None))
        writer.add_key_value_metadata({**entries, "solitaire_lab.blocks": blocks})
    with pytest.raises(InputError, match=rf"{ROWS} is damaged"):
        store.blocks(CELL)


@pytest.mark.parametrize(
    "name",
    [
        "rows-00000000000000000000-00000000000000999998.parquet",
        "rows-00000000000000001000-00000000000001000999.parquet",
        "rows-18446744073709000000-18446744073709999999.parquet",
        "rows-18446744073710000000-18446744073710999999.parquet",
        "lines-00000000000000000000-00000000000000999999.parquet",
        "rows-0-999999.parquet",
    ],
)
def test_other_names_are_no_volumes(name: str) -> None:
    assert parse_volume_name(name) is None
    assert parse_block_name(name) is None


# --- kills ------------------------------------------------------------------------------------------------------

COMPACTER = """
import sys
from solitaire_lab.results.compact import compact
from solitaire_lab.results.store import Store
from tests.results.samples import planned, some_rows
plan, store = planned(1, 3_500), Store(sys.argv[1])
print("begun", flush=True)
while True:
    compact(store)
    for block in plan.seeds.blocks:
        store.write_block(plan, block, some_rows(plan.seeds.in_block(block)))
"""


def test_a_kill_at_any_moment_loses_nothing_and_leaves_nothing_half(store: Store) -> None:
    chance, kills, states = random.Random(1), 0, set()
    while kills < 15 or len(states) < 3:
        kills += 1
        assert kills < 100, "the kills all come at one stage; the test has to be changed"
        with process(COMPACTER, store.path) as compacter:
            assert first_line(compacter) == "begun"
            # On a busy machine it takes longer to come to the next stage.
            time.sleep(chance.random() * 0.3 * max(1, kills / 15))
        found = names(store)
        own, volumes = (
            sum(parse(name) is not None for name in found) for parse in (parse_block_name, parse_volume_name)
        )
        states.add((own, volumes, any(name.endswith(".tmp") for name in found)))
        assert all_rows(store) == all_rows(Store(store.path)) == some_rows(PLAN.seeds)
    compact(store)
    assert names(store) == {ROWS, LINES}
    assert all_rows(store) == some_rows(PLAN.seeds)


@pytest.mark.parametrize("step", range(10))
def test_a_kill_between_any_two_steps_loses_nothing(store: Store, step: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The steps are two renames and eight removals; the one of this number, from 0, is not reached."""
    done = 0

    def then_die(path: Path, *args: object, plain: Callable[..., object], **options: object) -> object:
        nonlocal done
        if done == step:
            raise KeyboardInterrupt
        done += 1
        return plain(path, *args, **options)

    for name in ("replace", "unlink"):
        plain = getattr(Path, name)
        monkeypatch.setattr(
            Path, name, lambda path, *args, p=plain, **options: then_die(path, *args, plain=p, **options)
        )
    with pytest.raises(KeyboardInterrupt):
        compact(store)
    monkeypatch.undo()
    for reader in (store, Store(store.path)):
        assert all_rows(reader) == some_rows(PLAN.seeds)
    # A run goes on from there, and so does the next call.
    newer = some_rows(range(1_000, 2_000), salt=1)
    store.write_block(PLAN, 1, newer)
    expected = [*some_rows(range(1, 1_000)), *newer, *some_rows(range(2_000, 3_501))]
    assert all_rows(store) == expected
    compact(store)
    assert names(store) == {ROWS, LINES}
    assert all_rows(store) == expected


def test_a_reader_finds_all_rows_at_any_moment(store: Store) -> None:
    reader = Store(store.path)
    with process(COMPACTER, store.path) as compacter:
        first_line(compacter)
        end = time.monotonic() + 3
        while time.monotonic() < end:
            assert all_rows(reader) == some_rows(PLAN.seeds)


def test_a_volume_whose_rows_do_not_fit_is_missed(store: Store) -> None:
    compact(store)
    rewrite(store.cell_folder(CELL) / ROWS, lambda table: table.slice(1))
    with pytest.raises(InputError, match="is damaged"):
        store.rows(CELL)
