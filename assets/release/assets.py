"""Makes the release: every published table in one immutable folder, promoted after all checks
passed."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import dagster as dg
import pandas as pd
from msgspec import structs

from assets.directory.assets import PLACE_SOURCES
from assets.directory.places import is_publishable
from assets.hsds.assets import TEXTS
from assets.release.changes import changes_of
from assets.release.publish import bars, coverage_map, report_summary, source_entries
from assets.sources.assemble import HOME_DELIVERY
from assets.sources.assets import WITHHELD, name_located_asset
from assets.sources.failures import READING, failure_of
from assets.sources.updates import keep_served
from assets.steps.keys import keys_of, name_of, place_in_graph
from assets.steps.provenance import PRODUCT_FOLDERS, check_entries, mixture_faults
from assets.steps.tables import code_version, product_facts, product_files, product_of, show
from assets.steps.workspace import Workspace, digest_of
from schemas.api.exports import BulkIndex
from schemas.bulk import BULK_FOLDER, BULK_TABLES
from schemas.sources.registry import Source, built_sources
from schemas.tables.core import (
    CLUSTERS,
    FOOD_BANKS,
    HOME_DELIVERIES,
    LOCATED,
    RECORD_SOURCES,
    REJECTS,
    RESOURCES,
    ZIPS,
)
from schemas.tables.registry import PUBLISHED
from schemas.tables.veterans import VETERAN_DETAILS
from warehouse.checks.release_totals import total_faults
from warehouse.exports.bulk import BulkFacts, manifest_entries, read_index, write_bulk
from warehouse.files import link_tree
from warehouse.gzip_files import GZIP_ENDING
from warehouse.hsds.package import FOLDER as HSDS_FOLDER
from warehouse.index.service_files import write_service_files
from warehouse.parquet import row_count
from warehouse.release.manifest import FORMAT_VERSION, FileEntry, Manifest, SourceEntry
from warehouse.release.store import ReleaseError
from warehouse.release.tables import link_tables
from warehouse.storage.publish import describe_push, publish_if_set

PUBLICATION = "out_directory__publication"
RELEASE = "out_directory__release"


@dg.asset(
    **place_in_graph(PUBLICATION, "release"),
    kinds={"s3"},
    deps=keys_of([RELEASE]),
    description=(
        "The release in the object storage that LARDER_STORAGE_URL names, which replicas follow; "
        "nothing where it is not set. Files and manifest first, the pointer last. When it fails "
        "the release is served here all the same, and the next build, or `larder release push`, "
        "goes on where it ended."
    ),
)
def out_directory__publication(
    context: dg.AssetExecutionContext, workspace: Workspace
) -> dg.MaterializeResult:
    """Publish the release. Raises StorageError and ReleaseError: the run then fails although the
    release was promoted here."""
    publication = publish_if_set(workspace.releases)
    if publication is None:
        return dg.MaterializeResult(metadata={"published": False})
    pushed, url = publication
    summary = describe_push(pushed, url)
    context.log.info(summary)
    return dg.MaterializeResult(
        metadata={
            "published": True,
            "release_id": pushed.release_id,
            "storage": url,
            "files_sent": pushed.files_sent,
            "sent_mb": round(pushed.bytes_sent / 1e6, 1),
            "summary": summary,
        },
    )


# A build every night, with tolerance for one late build.
_NIGHTLY = dg.FreshnessPolicy.time_window(
    warn_window=timedelta(hours=26), fail_window=timedelta(hours=50)
)
_MAX_SHOWN = 12
_SHOWN = ["lat", "lng", "resource_type", "completeness_score", "schedules_json", "is_active"]


def release_asset(
    steps: Sequence[dg.AssetsDefinition], checks: Sequence[dg.AssetChecksDefinition]
) -> dg.AssetsDefinition:
    """Make the asset that seals and promotes a release from the assets of `steps`, whose blocking
    `checks` have passed."""
    made = [name_of(key) for step in steps for key in step.keys]
    blocking = [
        (name_of(spec.asset_key), spec.name)
        for each in checks
        for spec in each.check_specs
        if spec.blocking
    ]

    @dg.asset(
        **place_in_graph(RELEASE, "release"),
        kinds={"duckdb", "parquet"},
        code_version=code_version(),
        freshness_policy=_NIGHTLY,
        deps=keys_of([*(t.name for t in PUBLISHED), REJECTS.name, *PRODUCT_FOLDERS]),
        description=(
            "One immutable, verified release; the pointer `current` moves to it in one step. It "
            "is made only when every table and product was made from the content on disk, and "
            "every blocking check has passed on that content."
        ),
    )
    def out_directory__release(
        context: dg.AssetExecutionContext, workspace: Workspace
    ) -> dg.MaterializeResult:
        """Make the release. Raises ReleaseError naming the faulty contents or checks."""
        workspace.require_served_profile()
        store = workspace.releases
        with store.building() as staging:
            require_one_release(workspace, made, blocking)
            parent = _parent(workspace)
            entries = link_tables({t.name: workspace.path(t.name) for t in PUBLISHED}, staging)
            for folder in PRODUCT_FOLDERS.values():
                link_tree(workspace.product(folder), staging / folder)
            # A step of another run may have written in between.
            require_one_release(workspace, made, blocking)
            release_id = workspace.release_in_making
            manifest = Manifest(
                release_id=release_id,
                created_at=datetime.now(UTC).isoformat(timespec="seconds"),
                format_version=FORMAT_VERSION,
                code_version=code_version(),
                parent=parent,
                is_synthetic=workspace.is_synthetic,
                as_of_date=workspace.as_of_date.isoformat(),
                data_license=workspace.data_license,
                content_digest=digest_of(*(f"{e.name}:{e.digest}" for e in entries)),
                tables=entries,
                files=list_known_files(workspace, read_index(staging / BULK_FOLDER)),
                sources=account(workspace),
                checks=check_entries(workspace, blocking),
                notes=list(workspace.notes(ZIPS.name).get("notes", [])),
                profile=workspace.profile,
            )
            faults = total_faults(staging, entries)
            if faults:
                raise ReleaseError(f"{release_id} is not sealed: {'; '.join(faults)}")
            manifest = store.seal(staging, manifest)
        failed = [s.id for s in built_sources().values() if failure_of(s, workspace, [READING])]
        keep_served(workspace, manifest.release_id, failed)
        store.promote(manifest.release_id, sealed=manifest)
        context.log.info(f"release {manifest.release_id} is served")
        return dg.MaterializeResult(metadata=_metadata(workspace, manifest))

    release: dg.AssetsDefinition = out_directory__release
    return release


def require_one_release(
    workspace: Workspace, assets: Sequence[str], checks: Sequence[tuple[str, str]]
) -> None:
    """Raise ReleaseError if the files on disk are a mixture, or lack a passed check."""
    if faults := mixture_faults(workspace, assets, checks):
        more = len(faults) - _MAX_SHOWN
        shown = "; ".join(faults[:_MAX_SHOWN]) + (f"; and {more} more" if more > 0 else "")
        raise ReleaseError(
            f"the files on disk are not a consistent release; run build_release. {shown}"
        )


def _metadata(workspace: Workspace, manifest: Manifest) -> dict[str, Any]:
    """Return Dagster's metadata of a release: numbers, plotted over time, and pictures."""
    rows = {t.name: f"{t.rows} rows" for t in manifest.tables}
    resources = workspace.read(RESOURCES.name, _SHOWN)
    active = resources[resources["is_active"]]
    has_hours = active["schedules_json"].notna()
    tens = active["completeness_score"].floordiv(10).mul(10)
    return {
        "release_id": manifest.release_id,
        "dagster/row_count": manifest.table(RESOURCES.name).rows,
        "size_mb": round(sum(f.size_bytes for f in manifest.stored_files) / 1e6, 1),
        "sources": dg.MetadataValue.md(report_summary(manifest.sources, rows)),
        "coverage": dg.MetadataValue.md(coverage_map(active)),
        "percent_with_hours": round(100 * float(has_hours.mean()), 1) if len(active) else 0.0,
        "mean_completeness": round(float(active["completeness_score"].mean()), 1)
        if len(active)
        else 0.0,
        "hours": dg.MetadataValue.md(
            bars("type, % with hours", has_hours.groupby(active["resource_type"]).mean().mul(100))
        ),
        "completeness": dg.MetadataValue.md(
            bars("completeness from, places", tens.value_counts().sort_index())
        ),
    }


