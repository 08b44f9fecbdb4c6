"""Checks that all parts of a release contain the same number of places, by each part's own
count."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import pyarrow.parquet as pq

from schemas.bulk import BULK_FOLDER, INDEX_NAME
from schemas.hsds.collections import BY_NAME
from schemas.tables.core import RESOURCES, STATE_TOTALS, TYPE_COUNTS
from schemas.tables.serving import PLACES
from schemas.tables.veterans import VETERAN_RESOURCES
from warehouse.duckdb import quote_name
from warehouse.exports.bulk import read_index
from warehouse.index.records import RECORDS_NAME, RecordFile
from warehouse.parquet import row_count
from warehouse.release.log import CHANGES_FOLDER, SUMMARY_NAME, read_report
from warehouse.release.manifest import TableEntry
from warehouse.release.tables import SERVING_FOLDER, open_tables


def total_faults(folder: Path, tables: Iterable[TableEntry]) -> list[str]:
    """Return parts of a release with differing totals, in words; empty if all agree.

    `tables` are the manifest's. Reads footers, indexes and one column: milliseconds. Skips parts
    that the release lacks. Raises OSError, ValueError and msgspec.DecodeError for unreadable files.
    """
    active_rows = _sum(folder / "exports" / f"{RESOURCES.name}.parquet", "is_active")
    faults = [
        f"{part} has {count:,} listed places, the table of resources {active_rows:,}"
        for part, count in _places(folder)
        if count != active_rows
    ]
    with open_tables(folder) as db:
        for entry in tables:
            query = f"SELECT count(*) FROM {quote_name(entry.name)}"
            in_database = db.execute(query).fetchall()[0][0]
            in_file = row_count(folder / "exports" / f"{entry.name}.parquet")
            for part, rows in (("the database", in_database), ("its file", in_file)):
                if rows != entry.rows:
                    faults.append(
                        f"{entry.name} has {rows:,} rows in {part}, {entry.rows:,} in the manifest"
                    )
    return faults + _veteran_faults(folder)


def _places(folder: Path) -> Iterator[tuple[str, int]]:
    """Yield each part of the release with its number of listed places."""
    exports = folder / "exports"
    for table in (STATE_TOTALS, TYPE_COUNTS):
        if (path := exports / f"{table.name}.parquet").is_file():
            yield table.name, _sum(path, "resource_count")
    services = exports / f"{BY_NAME['services'].table_name}.parquet"
    if services.is_file():
        yield services.stem, row_count(services)
    with open_tables(folder) as db:
        yield PLACES, db.execute(f"SELECT count(*) FROM {PLACES}").fetchall()[0][0]
    yield RECORDS_NAME, len(RecordFile(folder / SERVING_FOLDER / RECORDS_NAME))
    bulk = folder / BULK_FOLDER
    if (bulk / INDEX_NAME).is_file():
        for file in read_index(bulk).files:
            if file.name.startswith("resources."):
                yield f"{BULK_FOLDER}/{file.name}", file.rows
        yield f"{BULK_FOLDER}/resources.parquet itself", row_count(bulk / "resources.parquet")
    if (path := folder / CHANGES_FOLDER / SUMMARY_NAME).is_file():
        yield f"{CHANGES_FOLDER}/{path.name}", read_report(path).after


def _veteran_faults(folder: Path) -> list[str]:
    table = folder / "exports" / f"{VETERAN_RESOURCES.name}.parquet"
    file = folder / "veterans" / "veteran-resources.parquet"
    if not (table.is_file() and file.is_file()) or row_count(table) == row_count(file):
        return []
    return [f"veterans/{file.name} has {row_count(file):,} rows, {table.stem} {row_count(table):,}"]


def _sum(path: Path, column: str) -> int:
    return sum(filter(None, pq.read_table(path, columns=[column])[column].to_pylist()))
