"""ZIP codes and cities of a release in memory: where people search from."""

from __future__ import annotations

from bisect import bisect_left
from heapq import nlargest
from typing import NamedTuple

import duckdb
import numpy as np
from scipy.spatial import cKDTree

from schemas.values.coordinates import ecef
from schemas.values.names import fold_name
from schemas.vocab.states import CODE_BY_NAME, STATES
from warehouse.spatial import At

_KEPT_COUNT = 50
# Edge of the cubes of space for which the ZIP codes in question are remembered, and how many cubes.
_CUBE_M, _MOST_CUBES = 1_000.0, 100_000


class ZipPlace(NamedTuple):
    """A ZIP code. Without a point (`lat` is None) it is no place on the map: military post offices."""

    zip: str
    kind: str
    name: str | None
    state: str | None
    lat: float | None
    lng: float | None
    population: int | None
    is_quality_low: bool


class City(NamedTuple):
    """A city, town or other named place."""

    name: str
    state: str
    folded: str
    lat: float
    lng: float
    zip: str | None
    population: int | None


class Gazetteer:
    """Lookup of ZIP codes and cities; all in memory, read once."""

    def __init__(self, zips: list[ZipPlace], cities: list[City]) -> None:
        self._zips = {place.zip: place for place in zips}
        self._zip_codes = sorted(self._zips)
        self._cities: dict[str, list[City]] = {}
        for city in sorted(cities, key=lambda c: (-(c.population or 0), c.state)):
            self._cities.setdefault(city.folded, []).append(city)
        self._names = sorted(self._cities)
        self._largest: dict[str, list[City]] = {}
        self._with_point = [place for place in zips if place.lat is not None]
        lat = np.array([place.lat for place in self._with_point], dtype=np.float64)
        lng = np.array([place.lng for place in self._with_point], dtype=np.float64)
        self._xyz = ecef(lat, lng)
        self._tree = cKDTree(self._xyz) if self._with_point else None
        self._candidates: dict[tuple[int, int, int], list[tuple[float, float, float, int]]] = {}

    def __len__(self) -> int:
        """ZIP codes that are known."""
        return len(self._zips)

    def zip(self, code: str) -> ZipPlace | None:
        """A ZIP code by its five digits."""
        return self._zips.get(code)

    def cities(self, name: str, state: str | None = None) -> list[City]:
        """Cities of a name in any spelling, the most populous first."""
        found = self._cities.get(fold_name(name), [])
        return [city for city in found if state is None or city.state == state]

    def nearest_zip(self, at: At, metres: float) -> ZipPlace | None:
        """The ZIP code whose point lies nearest, if any lies within the distance; of equals the lowest."""
        if self._tree is None:
            return None
        x, y, z = at
        cube = (int(x // _CUBE_M), int(y // _CUBE_M), int(z // _CUBE_M))
        candidates = self._candidates.get(cube)
        if candidates is None:
            if len(self._candidates) >= _MOST_CUBES:
                self._candidates.clear()
            candidates = self._candidates[cube] = self._candidates_of(cube)
        least, nearest = metres * metres, -1
        for cx, cy, cz, row in candidates:
            square = (cx - x) ** 2 + (cy - y) ** 2 + (cz - z) ** 2
            # Rows ascend: of equals the first stays.
            if square < least or (square == least and nearest < 0):
                least, nearest = square, row
        return self._with_point[nearest] if nearest >= 0 else None

    def _candidates_of(self, cube: tuple[int, int, int]) -> list[tuple[float, float, float, int]]:
        """Every ZIP code that is the nearest of some point of a cube.

        No point of it is further from the middle than half the diagonal, so no ZIP code further away
        than the middle's nearest and twice that can win.
        """
        assert self._tree is not None
        middle = (np.array(cube) + 0.5) * _CUBE_M
        reach = float(self._tree.query(middle)[0]) + _CUBE_M * np.sqrt(3) + 1.0
        rows = sorted(self._tree.query_ball_point(middle, reach))
        return [(*self._xyz[row].tolist(), row) for row in rows]

    def cities_beginning(self, text: str, count: int) -> list[City]:
        """Cities whose folded name begins with the text, the most populous first."""
        prefix = fold_name(text)
        if not prefix:
            return []
        if len(prefix) <= 2 and count <= _KEPT_COUNT:
            # Two letters begin thousands of names; there are only so many such beginnings.
            if prefix not in self._largest:
                self._largest[prefix] = self._beginning(prefix, _KEPT_COUNT)
            return self._largest[prefix][:count]
        return self._beginning(prefix, count)

    def _beginning(self, prefix: str, count: int) -> list[City]:
        low, high = bisect_left(self._names, prefix), bisect_left(self._names, prefix + "\x7f")
        found = (city for name in self._names[low:high] for city in self._cities[name])
        return nlargest(count, found, key=lambda city: (city.population or 0, city.folded))

    def zips_beginning(self, digits: str, count: int) -> list[ZipPlace]:
        """ZIP codes with a point that begin with the digits, the most populous first."""
        low = bisect_left(self._zip_codes, digits)
        high = bisect_left(self._zip_codes, digits + ":")
        found = (self._zips[code] for code in self._zip_codes[low:high])
        placed = (place for place in found if place.lat is not None)
        return nlargest(count, placed, key=lambda place: place.population or 0)


def state_code(text: str) -> str | None:
    """Two-letter code of a state or territory given by code or by English or Spanish name."""
    plain = text.strip().rstrip(".")
    if plain.upper() in STATES:
        return plain.upper()
    return CODE_BY_NAME.get(plain.casefold())


def read_gazetteer(db: duckdb.DuckDBPyConnection) -> Gazetteer:
    """The gazetteer of an open release database."""
    zips = db.execute(
        "SELECT zip, zip_kind, place_name, state, lat, lng, population, is_quality_low"
        " FROM core_geography__zips"
    ).fetchall()
    cities = db.execute(
        "SELECT place_name, state, search_name, lat, lng, zip, population"
        " FROM core_geography__cities"
    ).fetchall()
    return Gazetteer([ZipPlace(*row) for row in zips], [City(*row) for row in cities])
