"""Questions in SQL to a results folder, answered by DuckDB."""

from __future__ import annotations

import contextlib
import datetime
import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, Any, TypeVar

import pyarrow as pa

from solitaire_lab.errors import InputError
from solitaire_lab.reports.export import csv_line
from solitaire_lab.reports.relations import CELLS, SOLUTIONS, cells_table, labelled, solutions
from solitaire_lab.reports.render import Grid, render_grid
from solitaire_lab.results import schema
from solitaire_lab.study.cpus import available_cpus

if TYPE_CHECKING:
    import duckdb

    from solitaire_lab.results.store import Store

TABLES = {"rows": schema.ROWS, "cells": CELLS, "solutions": SOLUTIONS}
"""What can be asked, by name; the labels are the study's."""

T = TypeVar("T")

_AT_A_TIME = 10_000
_KIND = re.compile(r"^[A-Z][A-Za-z ]* Error: ")
_NUMBER = re.compile(r"U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL.*")


@dataclass(frozen=True)
class Answer:
    """The rows that a query gives."""

    columns: tuple[str, ...]
    numeric: frozenset[int]
    """The columns, counted from 0, that hold numbers."""
    rows: Iterator[tuple[Any, ...]] = field(repr=False)
    """As Python values, whole numbers exact. They can be taken once."""


def query(store: Store, sql: str) -> Answer:
    """Ask a results folder.

    Args:
        store: the folder. Its rows are read into memory, about 100 bytes a deal, if the query names them.
        sql: one ``SELECT``, or what DuckDB answers like one (``FROM``, ``DESCRIBE``, ``SUMMARIZE``, ``PIVOT``), about
            the tables ``TABLES``. It can read nothing else and change nothing.

    Raises:
        InputError: there is no results folder, a file is damaged, or the query can't be answered; DuckDB, which the
            extra ``query`` brings, is not installed.
    """
    manifest = store.manifest()
    connection = _connection()
    _require_question(connection, sql)
    tables: dict[str, Callable[[], Iterable[pa.Table]]] = {
        "rows": lambda: labelled(store, manifest.cells),
        "cells": lambda: [cells_table(manifest)],
        "solutions": lambda: solutions(store, manifest.cells),
    }
    for name, columns in TABLES.items():
        # An empty table answers DESCRIBE and SHOW TABLES.
        named = re.search(rf"\b{name}\b", sql, re.IGNORECASE)
        connection.register(name, pa.concat_tables([columns.empty_table(), *(tables[name]() if named else ())]))
    _interruptible(connection, lambda: connection.execute(sql))
    description = connection.description or []
    return Answer(
        columns=tuple(str(name) for name, *_ in description),
        numeric=frozenset(i for i, (_, kind, *_) in enumerate(description) if _NUMBER.fullmatch(str(kind))),
        rows=_rows(connection),
    )


def _connection() -> duckdb.DuckDBPyConnection:
    """A database in memory from which no SQL gets out."""
    try:
        import duckdb
    except ImportError:
        raise InputError(
            "Queries are answered by DuckDB, which is not installed; pip install 'solitaire-lab[query]' brings it."
        ) from None
    connection = duckdb.connect(
        ":memory:",
        config={
            "enable_external_access": False,
            "autoinstall_known_extensions": False,
            "autoload_known_extensions": False,
            "python_enable_replacements": False,
            "temp_directory": "",
            "threads": available_cpus(),
        },
    )
    connection.execute("SET lock_configuration = true")
    return connection


def _require_question(connection: duckdb.DuckDBPyConnection, sql: str) -> None:
    """Refuse what is not one statement that only reads."""
    from duckdb import StatementType

    with _complaints():
        statements = connection.extract_statements(sql)
    if len(statements) != 1:
        raise InputError(f"A query is one statement, such as SELECT count(*) FROM rows, not {len(statements)}.")
    # PIVOT is several to DuckDB.
    if statements[0].type not in (StatementType.SELECT, StatementType.MULTI):
        raise InputError("A query only reads; begin it with SELECT, FROM, WITH, DESCRIBE, SUMMARIZE or PIVOT.")


@contextlib.contextmanager
def _complaints() -> Iterator[None]:
    """Turn an error of DuckDB into a sentence."""
    import duckdb

    try:
        yield
    except duckdb.Error as error:
        # Below the empty line stands the place in the query, for wide screens.
        text = _KIND.sub("", str(error).partition("\n\n")[0])
        hint = ""
        if isinstance(error, duckdb.CatalogException | duckdb.BinderException):
            hint = f" The tables are {', '.join(TABLES)}; DESCRIBE with the name of one lists its columns."
        if isinstance(error, duckdb.CatalogException):  # It goes on with what its own tables are called.
            text = text.partition("\n")[0]
        raise InputError(f"The query can't be answered: {' '.join(text.split()).rstrip('.!?')}.{hint}") from None


def _rows(connection: duckdb.DuckDBPyConnection) -> Iterator[tuple[Any, ...]]:
    while True:
        some = _interruptible(connection, lambda: connection.fetchmany(_AT_A_TIME))
        if not some:
            return
        yield from some


def _interruptible(connection: duckdb.DuckDBPyConnection, work: Callable[[], T]) -> T:
    """Have DuckDB work in another thread: in the main one it does not always hear Ctrl-C."""
    with _complaints(), ThreadPoolExecutor(1) as pool:
        future = pool.submit(work)
        try:
            return future.result()
        except BaseException:
            connection.interrupt()
            raise


# --- as text ----------------------------------------------------------------------------------------------------


def render_answer(answer: Answer, style: str) -> Iterator[str]:
    """An answer as lines of text without their end; ``style`` is one of ``FORMATS``.

    Numbers are written in full. What is null is empty, in JSON ``null``. Lists and the like are JSON in CSV and in
    tables for people, bytes are hexadecimal, and dates and times are in ISO 8601.

    Raises:
        InputError: two columns have one name, which JSON can't tell apart; or a value can't be computed.
    """
    return _RENDERERS[style](answer)


def _text(answer: Answer) -> Iterator[str]:
    body = [[_one_line(value) for value in row] for row in answer.rows]
    count = f"{len(body):,} row{'' if len(body) == 1 else 's'}."
    grid = Grid(list(map(_one_line, answer.columns)), body, [count], answer.numeric)
    yield from render_grid(grid, "text").splitlines()


def _csv(answer: Answer) -> Iterator[str]:
    line = csv_line()
    yield line(answer.columns)
    for row in answer.rows:
        yield line([_cell(value) for value in row])


def _json(answer: Answer) -> Iterator[str]:
    if twice := [name for name in answer.columns if answer.columns.count(name) > 1]:
        raise InputError(f"Two columns are called {twice[0]!r}; give each a name of its own, with AS.")
    mark = "["
    for row in answer.rows:
        yield mark + _dumped(dict(zip(answer.columns, map(_plain, row), strict=True)))
        mark = ","
    yield "[]" if mark == "[" else "]"


_RENDERERS: dict[str, Callable[[Answer], Iterator[str]]] = {"text": _text, "csv": _csv, "json": _json}
FORMATS = tuple(_RENDERERS)


def _one_line(value: Any) -> str:
    return " ".join(str(_cell(value)).split())


def _cell(value: Any) -> Any:
    """A value as one field."""
    plain = _plain(value)
    if isinstance(plain, list | dict | bool):
        return _dumped(plain)
    return "" if plain is None else plain


def _plain(value: Any) -> Any:
    """A value as JSON has it."""
    if isinstance(value, Mapping):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    return value if value is None or isinstance(value, str | int) else str(value)


def _dumped(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
