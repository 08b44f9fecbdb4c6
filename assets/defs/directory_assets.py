"""The directory itself: which records are the same place, under which id, as one record each."""

from datetime import UTC, datetime

import dagster as dg
import pandas as pd

from assets.defs.judging import judged
from assets.defs.source_assets import OWNERS, all_rejects, located_name, rejects_name
from assets.defs.workspace import Workspace, code_digest, digest_of, measured
from assets.identity import assign_ids
from assets.places import merge_records, rank_records
from schemas.sources.registry import sources
from schemas.tables.checks import (
    AUTOMATIC_CHANGES,
    PHONE_VALIDATIONS,
    RULE_OBSERVATIONS,
    WEBSITE_PROBES,
)
from schemas.tables.core import (
    IDENTITIES,
    LOCATED,
    RECORD_SOURCES,
    REJECTS,
    RESOURCES,
)
from schemas.tables.out import TYPE_COUNTS
from warehouse.parquet import read_frame

PLACE_SOURCES = [s for s in sources().values() if s.yields == "places"]
_KINDS = {"pandas", "parquet"}


@dg.asset(
    group_name="directory", kinds=_KINDS, owners=OWNERS, description=LOCATED.description,
    deps=[located_name(s) for s in PLACE_SOURCES],
)  # fmt: skip
def _core_directory__located(workspace: Workspace) -> dg.MaterializeResult:
    with measured() as step:
        frames = [frame for s in PLACE_SOURCES if len(frame := workspace.read(located_name(s)))]
        if not frames:
            raise ValueError("no source has yielded a place; are these the publishers' files?")
        located = pd.concat(frames, ignore_index=True)
        metadata = workspace.write("_core_directory__located", located, LOCATED)
    return dg.MaterializeResult(metadata={**metadata, **step.metadata()})


@dg.multi_asset(
    name="core_directory",
    group_name="directory",
    specs=[
        dg.AssetSpec(table.name, description=table.description, kinds=_KINDS, owners=OWNERS,
                     deps=["_core_directory__located", "_core_directory__clusters", "core_geography__zips",
                           WEBSITE_PROBES.name, PHONE_VALIDATIONS.name])
        for table in (RESOURCES, RECORD_SOURCES, IDENTITIES, RULE_OBSERVATIONS, AUTOMATIC_CHANGES)
    ],
)  # fmt: skip
def core_directory(context: dg.AssetExecutionContext, workspace: Workspace):  # type: ignore[no-untyped-def]
    """Resources, their source records and the registry of ids, made together so that they agree."""
    with measured() as step:
        located = workspace.read("_core_directory__located")
        clusters = workspace.read("_core_directory__clusters")
        ranks = rank_records(located, sources())
        release_id = new_release_id(workspace)
        ids, identities = assign_ids(clusters, ranks, previous_identities(workspace), release_id)
        directory = merge_records(
            located, clusters, ids, ranks, sources(),
            as_of=pd.Timestamp(workspace.as_of_date), data_license=workspace.data_license,
        )  # fmt: skip
        final = judged(directory, workspace, release_id)
    context.log.info(f"{len(located)} records became {len(directory.resources)} resources")
    for table, frame in (
        (RECORD_SOURCES, directory.record_sources), (IDENTITIES, identities), (RESOURCES, final.resources),
        (RULE_OBSERVATIONS, final.observations), (AUTOMATIC_CHANGES, final.changes),
    ):  # fmt: skip
        metadata = workspace.write(table.name, frame, table, {"release_id": release_id})
        yield dg.MaterializeResult(asset_key=table.name, metadata={**metadata, **step.metadata()})


def new_release_id(workspace: Workspace) -> str:
    """Time of the build and a digest of what it is made from."""
    inputs = (workspace.notes(located_name(s)).get("input_digest") for s in PLACE_SOURCES)
    code = code_digest("assets", "schemas", "warehouse")
    return f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}-{digest_of(*inputs, code)[:8]}"


def previous_identities(workspace: Workspace) -> pd.DataFrame | None:
    """The id registry of the release that is served; None before the first."""
    current = workspace.releases.current()
    if current is None:
        return None
    return read_frame(workspace.releases.folder(current) / "exports" / f"{IDENTITIES.name}.parquet")


@dg.asset(
    group_name="directory", kinds=_KINDS, owners=OWNERS, description=REJECTS.description,
    deps=[*(rejects_name(s) for s in sources().values()), *(located_name(s) for s in PLACE_SOURCES)],
)  # fmt: skip
def core_directory__rejects(workspace: Workspace) -> dg.MaterializeResult:
    with measured() as step:
        rejects = all_rejects(list(sources().values()), workspace)
        metadata = workspace.write(REJECTS.name, rejects, REJECTS)
    top = rejects["reject_reason"].value_counts().head(20)
    table = "\n".join(
        ["| reason | rows |", "| --- | --- |", *(f"| {r} | {n} |" for r, n in top.items())]
    )
    return dg.MaterializeResult(
        metadata={**metadata, **step.metadata(), "reasons": dg.MetadataValue.md(table)}
    )


@dg.asset(
    group_name="directory", kinds=_KINDS, owners=OWNERS, description=TYPE_COUNTS.description,
    deps=[RESOURCES.name],
)  # fmt: skip
def out_directory__type_counts(workspace: Workspace) -> dg.MaterializeResult:
    with measured() as step:
        resources = workspace.read(RESOURCES.name, ["state", "resource_type", "is_active"])
        counts = (
            resources[resources["is_active"]]
            .groupby(["state", "resource_type"], sort=True).size().rename("resource_count").reset_index()
        )  # fmt: skip
        metadata = workspace.write(TYPE_COUNTS.name, counts, TYPE_COUNTS)
    return dg.MaterializeResult(metadata={**metadata, **step.metadata()})
