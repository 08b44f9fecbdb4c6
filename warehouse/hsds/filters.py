"""Filters of the HSDS lists: each returns row numbers, and a row must pass all of them.

Recent results are cached, so that the pages of one query are cut from one result.
"""

import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

import numpy as np

from schemas.hsds.collections import BY_NAME
from schemas.hsds.model import Collection
from warehouse.duckdb import Connection
from warehouse.hsds.reader import HsdsFolder

_EARTH_METRES = 6_371_008.8
# Cache limits: results, and row numbers in all of them (4 bytes each).
_KEPT_ANSWERS, _KEPT_ROWS = 64, 8_000_000


@dataclass(frozen=True)
class Near:
    """Around a point: degrees WGS84, metres."""

    lat: float
    lng: float
    metres: float


@dataclass(frozen=True)
class Filters:
    """Filters of a list; None does not filter. `modified_after` is in milliseconds since 1970."""

    search: str | None = None
    taxonomy_term_id: str | None = None
    taxonomy_id: str | None = None
    organization_id: str | None = None
    parent_id: str | None = None
    top_only: bool = False
    postcode: str | None = None
    near: Near | None = None
    modified_after: int | None = None


NOTHING_ASKED = Filters()


class FilteredRows:
    """Applies filters to one release, and caches the results."""

    def __init__(self, folder: HsdsFolder) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[str, Filters], np.ndarray] = OrderedDict()

    def rows(self, name: str, filters: Filters) -> np.ndarray:
        """Return the row numbers, ascending. Reads the database unless the result is cached."""
        key = (name, filters)
        with self._lock:
            rows = self._kept.get(key)
            if rows is not None:
                self._kept.move_to_end(key)
                return rows
        rows = self._find(BY_NAME[name], filters)
        with self._lock:
            self._kept[key] = rows
            while (
                len(self._kept) > _KEPT_ANSWERS or sum(map(len, self._kept.values())) > _KEPT_ROWS
            ):
                self._kept.popitem(last=False)
        return rows

    def _find(self, collection: Collection, filters: Filters) -> np.ndarray:
        passes = np.ones(len(self._folder.collection(collection.name)), dtype=bool)
        if filters.modified_after is not None:
            modified = self._folder.collection(collection.name).modified_ms()
            # Rows without a known date always match: a mirror must not miss a change.
            passes &= modified >= filters.modified_after
        conditions, values = _conditions(collection, filters)
        if conditions or filters.near:
            passes &= self._matching(collection, conditions, values, filters.near, len(passes))
        return np.flatnonzero(passes).astype(np.int32)

    def _matching(
        self,
        collection: Collection,
        conditions: list[str],
        values: list[Any],
        near: Near | None,
        count: int,
    ) -> np.ndarray:
        matches = np.zeros(count, dtype=bool)
        where = " AND ".join(conditions) or "true"
        cursor = self._folder.cursor()
        try:
            if near is None:
                rows = cursor.execute(
                    f'SELECT rowid FROM "{collection.table_name}" r WHERE {where}', values
                ).fetchnumpy()["rowid"]
            else:
                rows = _rows_near(cursor, collection, where, values, near)
        finally:
            cursor.close()
        matches[np.asarray(rows, dtype=np.int64)] = True
        return matches


def _rows_near(
    cursor: Connection,
    collection: Collection,
    where: str,
    values: list[Any],
    near: Near,
) -> np.ndarray:
    if collection.name == "locations":
        source = (
            "SELECT r.rowid, r.latitude AS lat, r.longitude AS lng "
            f'FROM "{collection.table_name}" r'
        )
    else:
        source = (
            "SELECT r.rowid, l.latitude AS lat, l.longitude AS lng "
            f'FROM "{collection.table_name}" r JOIN "{_table("locations")}" l '
            "ON l.id = r.location_id"
        )
    places = cursor.execute(
        f"SELECT * FROM ({source} WHERE {where}) WHERE lat IS NOT NULL AND lng IS NOT NULL", values
    ).fetchnumpy()
    lat = np.radians(np.asarray(places["lat"], dtype=np.float64))
    lng = np.radians(np.asarray(places["lng"], dtype=np.float64))
    rows: np.ndarray = np.asarray(places["rowid"])
    return rows[_metres(lat, lng, near) <= near.metres]


