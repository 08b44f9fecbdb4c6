"""Jobs and schedules: a refresh of each source, a build of everything every night."""

from __future__ import annotations

import dagster as dg

from assets.demo.write import DEMO_SOURCES
from assets.sources.assets import source_tables
from assets.steps.keys import keys_of
from schemas.sources.registry import Source, built_sources

BUILD_RELEASE = "build_release"
# Assets that the service loads without a new release, by source: rebuilt with each refresh of the
# source.
BESIDE_RELEASES: dict[str, tuple[str, ...]] = {"fema_declarations": ("out_disasters__current",)}


def refresh_job(source: Source) -> dg.UnresolvedAssetJobDefinition:
    """Return a job that fetches one source and reads it; `build_release` builds the release."""
    names = [table.name for table in source_tables(source)]
    if source.yields == "places" or source.id in DEMO_SOURCES:
        names += ["core_geography__zips", "core_geography__cities"]
    names += BESIDE_RELEASES.get(source.id, ())
    return dg.define_asset_job(
        f"refresh_{source.id}",
        selection=dg.AssetSelection.assets(*keys_of(names)),
        description=f"Fetch and read {source.title} ({source.cadence}).",
        tags={"source": source.id},
    )


def build_jobs() -> list[dg.UnresolvedAssetJobDefinition]:
    """Return `build_release` and a `refresh_<source>` for every source."""
    everything = dg.define_asset_job(
        BUILD_RELEASE,
        selection=dg.AssetSelection.all(),
        description="All sources to one promoted release: every step runs.",
    )
    return [everything, *(refresh_job(source) for source in built_sources().values())]


def build_schedules(jobs: list[dg.UnresolvedAssetJobDefinition]) -> list[dg.ScheduleDefinition]:
    """Return schedules for each fetchable source at its publisher's cadence, and for a release
    every night.

    The nightly build is on by default: it publishes only tables that pass their checks. With the
    profile live it also fetches, living lists only when they are due. A schedule of one source
    contacts its publisher at other times, so a person has to turn it on.
    """
    by_name = {job.name: job for job in jobs}
    schedules = [
        dg.ScheduleDefinition(
            job=by_name[f"refresh_{source.id}"],
            cron_schedule=source.cron,
            execution_timezone="UTC",
            description=f"{source.publisher}: {source.cadence}",
        )
        for source in built_sources().values()
        if source.live and source.fetch_days is None
    ]
    nightly = dg.ScheduleDefinition(
        job=by_name[BUILD_RELEASE],
        cron_schedule="0 9 * * *",
        execution_timezone="UTC",
        description="A release every night, after the sources.",
        default_status=dg.DefaultScheduleStatus.RUNNING,
    )
    return [*schedules, nightly]
