"""Write a DuckLake catalogue over the Parquet files of several releases: each is a snapshot."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

_NAMESPACE = uuid.uuid5(uuid.NAMESPACE_URL, "https://ducklake.select/open-larder")
_SCHEMA = 0
# DuckDB 1.2.0 and later open the file; its smallest blocks, since most tables are empty.
_FORM = "STORAGE_VERSION 'v1.2.0', BLOCK_SIZE 16384"
_TYPES = {
    pa.string(): "varchar",
    pa.large_string(): "varchar",
    pa.int64(): "int64",
    pa.int32(): "int32",
    pa.float64(): "float64",
    pa.bool_(): "boolean",
    pa.date32(): "date",
}


@dataclass(frozen=True)
class LakeFile:
    """One table of a release: its Parquet file here, and the address at which others read it."""

    table: str
    path: Path
    url: str


@dataclass(frozen=True)
class LakeRelease:
    """A release with its files; `created_at` is RFC 3339."""

    release_id: str
    created_at: str
    files: tuple[LakeFile, ...]


def write_lake(path: Path, releases: Sequence[LakeRelease]) -> None:
    """Write the catalogue of releases (oldest first) to a new DuckDB file.

    Snapshot n is the nth release, with its id as the commit message. Equal input gives equal bytes.
    Raises ValueError for a column of a type that DuckLake lacks, FileNotFoundError for a file that
    is gone.
    """
    catalogue = _Catalogue()
    for snapshot, release in enumerate(releases):
        catalogue.add(snapshot, release)
    with duckdb.connect() as db:
        db.execute("SET TimeZone = 'UTC'")
        db.execute(f"ATTACH '{path}' AS lake ({_FORM})")
        db.execute("USE lake")
        db.execute(resources.files("warehouse.exports").joinpath("ducklake.sql").read_text())
        for name, rows in catalogue.rows().items():
            marks = ", ".join("?" * len(rows[0])) if rows else ""
            if rows:
                db.executemany(f"INSERT INTO ducklake_{name} VALUES ({marks})", rows)
        db.execute("USE memory; DETACH lake")


@dataclass
class _Table:
    id: int
    begin: int
    # Column by name and type: [id, first snapshot, snapshot in which it was gone, order, parent].
    columns: dict[tuple[str, str, int | None], list[Any]] = field(default_factory=dict)
    mappings: dict[tuple[int, ...], int] = field(default_factory=dict)
    # Data files: [id, first snapshot, snapshot in which it was replaced, url, rows, size, footer,
    # first row id, mapping].
    files: list[list[Any]] = field(default_factory=list)


class _Catalogue:
    """The rows of the catalogue's tables, release by release."""

    def __init__(self) -> None:
        self._tables: dict[str, _Table] = {}
        self._snapshots: list[tuple[Any, ...]] = []
        self._changes: list[tuple[Any, ...]] = []
        self._versions: list[tuple[int, int, int]] = []
        self._next_id, self._next_file, self._version = 1, 0, 0

    def add(self, snapshot: int, release: LakeRelease) -> None:
        """Add a release: its files replace those of the one before."""
        changes = [] if snapshot else ['created_schema:"main"']
        for table in self._tables.values():
            if table.files and table.files[-1][2] is None:
                table.files[-1][2] = snapshot
                changes.append(f"deleted_from_table:{table.id}")
        altered = []
        for file in release.files:
            table = self._tables.get(file.table) or self._new_table(file.table, snapshot, changes)
            if self._add_file(table, file, snapshot):
                altered.append(table.id)
            changes.append(f"inserted_into_table:{table.id}")
        if altered:
            self._version += 1
            self._versions += [(snapshot, self._version, table_id) for table_id in altered]
        self._snapshots.append(
            (snapshot, release.created_at, self._version, self._next_id, self._next_file)
        )
        self._changes.append((snapshot, ",".join(changes), None, release.release_id, None))

    def _new_table(self, name: str, snapshot: int, changes: list[str]) -> _Table:
        table = self._tables[name] = _Table(self._next_id, snapshot)
        self._next_id += 1
        changes.append(f'created_table:"main"."{name}"')
        return table

    def _add_file(self, table: _Table, file: LakeFile, snapshot: int) -> bool:
        """Add the file of a table; whether its columns are other than before."""
        parquet = pq.ParquetFile(file.path)
        metadata, known = parquet.metadata, len(table.columns)
        here = [
            column
            for order, one in enumerate(parquet.schema_arrow, 1)
            for column in _columns_of(table, one, order, snapshot)
        ]
        present = {column[0] for column in here}
        is_altered = len(table.columns) > known
        for column in table.columns.values():
            if column[2] is None and column[0] not in present:
                column[2], is_altered = snapshot, True
        mapping = table.mappings.setdefault(tuple(sorted(present)), self._next_file)
        first = sum(rows for *_, rows, _, _, _, _ in table.files)
        size = file.path.stat().st_size
        footer = metadata.serialized_size
        table.files.append(
            [
                self._next_file,
                snapshot,
                None,
                file.url,
                metadata.num_rows,
                size,
                footer,
                first,
                mapping,
            ]
        )
        self._next_file += 1
        return is_altered

    def rows(self) -> dict[str, list[tuple[Any, ...]]]:
        """Return rows by table, without its prefix."""
        found: dict[str, list[tuple[Any, ...]]] = {
            "metadata": [
                ("version", "1.0", None, None),
                ("created_by", "Open Larder", None, None),
                ("data_path", "", None, None),
                ("encrypted", "false", None, None),
            ],
            "schema": [(_SCHEMA, _uuid("main"), 0, None, "main", "main/", True)],
            "snapshot": self._snapshots,
            "snapshot_changes": self._changes,
            "schema_versions": self._versions,
        }
        for name, table in self._tables.items():
            for key, rows in _rows_of(name, table).items():
                found.setdefault(key, []).extend(rows)
        return found


