"""Defines the two steps of every source in the registry (its raw files; its rows, rejects and
places) and the table of rights.

Fetching is a separate step, so that changed code or geography fetches nothing. Adding a source adds
a YAML file and a module; nothing here changes.
"""

import logging
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date
from typing import Any

import dagster as dg
import pandas as pd

from assets.attributes.reading import with_facts
from assets.attributes.service_area import PlaceNames, place_names
from assets.cleaning.people import PEOPLE_REMOVED
from assets.demo.write import DEMO_SOURCES
from assets.geocode.chain import Geocodes, with_points
from assets.geocode.geocoder import geocode_places
from assets.geography.model import Geography
from assets.geography.place_points import locate
from assets.hours.columns import with_hours
from assets.sources.assemble import PROGRAM_ENDED, as_rejects, assemble
from assets.sources.contract import (
    BY_COLUMNS,
    RawFile,
    contract_table,
    module_name,
    rejects_name,
)
from assets.sources.failures import (
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
from assets.sources.files import fetch_files
from assets.sources.own_process import read_within
from assets.sources.rights import permit_rows, rights_table, without_descriptions
from assets.sources.updates import ServedRows, UpdateHeldError, find_served
from assets.steps.code_version import code_digest, root_of
from assets.steps.decorators import (
    Output,
    asset_spec,
    column_schema,
    last_good,
    make_tables,
    result_of_table,
    step,
    table_asset,
)
from assets.steps.freshness import fingerprint_of
from assets.steps.lineage import FAILED
from assets.steps.stages import SOURCES
from assets.steps.workspace import FINGERPRINT, Workspace, digest_of, measure
from schemas.sources.registry import Source, sources
from schemas.table import Table
from schemas.tables.core import CITIES, LOCATED, RAW_FILES, REJECTS, RIGHTS, ZIPS
from warehouse.parquet import row_count

FRESH = "fresh"
UP_TO_DATE = "up_to_date"
# Note of a located table: number of rows excluded because no right permits their use.
WITHHELD = "rows_withheld"
# Characters and length that Dagster accepts in a tag.
_NOT_TAG, _MAX_TAG = re.compile(r"[^A-Za-z0-9_.-]+"), 63


def source_assets(source: Source) -> list[dg.AssetsDefinition]:
    """Return the step that fetches a source's files and the step that makes its tables."""
    return [_raw(source), _tables(source)]


def source_tags(source: Source) -> dict[str, str]:
    """Return the tags of a source's assets: its id, authority, cadence and licence."""
    facts = {
        "source": source.id,
        "authority": source.authority or "none",
        "cadence": source.cadence,
        "license": source.license.id,
    }
    return {name: _NOT_TAG.sub("-", value)[:_MAX_TAG].strip("-._") for name, value in facts.items()}


def name_located_asset(source: Source) -> str:
    return f"_core_{source.id}__located"


def _raw(source: Source) -> dg.AssetsDefinition:
    table = replace(RAW_FILES, name=source.raw_table)
    spec = dg.AssetSpec(
        table.name,
        # The demo's places are within the reference geography.
        deps=[ZIPS.name, CITIES.name] if source.id in DEMO_SOURCES else [],
        description=(
            f"Files of {source.publisher}: {source.title}. The bytes are stored before anything "
            "is parsed."
        ),
        kinds={"file"},
        tags=source_tags(source),
        metadata={
            "dagster/column_schema": column_schema(table, {}),
            "publisher": source.publisher,
            "homepage": dg.MetadataValue.url(source.homepage),
            "license": source.license.name,
            "cadence": source.cadence,
        },
    )

    @step(spec, name=table.name, group=SOURCES, warnings=_warnings(source))
    def raw(
        context: dg.AssetExecutionContext, workspace: Workspace
    ) -> Iterator[dg.MaterializeResult | dg.AssetCheckResult]:
        with measure() as cost:
            files, failure = _fetch(source, workspace, context.log, context.retry_number)
            workspace.write(table.name, files, table)
        failure_note = {FAILED: failure.reason} if failure else {}
        newest, today = publisher_date(source, files), workspace.as_of_date
        age = _age(newest, today)
        yield result_of_table(workspace, table, {**cost.metadata(), **failure_note, **age})
        if source.freshness_days is not None:
            is_late = newest is not None and source.is_late(newest, today)
            yield _is_fresh(source, age, is_late=is_late)

    return raw


def _warnings(source: Source) -> list[dg.AssetCheckSpec]:
    """Return the freshness check of a list whose next edition can be late."""
    if source.freshness_days is None:
        return []
    return [
        dg.AssetCheckSpec(
            FRESH,
            asset=source.raw_table,
            description=(
                f"The newest of the publisher's files is at most {source.freshness_days} days "
                "old, by the publisher's date."
            ),
        )
    ]


def publisher_date(source: Source, files: pd.DataFrame) -> date | None:
    """Return the newest publisher's date of any file; None without any."""
    dates = [
        vintage
        for name, updated in zip(files["file_name"], files["source_updated_date"], strict=True)
        if (
            vintage := source.vintage_of(name)
            or (None if pd.isna(updated) else pd.Timestamp(updated).date())
        )
    ]
    return max(dates, default=None)


def _age(newest: date | None, today: date) -> dict[str, Any]:
    """Return metadata on the date of the newest file; empty without a date."""
    return {} if newest is None else {"newest": str(newest), "age_days": (today - newest).days}


def _is_fresh(source: Source, age: dict[str, Any], *, is_late: bool) -> dg.AssetCheckResult:
    text = (
        f"newest file of {age['newest']}, {age['age_days']} days ago; stale after "
        f"{source.freshness_days}"
        if age
        else "the publisher dates none of the files"
    )
    return dg.AssetCheckResult(
        asset_key=source.raw_table,
        check_name=FRESH,
        passed=not is_late,
        severity=dg.AssetCheckSeverity.WARN,
        description=text,
        metadata=age,
    )


def _fetch(
    source: Source, workspace: Workspace, log: logging.Logger, retry_number: int
) -> tuple[pd.DataFrame, SourceFailure | None]:
    """Return a source's files; after a failure the last good ones, and the reason.

    Raises RetryRequested if another attempt may help.
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
    """Return the stored files of a source in reading order."""
    files = []
    workspace.raw_folder(source.id)
    for row in workspace.read(source.raw_table).to_dict("records"):
        layout = source.layout_of(row["file_name"])
        files.append(
            RawFile(
                source_id=source.id,
                name=row["file_name"],
                path=workspace.root / row["stored_as"],
                sha256=row["sha256"],
                layout=layout.layout if layout else BY_COLUMNS,
                retrieved_at=row["retrieved_at"].to_pydatetime(),
                vintage=source.vintage_of(row["file_name"]),
                is_synthetic=workspace.is_synthetic,
            )
        )
    return files


def _tables(source: Source) -> dg.AssetsDefinition:
    """Make the step that reads a source's files and, for a source of places, locates these."""
    up_to_date = dg.AssetCheckSpec(
        UP_TO_DATE,
        asset=source.core_table,
        description=(
            "The last attempt to fetch and read the source succeeded. It blocks nothing: the last "
            "good tables stay in use."
        ),
    )
    inputs = {
        source.core_table: [source.raw_table],
        rejects_name(source): [source.raw_table],
        name_located_asset(source): [source.core_table, ZIPS.name, CITIES.name],
    }

    @step(
        *(
            asset_spec(table, inputs[table.name]).replace_attributes(tags=source_tags(source))
            for table in _declare_tables(source)
        ),
        name=f"core_{source.id}",
        group=SOURCES,
        warnings=[up_to_date],
    )
    def tables(
        context: dg.AssetExecutionContext, workspace: Workspace
    ) -> Iterator[dg.MaterializeResult | dg.AssetCheckResult]:
        yield from read_source(source, workspace, context.log.warning)
        yield _up_to_date(source, workspace)
        if source.yields == "places":
            yield locate_source(source, workspace, context.run.run_id, context.log.info)

    return tables


def _declare_tables(source: Source) -> list[Table]:
    """Return the declarations of a source's tables: rejects, core and, of places, located."""
    core, unused = contract_table(source), "that were read and not used, each with the reason"
    declarations = [
        (REJECTS, rejects_name(source), f"Rows of {source.title} {unused}."),
        (core, source.core_table, f"{core.description} Source: {source.title}."),
        (LOCATED, name_located_asset(source), f"{LOCATED.description} Source: {source.title}."),
    ]
    tables = [replace(table, name=name, description=text) for table, name, text in declarations]
    return tables if source.yields == "places" else tables[:2]


def read_source(
    source: Source, workspace: Workspace, warn: Callable[[str], None]
) -> list[dg.MaterializeResult]:
    """Make the tables of rejected and accepted rows, unless bytes and code are unchanged.

    Unreadable files leave the tables of an earlier build unchanged.
    """
    tables = _declare_tables(source)[:2]
    served = find_served(source, workspace)
    try:
        results = list(_read(source, workspace, tables, served))
    except Exception as error:
        raise_unless_of_source(error, workspace)
        if served is not None and isinstance(error, UpdateHeldError):
            served.restore()
        failure = note_failure(source, workspace, READING, error, warn)
        return [last_good(workspace, table, failure.reason) for table in tables]
    clear_failure(source, workspace, READING)
    return results


def _read(
    source: Source, workspace: Workspace, tables: list[Table], served: ServedRows | None
) -> Iterator[dg.MaterializeResult]:
    files = raw_files(source, workspace)

    def make() -> Output:
        # Most sources of most builds have no files.
        assembled = (
            read_within(source.limits, assemble, source, files) if files else assemble(source, [])
        )
        if served is not None:
            served.compare(assembled.accepted)
        facts = {
            "rows_read": assembled.rows_read,
            PEOPLE_REMOVED: assembled.people_removed,
            "files": {file.name: file.retrieved_at.isoformat() for file in files},
            "reasons": assembled.rejects["reject_reason"].value_counts().to_dict(),
        }
        return Output([assembled.rejects, assembled.accepted], facts)

    fingerprint = digest_of(
        *(f.sha256 for f in files),
        *(f.name for f in files),
        workspace.is_synthetic,
        *tables,
        code_digest(root_of(assemble), f"assets.sources.{module_name(source)}"),
        repr(source.layouts),
        repr(source.columns),
    )
    if served is not None and not served.is_on_disk and workspace.path(source.core_table).exists():
        # Tables of a release that was rolled back, or of an update accepted in another build.
        served.compare(workspace.read(source.core_table))
    return make_tables(workspace, fingerprint, tables, make)


def _up_to_date(source: Source, workspace: Workspace) -> dg.AssetCheckResult:
    """Show in Dagster whether fetching or reading a source failed; the build continues."""
    failure = failure_of(source, workspace)
    return dg.AssetCheckResult(
        asset_key=source.core_table,
        check_name=UP_TO_DATE,
        passed=failure is None,
        severity=dg.AssetCheckSeverity.WARN,
        description=f"{failure.failed_at}: {failure.reason}" if failure else "fetched and read",
    )


def locate_source(
    source: Source, workspace: Workspace, run_id: str, report: Callable[[str], None]
) -> dg.MaterializeResult:
    """Make the table of located places, unless places, rights, geography, answers and the programs
    that have ended are unchanged."""
    *_, table = _declare_tables(source)
    rejected = replace(REJECTS, name=f"{table.name}_rejects")
    right = workspace.rights_of(source)[source.id]
    core = workspace.read(source.core_table)
    usable = permit_rows(core, right)
    has_ended = find_ended(usable, workspace.as_of_date)
    places, ended = usable[~has_ended], usable[has_ended]
    geocodes = geocode_places(places, workspace, run_id, report)
    # The geography's fingerprint includes its boundaries, which are not a table.
    geography = workspace.notes(ZIPS.name).get(FINGERPRINT)
    fingerprint = fingerprint_of(
        workspace,
        {source.core_table: None},
        [_place, permit_rows, without_descriptions],
        [LOCATED, right.use, geocodes.digest, geography, len(ended)],
    )

    def make() -> Output:
        # Most builds lack the files of many sources: those have nothing to locate.
        if places.empty:
            frame, rejects = (pd.DataFrame(columns=t.field_names) for t in (LOCATED, REJECTS))
        else:
            names = place_names(workspace.read(ZIPS.name), workspace.read(CITIES.name))
            frame, rejects = _place(places, geocodes, workspace.geography(), names)
            frame = without_descriptions(frame, right)
        if len(ended):
            rejects = pd.concat([rejects, _reject_ended(ended)], ignore_index=True)
        facts = {"rights": right.use, WITHHELD: len(core) - len(usable), **geocodes.counts}
        return Output([rejects, frame], {**facts, "rejected": len(rejects)})

    *_, result = make_tables(workspace, fingerprint, [rejected, table], make)
    return result


def find_ended(places: pd.DataFrame, day: date) -> pd.Series:
    """Return which places belong to a program whose last day is before a day."""
    ends = pd.to_datetime(places["program_ends_date"])
    return (ends < pd.Timestamp(day)).fillna(False).astype(bool)


def _reject_ended(places: pd.DataFrame) -> pd.DataFrame:
    detail = "ended " + places["program_ends_date"].astype("str")
    return as_rejects(places.assign(reject_reason=PROGRAM_ENDED, reject_detail=detail))


def _place(
    core: pd.DataFrame, geocodes: Geocodes, geography: Geography, names: PlaceNames
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return places with points, opening hours and attributes, and the rejects among them."""
    frame, rejected = locate(with_points(core, geocodes), geography)
    frame = with_facts(with_hours(frame), names)
    return frame, as_rejects(rejected) if "row_json" not in rejected else rejected


def reject_tables() -> list[str]:
    """Return the names of the tables of rejects, from reading and from locating."""
    registry = sources().values()
    names = [rejects_name(s) for s in registry]
    return names + [f"{name_located_asset(s)}_rejects" for s in registry if s.yields == "places"]


def all_rejects(workspace: Workspace) -> pd.DataFrame:
    """Return the rejects of all sources, from reading to locating, in one frame."""
    frames = [workspace.read(name) for name in reject_tables() if row_count(workspace.path(name))]
    return (
        pd.concat(frames, ignore_index=True)
        if frames
        else pd.DataFrame(columns=REJECTS.field_names)
    )


core_sources__rights = table_asset(
    RIGHTS,
    reads={},
    group=SOURCES,
    settings=lambda workspace: {"rights": workspace.rights_of(*sources().values())},
)(rights_table)
