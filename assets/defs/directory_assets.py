"""The directory itself: which records are the same place, under which id, as one record each."""

from collections.abc import Iterator
from datetime import UTC, datetime

import dagster as dg
import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from assets.attributes.service_area import place_names
from assets.behaviour import no_changes
from assets.defs.apply_behaviour_rules import judged
from assets.defs.code_version import tree_digest
from assets.defs.freshness import Recipe, is_made, recipe_of, reused
from assets.defs.lineage import recorded
from assets.defs.source_assets import OWNERS, all_rejects, located_name, reject_tables, rejects_name
from assets.defs.table_asset import table_asset
from assets.defs.workspace import Workspace, digest_of, measured
from assets.edits import Edited, apply_edits
from assets.geography.place_points import locate
from assets.identity import assign_ids
from assets.places import Directory, merge_records, rank_records
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
    IDENTITIES,
    LOCATED,
    RECORD_SOURCES,
    REJECTS,
    RESOURCES,
    ZIPS,
)
from schemas.tables.out import TYPE_COUNTS
from warehouse.parquet import as_arrow, content_digest, read_arrow, read_frame

EDITS_TABLE = sources()["operations_edits"].core_table
PLACE_SOURCES = [s for s in sources().values() if s.yields == "places"]
_KINDS = {"pandas", "parquet"}


@dg.asset(
    group_name="directory",
    kinds=_KINDS,
    owners=OWNERS,
    description=LOCATED.description,
    deps=[located_name(s) for s in PLACE_SOURCES],
)
@recorded()
def _core_directory__located(workspace: Workspace) -> dg.MaterializeResult:
    recipe = recipe_of(workspace, tables=map(located_name, PLACE_SOURCES), settings=[LOCATED])
    if is_made(workspace, recipe, LOCATED.name):
        return reused(workspace, recipe, LOCATED.name)
    with measured() as step:
        # As they lie on disk: nothing is computed here that would need frames.
        located = pa.concat_tables(
            read_arrow(workspace.path(located_name(s))) for s in PLACE_SOURCES
        )
        if not located.num_rows:
            raise ValueError("no source has yielded a place; are these the publishers' files?")
        metadata = workspace.write(LOCATED.name, located, LOCATED, recipe.notes)
    return dg.MaterializeResult(
        metadata={**metadata, **step.metadata()}, data_version=recipe.version
    )


# The first of them is written last: its digest vouches for all.
_MADE_TOGETHER = (RESOURCES, RECORD_SOURCES, IDENTITIES, RULE_OBSERVATIONS, AUTOMATIC_CHANGES)
# What a build remembers of the release that is served.
_HISTORY = (IDENTITIES, RULE_OBSERVATIONS, AUTOMATIC_CHANGES)
_BY_RESOURCE = (RESOURCES, RECORD_SOURCES, RULE_OBSERVATIONS)
# Records that are merged at a time; bounds memory, changes nothing else.
_RECORDS_AT_ONCE = 200_000


@dg.multi_asset(
    name="core_directory",
    group_name="directory",
    specs=[
        dg.AssetSpec(
            table.name,
            description=table.description,
            kinds=_KINDS,
            owners=OWNERS,
            deps=[
                "_core_directory__located",
                "_core_directory__clusters",
                ZIPS.name,
                CITIES.name,
                WEBSITE_PROBES.name,
                PHONE_VALIDATIONS.name,
                EDITS_TABLE,
            ],
        )
        for table in _MADE_TOGETHER
    ],
)
@recorded(continues_served=True)
def core_directory(context: dg.AssetExecutionContext, workspace: Workspace):  # type: ignore[no-untyped-def]
    """Resources, their source records and the registry of ids, made together so that they agree."""
    release_id = new_release_id(workspace)
    workspace.begin_release(release_id)
    recipe, notes = _directory_recipe(workspace)
    if _is_directory_made(workspace, notes["base_digest"], recipe):
        context.log.info("records, clusters and what the served release remembers are unchanged")
        for table in _MADE_TOGETHER:
            yield reused(workspace, recipe, table.name, asset_key=table.name)
        return
    with measured() as step:
        frames = _directory(workspace, release_id)
    for table in reversed(_MADE_TOGETHER):
        metadata = workspace.write(
            table.name, frames.pop(table.name), table, {**notes, "release_id": release_id}
        )
        yield dg.MaterializeResult(
            asset_key=table.name,
            metadata={**metadata, **step.metadata()},
            data_version=recipe.version,
        )


