"""Reference geography as assets: ZIP codes and cities, from packages or official files."""

from pathlib import Path

from assets.geography.packages import cities_from_packages, zips_from_packages
from assets.steps.decorators import Facts, Output, table_asset
from assets.steps.workspace import Workspace
from schemas.tables.core import CITIES, ZIPS


def _files(workspace: Workspace) -> Facts:
    """Return names and sizes of the official files; empty without any."""
    folder = Path(workspace.geography_dir) if workspace.geography_dir else None
    paths = folder.iterdir() if folder and folder.is_dir() else ()
    return {"files": sorted((path.name, path.stat().st_size) for path in paths)}


@table_asset(
    ZIPS,
    CITIES,
    name="core_geography",
    reads={},
    group="geography",
    settings=_files,
    arguments=lambda workspace: {"folder": Path(workspace.geography_dir)},
)
def core_geography(files: list[tuple[str, int]], folder: Path) -> Output:
    """Make ZIP codes and cities with points, population and time zones, from files or packages."""
    if files:
        from assets.geography.official import geography_from_files  # noqa: PLC0415

        zips, cities, notes = geography_from_files(folder)
    else:
        zips, notes = zips_from_packages(), ["from packages"]
        cities = cities_from_packages(zips)
    return Output([zips, cities], {"notes": notes})
