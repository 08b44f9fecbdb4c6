"""Checks the bulk files with independent readers: counts, digests, twins, confidential places.

Parquet by Arrow, CSV by Python's own reader, JSON by msgspec, FlatGeobuf and map tiles by GDAL, the
database by DuckDB.
"""

import csv
import io
import json
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import msgspec
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from schemas.api.exports import BulkFile
from schemas.bulk import (
    BULK_FIELDS,
    BULK_FORMATS,
    BULK_RESOURCES,
    DATABASE_NAME,
    INDEX_NAME,
)
from schemas.vocab.statuses import EXACT_PRECISIONS
from warehouse.duckdb import connection
from warehouse.exports.bulk import read_index
from warehouse.exports.gzip_files import measure_gzip, open_gzip
from warehouse.files import sha256_of

_COLUMNS = [f.name for f in BULK_FIELDS]
_PLACES = [_COLUMNS.index(n) for n in ("is_confidential", "address", "location_precision")]


class FileContent(NamedTuple):
    """A file as read back: rows, and confidential places that reveal their location."""

    rows: int
    exposed: int = 0


def _is_exposed(is_confidential: object, address: object, precision: object) -> bool:
    """Return True for a confidential place with a street or an exact point."""
    hidden = is_confidential in {True, "true"}
    return hidden and (bool(address) or precision in EXACT_PRECISIONS)


class _Line(msgspec.Struct):
    id: int
    is_confidential: bool
    location_precision: str
    lat: float
    lng: float
    address: str | None = None


class _Point(msgspec.Struct):
    type: str
    coordinates: tuple[float, float]


class _Feature(msgspec.Struct):
    type: str
    geometry: _Point
    properties: _Line


# Created before threads start: msgspec prepares a class in one thread only.
_read_line = msgspec.json.Decoder(_Line).decode
_read_feature = msgspec.json.Decoder(_Feature).decode


def _csv_lines(lines: Iterable[str]) -> FileContent:
    """Count the rows. Raises ValueError for a wrong width, csv.Error for a broken row."""
    reader = csv.reader(lines, strict=True)
    rows = exposed = 0
    for line in reader:
        if len(line) != len(_COLUMNS):
            raise ValueError(f"line {reader.line_num} has {len(line)} cells")
        rows += 1
        exposed += _is_exposed(*(line[place] for place in _PLACES))
    return FileContent(rows, exposed)


def _ndjson_lines(lines: Iterable[bytes]) -> FileContent:
    """Read lines; raise msgspec.DecodeError, a ValueError, for a line that is no record."""
    rows = exposed = 0
    for text in lines:
        line = _read_line(text)
        rows += 1
        exposed += _is_exposed(line.is_confidential, line.address, line.location_precision)
    return FileContent(rows, exposed)


def _features(lines: Iterable[bytes]) -> FileContent:
    """Count features, one per line with commas. Raises ValueError for a wrong point."""
    rows = exposed = 0
    is_next = True
    for text in lines:
        if not is_next:
            raise ValueError("there is no comma between two features")
        is_next = text.rstrip(b"\n").endswith(b",")
        place = (feature := _read_feature(text.rstrip(b",\n"))).properties
        if feature.geometry.coordinates != (place.lng, place.lat):
            raise ValueError(f"resource {place.id} has another point")
        rows += 1
        exposed += _is_exposed(place.is_confidential, place.address, place.location_precision)
    if rows and is_next:
        raise ValueError("a comma follows the last feature")
    return FileContent(rows, exposed)


def check_bulk(folder: Path, active: int) -> list[str]:
    """Find faults in a bulk folder, in words; empty without faults.

    `active` is the number of active resources that every format must contain.
    """
    index = read_index(folder)
    contents = {file.name: [t.name for t in file.compressed] or [file.name] for file in index.files}
    index_names = {name for names in contents.values() for name in names}
    present = {path.name for path in folder.iterdir()} - {INDEX_NAME}
    faults = [f"{name} is listed and missing" for name in sorted(index_names - present)]
    faults += [f"{name} is not listed" for name in sorted(present - index_names)]
    faults += [f"{name} is not written" for name in sorted(set(BULK_FORMATS) - contents.keys())]
    files = [file for file in index.files if present.issuperset(contents[file.name])]
    # Digests and decompression run alongside the readers: they release the lock.
    with ThreadPoolExecutor(2) as pool:
        faults_by_file = pool.map(lambda file: list(_faults(folder, file, active)), files)
        faults += [
            f"{file.name}: {text}"
            for file, texts in zip(files, faults_by_file, strict=True)
            for text in texts
        ]
    return faults


def _faults(folder: Path, file: BulkFile, active: int) -> Iterator[str]:
    path = folder / file.name
    for packed in file.compressed:
        path = folder / packed.name
        if sha256_of(path) != packed.sha256:
            yield f"{packed.name} is not the file of the index"
            return
    try:
        size_and_digest = (
            measure_gzip(path) if file.compressed else (path.stat().st_size, sha256_of(path))
        )
        if size_and_digest != (file.size_bytes, file.sha256):
            yield "the bytes are not those of the index"
            return
        content = READERS[file.name](path)
    except (ValueError, OSError, EOFError, pa.ArrowException, csv.Error, RuntimeError) as error:
        yield f"cannot be read: {error}"
        return
    expected_rows = active if BULK_FORMATS[file.name].table is BULK_RESOURCES else file.rows
    if not content.rows == file.rows == expected_rows:
        yield f"{content.rows} rows in the file, {file.rows} in the index, {expected_rows} expected"
    if content.exposed:
        yield f"{content.exposed} confidential places with a street or an exact point"