def list_known_files(workspace: Workspace, bulk: BulkIndex) -> list[FileEntry]:
    """Return the entries of files with known digests: products' files from their steps, and texts
    inside gzip files of HSDS."""
    entries = {
        f"{folder}/{path}": FileEntry(f"{folder}/{path}", 0, digest)
        for folder in PRODUCT_FOLDERS.values()
        for path, digest in product_files(workspace, folder).items()
    }
    for entry in manifest_entries(bulk):
        digest = entry.sha256 or entries.get(entry.path, entry).sha256
        entries[entry.path] = structs.replace(entry, sha256=digest)
    return [*entries.values(), *_hsds_texts(workspace)]


def _hsds_texts(workspace: Workspace) -> list[FileEntry]:
    texts = product_facts(workspace, HSDS_FOLDER).get(TEXTS, {})
    return [
        FileEntry(
            f"{HSDS_FOLDER}/{name}", size, digest, stored_in=f"{HSDS_FOLDER}/{name}{GZIP_ENDING}"
        )
        for name, (size, digest) in texts.items()
    ]


def _parent(workspace: Workspace) -> str | None:
    """Return the served release. Raises ReleaseError if the changes are relative to another."""
    current, compared = workspace.releases.current(), changes_of(workspace).older
    if current != compared:
        raise ReleaseError(
            f"{current or 'nothing'} is served now, but the changes were computed against"
            f" {compared or 'nothing'}: build again"
        )
    return current


