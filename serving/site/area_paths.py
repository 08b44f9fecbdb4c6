"""Addresses of the pages of ZIP codes, cities and counties, and lists of all of them."""

from typing import NamedTuple

from warehouse.index.gazetteer import City
from warehouse.index.reader import OpenRelease


class AreaPaths(NamedTuple):
    """Paths of all pages of areas: ZIP codes with a point, cities by state and name, counties."""

    zips: list[str]
    cities: list[str]
    counties: list[str]


def zip_path(code: str) -> str:
    """Return path of the page of a ZIP code."""
    return f"/zip/{code}"


def city_path(city: City) -> str:
    """Return path of the page of a city: `/city/MN/st-paul`."""
    return f"/city/{city.state}/{city.folded.replace(' ', '-')}"


def county_path(fips: str) -> str:
    """Return path of the page of a county."""
    return f"/county/{fips}"


def city_of(release: OpenRelease, name: str, state: str) -> City | None:
    """Return the city of a name or of its form in a path; of several the most populous."""
    cities = release.gazetteer.cities_like(name.replace("-", " "), state)
    return cities[0] if cities else None


def city_link(release: OpenRelease, name: str | None, state: str | None) -> str | None:
    """Return the path of the page of a city named in a record; None if unknown."""
    cities = release.gazetteer.cities(name, state) if name and state else []
    return city_path(cities[0]) if cities else None


def area_paths(release: OpenRelease) -> AreaPaths:
    """List the paths of a release, ascending."""
    gazetteer = release.gazetteer
    return AreaPaths(
        [zip_path(place.zip) for place in gazetteer.all_zips() if place.lat is not None],
        sorted({city_path(city) for city in gazetteer.all_cities() if city.folded}),
        [county_path(fips) for fips in gazetteer.county_codes()],
    )
