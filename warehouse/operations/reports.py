"""Operators' live reports: stored permanently, shown for 24 hours."""

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


class PostedReport(NamedTuple):
    """Report as received for `resource_id`; `place_of` maps to its current id."""

    token: str
    new: NewReport
    resource_id: int | None
    place_of: Callable[[int], int]


class ClaimedReport(NamedTuple):
    """Report by the holder of a claim; `resource_id` is the current id of the claim's place."""

    claim: Claim
    resource_id: int
    new: NewReport


Added = tuple[Claim, Report] | Exception


def add_posted(db: Connection, posts: list[PostedReport]) -> list[Added]:
    """Add many reports in a handful of statements. Results are in order; refused ones are
    exceptions (UnknownTokenError, LimitReachedError)."""
    now = datetime.now(UTC)
    claims = claims_by_tokens(db, {p.token for p in posts}, now)
    reports = [_of_claim(one, claims.get(one.token)) for one in posts]
    results = iter(add_reports(db, [one for one in reports if one is not None], now))
    return [UnknownTokenError() if one is None else next(results) for one in reports]


def _of_claim(post: PostedReport, claim: Claim | None) -> ClaimedReport | None:
    if claim is None:
        return None
    place = post.place_of(claim.resource_id)
    if post.resource_id not in {None, claim.resource_id, place}:
        return None
    return ClaimedReport(claim, place, post.new)


def add_reports(
    db: Connection, reports: list[ClaimedReport], now: datetime, *, is_again: bool = False
) -> list[Added]:
    """Add reports; repeated requests with the same `request_key` are one report. Results are in
    order; those beyond the limit are a LimitReachedError."""
    ids = {one.claim.claim_id for one in reports}
    counts = _counts_of(db, ids, now)
    by_key = _find_by_keys(db, ids, {r.new.request_key for r in reports if r.new.request_key})
    results: list[Report | Exception | int] = []
    rows: list[dict[str, Any]] = []
    for claim, resource_id, new in reports:
        key = (claim.claim_id, new.request_key)
        count, oldest = counts.get(claim.claim_id, (0, now))
        if new.request_key and key in by_key:
            results.append(by_key[key])
        elif count >= REPORTS_AN_HOUR:
            results.append(_too_many(oldest, now))
        else:
            counts[claim.claim_id] = (count + 1, oldest)
            by_key[key] = len(rows)
            results.append(len(rows))
            rows.append(_row_of(claim, resource_id, new, now))
    try:
        with db.begin_nested():
            ids_by_row = _insert_rows(db, rows)
    except IntegrityError:
        if is_again:
            raise
        # Another replica stored one of them in between: now it is visible.
        return add_reports(db, reports, now, is_again=True)
    return [
        result
        if isinstance(result, Exception)
        else (one.claim, ids_by_row[result] if isinstance(result, int) else result)
        for one, result in zip(reports, results, strict=True)
    ]


def _insert_rows(db: Connection, rows: list[dict[str, Any]]) -> list[Report]:
    if not rows:
        return []
    statement = insert(STATUSES).returning(STATUSES.c.status_id, sort_by_parameter_order=True)
    ids = db.execute(statement, rows).scalars().all()
    mark_changed(db, sorted({row["resource_id"] for row in rows}))
    return [
        Report(status_id, *(row.get(name) for name in Report._fields[1:]))  # type: ignore[arg-type]
        for status_id, row in zip(ids, rows, strict=True)
    ]


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


def _counts_of(
    db: Connection, claim_ids: set[int], now: datetime
) -> dict[int, tuple[int, datetime]]:
    """Return for each claim the number of reports of the last hour, and the time of the first."""
    table = STATUSES.c
    query = select(table.claim_id, func.count(), func.min(table.reported_at))
    # Future reports were made before the clock was set back.
    recent = query.where(
        table.claim_id.in_(claim_ids),
        table.reported_at > now - timedelta(hours=1),
        table.reported_at <= now + CLOCKS_DIFFER,
    )
    return {
        claim_id: (count, oldest)
        for claim_id, count, oldest in db.execute(recent.group_by(table.claim_id))
    }


def _find_by_keys(
    db: Connection, claim_ids: set[int], keys: set[str]
) -> dict[tuple[int, str | None], Report | int]:
    if not keys:
        return {}
    table = STATUSES.c
    query = select(table.claim_id, table.request_key, *_COLUMNS)
    rows = db.execute(query.where(table.claim_id.in_(claim_ids), table.request_key.in_(keys)))
    return {(row[0], row[1]): Report(*row[2:]) for row in rows}


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


def _too_many(oldest: datetime, now: datetime) -> LimitReachedError:
    return LimitReachedError(max(1, int((oldest + timedelta(hours=1) - now).total_seconds())))
