"""Which resources' rows may differ from the last release's: all others are taken over as they are.

Whatever HSDS tells of a resource follows from `queries.told` and `queries.status_changes`, and from the code and
the day. Where these are as they were when the last release was made, the rows of a resource are as well; those of an
organization follow from all its resources.
"""

from __future__ import annotations

from pathlib import Path

import duckdb

from warehouse.duck import hash_sql, quoted
from warehouse.hsds import queries
from warehouse.hsds.inputs import Tables

# With more resources than this share, all rows are made anew: taking over costs as well.
_MOST = 0.2
# The member by which a row belongs to a resource, or to an organization; None where it belongs to nobody.
_OWNERS: dict[str, str | None] = {
    "organizations": "id",
    "locations": "id",
    "service_at_location": "id",
    "phones": "service_at_location_id",
    "addresses": "location_id",
    "schedules": "service_at_location_id",
    "languages": "service_id",
    "attributes": "link_id",
    "organization_identifiers": "organization_id",
    "required_documents": "service_id",
    "cost_options": "service_id",
    "service_areas": "service_id",
    "metadata": "resource_id",
    "taxonomies": None,
    "taxonomy_terms": None,
    "meta_table_descriptions": None,
    "services": "id",
}

# A resource that changed, came or went; the organizations that it is or was part of; all resources of these. One
# that was part of them and is not now has changed.
_TOUCHED = f"""
CREATE TABLE touched AS
SELECT resource_id FROM digests FULL JOIN then_digests USING (resource_id)
WHERE digests.digest IS DISTINCT FROM then_digests.digest
UNION
SELECT resource_id FROM (({queries.status_changes()}) EXCEPT ALL ({queries.status_changes("then_")}))
UNION
SELECT resource_id FROM (({queries.status_changes("then_")}) EXCEPT ALL ({queries.status_changes()}))
"""
_LEADS = """
CREATE TABLE leads AS
SELECT lead_origin FROM digests SEMI JOIN touched USING (resource_id)
UNION
SELECT lead_origin FROM then_digests SEMI JOIN touched USING (resource_id)
"""
_COUNTED = """
CREATE TABLE counted AS
SELECT resource_id FROM touched
UNION
SELECT resource_id FROM digests SEMI JOIN leads USING (lead_origin)
"""
_FORMER = f"""
CREATE TABLE former AS
SELECT unnest([{queries.SERVICE_ID}, {queries.LOCATION_ID}, {queries.SAL_ID}]) AS id
FROM then_digests SEMI JOIN counted USING (resource_id)
UNION ALL
SELECT {queries.ORGANIZATION_ID} FROM leads
"""


def find_difference(db: duckdb.DuckDBPyConnection, previous: Path) -> bool:
    """Make `counted`, the resources whose rows are to be made; False when it is no use.

    `previous` is the folder of the last release's tables; those of this build are views by now. Also makes
    `former`: what the rows of these resources, and of their organizations, belonged to then.
    """
    inputs = Tables.of(previous)
    if not all(path.is_file() for path in vars(inputs).values()):
        return False
    inputs.define_views(db, "then_")
    for side in ("", "then_"):
        told = queries.told(side)
        names = [row[0] for row in db.execute(f"DESCRIBE {told}").fetchall()]
        db.execute(
            f"CREATE TABLE {side}digests AS SELECT resource_id, origin, lead_origin,"
            f" {hash_sql(names)} AS digest FROM ({told})"
        )
    for statement in (_TOUCHED, _LEADS, _COUNTED, _FORMER):
        db.execute(statement)
    sizes = "SELECT (SELECT count(*) FROM counted), (SELECT count(*) FROM digests)"
    counted, all_of_them = db.execute(sizes).fetchall()[0]
    return bool(counted <= _MOST * all_of_them)


def is_owned(name: str) -> bool:
    """Whether the rows of a collection belong to resources or their organizations. Raises KeyError."""
    return _OWNERS[name] is not None


def former_rows(name: str, before: Path, *, are_kept: bool) -> str:
    """SQL of the rows of the last release, in the file `before`: those that are kept, or all others."""
    join = "ANTI" if are_kept else "SEMI"
    return (
        f"SELECT * FROM read_parquet({quoted(before)}) {join} JOIN"
        f" (SELECT id AS {_OWNERS[name]} FROM former) USING ({_OWNERS[name]})"
    )
