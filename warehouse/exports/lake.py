"""Writes a DuckLake catalogue over the Parquet files of several releases, one snapshot each."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any

import pyarrow as pa

from warehouse.duckdb import connection

_NAMESPACE = uuid.uuid5(uuid.NAMESPACE_URL, "https://ducklake.select/open-larder")
_SCHEMA = 0
# DuckDB 1.2.0 and later open the file; smallest blocks, since most tables are empty.
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
    """One table of a release: its local Parquet file and its public address."""

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
    Raises ValueError for a column type that DuckLake lacks, FileNotFoundError for a missing file.
    """
    catalogue = _Catalogue()
    for snapshot, release in enumerate(releases):
        catalogue.add(snapshot, release)
    with connection() as db:
        db.execute(f"ATTACH '{path}' AS lake ({_FORM})")
        db.execute("USE lake")
        db.execute(resources.files("warehouse.exports").joinpath("ducklake.sql").read_text())
        for name, rows in catalogue.rows().items():
            if rows:
                marks = ", ".join("?" * len(rows[0]))
                db.executemany(f"INSERT INTO ducklake_{name} VALUES ({marks})", rows)
        db.execute("USE memory; DETACH lake")


@dataclass
class _Column:
    """A column, or the element of a list, whose `parent` is the list."""

    id: int
    name: str
    type: str
    parent: int | None
    order: int
    begin: int
    end: int | None = None


@dataclass
class _DataFile:
    id: int
    url: str
    rows: int
    size: int
    footer: int
    first_row: int
    mapping: int
    begin: int
    end: int | None = None


@dataclass
class _Table:
    id: int
    name: str
    begin: int
    columns: list[_Column] = field(default_factory=list)
    # Keyed by the column ids of a file.
    mappings: dict[tuple[int, ...], int] = field(default_factory=dict)
    files: list[_DataFile] = field(default_factory=list)

    def list_present(self) -> list[_Column]:
        return [column for column in self.columns if column.end is None]


class _Catalogue:
    """The rows of the catalogue's tables, release by release."""

    def __init__(self) -> None:
        self._tables: dict[str, _Table] = {}
        self._snapshots: list[tuple[Any, ...]] = []
        self._changes: list[tuple[Any, ...]] = []
        self._versions: list[tuple[int, int, int]] = []
        self._next_file, self._version = 0, 0

    def add(self, snapshot: int, release: LakeRelease) -> None:
        """Add a release: its files replace those of the previous one."""
        changes = [] if snapshot else ['created_schema:"main"']
        for table in self._tables.values():
            if table.files[-1].end is None:
                table.files[-1].end = snapshot
                changes.append(f"deleted_from_table:{table.id}")
        altered = []
        for file in release.files:
            if file.table not in self._tables:
                self._tables[file.table] = _Table(len(self._tables) + 1, file.table, snapshot)
                changes.append(f'created_table:"main"."{file.table}"')
            table = self._tables[file.table]
            if self._add_file(table, file, snapshot):
                altered.append(table.id)
            changes.append(f"inserted_into_table:{table.id}")
        if altered:
            self._version += 1
            self._versions += [(snapshot, self._version, table_id) for table_id in altered]
        next_id = len(self._tables) + 1
        self._snapshots.append(
            (snapshot, release.created_at, self._version, next_id, self._next_file)
        )
        self._changes.append((snapshot, ",".join(changes), None, release.release_id, None))

    def _add_file(self, table: _Table, file: LakeFile, snapshot: int) -> bool:
        """Add the file of a table; return whether its columns changed."""
        import pyarrow.parquet as pq  # noqa: PLC0415 - see `warehouse.release.store.check_faults`

        parquet = pq.ParquetFile(file.path)
        before = [column.id for column in table.list_present()]
        own = _columns_of(table, parquet.schema_arrow, snapshot)
        for column in table.list_present():
            if column not in own:
                column.end = snapshot
        last = table.files[-1] if table.files else None
        table.files.append(
            _DataFile(
                id=self._next_file,
                url=file.url,
                rows=parquet.metadata.num_rows,
                size=file.path.stat().st_size,
                footer=parquet.metadata.serialized_size,
                first_row=last.first_row + last.rows if last else 0,
                mapping=table.mappings.setdefault(tuple(c.id for c in own), self._next_file),
                begin=snapshot,
            )
        )
        self._next_file += 1
        return [column.id for column in table.list_present()] != before

    def rows(self) -> dict[str, list[tuple[Any, ...]]]:
        """Return rows by table, without its prefix."""
        rows_by_table: dict[str, list[tuple[Any, ...]]] = {
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
        for table in self._tables.values():
            for key, rows in _rows_of(table).items():
                rows_by_table.setdefault(key, []).extend(rows)
        return rows_by_table


def _columns_of(table: _Table, schema: pa.Schema, snapshot: int) -> list[_Column]:
    """Return the known or new columns of a file, including list elements."""
    columns = []
    for order, column in enumerate(schema, 1):
        if not pa.types.is_list(column.type) and not pa.types.is_large_list(column.type):
            kind = _type(column.type, column.name)
            columns.append(_column(table, column.name, kind, None, order, snapshot))
            continue
        outer = _column(table, column.name, "list", None, order, snapshot)
        kind = _type(column.type.value_type, column.name)
        columns += [outer, _column(table, "element", kind, outer.id, order, snapshot)]
    return columns


def _column(
    table: _Table, name: str, kind: str, parent: int | None, order: int, snapshot: int
) -> _Column:
    """Return the column of a table; one that disappeared and returns is a new column."""
    for column in table.list_present():
        if (column.name, column.type, column.parent) == (name, kind, parent):
            return column
    new = _Column(len(table.columns) + 1, name, kind, parent, order, snapshot)
    table.columns.append(new)
    return new


def _type(kind: pa.DataType, name: str) -> str:
    if pa.types.is_timestamp(kind):
        return "timestamptz" if kind.tz else "timestamp"
    if kind not in _TYPES:
        raise ValueError(f"column {name}: DuckLake has no type for {kind}")
    return _TYPES[kind]


def _rows_of(table: _Table) -> dict[str, list[tuple[Any, ...]]]:
    # No statistics: DuckDB 1.5.2 to 1.5.4 accepts table statistics only with column statistics.
    return {
        "table": [
            (
                table.id,
                _uuid(table.name),
                table.begin,
                None,
                _SCHEMA,
                table.name,
                f"{table.name}/",
                True,
            )
        ],
        "column": [
            (
                c.id,
                c.begin,
                c.end,
                table.id,
                c.order,
                c.name,
                c.type,
                None,
                "NULL",
                True,
                c.parent,
                "literal",
                "duckdb",
            )
            for c in table.columns
        ],
        "column_mapping": [(m, table.id, "map_by_name") for m in table.mappings.values()],
        "name_mapping": [
            # The element of a list is named `list` in Parquet's own form.
            (m, c.id, "list" if c.parent else c.name, c.id, c.parent, False)
            for ids, m in table.mappings.items()
            for c in table.columns
            if c.id in ids
        ],
        "data_file": _list_files(table),
    }


def _list_files(table: _Table) -> list[tuple[Any, ...]]:
    return [
        (
            f.id,
            table.id,
            f.begin,
            f.end,
            None,
            f.url,
            False,
            "parquet",
            f.rows,
            f.size,
            f.footer,
            f.first_row,
            None,
            None,
            f.mapping,
            None,
        )
        for f in table.files
    ]


def _uuid(name: str) -> uuid.UUID:
    return uuid.uuid5(_NAMESPACE, name)
