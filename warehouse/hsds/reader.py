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
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from schemas.hsds.collections import BY_NAME, BY_TABLE, Collection
from schemas.tables.hsds import RETIRED_IDS
from warehouse.hsds.package import FOLDER, csv_sql, json_sql
from warehouse.release.tables import open_tables

_EARTH_METRES = 6_371_008.8


@dataclass(frozen=True)
class Near:
    """Around a point: degrees WGS84, meters."""

    lat: float
    lng: float
    metres: float


@dataclass(frozen=True)
class Filters:
    """Filters of a list; None does not filter. `modified_after` is in milliseconds since 1970."""

    search: str | None = None
    taxonomy_term_id: str | None = None
    taxonomy_id: str | None = None
    organization_id: str | None = None
    parent_id: str | None = None
    top_only: bool = False
    postcode: str | None = None
    near: Near | None = None
    modified_after: int | None = None


NOTHING_ASKED = Filters()


def rows_sql(collection: Collection, filters: Filters) -> tuple[str, list[Any]]:
    """Return SQL of the numbers of the rows that pass, ascending, as `row`; and its values."""
    source = f'"{collection.table_name}" r'
    conditions: list[str] = []
    values: list[Any] = []

    def add(condition: str, *arguments: Any) -> None:
        conditions.append(condition)
        values.extend(arguments)

    for word in dict.fromkeys((filters.search or "").split()):
        # The texts of a row, without ids or codes of closed lists.
        names = [c.name for c in collection.columns if c.type == "string" and not c.values]
        columns = ", ".join(f'r."{name}"' for name in names)
        text = f"strip_accents(lower(concat_ws(' ', {columns})))"
        add(f"contains({text}, strip_accents(lower(?)))", word)
    if filters.taxonomy_term_id is not None:
        attributes = f'SELECT link_id FROM "{_table("attributes")}" WHERE taxonomy_term_id = ?'
        add(_of_services(collection, attributes), filters.taxonomy_term_id)
    if filters.taxonomy_id is not None:
        terms = f'SELECT id FROM "{_table("taxonomy_terms")}" WHERE taxonomy_id = ?'
        attributes = (
            f'SELECT link_id FROM "{_table("attributes")}" WHERE taxonomy_term_id IN ({terms})'
        )
        is_term = collection.name == "taxonomy_terms"
        add(
            "r.taxonomy_id = ?" if is_term else _of_services(collection, attributes),
            filters.taxonomy_id,
        )
    if filters.organization_id is not None:
        owned = f'SELECT id FROM "{_table("services")}" WHERE organization_id = ?'
        direct = "organization_id" in collection.column_names
        add(
            "r.organization_id = ?" if direct else _of_services(collection, owned),
            filters.organization_id,
        )
    if filters.parent_id is not None:
        add("r.parent_id = ?", filters.parent_id)
    if filters.top_only:
        add("r.parent_id IS NULL")
    if filters.postcode is not None:
        addresses = f'SELECT location_id FROM "{_table("addresses")}" WHERE postal_code = ?'
        if collection.name == "locations":
            add(f"r.id IN ({addresses})", filters.postcode)
        else:
            # By address, or for its residents by the service area.
            areas = f'SELECT service_id FROM "{_table("service_areas")}" WHERE extent = ?'
            add(
                f"(r.location_id IN ({addresses}) OR r.service_id IN ({areas}))",
                filters.postcode,
                filters.postcode,
            )
    if filters.modified_after is not None and "last_modified" in collection.column_names:
        # Rows without a known date always match: a mirror must not miss a change.
        add(
            "(r.last_modified IS NULL OR epoch_ms(r.last_modified::TIMESTAMPTZ) >= ?)",
            filters.modified_after,
        )
    if filters.near is not None:
        place = "r"
        if collection.name != "locations":
            source += f' JOIN "{_table("locations")}" l ON l.id = r.location_id'
            place = "l"
        # Great-circle distance. It is unknown, hence not near, without a position.
        add(
            f"{2 * _EARTH_METRES} * asin(sqrt(least(1, "
            f"sin(radians({place}.latitude - ?) / 2) ** 2 + cos(radians({place}.latitude)) "
            f"* cos(radians(?)) * sin(radians({place}.longitude - ?) / 2) ** 2))) <= ?",
            filters.near.lat,
            filters.near.lat,
            filters.near.lng,
            filters.near.metres,
        )
    where = " AND ".join(conditions) or "true"
    return f"SELECT r.rowid AS row FROM {source} WHERE {where} ORDER BY row", values


def _table(name: str) -> str:
    return BY_NAME[name].table_name


def _of_services(collection: Collection, services: str) -> str:
    """Return the rows that are, belong to, or offer one of the services listed by a query."""
    if collection.name == "services":
        return f"r.id IN ({services})"
    if collection.name == "organizations":
        return (
            f'r.id IN (SELECT organization_id FROM "{_table("services")}" WHERE id IN ({services}))'
        )
    return f"r.service_id IN ({services})"


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
        if not len(rows):
            return []
        # Neighbors need no scan for the numbers, a fifth of the time of one row.
        first, last = int(rows[0]), int(rows[-1])
        if last - first == len(rows) - 1:
            condition = "rowid BETWEEN ? AND ?"
            values: list[Any] = [first, last]
        else:
            condition, values = "rowid IN (SELECT unnest(?::BIGINT[]))", [list(map(int, rows))]
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
