"""Ids that a release no longer lists: their successors and the reasons."""

from bisect import bisect_left
from collections.abc import Callable

import pyarrow as pa

from warehouse.duckdb import Connection, table_names
from warehouse.index.columns import numbers


class GoneIds:
    """Lookup in the table of `select_gone_ids`."""

    def __init__(self, table: pa.Table) -> None:
        self._ids = numbers(table["resource_id"]).data
        self._successors = numbers(table["successor_id"]).data
        self._reasons = table["reason"]

    def _at(self, resource_id: int) -> int | None:
        at = bisect_left(self._ids, resource_id)
        return at if at < len(self._ids) and self._ids[at] == resource_id else None

    def __contains__(self, resource_id: int) -> bool:
        return self._at(resource_id) is not None

    def successor(self, resource_id: int, is_listed: Callable[[int], bool]) -> int | None:
        """Return the listed id at the end of the successions, or None."""
        visited = {resource_id}
        # A damaged chain must not become an endless redirect.
        while (successor := self._next(resource_id)) is not None and successor not in visited:
            if is_listed(successor):
                return successor
            visited.add(successor)
            resource_id = successor
        return None

    def _next(self, resource_id: int) -> int | None:
        at = self._at(resource_id)
        return None if at is None or self._successors[at] < 0 else self._successors[at]

    def reason(self, resource_id: int) -> str | None:
        """Return a behaviour rule's evidence for a removal; None for other ends."""
        at = self._at(resource_id)
        return None if at is None else self._reasons[at].as_py()


def select_gone_ids(db: Connection) -> pa.Table:
    """Select ids, ascending, with their successors (-1 for none), and for inactive listings the
    evidence of the newest deactivation."""
    reasons = "SELECT NULL::BIGINT AS resource_id, NULL::VARCHAR AS reason"
    if "core_directory__automatic_changes" in table_names(db):
        reasons = """SELECT resource_id, arg_max(evidence, (observed_on, release_id)) AS reason
            FROM core_directory__automatic_changes
            WHERE changed_field = 'is_active' AND new_value = 'false' GROUP BY resource_id"""
    # A listing removed by a rule keeps its id and may return; until then it is gone.
    return db.sql(
        f"""WITH inactive AS (SELECT resource_id FROM core_directory__resources WHERE NOT is_active)
        SELECT resource_id::BIGINT AS resource_id, -1::BIGINT AS successor_id, reason
        FROM inactive LEFT JOIN ({reasons}) USING (resource_id)
        UNION ALL SELECT resource_id, coalesce(max(successor_id), -1), NULL
        FROM core_directory__identities ANTI JOIN inactive USING (resource_id)
        WHERE id_status <> 'active' GROUP BY resource_id
        ORDER BY 1"""
    ).to_arrow_table()
