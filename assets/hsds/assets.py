"""Builds HSDS: organizations behind the resources, tables of the feed, folder of a release."""

import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import dagster as dg
import pandas as pd

from assets.hsds.organizations import organization_registry
from assets.hsds.readings import read_texts
from assets.steps.checks import blocking_check, check_result
from assets.steps.decorators import (
    Facts,
    asset_spec,
    product_asset,
    result_of_skip,
    result_of_table,
    step,
    table_asset,
)
from assets.steps.freshness import fingerprint_of, is_up_to_date
from assets.steps.served import is_served, open_served_tables, read_served_table
from assets.steps.workspace import FINGERPRINT, Workspace, measure
from schemas.hsds.collections import BY_NAME
from schemas.tables.checks import AUTOMATIC_CHANGES
from schemas.tables.core import (
    IDENTITIES,
    ORGANIZATIONS,
    RECORD_SOURCES,
    RESOURCES,
    ZIPS,
)
from schemas.tables.hsds import HSDS_TABLES, RETIRED_IDS
from warehouse.hsds.inputs import Tables
from warehouse.hsds.layout import FOLDER
from warehouse.hsds.package import write_package
from warehouse.hsds.soundness import READ, READ_OF_RESOURCES, check_schedules, check_whole
from warehouse.hsds.tables import Moment, write_hsds_tables
from warehouse.parquet import note_file

# Note of the package with size and SHA-256 of its gzipped files by name.
TEXTS = "texts"
_MADE_FROM = (
    RESOURCES,
    IDENTITIES,
    RECORD_SOURCES,
    AUTOMATIC_CHANGES,
    ORGANIZATIONS,
    ZIPS,
)
_WRITTEN = (*HSDS_TABLES, RETIRED_IDS)
_SCHEDULES = BY_NAME["schedules"].table_name
_SERVICES = BY_NAME["services"].table_name
_READ = [
    "resource_id",
    "data_source",
    "organization",
    "state",
    "website",
    "phone_e164",
    "is_active",
]


@blocking_check(
    asset=_SCHEDULES,
    name="recurrence_rules",
    reads={},
    description="Every schedule is a sound RFC 5545 rule as HSDS 3.0 narrows it, or words only.",
)
def hsds_schedules_are_sound(workspace: Workspace) -> dg.AssetCheckResult:
    return check_result(check_schedules(workspace.path(_SCHEDULES).parent))


# These tables are read almost whole, or seldom change.
_READ_BY_COLUMN = {"organizations", "services", "locations"}
_RECOUNTED = {
    RESOURCES.name: READ_OF_RESOURCES,
    **{
        BY_NAME[name].table_name: columns if name in _READ_BY_COLUMN else None
        for name, columns in READ.items()
    },
}


@blocking_check(
    asset=_SERVICES,
    name="totals",
    reads={**dict.fromkeys(t.name for t in HSDS_TABLES), **_RECOUNTED},
    description=(
        "One service, location and category for each active resource; one parent for each row."
    ),
)
def hsds_totals_agree(workspace: Workspace) -> dg.AssetCheckResult:
    folder, resources = workspace.path(_SERVICES).parent, workspace.path(RESOURCES.name)
    return check_result(check_whole(folder, resources))


@table_asset(
    ORGANIZATIONS,
    reads={RESOURCES.name: _READ, IDENTITIES.name: ["resource_id", "source_id", "source_key"]},
    group="hsds",
    arguments=lambda workspace: {
        "previous": read_served_table(workspace, ORGANIZATIONS),
        "release_id": workspace.release_in_making,
    },
    describe=lambda found: {"organizations": int((found["id_status"] == "active").sum())},
    continues_served=True,
)
def core_directory__organizations(
    resources: pd.DataFrame,
    identities: pd.DataFrame,
    previous: pd.DataFrame | None,
    release_id: str,
) -> pd.DataFrame:
    return organization_registry(resources, identities, previous, release_id)


def _moment(workspace: Workspace) -> Moment:
    """Return the instant of this release, from its id, and the tables of the served release."""
    release_id = workspace.release_in_making
    parts = re.match(r"(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z", release_id)
    if parts is None:
        raise ValueError(f"release id {release_id!r} does not begin with an instant")
    year, month, day, hour, minute, second = parts.groups()
    return Moment(
        as_of=workspace.as_of_date,
        now=f"{year}-{month}-{day}T{hour}:{minute}:{second}.000Z",
        previous=open_served_tables(workspace),
    )


@step(
    *(asset_spec(table, [t.name for t in _MADE_FROM], {"duckdb", "parquet"}) for table in _WRITTEN),
    name="out_hsds",
    group="hsds",
    checks=[hsds_schedules_are_sound, hsds_totals_agree],
    continues_served=True,
)
def out_hsds(
    context: dg.AssetExecutionContext, workspace: Workspace
) -> Iterator[dg.MaterializeResult]:
    """Write every HSDS collection and the retired ids, together for consistency."""
    folder = workspace.path(RETIRED_IDS.name).parent
    inputs = {path.stem: None for path in vars(Tables.of(folder)).values()}
    code: list[Callable[..., object]] = [read_texts, write_hsds_tables]
    fingerprint = fingerprint_of(workspace, inputs, code, [*_WRITTEN, workspace.as_of_date])
    names = [table.name for table in _WRITTEN]
    if is_up_to_date(workspace, fingerprint, *names) and is_served(workspace, *names):
        yield from (result_of_skip(workspace, table) for table in _WRITTEN)
        return
    with measure() as cost:
        read_batch = partial(read_texts, as_of=workspace.as_of_date)
        write_hsds_tables(Tables.of(folder), read_batch, folder, _moment(workspace))
    for table in _WRITTEN:
        note_file(workspace.path(table.name), {FINGERPRINT: fingerprint, **cost.metadata()})
        yield result_of_table(workspace, table, cost.metadata())


@product_asset(
    "out_hsds__package",
    FOLDER,
    reads=dict.fromkeys(table.name for table in HSDS_TABLES),
    group="hsds",
    kinds={"duckdb", "csv", "json"},
    settings=lambda workspace: {
        "license_id": workspace.data_license,
        "is_synthetic": workspace.is_synthetic,
    },
    description=(
        "The HSDS data package: every collection as CSV and NDJSON with a row index, descriptor, "
        "profile, checksums, one zip."
    ),
)
def out_hsds__package(folder: Path, *tables: Path, license_id: str, is_synthetic: bool) -> Facts:
    package = write_package(
        tables[0].parent, folder, license_id=license_id, is_synthetic=is_synthetic
    )
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    return {"size_mb": round(size / 1e6, 1), **package.rows, TEXTS: package.texts}


HSDS_ASSETS = (core_directory__organizations, out_hsds, out_hsds__package)
