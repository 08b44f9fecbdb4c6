"""Runs the pipeline on this machine and reports the result."""

import resource
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import dagster as dg

from assets.release.assets import PUBLICATION
from assets.sources.assets import FRESH, UP_TO_DATE
from assets.steps.keys import name_of
from assets.steps.provenance import FAILED
from assets.steps.workspace import Workspace
from pipelines.build import build
from pipelines.dagster_home import prepare_dagster_home
from pipelines.jobs import BUILD_RELEASE
from pipelines.progress import step_seconds
from schemas.sources.registry import built_sources
from warehouse.storage.sqlite import name_full_disk

_NOT_ENDED_WELL = {"PIPELINE_FAILURE", "PIPELINE_CANCELED"}


@dataclass(frozen=True)
class StepOutcome:
    """One materialized table; `seconds` covers all tables that its step made together."""

    step: str
    name: str
    rows: int | None
    seconds: float


@dataclass
class Outcome:
    """A finished run. `failures` name step and cause; then the served release is unchanged."""

    is_success: bool
    release_id: str | None
    seconds: float
    peak_memory_mb: float
    steps: list[StepOutcome] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    # Failed non-blocking checks of tables.
    warnings: list[str] = field(default_factory=list)
    # Sources that could not be fetched or read, with the reason; their earlier tables stay in use.
    failed_sources: dict[str, str] = field(default_factory=dict)
    # Objects sent to object storage, in words; None without publishing.
    publication: str | None = None


def run_build(workspace: Workspace, only: Iterable[str] = ()) -> Outcome:
    """Run `build_release`, or only the refresh of the sources in `only`.

    Raises KeyError for an unknown source, OSError if the disk is full for Dagster's history.
    Failures of steps and checks are in the outcome, not raised.
    """
    started, home = time.perf_counter(), prepare_dagster_home(workspace.root)
    names = [f"refresh_{source}" for source in only] or [BUILD_RELEASE]
    definitions = build({"workspace": workspace})
    with name_full_disk(home), dg.DagsterInstance.from_config(str(home)) as instance:
        results = [_run_job(definitions, name, instance) for name in names]
    events = [event for result in results for event in result.all_events]
    made = _materializations(events)
    owners = {name: s.id for s in built_sources().values() for name in (s.raw_table, s.core_table)}
    source_failures = {
        owners[name]: str(facts[FAILED])
        for _, name, facts in made
        if FAILED in facts and name in owners
    }
    seconds = {
        event.step_key: event.step_success_data.duration_ms / 1000
        for event in events
        if event.event_type_value == "STEP_SUCCESS"
    }
    published = (facts.get("summary") for _, name, facts in made if name == PUBLICATION)
    return Outcome(
        # A source requested alone fails if it could not be updated.
        is_success=not (only and source_failures)
        and not any(event.event_type_value in _NOT_ENDED_WELL for event in events),
        release_id=workspace.releases.current(),
        seconds=time.perf_counter() - started,
        peak_memory_mb=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        steps=[
            StepOutcome(step, name, facts.get("dagster/row_count"), seconds.get(step, 0.0))
            for step, name, facts in made
        ],
        failures=[
            *failures_of(events),
            *(f"source {name}: {reason}" for name, reason in source_failures.items() if only),
        ],
        warnings=list_checks(events, dg.AssetCheckSeverity.WARN),
        failed_sources=source_failures,
        publication=next((str(note) for note in published if note is not None), None),
    )


def _run_job(
    definitions: dg.Definitions, name: str, instance: dg.DagsterInstance
) -> dg.ExecuteInProcessResult:
    job = definitions.resolve_job_def(name)
    # Only our loggers: Dagster's own logs ten lines about every step.
    progress = {"steps": len(job.graph.node_dict), "seconds": step_seconds(instance, name)}
    loggers: dict[str, Any] = {"loggers": {"progress": {"config": progress}}}
    return job.execute_in_process(instance=instance, raise_on_error=False, run_config=loggers)


def _materializations(events: list[Any]) -> list[tuple[str, str, dict[str, Any]]]:
    """Return step, table and metadata of each table that a run made."""
    made = [
        (event.step_key, event.step_materialization_data.materialization)
        for event in events
        if event.event_type_value == "ASSET_MATERIALIZATION"
    ]
    return [
        (step, name_of(table.asset_key), {name: v.value for name, v in table.metadata.items()})
        for step, table in made
    ]


def failures_of(events: list[Any]) -> list[str]:
    """Return failed checks and failed steps of a run's events, each with its cause; else the reason
    for the failure of the run itself, if it failed (a process was killed)."""
    checks = list_checks(events, dg.AssetCheckSeverity.ERROR)
    return [*checks, *_list_step_failures(events)] or [
        event.job_failure_data.error.message if event.job_failure_data.error else str(event.message)
        for event in events
        if event.is_run_failure
    ]


def list_checks(events: list[Any], severity: dg.AssetCheckSeverity) -> list[str]:
    """Return the failed checks of a severity, except those of a source's age and state: the release
    says that a list is old, and the outcome why one failed."""
    checks = [
        e.asset_check_evaluation_data
        for e in events
        if e.event_type_value == "ASSET_CHECK_EVALUATION"
    ]
    return [
        f"check {check.check_name} of {name_of(check.asset_key)}: {check.description}"
        for check in checks
        if not check.passed
        and check.severity == severity
        and check.check_name not in {FRESH, UP_TO_DATE}
    ]


def _list_step_failures(events: list[Any]) -> list[str]:
    failures = []
    for event in events:
        if event.event_type_value == "STEP_FAILURE":
            error = event.step_failure_data.error
            # Dagster's wrappers only say that a step failed. The exception below them names the
            # file, the rule and the rows; its own cause is a library's, which names none of these.
            while error and error.cause and (error.cls_name or "").startswith("Dagster"):
                error = error.cause
            message = error.message.strip() if error else "no error given"
            if "DagsterAssetCheckFailedError" not in message:
                failures.append(f"step {event.step_key}: {message}")
    return failures
