"""Reads ZIP codes and cities from a folder of official files; the packages supply missing ones.

Counties are those of 2020, with Connecticut's eight counties, as in HUD's crosswalk, the ZCTA
relationship and GeoNames. The 2025 gazetteer and ACS 2023 use Connecticut's planning regions, so
they are read for points and people only.
"""

from pathlib import Path
from typing import TypeVar

import numpy as np
import pandas as pd

from assets.geography import official_files as files
from assets.geography.counties import counties
from assets.geography.model import Boundaries, load_boundaries
from assets.geography.packages import (
    LEAST_EXTENT_MILES,
    QUALITY_MILES,
    as_table,
    cities_from_packages,
    extent_of_neighbors,
    geonames_cities,
    unite_cities,
    zip_place_names,
    zips_from_packages,
)
from assets.geography.points import fold_names, miles_between, timezones_at
from schemas.tables.core import ZIPS
from schemas.vocab.states import CODE_BY_FIPS, STATE_CODES

_T = TypeVar("_T")

# States whose towns are county subdivisions, absent from lists of places.
_NEW_ENGLAND = ("CT", "MA", "ME", "NH", "RI", "VT")
_LEGAL_WORDS = (
    r"(?: Town)? (?:city and borough|city|town|village|CDP|borough|comunidad|zona urbana"
    r"|municipality|"
    r"metro government|metropolitan government|consolidated government|unified government|"
    r"urban county|corporation)$"
)


def geography_from_files(folder: Path) -> tuple[pd.DataFrame, pd.DataFrame, list[str]]:
    """Return (zips, cities, notes) in the columns of `ZIPS`, `CITIES`; notes name gaps."""
    notes: list[str] = []
    zips = zips_from_files(folder, notes)
    return zips, cities_from_files(folder, zips, notes), notes


# ------------------------------------------------------------------ ZIP codes


def zips_from_files(folder: Path, notes: list[str]) -> pd.DataFrame:
    """Return ZIP codes of all official lists and packages; add missing lists to `notes`."""
    frame = _all_zips(folder, notes)
    frame["county_fips"] = _majority_county(frame, folder, notes)
    frame["state"] = frame["state"].fillna(frame["county_fips"].str[:2].map(CODE_BY_FIPS))
    names = counties().set_index("county_fips")["county_name"]
    frame["county_name"] = frame["county_fips"].map(names).astype("str")
    _choose_points(frame, load_boundaries(folder), notes)
    frame["population"] = pd.array([pd.NA] * len(frame), dtype="Int64")
    people = _note(
        files.population(folder, "zcta"), "population by ZIP: unknown without ACS", notes
    )
    if people is not None:
        frame["population"] = people.reindex(frame["zip"]).array
    frame["timezone"] = timezones_at(frame["lat"].to_numpy(), frame["lng"].to_numpy())
    frame["extent_miles"] = _extent(frame, files.gazetteer(folder, "zcta"))
    return as_table(frame, ZIPS.field_names).sort_values("zip", ignore_index=True)


def _note(part: _T | None, note: str, notes: list[str]) -> _T | None:
    if part is None:
        notes.append(note)
    return part


def _all_zips(folder: Path, notes: list[str]) -> pd.DataFrame:
    """Return one row per ZIP code of any list: kind, name, state and the three possible points."""
    base = zips_from_packages().set_index("zip")
    postal = _note(files.geonames_postal(folder), "ZIP names: packages (no GeoNames file)", notes)
    census = _note(files.gazetteer(folder, "zcta"), "ZIP points: no gazetteer", notes)
    post = _note(files.usps_delivery(folder), "delivery ZIPs: packages (no USPS list)", notes)
    lists = [
        None if postal is None else postal.set_index("zip"),
        None if census is None else census.set_index("GEOID")[["lat", "lng"]],
        None if post is None else post.set_index("zip"),
    ]
    every = base.index
    for zip_list in lists:
        every = every if zip_list is None else every.union(zip_list.index)
    frame = base.reindex(every).drop(columns=["lat", "lng"])
    for name, zip_list in zip(("postal", "census", "post"), lists, strict=True):
        for axis in ("lat", "lng"):
            has = zip_list is not None and axis in zip_list
            frame[f"{name}_{axis}"] = (
                zip_list[axis].reindex(every) if has and zip_list is not None else np.nan
            )
    for axis in ("lat", "lng"):
        frame[f"package_{axis}"] = base[axis].reindex(every)
    _name_and_kind(frame, lists)
    frame["postal_fips"] = pd.Series(None, index=every, dtype="str")
    if postal is not None:
        frame["postal_fips"] = postal.set_index("zip")["county_fips"].reindex(every)
    return frame.rename_axis("zip").reset_index()


def _name_and_kind(frame: pd.DataFrame, lists: list[pd.DataFrame | None]) -> None:
    """Take names from the package, GeoNames or the Postal Service, in this order; a ZIP code of
    unknown kind is a PO box unless it has an area."""
    for zip_list in (lists[0], lists[2]):
        if zip_list is not None:
            for name in ("place_name", "state"):
                values = frame[name].fillna(zip_list[name].reindex(frame.index))
                is_military = frame["zip_kind"].eq("military")
                frame[name] = values.mask(is_military, frame[name]).astype("str")
    has_area = frame["census_lat"].notna()
    guess = pd.Series("po_box", index=frame.index, dtype="str").mask(has_area, "standard")
    frame["zip_kind"] = frame["zip_kind"].fillna(guess)


