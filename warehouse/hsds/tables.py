"""Builds the HSDS tables as Parquet files with SQL: sorted by id, typed by their declaration.

`last_modified`: a row unchanged since the last release keeps its instant; a new or changed row gets
the instant of this release. Without a last release the publisher's date is used, so that two clean
builds with the same inputs and day give the same bytes. A service changes with every row that
refers to it.
"""

import re
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import pyarrow as pa

from schemas.hsds.collections import BY_NAME, COLLECTIONS, Collection, warehouse_table
from schemas.tables.hsds import RETIRED_IDS
from schemas.vocab.languages import LANGUAGE_NAMES
from schemas.vocab.resource_types import (
    AGES_OF_TYPE,
    FREE_TYPES,
    RESOURCE_TYPES,
    TAXONOMY_CODE,
    TAXONOMY_DESCRIPTION,
    TAXONOMY_NAME,
    TAXONOMY_VERSION,
    TERM_OF_TYPE,
    TERMS,
)
from schemas.vocab.states import STATES
from warehouse.duckdb import Connection, connection, quote, rows_of_file
from warehouse.files import replacing
from warehouse.hsds.inputs import Readings, Texts, define_ids, define_views, texts_of_base

_AT_ONCE = 2


@dataclass(frozen=True)
class ReleaseBasis:
    """`as_of` is the reference day of the build, `now` the instant of the release
    ("...T06:00:00.000Z").

    `previous` is the folder of the last release's Parquet files, None before the first.
    """

    as_of: date
    now: str
    previous: Path | None = None


@dataclass(frozen=True)
class _Work:
    """The output folder of the tables, and their basis."""

    folder: Path
    basis: ReleaseBasis

    def path(self, collection: Collection) -> Path:
        return self.folder / f"{collection.table_name}.parquet"


def write_hsds_tables(
    tables: Path, read: Callable[[Texts], Readings], folder: Path, basis: ReleaseBasis
) -> dict[str, int]:
    """Write `out_hsds__<collection>.parquet` for every collection, and the retired ids; return row
    counts.

    `tables` is the folder of published tables; `read` parses the distinct texts of the resources.
    Raises duckdb.Error for an input that is not
    its table.
    """
    with connection() as db:
        # DuckDB derives column nullability from statistics and stores it in the file: equal rows
        # joined in another order would give another file.
        db.execute("SET disabled_optimizers = 'statistics_propagation'")
        define_ids(db)
        define_views(db, tables)
        _attach(db, {"kinds": _kinds()})
        work = _Work(folder, basis)
        db.execute(BASE)
        readings = read(texts_of_base(db))
        _attach(db, _small(readings))
        db.execute(SAID)
        *others, services = QUERIES
        # One query occupies little more than one core.
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            jobs = {n: pool.submit(_write, db.cursor(), BY_NAME[n], work) for n in others}
            counts = {BY_NAME[name].table_name: job.result() for name, job in jobs.items()}
        # They change with the other rows.
        counts[BY_NAME[services].table_name] = _write(db.cursor(), BY_NAME[services], work)
        path = work.folder / f"{RETIRED_IDS.name}.parquet"
        files = {c.name: work.path(c) for c in COLLECTIONS}
        _write_retired(db, files, _select_gone(work), path)
        counts[RETIRED_IDS.name] = _rows(db, path)
    return counts


def _attach(db: Connection, small: Mapping[str, pa.Table]) -> None:
    """Copy small frames into tables: only one cursor sees a registered frame."""
    for name, rows in small.items():
        db.register("rows_of_python", rows)
        db.execute(f"CREATE TABLE {name} AS SELECT * FROM rows_of_python")
    db.unregister("rows_of_python")


_TERM_MEMBERS = (
    "code",
    "name",
    "name_es",
    "description",
    "term_uri",
    "open_eligibility",
    "open_eligibility_match",
)


def _small(readings: Readings) -> dict[str, pa.Table]:
    """Return, by name, the tables that the queries read in addition to `base`."""
    languages = pa.table({"code": list(LANGUAGE_NAMES), "name": list(LANGUAGE_NAMES.values())})
    states = pa.table({"value": list(STATES), "state_name": [s.name for s in STATES.values()]})
    table_names = pa.table({"name": [c.table for c in COLLECTIONS]})
    taxonomy = {
        "code": [TAXONOMY_CODE],
        "name": [TAXONOMY_NAME],
        "description": [TAXONOMY_DESCRIPTION],
        "version": [TAXONOMY_VERSION],
    }
    return {
        "spans": readings.spans,
        "zones": readings.zones,
        "facts": readings.facts,
        "spoken": languages,
        "states": states,
        "listed": table_names,
        "terms": pa.table({n: [getattr(term, n) for term in TERMS] for n in _TERM_MEMBERS}),
        "taxonomy": pa.table(taxonomy),
    }


