"""Builds HSDS: organizations behind the resources, tables of the feed, folder of a release."""

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import dagster as dg
import pandas as pd

from assets.directory.identity import assign_ids
from assets.hsds.readings import read_texts
from assets.matching.organizations import resolve_organizations
from assets.steps.checks import check, check_result
from assets.steps.keys import keys_of
from assets.steps.tables import asset_of, outputs, outs_of, product_of, read
from assets.steps.workspace import Workspace, open_served_tables, read_served_table
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
from warehouse.hsds.package import write_package
from warehouse.hsds.soundness import check_schedules, check_whole
from warehouse.hsds.tables import ReleaseBasis, write_hsds_tables

OWN = "the place itself: its source names no organization"


def organization_registry(
    resources: pd.DataFrame,
    identities: pd.DataFrame,
    previous: pd.DataFrame | None,
    release_id: str,
) -> pd.DataFrame:
    """Return `core_directory__organizations`.

    `resources` has resource_id, data_source, organization, state, website, phone_e164, is_active,
    maybe ein; `identities` maps each resource id to the source record it was issued for; `previous`
    is the table of the last release.
    """
    origin = identities[["resource_id", "source_id", "source_key"]]
    rows = resources[resources["is_active"].astype(bool)].merge(
        origin, on="resource_id", validate="one_to_one"
    )
    groups = resolve_organizations(_as_listed(rows))
    own_key = rows["source_id"] + ":" + rows["source_key"]
    group = groups["organization_key"].fillna(own_key)
    clusters = rows[["source_id", "source_key"]].assign(cluster_id=group)
    order = clusters.sort_values(["source_id", "source_key"]).index
    ranks = pd.Series(range(len(order)), index=order).reindex(clusters.index)
    registered = None if previous is None else previous.rename(columns=_AS_IDENTITY)
    _, registry = assign_ids(clusters, ranks, registered, release_id)
    facts = rows[["source_id", "source_key", "organization"]].assign(
        ein=rows["ein"].str.replace("-", "")
        if "ein" in rows
        else pd.Series(None, rows.index, dtype="str"),
        organization_evidence=groups["evidence"].fillna(OWN),
    )
    registry = registry[list(_AS_IDENTITY.values()) + _KEPT]
    with_names = registry.merge(
        facts, how="left", on=["source_id", "source_key"], validate="one_to_one"
    )
    return with_names.rename(columns={new: old for old, new in _AS_IDENTITY.items()})


_AS_IDENTITY = {"organization_number": "resource_id", "successor_number": "successor_id"}
_KEPT = ["source_id", "source_key", "id_status", "first_release_id"]


def _as_listed(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows as those of the list that leads each: one name in one list and state is
    one."""
    columns = ["source_key", "organization", "state", "website", "phone_e164"]
    columns += ["ein"] if "ein" in rows else []
    result = rows[columns].copy()
    result["source_key"] = rows["source_id"] + ":" + rows["source_key"]
    result.insert(0, "source_id", rows["data_source"])
    return result


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
    tables = workspace.path(RETIRED_IDS.name).parent
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
