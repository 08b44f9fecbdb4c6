"""HSDS: the organizations behind the resources, the tables of the feed, and the folder a release
carries.
"""

import re
from functools import partial
from pathlib import Path

import dagster as dg

from assets.defs.code_version import code_digest, root_of
from assets.defs.freshness import (
    Recipe,
    is_made,
    is_settled,
    recipe_of,
    reused,
    writing_product,
)
from assets.defs.lineage import blocking_check, recorded
from assets.defs.source_assets import OWNERS
from assets.defs.workspace import Workspace, column_schema, digest_of, measured
from assets.hsds.organizations import organization_registry
from assets.hsds.readings import read_texts
from schemas.hsds.collections import BY_NAME
from schemas.tables.checks import AUTOMATIC_CHANGES
from schemas.tables.core import IDENTITIES, RECORD_SOURCES, RESOURCES
from schemas.tables.hsds import HSDS_TABLES, ORGANIZATIONS, RETIRED_IDS
from warehouse.checks.declared import Finding
from warehouse.hsds.inputs import Tables
from warehouse.hsds.layout import FOLDER
from warehouse.hsds.package import write_package
from warehouse.hsds.soundness import READ, READ_OF_RESOURCES, check_schedules, check_whole
from warehouse.hsds.tables import Moment, write_hsds_tables
from warehouse.parquet import content_digest, note_file, read_frame

_KINDS = {"duckdb", "parquet"}
_MADE_FROM = (RESOURCES, IDENTITIES, RECORD_SOURCES, AUTOMATIC_CHANGES, ORGANIZATIONS)
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


@dg.asset(
    group_name="hsds",
    kinds={"pandas", "parquet"},
    owners=OWNERS,
    description=ORGANIZATIONS.description,
    deps=[RESOURCES.name, IDENTITIES.name],
)
@recorded(continues_served=True)
def core_directory__organizations(workspace: Workspace) -> dg.MaterializeResult:
    recipe = recipe_of(
        workspace,
        tables=[IDENTITIES.name],
        columns={RESOURCES.name: _READ},
        code=[organization_registry],
        settings=[ORGANIZATIONS],
    )
    if is_settled(workspace, recipe, ORGANIZATIONS.name):
        return reused(workspace, recipe, ORGANIZATIONS.name)
    with measured() as step:
        moment = _moment(workspace)
        before = moment.previous / f"{ORGANIZATIONS.name}.parquet" if moment.previous else None
        registry = organization_registry(
            workspace.read(RESOURCES.name, _READ),
            workspace.read(IDENTITIES.name),
            read_frame(before) if before and before.is_file() else None,
            workspace.release_in_making,
        )
        metadata = workspace.write(ORGANIZATIONS.name, registry, ORGANIZATIONS, recipe.notes)
    active = int((registry["id_status"] == "active").sum())
    return dg.MaterializeResult(metadata={**metadata, "organizations": active, **step.metadata()})


@dg.multi_asset(
    name="out_hsds",
    group_name="hsds",
    specs=[
        dg.AssetSpec(
            table.name,
            description=table.description,
            kinds=_KINDS,
            owners=OWNERS,
            deps=[t.name for t in _MADE_FROM],
        )
        for table in _WRITTEN
    ],
)
@recorded(continues_served=True)
def out_hsds(workspace: Workspace):  # type: ignore[no-untyped-def]
    """Every HSDS collection and the ids that are gone, made together so that they agree."""
    folder = workspace.path(RETIRED_IDS.name).parent
    recipe = _recipe(workspace, folder)
    if is_settled(workspace, recipe, *(t.name for t in _WRITTEN)):
        for table in _WRITTEN:
            yield reused(workspace, recipe, table.name, asset_key=table.name)
        return
    with measured() as step:
        read = partial(read_texts, as_of=workspace.as_of_date)
        rows = write_hsds_tables(Tables.of(folder), read, folder, _moment(workspace))
    for table in _WRITTEN:
        note_file(workspace.path(table.name), recipe.notes)
        yield dg.MaterializeResult(
            asset_key=table.name,
            metadata={
                "dagster/row_count": rows[table.name],
                "dagster/column_schema": column_schema(table),
                "path": dg.MetadataValue.path(str(workspace.path(table.name))),
                **step.metadata(),
            },
        )


def _recipe(workspace: Workspace, folder: Path) -> Recipe:
    """What the HSDS tables are made from when the other tables are those of a folder."""
    rows = (content_digest(path) for path in vars(Tables.of(folder)).values())
    code = code_digest(root_of(read_texts), root_of(write_hsds_tables))
    return Recipe(digest_of(*rows, code, workspace.as_of_date))


def _moment(workspace: Workspace) -> Moment:
    """The instant of this release, from its id, and the tables of the release that is served."""
    release_id = workspace.release_in_making
    parts = re.match(r"(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z", release_id)
    if parts is None:
        raise ValueError(f"release id {release_id!r} does not begin with an instant")
    year, month, day, hour, minute, second = parts.groups()
    current = workspace.releases.current()
    return Moment(
        as_of=workspace.as_of_date,
        now=f"{year}-{month}-{day}T{hour}:{minute}:{second}.000Z",
        previous=workspace.releases.folder(current) / "exports" if current else None,
    )


@dg.asset(
    group_name="hsds",
    kinds={"duckdb", "csv", "json"},
    owners=OWNERS,
    description="The HSDS data package: every collection as CSV and NDJSON with a row index, descriptor, profile, checksums, one zip.",
    deps=[table.name for table in HSDS_TABLES],
)
@recorded()
def out_hsds__package(workspace: Workspace) -> dg.MaterializeResult:
    recipe = recipe_of(
        workspace,
        tables=[t.name for t in HSDS_TABLES],
        code=[write_package],
        settings=[workspace.data_license, workspace.is_synthetic],
    )
    if is_made(workspace, recipe, FOLDER):
        return reused(workspace, recipe, FOLDER)
    with measured() as step, writing_product(workspace, FOLDER, recipe) as folder:
        rows = write_package(
            workspace.path(_SERVICES).parent,
            folder,
            license_id=workspace.data_license,
            is_synthetic=workspace.is_synthetic,
        )
        size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    return dg.MaterializeResult(
        metadata={"size_mb": round(size / 1e6, 1), **rows, **step.metadata()}
    )


@blocking_check(
    asset=_SCHEDULES,
    name="recurrence_rules",
    reads={},
    description="Every schedule is a sound RFC 5545 rule as HSDS 3.0 narrows it, or words only.",
)
def hsds_schedules_are_sound(workspace: Workspace) -> dg.AssetCheckResult:
    return _result(check_schedules(workspace.path(_SCHEDULES).parent))


# Of some tables nearly all is read, or they seldom change.
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
    description="One service, location and category for each active resource; one parent for each row.",
)
def hsds_totals_agree(workspace: Workspace) -> dg.AssetCheckResult:
    folder, resources = workspace.path(_SERVICES).parent, workspace.path(RESOURCES.name)
    return _result(check_whole(folder, resources))


def _result(findings: list[Finding]) -> dg.AssetCheckResult:
    return dg.AssetCheckResult(
        passed=not findings,
        description="; ".join(map(str, findings)) or "no violations",
        metadata={finding.rule: finding.broken for finding in findings},
    )


HSDS_ASSETS = (core_directory__organizations, out_hsds, out_hsds__package)
HSDS_CHECKS = (hsds_schedules_are_sound, hsds_totals_agree)
