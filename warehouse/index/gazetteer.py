"""Gazetteer of a release in memory: ZIP codes, cities and counties to search from."""

import math
import re
import threading
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from sys import intern
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from rtree.index import Index, Property

from schemas.tables.core import ZIPS
from schemas.tables.serving import SEARCH_CITIES, SEARCH_ZIPS
from schemas.values.coordinates import ecef
from schemas.values.names import fold_name
from schemas.vocab.states import CODE_BY_FIPS
from warehouse.duckdb import Connection
from warehouse.index.fuzzy_names import NearNames
from warehouse.index.spatial import At

Counts = NDArray[np.int64]

_LARGEST = 5

# Words in place names that people write and lists omit, or vice versa:
# "Village of Oak Park", "Municipio de Bayamón", "Cherry Hill Township", "Wilkinsburg Borough".
_BEFORE = re.compile(
    r"^(?:(?:city|town|township|village|borough|municipality|hamlet|charter township) of"
    r"|(?:ciudad|pueblo|municipio|villa) de(?:l)?|greater|downtown)\s+(?=\S)"
)
_AFTER = re.compile(
    r"\s+(?:charter township|township|twp|tshp|borough|boro|village|town|city|municipio"
    r"|municipality|cdp|area|metro)$"
)
# Abbreviations of the Postal Service (Publication 28, appendix C), and directions.
_SHORT = {
    "n": "north", "no": "north", "s": "south", "so": "south", "e": "east", "w": "west",
    "pt": "point", "prt": "port", "hts": "heights", "spg": "spring", "spgs": "springs",
    "spr": "springs", "sprgs": "springs", "lk": "lake", "lks": "lakes", "mtn": "mountain",
    "hbr": "harbor", "harbour": "harbor", "jct": "junction", "vly": "valley", "vlg": "village",
    "bch": "beach", "is": "island", "isl": "island", "pk": "park", "ctr": "center",
    "centre": "center", "cntr": "center", "grv": "grove", "hl": "hill", "hls": "hills",
    "fls": "falls", "gdns": "gardens", "riv": "river", "rvr": "river", "vw": "view", "cy": "city",
    "cty": "city", "crk": "creek", "ck": "creek", "brg": "bridge", "gr": "grand", "rch": "ranch",
    "est": "estates", "ests": "estates", "twp": "township", "ldg": "landing", "sta": "santa",
}  # fmt: skip
_COUNTY_WORDS = r"county|cnty|co|parish|census area|condado"
_MAYBE_COUNTY_WORDS = r"borough|municipality|municipio|city and borough|island|district|city"
_COUNTY = re.compile(rf"\s+(?:{_COUNTY_WORDS}|{_MAYBE_COUNTY_WORDS})$")
_CONDADO = re.compile(r"^(?:county of|parish of|condado de(?:l)?|municipio de)\s+")
_NAMES_COUNTY = re.compile(
    rf"(?:\s(?:{_COUNTY_WORDS})$|^(?:county of|parish of|condado de(?:l)?)\s)"
)


class ZipPlace(NamedTuple):
    """A ZIP code. Without a point (`lat` is None) it is not on the map: military post offices."""

    zip: str
    kind: str
    name: str | None
    state: str | None
    lat: float | None
    lng: float | None
    population: int | None
    is_quality_low: bool
    county_fips: str | None = None
    free_food_count: int = 0


class City(NamedTuple):
    """A city, town or other named place. `free_food_count`: places within 25 miles, as for ZIP
    codes."""

    name: str
    state: str
    folded: str
    lat: float
    lng: float
    zip: str | None
    population: int | None
    free_food_count: int = 0


class County(NamedTuple):
    """A county, parish, borough, municipio or island; its point is the middle of its ZIP codes."""

    name: str
    state: str
    fips: str
    lat: float
    lng: float
    population: int
    zip_count: int


class CityColumns(NamedTuple):
    """Columns of all cities ordered by folded name; unknown population and supply
    (`free_food_count`) are 0."""

    names: list[str]
    states: list[str]
    people: Counts
    supply: Counts


class ZipColumns(NamedTuple):
    """Columns of all ZIP codes in order; `is_placed`: it has a point."""

    codes: list[str]
    is_placed: NDArray[np.bool_]
    people: Counts
    supply: Counts


