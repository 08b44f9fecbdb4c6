"""Finds retired HSDS ids: those of merged and retired records, and of rows in the last release.

They are few: candidates are found first and then looked up among all rows.
"""

from collections.abc import Mapping
from pathlib import Path

from warehouse.duckdb import Connection, quote, rows_of_file
from warehouse.files import replacing

NO_IDS = "SELECT NULL::VARCHAR AS collection, NULL::VARCHAR AS old_id WHERE false"

# Every record's own ids, with those of its present resource. Only records whose own number is
# merged or retired certainly had ids of their own; organizations count if the last release had
# them.
_SUCCESSORS = (
    """
CREATE TEMP TABLE records AS
SELECT source_id || ':' || source_key AS origin,
    coalesce(successor_id, i.resource_id) AS resource_id
FROM identities i
WHERE id_status <> 'active'
   OR coalesce(successor_id, i.resource_id) IN (SELECT r.resource_id FROM resources r
       WHERE NOT r.is_active)
""",
    """
CREATE TEMP TABLE led AS
SELECT old_id, hsds_id('organization:' || head.source_id || ':' || head.source_key) AS id
FROM (SELECT hsds_id('organization:' || source_id || ':' || source_key) AS old_id,
    successor_number AS number
      FROM organizations WHERE successor_number <> organization_number)
JOIN organizations head ON head.organization_number = number
WHERE old_id IN (SELECT old_id FROM gone WHERE collection = 'organizations')
""",
    """
CREATE TEMP TABLE successors AS
SELECT unnest([
    {'collection': 'services', 'old_id': hsds_id('service:' || origin),
        'successor_id': sal.service_id},
    {'collection': 'locations', 'old_id': hsds_id('location:' || origin),
        'successor_id': sal.location_id},
    {'collection': 'service_at_location', 'old_id': hsds_id('service_at_location:' || origin),
        'successor_id': sal.id}
], recursive := true), true AS is_record
FROM records LEFT JOIN (FROM new_service_at_location
    SEMI JOIN records USING (resource_id)) sal USING (resource_id)
UNION ALL
SELECT 'organizations', old_id, id, false FROM led SEMI JOIN new_organizations USING (id)
""",
)


def write_retired(db: Connection, files: Mapping[str, Path], gone: str, path: Path) -> None:
    """Write `out_hsds__retired_ids`.

    `files` are the files of this release's collections, by name; `gone` is SQL of (collection,
    old_id) of an earlier release that may have disappeared. The source tables of HSDS must be views
    already.
    """
    for name in ("service_at_location", "organizations"):
        db.execute(f"CREATE TEMP VIEW new_{name} AS {rows_of_file(files[name])}")
    db.execute(f"CREATE TEMP TABLE gone AS {gone}")
    for statement in _SUCCESSORS:
        db.execute(statement)
    db.execute(
        """CREATE TEMP TABLE candidates AS
        SELECT collection, old_id, s.successor_id FROM gone
            LEFT JOIN successors s USING (collection, old_id)
        UNION ALL SELECT collection, old_id, successor_id FROM successors WHERE is_record"""
    )
    with replacing(path) as temporary:
        db.execute(
            f"""COPY (
                SELECT collection, old_id, max(successor_id) AS successor_id
                FROM candidates ANTI JOIN ({_select_present(db, files)}) USING (collection, old_id)
                    GROUP BY 1, 2 ORDER BY 1, 2
            ) TO {quote(temporary)} (FORMAT parquet, COMPRESSION zstd)"""
        )


def _select_present(db: Connection, files: Mapping[str, Path]) -> str:
    """Return SQL of the candidates (collection, old_id) that are in this release."""
    few = {row[0] for row in db.execute("SELECT DISTINCT collection FROM candidates").fetchall()}
    selects = [
        f"SELECT collection, old_id FROM candidates WHERE collection = '{name}'"
        f" AND old_id IN (SELECT id FROM ({rows_of_file(path)}))"
        for name, path in files.items()
        if name in few
    ]
    return " UNION ALL ".join(selects) or NO_IDS
