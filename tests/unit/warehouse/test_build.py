"""The database of a release that begins with that of an earlier one holds what one that is written from nothing holds."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from schemas.table import Table
from schemas.tables.core import RECORD_SOURCES, RESOURCES
from schemas.tables.out import TYPE_COUNTS
from tests.support.releases import as_table, list_anew, resource, write_release
from warehouse import build
from warehouse.build import DATABASE_NAME, write_release_files
from warehouse.duck import connect, connection
from warehouse.manifest import read_manifest, write_manifest
from warehouse.parquet import write_table
from warehouse.reuse import EarlierRelease

ROWS = [resource(n, name=f"Pantry {n}") for n in range(1, 40)]


@pytest.fixture
def earlier(tmp_path: Path) -> EarlierRelease:
    """A release; its tables stand in `tables` beside it, and are its own files."""
    return EarlierRelease(tmp_path / "releases" / write_release(tmp_path, ROWS))


def _tables(earlier: EarlierRelease) -> dict[str, Path]:
    folder = earlier.folder.parent.parent / "tables"
    return {entry.name: folder / f"{entry.name}.parquet" for entry in read_manifest(earlier.folder).tables}  # fmt: skip


def _write(table: Table, rows: list[dict[str, Any]], path: Path) -> None:
    write_table(as_table(rows, table), table, path)


def _rename_one(tables: dict[str, Path]) -> None:
    _write(RESOURCES, [ROWS[0] | {"name": "Renamed"}, *ROWS[1:]], tables[RESOURCES.name])


def _lose_one(tables: dict[str, Path]) -> None:
    _rename_one(tables)
    del tables[TYPE_COUNTS.name]


def _nothing(tables: dict[str, Path]) -> None:
    """As they were."""


def _made(tables: dict[str, Path], folder: Path, earlier: EarlierRelease | None) -> Path:
    folder.mkdir()
    write_release_files(tables, folder, earlier)
    return folder / DATABASE_NAME


def _content(path: Path) -> dict[str, Any]:
    """All that a reader can see of a database: tables, columns with their comments, rows in order."""
    with connection(path, read_only=True) as db:
        columns = db.execute(
            "SELECT table_name, column_index, column_name, data_type, is_nullable, comment FROM duckdb_columns() WHERE NOT internal ORDER BY ALL"
        ).fetchall()
        names = sorted({row[0] for row in columns})
        return {"": columns} | {n: db.execute(f'FROM "{n}"').fetchall() for n in names}


def _loaded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the tables that are loaded from now on."""
    names: list[str] = []
    load = build._load

    def noting(db: Any, table: Table, source: Path) -> None:
        names.append(table.name)
        load(db, table, source)

    monkeypatch.setattr(build, "_load", noting)
    return names


@pytest.mark.parametrize(
    ("change", "loads"),
    [(_nothing, []), (_rename_one, [RESOURCES.name]), (_lose_one, [RESOURCES.name])],
)
def test_only_what_differs_is_loaded(
    earlier: EarlierRelease,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    change: Callable[[dict[str, Path]], None],
    loads: list[str],
) -> None:
    tables = _tables(earlier)
    change(tables)
    whole = _content(_made(tables, tmp_path / "whole", None))
    before = (earlier.folder / DATABASE_NAME).read_bytes()
    loaded = _loaded(monkeypatch)
    path = _made(tables, tmp_path / "begun", earlier)
    assert loaded == loads
    assert _content(path) == whole
    assert not path.samefile(earlier.folder / DATABASE_NAME)
    assert (earlier.folder / DATABASE_NAME).read_bytes() == before
    assert [p.name for p in path.parent.iterdir() if p.is_file()] == [DATABASE_NAME]


def test_a_table_that_is_new_is_loaded(
    earlier: EarlierRelease, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = _tables(earlier)
    few = {name: path for name, path in tables.items() if name != TYPE_COUNTS.name}
    folder = _made(few, tmp_path / "few", None).parent
    shutil.copy(earlier.folder / "manifest.json", folder)
    list_anew(folder)
    loaded = _loaded(monkeypatch)
    path = _made(tables, tmp_path / "begun", EarlierRelease(folder))
    assert loaded == [TYPE_COUNTS.name]
    assert _content(path) == _content(_made(tables, tmp_path / "whole", None))


def _flip_a_byte(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def _cut_short(path: Path) -> None:
    """Sealed like that: nobody but the database can tell."""
    path.write_bytes(path.read_bytes()[: 4096 * 2])
    list_anew(path.parent)


def _write_by_another_duckdb(path: Path) -> None:
    with connect() as db:
        ((version,),) = db.execute("SELECT library_version FROM pragma_version()").fetchall()
    path.write_bytes(path.read_bytes().replace(version.encode(), b"v0.1.2", 1))
    list_anew(path.parent)


def _take_from_the_manifest(path: Path) -> None:
    manifest = read_manifest(path.parent)
    files = [entry for entry in manifest.files if entry.path != path.name]
    write_manifest(path.parent, structs.replace(manifest, files=files))


@pytest.mark.parametrize(
    "spoil",
    [
        Path.unlink,
        _flip_a_byte,
        _cut_short,
        _write_by_another_duckdb,
        _take_from_the_manifest,
        lambda path: path.write_bytes(b""),
    ],
)
def test_a_database_that_cannot_be_relied_on_is_not_taken_over(
    earlier: EarlierRelease,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    spoil: Callable[[Path], None],
) -> None:
    spoil(earlier.folder / DATABASE_NAME)
    tables = _tables(earlier)
    loaded = _loaded(monkeypatch)
    path = _made(tables, tmp_path / "anew", earlier)
    assert {RESOURCES.name, RECORD_SOURCES.name} < set(loaded) == set(tables)
    assert _content(path) == _content(_made(tables, tmp_path / "whole", None))
