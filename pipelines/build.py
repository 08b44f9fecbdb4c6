"""Assembles the pipeline: `build(overrides) -> Definitions`."""

import os
from collections.abc import Mapping
from pathlib import Path
from types import new_class
from typing import Any

import dagster as dg

from assets.directory.assets import (
    _core_directory__located,
    core_directory,
    core_directory__rejects,
)
from assets.directory.food_bank_assets import _core_directory__food_banks
from assets.disasters.assets import out_disasters__current
from assets.geography.assets import core_geography
from assets.geography.base_map_assets import out_map__base
from assets.hsds.assets import HSDS_ASSETS
from assets.matching.assets import ASSETS_BY_STATE, MATCHING_ASSETS
from assets.matching.review_assets import OPERATIONS_ASSETS
from assets.parallel import preload
from assets.probes.assets import (
    core_directory__phone_validations,
    core_directory__website_probes,
)
from assets.release.assets import release_asset
from assets.release.bulk import out_directory__bulk
from assets.release.changes import out_directory_changes
from assets.release.publication import out_directory__publication
from assets.release.service_files import out_directory__service_files
from assets.sources.assets import core_sources__rights, source_assets
from assets.statistics.access_assets import ACCESS_ASSETS
from assets.statistics.quality_assets import out_directory__quality_checks
from assets.statistics.totals_assets import out_directory_totals
from assets.steps.lineage import chain_of
from assets.steps.workspace import Workspace
from assets.veterans.assets import core_veterans
from pipelines.automation import approved_writes, with_automation
from pipelines.executors import executor_of
from pipelines.jobs import build_jobs, build_schedules
from pipelines.options import VARIABLES
from pipelines.profiles.profile import workspace_for
from pipelines.progress import progress_logger
from schemas.sources.registry import sources


def build(overrides: Mapping[str, Any] | None = None) -> dg.Definitions:
    """Return Dagster definitions; `overrides` replaces resources by name (tests)."""
    preload("pipelines.preload_parts")
    jobs = build_jobs()
    steps = [
        core_geography,
        *(asset for source in sources().values() for asset in source_assets(source)),
        _core_directory__located,
        *OPERATIONS_ASSETS,
        *MATCHING_ASSETS,
        core_directory__website_probes,
        core_directory__phone_validations,
        core_directory,
        core_directory__rejects,
        _core_directory__food_banks,
        out_directory__service_files,
        out_directory_totals,
        *ACCESS_ASSETS,
        out_map__base,
        core_sources__rights,
        out_directory__quality_checks,
        out_directory_changes,
        core_veterans,
        *HSDS_ASSETS,
        out_directory__bulk,
    ]
    # A release contains only outputs that these made from each other, with passed checks.
    release = release_asset(chain_of(steps))
    assets = [*steps, out_disasters__current, release, out_directory__publication]
    return dg.Definitions(
        assets=[*with_automation(assets), *ASSETS_BY_STATE],
        jobs=jobs,
        schedules=build_schedules(jobs),
        sensors=[approved_writes],
        executor=executor_of(),
        loggers={"console": dg.colored_console_logger, "progress": progress_logger},
        resources={"workspace": launchable(workspace_from_environment()), **(overrides or {})},
    )


def launchable(workspace: Workspace) -> Any:
    """Return a workspace with its settings as defaults of a run, so that the launchpad can change
    one.

    The defaults are those of a separate class: `configure_at_launch` ignores its values for
    settings that are lists (Dagster 1.13), so that every run would build the demo.
    """
    settings = workspace.model_dump(mode="json")
    types = {name: Workspace.model_fields[name].annotation for name in settings}
    body = {"__annotations__": types, "__module__": __name__, **settings}
    launchable_class: Any = new_class(
        Workspace.__name__, (Workspace,), exec_body=lambda own: own.update(body)
    )
    return launchable_class.configure_at_launch()


def workspace_from_environment() -> Workspace:
    """Return the workspace of the Dagster processes: that of `larder build` with the same
    variables."""
    settings = {name: os.environ.get(variable) or None for name, variable in VARIABLES.items()}
    data_dir = Path(os.environ.get("DIRECTORY_DATA_DIR", "data"))
    return workspace_for(settings.pop("profile"), data_dir, **settings)
