"""Three assets for every source of the registry: its raw files, its places, its places on the map.

Adding a source adds a YAML file and a module; nothing here changes.
"""

import logging
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import dagster as dg
import pandas as pd

from assets.defs.code_version import code_digest, root_of
from assets.defs.files import fetch_files
from assets.defs.geocoding import geocoded_places
from assets.defs.lineage import FAILED, recorded
from assets.defs.source_failures import (
    FETCHING,
    MAX_RETRIES,
    READING,
    SourceFailure,
    ask_for_retry,
    clear_failure,
    failure_of,
    is_transient,
    note_failure,
    raise_unless_of_source,
)
from assets.defs.workspace import Workspace, digest_of, measured
from assets.geocode.chain import Geocoded, with_points
from assets.geography.model import Geography
from assets.geography.place_points import locate
from assets.hours.columns import with_hours
from assets.sources.assemble import Assembled, as_rejects, assemble
from assets.sources.contract import RawFile, contract_table, module_name
from schemas.sources.registry import Source
from schemas.tables.core import LOCATED, RAW_FILES, REJECTS

OWNERS = ["team:data"]
UP_TO_DATE = "up_to_date"


def source_assets(source: Source) -> list[dg.AssetsDefinition]:
    """raw -> core -> located for a source of places; raw -> core for one of disaster areas."""
    found = [_raw(source), _core(source)]
    return [*found, _located(source)] if source.yields == "places" else found


def rejects_name(source: Source) -> str:
    return f"core_{source.id}__rejects"


def located_name(source: Source) -> str:
    return f"_core_{source.id}__located"


def _raw(source: Source) -> dg.AssetsDefinition:
    @dg.asset(
        name=source.raw_table,
        group_name=source.id,
        description=f"Files of {source.publisher}: {source.title}. The bytes are kept before anything is parsed.",
        kinds={"file"},
        owners=OWNERS,
        freshness_policy=dg.FreshnessPolicy.time_window(
            fail_window=timedelta(days=source.freshness_days)
        ),
        metadata={
            "publisher": source.publisher,
            "homepage": dg.MetadataValue.url(source.homepage),
            "license": source.license.name,
            "cadence": source.cadence,
        },
    )
    @recorded()
    def raw(context: dg.AssetExecutionContext, workspace: Workspace) -> dg.MaterializeResult:
        with measured() as step:
            files, failure = _fetched(source, workspace, context.log, context.retry_number)
            metadata = workspace.write(source.raw_table, files, RAW_FILES)
        version = digest_of(*sorted(files["sha256"]))
        failed = {FAILED: failure.reason} if failure else {}
        return dg.MaterializeResult(
            metadata={**metadata, **step.metadata(), **failed},
            data_version=dg.DataVersion(version[:16]),
        )

    return raw


def _fetched(
    source: Source, workspace: Workspace, log: logging.Logger, retry_number: int
) -> tuple[pd.DataFrame, SourceFailure | None]:
    """The list of a source's files; after a failure that of the last good ones, and why.

    Raises RetryRequested when another attempt may help.
    """
    try:
        files = fetch_files(source, workspace, log.info)
    except Exception as error:
        raise_unless_of_source(error, workspace)
        if is_transient(error) and retry_number < MAX_RETRIES:
            ask_for_retry(error, retry_number)
        failure = note_failure(source, workspace, FETCHING, error, log.warning)
        has_earlier = workspace.path(source.raw_table).exists()
        empty = pd.DataFrame(columns=RAW_FILES.field_names)
        return workspace.read(source.raw_table) if has_earlier else empty, failure
    clear_failure(source, workspace, FETCHING)
    return files, None


def raw_files(source: Source, workspace: Workspace) -> list[RawFile]:
    """The kept files of a source in the order in which they are read."""
    files = []
    for row in workspace.read(source.raw_table).to_dict("records"):
        layout = source.layout_of(row["file_name"])
        if layout is None:
            raise ValueError(f"{source.id}: no layout for {row['file_name']}")
        files.append(
            RawFile(
                source_id=source.id,
                name=row["file_name"],
                path=workspace.root / row["stored_as"],
                sha256=row["sha256"],
                layout=layout.layout,
                retrieved_at=row["retrieved_at"].to_pydatetime(),
                vintage=source.vintage_of(row["file_name"]),
                is_synthetic=workspace.is_synthetic,
            )
        )
    return files


