"""Compares two sets of published tables with DuckDB, from their Parquet files.

The compared listings are the active resources. Every change is one row of the table `events`, at
most one per id, so that

    active before + added + reactivated - merged - retired = active after

`schemas.tables.core` declares which values count.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa

from schemas.bulk import PUBLISHED_FORMS, name_in_release
from schemas.table import Field, Table
from schemas.tables.core import (
    AUTOMATIC_CHANGES,
    COUNTED_FIELDS,
    IDENTITIES,
    LAST_CHANGES,
    RECORD_SOURCES,
    RESOURCES,
    RIGHTS,
)
from schemas.vocab.statuses import PUBLISHED_USES
from warehouse.duckdb import Connection, connection, quote, quote_name
from warehouse.files import replacing
from warehouse.index.records import member_sql, published_sql

_ID_TIME = re.compile(r"(\d{8}T\d{6})Z-[0-9a-f]{8}")
_BATCH = 20_000
# A longer chain of successors counts as damage.
_MAX_MERGES = 20


@dataclass(frozen=True)
class Edition:
    """Published tables of a release or of one being built: name -> Parquet file."""

    release_id: str
    tables: dict[str, Path]


def edition_of(folder: Path) -> Edition:
    """Return the edition of a release folder. Raises FileNotFoundError if it has no resources."""
    exports = folder / "exports"
    tables = {path.stem: path for path in sorted(exports.glob("*.parquet"))}
    if RESOURCES.name not in tables:
        raise FileNotFoundError(f"{folder.name} has no {RESOURCES.name}")
    return Edition(folder.name, tables)


def time_of(release_id: str) -> datetime:
    """Return the instant in a release id (UTC). Raises ValueError."""
    match = _ID_TIME.fullmatch(release_id)
    if not match:
        raise ValueError(f"{release_id!r} is not a release id")
    return datetime.strptime(match[1], "%Y%m%dT%H%M%S").replace(tzinfo=UTC)


@contextmanager
def compare_releases(older: Edition | None, newer: Edition) -> Iterator[Connection]:
    """Create a database with the tables `older_*` and `newer_*` (declared fields) and `events`.

    Without an older edition all listings are added. Raises duckdb.Error for an unreadable file.
    """
    with connection() as db:
        for side, edition in (("older", older), ("newer", newer)):
            for name, table in (
                ("resources", RESOURCES),
                ("identities", IDENTITIES),
                ("audit", AUTOMATIC_CHANGES),
                ("record_sources", RECORD_SOURCES),
                ("rights", RIGHTS),
            ):
                _load(db, f"{side}_{name}", table, edition)
        _end_of_chains(db)
        _find_withdrawn(db)
        _make_events(db, has_changes=_digest(older) != _digest(newer))
        yield db


def count_active(db: Connection, side: str) -> int:
    """Return the number of places listed in the `older` or `newer` edition of
    `compare_releases`."""
    rows = db.execute(f"SELECT count(*) FROM {side}_resources WHERE is_active").fetchall()
    return int(rows[0][0])


def _load(db: Connection, name: str, table: Table, edition: Edition | None) -> None:
    """Read a table's declared columns; columns missing in its file are null."""
    path = edition.tables.get(table.name) if edition else None
    if path is None:
        db.execute(re.sub(r" NOT NULL", "", table.duckdb_ddl(name)))
        return
    db.execute(f"CREATE VIEW {quote_name(name)} AS {_rows_sql(db, table, path)}")


def _rows_sql(db: Connection, table: Table, path: Path) -> str:
    """Return SQL of a file's rows with the declared columns; missing ones are null."""
    source = f"read_parquet({quote(path)})"
    present = {row[0] for row in db.execute(f"DESCRIBE SELECT * FROM {source}").fetchall()}
    columns = ", ".join(
        f"{published_sql(f.name, 't') if table is RESOURCES else quote_name(f.name)}"
        f" AS {quote_name(f.name)}"
        if f.name in present
        else f"NULL::{f.duckdb_type} AS {quote_name(f.name)}"
        for f in table.fields
    )
    return f"SELECT {columns} FROM {source} t"


