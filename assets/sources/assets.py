"""Defines the assets of every source in the registry, and the table of rights.

Three steps: its raw files; its accepted and rejected rows; its places with points. Fetching is a
separate step, so that changed code or geography fetches nothing. Adding a source adds a YAML file
and a module; nothing here changes.
"""

import logging
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from typing import Any

import dagster as dg
import pandas as pd

from assets.attributes.reading import with_facts
from assets.attributes.service_area import place_names
from assets.cleaning.people import PEOPLE_REMOVED
from assets.demo.write import DEMO_SOURCES
from assets.geocode.geocoder import geocode_places, with_points
from assets.geography.place_points import locate
from assets.hours.columns import with_hours
from assets.sources.assemble import PROGRAM_ENDED, as_rejects, assemble
from assets.sources.contract import BY_COLUMNS, RawFile, contract_table, rejects_name
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
from assets.sources.updates import UpdateHeldError, find_served
from assets.steps.keys import key_of, keys_of, name_of
from assets.steps.provenance import FAILED
from assets.steps.tables import LastGood, asset_of, outputs, outs_of
from assets.steps.workspace import Workspace
from schemas.sources.registry import Source, built_sources
from schemas.table import Table
from schemas.tables.core import CITIES, LOCATED, RAW_FILES, REJECTS, RIGHTS, ZIPS

FRESH = "fresh"
UP_TO_DATE = "up_to_date"
# Note of a located table: number of rows excluded because no right permits their use.
WITHHELD = "rows_withheld"
# Characters and length that Dagster accepts in a tag.
_NOT_TAG, _MAX_TAG = re.compile(r"[^A-Za-z0-9_.-]+"), 63


def source_assets(source: Source) -> list[dg.AssetsDefinition]:
    """Return the steps of a source; only places are located."""
    is_located = source.yields == "places"
    return [_raw(source), _tables(source), *([_located(source)] if is_located else [])]


def source_tables(source: Source) -> list[Table]:
    """Return the declarations of a source's tables: files, rejects, core; of places also the
    rejects of locating, and the located ones."""
    core, unused = contract_table(source), "that were read and not used, each with the reason"
    located = name_located_asset(source)
    declarations = [
        (
            RAW_FILES,
            source.raw_table,
            f"Files of {source.publisher}: {source.title}. The bytes are stored before anything "
            "is parsed.",
        ),
        (REJECTS, rejects_name(source), f"Rows of {source.title} {unused}."),
        (core, source.core_table, f"{core.description} Source: {source.title}."),
        (REJECTS, f"{located}_rejects", f"Places of {source.title} without a point, and why."),
        (LOCATED, located, f"{LOCATED.description} Source: {source.title}."),
    ]
    tables = [replace(table, name=name, description=text) for table, name, text in declarations]
    return tables if source.yields == "places" else tables[:3]


def source_tags(source: Source) -> dict[str, str]:
    """Return the tags of a source's assets: its id, authority, cadence and license."""
    facts = {
        "source": source.id,
        "authority": source.authority or "none",
        "cadence": source.cadence,
        "license": source.license.id,
    }
    return {name: _NOT_TAG.sub("-", value)[:_MAX_TAG].strip("-._") for name, value in facts.items()}


def name_located_asset(source: Source) -> str:
    return f"core_{source.id}__located"


def _family(source: Source) -> str:
    """Return the sources among which the graph shows a source: those of its authority."""
    return source.authority or "sources"


def _raw(source: Source) -> dg.AssetsDefinition:
    """Make the step that fetches a source's files."""

    @dg.asset(
        # The demo's places are within the reference geography.
        deps=keys_of([ZIPS.name, CITIES.name]) if source.id in DEMO_SOURCES else [],
        **asset_of(
            source_tables(source)[0],
            _family(source),
            {"file"},
            tags=source_tags(source),
            metadata={
                "publisher": source.publisher,
                "homepage": dg.MetadataValue.url(source.homepage),
                "license": source.license.name,
                "cadence": source.cadence,
            },
        ),
    )
    def raw(context: dg.AssetExecutionContext, workspace: Workspace) -> dg.Output[pd.DataFrame]:
        files, failure = _fetch(source, workspace, context.log, context.retry_number)
        failed = {FAILED: failure.reason} if failure else {}
        return dg.Output(files, metadata=failed | _age(source, files, workspace.as_of_date))

    asset: dg.AssetsDefinition = raw
    return asset


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