def account(workspace: Workspace) -> list[SourceEntry]:
    """Account for every row read. Raises ValueError if the figures do not add up."""
    registry = built_sources()
    tables = {t.name for t in PUBLISHED}
    beside = {
        s.id: row_count(workspace.path(s.core_table))
        for s in registry.values()
        if s not in PLACE_SOURCES
    }
    # Records of registers outside the directory are published if they lead a record of the data set
    # for veterans.
    for_veterans = workspace.read(VETERAN_DETAILS.name, ["source_id"])["source_id"].value_counts()
    delivery_counts = {
        i: n if registry[i].core_table in tables else int(for_veterans.get(i, 0))
        for i, n in beside.items()
    }
    # An edit is not a place: it counts as merged into the place that it changes.
    record_sources = workspace.read(RECORD_SOURCES.name, ["source_id", "is_primary"])
    edit_counts = record_sources["source_id"].value_counts()
    edits = {i: int(edit_counts.get(i, 0)) for i in beside if registry[i].yields == "edits"}
    rejects, delivering = _home_deliveries(workspace)
    return source_entries(
        registry,
        rows_read={
            s.id: int(workspace.notes(s.core_table)["rows_read"]) for s in registry.values()
        },
        rejects=rejects,
        located=_publishable(workspace),
        record_sources=record_sources,
        raw_files={s.id: _files_read(s, workspace) for s in registry.values()},
        failures={
            s.id: (failure.failed_at, failure.reason)
            for s in registry.values()
            if (failure := failure_of(s, workspace))
        },
        published={i: delivery_counts[i] for i in beside} | delivering,
        withheld={i: n - delivery_counts[i] - edits.get(i, 0) for i, n in beside.items()}
        | {s.id: int(workspace.notes(name_located_asset(s))[WITHHELD]) for s in PLACE_SOURCES},
    )


