"""The directory: matches records of one place, assigns ids and merges each place into one
record."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import dagster as dg
import pandas as pd
import pyarrow as pa

from assets.attributes.service_area import place_names
from assets.directory.edits import target_edits
from assets.directory.home_deliveries import REJECT_COLUMNS, home_deliveries
from assets.directory.identity import assign_ids
from assets.directory.places import rank_records
from assets.directory.ranges import EDITS_TABLE, merge_in_ranges
from assets.sources.assets import name_located_asset, reject_tables
from assets.steps.checks import ALL, drop_check
from assets.steps.keys import keys_of
from assets.steps.tables import asset_of, code_version, outputs, outs_of, read, show
from assets.steps.workspace import Workspace, digest_of, read_served_table
from schemas.sources.registry import built_sources
from schemas.tables.core import (
    AUTOMATIC_CHANGES,
    CITIES,
    CLUSTERS,
    HOME_DELIVERIES,
    IDENTITIES,
    LOCATED,
    PHONE_VALIDATIONS,
    RECORD_SOURCES,
    REJECTS,
    RESOURCES,
    RULE_OBSERVATIONS,
    STATEMENTS,
    WEBSITE_PROBES,
    ZIPS,
)
from schemas.vocab.resource_types import TYPES_BY_MODE
from warehouse.parquet import content_digest, read_arrow, row_count
from warehouse.release.changes import time_of

PLACE_SOURCES = [s for s in built_sources().values() if s.yields == "places"]


@dg.asset(
    deps=keys_of(name_located_asset(source) for source in PLACE_SOURCES),
    **asset_of(LOCATED, "directory"),
)
def core_directory__located(workspace: Workspace) -> pa.Table:
    """Put the places of all sources together."""
    paths = (workspace.path(name_located_asset(source)) for source in PLACE_SOURCES)
    located = pa.concat_tables(map(read_arrow, paths))
    if not located.num_rows:
        raise ValueError("no source has a place; are these the publishers' files?")
    return located


@dg.asset(deps=keys_of(reject_tables()), **asset_of(REJECTS, "directory"))
def core_directory__rejects(workspace: Workspace) -> Iterator[dg.Output[pd.DataFrame]]:
    """Put the rejects of all sources together, from reading and from locating."""
    frames = [workspace.read(name) for name in reject_tables() if row_count(workspace.path(name))]
    rejects = pd.concat([pd.DataFrame(columns=REJECTS.field_names), *frames], ignore_index=True)
    top = rejects["reject_reason"].value_counts().head(20)
    rows = (f"| {reason} | {count} |" for reason, count in top.items())
    facts = {"reasons": "\n".join(["| reason | rows |", "| --- | --- |", *rows])}
    yield dg.Output(rejects, metadata=show(facts))


@dg.asset(
    ins={
        "rejects": read(REJECTS, REJECT_COLUMNS),
        "zips": read(ZIPS, ["zip", "state", "county_name", "county_fips"]),
        "cities": read(CITIES, ["state", "search_name", "lat", "lng"]),
    },
    **asset_of(HOME_DELIVERIES, "directory"),
)
def core_directory__home_deliveries(
    workspace: Workspace, rejects: pd.DataFrame, zips: pd.DataFrame, cities: pd.DataFrame
) -> pd.DataFrame:
    """List the home delivery services among the rejects: they have no place to go to."""
    rights = workspace.rights_of(*built_sources().values())
    names = place_names(zips, cities)
    return home_deliveries(rejects, zips, rights, names, workspace.data_license)


# Made together for consistency.
_TABLES = (AUTOMATIC_CHANGES, RULE_OBSERVATIONS, STATEMENTS, IDENTITIES, RECORD_SOURCES, RESOURCES)


_FREE_FOOD = f"is_active AND resource_type IN {TYPES_BY_MODE['free']}"
_SAYS_HOURS = "is_active AND is_hours_current"

DIRECTORY_CHECKS = [
    drop_check(RESOURCES, "state", "rows_by_state"),
    drop_check(RESOURCES, "resource_type", "rows_by_type"),
    drop_check(RECORD_SOURCES, "source_id", "rows_by_source"),
    drop_check(RESOURCES, "state", "free_food_by_state", where=_FREE_FOOD, limits=ALL),
    # The hours of a whole list expire on one day: a blocking check would withhold all new data.
    drop_check(
        RESOURCES, "resource_type", "current_hours_by_type", where=_SAYS_HOURS, blocking=False
    ),
]


@dg.multi_asset(
    ins={"clusters": read(CLUSTERS), "edits": read(EDITS_TABLE)},
    deps=keys_of(
        [LOCATED.name, ZIPS.name, CITIES.name, WEBSITE_PROBES.name, PHONE_VALIDATIONS.name]
    ),
    outs=outs_of("directory", *_TABLES),
    can_subset=True,
)
def core_directory(
    context: dg.AssetExecutionContext,
    workspace: Workspace,
    clusters: pd.DataFrame,
    edits: pd.DataFrame,
) -> Iterator[dg.Output[Any]]:
    """Make resources, their source records and the registry of ids; begin a release."""
    release_id = new_release_id(workspace)
    workspace.begin_release(release_id)
    located = workspace.read(
        LOCATED.name, ["source_id", "source_key", "source_updated_date", "location_precision"]
    )
    # Only records that share a cluster need a rank.
    is_shared = clusters["cluster_id"].duplicated(keep=False)
    ranks = rank_records(located[is_shared], built_sources()).reindex(clusters.index)
    ids, identities = assign_ids(
        clusters, ranks, read_served_table(workspace, IDENTITIES), release_id
    )
    merged = clusters[["match_reason"]].assign(resource_id=ids)
    tables = merge_in_ranges(workspace, release_id, merged, target_edits(edits, identities))
    tables[IDENTITIES.name] = identities
    yield from outputs(context, {table: tables[table.name] for table in _TABLES})


def new_release_id(workspace: Workspace) -> str:
    """Return an id from the time of the build and a digest of its places and code.

    Ids of later releases sort later, even if the clock was set back.
    """
    newest = [time_of(release_id) for release_id in workspace.releases.ids()[-1:]]
    at = max([datetime.now(UTC), *(time + timedelta(seconds=1) for time in newest)])
    places = content_digest(workspace.path(LOCATED.name))
    return f"{at:%Y%m%dT%H%M%SZ}-{digest_of(places, code_version())[:8]}"
