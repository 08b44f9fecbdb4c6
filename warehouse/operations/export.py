"""Exports approved submissions as files that the build reads like any publisher's.

Equal decisions give equal bytes. The files contain no person's name, address or telephone, only
those of places.
"""

import hashlib
from datetime import UTC, datetime
from typing import Any

import msgspec
from sqlalchemy import Connection, Row, func, inspect, select

from schemas.vocab.reviews import closure_words
from warehouse.operations.engine import Store
from warehouse.operations.feedback import COUNTS, doubt_cause, vouched_on
from warehouse.operations.location import is_there
from warehouse.operations.models import (
    CLAIMS,
    EDITS,
    FEEDBACK,
    FEEDBACK_EFFECTS,
    MERGE_DECISIONS,
    STATUSES,
    SUBMISSIONS,
)
from warehouse.operations.reviews import PAIR_KEYS, edit_cause

PLACES_SOURCE, EDITS_SOURCE = "operations", "operations_edits"
Rows = list[dict[str, Any]]
_UNCHANGED: dict[str, Any] = {"changes": {}, "base": {}, "is_confirmed": False}


def build_approved_files(store: Store) -> dict[str, dict[str, bytes]]:
    """Return files by source and name. A source without approved rows has none.

    Raises StoreUnavailableError.
    """
    rows_by_file = _with(
        store,
        lambda db: {
            PLACES_SOURCE: {"submissions.json": submissions(db)},
            EDITS_SOURCE: {
                "edits.json": [*edits(db), *confirmations(db), *votes(db, datetime.now(UTC))]
            },
        },
    )
    return {
        source: {name: _as_bytes(rows) for name, rows in files.items() if rows}
        for source, files in (rows_by_file or {}).items()
    }


def merge_decisions(store: Store) -> Rows:
    """Return reviewers' answers on pairs of source records, in the order of their keys."""
    query = select(*(MERGE_DECISIONS.c[name] for name in (*PAIR_KEYS, "decision")))
    query = query.order_by(*(MERGE_DECISIONS.c[name] for name in PAIR_KEYS))
    return _with(store, lambda db: [dict(row._mapping) for row in db.execute(query)]) or []


def version_of_approved(store: Store) -> str:
    """Return a digest of all approved rows; it changes with each decision."""
    return _digest(build_approved_files(store), merge_decisions(store))


def version_of_nothing() -> str:
    """Return the version of an export without any approved row."""
    return _digest({}, [])


def _digest(files: dict[str, dict[str, bytes]], decisions: Rows) -> str:
    parts = [files[source][name] for source in sorted(files) for name in sorted(files[source])]
    return hashlib.sha256(b"\x1f".join([*parts, _as_bytes(decisions)])).hexdigest()


def _with(store: Store, work: Any) -> Any:
    if not is_there(store):
        return None
    with store.read_snapshot() as db:
        # A store of an earlier version has no approved rows.
        return work(db) if inspect(db).has_table(SUBMISSIONS.name) else None


def _as_bytes(rows: Rows) -> bytes:
    return msgspec.json.encode(rows, order="deterministic")


def submissions(db: Connection) -> Rows:
    """Return approved new places."""
    query = select(SUBMISSIONS).where(SUBMISSIONS.c.state == "approved")
    return [
        {
            **msgspec.json.decode(row.place_json),
            "key": f"submission-{row.submission_id}",
            "told_on": _day(row.submitted_at),
        }
        for row in db.execute(query.order_by(SUBMISSIONS.c.submission_id))
    ]


def edits(db: Connection) -> Rows:
    """Return approved changes of listings, and confirmations of new places."""
    query = select(EDITS).where(EDITS.c.state == "approved").order_by(EDITS.c.edit_id)
    rows = [_edit(row) for row in db.execute(query)]
    own = SUBMISSIONS.c
    query_new = select(SUBMISSIONS).where(own.state == "approved", own.is_confirmed.is_(True))
    return rows + [
        {
            "key": f"submission-{row.submission_id}-confirmed",
            "target_key": f"submission-{row.submission_id}",
            **_UNCHANGED,
            "authority": "community",
            "is_confirmed": True,
            "told_on": _day(row.decided_at),
        }
        for row in db.execute(query_new.order_by(own.submission_id))
    ]


def _edit(row: Row[Any]) -> dict[str, Any]:
    changes = msgspec.json.decode(row.changes_json)
    entry = {
        "key": f"edit-{row.edit_id}",
        "resource_id": row.resource_id,
        "authority": row.authority,
        "changes": changes,
        "base": msgspec.json.decode(row.base_json),
        "is_confirmed": bool(row.is_confirmed) or row.authority == "operator",
        "told_on": _day(row.decided_at),
    }
    if changes.get("is_active") is False:
        cause = edit_cause(row.authority, is_confirmed=row.is_confirmed)
        entry["evidence"] = closure_words(cause, row.reason)
    return entry


def confirmations(db: Connection) -> Rows:
    """Return places with a confirmed operator, dated by the last report."""
    claim = CLAIMS.c
    last = func.max(STATUSES.c.reported_at).label("last_reported_at")
    query = (
        select(claim.resource_id, claim.claim_id, claim.confirmed_at, last)
        .outerjoin(STATUSES, STATUSES.c.claim_id == claim.claim_id)
        .where(claim.state == "confirmed", claim.confirmed_at.is_not(None))
        .group_by(claim.resource_id, claim.claim_id, claim.confirmed_at)
        .order_by(claim.claim_id)
    )
    return [
        {
            "key": f"claim-{row.claim_id}",
            "resource_id": row.resource_id,
            **_UNCHANGED,
            "authority": "operator",
            "is_confirmed": True,
            "told_on": _day(max(row.confirmed_at, row.last_reported_at or row.confirmed_at)),
        }
        for row in db.execute(query)
    ]


def votes(db: Connection, now: datetime) -> Rows:
    """Return listings retired after votes, and those that enough visitors found right."""
    effect = FEEDBACK_EFFECTS.c
    rows = [
        {
            "key": f"feedback-{row.effect_id}",
            "resource_id": row.resource_id,
            **_UNCHANGED,
            "authority": "community",
            "changes": {"is_active": False},
            "told_on": _day(row.decided_at),
            "evidence": closure_words(doubt_cause(row.rule_id), row.reason),
        }
        for row in db.execute(
            select(FEEDBACK_EFFECTS).where(effect.state == "applied").order_by(effect.effect_id)
        )
    ]
    helpful = select(FEEDBACK.c.resource_id).where(
        FEEDBACK.c.type == "helpful", FEEDBACK.c.resource_id.is_not(None), COUNTS
    )
    for resource_id in sorted(set(db.execute(helpful).scalars())):
        day = vouched_on(db, resource_id, now)
        if day is not None:
            rows.append(
                {
                    "key": f"helpful-{resource_id}",
                    "resource_id": resource_id,
                    **_UNCHANGED,
                    "authority": "visitors",
                    "told_on": day.isoformat(),
                    "is_found_right": True,
                }
            )
    return rows


def _day(at: datetime) -> str:
    return at.date().isoformat()