def _kinds() -> pa.Table:
    """Return type -> words, category, ages and whether it is free."""
    types = RESOURCE_TYPES.values()
    ages = [AGES_OF_TYPE.get(k.id, (None, None)) for k in types]
    return pa.table(
        {
            "resource_type": [k.id for k in types],
            "label": [k.label for k in types],
            "meaning": [k.description for k in types],
            "term_code": [TERM_OF_TYPE[id_] for id_ in RESOURCE_TYPES],
            "minimum_age": pa.array([a[0] for a in ages], pa.int64()),
            "maximum_age": pa.array([a[1] for a in ages], pa.int64()),
            "is_free": [k.id in FREE_TYPES for k in types],
        }
    )


# ------------------------------------------------------------------ one collection


def _write(cursor: Connection, collection: Collection, work: _Work) -> int:
    """Write a collection's table with a separate cursor; return the number of rows."""
    with cursor as db:
        name, table = collection.name, warehouse_table(collection)
        db.execute(f"CREATE TEMP TABLE draft AS {QUERIES[name]}")
        draft_columns = {row[0] for row in db.execute("DESCRIBE draft").fetchall()}
        if strange := draft_columns - {*table.field_names, "changed_date"}:
            raise ValueError(f"{name}: the query yields {sorted(strange)}, not declared")
        content = [n for n in table.field_names if n != "last_modified"]
        # Each member in its declared type; a blank text becomes null.
        values = {n: f"d.{n}::{table[n].duckdb_type}" for n in content}
        for n in content:
            if n not in draft_columns:
                values[n] = f"NULL::{table[n].duckdb_type}"
            elif table[n].duckdb_type == "VARCHAR":
                values[n] = f"nullif(trim(d.{n}), '')"
        columns = ", ".join(f"{value} AS {n}" for n, value in values.items())
        before = _previous(db, collection, work.basis)
        rows = f"SELECT {columns} FROM draft d"
        if "last_modified" in table.field_names:
            if name == "services":
                _collect_hanging(db, work)
            rows = _stamp(collection, columns, content, work.basis, before)
        in_order = ", ".join(f'"{n}"' for n in table.field_names)
        with replacing(work.path(collection)) as temporary:
            db.execute(
                f"COPY (SELECT {in_order} FROM ({rows}) "
                f"ORDER BY id) TO {quote(temporary)} (FORMAT parquet, COMPRESSION zstd)"
            )
        return _rows(db, work.path(collection))


def _rows(db: Connection, path: Path) -> int:
    count: int = db.execute(f"SELECT count(*) FROM read_parquet({quote(path)})").fetchall()[0][0]
    return count


def _stamp(
    collection: Collection,
    columns: str,
    content: list[str],
    basis: ReleaseBasis,
    before: Path | None,
) -> str:
    """Return SQL of the rows with `last_modified`; `before` is their file of the last release, if
    any."""
    as_of = f"DATE '{basis.as_of.isoformat()}'"
    published = (
        f"strftime(least(coalesce(changed_date, {as_of}), {as_of}), '%Y-%m-%dT00:00:00.000Z')"
    )
    if before is None:
        rows = f"SELECT {columns}, {published} AS own_instant FROM draft d"
    else:
        drafted = f"SELECT {columns} FROM draft d"
        differs = " OR ".join(f'n."{c}" IS DISTINCT FROM p."{c}"' for c in content if c != "id")
        rows = f"""SELECT n.*, CASE WHEN p.id IS NULL OR {differs} THEN '{basis.now}'
            ELSE p.last_modified END AS own_instant
            FROM ({drafted}) n LEFT JOIN ({rows_of_file(before)}) p USING (id)"""
    if collection.name != "services":
        return f"SELECT * EXCLUDE (own_instant), own_instant AS last_modified FROM ({rows})"
    return f"""SELECT rows.* EXCLUDE (own_instant),
        greatest(own_instant, coalesce(hanging.instant, own_instant)) AS last_modified
        FROM ({rows}) rows LEFT JOIN hanging ON hanging.service_id = rows.id"""


