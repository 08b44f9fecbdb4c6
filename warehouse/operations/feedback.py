"""Votes on listings: one for each client, listing and day; what they do is a rule of `VOTE_RULES`.

A voter is known by a keyed hash that holds for one listing only: nobody can follow a client from place to
place, and once the listing's key is deleted nobody can tell who voted.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, Table, delete, func, select, update

from schemas.vocab.reviews import VOTE_RULES
from warehouse.operations import audit
from warehouse.operations.engine import Store
from warehouse.operations.limits import network_of
from warehouse.operations.models import CLAIMS
from warehouse.operations.review_models import FEEDBACK, FEEDBACK_EFFECTS, FEEDBACK_KEYS
from warehouse.operations.reviews import (
    NotPossibleError,
    added,
    close_place,
    digest,
    reopen_place,
)

# A vote is forgotten when no rule looks at it any more.
KEPT_DAYS = max(days for _, days in VOTE_RULES.values())


class Told(NamedTuple):
    """What a visitor says; `resource_id` None speaks of the directory."""

    type: str
    resource_id: int | None
    comment: str | None
    contact: str | None


def give_feedback(store: Store, db: Connection, told: Told, address: str, now: datetime) -> tuple[int, list[str]]:  # fmt: skip
    """Store feedback and apply the rules; returns its number and what it did (`FeedbackReceipt.effects`)."""
    row: dict[str, Any] = {**told._asdict(), "day": now.date().isoformat(), "at": now}
    if told.resource_id is None:
        number: int = db.execute(
            FEEDBACK.insert().values(row).returning(FEEDBACK.c.feedback_id)
        ).scalar_one()
        return number, ["counted"]
    row["voter"] = _voter(store, db, told.resource_id, address)
    mine = [FEEDBACK.c[name] == row[name] for name in ("resource_id", "voter", "day")]
    earlier = db.execute(select(FEEDBACK.c.feedback_id).where(*mine)).scalar()
    replace = {name: row[name] for name in ("type", "comment", "contact", "at")}
    statement = store.insert(FEEDBACK).on_conflict_do_update(
        index_elements=["resource_id", "voter", "day"], set_={**replace, "is_read": False}
    )
    db.execute(statement, row)
    number = db.execute(select(FEEDBACK.c.feedback_id).where(*mine)).scalar_one()
    effects = ["counted" if earlier is None else "replaced"]
    if told.type == "helpful":
        effects.append("age_reset")
    elif told.type in VOTE_RULES:
        effects += _judge(store, db, told.resource_id, told.type, now)
    return number, effects


def _voter(store: Store, db: Connection, resource_id: int, address: str) -> str:
    fresh = {"resource_id": resource_id, "key": secrets.token_bytes(32)}
    db.execute(store.insert(FEEDBACK_KEYS).on_conflict_do_nothing(), fresh)
    query = select(FEEDBACK_KEYS.c.key).where(FEEDBACK_KEYS.c.resource_id == resource_id)
    key: bytes = db.execute(query).scalar_one()
    return hmac.new(key, network_of(address).encode(), hashlib.sha256).hexdigest()


def _judge(store: Store, db: Connection, resource_id: int, kind: str, now: datetime) -> list[str]:
    """What the votes on a listing amount to now, with the effect if they reach the rule's number."""
    rule, days = VOTE_RULES[kind]
    voters = _voters(db, resource_id, kind, now - timedelta(days=days))
    if voters < rule.threshold:
        return []
    is_claimed = _is_claimed(db, resource_id, now)
    effect = {
        "resource_id": resource_id,
        "rule_id": rule.id,
        "state": "review" if is_claimed else "applied",
        "open_key": digest("effect", resource_id, rule.id),
        "evidence": f"{voters} different visitors said {kind} within {days} days",
        "made_at": now,
    }
    if not added(store, db, FEEDBACK_EFFECTS, effect):
        return []
    subject = f"resource {resource_id}"
    if is_claimed:
        audit.record(db, "service", "sent to review", subject, now, rule=rule.id, evidence=effect["evidence"])  # fmt: skip
        return ["sent_to_review"]
    close_place(db, resource_id, f"rule {rule.id}", now)
    audit.record(db, "service", "deactivated", subject, now, rule=rule.id, evidence=effect["evidence"])  # fmt: skip
    return ["deactivated"]


def _voters(db: Connection, resource_id: int, kind: str, since: datetime) -> int:
    """Different clients whose latest word within the time is this one, since an administrator last looked."""
    effects, votes = FEEDBACK_EFFECTS.c, FEEDBACK.c
    looked: datetime | None = db.execute(
        select(func.max(effects.decided_at)).where(effects.resource_id == resource_id)
    ).scalar()
    begin = max(since, looked) if looked else since
    rows = db.execute(
        select(votes.voter, votes.type)
        .where(votes.resource_id == resource_id, votes.at > begin)
        .order_by(votes.at)
    )
    return sum(said == kind for said in {row.voter: row.type for row in rows}.values())