def _end_of_chains(db: Connection) -> None:
    """Create the table `ends`: the final successor of every merged id of the newer edition."""
    db.execute(
        f"""CREATE TEMP TABLE ends AS
        WITH RECURSIVE steps(resource_id, successor_id, depth) AS (
            SELECT resource_id, max(successor_id), 1 FROM newer_identities
            WHERE id_status = 'merged' GROUP BY resource_id
            UNION ALL
            SELECT s.resource_id, n.successor_id, s.depth + 1 FROM steps s
            JOIN (SELECT resource_id, max(successor_id) AS successor_id FROM newer_identities
                  WHERE id_status = 'merged' GROUP BY resource_id) n
                      ON n.resource_id = s.successor_id
            WHERE s.depth < {_MAX_MERGES}
        )
        SELECT resource_id, arg_max(successor_id, depth) AS end_id FROM steps
            GROUP BY resource_id"""
    )


def _find_withdrawn(db: Connection) -> None:
    """Create the table `withdrawn`: listings of the older edition with a source that may no longer
    be published.

    `is_all`: true for every source of the listing; `reason` is that of one of them.
    """
    uses = ", ".join(quote(use) for use in sorted(PUBLISHED_USES))
    db.execute(
        f"""CREATE TEMP TABLE withdrawn AS
        SELECT resource_id, bool_and(r.source_id IS NOT NULL) AS is_all,
            min(r.rights_reason) AS reason
        FROM older_record_sources
        LEFT JOIN (SELECT * FROM newer_rights WHERE rights_use NOT IN ({uses})) r USING (source_id)
        GROUP BY resource_id HAVING bool_or(r.source_id IS NOT NULL)"""
    )


def _digest(edition: Edition | None) -> str | None:
    # Parquet takes 9 MB of memory, and the service compares no releases at startup.
    from warehouse.parquet import content_digest  # noqa: PLC0415

    return content_digest(edition.tables[RESOURCES.name]) if edition else None


def _make_events(db: Connection, *, has_changes: bool) -> None:
    """Create the table `events`; without changes no place is compared with itself."""
    fields = COUNTED_FIELDS if has_changes else ()
    unequal = [f'o."{f.name}" IS DISTINCT FROM n."{f.name}"' for f in fields]
    differs = " OR ".join(["false", *unequal])
    db.execute(
        f"""CREATE TEMP TABLE events AS
        WITH o AS (SELECT * FROM older_resources WHERE is_active),
             n AS (SELECT * FROM newer_resources WHERE is_active),
             issued AS (SELECT resource_id FROM older_identities UNION SELECT resource_id
                 FROM older_resources),
             seen AS (SELECT resource_id, arg_max(evidence, (observed_on, release_id)) AS evidence
                      FROM newer_audit WHERE changed_field = 'is_active' AND new_value = 'false'
                          GROUP BY resource_id),
             status AS (SELECT resource_id, bool_or(id_status = 'active') AS is_kept
                        FROM newer_identities GROUP BY resource_id)
        SELECT resource_id, 'changed' AS change, NULL::BIGINT AS merged_into,
               NULL::VARCHAR AS reason, NULL::VARCHAR AS detail
        FROM o JOIN n USING (resource_id) WHERE {differs}
        UNION ALL
        SELECT resource_id, if(i.resource_id IS NULL, 'added', 'reactivated'), NULL, NULL, NULL
        FROM (SELECT resource_id FROM n ANTI JOIN o USING (resource_id))
            LEFT JOIN issued i USING (resource_id)
        UNION ALL
        SELECT resource_id, if(t.resource_id IS NOT NULL, 'merged', 'retired'), t.resource_id,
               CASE WHEN t.resource_id IS NOT NULL THEN NULL
                    WHEN inactive.resource_id IS NOT NULL THEN 'rule'
                    WHEN e.end_id IS NOT NULL THEN 'successor_not_listed'
                    WHEN status.is_kept OR w.is_all THEN 'withheld'
                    ELSE 'not_in_sources' END,
               CASE WHEN inactive.resource_id IS NOT NULL THEN seen.evidence
                    WHEN t.resource_id IS NULL AND e.end_id IS NOT NULL
                        THEN 'merged into ' || e.end_id
                    WHEN t.resource_id IS NULL AND w.is_all THEN w.reason END
        FROM (SELECT resource_id FROM o ANTI JOIN n USING (resource_id)) gone
        LEFT JOIN ends e USING (resource_id) LEFT JOIN withdrawn w USING (resource_id)
        LEFT JOIN (SELECT resource_id FROM newer_resources WHERE is_active) t
            ON t.resource_id = e.end_id
        LEFT JOIN (SELECT resource_id FROM newer_resources
            WHERE NOT is_active) inactive USING (resource_id)
        LEFT JOIN seen USING (resource_id) LEFT JOIN status USING (resource_id)"""
    )


