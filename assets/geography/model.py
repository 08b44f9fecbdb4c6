"""The reference geography: ZIP codes, cities, and the county polygons of the Census Bureau."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import shapely

from assets.geography.points import Bools, Floats, Texts
from schemas.vocab.states import CODE_BY_FIPS, STATES

if TYPE_CHECKING:
    from geopandas import GeoDataFrame

from functools import cached_property

from assets.geography.points import fold_names

# Finest first: 1:5m has the island areas, 1:20m has Alaska's counties of 2019.
_COUNTY_FILES = (
    "cb_2018_us_county_5m.zip",
    "cb_2021_us_county_20m.zip",
    "cb_2024_us_county_20m.zip",
)
_SPLIT_IN_2019 = "02261"  # Valdez-Cordova became Chugach and Copper River
_ITS_PARTS = ("02063", "02066")
# Connecticut's planning regions; the directory uses the eight counties, like HUD's crosswalk.
_PLANNING_REGIONS = tuple(f"091{n}0" for n in range(1, 10))
# The lines are simplified; a point this close to its state counts as inside. In degrees of
# latitude.
_TOLERANCE_DEGREES = 0.015


@dataclass(frozen=True, eq=False)
class Boundaries:
    """County polygons by FIPS code; states are the union of their counties."""

    county_fips: Texts
    polygons: npt.NDArray[Any]
    vintage: str

    def _rows(self, lat: Floats, lng: Floats) -> npt.NDArray[np.int64]:
        """Return each point's polygon number, -1 for none; each polygon is prepared once."""
        rows = np.full(len(lat), -1, dtype=np.int64)
        # The tree leaves out points that are not finite.
        tree = shapely.STRtree(shapely.points(lng, lat))
        polygon, point = tree.query(self.polygons, predicate="intersects")
        rows[point[::-1]] = polygon[::-1]
        return rows

    def county_of(self, lat: Floats, lng: Floats) -> Texts:
        """Return each point's county FIPS; None outside all polygons and in other vintages."""
        codes = np.array([*self.county_fips, None], dtype=object)
        codes[np.isin(codes.astype(str), [*_PLANNING_REGIONS, _SPLIT_IN_2019])] = None
        return np.asarray(codes[self._rows(lat, lng)], dtype=object)

    def state_of(self, lat: Floats, lng: Floats) -> Texts:
        """Return the state code of every point, None outside all polygons."""
        codes = [CODE_BY_FIPS.get(fips[:2]) for fips in self.county_fips]
        return np.array([*codes, None], dtype=object)[self._rows(lat, lng)]

    def is_beside(self, lat: Floats, lng: Floats, state: Texts) -> Bools:
        """Return whether a point is in its state or within about a mile of it."""
        beside = np.zeros(len(lat), dtype=bool)
        points = shapely.points(lng, lat)
        fips_states = np.array([fips[:2] for fips in self.county_fips])
        for code in pd.unique(state):
            mine = np.flatnonzero(state == code)
            own = self.polygons[fips_states == STATES[code].fips] if code in STATES else []
            if len(own):
                hits = shapely.STRtree(points[mine]).query(
                    own, predicate="dwithin", distance=_TOLERANCE_DEGREES
                )
                beside[mine[hits[1]]] = True
        return beside


def load_boundaries(folder: Path) -> Boundaries | None:
    """Return the county polygons in a folder, or None without any.

    The 2018 set is finest; Alaska's split of Valdez-Cordova comes from a later set if present.
    """
    present = [name for name in _COUNTY_FILES if (folder / name).is_file()]
    if not present:
        return None
    counties = read_polygons([folder / present[0]])
    notes = [present[0]]
    if present[0] == _COUNTY_FILES[0] and len(present) > 1:
        later = read_polygons([folder / present[1]])
        parts = later[later["GEOID"].isin(_ITS_PARTS)]
        counties = pd.concat([counties[counties["GEOID"].ne(_SPLIT_IN_2019)], parts])
        notes.append(f"{present[1]} for {', '.join(_ITS_PARTS)}")
    counties = counties.sort_values("GEOID", ignore_index=True)
    return Boundaries(
        counties["GEOID"].to_numpy(dtype=object),
        np.asarray(counties["geometry"], dtype=object),
        "; ".join(notes),
    )


