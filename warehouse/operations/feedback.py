"""Votes on listings: one per client, listing and day. They raise doubts; no vote retires a listing.

A voter is identified by a keyed hash valid for one listing only: clients cannot be followed between
places, and once the listing's key is deleted its voters are unknown.
"""

import hashlib
import hmac
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import Connection, delete, select, update

from schemas.vocab.reviews import VOTE_RULES
from warehouse.operations import audit
from warehouse.operations.doubts import judge, vouched_on
from warehouse.operations.limits import client_hash, ip_version_of, network_of, take_turn
from warehouse.operations.review_models import FEEDBACK, FEEDBACK_KEYS
from warehouse.operations.rows import (
    Page,
    count_rows,
    ensure_key,
    insert_into,
    page_after,
    request_digest,
)

# Places that one network votes on in 24 hours; a household visits fewer.
PLACES_A_DAY = 20
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
    db: Connection, report: Feedback, address: str, now: datetime, *, is_limited: bool = True
) -> tuple[int, list[str]]:
    """Store feedback and judge the votes; return number and effects.

    Raises LimitReachedError beyond PLACES_A_DAY places of one network.
    """
    network = client_hash(db, address, now)
    if report.request_key:
        route = f"feedback {report.resource_id}"
        key = request_digest(db, route, network_of(address), report.request_key)
        same_request = select(FEEDBACK.c.feedback_id).where(FEEDBACK.c.request_key == key)
        if (feedback_id := db.execute(same_request).scalar()) is not None:
            return int(feedback_id), ["repeated"]
        report = report._replace(request_key=key)
    row: dict[str, Any] = {
        **report._asdict(),
        "day": now.date().isoformat(),
        "at": now,
        "network": network,
    }
    if report.resource_id is None:
        query = FEEDBACK.insert().values(row).returning(FEEDBACK.c.feedback_id)
        return int(db.execute(query).scalar_one()), ["counted"]
    row["voter"] = _voter(db, report.resource_id, address)
    row["ip_version"] = ip_version_of(address)
    mine = [FEEDBACK.c[name] == row[name] for name in ("resource_id", "voter", "day")]
    earlier = db.execute(select(FEEDBACK.c.feedback_id).where(*mine)).scalar()
    if is_limited and earlier is None and report.type != "other":
        take_turn(db, "votes", address, PLACES_A_DAY, 86_400, now)
    replace = {name: row[name] for name in ("type", "comment", "contact", "at", "request_key")}
    statement = insert_into(db, FEEDBACK).on_conflict_do_update(
        index_elements=["resource_id", "voter", "day"], set_={**replace, "is_read": False}
    )
    db.execute(statement, row)
    number = db.execute(select(FEEDBACK.c.feedback_id).where(*mine)).scalar_one()
    effects = ["counted" if earlier is None else "replaced"]
    if report.type == "helpful" and vouched_on(db, report.resource_id, now) is not None:
        effects.append("age_reset")
    outcome = judge(db, report.resource_id, now)
    if outcome in {"opened", "doubted"} and report.type in VOTE_RULES:
        effects.append("doubted")
    if outcome == "opened":
        effects.append("sent_to_review")
    if outcome == "lapsed":
        effects.append("doubt_lifted")
    return number, effects


def _voter(db: Connection, resource_id: int, address: str) -> str:
    key = ensure_key(db, FEEDBACK_KEYS, resource_id)
    return hmac.new(key, network_of(address).encode(), hashlib.sha256).hexdigest()


# ---------------------------------------------------------------- for administrators


_UNREAD = FEEDBACK.c.is_read.is_(False) & FEEDBACK.c.comment.is_not(None)


def messages(db: Connection, after: int | None = None, network: str | None = None) -> Page:
    """Return a page of unread feedback with a text, the newest first."""
    query = select(FEEDBACK).where(_UNREAD)
    if network is not None:
        query = query.where(FEEDBACK.c.network == network)
    return page_after(db, query, FEEDBACK.c.feedback_id, after)


def discard_network(db: Connection, network: str, actor: str, now: datetime) -> int:
    """Discard all feedback of a network and judge the places again; return the number."""
    is_theirs = (FEEDBACK.c.network == network) & FEEDBACK.c.discarded_at.is_(None)
    places = set(db.execute(select(FEEDBACK.c.resource_id).where(is_theirs)).scalars())
    count = db.execute(
        update(FEEDBACK).where(is_theirs).values(discarded_at=now, is_read=True)
    ).rowcount
    for resource_id in sorted(places - {None}):
        judge(db, resource_id, now)
    audit.record(db, actor, "feedback discarded", f"network {network[:12]}", now, votes=count)
    return int(count)


def messages_waiting(db: Connection) -> int:
    return count_rows(db, FEEDBACK, _UNREAD)


def mark_read(db: Connection, number: int) -> None:
    db.execute(update(FEEDBACK).where(FEEDBACK.c.feedback_id == number).values(is_read=True))


def forget_old_votes(db: Connection, now: datetime) -> int:
    """Delete feedback that no rule uses, and keys of listings without votes."""
    oldest = now - timedelta(days=RETENTION_DAYS)
    count = db.execute(delete(FEEDBACK).where(FEEDBACK.c.at < oldest)).rowcount
    remaining = select(FEEDBACK.c.resource_id).where(FEEDBACK.c.resource_id.is_not(None))
    db.execute(delete(FEEDBACK_KEYS).where(FEEDBACK_KEYS.c.resource_id.not_in(remaining)))
    return count
