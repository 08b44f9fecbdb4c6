"""Reads the visit limits per household that places' lists state."""

from schemas.tables.core import RESOURCES
from warehouse.duckdb import Connection, quote_name

_COLUMN = "visit_limit_text"
_HAS_COLUMN = (
    "SELECT count(*) FROM information_schema.columns WHERE table_name = ? AND column_name = ?"
)
_QUERY = (
    f"SELECT resource_id, {_COLUMN} FROM {quote_name(RESOURCES.name)}"
    f" WHERE is_active AND {_COLUMN} IS NOT NULL"
)


def read_visit_limits(db: Connection) -> dict[int, str]:
    """Read the visit limits of active places by id; none from a release of an earlier version."""
    rows = db.execute(_HAS_COLUMN, [RESOURCES.name, _COLUMN]).fetchall()
    return dict(db.execute(_QUERY).fetchall()) if rows[0][0] else {}
