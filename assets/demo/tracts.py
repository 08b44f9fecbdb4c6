"""Invented Census tracts of the demo: squares around the ZIP codes of its facilities for
veterans."""

import tempfile
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import shapely

from assets.demo.files import Writing

FOLDER = "census_tracts"
# About four kilometres. Nine squares around a ZIP code contain every place sampled near it.
_SIDE_DEGREES = 0.04
_AROUND = [(0, 0), *((y, x) for y in (-1, 0, 1) for x in (-1, 0, 1) if (y, x) != (0, 0))]
_MEMBERS = ("shp", "shx", "dbf", "prj", "cpg")
_EPOCH = (1980, 1, 1, 0, 0, 0)


def write_tracts(writing: Writing, zips: pd.DataFrame, codes: set[str]) -> list[Path]:
    """Write the squares around the ZIP codes `codes` as the Census Bureau packs its boundaries.

    Each square lies in one county, that of the first ZIP code in it or next to it. Equal arguments
    give equal bytes.
    """
    import geopandas  # noqa: PLC0415 - half a second, only where a demo is written

    squares = _squares(zips[zips["zip"].isin(codes)])
    path = writing.folder / FOLDER / f"cb_{writing.as_of.year}_us_tract_500k.zip"
    path.parent.mkdir(parents=True, exist_ok=True)
    frame = geopandas.GeoDataFrame(squares[["GEOID"]], geometry=squares["square"], crs="EPSG:4269")
    with tempfile.TemporaryDirectory() as scratch:
        # The table's header bears a date; without this one, today's.
        frame.to_file(
            Path(scratch) / f"{path.stem}.shp", DBF_DATE_LAST_UPDATE=writing.as_of.isoformat()
        )
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for member in _MEMBERS:
                name = f"{path.stem}.{member}"
                content = (Path(scratch) / name).read_bytes()
                archive.writestr(zipfile.ZipInfo(name, _EPOCH), content, zipfile.ZIP_DEFLATED)
    return [path]


def _squares(zips: pd.DataFrame) -> pd.DataFrame:
    """Return `GEOID` (county and six digits) and `square`; no two overlap."""
    zips = zips.dropna(subset=["county_fips", "lat", "lng"]).sort_values("zip")
    row = np.floor(zips["lat"].to_numpy(dtype=float) / _SIDE_DEGREES).astype(int)
    column = np.floor(zips["lng"].to_numpy(dtype=float) / _SIDE_DEGREES).astype(int)
    county = zips["county_fips"].astype("str").to_numpy()
    cells = pd.concat(
        [pd.DataFrame({"y": row + y, "x": column + x, "county": county}) for y, x in _AROUND],
        ignore_index=True,
    ).drop_duplicates(["y", "x"])
    number = cells.groupby("county").cumcount() + 1
    corner = cells[["x", "y"]].to_numpy() * _SIDE_DEGREES
    return pd.DataFrame(
        {
            "GEOID": (cells["county"] + number.map("{:04d}00".format)).to_numpy(),
            "square": shapely.box(*corner.T, *(corner + _SIDE_DEGREES).T),
        }
    )
