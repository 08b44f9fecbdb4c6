"""The areas that places, home delivery services and food banks of a release serve.

A place serves a ZIP code by the areas in its list. "yes": the ZIP code is listed, or its state,
county, or postal town. "no" needs proof: the list serves nobody else
(`is_service_area_exclusive`), and each of its areas is another existing ZIP code, another state, or
a county or town whose ZIP codes are all more than 40 miles away. Everything else is "not_known",
and so is every ZIP code without homes: people with a post-office box live elsewhere.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from schemas.tables.core import FOOD_BANKS, HOME_DELIVERIES, RESOURCES
from schemas.values.coordinates import great_circle_miles
from schemas.values.names import fold_name
from schemas.vocab.food_access import MAX_AREA_MILES, ServesArea
from warehouse.duckdb import Connection, table_names
from warehouse.index.fuzzy_names import errors_by_word
from warehouse.index.gazetteer import Gazetteer, ZipPlace

Rows = NDArray[np.int64]
Points = list[tuple[float, float]]


class ServiceArea(NamedTuple):
    """Areas that a place serves (`service_areas` of the resources), and whether it serves no
    others."""

    codes: tuple[str, ...]
    is_exclusive: bool


class ServiceAreas:
    """Areas by row; unknown for most places."""

    def __init__(self, db: Connection, ids: Rows, gazetteer: Gazetteer) -> None:
        """Read the areas of the active resources; `ids`: the ids of the rows, ascending."""
        listed = db.execute(
            "SELECT resource_id, service_areas, coalesce(is_service_area_exclusive, false)"
            f" FROM {RESOURCES.name} WHERE is_active AND len(service_areas) > 0"
            " ORDER BY resource_id"
        ).fetchall()
        self._rows = np.searchsorted(ids, np.array([i for i, *_ in listed], dtype=np.int64))
        areas = (ServiceArea(tuple(codes), alone) for _, codes, alone in listed)
        self._areas = dict(zip(self._rows.tolist(), areas, strict=True))
        self._gazetteer = gazetteer

    def area(self, row: int) -> ServiceArea | None:
        return self._areas.get(row)

    def serves(self, row: int, zip_code: str) -> ServesArea:
        """Return whether a row's place serves a ZIP code."""
        area = self._areas.get(row)
        if area is None:
            return "not_known"
        place = self._gazetteer.zip(zip_code)
        return serves(area, zip_code, place, self._points)

    def answers(self, rows: Rows, zip_code: str) -> list[ServesArea]:
        """Return for each row whether its place serves a ZIP code."""
        answers: list[ServesArea] = ["not_known"] * len(rows)
        for at in np.flatnonzero(np.isin(rows, self._rows)).tolist():
            answers[at] = self.serves(int(rows[at]), zip_code)
        return answers

    def name(self, code: str) -> str:
        """Return the name of an area: "44203", "Lorain County", "Elyria, OH", a state's code."""
        kind, _, value = code.partition(":")
        if kind == "county":
            county = self._gazetteer.county(value)
            return county.name if county else value
        if kind == "place":
            state, _, town = value.partition("/")
            cities = self._gazetteer.cities(town, state)
            return f"{cities[0].name if cities else town}, {state}"
        return value

    @cached_property
    def _points(self) -> dict[str, Points]:
        """Points of listed ZIP codes, and of the ZIP codes of listed counties and towns."""
        codes = {code for area in self._areas.values() for code in area.codes}
        points: dict[str, Points] = {}
        for place in self._gazetteer.all_zips():
            if place.lat is not None and place.lng is not None:
                for code in codes.intersection(codes_of(place)):
                    points.setdefault(code, []).append((place.lat, place.lng))
        return points


def codes_of(place: ZipPlace) -> Iterable[str]:
    """Return the areas that contain a ZIP code, itself first."""
    yield f"zip:{place.zip}"
    if place.state:
        yield f"state:{place.state}"
    if place.county_fips:
        yield f"county:{place.county_fips}"
    if place.state and place.name:
        yield f"place:{place.state}/{fold_name(place.name)}"


def serves(
    area: ServiceArea, zip_code: str, place: ZipPlace | None, points: Mapping[str, Points]
) -> ServesArea:
    """Return whether an area includes a ZIP code (`place` in the gazetteer).

    `points`: points of listed ZIP codes, and of the ZIP codes of listed counties and towns.
    """
    own = {f"zip:{zip_code}"} if place is None else set(codes_of(place))
    if not own.isdisjoint(area.codes):
        return "yes"
    if not area.is_exclusive or place is None or place.kind != "standard":
        return "not_known"
    is_elsewhere = all(_excludes(code, place, points) for code in area.codes)
    return "no" if area.codes and is_elsewhere else "not_known"


