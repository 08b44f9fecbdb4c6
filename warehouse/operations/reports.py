"""Live reports of operators: stored for good, shown for 24 hours."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple

import msgspec
from sqlalchemy import Connection, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from schemas.vocab.operators import REPORT_HOURS
from warehouse.operations.claims import Claim
from warehouse.operations.limits import LimitReachedError
from warehouse.operations.live import mark_changed
from warehouse.operations.models import STATUSES

# Of one claim; more is a program gone wild.
REPORTS_AN_HOUR = 60


class NewReport(NamedTuple):
    """What an operator reports. `request_key`: the client's own name of this report."""

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
    row = {
        "resource_id": resource_id,
        "claim_id": claim.claim_id,
        "status": new.status,
        "notes": new.notes,
        "inventory_json": msgspec.json.encode(new.inventory).decode(),
        "reported_at": now,
        "expires_at": now + timedelta(hours=REPORT_HOURS),
        "request_key": new.request_key,
    }
    try:
        with db.begin_nested():
            status_id = db.execute(insert(STATUSES).returning(STATUSES.c.status_id), row).scalar_one()  # fmt: skip
    except IntegrityError:  # the same report through another replica at the same time
        known = _sent_before(db, claim, new)
        if known is None:
            raise
        return known
    mark_changed(db, [resource_id])
    return Report(status_id, *(row.get(name) for name in Report._fields[1:]))  # type: ignore[arg-type]


def withdraw_reports(db: Connection, claim: Claim, now: datetime) -> int:
    """Take back what the claim's holder reported; returns how many reports were still shown."""
    shown = (STATUSES.c.claim_id == claim.claim_id) & STATUSES.c.withdrawn_at.is_(None) & (STATUSES.c.expires_at > now)  # fmt: skip
    ids = db.execute(update(STATUSES).where(shown).values(withdrawn_at=now).returning(STATUSES.c.resource_id)).scalars().all()  # fmt: skip
    if ids:
        mark_changed(db, sorted(set(ids)))
    return len(ids)


def recent_reports(db: Connection, claim: Claim, limit: int = 20) -> list[Report]:
    """The newest reports of a claim, newest first."""
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
    since = now - timedelta(hours=1)
    theirs = (STATUSES.c.claim_id == claim.claim_id) & (STATUSES.c.reported_at > since)
    count, oldest = db.execute(select(func.count(), func.min(STATUSES.c.reported_at)).where(theirs)).one()  # fmt: skip
    if count >= REPORTS_AN_HOUR:
        raise LimitReachedError(max(1, int((oldest - since).total_seconds())))
