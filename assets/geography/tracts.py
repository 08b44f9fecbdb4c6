"""Assigns Census tracts by polygon, from the Census Bureau's 1:500,000 cartographic boundary
files."""

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pandas as pd
import shapely

_NATION, _STATES = "cb_*_us_tract_500k.zip", "cb_*_[0-9][0-9]_tract_500k.zip"
# The point of a ZIP code or a city is in some tract, but not necessarily the place's.
_EXACT = ("rooftop", "street")


def tract_files(folder: Path) -> list[Path]:
    """Return a folder's tract files: the nation's newest, else each state's; may be empty."""
    nation = sorted(folder.glob(_NATION))
    if nation:
        return nation[-1:]
    # cb_<year>_<state>_tract_500k.zip; years sort as text, so that the newest of a state comes
    # last.
    by_state = {path.name.split("_")[2]: path for path in sorted(folder.glob(_STATES))}
    return sorted(by_state.values())


def with_tracts(records: pd.DataFrame, files: Iterable[Path]) -> pd.DataFrame:
    """Fill `census_tract` (11 digits) where an exact point is in a tract of its county.

    Reads `lat`, `lng`, `location_precision`, `county_fips`. A known tract stays. A point on the
    line between two tracts gets the first by number. NAD83 is used as WGS84: they differ by a metre
    or two.
    """
    is_usable = (
        records["census_tract"].isna()
        & records["location_precision"].isin(_EXACT)
        & records[["lat", "lng", "county_fips"]].notna().all(axis=1)
    )
    points = records[is_usable.astype(bool)]
    paths = list(files)
    if points.empty or not paths:
        return records
    tracts = _read(paths)
    tree = shapely.STRtree(
        shapely.points(points["lng"].to_numpy(dtype=float), points["lat"].to_numpy(dtype=float))
    )
    # Polygons ask a tree of points: each is prepared once.
    polygon, point = tree.query(tracts["geometry"].to_numpy(), predicate="intersects")
    pairs = pd.DataFrame({"row": points.index[point], "tract": tracts["tract"].to_numpy()[polygon]})
    own = pairs["row"].map(points["county_fips"].astype("str"))
    pairs = pairs[pairs["tract"].str.slice(0, 5).eq(own)].sort_values("tract")
    first = pairs.drop_duplicates("row").set_index("row")["tract"]
    own_tract = records["census_tract"].astype(object)
    return records.assign(census_tract=own_tract.fillna(first.astype(object)).astype("str"))


def _read(paths: list[Path]) -> pd.DataFrame:
    import geopandas  # noqa: PLC0415 - half a second, only needed where there are polygons

    frames = [geopandas.read_file(path, columns=["GEOID"]) for path in paths]
    return pd.DataFrame(
        {
            "tract": pd.concat([frame["GEOID"] for frame in frames]).astype("str").to_numpy(),
            "geometry": np.concatenate([np.asarray(frame.geometry.array) for frame in frames]),
        }
    )
