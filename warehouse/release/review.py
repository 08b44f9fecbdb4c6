"""Reviews two releases place by place: added, gone, split, moved, changed hours, with examples.

`warehouse.release.diff` counts the changes. A review shows the effect of a change of code or of a
source on places that people visit, by source and state.
"""

from pathlib import Path
from typing import Literal

import msgspec

from warehouse.duckdb import Connection
from warehouse.release.changes import compare_releases, count_active, edition_of

ReviewKind = Literal[
    "added", "gone", "merged", "split", "moved", "hours", "renamed", "contact", "other"
]
KINDS: dict[ReviewKind, str] = {
    "added": "Listed now and not before.",
    "gone": "No longer listed.",
    "merged": "Now part of another listing.",
    "split": "Listed now by itself, and part of another listing before.",
    "moved": "Another address, or a point more than 0.1 mile away.",
    "hours": "Other opening hours.",
    "renamed": "Another name.",
    "contact": "Another telephone number or website.",
    "other": "Another value of any other field.",
}
MAX_EXAMPLES = 10
_MOVED_MILES = 0.1


class PlaceChange(msgspec.Struct):
    """One change of one place. `before` and `after` are the values that differ, as text."""

    kind: ReviewKind
    resource_id: int
    name: str
    resource_type: str
    city: str | None
    state: str
    source: str
    before: str | None
    after: str | None


class ReviewGroup(msgspec.Struct):
    """The changes of one source or state, the most frequent kinds first, with examples of each."""

    group: str
    counts: dict[ReviewKind, int]
    examples: list[PlaceChange]


class ReleaseReview(msgspec.Struct):
    """Changes of places between two releases. A place can have several kinds of changes."""

    older: str
    newer: str
    before: int
    after: int
    counts: dict[ReviewKind, int]
    by_source: list[ReviewGroup]
    by_state: list[ReviewGroup]


def review_releases(older: Path, newer: Path) -> ReleaseReview:
    """Review two release folders.

    Raises FileNotFoundError if one has no resources, duckdb.Error if a file is damaged.
    """
    before, after = edition_of(older), edition_of(newer)
    with compare_releases(before, after) as db:
        db.execute(_KINDS_OF_CHANGES)
        counts = dict(db.execute("SELECT kind, count(*) FROM reviewed GROUP BY kind").fetchall())
        return ReleaseReview(
            older=before.release_id,
            newer=after.release_id,
            before=count_active(db, "older"),
            after=count_active(db, "newer"),
            counts={kind: counts.get(kind, 0) for kind in KINDS},
            by_source=_groups(db, "source"),
            by_state=_groups(db, "state"),
        )


def _groups(db: Connection, column: str) -> list[ReviewGroup]:
    counts: dict[str, dict[ReviewKind, int]] = {}
    rows = db.execute(
        f"""SELECT {column}, kind, rows FROM (SELECT {column}, kind, count(*) AS rows FROM reviewed
            GROUP BY ALL)
        ORDER BY sum(rows) OVER (PARTITION BY {column}) DESC, {column}, rows DESC, kind"""
    ).fetchall()
    for group, kind, count in rows:
        counts.setdefault(group, {})[kind] = count
    examples: dict[str, list[PlaceChange]] = {}
    cursor = db.execute(
        f"""SELECT {", ".join(PlaceChange.__struct_fields__)} FROM reviewed
        QUALIFY row_number() OVER (PARTITION BY {column}, kind
            ORDER BY resource_id) <= {MAX_EXAMPLES}
        ORDER BY kind, resource_id"""
    )
    for change in (PlaceChange(*row) for row in cursor.fetchall()):
        examples.setdefault(getattr(change, column), []).append(change)
    return [ReviewGroup(group, kinds, examples[group]) for group, kinds in counts.items()]


# Values of a place, formatted for reviewers.
_ADDRESS = "concat_ws(', ', {0}.address, {0}.city, {0}.state, {0}.zip)"
_CONTACT = "concat_ws(' ', {0}.phone, {0}.website)"
# Great-circle distance in miles (haversine; mean radius of the earth 3,958.8 miles).
_MILES = """2 * 3958.8 * asin(least(1, sqrt(pow(sin(radians(n.lat - o.lat) / 2), 2)
    + cos(radians(o.lat)) * cos(radians(n.lat)) * pow(sin(radians(n.lng - o.lng) / 2), 2))))"""