def _age(source: Source, files: pd.DataFrame, today: date) -> dict[str, Any]:
    """Return metadata on the date of the newest file; empty without a date."""
    newest = publisher_date(source, files)
    return {} if newest is None else {"newest": str(newest), "age_days": (today - newest).days}


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
    for row in workspace.read(source.raw_table).to_dict("records"):
        layout = source.layout_of(row["file_name"])
        # A living list lists its places on the day of the fetch.
        listed = pd.Timestamp(row["source_updated_date"]).date() if source.is_living else None
        files.append(
            RawFile(
                source_id=source.id,
                name=row["file_name"],
                path=workspace.root / row["stored_as"],
                sha256=row["sha256"],
                layout=layout.layout if layout else BY_COLUMNS,
                retrieved_at=row["retrieved_at"].to_pydatetime(),
                vintage=source.vintage_of(row["file_name"]) or listed,
                is_synthetic=workspace.is_synthetic,
            )
        )
    return files


def _tables(source: Source) -> dg.AssetsDefinition:
    """Make the step that reads a source's files."""
    _, rejects, core, *_ = source_tables(source)

    @dg.multi_asset(
        name=f"core_{source.id}",
        deps=keys_of([source.raw_table]),
        outs=outs_of(_family(source), rejects, core, tags=source_tags(source)),
    )
    def tables(context: dg.AssetExecutionContext, workspace: Workspace) -> Iterator[dg.Output[Any]]:
        """Read the files. Unreadable ones leave the tables of an earlier build unchanged."""
        facts: dict[str, Any] = {}
        results: list[Any]
        served = find_served(source, workspace)
        try:
            files = raw_files(source, workspace)
            # Most sources of most builds have no files.
            assembled = (
                read_within(source.limits, assemble, source, files)
                if files
                else assemble(source, [])
            )
            if served is not None:
                served.compare(assembled.accepted)
            facts = {
                "rows_read": assembled.rows_read,
                PEOPLE_REMOVED: assembled.people_removed,
                "files": {file.name: file.retrieved_at.isoformat() for file in files},
                "reasons": assembled.rejects["reject_reason"].value_counts().to_dict(),
            }
            results = [assembled.rejects, assembled.accepted]
            clear_failure(source, workspace, READING)
        except Exception as error:
            raise_unless_of_source(error, workspace)
            failure = note_failure(source, workspace, READING, error, context.log.warning)
            # After a rollback the tables on disk can be those of a later release.
            is_held = served is not None and isinstance(error, UpdateHeldError)
            earlier = served.frames() if served is not None and is_held else (None, None)
            results = [LastGood(failure.reason, frame) for frame in earlier]
        yield from outputs(context, dict(zip((rejects, core), results, strict=True)), facts)

    return tables