def _is_claimed(db: Connection, resource_id: int, now: datetime) -> bool:
    """Whether somebody says that they run the place: then a person decides, be the claim confirmed or not."""
    claim = CLAIMS.c
    query = select(claim.claim_id).where(
        claim.resource_id == resource_id, claim.revoked_at.is_(None), claim.expires_at > now
    )
    return db.execute(query).first() is not None


# ---------------------------------------------------------------- for administrators


def effect_queue(db: Connection, state: str, page: int, per_page: int = 25) -> list[Row[Any]]:
    """Effects of a state, the newest first."""
    effects = FEEDBACK_EFFECTS
    query = select(effects).where(effects.c.state == state).order_by(effects.c.effect_id.desc())
    return list(db.execute(query.limit(per_page).offset((page - 1) * per_page)))


def effects_waiting(db: Connection) -> int:
    return int(_count(db, FEEDBACK_EFFECTS, FEEDBACK_EFFECTS.c.state == "review"))


def effect_of(db: Connection, number: int) -> Row[Any] | None:
    return db.execute(select(FEEDBACK_EFFECTS).where(FEEDBACK_EFFECTS.c.effect_id == number)).first()  # fmt: skip


def decide_effect(
    db: Connection, number: int, state: str, actor: str, now: datetime, reason: str | None = None
) -> None:
    """`applied`: the listing goes; `rejected`: it stays; `undone`: it comes back.

    Raises NotPossibleError when the effect is not in a state from which that can be.
    """
    effect = effect_of(db, number)
    before = {"applied": "review", "rejected": "review", "undone": "applied"}[state]
    if effect is None or effect.state != before:
        raise NotPossibleError("somebody has decided it already")
    values: dict[str, Any] = {"state": state, "decided_at": now, "decided_by": actor, "reason": reason}  # fmt: skip
    cause = f"rule {effect.rule_id}"
    if state == "applied":
        close_place(db, effect.resource_id, cause, now)
    else:
        values["open_key"] = None
    if state == "undone":
        reopen_place(db, effect.resource_id, cause)
    changed = update(FEEDBACK_EFFECTS).where(FEEDBACK_EFFECTS.c.effect_id == number)
    db.execute(changed.values(values))
    audit.record(db, actor, f"feedback {state}", f"resource {effect.resource_id}", now, rule=effect.rule_id, **({"reason": reason} if reason else {}))  # fmt: skip


def messages(db: Connection, page: int, per_page: int = 25) -> list[Row[Any]]:
    """Feedback with words to read, unread ones, the newest first."""
    is_open = FEEDBACK.c.is_read.is_(False) & FEEDBACK.c.comment.is_not(None)
    query = select(FEEDBACK).where(is_open).order_by(FEEDBACK.c.feedback_id.desc())
    return list(db.execute(query.limit(per_page).offset((page - 1) * per_page)))


def messages_waiting(db: Connection) -> int:
    return int(_count(db, FEEDBACK, FEEDBACK.c.is_read.is_(False) & FEEDBACK.c.comment.is_not(None)))  # fmt: skip


def mark_read(db: Connection, number: int) -> None:
    db.execute(update(FEEDBACK).where(FEEDBACK.c.feedback_id == number).values(is_read=True))


def votes_on(db: Connection, resource_id: int, since: datetime) -> list[Row[Any]]:
    """Votes on a listing by type."""
    votes = FEEDBACK.c
    query = (
        select(votes.type, func.count().label("count"))
        .where(votes.resource_id == resource_id, votes.at > since)
        .group_by(votes.type)
        .order_by(votes.type)
    )
    return list(db.execute(query))


def forget_old_votes(db: Connection, now: datetime) -> int:
    """Delete feedback that no rule looks at any more, and the keys of listings without votes."""
    oldest = now - timedelta(days=KEPT_DAYS)
    count = db.execute(delete(FEEDBACK).where(FEEDBACK.c.at < oldest)).rowcount
    left = select(FEEDBACK.c.resource_id).where(FEEDBACK.c.resource_id.is_not(None))
    db.execute(delete(FEEDBACK_KEYS).where(FEEDBACK_KEYS.c.resource_id.not_in(left)))
    return count


def _count(db: Connection, table: Table, condition: Any) -> int:
    found: int = db.execute(select(func.count()).select_from(table).where(condition)).scalar_one()
    return found
