"""Rights of a release: what it may use of each source, and why."""

from __future__ import annotations

from schemas.sources.rights import Right
from schemas.tables.core import RIGHTS
from warehouse.duckdb import Connection, table_names


def read_rights(db: Connection) -> dict[str, Right]:
    """Read the right of each source by its id; empty for a release of a version without rights."""
    if RIGHTS.name not in table_names(db):
        return {}
    rows = db.execute(
        f'SELECT source_id, rights_use, rights_basis, rights_reason FROM "{RIGHTS.name}"'
    ).fetchall()
    return {source_id: Right(*right) for source_id, *right in rows}
