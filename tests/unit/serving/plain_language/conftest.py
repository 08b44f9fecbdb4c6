"""The gazetteer that every release without the publishers' files has, and the names in it."""

import pandas as pd
import pytest

from schemas.vocab.states import CODE_BY_FIPS
from serving.search.language.place_names import PlaceNames
from tests.support.geography import zips_and_cities
from warehouse.index.gazetteer import City, County, Gazetteer, ZipPlace


def _values(frame: pd.DataFrame, columns: list[str]) -> list[tuple]:
    plain = frame[columns].astype(object)
    return list(plain.where(plain.notna(), None).itertuples(index=False, name=None))


def _counties(zips: pd.DataFrame) -> list[County]:
    zips_with_county = zips.dropna(subset=["county_fips", "county_name", "lat"])
    grouped = zips_with_county.groupby("county_fips").agg(
        name=("county_name", "first"),
        lat=("lat", "median"),
        lng=("lng", "median"),
        count=("zip", "size"),
        people=("population", "sum"),
    )
    return [
        County(r.name, CODE_BY_FIPS[fips[:2]], fips, r.lat, r.lng, int(r.people), int(r.count))
        for fips, r in zip(grouped.index, grouped.itertuples(index=False), strict=True)
        if fips[:2] in CODE_BY_FIPS
    ]


@pytest.fixture(scope="session")
def names() -> PlaceNames:
    """Names of places of the whole country."""
    zips, cities = zips_and_cities()
    places = _values(
        zips,
        ["zip", "zip_kind", "place_name", "state", "lat", "lng", "population", "is_quality_low"],
    )
    towns = _values(
        cities, ["place_name", "state", "search_name", "lat", "lng", "zip", "population"]
    )
    return PlaceNames(
        Gazetteer((ZipPlace(*p) for p in places), (City(*t) for t in towns), _counties(zips))
    )