class Gazetteer:
    """Lookup of ZIP codes, cities and counties, in memory and read once."""

    def __init__(
        self, zips: Iterable[ZipPlace], cities: Iterable[City], counties: Iterable[County] = ()
    ) -> None:
        """Index entries in any order."""
        self._zips = sorted(zips, key=lambda place: place.zip)
        self._cities = sorted(cities, key=lambda c: (c.folded, -(c.population or 0), c.state))
        in_order = sorted(counties, key=lambda c: (-c.population, -c.zip_count, c.fips))
        people = [city.population or 0 for city in self._cities]
        self.city_columns = CityColumns(
            [city.folded for city in self._cities],
            [intern(city.state) for city in self._cities],
            np.array(people, dtype=np.int64),
            np.array([city.free_food_count for city in self._cities], dtype=np.int64),
        )
        self.zip_columns = ZipColumns(
            [place.zip for place in self._zips],
            np.array([place.lat is not None for place in self._zips], dtype=np.bool_),
            np.array([place.population or 0 for place in self._zips], dtype=np.int64),
            np.array([place.free_food_count for place in self._zips], dtype=np.int64),
        )
        names = self.city_columns.names
        # Cities of one name are adjacent: positions of each first one, and the end.
        self._firsts = [n for n, name in enumerate(names) if not n or name != names[n - 1]]
        self._firsts.append(len(names))
        self._names = [names[first] for first in self._firsts[:-1]]
        self._number = {name: number for number, name in enumerate(self._names)}
        self._counties: dict[str, list[County]] = {}
        for county in in_order:
            self._counties.setdefault(county_base(county.name), []).append(county)
        self._county_by_fips = {county.fips: county for county in in_order}
        self._with_point = np.flatnonzero(self.zip_columns.is_placed)
        points = [(place.lat, place.lng) for place in self._zips if place.lat is not None]
        self._xyz = ecef(*np.array(points, dtype=np.float64).reshape(-1, 2).T)
        stream = (np.arange(len(points)), self._xyz, self._xyz)
        properties = Property(dimension=3, leaf_capacity=20, index_capacity=20, fill_factor=0.9)
        self._tree = Index(stream if points else None, properties=properties)
        self._querying = threading.Lock()  # libspatialindex is not safe for threads

    def index_spellings(self) -> None:
        """Prepare the lookup of misspelt names, otherwise built by the first query."""
        _ = self._near, self._largest, self._by_letters

    @cached_property
    def _near(self) -> NearNames:
        return NearNames(self._names)

    @cached_property
    def _largest(self) -> dict[str, list[City]]:
        """The most populous cities of each state; ties by name, descending."""
        _, states, people, _ = self.city_columns
        by_state: dict[str, list[City]] = {}
        for at in np.argsort(people, kind="stable")[::-1].tolist():
            largest = by_state.setdefault(states[at], [])
            if people[at] and len(largest) < _LARGEST:
                largest.append(self._cities[at])
        return by_state

    @cached_property
    def _by_letters(self) -> dict[str, list[str]]:
        """Names by letters only: people treat "LaGrange" and "La Grange" as one name."""
        names: dict[str, list[str]] = {}
        for name in self._names:
            names.setdefault(name.replace(" ", ""), []).append(name)
        return names

    def __len__(self) -> int:
        """Count the known ZIP codes."""
        return len(self._zips)

    def zip(self, code: str) -> ZipPlace | None:
        """Return a ZIP code by its five digits."""
        codes = self.zip_columns.codes
        at = bisect_left(codes, code)
        return self._zips[at] if at < len(codes) and codes[at] == code else None

    def is_name(self, folded: str) -> bool:
        """Return whether some city has exactly this folded name."""
        return folded in self._number

    def find_named(self, folded: str) -> list[City]:
        """Return cities of exactly this folded name, the most populous first."""
        number = self._number.get(folded)
        return [] if number is None else self._cities_of_name(number)

    def _cities_of_name(self, number: int) -> list[City]:
        return self._cities[self._firsts[number] : self._firsts[number + 1]]

    def cities(self, name: str, state: str | None = None) -> list[City]:
        """Return cities by a name in any spelling, the most populous first."""
        cities = self.find_named(fold_name(name))
        return [city for city in cities if state is None or city.state == state]

    def namesakes(self, city: City) -> list[City]:
        """Return the other towns of a city's name in its state, named with their counties:
        "Chatham" is also "Chatham (Cook County)"."""
        base = city.name.partition(" (")[0]
        folded = fold_name(base)
        first, last = (bisect_left(self._names, f"{folded}{end}") for end in ("", " \x7f"))
        near = (one for number in range(first, last) for one in self._cities_of_name(number))
        return [
            one
            for one in near
            if one.state == city.state
            and one.folded != city.folded
            and (one.folded == folded or one.name.startswith(f"{base} ("))
        ]

    def cities_like(self, name: str, state: str | None = None) -> list[City]:
        """Return `cities`; if empty, try the name without "Township of" and the like, then with
        expanded abbreviations, then with blanks at other positions."""
        for spelling in spellings(fold_name(name)):
            cities = self.cities(spelling, state)
            if cities:
                return cities
        for letters in dict.fromkeys(s.replace(" ", "") for s in spellings(fold_name(name))):
            alike = [
                city for n in self._by_letters.get(letters, ()) for city in self.cities(n, state)
            ]
            if alike:
                return sorted(alike, key=lambda city: (-(city.population or 0), city.state))
        return []

    def counties(self, name: str, state: str | None = None) -> list[County]:
        """Return counties by name, with or without the word "County" (Parish, Borough, ...), the
        largest first."""
        folded = fold_name(name)
        counties = self._counties.get(county_base(name), [])
        counties = [county for county in counties if state is None or county.state == state]
        # "St. Louis County" is not the city of St. Louis, itself a county equivalent.
        exact = [county for county in counties if fold_name(county.name) == folded]
        return exact or counties

    def county_names(self) -> Iterable[str]:
        """Return the folded names of all counties, without the word "County"."""
        return self._counties

    def county(self, fips: str) -> County | None:
        """Return a county by its five-digit ANSI/FIPS code."""
        return self._county_by_fips.get(fips)

    def county_codes(self) -> list[str]:
        """Return codes of all counties, in order."""
        return sorted(self._county_by_fips)

    def cities_near(self, name: str, errors: int, state: str | None = None) -> list[City]:
        """Return cities with a misspelt name within so many errors: fewest errors, then most
        people."""
        near = self._near.whole(fold_name(name), errors)
        return self._cities_at(near, state)

    def cities_beginning(self, text: str) -> list[City]:
        """Return cities that begin with a text, the most populous first."""
        return self._cities_at(self._near.beginning(fold_name(text), 0), None)

    def names_beginning_near(self, folded: str, errors: int) -> list[tuple[int, str]]:
        """Return (errors, folded name) of names whose prefix is within so many errors of a folded
        text."""
        return [(count, self._names[at]) for count, at in self._near.beginning(folded, errors)]

    def largest_cities(self, state: str) -> list[City]:
        """Return the five most populous cities of a state."""
        return self._largest.get(state, [])

    def _cities_at(self, near: list[tuple[int, int]], state: str | None) -> list[City]:
        cities = [
            (errors, -(city.population or 0), city.folded, city.state, city)
            for errors, position in near
            for city in self._cities_of_name(position)
            if state is None or city.state == state
        ]
        return [city for *_, city in sorted(cities)]

    def all_cities(self) -> Sequence[City]:
        """Return every city, in order of folded name."""
        return self._cities

    def all_zips(self) -> Sequence[ZipPlace]:
        """Return every ZIP code, in order."""
        return self._zips

    def nearest_zip(self, at: At, metres: float) -> ZipPlace | None:
        """Return the ZIP code with the nearest point within the distance, if any; of equals the
        lowest."""
        near = self.zips_near(at, 1, metres)
        return near[0] if near else None

    def zips_near(self, at: At, count: int, metres: float) -> list[ZipPlace]:
        """Return the `count` ZIP codes with the nearest points within a distance, nearest first."""
        with self._querying:
            # With all that are as near as the last.
            rows = list(self._tree.nearest((*at, *at), count))
        near = sorted((math.dist(at, self._xyz[row].tolist()), row) for row in rows)[:count]
        return [self._zips[self._with_point[row]] for away, row in near if away <= metres]


