"""Census tracts: the boundaries of a build, from the 1:500,000 cartographic boundary files of the
Census Bureau, and the tract of each point by polygon."""

from collections.abc import Callable, Iterable
from pathlib import Path

import pandas as pd

from assets.geography.model import read_polygons
from assets.sources.files import source_folder
from assets.steps.workspace import Workspace
from schemas.sources.registry import reference_sources, sources
from schemas.vocab.statuses import EXACT_PRECISIONS
from warehouse.fetch.errors import FetchError
from warehouse.fetch.live import fetch_live
from warehouse.fetch.settings import read_fetch_settings

TRACTS = reference_sources()["census_tracts"]
_NATION, _STATES = "cb_*_us_tract_500k.zip", "cb_*_[0-9][0-9]_tract_500k.zip"


def tract_files(folder: Path) -> list[Path]:
    """Return a folder's tract files: the nation's newest, else each state's; may be empty."""
    nation = sorted(folder.glob(_NATION))
    if nation:
        return nation[-1:]
    # cb_<year>_<state>_tract_500k.zip; years sort as text, so that the newest of a state comes
    # last.
    by_state = {path.name.split("_")[2]: path for path in sorted(folder.glob(_STATES))}
    return sorted(by_state.values())


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
    """Return the files of this build; a live build fetches them if its official geography has none.

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


def with_tracts(records: pd.DataFrame, files: Iterable[Path]) -> pd.DataFrame:
    """Fill `census_tract` (11 digits) of records with an exact point in a tract of their county.

    Reads `lat`, `lng`, `location_precision`, `county_fips`. A known tract stays. A point between
    two tracts is in the first by number. NAD83 is used as WGS84; they differ by a meter or two.
    """
    is_usable = (
        records["census_tract"].isna()
        & records["location_precision"].isin(EXACT_PRECISIONS)
        & records[["lat", "lng", "county_fips"]].notna().all(axis=1)
    )
    points = records[is_usable.astype(bool)]
    paths = list(files)
    if points.empty or not paths:
        return records
    import geopandas  # noqa: PLC0415 - half a second, only needed where there are polygons

    located = geopandas.GeoDataFrame(
        {"row": points.index, "county": points["county_fips"].astype("str").to_numpy()},
        geometry=geopandas.points_from_xy(points["lng"].astype(float), points["lat"].astype(float)),
    )
    # Joining points to polygons prepares each polygon once.
    pairs = read_polygons(paths).sjoin(located, predicate="intersects")
    pairs = pairs[pairs["GEOID"].str.slice(0, 5).eq(pairs["county"])].sort_values("GEOID")
    first = pairs.drop_duplicates("row").set_index("row")["GEOID"]
    own_tract = records["census_tract"].astype(object)
    return records.assign(census_tract=own_tract.fillna(first.astype(object)).astype("str"))