def _core(source: Source) -> dg.AssetsDefinition:
    table = contract_table(source)

    @dg.multi_asset(
        name=source.core_table,
        group_name=source.id,
        specs=[
            dg.AssetSpec(
                source.core_table,
                deps=[source.raw_table],
                kinds={"pandas", "parquet"},
                owners=OWNERS,
                description=f"{table.description} Source: {source.title}.",
            ),
            dg.AssetSpec(
                rejects_name(source),
                deps=[source.raw_table],
                kinds={"pandas", "parquet"},
                owners=OWNERS,
                description=f"Rows of {source.title} that were read and not used, each with the reason.",
            ),
        ],
        check_specs=[
            dg.AssetCheckSpec(
                UP_TO_DATE,
                asset=source.core_table,
                description="The last attempt to fetch and read the source succeeded. It blocks nothing: the last good tables stay in use.",
            )
        ],
    )
    @recorded()
    def core(context: dg.AssetExecutionContext, workspace: Workspace):  # type: ignore[no-untyped-def]
        try:
            reading = _read(source, workspace)
        except Exception as error:
            raise_unless_of_source(error, workspace)
            failure = note_failure(source, workspace, READING, error, context.log.warning)
            yield from _last_good(source, workspace, failure)
        else:
            clear_failure(source, workspace, READING)
            yield from _written(source, workspace, reading, context.log)
        yield _up_to_date(source, workspace)

    return core


@dataclass(frozen=True)
class _Reading:
    """What was read under a digest of its inputs; `assembled` is None when the tables on disk are
    of these.
    """

    digest: str
    came: dict[str, str]
    assembled: Assembled | None = None
    cost: dict[str, Any] = field(default_factory=dict)


def _read(source: Source, workspace: Workspace) -> _Reading:
    """Read a source's files, unless bytes and code are those of the tables on disk."""
    files, table = raw_files(source, workspace), contract_table(source)
    digest = digest_of(
        *(f.sha256 for f in files),
        *(f.name for f in files),
        workspace.is_synthetic,
        table,
        code_digest(root_of(assemble), f"assets.sources.{module_name(source)}"),
        repr(source.layouts),
    )
    came = {file.name: file.retrieved_at.isoformat() for file in files}
    tables = (source.core_table, rejects_name(source))
    if all(workspace.is_current(name, digest) for name in tables):
        return _Reading(digest, came)
    with measured() as step:
        assembled = assemble(source, files)
    return _Reading(digest, came, assembled, step.metadata())


def _written(
    source: Source, workspace: Workspace, reading: _Reading, log: logging.Logger
) -> Iterator[dg.MaterializeResult]:
    version = dg.DataVersion(reading.digest[:16])
    assembled = reading.assembled
    if assembled is None:
        log.info(f"{source.id}: bytes and code are unchanged, nothing is parsed again")
        for name in (source.core_table, rejects_name(source)):
            metadata = {"reused": True, **workspace.notes(name), **workspace.shown(name)}
            yield dg.MaterializeResult(asset_key=name, metadata=metadata, data_version=version)
        return
    digest = {"input_digest": reading.digest}
    rejects = workspace.write(rejects_name(source), assembled.rejects, REJECTS, digest)
    reasons = assembled.rejects["reject_reason"].value_counts().to_dict()
    yield dg.MaterializeResult(
        asset_key=rejects_name(source),
        data_version=version,
        metadata={**rejects, "reasons": reasons, **reading.cost},
    )
    # The core table is written last: its digest vouches for both.
    notes = {"rows_read": assembled.rows_read, "files": reading.came, **reading.cost}
    table = contract_table(source)
    metadata = workspace.write(source.core_table, assembled.accepted, table, {**digest, **notes})
    yield dg.MaterializeResult(
        asset_key=source.core_table, metadata={**metadata, **notes}, data_version=version
    )


