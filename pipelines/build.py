"""The one place where the pipeline is put together: `build(overrides) -> Definitions`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import dagster as dg

from assets.defs.access_assets import ACCESS_ASSETS
from assets.defs.atlas_assets import out_directory_totals
from assets.defs.bulk_assets import out_directory__bulk
from assets.defs.directory_assets import (
    _core_directory__located,
    core_directory,
    core_directory__rejects,
)
from assets.defs.disaster_assets import out_disasters__current
from assets.defs.food_bank_assets import _core_directory__food_banks
from assets.defs.geography_assets import core_geography
from assets.defs.history_assets import out_directory_changes
from assets.defs.hsds_assets import HSDS_ASSETS
from assets.defs.lineage import chain_of
from assets.defs.matching_assets import ASSETS_BY_STATE, MATCHING_ASSETS
from assets.defs.operations_assets import OPERATIONS_ASSETS
from assets.defs.probe_assets import (
    core_directory__phone_validations,
    core_directory__website_probes,
)
from assets.defs.publication_asset import out_directory__publication
from assets.defs.quality_assets import out_directory__quality_checks
from assets.defs.release_asset import release_asset
from assets.defs.rights_assets import core_sources__rights
from assets.defs.source_assets import source_assets
from assets.defs.veteran_assets import core_veterans, out_veterans__files
from pipelines.automation import approved_writes, automated
from pipelines.jobs import build_jobs, build_schedules
from pipelines.profiles.profile import workspace_for
from pipelines.progress import progress_logger
from schemas.sources.registry import sources


def build(overrides: Mapping[str, Any] | None = None) -> dg.Definitions:
    """Return definitions: assets with their checks, jobs, schedules, resources. `overrides` replaces
    resources by name (tests)."""
    jobs = build_jobs()
    made = [
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
        out_directory_totals,
        *ACCESS_ASSETS,
        core_sources__rights,
        out_directory__quality_checks,
        out_directory_changes,
        core_veterans,
        out_veterans__files,
        *HSDS_ASSETS,
        out_directory__bulk,
    ]
    # A release is made only of what these made from each other, and where their checks have passed.
    release = release_asset(chain_of(made))
    assets = [*made, out_disasters__current, release, out_directory__publication]
    return dg.Definitions(
        assets=[*automated(assets), *ASSETS_BY_STATE],
        jobs=jobs,
        schedules=build_schedules(jobs),
        sensors=[approved_writes],
        loggers={"console": dg.colored_console_logger, "progress": progress_logger},
        resources={"workspace": workspace_from_environment(), **(overrides or {})},
    )


def workspace_from_environment() -> Any:
    """Return the workspace the Dagster processes use: LARDER_PROFILE, LARDER_SOURCES,
    LARDER_DEMO_ROWS, LARDER_GEOCODE, LARDER_PROBE_URLS (1 or 0), DIRECTORY_DATA_DIR."""
    return workspace_for(
        os.environ.get("LARDER_PROFILE", "demo"),
        Path(os.environ.get("DIRECTORY_DATA_DIR", "data")),
        sources_dir=os.environ.get("LARDER_SOURCES"),
        demo_rows=int(os.environ.get("LARDER_DEMO_ROWS", "0")) or None,
        geocode=os.environ.get("LARDER_GEOCODE"),
        probe_urls={"1": True, "0": False}.get(os.environ.get("LARDER_PROBE_URLS", "")),
    )
