"""What changed between two releases: resources added, gone, merged and changed, field by field."""

from __future__ import annotations

from pathlib import Path

import msgspec

from schemas.tables.core import IDENTITIES, RESOURCES
from warehouse.duck import connection, quoted

# Differ between two builds of the same facts.
_IGNORED = {"resource_id", "retrieved_at"}
_SAMPLE = 10


class ReleaseDiff(msgspec.Struct, frozen=True):
    """Counts, and up to ten names of each kind. `changed_fields` counts resources per field."""

    older: str
    newer: str
    added: int
    gone: int
    merged: int
    changed: int
    changed_fields: dict[str, int]
    added_by_type: dict[str, int]
    gone_by_type: dict[str, int]
    added_examples: list[str]
    gone_examples: list[str]


def diff_releases(older: Path, newer: Path) -> ReleaseDiff:
    """Compare two release folders. Raises duckdb.IOException when a table is missing."""
    with connection() as db:
        for alias, folder in (("older", older), ("newer", newer)):
            path = folder / "exports" / f"{RESOURCES.name}.parquet"
            db.execute(f"CREATE VIEW {alias} AS SELECT * FROM read_parquet({quoted(path)})")
        # Fields may have come or gone between the two; what both have can be compared.
        columns = [
            {row[0] for row in db.execute(f"DESCRIBE {alias}").fetchall()}
            for alias in ("older", "newer")
        ]
        fields = [
            name
            for name in RESOURCES.field_names
            if name not in _IGNORED and all(name in c for c in columns)
        ]
        registry = newer / "exports" / f"{IDENTITIES.name}.parquet"
        differs = [f'o."{name}" IS DISTINCT FROM n."{name}"' for name in fields]
        changed = db.execute(
            f"""SELECT count(*) FILTER ({" OR ".join(differs)}),
                {", ".join(f"count(*) FILTER ({d})" for d in differs)}
            FROM older o JOIN newer n USING (resource_id)"""
        ).fetchall()[0]
        added, gone = (
            db.execute(
                f"""SELECT resource_id, resource_type, name, city, state FROM {left}
                WHERE resource_id NOT IN (SELECT resource_id FROM {right}) ORDER BY resource_id"""
            ).fetchall()
            for left, right in (("newer", "older"), ("older", "newer"))
        )
        merged = db.execute(
            f"""SELECT count(*) FROM older WHERE resource_id IN
            (SELECT resource_id FROM read_parquet({quoted(registry)}) WHERE id_status = 'merged')"""
        ).fetchall()[0][0]
    return ReleaseDiff(
        older=older.name,
        newer=newer.name,
        added=len(added),
        gone=len(gone) - merged,
        merged=merged,
        changed=changed[0],
        changed_fields={f: n for f, n in zip(fields, changed[1:], strict=True) if n},
        added_by_type=_by_type(added),
        gone_by_type=_by_type(gone),
        added_examples=[_named(row) for row in added[:_SAMPLE]],
        gone_examples=[_named(row) for row in gone[:_SAMPLE]],
    )


def _by_type(rows: list[tuple[object, ...]]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for row in rows:
        counts[str(row[1])] = counts.get(str(row[1]), 0) + 1
    return dict(sorted(counts.items()))


def _named(row: tuple[object, ...]) -> str:
    resource_id, kind, name, city, state = row
    return f"{resource_id} {name} ({kind}), {city or '?'}, {state}"
