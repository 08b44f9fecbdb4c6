"""The database of a release that begins with that of an earlier one holds what one that is written
from nothing holds.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from msgspec import structs

from schemas.table import Table
from schemas.tables.core import RECORD_SOURCES, RESOURCES
from schemas.tables.out import TYPE_COUNTS
from tests.support.releases import as_table, list_anew, resource, write_release
from warehouse import build, database
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
    return {
        entry.name: folder / f"{entry.name}.parquet"
        for entry in read_manifest(earlier.folder).tables
    }


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


def _add_one(tables: dict[str, Path]) -> None:
    _write(RESOURCES, [*ROWS, resource(900, name="New")], tables[RESOURCES.name])


def _empty_a_list(tables: dict[str, Path]) -> None:
    """To a hash of rows alone, no list and an empty one are the same."""
    _write(RESOURCES, [ROWS[0] | {"food_types": []}, *ROWS[1:]], tables[RESOURCES.name])


@pytest.fixture
def with_small_updates(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables of 39 rows are brought up to date too."""
    monkeypatch.setattr(database, "_LEAST_ROWS", 10)


@pytest.mark.parametrize("change", [_rename_one, _add_one, _empty_a_list])
@pytest.mark.usefixtures("with_small_updates")
def test_a_table_in_which_little_differs_is_brought_up_to_date(
    earlier: EarlierRelease,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    change: Callable[[dict[str, Path]], None],
) -> None:
    tables = _tables(earlier)
    change(tables)
    whole = tmp_path / "whole"
    whole.mkdir()
    expected = write_release_files(tables, whole)
    loaded = _loaded(monkeypatch)
    folder = tmp_path / "updated"
    folder.mkdir()
    assert write_release_files(tables, folder, earlier) == expected
    assert loaded == []
    updated, fresh = _content(folder / DATABASE_NAME), _content(whole / DATABASE_NAME)
    assert updated.keys() == fresh.keys()
    for name, rows in fresh.items():
        assert sorted(updated[name], key=repr) == sorted(rows, key=repr), name


@pytest.mark.parametrize("name", ["records.arrow", "details.arrow", "lines.arrow", "points.arrow"])
def test_an_arena_that_is_not_what_was_sealed_is_not_taken_over(
    earlier: EarlierRelease, tmp_path: Path, name: str
) -> None:
    tables = _tables(earlier)
    _rename_one(tables)
    path = earlier.folder / "serving" / name
    sound = path.read_bytes()
    # A letter of a name, or half of an id: a file that can be read, and tells something else.
    spot = sound.index(b"Pantry 7") if b"Pantry 7" in sound else len(sound) // 2
    path.write_bytes(sound[:spot] + bytes([sound[spot] ^ 1]) + sound[spot + 1 :])
    made, whole = (
        _made(tables, tmp_path / name, of).parent
        for name, of in (("made", earlier), ("whole", None))
    )
    for file in (whole / "serving").iterdir():
        assert (made / "serving" / file.name).read_bytes() == file.read_bytes(), file.name


@pytest.mark.parametrize(
    "withdrawn", [[], [{"is_active": False}], [{"is_confidential": True, "name": "Shelter"}]]
)
@pytest.mark.usefixtures("with_small_updates")
def test_nothing_is_left_in_the_file_of_a_place_that_is_withdrawn(
    earlier: EarlierRelease, tmp_path: Path, withdrawn: list[dict[str, Any]]
) -> None:
    """DuckDB leaves the bytes of what is deleted where they are."""
    tables = _tables(earlier)
    name = "Refuge of the Unmistakable Name"
    _write(RESOURCES, [ROWS[0] | {"name": name}, *ROWS[1:]], tables[RESOURCES.name])
    shown = _made(tables, tmp_path / "shown", None).parent
    assert name.encode() in (shown / DATABASE_NAME).read_bytes()
    shutil.copy(earlier.folder / "manifest.json", shown)
    list_anew(shown)
    rows = [ROWS[0] | values for values in withdrawn]
    _write(RESOURCES, [*rows, *ROWS[1:]], tables[RESOURCES.name])
    path = _made(tables, tmp_path / "withdrawn", EarlierRelease(shown))
    assert name.encode() not in path.read_bytes()


@pytest.mark.usefixtures("with_small_updates")
def test_a_table_that_did_not_come_out_right_is_loaded(
    earlier: EarlierRelease, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = _tables(earlier)
    _rename_one(tables)
    # As if two rows had the same hash.
    monkeypatch.setattr(build, "differing", lambda *_: pa.array([2], pa.int64()))
    loaded = _loaded(monkeypatch)
    path = _made(tables, tmp_path / "begun", earlier)
    assert loaded == [RESOURCES.name]
    assert _content(path) == _content(_made(tables, tmp_path / "whole", None))


@pytest.mark.usefixtures("with_small_updates")
def test_a_table_in_which_much_differs_is_loaded(
    earlier: EarlierRelease, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = _tables(earlier)
    _write(
        RESOURCES, [row | {"notes": "new"} for row in ROWS[:20]] + ROWS[20:], tables[RESOURCES.name]
    )
    loaded = _loaded(monkeypatch)
    path = _made(tables, tmp_path / "begun", earlier)
    assert loaded == [RESOURCES.name]
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
