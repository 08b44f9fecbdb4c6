"""Votes on listings: one per client, listing and day. They raise doubts; no vote retires a listing.

A voter is identified by a keyed hash valid for one listing only: clients cannot be followed between
places, and once the listing's key is deleted its voters are unknown.
"""

import hashlib
import hmac
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, delete, select, update

from schemas.vocab.reviews import VOTE_RULES
from warehouse.operations.doubts import judge
from warehouse.operations.limits import network_of
from warehouse.operations.review_models import FEEDBACK, FEEDBACK_KEYS
from warehouse.operations.reviews import digest
from warehouse.operations.rows import count_rows, ensure_key, insert_into, page_of
from warehouse.operations.vote_waves import Vote, forget_traces, hold_wave

# Votes are deleted once no rule uses them.
RETENTION_DAYS = max(days for _, days in VOTE_RULES.values())


class Feedback(NamedTuple):
    """Visitor's feedback; with `resource_id` None it is about the directory."""

    type: str
    resource_id: int | None
    comment: str | None
    contact: str | None
    request_key: str | None = None
    """The client's own key of the request: the same one is stored once."""


def give_feedback(
    db: Connection, report: Feedback, address: str, now: datetime, county: str | None = None
) -> tuple[int, list[str]]:
    """Store feedback and judge the votes; return number and effects. `county`: FIPS code."""
    if report.request_key:
        report = report._replace(request_key=digest(report.request_key))
        same_request = select(FEEDBACK.c.feedback_id).where(
            FEEDBACK.c.request_key == report.request_key
        )
        if (feedback_id := db.execute(same_request).scalar()) is not None:
            return int(feedback_id), ["repeated"]
    row: dict[str, Any] = {**report._asdict(), "day": now.date().isoformat(), "at": now}
    if report.resource_id is None:
        query = FEEDBACK.insert().values(row).returning(FEEDBACK.c.feedback_id)
        return int(db.execute(query).scalar_one()), ["counted"]
    row["voter"] = _voter(db, report.resource_id, address)
    mine = [FEEDBACK.c[name] == row[name] for name in ("resource_id", "voter", "day")]
    earlier = db.execute(select(FEEDBACK.c.feedback_id).where(*mine)).scalar()
    replace = {name: row[name] for name in ("type", "comment", "contact", "at", "request_key")}
    statement = insert_into(db, FEEDBACK).on_conflict_do_update(
        index_elements=["resource_id", "voter", "day"], set_={**replace, "is_read": False}
    )
    db.execute(statement, row)
    number = db.execute(select(FEEDBACK.c.feedback_id).where(*mine)).scalar_one()
    is_held = report.type != "other" and hold_wave(
        db, Vote(number, report.resource_id, county, address), now
    )
    outcomes = judge(db, report.resource_id, now)
    effects = ["counted" if earlier is None else "replaced"]
    return number, effects + (["held"] if is_held else _effects(report.type, outcomes))


def _effects(kind: str, outcomes: dict[str, str]) -> list[str]:
    """Return the effect of a kind of vote by the outcome of the listing's doubts."""
    effects = ["age_reset"] if kind == "helpful" else []
    if outcomes.get(kind) in {"opened", "doubted"}:
        effects.append("doubted")
    if outcomes.get(kind) == "opened":
        effects.append("sent_to_review")
    if "lapsed" in outcomes.values():
        effects.append("doubt_lifted")
    return effects


def _voter(db: Connection, resource_id: int, address: str) -> str:
    key = ensure_key(db, FEEDBACK_KEYS, resource_id)
    return hmac.new(key, network_of(address).encode(), hashlib.sha256).hexdigest()


# ---------------------------------------------------------------- for administrators


_UNREAD = FEEDBACK.c.is_read.is_(False) & FEEDBACK.c.comment.is_not(None)


def messages(db: Connection, page: int) -> list[Row[Any]]:
    """Return unread feedback with a text, the newest first."""
    query = select(FEEDBACK).where(_UNREAD).order_by(FEEDBACK.c.feedback_id.desc())
    return page_of(db, query, page)


def messages_waiting(db: Connection) -> int:
    return count_rows(db, FEEDBACK, _UNREAD)


def mark_read(db: Connection, number: int) -> None:
    db.execute(update(FEEDBACK).where(FEEDBACK.c.feedback_id == number).values(is_read=True))


def forget_old_votes(db: Connection, now: datetime) -> int:
    """Delete feedback that no rule uses, traces, and keys of listings without votes."""
    forget_traces(db, now)
    oldest = now - timedelta(days=RETENTION_DAYS)
    count = db.execute(delete(FEEDBACK).where(FEEDBACK.c.at < oldest)).rowcount
    remaining = select(FEEDBACK.c.resource_id).where(FEEDBACK.c.resource_id.is_not(None))
    db.execute(delete(FEEDBACK_KEYS).where(FEEDBACK_KEYS.c.resource_id.not_in(remaining)))
    return count
