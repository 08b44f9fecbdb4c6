"""Jobs and schedules: a refresh of each source, a build of everything every night."""

from __future__ import annotations

import os
from collections.abc import Mapping
from importlib import import_module
from typing import Any

import dagster as dg

from assets.demo.write import DEMO_SOURCES
from assets.sources.assets import source_tables
from assets.steps.keys import keys_of
from assets.steps.workspace import Workspace
from schemas.sources.registry import Source, built_sources
from warehouse.operations.engine import StoreUnavailableError
from warehouse.operations.export import version_of_approved, version_of_nothing
from warehouse.operations.location import store_of

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


# The sensor that builds a release after a reviewer's decision.


@dg.sensor(
    name="approved_writes",
    job_name=BUILD_RELEASE,
    minimum_interval_seconds=60,
    default_status=dg.DefaultSensorStatus.RUNNING,
    description=(
        "Builds a release when a reviewer has approved or undone something since the last look."
    ),
)
def approved_writes(
    context: dg.SensorEvaluationContext, workspace: Workspace
) -> dg.SkipReason | dg.RunRequest:
    """Poll the operations store every minute; the first poll compares with an empty state."""
    store = store_of(workspace.root)
    try:
        version = version_of_approved(store)
    except StoreUnavailableError as error:
        return dg.SkipReason(f"the operations store cannot be read: {error}")
    finally:
        store.close()
    before = context.cursor or version_of_nothing()
    context.update_cursor(version)
    if version == before:
        return dg.SkipReason("nothing was decided since the last look")
    return dg.RunRequest(run_key=version)


# Executors of jobs: Dagster's own, on this machine, on Celery workers or as Kubernetes jobs.

_OF_PACKAGES = {
    "celery": ("dagster_celery", "celery_executor"),
    "k8s": ("dagster_k8s", "k8s_job_executor"),
    "celery_k8s": ("dagster_celery_k8s", "celery_k8s_job_executor"),
}
EXECUTORS = ("in_process", "multiprocess", *_OF_PACKAGES)


class ExecutorError(ValueError):
    """The chosen executor is unknown, or its package is not installed."""


def executor_of(environment: Mapping[str, str] = os.environ) -> dg.ExecutorDefinition:
    """Return the executor of every job, which `LARDER_EXECUTOR` names: in_process unless given.

    All machines of a run share one data folder. `LARDER_CELERY_BROKER` and
    `LARDER_CELERY_BACKEND` are addresses with passwords, which must not be in the stored run
    configuration. The packages of other machines are the extra [scale]. Raises ExecutorError.
    """
    name = environment.get("LARDER_EXECUTOR", "").strip() or "in_process"
    if name == "in_process":
        return dg.in_process_executor
    if name == "multiprocess":
        return dg.multiprocess_executor
    if name not in _OF_PACKAGES:
        raise ExecutorError(f"LARDER_EXECUTOR={name!r} is not one of {', '.join(EXECUTORS)}")
    module, attribute = _OF_PACKAGES[name]
    try:
        definition: Any = getattr(import_module(module), attribute)
    except ImportError as error:
        raise ExecutorError(
            f"LARDER_EXECUTOR={name} needs {module}: pip install 'open-larder[scale]'"
        ) from error
    executor: dg.ExecutorDefinition = definition
    if "celery" not in name:
        return executor
    # Names of variables and not their values: configuration is stored and shown.
    variables = {"broker": "LARDER_CELERY_BROKER", "backend": "LARDER_CELERY_BACKEND"}
    addresses = {key: {"env": name} for key, name in variables.items() if environment.get(name)}
    return executor.configured(addresses)