def _columns_of(table: _Table, column: pa.Field, order: int, snapshot: int) -> list[list[Any]]:
    """Return a column, and the element of a list, as they are known or new."""
    if pa.types.is_list(column.type) or pa.types.is_large_list(column.type):
        outer = _column(table, column.name, "list", None, order, snapshot)
        inner = _type(column.type.value_type, column.name)
        return [outer, _column(table, "element", inner, outer[0], order, snapshot)]
    kind = _type(column.type, column.name)
    return [_column(table, column.name, kind, None, order, snapshot)]


def _column(
    table: _Table, name: str, kind: str, parent: int | None, order: int, snapshot: int
) -> list[Any]:
    found = table.columns.get((name, kind, parent))
    # A column that was gone for a while is another one when it returns.
    if found is None or found[2] is not None:
        ended = {column[0] for column in table.columns.values()}
        found = [max(ended, default=0) + 1, snapshot, None, order, parent]
        table.columns[name, kind, parent] = found
    return found


def _type(kind: pa.DataType, name: str) -> str:
    if pa.types.is_timestamp(kind):
        return "timestamptz" if kind.tz else "timestamp"
    if kind not in _TYPES:
        raise ValueError(f"column {name}: DuckLake has no type for {kind}")
    return _TYPES[kind]


def _rows_of(name: str, table: _Table) -> dict[str, list[tuple[Any, ...]]]:
    source = {column[0]: key[0] for key, column in table.columns.items()}
    parents = {column[0]: column[4] for column in table.columns.values()}
    return {
        "table": [(table.id, _uuid(name), table.begin, None, _SCHEMA, name, f"{name}/", True)],
        "table_stats": [
            (
                table.id,
                sum(file[4] for file in table.files),
                sum(file[4] for file in table.files),
                sum(file[5] for file in table.files),
            )
        ],
        "column": [
            (
                i,
                begin,
                end,
                table.id,
                order,
                *key[:2],
                None,
                "NULL",
                True,
                parent,
                "literal",
                "duckdb",
            )
            for key, (i, begin, end, order, parent) in table.columns.items()
        ],
        "column_mapping": [(m, table.id, "map_by_name") for m in table.mappings.values()],
        "name_mapping": [
            # The element of a list is named so in Parquet's own form of a list.
            (m, i, "list" if parents[i] else source[i], i, parents[i], False)
            for columns, m in table.mappings.items()
            for i in columns
        ],
        "data_file": [
            (
                i,
                table.id,
                begin,
                end,
                None,
                url,
                False,
                "parquet",
                rows,
                size,
                footer,
                first,
                None,
                None,
                m,
                None,
            )
            for i, begin, end, url, rows, size, footer, first, m in table.files
        ],
    }


def _uuid(name: str) -> uuid.UUID:
    return uuid.uuid5(_NAMESPACE, name)
