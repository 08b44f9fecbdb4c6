"""Builds small releases from rows of tests with the code of builds."""

import hashlib
import os
import shutil
from collections import Counter
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
from msgspec import structs

from assets.statistics.atlas import city_totals, state_totals
from assets.statistics.totals_assets import figures
from schemas.bulk import BULK_FOLDER
from schemas.table import Table
from schemas.tables.core import (
    AUTOMATIC_CHANGES,
    CITIES,
    CITY_TOTALS,
    CROSSWALK,
    DECLARATIONS,
    FIGURES,
    FOOD_BANKS,
    HOME_DELIVERIES,
    IDENTITIES,
    LAST_CHANGES,
    RECORD_SOURCES,
    RESOURCES,
    STATE_TOTALS,
    STATEMENTS,
    TYPE_COUNTS,
    ZIPS,
)
from schemas.vocab.food_access import ACCESS_FOLDER
from schemas.vocab.statuses import MAX_HOURS_DAYS
from tests.support.access import write_access
from tests.support.hsds import write_hsds
from tests.support.sharing import copy_folder, share
from tests.support.veterans import write_example
from warehouse.exports.bulk import BulkFacts, manifest_entries, write_bulk
from warehouse.files import replacing, sha256_of
from warehouse.index.reader import OpenRelease
from warehouse.index.service_files import write_service_files
from warehouse.parquet import read_frame, write_table
from warehouse.release.changes import Edition, edition_of, last_changes
from warehouse.release.diff import write_changes
from warehouse.release.log import CHANGES_FOLDER
from warehouse.release.manifest import (
    FORMAT_VERSION,
    MANIFEST_NAME,
    CheckEntry,
    FileEntry,
    Manifest,
    read_manifest,
    write_manifest,
)
from warehouse.release.store import ReleaseStore
from warehouse.release.tables import SERVING_FOLDER, link_tables

RETRIEVED = datetime(2026, 11, 1, 6, tzinfo=UTC)

RESOURCE_DEFAULTS: dict[str, Any] = {
    "name": "Example Pantry",
    "resource_type": "food_pantry",
    "city": "New York",
    "state": "NY",
    "zip": "10002",
    "lat": 40.7157,
    "lng": -73.9863,
    "location_precision": "street",
    "location_method": "source",
    "timezone": "America/New_York",
    "verification_status": "unverified",
    "verification_confidence": 30,
    "verification_reasons": ["authority_compiled", "point_exact"],
    "source_updated_date": date(2026, 10, 1),
    "retrieved_at": RETRIEVED,
    "data_source": "nyc_pantries_2023",
    "source_count": 1,
    "license": "CC-BY-4.0",
    "completeness_score": 50,
    "is_confidential": False,
    "is_active": True,
    "is_synthetic": True,
}


def resource(resource_id: int, **values: Any) -> dict[str, Any]:
    """Return a row of `core_directory__resources` with defaults.

    By default the place and its hours were confirmed on `source_updated_date`.
    """
    row = {**RESOURCE_DEFAULTS, "resource_id": resource_id, **values}
    dates = {"confirmed_date": row["source_updated_date"], **_hours_dates(row)}
    return {**dates, **row}


def _hours_dates(row: dict[str, Any]) -> dict[str, Any]:
    day = row.get("hours_date", row.get("confirmed_date", row["source_updated_date"]))
    has_hours = bool(row.get("schedules_json") or row.get("hours_text"))
    if day is None or not has_hours:
        return {"is_hours_current": False}
    until = row.get("hours_until_date", day + timedelta(days=MAX_HOURS_DAYS))
    return {
        "hours_date": day,
        "hours_date_basis": "confirmed",
        "hours_source": row["data_source"],
        "hours_until_date": until,
        "is_hours_current": bool(row.get("schedules_json")) and until >= datetime.now(UTC).date(),
    }


def home_delivery(**values: Any) -> dict[str, Any]:
    """Return a row of `core_directory__home_deliveries`."""
    defaults: dict[str, Any] = {
        "source_id": "nyc_pantries_2023",
        "source_key": values.get("name"),
        "state": "NY",
        "service_areas": [],
        "office_areas": [],
        "license": "CC-BY-4.0",
        "is_synthetic": True,
    }
    return {**defaults, **values}


def as_table(rows: list[dict[str, Any]], table: Table) -> pa.Table:
    """Return rows as Arrow in the types of the table; absent values are null."""
    columns = {
        f.name: pa.array([row.get(f.name) for row in rows], type=f.arrow_type) for f in table.fields
    }
    return pa.table(columns)


def _type_counts(resources: list[dict[str, Any]]) -> list[dict[str, Any]]:
    counts = Counter((r["state"], r["resource_type"]) for r in resources if r["is_active"])
    return [
        {"state": state, "resource_type": kind, "resource_count": count}
        for (state, kind), count in sorted(counts.items())
    ]


_FIRST = "20261101T060000Z-00000001"


