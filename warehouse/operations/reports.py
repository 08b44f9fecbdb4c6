"""Live reports of operators: stored for good, shown for 24 hours."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from schemas.vocab.operators import REPORT_HOURS
from warehouse.operations.claims import Claim, UnknownTokenError, claims_by_tokens
from warehouse.operations.limits import CLOCKS_DIFFER, LimitReachedError
from warehouse.operations.live_reports import mark_changed
from warehouse.operations.models import STATUSES

# Of one claim; more is a program gone wild.
REPORTS_AN_HOUR = 60


class NewReport(NamedTuple):
    """Operator's report. `request_key`: the client's own name of this report."""

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
        found: dict[str, str] = msgspec.json.decode(self.inventory_json)
        return found


_COLUMNS = [STATUSES.c[name] for name in Report._fields]


def add_report(
    db: Connection, claim: Claim, resource_id: int, new: NewReport, now: datetime
) -> Report:
    """Store a report of the claim's place (`resource_id`: its present id). Sent again with the same
    `request_key`, it is the same report. Raises LimitReachedError.
    """
    known = _sent_before(db, claim, new)
    if known is not None:
        return known
    _check_limit(db, claim, now)
    row = _row_of(claim, resource_id, new, now)
    try:
        with db.begin_nested():
            status_id = db.execute(
                insert(STATUSES).returning(STATUSES.c.status_id), row
            ).scalar_one()
    except IntegrityError:  # the same report through another replica at the same time
        known = _sent_before(db, claim, new)
        if known is None:
            raise
        return known
    mark_changed(db, [resource_id])
    return _report_of(status_id, row)


class Posted(NamedTuple):
    """Report as received: `place_of` maps to the present id of a place, `resource_id` is the id
    named."""

    token: str
    new: NewReport
    resource_id: int | None
    place_of: Callable[[int], int]


def add_posted(
    db: Connection, posted: list[Posted], *, is_again: bool = False
) -> list[tuple[Claim, Report] | Exception]:
    """Add many reports in a handful of statements. Results are in order; refused ones are
    exceptions (UnknownTokenError, LimitReachedError)."""
    now = datetime.now(UTC)
    claims = claims_by_tokens(db, {p.token for p in posted}, now)
    ids = {claim.claim_id for claim in claims.values()}
    counts = _counts_of(db, ids, now)
    sent = _sent_with_keys(db, ids, {p.new.request_key for p in posted if p.new.request_key})
    results: list[tuple[Claim, Report] | Exception | int] = []
    rows: list[dict[str, Any]] = []
    for one in posted:
        claim = claims.get(one.token)
        place = None if claim is None else one.place_of(claim.resource_id)
        if claim is None or one.resource_id not in {None, claim.resource_id, place}:
            results.append(UnknownTokenError())
            continue
        key = (claim.claim_id, one.new.request_key)
        count, oldest = counts.get(claim.claim_id, (0, now))
        if one.new.request_key and key in sent:
            known = sent[key]
            results.append(known if isinstance(known, int) else (claim, known))
        elif count >= REPORTS_AN_HOUR:
            results.append(_too_many(oldest, now))
        else:
            counts[claim.claim_id] = (count + 1, oldest)
            sent[key] = len(rows)
            results.append(len(rows))
            rows.append(_row_of(claim, int(place or 0), one.new, now))
    try:
        with db.begin_nested():
            stored = _insert_rows(db, rows)
    except IntegrityError:
        if is_again:
            raise
        # Another replica stored one of them meanwhile: now it is seen.
        return add_posted(db, posted, is_again=True)
    return [
        _finished(result, claims.get(one.token), stored)
        for one, result in zip(posted, results, strict=True)
    ]


def _finished(
    result: tuple[Claim, Report] | Exception | int, claim: Claim | None, stored: list[Report]
) -> tuple[Claim, Report] | Exception:
    if not isinstance(result, int):
        return result
    assert claim is not None
    return claim, stored[result]


def _insert_rows(db: Connection, rows: list[dict[str, Any]]) -> list[Report]:
    if not rows:
        return []
    statement = insert(STATUSES).returning(STATUSES.c.status_id, sort_by_parameter_order=True)
    ids = db.execute(statement, rows).scalars().all()
    mark_changed(db, sorted({row["resource_id"] for row in rows}))
    return [_report_of(status_id, row) for status_id, row in zip(ids, rows, strict=True)]


def _row_of(claim: Claim, resource_id: int, new: NewReport, now: datetime) -> dict[str, Any]:
    return {
        "resource_id": resource_id,
        "claim_id": claim.claim_id,
        "status": new.status,
        "notes": new.notes,
        "inventory_json": msgspec.json.encode(new.inventory).decode(),
        "reported_at": now,
        "expires_at": now + timedelta(hours=REPORT_HOURS),
        "request_key": new.request_key,
    }


def _report_of(status_id: int, row: dict[str, Any]) -> Report:
    return Report(status_id, *(row.get(name) for name in Report._fields[1:]))  # type: ignore[arg-type]


def _counts_of(
    db: Connection, claim_ids: set[int], now: datetime
) -> dict[int, tuple[int, datetime]]:
    """Return reports of the last hour by claim: how many, and when the first was made."""
    table = STATUSES.c
    query = select(table.claim_id, func.count(), func.min(table.reported_at))
    # What lies ahead was reported before the clock was set back.
    recent = query.where(
        table.claim_id.in_(claim_ids),
        table.reported_at > now - timedelta(hours=1),
        table.reported_at <= now + CLOCKS_DIFFER,
    )
    return {
        claim_id: (count, oldest)
        for claim_id, count, oldest in db.execute(recent.group_by(table.claim_id))
    }


def _sent_with_keys(
    db: Connection, claim_ids: set[int], keys: set[str]
) -> dict[tuple[int, str | None], Report | int]:
    if not keys:
        return {}
    table = STATUSES.c
    query = select(table.claim_id, table.request_key, *_COLUMNS)
    rows = db.execute(query.where(table.claim_id.in_(claim_ids), table.request_key.in_(keys)))
    return {(row[0], row[1]): Report(*row[2:]) for row in rows}


def withdraw_reports(db: Connection, claim: Claim, now: datetime) -> int:
    """Take back what the claim's holder reported; returns how many reports were still shown."""
    shown = (
        (STATUSES.c.claim_id == claim.claim_id)
        & STATUSES.c.withdrawn_at.is_(None)
        & (STATUSES.c.expires_at > now)
    )
    ids = (
        db.execute(
            update(STATUSES).where(shown).values(withdrawn_at=now).returning(STATUSES.c.resource_id)
        )
        .scalars()
        .all()
    )
    if ids:
        mark_changed(db, sorted(set(ids)))
    return len(ids)


def recent_reports(db: Connection, claim: Claim, limit: int = 20) -> list[Report]:
    """Return the newest reports of a claim, newest first."""
    query = select(*_COLUMNS).where(STATUSES.c.claim_id == claim.claim_id)
    newest = query.order_by(STATUSES.c.reported_at.desc(), STATUSES.c.status_id.desc()).limit(limit)
    return [Report(*row) for row in db.execute(newest)]


def _sent_before(db: Connection, claim: Claim, new: NewReport) -> Report | None:
    if new.request_key is None:
        return None
    is_same = (STATUSES.c.claim_id == claim.claim_id) & (STATUSES.c.request_key == new.request_key)
    row = db.execute(select(*_COLUMNS).where(is_same)).first()
    return None if row is None else Report(*row)


def _check_limit(db: Connection, claim: Claim, now: datetime) -> None:
    count, oldest = _counts_of(db, {claim.claim_id}, now).get(claim.claim_id, (0, now))
    if count >= REPORTS_AN_HOUR:
        raise _too_many(oldest, now)


def _too_many(oldest: datetime, now: datetime) -> LimitReachedError:
    return LimitReachedError(max(1, int((oldest + timedelta(hours=1) - now).total_seconds())))
