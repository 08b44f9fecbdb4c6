"""Reads the places of a county from the database of a release."""

from schemas.tables.core import RESOURCES
from warehouse.duckdb import Connection, quote_name

_QUERY = (
    f"SELECT resource_id FROM {quote_name(RESOURCES.name)}"
    " WHERE is_active AND county_fips = ? ORDER BY 1"
)


def read_county_ids(db: Connection, fips: str) -> list[int]:
    """Read the ids of the active places of a county, ascending."""
    return [resource_id for (resource_id,) in db.execute(_QUERY, [fips]).fetchall()]
