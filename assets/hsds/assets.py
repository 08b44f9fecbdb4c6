"""Builds HSDS: organizations behind the resources, tables of the feed, folder of a release."""

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import dagster as dg
import pandas as pd

from assets.hsds.organizations import organization_registry
from assets.hsds.readings import read_texts
from assets.steps.checks import check, check_result
from assets.steps.keys import keys_of
from assets.steps.products import product_of
from assets.steps.served import open_served_tables, read_served_table
from assets.steps.tables import asset_of, outputs, outs_of, read
from assets.steps.workspace import Workspace
from schemas.hsds.collections import BY_NAME
from schemas.tables.core import (
    AUTOMATIC_CHANGES,
    IDENTITIES,
    ORGANIZATIONS,
    RECORD_SOURCES,
    RESOURCES,
    ZIPS,
)
from schemas.tables.hsds import HSDS_TABLES, RETIRED_IDS
from warehouse.hsds.inputs import Tables
from warehouse.hsds.package import write_package
from warehouse.hsds.soundness import check_schedules, check_whole
from warehouse.hsds.tables import ReleaseBasis, write_hsds_tables

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


@check(
    asset=_SCHEDULES,
    name="recurrence_rules",
    description="Every schedule is a sound RFC 5545 rule as HSDS 3.0 narrows it, or words only.",
)
def hsds_schedules_are_sound(workspace: Workspace) -> dg.AssetCheckResult:
    return check_result(check_schedules(workspace.path(_SCHEDULES).parent))


@check(
    asset=_SERVICES,
    name="totals",
    reads=[RESOURCES.name, *(t.name for t in HSDS_TABLES)],
    description=(
        "One service, location and category for each active resource; one parent for each row."
    ),
)
def hsds_totals_agree(workspace: Workspace) -> dg.AssetCheckResult:
    folder, resources = workspace.path(_SERVICES).parent, workspace.path(RESOURCES.name)
    return check_result(check_whole(folder, resources))


HSDS_CHECKS = (hsds_schedules_are_sound, hsds_totals_agree)


@dg.asset(
    ins={
        "resources": read(RESOURCES, _READ),
        "identities": read(IDENTITIES, ["resource_id", "source_id", "source_key"]),
    },
    **asset_of(ORGANIZATIONS, "hsds"),
)
def core_directory__organizations(
    workspace: Workspace, resources: pd.DataFrame, identities: pd.DataFrame
) -> Iterator[dg.Output[pd.DataFrame]]:
    previous = read_served_table(workspace, ORGANIZATIONS)
    registry = organization_registry(resources, identities, previous, workspace.release_in_making)
    active = int((registry["id_status"] == "active").sum())
    yield dg.Output(registry, metadata={"organizations": active})


def _release_basis(workspace: Workspace) -> ReleaseBasis:
    """Return the instant of this release, from its id, and the tables of the served release."""
    release_id = workspace.release_in_making
    parts = re.match(r"(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z", release_id)
    if parts is None:
        raise ValueError(f"release id {release_id!r} does not begin with an instant")
    year, month, day, hour, minute, second = parts.groups()
    return ReleaseBasis(
        as_of=workspace.as_of_date,
        now=f"{year}-{month}-{day}T{hour}:{minute}:{second}.000Z",
        previous=open_served_tables(workspace),
    )


@dg.multi_asset(
    deps=keys_of(table.name for table in _MADE_FROM),
    outs=outs_of("hsds", *_WRITTEN, kinds={"duckdb", "parquet"}),
    can_subset=True,
)
def out_hsds(context: dg.AssetExecutionContext, workspace: Workspace) -> Iterator[dg.Output[Path]]:
    """Write every HSDS collection and the retired ids, together for consistency."""
    tables = Tables.of(workspace.path(RETIRED_IDS.name).parent)
    read_batch = partial(read_texts, as_of=workspace.as_of_date)
    with workspace.scratch() as folder:
        write_hsds_tables(tables, read_batch, folder, _release_basis(workspace))
        files = {table: folder / f"{table.name}.parquet" for table in _WRITTEN}
        yield from outputs(context, files)


@dg.asset(
    **product_of(
        "out_hsds__package",
        "hsds",
        kinds={"duckdb", "csv", "json"},
        description=(
            "The HSDS data package: every collection as CSV and NDJSON, descriptor, "
            "checksums, one zip."
        ),
        deps=[table.name for table in HSDS_TABLES],
    ),
)
def out_hsds__package(workspace: Workspace) -> Iterator[dg.Output[Path]]:
    with workspace.scratch() as folder:
        package = write_package(
            workspace.path(_SERVICES).parent,
            folder,
            license_id=workspace.data_license,
            is_synthetic=workspace.is_synthetic,
        )
        yield dg.Output(folder, metadata={**package.rows, TEXTS: package.texts})


HSDS_ASSETS = (core_directory__organizations, out_hsds, out_hsds__package)