def _directory(workspace: Workspace, release_id: str) -> dict[str, pd.DataFrame | pa.Table]:
    """Make the tables of the directory, by name."""
    clusters = workspace.read(CLUSTERS.name)
    ids, identities = assign_ids(
        clusters, _ranks(workspace, clusters), previous_identities(workspace), release_id
    )
    tables = _made_in_parts(workspace, release_id, clusters, ids, identities)
    return {**tables, IDENTITIES.name: identities}


def _ranks(workspace: Workspace, clusters: pd.DataFrame) -> pd.Series:
    """`rank_records` of the records that share a cluster; of the others, which lead theirs, nothing
    is asked.
    """
    located = workspace.read(
        LOCATED.name, ["source_id", "source_key", "source_updated_date", "location_precision"]
    )
    is_shared = clusters["cluster_id"].duplicated(keep=False)
    return rank_records(located[is_shared], sources()).reindex(clusters.index)


def _made_in_parts(
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
        final = judged(edited.directory, workspace, release_id, edited.closures, audit)
        audit = final.changes
        frames = (final.resources, edited.directory.record_sources, final.observations)
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


def _directory_recipe(workspace: Workspace) -> tuple[Recipe, dict[str, str]]:
    """What the directory is made from; the notes tell it from what is remembered of the served
    release.
    """
    base = recipe_of(
        workspace,
        tables=[
            LOCATED.name,
            CLUSTERS.name,
            ZIPS.name,
            CITIES.name,
            WEBSITE_PROBES.name,
            PHONE_VALIDATIONS.name,
            EDITS_TABLE,
        ],
        code=[_directory],
        settings=[*_MADE_TOGETHER, workspace.as_of_date, workspace.data_license],
    )
    recipe = Recipe(digest_of(base.digest, *_served_history(workspace)))
    return recipe, {"base_digest": base.digest, **recipe.notes}


def _is_directory_made(workspace: Workspace, base: str, recipe: Recipe) -> bool:
    """Made from the same, or made from the same before it was released: then it remembers itself.

    Making it once more from its own ids, observations and changes would change none of them.
    """
    if is_made(workspace, recipe, *(t.name for t in _MADE_TOGETHER)):
        return True
    has_base = all(workspace.notes(t.name).get("base_digest") == base for t in _MADE_TOGETHER)
    own = [content_digest(workspace.path(t.name)) for t in _HISTORY]
    return has_base and own == _served_history(workspace)


def _served_history(workspace: Workspace) -> list[str | None]:
    current = workspace.releases.current()
    if current is None:
        return [None] * len(_HISTORY)
    exports = workspace.releases.folder(current) / "exports"
    return [content_digest(exports / f"{t.name}.parquet") for t in _HISTORY]


def new_release_id(workspace: Workspace) -> str:
    """Time of the build and a digest of what it is made from."""
    inputs = (workspace.notes(located_name(s)).get("input_digest") for s in PLACE_SOURCES)
    code = tree_digest("assets", "schemas", "warehouse")
    return f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}-{digest_of(*inputs, code)[:8]}"


def previous_identities(workspace: Workspace) -> pd.DataFrame | None:
    """The id registry of the release that is served; None before the first."""
    current = workspace.releases.current()
    if current is None:
        return None
    return read_frame(workspace.releases.folder(current) / "exports" / f"{IDENTITIES.name}.parquet")


@dg.asset(
    group_name="directory",
    kinds=_KINDS,
    owners=OWNERS,
    description=REJECTS.description,
    deps=[
        *(rejects_name(s) for s in sources().values()),
        *(located_name(s) for s in PLACE_SOURCES),
    ],
)
@recorded()
def core_directory__rejects(workspace: Workspace) -> dg.MaterializeResult:
    known = list(sources().values())
    recipe = recipe_of(workspace, tables=reject_tables(known), settings=[REJECTS])
    if is_made(workspace, recipe, REJECTS.name):
        return reused(workspace, recipe, REJECTS.name)
    with measured() as step:
        rejects = all_rejects(known, workspace)
        metadata = workspace.write(REJECTS.name, rejects, REJECTS, recipe.notes)
    top = rejects["reject_reason"].value_counts().head(20)
    table = "\n".join(
        ["| reason | rows |", "| --- | --- |", *(f"| {r} | {n} |" for r, n in top.items())]
    )
    return dg.MaterializeResult(
        metadata={**metadata, **step.metadata(), "reasons": dg.MetadataValue.md(table)},
        data_version=recipe.version,
    )


@table_asset(
    TYPE_COUNTS,
    reads={RESOURCES.name: ["state", "resource_type", "is_active"]},
    group="directory",
)
def out_directory__type_counts(resources: pd.DataFrame) -> pd.DataFrame:
    by_type = resources[resources["is_active"]].groupby(["state", "resource_type"], sort=True)
    return by_type.size().rename("resource_count").reset_index()