def _metres(lat: np.ndarray, lng: np.ndarray, near: Near) -> np.ndarray:
    """Return great-circle distance in metres; `lat` and `lng` in radians."""
    at_lat, at_lng = np.radians(near.lat), np.radians(near.lng)
    half = (
        np.sin((lat - at_lat) / 2) ** 2
        + np.cos(lat) * np.cos(at_lat) * np.sin((lng - at_lng) / 2) ** 2
    )
    distance: np.ndarray = 2 * _EARTH_METRES * np.arcsin(np.sqrt(np.clip(half, 0, 1)))
    return distance


# ---------------------------------------------------------------- SQL of each filter; `r` is the
# row


def _conditions(collection: Collection, filters: Filters) -> tuple[list[str], list[Any]]:
    """Return conditions on a row `r`, and the values of their placeholders in order."""
    conditions: list[str] = []
    values: list[Any] = []

    def add(condition: str, *arguments: Any) -> None:
        conditions.append(condition)
        values.extend(arguments)

    for word in dict.fromkeys((filters.search or "").split()):
        add(f"contains({_search_text(collection)}, strip_accents(lower(?)))", word)
    if filters.taxonomy_term_id is not None:
        attributes = f'SELECT link_id FROM "{_table("attributes")}" WHERE taxonomy_term_id = ?'
        add(_of_services(collection, attributes), filters.taxonomy_term_id)
    if filters.taxonomy_id is not None:
        add(*_in_taxonomy(collection), filters.taxonomy_id)
    if filters.organization_id is not None:
        owned = f'SELECT id FROM "{_table("services")}" WHERE organization_id = ?'
        direct = "organization_id" in collection.column_names
        add(
            "r.organization_id = ?" if direct else _of_services(collection, owned),
            filters.organization_id,
        )
    if filters.parent_id is not None:
        add("r.parent_id = ?", filters.parent_id)
    if filters.top_only:
        add("r.parent_id IS NULL")
    if filters.postcode is not None:
        add(*_in_postcode(collection, filters.postcode))
    return conditions, values


def _table(name: str) -> str:
    return BY_NAME[name].table_name


def _search_text(collection: Collection) -> str:
    """Return the folded words of a row: its texts, without ids or codes of closed lists."""
    names = [c.name for c in collection.columns if c.type == "string" and not c.values]
    columns = ", ".join(f'r."{name}"' for name in names)
    return f"strip_accents(lower(concat_ws(' ', {columns})))"


def _of_services(collection: Collection, services: str) -> str:
    """Return the rows that are, belong to, or offer one of the services listed by a query."""
    if collection.name == "services":
        return f"r.id IN ({services})"
    if collection.name == "organizations":
        return (
            f'r.id IN (SELECT organization_id FROM "{_table("services")}" WHERE id IN ({services}))'
        )
    return f"r.service_id IN ({services})"


def _in_taxonomy(collection: Collection) -> tuple[str]:
    if collection.name == "taxonomy_terms":
        return ("r.taxonomy_id = ?",)
    terms = f'SELECT id FROM "{_table("taxonomy_terms")}" WHERE taxonomy_id = ?'
    attributes = f'SELECT link_id FROM "{_table("attributes")}" WHERE taxonomy_term_id IN ({terms})'
    return (_of_services(collection, attributes),)


def _in_postcode(collection: Collection, postcode: str) -> tuple[str, str, str] | tuple[str, str]:
    """Select rows in a ZIP code by address, or for its residents by the service area."""
    addresses = f'SELECT location_id FROM "{_table("addresses")}" WHERE postal_code = ?'
    if collection.name == "locations":
        return f"r.id IN ({addresses})", postcode
    areas = f'SELECT service_id FROM "{_table("service_areas")}" WHERE extent = ?'
    return f"(r.location_id IN ({addresses}) OR r.service_id IN ({areas}))", postcode, postcode
