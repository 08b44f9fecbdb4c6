"""The directory: matches records of one place, assigns ids and merges each place into one
record."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import dagster as dg
import pandas as pd
import pyarrow as pa

from assets.attributes.service_area import place_names
from assets.directory.edits import target_edits
from assets.directory.home_deliveries import REJECT_COLUMNS, home_deliveries
from assets.directory.identity import assign_ids
from assets.directory.places import rank_records
from assets.directory.ranges import EDITS_TABLE, merge_in_ranges
from assets.sources.assets import all_rejects, name_located_asset, reject_tables
from assets.sources.contract import rejects_name
from assets.steps.checks import ALL, drop_check
from assets.steps.code_version import tree_digest
from assets.steps.decorators import Output, asset_spec, load_path, make_tables, step, table_asset
from assets.steps.freshness import fingerprint_of
from assets.steps.served import read_served_table
from assets.steps.stages import SOURCES
from assets.steps.workspace import FINGERPRINT, Reads, Workspace, digest_of
from schemas.sources.registry import sources
from schemas.tables.checks import (
    AUTOMATIC_CHANGES,
    PHONE_VALIDATIONS,
    RULE_OBSERVATIONS,
    WEBSITE_PROBES,
)
from schemas.tables.core import (
    CITIES,
    CLUSTERS,
    HOME_DELIVERIES,
    IDENTITIES,
    LOCATED,
    RECORD_SOURCES,
    REJECTS,
    RESOURCES,
    STATEMENTS,
    ZIPS,
)
from schemas.vocab.resource_types import TYPES_BY_MODE
from warehouse.parquet import read_arrow
from warehouse.release.changes import time_of

PLACE_SOURCES = [s for s in sources().values() if s.yields == "places"]


@table_asset(
    LOCATED,
    reads=dict.fromkeys(name_located_asset(s) for s in PLACE_SOURCES),
    group=SOURCES,
    load=load_path,
)
def _core_directory__located(*paths: Path) -> pa.Table:
    # As stored: nothing computed here needs frames.
    located = pa.concat_tables(map(read_arrow, paths))
    if not located.num_rows:
        raise ValueError("no source has yielded a place; are these the publishers' files?")
    return located


_REJECTED = [
    *(rejects_name(s) for s in sources().values()),
    *(name_located_asset(s) for s in PLACE_SOURCES),
]
_OF_DELIVERIES = {
    REJECTS.name: REJECT_COLUMNS,
    ZIPS.name: ["zip", "state", "county_name", "county_fips"],
    CITIES.name: ["state", "search_name", "lat", "lng"],
}


@step(
    asset_spec(REJECTS, _REJECTED),
    asset_spec(HOME_DELIVERIES, [*_REJECTED, ZIPS.name, CITIES.name]),
    name=REJECTS.name,
    group="directory",
)
def core_directory__rejects(
    context: dg.AssetExecutionContext, workspace: Workspace
) -> Iterator[dg.MaterializeResult]:
    """Read the rejects of all sources from reading and locating, which are not assets, and list the
    home delivery services among them."""
    reads: Reads = dict.fromkeys(reject_tables())
    fingerprint = fingerprint_of(workspace, reads, [_rejects], [REJECTS])
    yield from make_tables(workspace, fingerprint, [REJECTS], lambda: _rejects(workspace))
    rights = workspace.rights_of(*sources().values())
    settings = [HOME_DELIVERIES, rights, workspace.data_license]
    fingerprint = fingerprint_of(workspace, _OF_DELIVERIES, [home_deliveries], settings)

    def make() -> Output:
        rejects, zips, cities = (
            workspace.read(name, columns) for name, columns in _OF_DELIVERIES.items()
        )
        names = place_names(zips, cities)
        return Output([home_deliveries(rejects, zips, rights, names, workspace.data_license)])

    yield from make_tables(workspace, fingerprint, [HOME_DELIVERIES], make)


def _rejects(workspace: Workspace) -> Output:
    rejects = all_rejects(workspace)
    top = rejects["reject_reason"].value_counts().head(20)
    rows = (f"| {reason} | {count} |" for reason, count in top.items())
    return Output([rejects], {"reasons": "\n".join(["| reason | rows |", "| --- | --- |", *rows])})


# Made together for consistency.
_TABLES = (AUTOMATIC_CHANGES, RULE_OBSERVATIONS, STATEMENTS, IDENTITIES, RECORD_SOURCES, RESOURCES)


_FREE_FOOD = f"is_active AND resource_type IN {TYPES_BY_MODE['free']}"
_SAYS_HOURS = "is_active AND is_hours_current"

_READS = dict.fromkeys(
    [
        LOCATED.name,
        CLUSTERS.name,
        ZIPS.name,
        CITIES.name,
        WEBSITE_PROBES.name,
        PHONE_VALIDATIONS.name,
        EDITS_TABLE,
    ]
)


@step(
    *(asset_spec(table, [*_READS]) for table in _TABLES),
    name="core_directory",
    group="directory",
    checks=[
        drop_check(RESOURCES, "state", "rows_by_state"),
        drop_check(RESOURCES, "resource_type", "rows_by_type"),
        drop_check(RECORD_SOURCES, "source_id", "rows_by_source"),
        drop_check(RESOURCES, "state", "free_food_by_state", where=_FREE_FOOD, limits=ALL),
        # The hours of a whole list expire on one day: a blocking check would withhold all new data.
        drop_check(
            RESOURCES,
            "resource_type",
            "current_hours_by_type",
            where=_SAYS_HOURS,
            is_blocking=False,
        ),
    ],
    continues_served=True,
)
def core_directory(
    context: dg.AssetExecutionContext, workspace: Workspace
) -> Iterator[dg.MaterializeResult]:
    """Make resources, their source records and the registry of ids; begin a release."""
    release_id = new_release_id(workspace)
    workspace.begin_release(release_id)
    settings = [*_TABLES, workspace.as_of_date, workspace.data_license]
    fingerprint = fingerprint_of(workspace, _READS, [_directory], settings)
    yield from make_tables(
        workspace,
        fingerprint,
        _TABLES,
        lambda: Output(_directory(workspace, release_id)),
        continues_served=True,
    )


def _directory(
    workspace: Workspace, release_id: str
) -> list[pd.DataFrame | pa.Table | pa.RecordBatchReader]:
    """Make the tables of the directory, in the order of `_TABLES`."""
    clusters = workspace.read(CLUSTERS.name)
    ids, identities = assign_ids(
        clusters, _ranks(workspace, clusters), read_served_table(workspace, IDENTITIES), release_id
    )
    edits = target_edits(workspace.read(EDITS_TABLE), identities)
    merged = clusters[["match_reason"]].assign(resource_id=ids)
    tables = merge_in_ranges(workspace, release_id, merged, edits)
    return [identities if table is IDENTITIES else tables[table.name] for table in _TABLES]


def _ranks(workspace: Workspace, clusters: pd.DataFrame) -> pd.Series:
    """Rank the records of each cluster; other records lead their own."""
    located = workspace.read(
        LOCATED.name, ["source_id", "source_key", "source_updated_date", "location_precision"]
    )
    is_shared = clusters["cluster_id"].duplicated(keep=False)
    return rank_records(located[is_shared], sources()).reindex(clusters.index)


def new_release_id(workspace: Workspace) -> str:
    """Return an id from the time of the build and a digest of its inputs.

    Ids of later releases sort later, even if the clock was set back.
    """
    newest = [time_of(release_id) for release_id in workspace.releases.ids()[-1:]]
    at = max([datetime.now(UTC), *(time + timedelta(seconds=1) for time in newest)])
    inputs = (workspace.notes(name_located_asset(s)).get(FINGERPRINT) for s in PLACE_SOURCES)
    code = tree_digest("assets", "schemas", "warehouse")
    return f"{at:%Y%m%dT%H%M%SZ}-{digest_of(*inputs, code)[:8]}"