def read_gazetteer(db: Connection) -> Gazetteer:
    """Read the gazetteer from the database of a release."""
    zips = db.execute(f"SELECT {', '.join(ZipPlace._fields)} FROM {SEARCH_ZIPS} ORDER BY rowid")
    zip_rows = zips.fetchall()
    cities = db.execute(f"SELECT {', '.join(City._fields)} FROM {SEARCH_CITIES} ORDER BY rowid")
    city_rows = cities.fetchall()
    counties = db.execute(
        f"""SELECT min(county_name), county_fips, median(lat), median(lng),
            coalesce(sum(population), 0)::BIGINT, count(*)
        FROM {ZIPS.name}
        WHERE county_fips IS NOT NULL AND lat IS NOT NULL AND lng IS NOT NULL
        GROUP BY county_fips"""
    ).fetchall()
    return Gazetteer(
        (ZipPlace(*row) for row in zip_rows),
        (City(*row) for row in city_rows),
        (
            County(name, CODE_BY_FIPS[fips[:2]], fips, lat, lng, people, count)
            for name, fips, lat, lng, people, count in counties
            if name and fips[:2] in CODE_BY_FIPS
        ),
    )


# ---------------------------------------------------------------- names


def spellings(folded: str) -> Iterator[str]:
    """Yield a folded name, then without its type words, then with abbreviations expanded."""
    bare = _AFTER.sub("", _BEFORE.sub("", folded))
    full = " ".join(_SHORT.get(word, word) for word in folded.split())
    yielded: set[str] = set()
    # Pt. has two meanings: Pt Jefferson is Port Jefferson.
    port = re.sub(r"^pt ", "port ", folded)
    for spelling in (folded, bare, full, _AFTER.sub("", full), port):
        if spelling and spelling not in yielded:
            yielded.add(spelling)
            yield spelling


def county_base(name: str) -> str:
    """Return the folded name of a county without "County" and the like: "cook", "orleans",
    "bayamon"."""
    folded = fold_name(name)
    return _COUNTY.sub("", _CONDADO.sub("", folded)) or folded


def names_county(text: str) -> bool:
    """Return whether a text names a county; "Borough" and "Island" are not certain."""
    return _NAMES_COUNTY.search(fold_name(text)) is not None
