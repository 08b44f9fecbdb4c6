"""The directory itself: which records are the same place, under which id, as one record each."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import dagster as dg
import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from assets.attributes.service_area import place_names
from assets.directory.behaviour import no_changes
from assets.directory.edits import Edited, apply_edits
from assets.directory.home_deliveries import REJECT_COLUMNS, home_deliveries
from assets.directory.identity import assign_ids
from assets.directory.places import Directory, merge_records, rank_records
from assets.directory.rules import apply_behaviour_rules
from assets.directory.statements import statements
from assets.geography.place_points import locate
from assets.sources.assets import all_rejects, located_name, reject_tables, rejects_name
from assets.steps.checks import ALL, drop_check
from assets.steps.code_version import tree_digest
from assets.steps.decorators import Made, asset_spec, load_path, make_tables, step, table_asset
from assets.steps.freshness import fingerprint_of
from assets.steps.served import served_table
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
from warehouse.parquet import as_arrow, read_arrow

EDITS_TABLE = sources()["operations_edits"].core_table
PLACE_SOURCES = [s for s in sources().values() if s.yields == "places"]


@table_asset(
    LOCATED,
    reads=dict.fromkeys(located_name(s) for s in PLACE_SOURCES),
    group="directory",
    load=load_path,
)
def _core_directory__located(*paths: Path) -> pa.Table:
    # As they lie on disk: nothing is computed here that would need frames.
    located = pa.concat_tables(map(read_arrow, paths))
    if not located.num_rows:
        raise ValueError("no source has yielded a place; are these the publishers' files?")
    return located


_REJECTED = [
    *(rejects_name(s) for s in sources().values()),
    *(located_name(s) for s in PLACE_SOURCES),
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
    """Read rejects of all sources, from reading and from locating, which are no assets, and list
    those among them that bring food home."""
    reads: Reads = dict.fromkeys(reject_tables())
    fingerprint = fingerprint_of(workspace, reads, [_rejects], [REJECTS])
    yield from make_tables(workspace, fingerprint, [REJECTS], lambda: _rejects(workspace))
    rights = workspace.rights_of(*sources().values())
    settings = [HOME_DELIVERIES, rights, workspace.data_license]
    fingerprint = fingerprint_of(workspace, _OF_DELIVERIES, [home_deliveries], settings)

    def make() -> Made:
        rejects, zips, cities = (
            workspace.read(name, columns) for name, columns in _OF_DELIVERIES.items()
        )
        names = place_names(zips, cities)
        return Made([home_deliveries(rejects, zips, rights, names, workspace.data_license)])

    yield from make_tables(workspace, fingerprint, [HOME_DELIVERIES], make)


def _rejects(workspace: Workspace) -> Made:
    rejects = all_rejects(workspace)
    top = rejects["reject_reason"].value_counts().head(20)
    rows = (f"| {reason} | {count} |" for reason, count in top.items())
    return Made([rejects], {"reasons": "\n".join(["| reason | rows |", "| --- | --- |", *rows])})


# Made together so that they agree.
_TABLES = (AUTOMATIC_CHANGES, RULE_OBSERVATIONS, STATEMENTS, IDENTITIES, RECORD_SOURCES, RESOURCES)
_BY_RESOURCE = (RESOURCES, RECORD_SOURCES, RULE_OBSERVATIONS, STATEMENTS)
# Records that are merged at a time; bounds memory, changes nothing else.
_RECORDS_AT_ONCE = 100_000


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
        # Hours of a whole list grow too old on one day: to stop would withhold all else that is new.
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
        lambda: Made(_directory(workspace, release_id)),
        continues_served=True,
    )


def _directory(workspace: Workspace, release_id: str) -> list[pd.DataFrame | pa.Table]:
    """Make the tables of the directory, in the order of `_TABLES`."""
    clusters = workspace.read(CLUSTERS.name)
    ids, identities = assign_ids(
        clusters, _ranks(workspace, clusters), served_table(workspace, IDENTITIES), release_id
    )
    tables = _merge_in_parts(workspace, release_id, clusters, ids, identities)
    return [identities if table is IDENTITIES else tables[table.name] for table in _TABLES]


def _ranks(workspace: Workspace, clusters: pd.DataFrame) -> pd.Series:
    """`rank_records` of the records that share a cluster; of the others, which lead theirs, nothing
    is asked.
    """
    located = workspace.read(
        LOCATED.name, ["source_id", "source_key", "source_updated_date", "location_precision"]
    )
    is_shared = clusters["cluster_id"].duplicated(keep=False)
    return rank_records(located[is_shared], sources()).reindex(clusters.index)


def _merge_in_parts(
    workspace: Workspace,
    release_id: str,
    clusters: pd.DataFrame,
    ids: pd.Series,
    identities: pd.DataFrame,
) -> dict[str, pa.Table]:
    """Make the tables of the resources; `clusters` and `ids` are of the rows of `LOCATED`.

    A resource is made of its own records, so that they are taken a range of ids at a time: memory
    does not grow with the directory. Only the account of changes goes on from range to range.
    """
    parts: dict[str, list[pa.Table]] = {t.name: [] for t in _BY_RESOURCE}
    audit: pd.DataFrame | None = None
    records = read_arrow(workspace.path(LOCATED.name))
    names = place_names(workspace.read(ZIPS.name), workspace.read(CITIES.name))
    for some in parts_of(ids, _RECORDS_AT_ONCE):
        located = _as_frame(records.take(pa.array(some)))
        directory = merge_records(
            located,
            clusters.iloc[some].set_axis(located.index),
            ids.iloc[some].set_axis(located.index),
            rank_records(located, sources()),
            sources(),
            as_of=pd.Timestamp(workspace.as_of_date),
            data_license=workspace.data_license,
            names=names,
        )
        if directory.resources.empty:
            continue
        edited = with_edits(directory, identities, workspace)
        final = apply_behaviour_rules(
            edited.directory, workspace, release_id, edited.closures, audit
        )
        audit = final.changes
        behind = edited.directory.record_sources
        stated = statements(behind, located, final.resources)
        frames = (final.resources, behind, final.observations, stated)
        for table, frame in zip(_BY_RESOURCE, frames, strict=True):
            parts[table.name].append(as_arrow(frame, table))
    tables = {
        t.name: pa.concat_tables([t.arrow_schema().empty_table(), *parts[t.name]])
        for t in _BY_RESOURCE
    }
    changes = no_changes() if audit is None else audit
    return {**tables, AUTOMATIC_CHANGES.name: as_arrow(changes, AUTOMATIC_CHANGES)}


def _as_frame(rows: pa.Table) -> pd.DataFrame:
    """Convert rows as `read_frame` does."""
    types = {pa.int64(): pd.Int64Dtype(), pa.bool_(): pd.BooleanDtype()}
    return rows.to_pandas(types_mapper=types.get)


def parts_of(ids: pd.Series, size: int) -> Iterator[NDArray[np.int64]]:
    """Yield positions of some `size` records at a time, never parting those of one resource id."""
    known = ids.to_numpy(dtype=np.int64)
    places = np.argsort(known, kind="stable")
    known = known[places]
    first = 0
    while first < len(places):
        last = min(first + size, len(places)) - 1
        end = int(np.searchsorted(known, known[last], side="right"))
        yield np.sort(places[first:end])
        first = end


def with_edits(directory: Directory, identities: pd.DataFrame, workspace: Workspace) -> Edited:
    """The directory with what people wrote and a person approved."""

    def located(places: pd.DataFrame) -> pd.DataFrame:
        return locate(places, workspace.geography())[0]

    edits = workspace.read(EDITS_TABLE)
    return apply_edits(directory, edits, identities, workspace.as_of_date, located)


def new_release_id(workspace: Workspace) -> str:
    """Time of the build and a digest of what it is made from."""
    inputs = (workspace.notes(located_name(s)).get(FINGERPRINT) for s in PLACE_SOURCES)
    code = tree_digest("assets", "schemas", "warehouse")
    return f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}-{digest_of(*inputs, code)[:8]}"
