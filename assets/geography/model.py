"""The reference geography for locating and demonstration data."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from assets.geography.boundaries import Boundaries
from assets.geography.points import Bools, Floats, Texts, fold_names

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
        """Index of every ZIP in the rows."""
        zips = self.zips
        return ZipRows(
            index=pd.Index(zips["zip"]),
            texts={name: _with_none(zips[name]) for name in ZIP_TEXTS},
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
        """Return `state`, `city` (folded), `lat`, `lng` of all towns: several of one name in a
        state are several rows."""
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
    """Points by key. The last one is missing (NaN): unknown keys get -1 from `index` and select
    it."""

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


def _with_none(column: pd.Series) -> Texts:
    values = column.astype(object).where(column.notna(), None)
    return np.array([*values, None], dtype=object)


def _with_nan(column: pd.Series) -> Floats:
    return np.append(column.to_numpy(dtype=float), np.nan)
