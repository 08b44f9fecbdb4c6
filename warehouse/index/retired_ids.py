"""Ids that a release no longer lists: who took over, and why they went."""

from __future__ import annotations

from collections.abc import Callable

import duckdb

from warehouse.duckdb import table_names


class GoneIds:
    """Read once from a release's database. Raises duckdb.Error."""

    def __init__(self, db: duckdb.DuckDBPyConnection) -> None:
        self._successors = _read_successors(db)
        self._reasons = _read_reasons(db)

    def __contains__(self, resource_id: int) -> bool:
        return resource_id in self._successors

    def successor(self, resource_id: int, is_listed: Callable[[int], bool]) -> int | None:
        """Return the listed id after any number of successions, or None."""
        seen = {resource_id}
        successor = self._successors[resource_id]
        while successor is not None and not is_listed(successor):
            # A damaged chain must not turn into an endless redirect.
            if successor in seen:
                return None
            seen.add(successor)
            successor = self._successors.get(successor)
        return successor

    def reason(self, resource_id: int) -> str | None:
        """Return a behaviour rule's evidence for a removal; None for other ends."""
        return self._reasons.get(resource_id)


def _read_successors(db: duckdb.DuckDBPyConnection) -> dict[int, int | None]:
    rows = db.execute(
        "SELECT resource_id, max(successor_id) FROM core_directory__identities"
        " WHERE id_status <> 'active' GROUP BY resource_id"
        # A listing that a rule took away keeps its id and may come back; until then it is gone.
        " UNION ALL SELECT resource_id, NULL FROM core_directory__resources WHERE NOT is_active"
    ).fetchall()
    return dict(rows)


def _read_reasons(db: duckdb.DuckDBPyConnection) -> dict[int, str]:
    """Return the evidence of the newest deactivation of every inactive listing."""
    if "core_directory__automatic_changes" not in table_names(db):
        return {}
    rows = db.execute(
        "SELECT resource_id, arg_max(evidence, (observed_on, release_id))"
        " FROM core_directory__automatic_changes JOIN core_directory__resources USING (resource_id)"
        " WHERE NOT is_active AND changed_field = 'is_active' AND new_value = 'false'"
        " GROUP BY resource_id"
    ).fetchall()
    return dict(rows)
