"""Operators' live reports: stored permanently, shown for 24 hours."""

from datetime import datetime, timedelta
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection, func, insert, select, update

from schemas.vocab.reviews import REPORT_HOURS
from warehouse.operations.claims import Claim
from warehouse.operations.limits import CLOCKS_DIFFER, LimitReachedError
from warehouse.operations.live_reports import mark_changed
from warehouse.operations.models import STATUSES

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
    db: Connection,
    claim: Claim,
    resource_id: int,
    new: NewReport,
    now: datetime,
) -> Report:
    """Store a report of a claim's holder; a repeated request with the same `request_key` is one
    report. `resource_id` is the present id of the claim's place.

    Raises LimitReachedError beyond REPORTS_AN_HOUR.
    """
    table = STATUSES.c
    if new.request_key:
        query = select(*_COLUMNS).where(
            table.claim_id == claim.claim_id, table.request_key == new.request_key
        )
        if (earlier := db.execute(query).first()) is not None:
            return Report(*earlier)
    # Future reports were made before the clock was set back.
    is_recent = (
        (table.claim_id == claim.claim_id)
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
        "claim_id": claim.claim_id,
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


def withdraw_reports(db: Connection, claim: Claim, now: datetime) -> int:
    """Withdraw the reports of the claim's holder; return how many were still shown."""
    is_shown = (
        (STATUSES.c.claim_id == claim.claim_id)
        & STATUSES.c.withdrawn_at.is_(None)
        & (STATUSES.c.expires_at > now)
    )
    ids = (
        db.execute(
            update(STATUSES)
            .where(is_shown)
            .values(withdrawn_at=now)
            .returning(STATUSES.c.resource_id)
        )
        .scalars()
        .all()
    )
    if ids:
        mark_changed(db, sorted(set(ids)))
    return len(ids)


def recent_reports(db: Connection, claim: Claim) -> list[Report]:
    """Return the newest reports of a claim, newest first."""
    query = select(*_COLUMNS).where(STATUSES.c.claim_id == claim.claim_id)
    newest = query.order_by(STATUSES.c.reported_at.desc(), STATUSES.c.status_id.desc()).limit(
        _RECENT_REPORTS
    )
    return [Report(*row) for row in db.execute(newest)]