_DIFFERS = "(o.{0} IS DISTINCT FROM n.{0})"
_HAS_MOVED = (
    f"({_DIFFERS.format('address')} OR {_DIFFERS.format('city')} OR coalesce({_MILES}, 0) > "
    f"{_MOVED_MILES})"
)
_HAS_OTHER_HOURS = f"({_DIFFERS.format('schedules_json')} OR {_DIFFERS.format('hours_text')})"
_HAS_OTHER_CONTACT = f"({_DIFFERS.format('phone')} OR {_DIFFERS.format('website')})"
_CHANGED_KINDS = f"""[
    CASE WHEN {_HAS_MOVED} THEN {{'kind': 'moved', 'before': {_ADDRESS.format("o")},
        'after': {_ADDRESS.format("n")} || CASE WHEN {_MILES} > {_MOVED_MILES}
            THEN printf(' (%.1f miles)', {_MILES}) ELSE '' END}} END,
    CASE WHEN {_HAS_OTHER_HOURS} THEN {{'kind': 'hours',
        'before': coalesce(o.hours_text, o.schedules_json),
        'after': coalesce(n.hours_text, n.schedules_json)}} END,
    CASE WHEN {_DIFFERS.format("name")}
        THEN {{'kind': 'renamed', 'before': o.name, 'after': n.name}} END,
    CASE WHEN {_HAS_OTHER_CONTACT} THEN {{'kind': 'contact', 'before': {_CONTACT.format("o")},
        'after': {_CONTACT.format("n")}}} END,
    CASE WHEN NOT ({_HAS_MOVED} OR {_HAS_OTHER_HOURS} OR {_DIFFERS.format("name")}
        OR {_HAS_OTHER_CONTACT})
        THEN {{'kind': 'other', 'before': NULL, 'after': NULL}} END
]"""
# Places that are or became confidential, or are withheld, are counted elsewhere and never shown.
_KINDS_OF_CHANGES = f"""CREATE TEMP TABLE reviewed AS
WITH parts AS (
    SELECT n.resource_id, min(o.resource_id) AS whole FROM newer_record_sources n
    JOIN older_record_sources o USING (source_id, source_key)
    JOIN newer_resources still ON still.resource_id = o.resource_id AND still.is_active
    WHERE n.resource_id <> o.resource_id GROUP BY 1
), found_kinds AS (
    SELECT e.resource_id, e.change, unnest(CASE e.change
        WHEN 'changed' THEN list_filter({_CHANGED_KINDS}, lambda found: found IS NOT NULL)
        WHEN 'merged' THEN [{{'kind': 'merged', 'before': NULL, 'after': 'into ' || e.merged_into}}]
        WHEN 'retired' THEN
            [{{'kind': 'gone', 'before': NULL, 'after': concat_ws(': ', e.reason, e.detail)}}]
        ELSE [{{'kind': CASE WHEN parts.whole IS NULL THEN 'added' ELSE 'split' END,
               'before': 'part of ' || parts.whole, 'after': NULL}}] END) AS found
    FROM events e LEFT JOIN older_resources o USING (resource_id)
    LEFT JOIN newer_resources n USING (resource_id) LEFT JOIN parts USING (resource_id)
    WHERE e.reason IS DISTINCT FROM 'withheld'
), shown AS (
    SELECT *, change IN ('merged', 'retired') AS is_over FROM found_kinds
)
SELECT found.kind AS kind, s.resource_id, coalesce(p.name, '') AS name, p.resource_type, p.city,
       coalesce(p.state, '?') AS state, coalesce(p.data_source, '?') AS source,
       found.before AS before, found.after AS after
FROM shown s JOIN (
    SELECT true AS is_over, * FROM older_resources UNION ALL BY NAME SELECT false AS is_over, *
        FROM newer_resources
) p ON p.resource_id = s.resource_id AND p.is_over = s.is_over
WHERE NOT p.is_confidential"""