def write_release(
    data_dir: Path, resources: list[dict[str, Any]], *, release_id: str = _FIRST, **options: Any
) -> str:
    """Build, seal and by default promote a release below `data_dir`; return its id.

    The options are those of `_build`. Equal first releases are built once a session and copied;
    so are later ones, unless their content depends on the release before.
    """
    if not ReleaseStore(data_dir).root.exists():
        copy_folder(_template(resources, {**options, "release_id": release_id}), data_dir)
    elif options.get("hsds") or options.get("history"):
        _build(data_dir, resources, release_id=release_id, **options)
    else:
        _add_release(data_dir, resources, release_id, **options)
    return release_id


def _add_release(
    data_dir: Path,
    resources: list[dict[str, Any]],
    release_id: str,
    *,
    promote: bool = True,
    **options: Any,
) -> None:
    template = _template(resources, {**options, "release_id": release_id, "promote": False})
    store = ReleaseStore(data_dir)
    with store.building() as staging:
        copy_folder(ReleaseStore(template).folder(release_id), staging)
        manifest = read_manifest(staging)
        (staging / MANIFEST_NAME).unlink()
        store.seal(staging, structs.replace(manifest, parent=store.current()))
    for table in (template / "tables").iterdir():
        # The release before has a file of the same name.
        with replacing(data_dir / "tables" / table.name, durably=False) as target:
            shutil.copy2(table, target)
    if promote:
        store.promote(release_id)


def open_release(data_dir: Path, resources: list[dict[str, Any]], **options: Any) -> OpenRelease:
    """Write a release and open it."""
    return OpenRelease(ReleaseStore(data_dir).folder(write_release(data_dir, resources, **options)))


_TEMPLATES: dict[str, Path] = {}


def _template(resources: list[dict[str, Any]], options: dict[str, Any]) -> Path:
    """Return a folder with the release, built at its first use in the session."""
    settings = {name: value for name, value in os.environ.items() if name.startswith("LARDER_")}
    subject = repr((resources, sorted(options.items()), sorted(settings.items())))
    key = hashlib.sha256(subject.encode()).hexdigest()
    if key not in _TEMPLATES:
        _TEMPLATES[key] = share(key, lambda folder: _build(folder, resources, **options))
    return _TEMPLATES[key]


def _build(
    data_dir: Path,
    resources: list[dict[str, Any]],
    *,
    zips: list[dict[str, Any]] | None = None,
    cities: list[dict[str, Any]] | None = None,
    release_id: str,
    checks: list[CheckEntry] | None = None,
    promote: bool = True,
    identities: list[dict[str, Any]] | None = None,
    changes: list[dict[str, Any]] | None = None,
    bulk: bool = False,
    hsds: bool | str = False,
    history: bool = False,
    veterans: bool = False,
    access: bool | str = False,
    declarations: list[dict[str, Any]] | None = None,
    food_banks: list[dict[str, Any]] | None = None,
    home_deliveries: list[dict[str, Any]] | None = None,
    is_synthetic: bool = True,
) -> None:
    """Build, seal and by default promote a release below `data_dir`.

    `identities` are merged or retired ids in addition to those of the resources; `changes` are rows
    of the audit of automatic changes. `bulk` writes the bulk files, `hsds` the HSDS feed ("tables":
    without its package), `history` the changes since the served release, `veterans` the data set
    for veterans, `access` the access measure (a text is the map of counties), `declarations` rows
    of FEMA's declarations, `food_banks` food banks by ZIP code, and `home_deliveries` delivery
    services.
    """
    rows: dict[Table, list[dict[str, Any]]] = {
        RESOURCES: resources,
        RECORD_SOURCES: [_record_source(r) for r in resources],
        IDENTITIES: [
            *(
                identity(r["resource_id"], source_id=r["data_source"], first=release_id)
                for r in resources
            ),
            *(identities or []),
        ],
        ZIPS: zips if zips is not None else [],
        CITIES: cities if cities is not None else [],
        TYPE_COUNTS: _type_counts(resources),
        AUTOMATIC_CHANGES: changes or [],
        HOME_DELIVERIES: [home_delivery(**row) for row in home_deliveries or []],
    }
    if declarations is not None:
        rows[DECLARATIONS] = declarations
    store = ReleaseStore(data_dir)
    with store.building() as staging:
        parquet = data_dir / "tables"
        paths = {table.name: parquet / f"{table.name}.parquet" for table in rows}
        for table, values in rows.items():
            write_table(as_table(values, table), table, paths[table.name])
        paths |= _write_totals(paths, parquet)
        if access:
            paths |= write_access(
                paths, staging / ACCESS_FOLDER, parquet, access if isinstance(access, str) else None
            )
        if hsds:
            current = store.current()
            previous = store.folder(current) / "exports" if current else None
            package = None if hsds == "tables" else staging / "hsds"
            paths |= write_hsds(paths, package, release_id, previous)
        if history:
            paths |= _write_history(store, Edition(release_id, paths), staging)
        if veterans:
            paths |= write_example(staging / "veterans", parquet)
        entries = link_tables(paths, staging)
        serving_paths = dict(paths)
        if food_banks is not None:
            serving_paths[FOOD_BANKS.name] = parquet / f"{FOOD_BANKS.name}.parquet"
            write_table(
                as_table(food_banks, FOOD_BANKS), FOOD_BANKS, serving_paths[FOOD_BANKS.name]
            )
        (staging / SERVING_FOLDER).mkdir()
        write_service_files(serving_paths, staging / SERVING_FOLDER)
        files = _write_bulk(paths, staging / BULK_FOLDER, resources) if bulk else []
        store.seal(
            staging,
            Manifest(
                release_id=release_id,
                created_at="2026-11-01T06:00:00Z",
                format_version=FORMAT_VERSION,
                code_version="test",
                parent=store.current(),
                is_synthetic=is_synthetic,
                as_of_date="2026-11-01",
                data_license="CC-BY-4.0",
                content_digest="0" * 64,
                tables=entries,
                files=files,
                sources=[],
                checks=checks or [],
            ),
        )
    if promote:
        store.promote(release_id)


