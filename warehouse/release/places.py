"""Names, ZIP codes and states of places by id, whether they are listed or not."""

from collections.abc import Iterable
from typing import NamedTuple

from schemas.tables.core import RESOURCES
from warehouse.duckdb import Connection


class Where(NamedTuple):
    """Name and area of a place."""

    name: str
    zip: str | None
    state: str


def where_places_are(
    databases: Iterable[Connection], resource_ids: Iterable[int]
) -> dict[int, Where]:
    """Return places from the first open release that has them; unknown ids are left out."""
    missing = set(resource_ids)
    places: dict[int, Where] = {}
    for db in databases:
        if missing:
            rows = db.execute(
                f"SELECT resource_id, name, zip, state FROM {RESOURCES.name}"
                " WHERE resource_id IN (SELECT unnest(?))",
                [sorted(missing)],
            ).fetchall()
            places |= {row[0]: Where(*row[1:]) for row in rows}
            missing -= places.keys()
    return places
