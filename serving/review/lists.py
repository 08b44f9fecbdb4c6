"""Lists of the review console: open items as the pages show them, pairs that may be one place."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from schemas.api.history import Statement
from schemas.tables.core import DOUBTFUL
from schemas.vocab.resource_types import RESOURCE_TYPES
from schemas.vocab.reviews import SUBMITTED
from serving.places.detail import contradictions
from serving.places.listings import Listing
from serving.review.console import LABELS, SmallMap, places_by_id, small_map
from serving.review.requests import Filters
from warehouse.index.reader import OpenRelease
from warehouse.operations import claims, feedback, outbox, reviews

_PER_PAGE = 10
_PUBLIC = "public; nobody confirmed who sent it"
PAIR_KEYS = reviews.PAIR_KEYS
# Places of a type and state: the second and third values of a query.
_LOOKED_FOR = (
    "SELECT resource_id FROM core_directory__resources"
    " WHERE (?2 IS NULL OR resource_type = ?2) AND (?3 IS NULL OR state = ?3)"
)
_COMPARED = ("name", "resource_type", "address", "city", "state", "zip", "phone")


class Line(NamedTuple):
    """One line of a queue."""

    number: int
    title: str
    detail: str
    at: Any
    decided_by: str | None
    network: str | None


class Item(NamedTuple):
    """An item: `place` is the submission, `values` the form's, `base` the record's. `sender`: what
    senders wrote about themselves; `authority`: what the service knows of them."""

    title: str
    place: Mapping[str, Any]
    values: Mapping[str, Any]
    base: Mapping[str, Any]
    sender: list[tuple[str, str]]
    authority: str


class Pair(NamedTuple):
    """Two listed places that may be one. `rows`: field, first, second."""

    keys: Mapping[str, str]
    one: Listing
    other: Listing
    rows: list[tuple[str, Any, Any]]
    doubt_reason: str
    name_similarity: float
    sketch: SmallMap | None


def counts(db: Any, pairs: int, contradiction_total: int) -> list[tuple[str, str, int]]:
    """Return path, name and number of waiting items."""
    items = reviews.waiting(db)
    decision_total = len(reviews.pair_decisions(db))
    return [
        ("/admin/submissions", "Submissions", items["submission"]),
        ("/admin/edits", "Edits", items["edit"]),
        ("/admin/claims", "Claims", claims.claims_waiting(db)),
        ("/admin/merges", "Doubtful merges", max(0, pairs - decision_total)),
        ("/admin/contradictions", "Contradictions", contradiction_total),
        (
            "/admin/feedback",
            "Feedback",
            feedback.doubts_waiting(db) + feedback.messages_waiting(db),
        ),
        ("/admin/outbox", "Unsent messages", outbox.count_troubled(db)),
    ]


def line_of(kind: str, row: Any, places: Mapping[int, Listing]) -> Line:
    """Return a submission or an edit as a line."""
    if kind == "submission":
        place = msgspec.json.decode(row.place_json)
        kind = RESOURCE_TYPES[place["resource_type"]].label
        detail = f"{kind}, {place['address']}, {place['city']}, {place['state']} {place['zip']}"
        return Line(
            row.submission_id,
            place["name"],
            detail,
            row.submitted_at,
            row.decided_by,
            row.network,
        )
    changes = sorted(msgspec.json.decode(row.changes_json))
    fields = ", ".join(LABELS[name] for name in changes)
    listing = places.get(row.resource_id)
    title = listing.name if listing else f"place {row.resource_id}"
    detail = f"{fields} ({authority_of(row)})"
    return Line(row.edit_id, title, detail, row.submitted_at, row.decided_by, row.network)


def authority_of(row: Any) -> str:
    """Return who sent an edit, by the session or token that sent it: a confirmed operator or the
    public. What senders write about themselves is no authority."""
    if row.authority == "operator":
        return f"confirmed operator, claim {row.claim_id}"
    return _PUBLIC


def submission_item(row: Any) -> Item:
    """Return a submission as its page shows it."""
    place = msgspec.json.decode(row.place_json)
    sender = [
        ("E-mail", row.submitter_email),
        ("Name", row.submitter_name),
        ("Relationship", row.submitter_relationship),
    ]
    values = {name: place.get(name) for name in SUBMITTED}
    return Item(place["name"], place, values, {}, [(k, v) for k, v in sender if v], _PUBLIC)


def edit_item(row: Any) -> Item:
    """Return an edit as its page shows it."""
    changes = msgspec.json.decode(row.changes_json)
    base = msgspec.json.decode(row.base_json)
    sender = [("Name or e-mail", row.submitted_by)] if row.submitted_by else []
    return Item(f"place {row.resource_id}", changes, changes, base, sender, authority_of(row))


# ---------------------------------------------------------------- pairs


def has_pairs(release: OpenRelease) -> bool:
    """Return False for releases of earlier versions, which have no list of doubtful pairs."""
    return any(table.name == DOUBTFUL.name for table in release.manifest.tables)


def pair_count(release: OpenRelease) -> int:
    """Return the number of doubtful pairs in the release. Queries the database: call it in a
    thread."""
    if not has_pairs(release):
        return 0
    with release.cursor() as db:
        row = db.execute(f"SELECT count(*) FROM {DOUBTFUL.name}").fetchone()  # noqa: S608
    return int(row[0]) if row else 0


def is_pair(release: OpenRelease, keys: Sequence[str]) -> bool:
    """Return whether a pair is on the list. Queries the database: call it in a thread."""
    if not has_pairs(release):
        return False
    where = " AND ".join(f"{name} = ?" for name in PAIR_KEYS)
    with release.cursor() as db:
        cursor = db.execute(f"SELECT 1 FROM {DOUBTFUL.name} WHERE {where} LIMIT 1", list(keys))  # noqa: S608
        return cursor.fetchone() is not None


def pairs_to_review(
    release: OpenRelease,
    decisions: Sequence[Any],
    number: int,
    resource_id: int | None = None,
    filters: Filters | None = None,
) -> list[Pair]:
    """Return a page of pairs without an answer, the most similar first; with `resource_id`, those
    of one place, with `filters`, those with a place of a type and state. Queries the database: call
    it in a thread."""
    if not has_pairs(release):
        return []
    decision_keys = {tuple(getattr(row, name) for name in PAIR_KEYS) for row in decisions}
    columns = ", ".join(
        [*PAIR_KEYS, "doubt_reason", "name_similarity", "resource_id", "other_resource_id"]
    )
    with release.cursor() as db:
        rows = db.execute(
            f"SELECT {columns} FROM {DOUBTFUL.name}"  # noqa: S608 - names of our own
            " WHERE (?1 IS NULL OR ?1 IN (resource_id, other_resource_id))"
            f" AND (resource_id IN ({_LOOKED_FOR}) OR other_resource_id IN ({_LOOKED_FOR}))"
            f" ORDER BY name_similarity DESC, {', '.join(PAIR_KEYS)} LIMIT ?4",
            [resource_id, *_sought(filters), number * _PER_PAGE + len(decision_keys)],
        ).fetchall()
    waiting = [row for row in rows if tuple(row[:4]) not in decision_keys]
    page = waiting[(number - 1) * _PER_PAGE : number * _PER_PAGE]
    places = places_by_id(release, [i for row in page for i in row[6:8]])
    pairs = []
    for row in page:
        if row[6] not in places or row[7] not in places:
            continue
        one, other = places[row[6]], places[row[7]]
        fields = [(name, getattr(one, name), getattr(other, name)) for name in _COMPARED]
        sketch = small_map((one.lat, one.lng), [("2", other.lat, other.lng)])
        keys = dict(zip(PAIR_KEYS, row[:4], strict=True))
        pairs.append(Pair(keys, one, other, fields, row[4], row[5], sketch))
    return pairs


def _sought(filters: Filters | None) -> tuple[str | None, str | None]:
    return (filters.resource_type, filters.us_state) if filters else (None, None)


# ---------------------------------------------------------------- contradictions


def list_contradicted_places(
    release: OpenRelease, number: int, filters: Filters
) -> list[tuple[Listing, list[Statement]]]:
    """Return a page of places of a type and state with contradicting sources, with the statements.
    Queries the database: call it in a thread."""
    first = (number - 1) * _PER_PAGE
    by_id = contradictions(release, first, _PER_PAGE, *_sought(filters))
    places = places_by_id(release, list(by_id))
    return [(places[i], statements) for i, statements in by_id.items() if i in places]
