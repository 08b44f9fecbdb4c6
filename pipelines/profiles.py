"""Profiles: where a build takes its files from, with the settings that belong to it."""

from pathlib import Path
from typing import Any

from assets.steps.workspace import Workspace
from pipelines.options import PROFILES
from schemas.sources.registry import sources
from schemas.sources.rights import read_policy
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
