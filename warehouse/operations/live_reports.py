"""Read shown reports, doubts, and places changed since a version, for the table in memory."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection, select, text, update

from schemas.values.instants import instant_text
from schemas.vocab.reviews import KIND_OF_RULE, VOTE_RULES, closure_words
from warehouse.index.live_overlay import Closure, LiveEntry, ReportedDoubt
from warehouse.operations.limits import CLOCKS_DIFFER
from warehouse.operations.models import (
    CLAIMS,
    CLOSURES,
    COUNTERS,
    FEEDBACK_EFFECTS,
    LIVE_CHANGES,
    STATUSES,
)

_COUNTER = "live"
_KINDS = list(KIND_OF_RULE)
# A database limits the number of values in one query.
_AT_ONCE = 500
_UPSERT = text(
    "INSERT INTO live_changes (resource_id, version) VALUES (:resource_id, :version)"
    " ON CONFLICT (resource_id) DO UPDATE SET version = excluded.version"
)


class Changes(NamedTuple):
    """Places that changed up to a version: the report and the doubt shown now, or None.

    `is_whole`: it has all of them. `closed`: all retired listings; None if unchanged.
    """

    version: int
    entries: dict[int, LiveEntry | None]
    doubts: dict[int, ReportedDoubt | None]
    is_whole: bool
    closed: dict[int, Closure] | None = None


def mark_changed(db: Connection, resource_ids: Iterable[int]) -> None:
    """Signal to every worker that the shown state of some places may have changed.

    The counter's row is locked until the transaction ends, so versions become visible in order.
    """
    grown = update(COUNTERS).where(COUNTERS.c.name == _COUNTER).values(value=COUNTERS.c.value + 1)
    version = db.execute(grown.returning(COUNTERS.c.value)).scalar_one()
    db.execute(_UPSERT, [{"resource_id": i, "version": version} for i in resource_ids])


def read_changes(db: Connection, since: int, now: datetime) -> Changes:
    """Return changes after a version. Without changes it costs one small query."""
    version = db.execute(select(COUNTERS.c.value).where(COUNTERS.c.name == _COUNTER)).scalar() or 0
    if version == since:
        return Changes(version, {}, {}, is_whole=False)
    if version < since:  # an older store was restored
        since = 0
    ids = (
        db.execute(select(LIVE_CHANGES.c.resource_id).where(LIVE_CHANGES.c.version > since))
        .scalars()
        .all()
    )
    entries: dict[int, LiveEntry | None] = dict.fromkeys(ids)
    doubts: dict[int, ReportedDoubt | None] = dict.fromkeys(ids)
    for start in range(0, len(ids), _AT_ONCE):
        some = ids[start : start + _AT_ONCE]
        entries.update(read_shown(db, some, now))
        doubts.update(read_doubts(db, some, now))
    closed = {
        row.resource_id: Closure(row.closed_at, closure_words(row.cause_kind, row.reason))
        for row in db.execute(select(CLOSURES))
    }
    return Changes(version, entries, doubts, since == 0, closed)


def read_doubts(
    db: Connection, resource_ids: Sequence[int], now: datetime
) -> dict[int, ReportedDoubt]:
    """Return each place's shown doubt: the gravest under review."""
    table = FEEDBACK_EFFECTS.c
    query = select(table.resource_id, table.rule_id, table.reporters, table.last_at).where(
        table.resource_id.in_(resource_ids), table.state == "review"
    )
    doubts: dict[int, ReportedDoubt] = {}
    gravest_last = sorted(db.execute(query), key=lambda row: -_KINDS.index(row.rule_id))
    for row in gravest_last:
        kind = KIND_OF_RULE[row.rule_id]
        until = row.last_at + timedelta(days=VOTE_RULES[kind][1])
        if until > now:
            doubts[row.resource_id] = ReportedDoubt(kind, row.reporters, row.last_at, until)
    return doubts


def read_shown(db: Connection, resource_ids: Sequence[int], now: datetime) -> dict[int, LiveEntry]:
    """Return each place's shown report.

    A confirmed operator's newest report wins; only places without one show the newest of the
    others: a stranger neither overrides nor accompanies the operator. The newest is the one stored
    last, not the one with the latest time; a report dated in the future was made before the clock
    was set back, and its age is unknown.
    """
    table = STATUSES.c
    query = (
        select(
            table.resource_id,
            table.status,
            table.notes,
            table.inventory_json,
            table.reported_at,
            table.expires_at,
            CLAIMS.c.state,
        )
        .join(CLAIMS, CLAIMS.c.claim_id == table.claim_id)
        .where(
            table.resource_id.in_(resource_ids),
            table.expires_at > now,
            table.reported_at <= now + CLOCKS_DIFFER,
            table.withdrawn_at.is_(None),
            CLAIMS.c.state != "revoked",
        )
        .order_by(table.status_id)
    )
    newest: dict[tuple[int, bool], Any] = {}
    for row in db.execute(query):
        newest[row.resource_id, row.state == "confirmed"] = row
    places = {resource_id for resource_id, _ in newest}
    owned = db.execute(
        select(CLAIMS.c.resource_id).where(
            CLAIMS.c.resource_id.in_(places), CLAIMS.c.state == "confirmed"
        )
    )
    has_operator = set(owned.scalars()) if places else set()
    entries = {}
    for (resource_id, is_confirmed), row in newest.items():
        if is_confirmed or resource_id not in has_operator:
            entries[resource_id] = _entry(row, is_confirmed=is_confirmed)
    return entries


def _entry(row: Any, *, is_confirmed: bool) -> LiveEntry:
    status = {
        "status": row.status,
        # Notes of an unconfirmed reporter appear only in the place's own status, never in lists.
        "notes": row.notes if is_confirmed else None,
        "inventory": msgspec.json.decode(row.inventory_json),
        "reported_at": instant_text(row.reported_at),
        "expires_at": instant_text(row.expires_at),
        "is_confirmed": is_confirmed,
    }
    encoded = msgspec.json.encode(status).decode()
    return LiveEntry(row.status, is_confirmed, row.reported_at, row.expires_at, encoded, row.notes)
