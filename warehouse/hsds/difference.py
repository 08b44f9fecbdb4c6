"""Which resources' rows may differ from the last release's: all others are taken over as they are.

Whatever HSDS tells of a resource follows from `queries.told` and `queries.status_changes`, and from
the code and
the day. Where these are as they were when the last release was made, the rows of a resource are as
well; those of an
organization follow from all its resources. What `told` is made of is compared part by part: to join
the whole
country, then and now, would cost more than all the rest.
"""

from __future__ import annotations

from pathlib import Path

import duckdb

from warehouse.duck import hash_sql, quoted
from warehouse.hsds import queries
from warehouse.hsds.inputs import Tables
from warehouse.parquet import content_digest

# With more resources than this share, all rows are made anew: taking over costs as well.
_MOST = 0.2
# The member by which a row belongs to a resource, or to an organization; None where it belongs to
# nobody.
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

# Of each thing that the rows of a resource follow from: SQL of the resources of which it differs.
_RESOURCES = """
SELECT resource_id FROM digests FULL JOIN then_digests USING (resource_id)
WHERE digests.digest IS DISTINCT FROM then_digests.digest
"""
_FRONTS = f"""
SELECT resource_id FROM ({queries.fronts()}) n FULL JOIN ({queries.fronts("then_")}) t USING (resource_id)
WHERE (n.source_id, n.source_key) IS DISTINCT FROM (t.source_id, t.source_key)
"""
_IDENTITIES = """
SELECT unnest([n.resource_id, t.resource_id]) AS resource_id
FROM identities n FULL JOIN then_identities t USING (source_id, source_key)
WHERE n.resource_id IS DISTINCT FROM t.resource_id
"""
# Also those whose organization's number belongs to another record now.
_ORGANIZATIONS = f"""
WITH differing AS (
    SELECT source_id || ':' || source_key AS origin, unnest([n.organization_number, t.organization_number]) AS own
    FROM organizations n FULL JOIN then_organizations t USING (source_id, source_key)
    WHERE (n.organization_number, n.successor_number, n.ein)
          IS DISTINCT FROM (t.organization_number, t.successor_number, t.ein)
)
SELECT resource_id FROM (({queries.belonging()}) UNION ALL ({queries.belonging("then_")}))
WHERE origin IN (SELECT origin FROM differing)
   OR number IN (SELECT own FROM differing WHERE own IS NOT NULL)
"""
_CHANGES = f"""
SELECT resource_id FROM (({queries.status_changes()}) EXCEPT ALL ({queries.status_changes("then_")}))
UNION ALL
SELECT resource_id FROM (({queries.status_changes("then_")}) EXCEPT ALL ({queries.status_changes()}))
"""
_TOUCHED_BY = {
    "resources": _RESOURCES,
    "record_sources": _FRONTS,
    "identities": _IDENTITIES,
    "organizations": _ORGANIZATIONS,
    "changes": _CHANGES,
}

# The organizations that a resource is or was part of that changed, came or went; all resources of
# these. One
# that was part of them and is not now has changed.
_LEADS = f"""
CREATE TABLE leads AS
SELECT lead_origin FROM ({queries.belonging()}) SEMI JOIN touched USING (resource_id)
UNION
SELECT lead_origin FROM ({queries.belonging("then_")}) SEMI JOIN touched USING (resource_id)
"""
_COUNTED = f"""
CREATE TABLE counted AS
SELECT resource_id FROM touched
UNION
SELECT resource_id FROM ({queries.belonging()}) SEMI JOIN leads USING (lead_origin)
"""
_FORMER = f"""
CREATE TABLE former AS
SELECT unnest([{queries.SERVICE_ID}, {queries.LOCATION_ID}, {queries.SAL_ID}]) AS id
FROM ({queries.belonging("then_")}) SEMI JOIN counted USING (resource_id)
UNION ALL
SELECT {queries.ORGANIZATION_ID} FROM leads
"""


def find_difference(db: duckdb.DuckDBPyConnection, inputs: Tables, previous: Path) -> bool:
    """Make `counted`, the resources whose rows are to be made; False when it is no use.

    `inputs` are the tables of this build, views by now; `previous` is the folder of the last
    release's. Also makes
    `former`: what the rows of these resources, and of their organizations, belonged to then. Either
    may hold more
    than what differs: rows that are made anew and come out as they were.
    """
    then = Tables.of(previous)
    if not all(path.is_file() for path in vars(then).values()):
        return False
    then.define_views(db, "then_")
    for side in ("", "then_"):
        listed = queries.listed(side)
        names = [row[0] for row in db.execute(f"DESCRIBE {listed}").fetchall()]
        db.execute(
            f"CREATE TABLE {side}digests AS SELECT resource_id, {hash_sql(names)} AS digest FROM ({listed})"
        )
    db.execute(f"CREATE TABLE touched AS {_touched(inputs, then)}")
    for statement in (_LEADS, _COUNTED, _FORMER):
        db.execute(statement)
    sizes = "SELECT (SELECT count(*) FROM counted), (SELECT count(*) FROM digests)"
    counted, all_of_them = db.execute(sizes).fetchall()[0]
    return bool(counted <= _MOST * all_of_them)


def _touched(inputs: Tables, then: Tables) -> str:
    """SQL of the resources of which something differs; a table with the same rows is not looked
    through.
    """
    differing = [
        query
        for name, query in _TOUCHED_BY.items()
        if content_digest(getattr(inputs, name)) != content_digest(getattr(then, name))
    ]
    nobody = "SELECT NULL::BIGINT AS resource_id"
    found = " UNION ALL ".join(
        f"SELECT resource_id FROM ({query})" for query in (nobody, *differing)
    )
    return f"SELECT DISTINCT resource_id FROM ({found}) WHERE resource_id IS NOT NULL"


def is_owned(name: str) -> bool:
    """Whether the rows of a collection belong to resources or their organizations. Raises KeyError."""
    return _OWNERS[name] is not None


def former_rows(name: str, before: Path, *, are_kept: bool) -> str:
    """SQL of the rows of the last release, in the file `before`: those that are kept, or all
    others.
    """
    join = "ANTI" if are_kept else "SEMI"
    return (
        f"SELECT * FROM read_parquet({quoted(before)}) {join} JOIN"
        f" (SELECT id AS {_OWNERS[name]} FROM former) USING ({_OWNERS[name]})"
    )