def _up_to_date(source: Source, workspace: Workspace) -> dg.AssetCheckResult:
    """Shows in Dagster that a source failed, in fetching or in reading; the build goes on."""
    failure = failure_of(source, workspace)
    return dg.AssetCheckResult(
        asset_key=source.core_table,
        check_name=UP_TO_DATE,
        passed=failure is None,
        severity=dg.AssetCheckSeverity.WARN,
        description=f"{failure.failed_at}: {failure.reason}" if failure else "fetched and read",
    )


def _last_good(
    source: Source, workspace: Workspace, failure: SourceFailure
) -> Iterator[dg.MaterializeResult]:
    """The tables of the last build that could read the source, left as they are; empty ones where
    there are none.
    """
    tables = ((rejects_name(source), REJECTS), (source.core_table, contract_table(source)))
    for name, table in tables:
        if not workspace.path(name).exists():
            empty = pd.DataFrame(columns=table.field_names)
            workspace.write(name, empty, table, {"rows_read": 0, "files": {}})
        notes = workspace.notes(name)
        yield dg.MaterializeResult(
            asset_key=name,
            metadata={**notes, FAILED: failure.reason},
            # As it was: nothing below has to be made again.
            data_version=dg.DataVersion(notes.get("input_digest", "none")[:16]),
        )


def _located(source: Source) -> dg.AssetsDefinition:
    name = located_name(source)

    @dg.asset(
        name=name,
        group_name=source.id,
        deps=[source.core_table, "core_geography__zips", "core_geography__cities"],
        kinds={"pandas", "parquet"},
        owners=OWNERS,
        description=f"{LOCATED.description} Source: {source.title}.",
    )
    @recorded()
    def located(context: dg.AssetExecutionContext, workspace: Workspace) -> dg.MaterializeResult:
        geocoded = geocoded_places(
            source.core_table, workspace, context.run.run_id, context.log.info
        )
        digest = digest_of(
            workspace.notes(source.core_table).get("input_digest"),
            workspace.notes("core_geography__zips").get("input_digest"),
            geocoded.digest,
            LOCATED,
            code_digest(root_of(_placed)),
        )
        version = dg.DataVersion(digest[:16])
        if workspace.is_current(name, digest):
            context.log.info(f"{source.id}: places and geography are unchanged")
            return dg.MaterializeResult(
                metadata={"reused": True, **workspace.notes(name), **workspace.shown(name)},
                data_version=version,
            )
        with measured() as step:
            core = workspace.read(source.core_table)
            # Most builds lack the files of many sources: of those there is nothing to locate.
            if core.empty:
                frame, rejects = (pd.DataFrame(columns=t.field_names) for t in (LOCATED, REJECTS))
            else:
                frame, rejects = _placed(core, geocoded, workspace.geography())
        workspace.write(f"{name}_rejects", rejects, REJECTS)
        notes = {"input_digest": digest, **geocoded.counts, **step.metadata()}
        metadata = workspace.write(name, frame, LOCATED, notes)
        return dg.MaterializeResult(
            metadata={**metadata, **geocoded.counts, **step.metadata(), "rejected": len(rejects)},
            data_version=version,
        )

    return located


def _placed(
    core: pd.DataFrame, geocoded: Geocoded, geography: Geography
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return places with points and opening hours, and the rejects among them."""
    frame, rejected = locate(with_points(core, geocoded), geography)
    return with_hours(frame), as_rejects(rejected) if "row_json" not in rejected else rejected


def reject_tables(sources: list[Source]) -> list[str]:
    """Names of the tables of rejects, from reading and from locating."""
    names = [rejects_name(s) for s in sources]
    return names + [f"{located_name(s)}_rejects" for s in sources if s.yields == "places"]


def all_rejects(sources: list[Source], workspace: Workspace) -> pd.DataFrame:
    """Rejects of all sources, from reading to locating, in one frame."""
    frames = [frame for name in reject_tables(sources) if len(frame := workspace.read(name))]
    return (
        pd.concat(frames, ignore_index=True)
        if frames
        else pd.DataFrame(columns=REJECTS.field_names)
    )
