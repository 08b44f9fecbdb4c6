"""Bulk texts of which pieces are taken from an earlier release: the bytes of a build from nothing,
whatever became of that release.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import shutil
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pytest

from schemas.bulk import BULK_FOLDER, DATABASE_NAME, INDEX_NAME
from schemas.tables.core import CITIES, RECORD_SOURCES, RESOURCES, ZIPS
from tests.support.releases import as_table, resource
from tests.support.town import cities, zips
from warehouse import pieces
from warehouse.bulk import BulkFacts, read_index, write_bulk
from warehouse.bulk_check import check_bulk
from warehouse.parquet import write_table
from warehouse.pieces import HEAD, Earlier, Piece
from warehouse.reuse import EarlierRelease

TEXTS = ("resources.csv", "resources.ndjson", "resources.geojson")
FACTS = BulkFacts("CC-BY-4.0", is_synthetic=True, as_of=date(2026, 11, 1))
# Every place in a piece of its own.
PLACES = [resource(n << 45, name=f"Pantry {n} " * 30) for n in range(2, 60)]
FIRST, AMONG = (
    resource(1 << 45, name="Before all others"),
    resource((9 << 45) + 1, name="Beside the ninth"),
)


def written(folder: Path, rows: Sequence[dict[str, Any]], earlier: Path | None = None) -> Path:
    """A release folder with the tables, and the bulk files made from them."""
    paths = {
        t.name: folder / "exports" / f"{t.name}.parquet"
        for t in (RESOURCES, RECORD_SOURCES, ZIPS, CITIES)
    }
    values: dict[Any, Any] = {RESOURCES: rows, RECORD_SOURCES: [], ZIPS: zips(), CITIES: cities()}
    for table, content in values.items():
        write_table(as_table(content, table), table, paths[table.name])
    (folder / BULK_FOLDER).mkdir()
    write_bulk(paths, folder / BULK_FOLDER, FACTS, EarlierRelease(earlier) if earlier else None)
    return folder


def digests(release: Path) -> dict[str, str]:
    paths = [
        p for p in (release / BULK_FOLDER).iterdir() if p.name not in {DATABASE_NAME, INDEX_NAME}
    ]
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in paths}


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("before") / "release", PLACES)


@pytest.fixture
def copied(before: Path, tmp_path: Path) -> Path:
    """A copy of the earlier release, to be damaged."""
    return shutil.copytree(before, tmp_path / "copied")


CHANGES: dict[str, list[dict[str, Any]]] = {
    "nothing": PLACES,
    "a place before all others": [FIRST, *PLACES],
    "the first place gone": PLACES[1:],
    "the first place renamed": [PLACES[0] | {"name": "Renamed"}, *PLACES[1:]],
    "a place among them": [*PLACES, AMONG],
    "the last place gone": PLACES[:-1],
    "a place between that is gone": [*PLACES[:20], *PLACES[21:]],
    "all gone": [],
}


@pytest.mark.parametrize("rows", CHANGES.values(), ids=CHANGES)
def test_what_is_taken_over_is_what_would_be_made(
    before: Path, tmp_path: Path, rows: list[dict[str, Any]]
) -> None:
    anew, taken = written(tmp_path / "anew", rows), written(tmp_path / "taken", rows, before)
    assert digests(taken) == digests(anew)
    features = json.loads((taken / BULK_FOLDER / "resources.geojson").read_bytes())["features"]
    assert len(features) == len(rows)
    assert check_bulk(taken / BULK_FOLDER, len(rows), before / BULK_FOLDER) == []


def test_few_pieces_are_looked_at_when_one_changes(
    before: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packed: list[int] = []
    deflated = pieces._deflated
    monkeypatch.setattr(
        pieces, "_deflated", lambda data, level: packed.append(len(data)) or deflated(data, level)
    )
    written(tmp_path / "taken", [*PLACES, AMONG], before)
    # The empty ones before and after the rows are packed always: nothing is what they pack to.
    assert len([size for size in packed if size]) == len(TEXTS)


# ---------------------------------------------------------------- a damaged release


def _piece(release: Path, name: str) -> Piece:
    """A piece in which nothing changes."""
    path = release / BULK_FOLDER / name
    return Earlier(path, path.with_name(f"{name}.gz")).pieces[30]


def _flip(path: Path, place: int) -> None:
    data = bytearray(path.read_bytes())
    data[place] ^= 1
    path.write_bytes(data)


def _flip_plain(release: Path, name: str) -> None:
    piece = _piece(release, name)
    _flip(release / BULK_FOLDER / name, piece.start + piece.size // 2)


def _flip_packed(release: Path, name: str) -> None:
    piece = _piece(release, name)
    _flip(release / BULK_FOLDER / f"{name}.gz", piece.packed_start + piece.packed // 2)


def _flip_header(release: Path, name: str) -> None:
    _flip(release / BULK_FOLDER / f"{name}.gz", 500)


def _cut(release: Path, name: str) -> None:
    path = release / BULK_FOLDER / name
    path.write_bytes(path.read_bytes()[:-2000])


DAMAGES = {f.__name__: f for f in (_flip_plain, _flip_packed, _flip_header, _cut)}


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_damage_is_not_taken_over(
    before: Path, copied: Path, tmp_path: Path, damage: Callable[[Path, str], None], name: str
) -> None:
    damage(copied, name)
    assert digests(copied) != digests(before)
    rows = [*PLACES, AMONG]
    taken, anew = written(tmp_path / "taken", rows, copied), written(tmp_path / "anew", rows)
    assert digests(taken) == digests(anew)
    assert check_bulk(taken / BULK_FOLDER, len(rows), copied / BULK_FOLDER) == []


def test_a_damaged_first_row_is_not_given_another_opening(copied: Path, tmp_path: Path) -> None:
    path = copied / BULK_FOLDER / "resources.geojson"
    first = next(
        p for p in Earlier(path, path.with_name(f"{path.name}.gz")).pieces if p.key != HEAD
    )
    _flip(path, first.start + 50)
    rows = [FIRST, *PLACES]
    assert digests(written(tmp_path / "taken", rows, copied)) == digests(
        written(tmp_path / "anew", rows)
    )


# ---------------------------------------------------------------- the check


def _relist(release: Path, name: str) -> None:
    """Make the index agree with the bytes, so that only who looks at the pieces can notice."""
    folder = release / BULK_FOLDER
    index = read_index(folder)
    for file in (f for entry in index.files for f in (entry, *entry.compressed)):
        content = (folder / file.name).read_bytes()
        file.size_bytes, file.sha256 = len(content), hashlib.sha256(content).hexdigest()
    (folder / INDEX_NAME).write_bytes(msgspec.json.encode(index))


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("damage", [_flip_plain, _flip_packed])
def test_the_check_notices_damage_in_a_known_piece(
    before: Path, tmp_path: Path, damage: Callable[[Path, str], None], name: str
) -> None:
    taken = written(tmp_path / "taken", [*PLACES, AMONG], before)
    damage(taken, name)
    _relist(taken, name)
    found = check_bulk(taken / BULK_FOLDER, len(PLACES) + 1, before / BULK_FOLDER)
    assert [text for text in found if f"{name}: cannot be read: a p" in text], found


def _write_again(release: Path, swap: Callable[[Piece, bytes], bytes]) -> None:
    """Write the GeoJSON and its twin anew with other pieces, all digests right."""
    path = release / BULK_FOLDER / "resources.geojson"
    twin = path.with_name(f"{path.name}.gz")
    content = path.read_bytes()
    parts = [(p, content[p.start : p.start + p.size]) for p in pieces.pieces_of(twin)]
    with pieces.PlainWriter(path) as writer:
        for piece, data in parts:
            writer.append(piece.key, swap(piece, data))
    pieces.write_gzip(path, twin, writer.written, 4)
    _relist(release, path.name)


def test_the_check_notices_a_known_piece_in_a_wrong_place(before: Path, tmp_path: Path) -> None:
    """A first row that is not the first any more, as it was: a list with a comma too few."""
    release = written(tmp_path / "taken", [FIRST, *PLACES], before)
    assert check_bulk(release / BULK_FOLDER, len(PLACES) + 1, before / BULK_FOLDER) == []
    second = pieces.pieces_of(release / BULK_FOLDER / "resources.geojson.gz")[2].key
    _write_again(release, lambda p, data: b" " + data[1:] if p.key == second else data)
    with pytest.raises(json.JSONDecodeError):
        json.loads((release / BULK_FOLDER / "resources.geojson").read_bytes())
    found = check_bulk(release / BULK_FOLDER, len(PLACES) + 1, before / BULK_FOLDER)
    assert [t for t in found if "resources.geojson: cannot be read: a piece does not begin" in t]
    found = check_bulk(release / BULK_FOLDER, len(PLACES) + 1)
    assert [t for t in found if "resources.geojson: cannot be read: there is no comma" in t]


@pytest.mark.parametrize("ending", ["gz", "zst"])
@pytest.mark.parametrize(
    "content",
    [lambda b: b[:-1], lambda b: b + b"x", lambda b: b[:-1] + b"x", lambda b: b""],
    ids=["short", "long", "other", "empty"],
)
def test_the_check_notices_a_twin_of_something_else(
    copied: Path, ending: str, content: Callable[[bytes], bytes]
) -> None:
    for name in TEXTS:
        path = copied / BULK_FOLDER / name
        other = content(path.read_bytes())
        with pa.CompressedOutputStream(
            str(path.with_name(f"{name}.{ending}")), {"gz": "gzip", "zst": "zstd"}[ending]
        ) as sink:
            sink.write(other)
        _relist(copied, name)
    found = check_bulk(copied / BULK_FOLDER, len(PLACES))
    assert found == [
        f"{name}: {name}.{ending} unpacks to something else" for name in _in_order(copied)
    ]


def _in_order(release: Path) -> list[str]:
    """The texts in the order of the index."""
    return [f.name for f in read_index(release / BULK_FOLDER).files if f.name in TEXTS]


def test_the_twin_is_read_by_others(before: Path) -> None:
    for name in TEXTS:
        path = before / BULK_FOLDER / name
        assert gzip.decompress(path.with_name(f"{name}.gz").read_bytes()) == path.read_bytes()
