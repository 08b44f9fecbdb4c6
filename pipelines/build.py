"""Assembles the pipeline: `build(overrides) -> Definitions`."""

import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from types import new_class
from typing import Any

import dagster as dg
from upath import UPath

from assets.directory.assets import (
    DIRECTORY_CHECKS,
    core_directory,
    core_directory__home_deliveries,
    core_directory__located,
    core_directory__rejects,
)
from assets.directory.food_banks import core_directory__food_banks
from assets.disasters.assets import out_disasters__current
from assets.geography.assets import core_geography, out_map__base
from assets.hsds.assets import HSDS_ASSETS, HSDS_CHECKS
from assets.matching.assets import OPERATIONS_ASSETS, core_directory_matching
from assets.probes.assets import (
    core_directory__phone_validations,
    core_directory__website_probes,
)
from assets.release.assets import (
    out_directory__bulk,
    out_directory__publication,
    out_directory__service_files,
    release_asset,
)
from assets.release.changes import (
    changes_add_up,
    core_directory__last_changes,
    out_directory__changes,
)
from assets.sources.assets import (
    core_sources__rights,
    source_assets,
    source_checks,
    source_tables,
)
from assets.statistics.access_assets import ACCESS_ASSETS
from assets.statistics.quality import (
    out_directory__quality_checks,
)
from assets.statistics.totals_assets import out_directory_totals
from assets.steps.checks import declaration_check, query_check
from assets.steps.tables import PRODUCTS_STORE, TABLES_STORE, FolderIOManager, ParquetIOManager
from assets.steps.workspace import Workspace
from assets.veterans.assets import VETERAN_ASSETS, VETERAN_CHECKS
from pipelines.dagster_home import exclude_other_runs
from pipelines.jobs import approved_writes, build_jobs, build_schedules, executor_of
from pipelines.options import PROFILES, VARIABLES
from pipelines.progress import progress_logger
from schemas.checks.registry import query_checks
from schemas.sources.registry import built_sources, sources
from schemas.sources.rights import read_policy
from schemas.tables.registry import PUBLISHED, TABLES
from warehouse.fetch.folder import find_sources


class ProfileError(ValueError):
    """A profile or one of its settings is wrong; the message names it and the remedy."""


def workspace_for(profile: str | None, data_dir: Path, **overrides: Any) -> Workspace:
    """Return the workspace of a profile; overrides that are None do not count. The default profile
    is folder with a folder of sources, else demo.

    Raises ProfileError for an unknown profile, a missing sources folder, an invalid date, and
    geocoding of invented places.
    """
    profile = profile or ("folder" if overrides.get("sources_dir") else "demo")
    if profile not in PROFILES:
        raise ProfileError(f"there is no profile {profile!r}; choose one of {', '.join(PROFILES)}")
    # Live builds have a network: listed websites are asked whether they answer.
    settings: dict[str, Any] = {"profile": profile, "probe_urls": profile == "live"}
    settings |= {name: value for name, value in overrides.items() if value is not None}
    if profile == "folder":
        settings |= _folders(settings.get("sources_dir", ""), settings.get("geography_dir"))
    workspace = Workspace(data_dir=str(data_dir.resolve()), **settings)
    if workspace.profile == "demo" and workspace.geocode != "off":
        raise ProfileError("the demo's places are invented; their addresses are never sent")
    if workspace.profile == "demo" and workspace.probe_urls:
        raise ProfileError("the demo's places are invented; their websites are never probed")
    try:
        _ = workspace.as_of_date
    except ValueError as error:
        raise ProfileError(f"--as-of is no date of the form YYYY-MM-DD: {error}") from error
    try:
        read_policy(Path(workspace.licenses_file) if workspace.licenses_file else None)
    except ValueError as error:
        raise ProfileError(f"--licenses-file {error}") from error
    return workspace


def require_files(workspace: Workspace) -> None:
    """Raise ProfileError when the folder of a workspace has no folder of any source."""
    if workspace.profile != "folder":
        return
    root = find_sources(Path(workspace.sources_dir))
    folders = [folder for source in sources().values() for folder in source.folders]
    if not any((root / folder).is_dir() for folder in folders):
        raise ProfileError(
            f"--sources {root} has no folder of a source, such as {folders[0]}; "
            "docs/sources.md lists their names"
        )


def _folders(sources_dir: str, geography_dir: str | None) -> dict[str, str]:
    if not sources_dir:
        raise ProfileError(
            "the profile folder needs the folder of the publishers' files: --sources FOLDER"
        )
    root = Path(sources_dir).resolve()
    if not root.is_dir():
        raise ProfileError(f"there is no folder {root}; --sources names that of publishers' files")
    beside = root / "reference" / "geo"
    geography = geography_dir or (str(beside) if beside.is_dir() else "")
    return {"sources_dir": str(root), "geography_dir": geography}


CHECKS = (
    *(declaration_check(table) for table in PUBLISHED),
    *(query_check(declaration) for declaration in query_checks()),
    *DIRECTORY_CHECKS,
    *HSDS_CHECKS,
    *VETERAN_CHECKS,
    changes_add_up,
    source_checks(*built_sources().values()),
)


def build(overrides: Mapping[str, Any] | None = None) -> dg.Definitions:
    """Return Dagster definitions; `overrides` replaces resources by name (tests)."""
    steps = [
        core_geography,
        *(asset for source in built_sources().values() for asset in source_assets(source)),
        core_directory__located,
        *OPERATIONS_ASSETS,
        core_directory_matching,
        core_directory__website_probes,
        core_directory__phone_validations,
        core_directory,
        core_directory__rejects,
        core_directory__home_deliveries,
        core_directory__food_banks,
        out_directory__service_files,
        out_directory_totals,
        *ACCESS_ASSETS,
        out_map__base,
        core_sources__rights,
        out_directory__quality_checks,
        core_directory__last_changes,
        out_directory__changes,
        *VETERAN_ASSETS,
        *HSDS_ASSETS,
        out_directory__bulk,
    ]
    jobs = build_jobs()
    return dg.Definitions(
        assets=[
            *steps,
            out_disasters__current,
            release_asset(steps, CHECKS),
            out_directory__publication,
        ],
        asset_checks=CHECKS,
        jobs=jobs,
        schedules=build_schedules(jobs),
        sensors=[approved_writes],
        executor=executor_of(),
        loggers={"console": dg.colored_console_logger, "progress": progress_logger},
        resources={
            "workspace": launchable(workspace_from_environment()),
            TABLES_STORE: parquet_store,
            PRODUCTS_STORE: folder_store,
            **(overrides or {}),
        },
    )


@dg.io_manager(required_resource_keys={"workspace"})  # type: ignore[arg-type]  # it may yield
def parquet_store(context: dg.InitResourceContext) -> Iterator[dg.IOManager]:
    """Store tables below the data folder, which no other run of this machine uses meanwhile.

    Executors of several processes open the store once for each step: there, Dagster's queue of
    runs alone keeps them apart.
    """
    workspace: Workspace = context.resources.workspace
    of_sources = [table for source in built_sources().values() for table in source_tables(source)]
    declared = {**TABLES, **{table.name: table for table in of_sources}}
    with ExitStack() as stack:
        if executor_of() is dg.in_process_executor:
            stack.enter_context(exclude_other_runs(workspace.root / "dagster"))
        yield ParquetIOManager(UPath(workspace.root / "tables"), workspace, declared)


@dg.io_manager(required_resource_keys={"workspace"})
def folder_store(context: dg.InitResourceContext) -> dg.IOManager:
    """Store products below the data folder."""
    return FolderIOManager(context.resources.workspace)


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
