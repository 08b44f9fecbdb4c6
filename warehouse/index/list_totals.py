"""Totals of a release by publisher's list and county, and its rights to each list."""

from datetime import date

import msgspec

from schemas.sources.rights import Right
from schemas.tables.core import RECORD_SOURCES, RESOURCES, RIGHTS
from schemas.vocab.resource_types import TYPES_BY_MODE
from warehouse.duckdb import Connection, table_names

_QUERY = f"""
    SELECT r.state, r.county_fips, s.source_id, count(DISTINCT r.resource_id) AS places,
        count(DISTINCT r.resource_id) FILTER (list_contains($free, r.resource_type)) AS free_food,
        min(s.source_updated_date) AS oldest, max(s.source_updated_date) AS newest
    FROM "{RECORD_SOURCES.name}" s JOIN "{RESOURCES.name}" r USING (resource_id)
    WHERE r.is_active AND r.state IS NOT NULL
    GROUP BY r.state, r.county_fips, s.source_id ORDER BY ALL
"""


class ListTotals(msgspec.Struct, frozen=True):
    """Active places of one list in one county; `county_fips` is None if unknown.

    `oldest` and `newest` are the publisher's dates, None without any. A place of several lists
    counts in each.
    """

    state: str
    county_fips: str | None
    source_id: str
    places: int
    free_food: int
    oldest: date | None
    newest: date | None


def read_list_totals(db: Connection) -> list[ListTotals]:
    """Read the totals ordered by state, county and source."""
    rows = db.execute(_QUERY, {"free": list(TYPES_BY_MODE["free"])}).fetchall()
    return [ListTotals(*row) for row in rows]


def read_rights(db: Connection) -> dict[str, Right]:
    """Read the rights by source id; empty for releases made before rights existed."""
    if RIGHTS.name not in table_names(db):
        return {}
    rows = db.execute(
        f'SELECT source_id, rights_use, rights_basis, rights_reason FROM "{RIGHTS.name}"'
    ).fetchall()
    return {source_id: Right(*right) for source_id, *right in rows}