def _home_deliveries(workspace: Workspace) -> tuple[pd.DataFrame, dict[str, int]]:
    """Return rejects without home deliveries, and the number of those rows by source."""
    keys = ["source_id", "source_key"]
    rejects = workspace.read(REJECTS.name, [*keys, "reject_reason"])
    published = pd.MultiIndex.from_frame(workspace.read(HOME_DELIVERIES.name, keys))
    set_aside = rejects[rejects["reject_reason"] == HOME_DELIVERY].drop_duplicates(keys)
    is_listed = pd.MultiIndex.from_frame(set_aside[keys]).isin(published)
    deliveries = set_aside[is_listed]
    return rejects.drop(deliveries.index), deliveries["source_id"].value_counts().to_dict()


def _files_read(source: Source, workspace: Workspace) -> pd.DataFrame:
    """Return `file_name` and `retrieved_at` of the files behind a source's tables."""
    if failure_of(source, workspace, [READING]) is None:
        return workspace.read(source.raw_table, ["file_name", "retrieved_at"])
    retrieval_times = workspace.notes(source.core_table).get("files", {})
    return pd.DataFrame(
        {
            "file_name": list(retrieval_times),
            "retrieved_at": pd.to_datetime(list(retrieval_times.values()), utc=True),
        }
    )


def _publishable(workspace: Workspace) -> pd.DataFrame:
    """Return each record's source and `is_publishable`. Raises ValueError if one has no cluster."""
    keys = ["source_id", "source_key"]
    facts = ["is_public", "is_confidential", "location_precision", "address", "zip"]
    located = workspace.read(LOCATED.name, [*keys, *facts])
    clusters = workspace.read(CLUSTERS.name, [*keys, "cluster_id"])
    # Both tables are sorted by these keys.
    if not located[keys].equals(clusters[keys]):
        raise ValueError(f"{CLUSTERS.name} is not about the records of {LOCATED.name}")
    return located[["source_id"]].assign(
        is_publishable=is_publishable(located, clusters["cluster_id"])
    )


# Writes the bulk files of a release.

BULK_ASSET = "out_directory__bulk"


@dg.asset(
    **product_of(
        BULK_ASSET,
        "release",
        kinds={"duckdb", "parquet", "geojson"},
        description=(
            "The whole directory for analysts: Parquet, GeoParquet, CSV, NDJSON, GeoJSON, map "
            "tiles, DuckDB."
        ),
        deps=[table.name for table in BULK_TABLES.values()],
    ),
)
def out_directory__bulk(workspace: Workspace) -> Iterator[dg.Output[Path]]:
    paths = {table.name: workspace.path(table.name) for table in BULK_TABLES.values()}
    about = BulkFacts(workspace.data_license, workspace.is_synthetic, workspace.as_of_date)
    with workspace.scratch() as folder:
        index = write_bulk(paths, folder, about)
        lines = [f"| {f.name} | {f.rows:,} | {f.size_bytes / 1e6:,.1f} |" for f in index.files]
        facts = {
            "dagster/row_count": index.files[0].rows,
            "files": "\n".join(["| file | rows | MB |", "|---|---|---|", *lines]),
            "license": index.license,
            "is_synthetic": index.is_synthetic,
        }
        yield dg.Output(folder, metadata=show(facts))


# Writes the files that the service reads.

_TABLES = (*PUBLISHED, FOOD_BANKS)


@dg.asset(
    **product_of(
        "out_directory__service_files",
        "release",
        kinds={"duckdb", "arrow"},
        description=(
            "Files that the service reads: every published table and the columns that searches read"
            " in one DuckDB file, and the records as JSON by row."
        ),
        deps=[table.name for table in _TABLES],
    ),
)
def out_directory__service_files(workspace: Workspace) -> Iterator[dg.Output[Path]]:
    with workspace.scratch() as folder:
        write_service_files({t.name: workspace.path(t.name) for t in _TABLES}, folder)
        sizes = {path.name: path.stat().st_size for path in sorted(folder.iterdir())}
        yield dg.Output(folder, metadata=sizes)