def read_polygons(paths: Iterable[Path]) -> GeoDataFrame:
    """Return `GEOID` and `geometry` of boundary files, without their reference system.

    NAD83 is used as WGS84; they differ by a meter or two.
    """
    import geopandas  # noqa: PLC0415 - half a second, only needed where there are polygons

    frames = [geopandas.read_file(path, columns=["GEOID"]) for path in paths]
    polygons = pd.concat(frames, ignore_index=True).set_crs(None, allow_override=True)
    return polygons.astype({"GEOID": "str"})


# Columns of ZIP codes that are evidence for places.
ZIP_TEXTS = ("state", "county_fips", "timezone", "zip_kind")


@dataclass(frozen=True, eq=False)
class Geography:
    """ZIP codes and cities (`schemas.tables.core.ZIPS`, `CITIES`), polygons if available.

    `notes` name missing official files, `vintage` the edition of the rest.
    """

    zips: pd.DataFrame
    cities: pd.DataFrame
    boundaries: Boundaries | None = None
    notes: tuple[str, ...] = ()
    vintage: str = ""

    @cached_property
    def zip_rows(self) -> ZipRows:
        """Return the ZIP codes by code."""
        zips = self.zips
        return ZipRows(
            index=pd.Index(zips["zip"]),
            texts={
                name: np.array([*zips[name].astype(object).where(zips[name].notna(), None), None])
                for name in ZIP_TEXTS
            },
            city=np.append(fold_names(zips["place_name"]).to_numpy(dtype=object), ""),
            lat=_with_nan(zips["lat"]),
            lng=_with_nan(zips["lng"]),
            extent=_with_nan(zips["extent_miles"]),
            is_doubtful=np.append(zips["is_quality_low"].eq(True).to_numpy(dtype=bool), False),
        )

    @cached_property
    def city_rows(self) -> PointRows:
        """Points of cities by "state|folded name"."""
        cities = self.cities
        keys = cities["state"].astype(object) + "|" + cities["search_name"].astype(object)
        return PointRows(pd.Index(keys), _with_nan(cities["lat"]), _with_nan(cities["lng"]))

    @cached_property
    def towns(self) -> pd.DataFrame:
        """Return `state`, `city` (folded), `lat` and `lng` of all towns, a row for each."""
        name = self.cities["place_name"].str.replace(r" \([^)]*\)$", "", regex=True)
        return self.cities[["state", "lat", "lng"]].assign(city=fold_names(name))

    @cached_property
    def county_names(self) -> pd.Series:
        """Names of counties by FIPS code, in ZIP code order."""
        zips = self.zips.dropna(subset=["county_fips", "county_name"])
        return zips.drop_duplicates("county_fips").set_index("county_fips")["county_name"]

    @cached_property
    def county_rows(self) -> PointRows:
        """Return each county's median point of its ZIP codes, by FIPS code."""
        zips = self.zips.dropna(subset=["county_fips", "lat", "lng"])
        middle = zips.groupby("county_fips")[["lat", "lng"]].median()
        return PointRows(middle.index, _with_nan(middle["lat"]), _with_nan(middle["lng"]))


@dataclass(frozen=True, eq=False)
class PointRows:
    """Points by key. The last one is NaN, for unknown keys, of which `index` returns -1."""

    index: pd.Index
    lat: Floats
    lng: Floats

    def points(self, keys: pd.Series) -> tuple[Floats, Floats]:
        """Return (lat, lng) of the keys, nan for unknown ones."""
        row = self.index.get_indexer(pd.Index(keys))
        return self.lat[row], self.lng[row]


@dataclass(frozen=True, eq=False)
class ZipRows(PointRows):
    """ZIP codes with more than their point; `city` is folded, `extent` in miles."""

    texts: dict[str, Texts]
    city: Texts
    extent: Floats
    is_doubtful: Bools


def _with_nan(column: pd.Series) -> Floats:
    return np.append(column.to_numpy(dtype=float), np.nan)
