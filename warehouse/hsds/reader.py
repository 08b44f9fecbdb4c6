"""Reads the HSDS tables of a release from its database.

The number of a row is its `rowid`: tables are ordered by `id`, so that the pages of a whole table
are ranges of numbers, which DuckDB reads without a scan. Foreign keys are kept as row numbers: a
query for the children of a row scans their table (40 ms for 990,000 schedules), while a hundred
rows by number take 3 ms. Safe for threads; belongs off the event loop.
"""

import threading
import uuid
from collections.abc import Sequence
from contextlib import closing
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from schemas.hsds.collections import BY_NAME, BY_TABLE
from schemas.tables.hsds import RETIRED_IDS
from warehouse.hsds.filters import Filters, rows_sql
from warehouse.hsds.package import FOLDER
from warehouse.hsds.texts import csv_sql, json_sql
from warehouse.release.tables import open_tables

# Row numbers, ascending.
Rows = Sequence[int] | np.ndarray
# Results of filters that are kept, so that the pages of one query are cut from one result: 4 bytes
# a row.
_KEPT_RESULTS = 16


class Relation(NamedTuple):
    """A foreign key as row numbers: `children` of parent p are `children[starts[p]:starts[p +
    1]]`; the parent of a child without one is -1."""

    starts: np.ndarray
    children: np.ndarray
    parents: np.ndarray

    def children_of(self, parent: int) -> list[int]:
        """Return the rows that refer to a row, ascending."""
        children: list[int] = self.children[self.starts[parent] : self.starts[parent + 1]].tolist()
        return children

    def parents_of(self, child: int) -> list[int]:
        """Return the row to which a row refers, if any."""
        parent = int(self.parents[child])
        return [parent] if parent >= 0 else []


class HsdsTables:
    """The HSDS tables of one release. Raises FileNotFoundError when the release has none."""

    def __init__(self, release: Path) -> None:
        self.folder = release / FOLDER
        if not self.folder.is_dir():
            raise FileNotFoundError(f"{release.name} has no folder {FOLDER}")
        self._db = open_tables(release)
        self._lock = threading.Lock()
        self._counts: dict[str, int] = {}
        self._relations: dict[tuple[str, str], Relation] = {}
        self.matching_rows = lru_cache(_KEPT_RESULTS)(self._matching_rows)

    def _query(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        # Each thread needs its own cursor.
        with closing(self._db.cursor()) as cursor:
            return cursor.execute(sql, values).fetchall()

    # ------------------------------------------------------------ which rows

    def count(self, name: str) -> int:
        """Return the number of rows. Raises KeyError for an unknown collection."""
        if name not in self._counts:
            table = BY_NAME[name].table_name
            self._counts[name] = self._query(f'SELECT count(*) FROM "{table}"')[0][0]
        return self._counts[name]

    def row_of(self, name: str, row_id: uuid.UUID) -> int | None:
        """Return the row with an id."""
        table = BY_NAME[name].table_name
        rows = self._query(f'SELECT rowid FROM "{table}" WHERE id = ?', [str(row_id)])
        return rows[0][0] if rows else None

    def _matching_rows(self, name: str, filters: Filters) -> np.ndarray:
        """Return the rows that pass filters. Results are cached: treat them as read-only."""
        with closing(self._db.cursor()) as cursor:
            rows = cursor.execute(*rows_sql(BY_NAME[name], filters)).fetchnumpy()["row"]
        return np.asarray(rows, dtype=np.int32)

    def successor(self, name: str, row_id: uuid.UUID) -> tuple[bool, str | None]:
        """Return whether an id is retired, and its successor's current id, if any."""
        visited: set[str] = set()
        current_id = str(row_id)
        while current_id not in visited:
            visited.add(current_id)
            rows = self._query(
                f'SELECT successor_id FROM "{RETIRED_IDS.name}" WHERE collection = ? '
                "AND old_id = ?",
                [name, current_id],
            )
            if not rows or rows[0][0] is None:
                return bool(rows) or len(visited) > 1, None
            current_id = rows[0][0]
            if self.row_of(name, uuid.UUID(current_id)) is not None:
                return True, current_id
        # A damaged chain must not become an endless redirect.
        return True, None

    # ------------------------------------------------------------ rows as text

    def json_objects(self, name: str, rows: Rows) -> list[str]:
        """Return rows as JSON objects."""
        return [text for (text,) in self._read(name, json_sql(BY_NAME[name]), rows)]

    def csv_lines(self, name: str, rows: Rows) -> list[str]:
        """Return rows as lines of CSV, without line ends."""
        return [text for (text,) in self._read(name, csv_sql(BY_NAME[name]), rows)]

    def changes(self, name: str, rows: Rows) -> list[tuple[str, str]]:
        """Return id and time of the last change of rows of a collection that has it."""
        return self._read(name, "id, last_modified", rows)

    def _read(self, name: str, expression: str, rows: Rows) -> list[Any]:
        values: list[Any]
        if isinstance(rows, range):
            condition, values = "rowid BETWEEN ? AND ?", [rows.start, rows.stop - 1]
        else:
            condition, values = "rowid IN (SELECT unnest(?::BIGINT[]))", [list(map(int, rows))]
        if not len(rows):
            return []
        table = BY_NAME[name].table_name
        return self._query(
            f'SELECT {expression} FROM "{table}" WHERE {condition} ORDER BY rowid', values
        )

    # ------------------------------------------------------------ foreign keys

    def relation(self, name: str, column: str) -> Relation:
        """Return the foreign key `column` of collection `name`. The first call reads the whole
        column."""
        relation = self._relations.get((name, column))
        if relation is None:
            with self._lock:
                relation = self._relations.get((name, column)) or self._read_relation(name, column)
                self._relations[name, column] = relation
        return relation

    def _read_relation(self, name: str, column: str) -> Relation:
        child = BY_NAME[name]
        target = next(c.references for c in child.columns if c.name == column)
        parent = BY_TABLE[target or ""]
        with closing(self._db.cursor()) as cursor:
            pairs = cursor.sql(
                "SELECT p.rowid::INTEGER AS parent, c.rowid::INTEGER AS child "
                f'FROM "{child.table_name}" c JOIN "{parent.table_name}" p ON c."{column}" = p.id '
                "ORDER BY parent, child"
            ).to_arrow_table()
        parents, children = _numbers(pairs["parent"]), _numbers(pairs["child"])
        starts = np.zeros(self.count(parent.name) + 1, np.int32)
        np.cumsum(np.bincount(parents, minlength=self.count(parent.name)), out=starts[1:])
        parent_of = np.full(self.count(name), -1, np.int32)
        parent_of[children] = parents
        return Relation(starts, children, parent_of)


def _numbers(column: pa.ChunkedArray) -> np.ndarray:
    """Return a 32-bit column without nulls. Arrow's own conversion would import pandas."""
    parts = [
        np.frombuffer(c.buffers()[1], np.int32, len(c), c.offset * 4)
        for c in column.chunks
        if len(c)
    ]
    return np.concatenate(parts) if parts else np.empty(0, np.int32)
