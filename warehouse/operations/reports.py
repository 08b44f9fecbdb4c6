"""Operators' live reports: stored permanently, shown for 24 hours; and what workers show of them.

Workers read shown reports, doubts and retired listings changed since a version into memory, so that
no search queries the store.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection, func, insert, select, text, update

from schemas.values.instants import instant_text
from schemas.vocab.reviews import KIND_OF_RULE, REPORT_HOURS, VOTE_RULES, closure_words
from warehouse.index.live_overlay import Closure, LiveEntry, ReportedDoubt
from warehouse.operations.limits import CLOCKS_DIFFER, LimitReachedError
from warehouse.operations.models import (
    CLAIMS,
    CLOSURES,
    COUNTERS,
    FEEDBACK_EFFECTS,
    LIVE_CHANGES,
    STATUSES,
)

# Reports of one claim; more come from a faulty program.
REPORTS_AN_HOUR = 60


class NewReport(NamedTuple):
    """Operator's report. `request_key`: the client's own id of this report."""

    status: str
    notes: str | None
    inventory: dict[str, str]
    request_key: str | None = None


class Report(NamedTuple):
    """A report as stored. Instants are UTC."""

    status_id: int
    resource_id: int
    status: str
    notes: str | None
    inventory_json: str
    reported_at: datetime
    expires_at: datetime
    withdrawn_at: datetime | None

    @property
    def inventory(self) -> dict[str, str]:
        inventory: dict[str, str] = msgspec.json.decode(self.inventory_json)
        return inventory


_RECENT_REPORTS = 20
_COLUMNS = [STATUSES.c[name] for name in Report._fields]


def add_report(
    db: Connection, claim_id: int, resource_id: int, new: NewReport, now: datetime
) -> Report:
    """Store a report of a claim's holder; a repeated request with the same `request_key` is one
    report. `resource_id` is the present id of the claim's place.

    Raises LimitReachedError beyond REPORTS_AN_HOUR.
    """
    table = STATUSES.c
    if new.request_key:
        query = select(*_COLUMNS).where(
            table.claim_id == claim_id, table.request_key == new.request_key
        )
        if (earlier := db.execute(query).first()) is not None:
            return Report(*earlier)
    # Future reports were made before the clock was set back.
    is_recent = (
        (table.claim_id == claim_id)
        & (table.reported_at > now - timedelta(hours=1))
        & (table.reported_at <= now + CLOCKS_DIFFER)
    )
    count, oldest = db.execute(
        select(func.count(), func.min(table.reported_at)).where(is_recent)
    ).one()
    if count >= REPORTS_AN_HOUR:
        raise LimitReachedError(max(1, int((oldest + timedelta(hours=1) - now).total_seconds())))
    row: dict[str, Any] = {
        "resource_id": resource_id,
        "claim_id": claim_id,
        "status": new.status,
        "notes": new.notes,
        "inventory_json": msgspec.json.encode(new.inventory).decode(),
        "reported_at": now,
        "expires_at": now + timedelta(hours=REPORT_HOURS),
        "request_key": new.request_key,
    }
    stored = db.execute(insert(STATUSES).values(row).returning(*_COLUMNS)).one()
    mark_changed(db, [resource_id])
    return Report(*stored)


def withdraw_reports(db: Connection, claim_id: int, now: datetime) -> int:
    """Withdraw the reports of the claim's holder; return how many were still shown."""
    is_shown = (
        (STATUSES.c.claim_id == claim_id)
        & STATUSES.c.withdrawn_at.is_(None)
        & (STATUSES.c.expires_at > now)
    )
    withdrawn = update(STATUSES).where(is_shown).values(withdrawn_at=now)
    ids = db.scalars(withdrawn.returning(STATUSES.c.resource_id)).all()
    if ids:
        mark_changed(db, sorted(set(ids)))
    return len(ids)


def recent_reports(db: Connection, claim_id: int) -> list[Report]:
    """Return the newest reports of a claim, newest first."""
    query = select(*_COLUMNS).where(STATUSES.c.claim_id == claim_id)
    newest = query.order_by(STATUSES.c.reported_at.desc(), STATUSES.c.status_id.desc()).limit(
        _RECENT_REPORTS
    )
    return [Report(*row) for row in db.execute(newest)]


# ---------------------------------------------------------------- what workers show

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
    changed = select(LIVE_CHANGES.c.resource_id).where(LIVE_CHANGES.c.version > since)
    ids = db.scalars(changed).all()
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
        select(*_COLUMNS, CLAIMS.c.state)
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
    return {
        resource_id: _entry(row, is_confirmed=is_confirmed)
        for (resource_id, is_confirmed), row in newest.items()
        if is_confirmed or resource_id not in has_operator
    }


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