def source_checks(*registry: Source) -> dg.AssetChecksDefinition:
    """Make the checks of the state of sources. They block nothing: last good tables stay in use.

    Every source was fetched and read at the last attempt. The newest file is not too old, if the
    next edition of the list can be late.
    """
    by_table = {
        **{source.raw_table: source for source in registry if source.freshness_days is not None},
        **{source.core_table: source for source in registry},
    }
    specs = [
        dg.AssetCheckSpec(
            UP_TO_DATE,
            asset=key_of(table),
            description="The last attempt to fetch and read the source succeeded.",
        )
        if table == source.core_table
        else dg.AssetCheckSpec(
            FRESH,
            asset=key_of(table),
            description=(
                f"The newest of the publisher's files is at most {source.freshness_days} days "
                "old, by the publisher's date."
            ),
        )
        for table, source in by_table.items()
    ]

    @dg.multi_asset_check(name="states_of_sources", specs=specs, can_subset=True)
    def check_sources(
        context: dg.AssetCheckExecutionContext, workspace: Workspace
    ) -> Iterator[dg.AssetCheckResult]:
        for key in sorted(context.selected_asset_check_keys):
            source = by_table[name_of(key.asset_key)]
            facts: dict[str, Any] = {}
            if key.name == FRESH:
                files = workspace.read(source.raw_table)
                newest, today = publisher_date(source, files), workspace.as_of_date
                facts = _age(source, files, today)
                is_good = newest is None or not source.is_late(newest, today)
                text = (
                    f"newest file of {newest}, {facts['age_days']} days ago; stale after "
                    f"{source.freshness_days}"
                    if facts
                    else "the publisher dates none of the files"
                )
            else:
                failure = failure_of(source, workspace)
                is_good = failure is None
                text = f"{failure.failed_at}: {failure.reason}" if failure else "fetched and read"
            yield dg.AssetCheckResult(
                asset_key=key.asset_key,
                check_name=key.name,
                passed=is_good,
                severity=dg.AssetCheckSeverity.WARN,
                description=text,
                metadata=facts,
            )

    return check_sources


def _located(source: Source) -> dg.AssetsDefinition:
    """Make the step that gives a source's places points, opening hours and attributes, as far as
    the right to the list permits."""
    *_, rejects, located = source_tables(source)

    @dg.multi_asset(
        name=located.name,
        deps=keys_of([source.core_table, ZIPS.name, CITIES.name]),
        outs=outs_of(f"{_family(source)}_located", rejects, located, tags=source_tags(source)),
        can_subset=True,
    )
    def locate_places(
        context: dg.AssetExecutionContext, workspace: Workspace
    ) -> Iterator[dg.Output[Any]]:
        right = workspace.rights_of(source)[source.id]
        core = workspace.read(source.core_table)
        usable = permit_rows(core, right)
        has_ended = find_ended(usable, workspace.as_of_date)
        places, ended = usable[~has_ended], usable[has_ended]
        geocodes = geocode_places(places, workspace, context.run.run_id, context.log.info)
        # Most builds lack the files of many sources: those have nothing to locate.
        if places.empty:
            frame, rejected = (pd.DataFrame(columns=t.field_names) for t in (LOCATED, REJECTS))
        else:
            frame, rows = locate(with_points(places, geocodes), workspace.geography())
            names = place_names(workspace.read(ZIPS.name), workspace.read(CITIES.name))
            frame = without_descriptions(with_facts(with_hours(frame), names), right)
            rejected = rows if "row_json" in rows else as_rejects(rows)
        if len(ended):
            detail = "ended " + ended["program_ends_date"].astype("str")
            over = as_rejects(ended.assign(reject_reason=PROGRAM_ENDED, reject_detail=detail))
            rejected = pd.concat([rejected, over], ignore_index=True)
        facts = {
            "rights": right.use,
            WITHHELD: len(core) - len(usable),
            "rejected": len(rejected),
            **geocodes.counts,
        }
        yield from outputs(context, {rejects: rejected, located: frame}, facts)

    return locate_places


def find_ended(places: pd.DataFrame, day: date) -> pd.Series:
    """Return which places belong to a program whose last day is before a day."""
    ends = pd.to_datetime(places["program_ends_date"])
    return (ends < pd.Timestamp(day)).fillna(False).astype(bool)


def reject_tables() -> list[str]:
    """Return the names of the tables of rejects, from reading and from locating."""
    return [
        table.name
        for source in built_sources().values()
        for table in source_tables(source)
        if table.name.endswith("rejects")
    ]


@dg.asset(**asset_of(RIGHTS, "directory"))
def core_sources__rights(workspace: Workspace) -> pd.DataFrame:
    return rights_table(workspace.rights_of(*built_sources().values()))