def _excludes(code: str, place: ZipPlace, points: Mapping[str, Points]) -> bool:
    kind = code.partition(":")[0]
    if kind == "state":
        return place.state is not None
    coordinates = points.get(code)
    if kind == "zip":
        return coordinates is not None  # a nonexistent one is a typing error
    if not coordinates or place.lat is None or place.lng is None:
        return False
    lats, lngs = np.array(coordinates).T
    return bool((great_circle_miles(place.lat, place.lng, lats, lngs) > MAX_AREA_MILES).all())


class HomeDelivery(NamedTuple):
    """A row of `HOME_DELIVERIES`: the fields shown to readers."""

    source_id: str
    name: str
    organization: str | None
    phone: str | None
    website: str | None
    hours_text: str | None
    services_text: str | None
    requirements_text: str | None
    eligibility_text: str | None
    notes: str | None
    service_areas: list[str]
    service_area_text: str | None
    office_areas: list[str]
    listed_date: date | None
    license: str

    @property
    def areas(self) -> list[str]:
        """The areas that list it."""
        return self.service_areas or self.office_areas


class HomeDeliveries:
    """Lookup by areas."""

    def __init__(self, db: Connection) -> None:
        """Read the services of a release."""
        columns = ", ".join(HomeDelivery._fields)
        query = f"SELECT {columns} FROM {HOME_DELIVERIES.name} ORDER BY source_id, source_key"
        self._services = [HomeDelivery(*row) for row in db.execute(query).fetchall()]
        self._by_area: dict[str, list[int]] = defaultdict(list)
        for number, service in enumerate(self._services):
            for code in service.areas:
                self._by_area[code].append(number)

    def __len__(self) -> int:
        return len(self._services)

    def __getitem__(self, number: int) -> HomeDelivery:
        return self._services[number]

    def numbers_of(self, codes: Iterable[str]) -> list[int]:
        """Return the numbers of services listed under any of the areas: first those that declare to
        serve it, then those with an office there, each ordered by name."""
        numbers = {number for code in codes for number in self._by_area.get(code, ())}
        return sorted(numbers, key=self._order)

    def _order(self, number: int) -> tuple[bool, str, int]:
        service = self._services[number]
        return not service.service_areas, service.name.casefold(), number


class FoodBank(NamedTuple):
    """A food bank and its own page for finding food. `as_of` is the date of the network's list."""

    id: str
    name: str
    url: str | None
    phone: str | None
    as_of: date | None


class FoodBanks:
    """Lookup by ZIP code."""

    def __init__(self, banks: Sequence[tuple[FoodBank, Iterable[str]]] = ()) -> None:
        """`banks`: each with the ZIP codes that it serves."""
        self._banks = [bank for bank, _ in banks]
        # (ZIP code, food bank) as one sorted table: a dictionary would cost each worker 5 MB.
        pairs = [(int(code), number) for number, (_, codes) in enumerate(banks) for code in codes]
        self._served = np.array(sorted(pairs), dtype=np.int32).reshape(-1, 2)

    def __len__(self) -> int:
        return len(self._banks)

    def find_named(self, name: str) -> list[FoodBank]:
        """Return food banks whose name contains every word of a text, the shortest names first."""
        words = set(fold_name(name).split())
        matches = [bank for bank in self._banks if words <= set(fold_name(bank.name).split())]
        return sorted(matches, key=lambda bank: (len(bank.name), bank.id))

    def find_spelt_alike(self, name: str) -> list[tuple[int, FoodBank]]:
        """Return food banks whose name contains every word of a misspelt text, and the number of
        typing errors, fewest first. None for a single word, which matches too many."""
        query_words = fold_name(name).split()
        if len(query_words) < 2:
            return []
        matches = [
            (errors, len(bank.name), bank.id, bank)
            for bank in self._banks
            if (errors := errors_by_word(query_words, fold_name(bank.name).split())) is not None
        ]
        return [(errors, bank) for errors, *_, bank in sorted(matches)]

    def of_zip(self, code: str) -> list[FoodBank]:
        """Return the food banks that serve a ZIP code, ordered by id; most ZIP codes have one."""
        zips = self._served[:, 0]
        first, last = (int(np.searchsorted(zips, int(code), side)) for side in ("left", "right"))
        return [self._banks[number] for number in self._served[first:last, 1].tolist()]


def read_food_banks(db: Connection) -> FoodBanks:
    """Return the food banks of a release; none if it was built without them."""
    if FOOD_BANKS.name not in table_names(db):
        return FoodBanks()
    query = f"""
        SELECT source_key, name, website, phone, source_updated_date,
            list_distinct(list_concat(served_zips, served_county_zips))
        FROM {FOOD_BANKS.name} ORDER BY rowid"""
    rows = db.execute(query).fetchall()
    return FoodBanks([(FoodBank(*bank), codes) for *bank, codes in rows])
