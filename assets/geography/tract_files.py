"""Finds the boundaries of Census tracts for each profile."""

from collections.abc import Callable
from pathlib import Path

from assets.geography.tracts import tract_files
from assets.sources.files import source_folder
from assets.steps.workspace import Workspace
from schemas.sources.registry import reference_sources, sources
from warehouse.fetch.errors import FetchError
from warehouse.fetch.live import fetch_live
from warehouse.fetch.settings import read_fetch_settings

TRACTS = reference_sources()["census_tracts"]


def tracts_at_hand(workspace: Workspace) -> list[Path]:
    """Return this build's tract files without fetching; empty without any."""
    if workspace.geography_dir and (official := tract_files(Path(workspace.geography_dir))):
        return official
    if workspace.profile == "demo":
        invented = source_folder(sources()["va_facilities"], workspace)
        return tract_files(invented / TRACTS.folders[0])
    if workspace.profile == "live":
        return [file.path for file in workspace.raw_store.files(TRACTS.id)]
    return []


def obtain_tracts(workspace: Workspace, report: Callable[[str], None]) -> list[Path]:
    """Return the files of this build; a live one fetches them unless they are with its official
    geography.

    A failed fetch leaves the last good files in use: tracts change every ten years.
    """
    has_official = workspace.geography_dir and tract_files(Path(workspace.geography_dir))
    if workspace.profile == "live" and not has_official:
        try:
            fetch_live(read_fetch_settings(), TRACTS, workspace.raw_store, report)
        except FetchError as error:
            report(f"{TRACTS.id}: {error}; tracts are those of the last fetch, if there was one")
    paths = tracts_at_hand(workspace)
    report(
        f"{TRACTS.id}: {', '.join(path.name for path in paths) or 'no boundaries in this build'}"
    )
    return paths
