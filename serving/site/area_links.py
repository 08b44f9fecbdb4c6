"""Links between the pages of areas: neighbours of a ZIP code, parts of a city or county."""

from __future__ import annotations

from typing import NamedTuple

from schemas.values.coordinates import miles_to_chord
from serving.search.start import Start
from serving.site.area_paths import city_of, city_path, county_path, zip_path
from warehouse.index.gazetteer import City, County, ZipPlace
from warehouse.index.reader import OpenRelease

_NEIGHBOURS, _NEIGHBOUR_MILES = 8, 50.0
# Of PO boxes and single organizations there may be many around a point.
_ASKED_ZIPS = 40
_MAX_ZIPS, _MAX_CITIES = 60, 24
_DELIVERY = "standard"


class Link(NamedTuple):
    """A page of an area; `path` is that of its English page."""

    path: str
    name: str


class Links(NamedTuple):
    """Links from the page of an area: to what it lies in, nearest last, and to ZIP codes and cities
    in it or around it."""

    above: list[Link]
    zips: list[Link]
    cities: list[Link]


def links_of_zip(release: OpenRelease, place: ZipPlace, start: Start) -> Links:
    """Return county and city of a ZIP code, and the nearest ZIP codes."""
    city = city_of(release, place.name, place.state) if place.name and place.state else None
    near = release.gazetteer.zips_near(start.at, _ASKED_ZIPS, miles_to_chord(_NEIGHBOUR_MILES))
    others = [z for z in near if z.kind == _DELIVERY and z.zip != place.zip]
    county = _county_of(release, place.zip)
    above = [_county_link(county)] if county else []
    above += [_city_link(city)] if city else []
    return Links(above, [_zip_link(one) for one in others[:_NEIGHBOURS]], [])


def links_of_city(release: OpenRelease, city: City) -> Links:
    """Return the county of a city, its ZIP codes, and the larger cities of the county."""
    own = [
        z
        for z in release.gazetteer.all_zips()
        if z.kind == _DELIVERY and z.state == city.state and z.name == city.name
    ]
    county = _county_of(release, city.zip)
    cities = _cities_in(release, county) if county else []
    others = [one for one in cities if one.folded != city.folded]
    return Links(
        [_county_link(county)] if county else [],
        [_zip_link(one) for one in own[:_MAX_ZIPS]],
        [_city_link(one) for one in others[:_NEIGHBOURS]],
    )


def links_of_county(release: OpenRelease, county: County) -> Links:
    """Return the larger cities and the ZIP codes of a county."""
    own = [
        z
        for z in release.gazetteer.all_zips()
        if z.county_fips == county.fips and z.kind == _DELIVERY
    ]
    return Links(
        [],
        [_zip_link(one) for one in own[:_MAX_ZIPS]],
        [_city_link(one) for one in _cities_in(release, county)[:_MAX_CITIES]],
    )


def _county_of(release: OpenRelease, code: str | None) -> County | None:
    """Return the county of a ZIP code."""
    place = release.gazetteer.zip(code) if code else None
    return release.gazetteer.county(place.county_fips) if place and place.county_fips else None


def _cities_in(release: OpenRelease, county: County) -> list[City]:
    """Return the cities whose ZIP code is in a county, the most populous first, one of a name."""
    inside = [
        city
        for city in release.gazetteer.all_cities()
        if city.state == county.state and _county_of(release, city.zip) == county
    ]
    named: dict[str, City] = {}
    for city in sorted(inside, key=lambda city: (-(city.population or 0), city.folded)):
        named.setdefault(city.folded, city)
    return list(named.values())


def _zip_link(place: ZipPlace) -> Link:
    name = f"{place.zip} {place.name}" if place.name else place.zip
    return Link(zip_path(place.zip), name)


def _city_link(city: City) -> Link:
    return Link(city_path(city), f"{city.name}, {city.state}")


def _county_link(county: County) -> Link:
    return Link(county_path(county.fips), f"{county.name}, {county.state}")