def _majority_county(frame: pd.DataFrame, folder: Path, notes: list[str]) -> pd.Series:
    """Return the county with most addresses (HUD), else most land (Census), else that of GeoNames,
    else that of the packages.
    """
    fips = pd.Series(None, index=frame.index, dtype="str")
    for part, note in (
        (files.hud_counties(folder), "counties: no HUD crosswalk"),
        (files.zcta_counties(folder), "counties: no ZCTA relationship file"),
    ):
        fips_of_zip = _note(part, note, notes)
        if fips_of_zip is not None:
            fips = fips.fillna(pd.Series(fips_of_zip.reindex(frame["zip"]).to_numpy(), dtype="str"))
    fips = fips.fillna(frame["postal_fips"]).fillna(frame["county_fips"])
    county_codes = counties()["county_fips"]
    fips = fips.where(fips.isin(county_codes))
    return fips.mask(frame["zip_kind"].eq("military"))


def _choose_points(frame: pd.DataFrame, boundaries: Boundaries | None, notes: list[str]) -> None:
    """Choose the point of gazetteer, GeoNames or package that is in the ZIP code's county first; if
    no point is, the first known one, marked as low quality.

    Without polygons the quality is low if two points are far apart.
    """
    frame["lat"], frame["lng"] = np.nan, np.nan
    military = frame["zip_kind"].eq("military")
    settled = military.copy()
    if boundaries is None:
        notes.append("ZIP points: not checked against counties (no boundary file)")
    for name in ("census", "postal", "package"):
        lat, lng = frame[f"{name}_lat"].to_numpy(), frame[f"{name}_lng"].to_numpy()
        fits = np.isfinite(lat)
        if boundaries is not None:
            fits &= boundaries.county_of(lat, lng) == frame["county_fips"].to_numpy(dtype=object)
        frame[f"{name}_fits"] = fits & (boundaries is not None)
        _take(frame, ~settled & fits, name)
        settled |= fits
    frame["is_quality_low"] = ~settled | (_gap(frame) & (boundaries is None))
    for name in ("census", "postal", "package"):
        _take(frame, frame["lat"].isna() & ~military, name)
    frame["is_quality_low"] &= frame["lat"].notna()


def _extent(frame: pd.DataFrame, census: pd.DataFrame | None) -> pd.Series:
    """Return how far each ZIP code's area extends from its point, in miles.

    It is about the radius of a circle as large as the area's land, and more if another list has a
    point in the same county: the Census Bureau's may be in the mountains above the town (91702).
    """
    extent = extent_of_neighbors(frame)
    if census is not None:
        land = files.land_area(census).set_axis(census["GEOID"]).reindex(frame["zip"])
        radius = np.sqrt(land.to_numpy(dtype=float) / np.pi)
        extent = extent.mask(radius > 0, radius).clip(lower=LEAST_EXTENT_MILES)
    for name in ("census", "postal", "package"):
        points = (frame[c].to_numpy(float) for c in (f"{name}_lat", f"{name}_lng", "lat", "lng"))
        gap = pd.Series(miles_between(*points), index=frame.index).where(frame[f"{name}_fits"])
        extent = extent.where(~(gap + extent / 2 > extent), gap + extent / 2)
    return extent


def _take(frame: pd.DataFrame, rows: pd.Series, name: str) -> None:
    for axis in ("lat", "lng"):
        frame[axis] = frame[axis].mask(rows, frame[f"{name}_{axis}"])


def _gap(frame: pd.DataFrame) -> pd.Series:
    pairs = [
        frame[f"{name}_{axis}"].to_numpy()
        for name in ("census", "postal")
        for axis in ("lat", "lng")
    ]
    return pd.Series(miles_between(*pairs) > QUALITY_MILES, index=frame.index)


# ------------------------------------------------------------------ cities


def cities_from_files(folder: Path, zips: pd.DataFrame, notes: list[str]) -> pd.DataFrame:
    """Return GeoNames cities, Census places, New England towns and ZIP place names.

    A point of GeoNames is the center of a town; one of the gazetteer may be anywhere inside the
    limits (Anchorage's is in the mountains). The population is the official one.
    """
    places = _note(files.gazetteer(folder, "place"), "cities: packages (no place gazetteer)", notes)
    if places is None:
        return cities_from_packages()
    people = _note(files.population(folder, "place"), "city population: GeoNames (no ACS)", notes)
    official = _as_cities(places)
    official["population"] = pd.array([pd.NA] * len(official), dtype="Int64")
    if people is not None:
        official["population"] = people.reindex(places["GEOID"]).array
    towns = _note(files.gazetteer(folder, "cousubs"), "New England towns: missing", notes)
    parts = [official, geonames_cities().sort_values("population", ascending=False, kind="stable")]
    if towns is not None:
        real = towns["USPS"].isin(_NEW_ENGLAND) & towns["FUNCSTAT"].eq("A")
        parts.append(_as_cities(towns[real]))
    cities = pd.concat(parts, ignore_index=True)
    cities["is_official"] = cities["alternates"].isna()
    return unite_cities(cities, zips, zip_place_names())


def _as_cities(rows: pd.DataFrame) -> pd.DataFrame:
    name = rows["NAME"].str.replace(r" \(balance\)$", "", regex=True)
    name = name.str.replace(_LEGAL_WORDS, "", regex=True)
    frame = pd.DataFrame(
        {
            "place_name": name,
            "state": rows["USPS"],
            "lat": rows["lat"],
            "lng": rows["lng"],
            "area_sq_miles": files.land_area(rows),
        }
    )
    frame = frame[frame["state"].isin(STATE_CODES)]
    return frame.assign(search_name=fold_names(frame["place_name"])).reset_index(drop=True)