def update_manifest(folder: Path) -> None:
    """Update the manifest of a release after a test changed its files."""
    manifest = read_manifest(folder)
    entries = [
        structs.replace(entry, size_bytes=path.stat().st_size, sha256=sha256_of(path))
        for entry in manifest.files
        if (path := folder / entry.path).is_file()
    ]
    write_manifest(folder, structs.replace(manifest, files=entries))


def _write_history(store: ReleaseStore, newer: Edition, staging: Path) -> dict[str, Path]:
    current = store.current()
    older = edition_of(store.folder(current)) if current else None
    (staging / CHANGES_FOLDER).mkdir()
    write_changes(older, newer, staging / CHANGES_FOLDER)
    path = store.root.parent / "tables" / f"{LAST_CHANGES.name}.parquet"
    write_table(last_changes(older, newer), LAST_CHANGES, path)
    return {LAST_CHANGES.name: path}


def name_statements(resources: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return a statement of the name of each resource, by the record of `_record_source`."""
    return [
        {
            "resource_id": r["resource_id"],
            "field_name": "name",
            "source_id": _record_source(r)["source_id"],
            "source_key": _record_source(r)["source_key"],
            "value": r["name"],
            "is_published": True,
            "is_contradicted": False,
        }
        for r in resources
    ]


def _write_bulk(
    paths: dict[str, Path], folder: Path, resources: list[dict[str, Any]]
) -> list[FileEntry]:
    folder.mkdir()
    statements = folder.parent / f"{STATEMENTS.name}.parquet"
    write_table(as_table(name_statements(resources), STATEMENTS), STATEMENTS, statements)
    crosswalk = folder.parent / f"{CROSSWALK.name}.parquet"
    write_table(as_table([], CROSSWALK), CROSSWALK, crosswalk)
    paths = {**paths, STATEMENTS.name: statements, CROSSWALK.name: crosswalk}
    facts = BulkFacts("CC-BY-4.0", is_synthetic=True, as_of=date(2026, 11, 1))
    index = write_bulk(paths, folder, facts)
    statements.unlink()
    crosswalk.unlink()
    return manifest_entries(index)


def _write_totals(paths: dict[str, Path], folder: Path) -> dict[str, Path]:
    """Write the tables of totals as a build does."""
    resources = read_frame(paths[RESOURCES.name])
    records, identities = (read_frame(paths[t.name]) for t in (RECORD_SOURCES, IDENTITIES))
    tables = {
        STATE_TOTALS: state_totals(resources),
        CITY_TOTALS: city_totals(resources),
        FIGURES: figures(resources, records, identities, pairs_left=0),
    }
    for table, frame in tables.items():
        write_table(frame, table, folder / f"{table.name}.parquet")
    return {table.name: folder / f"{table.name}.parquet" for table in tables}


def _record_source(row: dict[str, Any]) -> dict[str, Any]:
    return {
        "resource_id": row["resource_id"],
        "source_id": row["data_source"],
        "source_key": row.get("source_key", str(row["resource_id"])),
        "is_primary": True,
        "supplied_fields": row.get("supplied_fields", ["name"]),
        "match_reason": "only record",
        "retrieved_at": row["retrieved_at"],
        "source_updated_date": row["source_updated_date"],
        "confirmed_date": row["confirmed_date"],
    }


def identity(
    resource_id: int,
    status: str = "active",
    successor: int | None = None,
    *,
    source_id: str = "nyc_pantries_2023",
    first: str = _FIRST,
) -> dict[str, Any]:
    """Return a row of the registry of ids."""
    return {
        "source_id": source_id,
        "source_key": str(resource_id),
        "resource_id": resource_id,
        "id_status": status,
        "successor_id": successor,
        "first_release_id": first,
    }