# ---------------------------------------------------------------- the feed


def write_feed(db: Connection, path: Path) -> int:
    """Write `events` as NDJSON, one change per line ordered by id; return the number of lines.

    `db` comes from `compare_releases`. Each line begins with `{"resource_id":<id>,`.
    """
    lines = 0
    reader = db.sql(_feed_sql()).to_arrow_reader(_BATCH)
    with replacing(path) as temporary, temporary.open("wb") as stream:
        for batch in reader:
            stream.write("".join(f"{line}\n" for line in batch.column(0).to_pylist()).encode())
            lines += batch.num_rows
    return lines


def _feed_sql() -> str:
    # Old values must not reveal a place that has become confidential, and values of a publisher
    # that withdrew are not repeated.
    hidden = "((n.is_confidential AND NOT o.is_confidential) OR w.resource_id IS NOT NULL)"
    fields = ", ".join(
        f"""CASE WHEN o."{f.name}" IS DISTINCT FROM n."{f.name}"
            THEN '"{name_in_release(f)}":{{"old":' ||
            if({hidden}, 'null,"is_old_withheld":true',
                {_json("o", f)}) || ',"new":' || {_json("n", f)} || '}}' END"""
        for f in COUNTED_FIELDS
    )
    members = ", ".join(f'"{name_in_release(f)}" := {_value("n", f)}' for f in COUNTED_FIELDS)
    record = f"to_json(struct_pack(id := n.resource_id, {members}))::VARCHAR"
    return f"""
        SELECT '{{"resource_id":' || e.resource_id || ',"change":"' || e.change || '"' ||
            CASE e.change
            WHEN 'changed' THEN ',"fields":{{' || concat_ws(',', {fields}) || '}}'
            WHEN 'merged' THEN ',"merged_into":' || e.merged_into
            WHEN 'retired' THEN ',"reason":"' || e.reason || '"' || coalesce(',"detail":' ||
                to_json(e.detail)::VARCHAR, '')
            ELSE ',"record":' || {record} END || '}}' AS line
        FROM events e
        LEFT JOIN older_resources o ON o.resource_id = e.resource_id AND e.change = 'changed'
        LEFT JOIN newer_resources n ON n.resource_id = e.resource_id
        LEFT JOIN withdrawn w ON w.resource_id = e.resource_id
        ORDER BY e.resource_id"""


def _value(side: str, field: Field) -> str:
    """Return SQL of a value in the format of the full export, so that a mirror can apply it."""
    form = PUBLISHED_FORMS.get(name_in_release(field), "value")
    return member_sql(f'{side}."{field.name}"', field.type, form)


def _json(side: str, field: Field) -> str:
    return f"coalesce(to_json({_value(side, field)})::VARCHAR, 'null')"


# ---------------------------------------------------------------- when each record last changed


def last_changes(older: Edition | None, newer: Edition) -> pa.Table:
    """Return `core_directory__last_changes` of the newer edition.

    A resource with unchanged counted fields keeps its instant; a new or changed one gets the
    instant in the newer edition's id. An older edition without the table (from before it existed)
    counts with the instant in its own id.
    """
    with connection() as db:
        for side, edition in (("older", older), ("newer", newer)):
            _load(db, f"{side}_resources", RESOURCES, edition)
        _load(db, "older_changes", LAST_CHANGES, older)
        since = time_of(older.release_id if older else newer.release_id).isoformat()
        # This version of the code computes both digests, so that only content can differ.
        relation = db.sql(
            f"""SELECT n.resource_id,
                if(o.digest = n.digest, coalesce(c.last_changed_at, TIMESTAMPTZ '{since}'),
                   TIMESTAMPTZ '{time_of(newer.release_id).isoformat()}') AS last_changed_at,
                n.digest AS content_digest
            FROM ({_digests("newer_resources")}) n
            LEFT JOIN ({_digests("older_resources")}) o USING (resource_id)
            LEFT JOIN older_changes c USING (resource_id)
            ORDER BY resource_id"""
        )
        table: pa.Table = relation.to_arrow_table()
        return table.cast(LAST_CHANGES.arrow_schema())


def _digests(table: str) -> str:
    """Return the id and digest of every row; unknown values do not affect the digest."""
    parts = ", ".join(f"""'"{f.name}":' || to_json("{f.name}")::VARCHAR""" for f in COUNTED_FIELDS)
    return f"SELECT resource_id, left(sha256(concat_ws(',', {parts})), 32) AS digest FROM {table}"