# ---------------------------------------------------------------- readers


def _expose(batches: Iterable[pa.RecordBatch]) -> FileContent:
    rows = exposed = 0
    for batch in batches:
        rows += len(batch)
        hidden = batch.filter(batch.column("is_confidential"))
        columns = [
            hidden.column(n).to_pylist()
            for n in ("is_confidential", "address", "location_precision")
        ]
        exposed += sum(map(_is_exposed, *columns))
    return FileContent(rows, exposed)


def _read_parquet(path: Path) -> FileContent:
    with pq.ParquetFile(path) as file:
        _same_columns([n for n in file.schema_arrow.names if n not in {"geometry", "bbox"}])
        names = ["is_confidential", "address", "location_precision"]
        return _expose(file.iter_batches(columns=names))


def _read_geoparquet(path: Path) -> FileContent:
    """Check every point: it must equal the row's, inside its box and the file's."""
    with pq.ParquetFile(path) as file:
        geo = json.loads(file.schema_arrow.metadata[b"geo"])
        column = geo["columns"][geo["primary_column"]]
        if geo["version"] != "1.1.0" or column["encoding"] != "WKB" or "covering" not in column:
            raise ValueError("the metadata are not those of GeoParquet 1.1")
        for batch in file.iter_batches(columns=["lat", "lng", "geometry", "bbox"]):
            box = batch.column("bbox")
            same = all(
                box.field(side).equals(batch.column(name))
                for name, side in (
                    ("lng", "xmin"),
                    ("lng", "xmax"),
                    ("lat", "ymin"),
                    ("lat", "ymax"),
                )
            )
            if not same or set(pc.binary_length(batch.column("geometry")).to_pylist()) != {21}:
                raise ValueError("a geometry or its box is not the point of the row")
    return _read_parquet(path)


def _read_rows(path: Path) -> FileContent:
    with pq.ParquetFile(path) as file:
        return FileContent(
            sum(len(batch) for batch in file.iter_batches(columns=[file.schema_arrow.names[0]]))
        )


def _read_csv(path: Path) -> FileContent:
    with io.TextIOWrapper(open_gzip(path), encoding="utf-8", newline="") as stream:
        _same_columns(next(csv.reader(stream, strict=True)))
        return _csv_lines(stream)


def _read_ndjson(path: Path) -> FileContent:
    with open_gzip(path) as stream:
        return _ndjson_lines(stream)


def _read_geojson(path: Path) -> FileContent:
    """Read feature by feature: each is on one line, so memory stays flat."""
    with open_gzip(path) as stream:
        head = next(stream)
        if msgspec.json.decode(head + b"]}").get("type") != "FeatureCollection":
            raise ValueError("it does not begin as a FeatureCollection")
        content = _features(iter(stream.readline, b"]}\n"))
        if next(stream, None) is not None:
            raise ValueError("it does not end as a FeatureCollection")
    return content


def _read_flatgeobuf(path: Path) -> FileContent:
    import pyogrio  # noqa: PLC0415 - the service imports this room without GDAL

    names = ["is_confidential", "address", "location_precision"]
    # Unpacked under a unique name: GDAL caches packed files by path, and the next build in this
    # process writes a different file there.
    with open_gzip(path) as packed, tempfile.NamedTemporaryFile(suffix=".fgb") as plain:
        shutil.copyfileobj(packed, plain)
        plain.flush()
        with pyogrio.open_arrow(
            plain.name, columns=names, read_geometry=False, use_pyarrow=True
        ) as source:
            _, reader = source
            return _expose(reader)


def _read_tiles(path: Path) -> FileContent:
    """Read the places of the last zoom, which does not cluster; tiles have no streets."""
    import pyogrio  # noqa: PLC0415 - the service imports this room without GDAL

    names = ["is_confidential", "location_precision"]
    with pyogrio.open_arrow(
        path, layer="places", columns=names, read_geometry=False, use_pyarrow=True
    ) as source:
        _, reader = source
        return _expose(
            batch.append_column("address", pa.nulls(len(batch), pa.string())) for batch in reader
        )


def _read_database(path: Path) -> FileContent:
    with connection(path, read_only=True) as db:
        precisions = ", ".join(f"'{p}'" for p in EXACT_PRECISIONS)
        rows, exposed = db.execute(
            "SELECT count(*), count(*) FILTER (is_confidential AND (address IS NOT NULL OR"
            f" location_precision IN ({precisions}))) FROM resources"
        ).fetchall()[0]
        columns = db.execute("DESCRIBE resources").fetchall()
    _same_columns([row[0] for row in columns])
    return FileContent(rows, exposed)


def _same_columns(names: list[str]) -> None:
    if names != _COLUMNS:
        raise ValueError("its columns are not those declared")


READERS: dict[str, Callable[[Path], FileContent]] = {
    "resources.parquet": _read_parquet,
    "resources.geoparquet": _read_geoparquet,
    "resources.csv": _read_csv,
    "resources.ndjson": _read_ndjson,
    "resources.geojson": _read_geojson,
    "resources.fgb": _read_flatgeobuf,
    "resources.pmtiles": _read_tiles,
    DATABASE_NAME: _read_database,
    "record_sources.parquet": _read_rows,
    "statements.parquet": _read_rows,
    "crosswalk.parquet": _read_rows,
    "zips.parquet": _read_rows,
    "cities.parquet": _read_rows,
}
