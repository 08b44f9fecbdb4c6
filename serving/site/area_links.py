"""Addresses of the pages of ZIP codes, cities and counties, and the links between them."""

from collections import defaultdict
from typing import NamedTuple

from schemas.values.coordinates import miles_to_chord
from serving.http.caching import per_release
from serving.search.start import Start
from warehouse.index.gazetteer import City, County, ZipPlace
from warehouse.index.reader import OpenRelease

_NEIGHBOURS, _NEIGHBOUR_MILES = 8, 50.0
# Of PO boxes and single organizations there may be many around a point.
_MAX_NEAR_ZIPS = 40
_MAX_ZIPS, _MAX_CITIES = 60, 24
_DELIVERY = "standard"


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


class Link(NamedTuple):
    """A page of an area; `path` is that of its English page."""

    path: str
    name: str


class Links(NamedTuple):
    """Links from an area's page: to the areas that contain it, nearest last, to ZIP codes and
    cities in or around it, and to other places of its name in the state."""

    above: list[Link]
    zips: list[Link]
    cities: list[Link]
    same_name: tuple[Link, ...] = ()


def links_of_zip(release: OpenRelease, place: ZipPlace, start: Start) -> Links:
    """Return county and city of a ZIP code, and the nearest ZIP codes."""
    city = city_of(release, place.name, place.state) if place.name and place.state else None
    near = release.gazetteer.zips_near(start.at, _MAX_NEAR_ZIPS, miles_to_chord(_NEIGHBOUR_MILES))
    others = [z for z in near if z.kind == _DELIVERY and z.zip != place.zip]
    county = _county_of(release, place.zip)
    above = [_county_link(county)] if county else []
    above += [_city_link(city)] if city else []
    return Links(above, [_zip_link(one) for one in others[:_NEIGHBOURS]], [])


def links_of_city(release: OpenRelease, city: City) -> Links:
    """Return the county of a city, its ZIP codes, and the larger cities of the county."""
    members, county = _members(release), _county_of(release, city.zip)
    own = members.zips_of_city.get((city.name, city.state), [])
    cities = members.cities_of_county.get(county.fips, []) if county else []
    others = [one for one in cities if one.folded != city.folded]
    return Links(
        [_county_link(county)] if county else [],
        [_zip_link(one) for one in own[:_MAX_ZIPS]],
        [_city_link(one) for one in others[:_NEIGHBOURS]],
        tuple(_city_link(one) for one in release.gazetteer.namesakes(city)),
    )


def links_of_county(release: OpenRelease, county: County) -> Links:
    """Return the larger cities and the ZIP codes of a county."""
    members = _members(release)
    own = members.zips_of_county.get(county.fips, [])
    cities = members.cities_of_county.get(county.fips, [])
    return Links(
        [],
        [_zip_link(one) for one in own[:_MAX_ZIPS]],
        [_city_link(one) for one in cities[:_MAX_CITIES]],
    )


def _county_of(release: OpenRelease, code: str | None) -> County | None:
    """Return the county of a ZIP code."""
    place = release.gazetteer.zip(code) if code else None
    return release.gazetteer.county(place.county_fips) if place and place.county_fips else None


class _Members(NamedTuple):
    """ZIP codes with delivery and cities by containing area; cities by population, one per name."""

    zips_of_city: dict[tuple[str, str], list[ZipPlace]]
    zips_of_county: dict[str, list[ZipPlace]]
    cities_of_county: dict[str, list[City]]


@per_release
def _members(release: OpenRelease) -> _Members:
    """Group all ZIP codes and cities once: a tenth of a second, which no page should take."""
    members = _Members(defaultdict(list), defaultdict(list), defaultdict(list))
    for place in release.gazetteer.all_zips():
        if place.kind == _DELIVERY and place.name and place.state:
            members.zips_of_city[place.name, place.state].append(place)
        if place.kind == _DELIVERY and place.county_fips:
            members.zips_of_county[place.county_fips].append(place)
    cities = release.gazetteer.all_cities()
    county_cities: set[tuple[str, str]] = set()
    for city in sorted(cities, key=lambda city: (-(city.population or 0), city.folded)):
        county = _county_of(release, city.zip)
        if (
            county
            and county.state == city.state
            and (county.fips, city.folded) not in county_cities
        ):
            county_cities.add((county.fips, city.folded))
            members.cities_of_county[county.fips].append(city)
    return members


def _zip_link(place: ZipPlace) -> Link:
    name = f"{place.zip} {place.name}" if place.name else place.zip
    return Link(zip_path(place.zip), name)


def _city_link(city: City) -> Link:
    return Link(city_path(city), f"{city.name}, {city.state}")


def _county_link(county: County) -> Link:
    return Link(county_path(county.fips), f"{county.name}, {county.state}")
