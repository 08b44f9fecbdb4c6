"""Filters of the HSDS lists as SQL: a row must pass all of them."""

from dataclasses import dataclass
from typing import Any

from schemas.hsds.collections import BY_NAME
from schemas.hsds.model import Collection

_EARTH_METRES = 6_371_008.8


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


def rows_sql(collection: Collection, filters: Filters) -> tuple[str, list[Any]]:
    """Return SQL of the numbers of the rows that pass, ascending, as `row`; and its values."""
    source = f'"{collection.table_name}" r'
    conditions: list[str] = []
    values: list[Any] = []

    def add(condition: str, *arguments: Any) -> None:
        conditions.append(condition)
        values.extend(arguments)

    for word in dict.fromkeys((filters.search or "").split()):
        # The texts of a row, without ids or codes of closed lists.
        names = [c.name for c in collection.columns if c.type == "string" and not c.values]
        columns = ", ".join(f'r."{name}"' for name in names)
        text = f"strip_accents(lower(concat_ws(' ', {columns})))"
        add(f"contains({text}, strip_accents(lower(?)))", word)
    if filters.taxonomy_term_id is not None:
        attributes = f'SELECT link_id FROM "{_table("attributes")}" WHERE taxonomy_term_id = ?'
        add(_of_services(collection, attributes), filters.taxonomy_term_id)
    if filters.taxonomy_id is not None:
        terms = f'SELECT id FROM "{_table("taxonomy_terms")}" WHERE taxonomy_id = ?'
        attributes = (
            f'SELECT link_id FROM "{_table("attributes")}" WHERE taxonomy_term_id IN ({terms})'
        )
        is_term = collection.name == "taxonomy_terms"
        add(
            "r.taxonomy_id = ?" if is_term else _of_services(collection, attributes),
            filters.taxonomy_id,
        )
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
        addresses = f'SELECT location_id FROM "{_table("addresses")}" WHERE postal_code = ?'
        if collection.name == "locations":
            add(f"r.id IN ({addresses})", filters.postcode)
        else:
            # By address, or for its residents by the service area.
            areas = f'SELECT service_id FROM "{_table("service_areas")}" WHERE extent = ?'
            add(
                f"(r.location_id IN ({addresses}) OR r.service_id IN ({areas}))",
                filters.postcode,
                filters.postcode,
            )
    if filters.modified_after is not None and "last_modified" in collection.column_names:
        # Rows without a known date always match: a mirror must not miss a change.
        add(
            "(r.last_modified IS NULL OR epoch_ms(r.last_modified::TIMESTAMPTZ) >= ?)",
            filters.modified_after,
        )
    if filters.near is not None:
        place = "r"
        if collection.name != "locations":
            source += f' JOIN "{_table("locations")}" l ON l.id = r.location_id'
            place = "l"
        # Great-circle distance. It is unknown, hence not near, without a position.
        add(
            f"{2 * _EARTH_METRES} * asin(sqrt(least(1, "
            f"sin(radians({place}.latitude - ?) / 2) ** 2 + cos(radians({place}.latitude)) "
            f"* cos(radians(?)) * sin(radians({place}.longitude - ?) / 2) ** 2))) <= ?",
            filters.near.lat,
            filters.near.lat,
            filters.near.lng,
            filters.near.metres,
        )
    where = " AND ".join(conditions) or "true"
    return f"SELECT r.rowid AS row FROM {source} WHERE {where} ORDER BY row", values


def _table(name: str) -> str:
    return BY_NAME[name].table_name


def _of_services(collection: Collection, services: str) -> str:
    """Return the rows that are, belong to, or offer one of the services listed by a query."""
    if collection.name == "services":
        return f"r.id IN ({services})"
    if collection.name == "organizations":
        return (
            f'r.id IN (SELECT organization_id FROM "{_table("services")}" WHERE id IN ({services}))'
        )
    return f"r.service_id IN ({services})"