def _previous(db: Connection, collection: Collection, basis: ReleaseBasis) -> Path | None:
    """Return the last release's rows, None without a file of the same columns."""
    if basis.previous is None:
        return None
    path = basis.previous / f"{collection.table_name}.parquet"
    if not path.is_file():
        return None
    columns = db.execute(f"DESCRIBE SELECT * FROM read_parquet({quote(path)})").fetchall()
    return path if [row[0] for row in columns] == collection.column_names else None


# Rows that refer to a service, with the SQL of its id.
_HANGING = {
    "locations": "SELECT base.service_id, {0} FROM rows JOIN base ON base.location_id = rows.id",
    "phones": (
        "SELECT base.service_id, {0} FROM rows JOIN base "
        "ON base.sal_id = rows.service_at_location_id UNION ALL SELECT rows.service_id, {0} "
        "FROM rows WHERE rows.service_id IS NOT NULL"
    ),
    "schedules": (
        "SELECT base.service_id, {0} FROM rows JOIN base "
        "ON base.sal_id = rows.service_at_location_id"
    ),
    "addresses": "SELECT base.service_id, {0} FROM rows JOIN base USING (location_id)",
    "languages": "SELECT service_id, {0} FROM rows",
    "required_documents": "SELECT service_id, {0} FROM rows",
    "cost_options": "SELECT service_id, {0} FROM rows",
    "service_areas": "SELECT service_id, {0} FROM rows",
    "attributes": "SELECT link_id AS service_id, {0} FROM rows",
}


def _collect_hanging(db: Connection, work: _Work) -> None:
    """Collect each service's newest change among its rows, removals included."""
    parts = []
    for name, query in _HANGING.items():
        collection = BY_NAME[name]
        before = _previous(db, collection, work.basis)
        rows = rows_of_file(work.path(collection))
        parts.append(_over(query, rows, "rows.last_modified"))
        if before is not None:
            gone = f"{rows_of_file(before)} WHERE id NOT IN (SELECT id FROM ({rows}))"
            parts.append(_over(query, gone, f"'{work.basis.now}'"))
    db.execute(
        "CREATE TEMP TABLE hanging AS SELECT service_id, max(instant) AS instant FROM ("
        + " UNION ALL ".join(parts)
        + ") GROUP BY service_id"
    )


def _over(query: str, rows: str, instant: str) -> str:
    return query.format(f"{instant} AS instant").replace("FROM rows", f"FROM ({rows}) rows")


# ------------------------------------------------------------------ ids that are gone


# They are few: candidates are found first and then looked up among all rows.
_NO_IDS = "SELECT NULL::VARCHAR AS collection, NULL::VARCHAR AS old_id WHERE false"

# Every record's own ids, with those of its present resource. Only records whose own number is
# merged or retired certainly had separate ids; organizations count if the last release had
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


def _write_retired(db: Connection, files: Mapping[str, Path], gone: str, path: Path) -> None:
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
    return " UNION ALL ".join(selects) or _NO_IDS


def _select_gone(work: _Work) -> str:
    """Return SQL of (collection, old_id) of an earlier release that may have disappeared."""
    before, previous = [], work.basis.previous
    if previous is not None:
        files = [(c, previous / f"{c.table_name}.parquet") for c in COLLECTIONS]
        before = [
            f"SELECT '{c.name}' AS collection, id AS old_id FROM ({rows_of_file(path)})"
            for c, path in files
            if path.is_file()
        ]
        retired = previous / f"{RETIRED_IDS.name}.parquet"
        if retired.is_file():
            before.append(f"SELECT collection, old_id FROM ({rows_of_file(retired)})")
    return f"SELECT DISTINCT * FROM ({' UNION ALL '.join(before) or _NO_IDS})"


_, *_PARTS = re.split(
    r"^-- name: (\w+)\n",
    Path(__file__).with_name("queries.sql").read_text("utf-8"),
    flags=re.MULTILINE,
)
_SECTIONS = dict(zip(_PARTS[::2], _PARTS[1::2], strict=True))
# `base` and `said` exist before a collection's query runs.
BASE, SAID = _SECTIONS.pop("base"), _SECTIONS.pop("said")
# Collection -> its query, services last, since they change with the others.
QUERIES = {name: sql.rstrip().rstrip(";") for name, sql in _SECTIONS.items()}
