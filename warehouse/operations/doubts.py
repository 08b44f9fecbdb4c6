"""Listings doubted by votes: marked as such, and queued for review. Votes never retire a listing.

A doubt is an open row of `feedback_effects`: while its state is `review`, every surface shows it.
"""

from datetime import datetime, timedelta
from typing import Any, Literal, NamedTuple

from sqlalchemy import Connection, Row, func, select, update

from schemas.vocab.reviews import KIND_OF_RULE, VOTE_RULES, ClosureCause, DoubtKind
from warehouse.operations import audit
from warehouse.operations.live_reports import mark_changed
from warehouse.operations.review_models import FEEDBACK, FEEDBACK_EFFECTS
from warehouse.operations.reviews import (
    NotPossibleError,
    close_place,
    digest,
    insert_once,
    reopen_place,
)
from warehouse.operations.rows import count_rows, page_of

Decision = Literal["applied", "rejected", "undone"]
_BEFORE = {"applied": "review", "rejected": "review", "undone": "applied"}
# Votes of a wave have no effect until release, which removes them from it.
COUNTS = FEEDBACK.c.wave_id.is_(None)


class _Votes(NamedTuple):
    """Number of visitors whose latest vote is of one kind, and the time of the newest."""

    reporters: int
    last_at: datetime | None


def judge(db: Connection, resource_id: int, now: datetime) -> dict[str, str]:
    """Update the doubts about a listing from the votes that count.

    Returns the action by kind of report: "opened", "doubted" (already open) or "lapsed".
    """
    outcomes: dict[str, str] = {}
    for kind in VOTE_RULES:
        if outcome := _judge(db, resource_id, kind, now):
            outcomes[kind] = outcome
    if outcomes:
        mark_changed(db, [resource_id])
    return outcomes


def _judge(db: Connection, resource_id: int, kind: DoubtKind, now: datetime) -> str | None:
    rule, days = VOTE_RULES[kind]
    doubt = _open_doubt(db, resource_id, rule.id)
    # Reviews do not expire: votes that opened a doubt count until it is decided.
    votes = _votes(db, resource_id, kind, (doubt.made_at if doubt else now) - timedelta(days=days))
    subject = f"resource {resource_id}"
    if votes.reporters < rule.threshold:
        if doubt is None:
            return None
        _set_state(db, doubt.effect_id, state="lapsed", open_key=None)
        audit.record(db, "service", "doubt lapsed", subject, now, rule=rule.id)
        return "lapsed"
    evidence = f"{votes.reporters} different visitors said {kind} within {days} days"
    columns = {"evidence": evidence, "reporters": votes.reporters, "last_at": votes.last_at}
    if doubt is not None:
        _set_state(db, doubt.effect_id, **columns)
        return "doubted"
    key = digest("effect", resource_id, rule.id)
    row = {
        "resource_id": resource_id,
        "rule_id": rule.id,
        "state": "review",
        "open_key": key,
        "made_at": now,
    }
    if not insert_once(db, FEEDBACK_EFFECTS, row | columns):
        return None  # an administrator retired the listing
    audit.record(db, "service", "doubted", subject, now, rule=rule.id, evidence=evidence)
    return "opened"


def _votes(db: Connection, resource_id: int, kind: DoubtKind, since: datetime) -> _Votes:
    """Return a kind's votes since an instant and the last decision on the kind."""
    effects, votes = FEEDBACK_EFFECTS.c, FEEDBACK.c
    looked: datetime | None = db.execute(
        select(func.max(effects.decided_at)).where(
            effects.resource_id == resource_id, effects.rule_id == VOTE_RULES[kind][0].id
        )
    ).scalar()
    begin = max(since, looked) if looked else since
    rows = db.execute(
        select(votes.voter, votes.type, votes.at)
        .where(votes.resource_id == resource_id, votes.at > begin, COUNTS)
        .order_by(votes.at)
    )
    times = [row.at for row in {row.voter: row for row in rows}.values() if row.type == kind]
    return _Votes(len(times), max(times, default=None))


def _open_doubt(db: Connection, resource_id: int, rule_id: str) -> Row[Any] | None:
    effects = FEEDBACK_EFFECTS
    is_open = (effects.c.rule_id == rule_id) & (effects.c.state == "review")
    return db.execute(select(effects).where(effects.c.resource_id == resource_id, is_open)).first()


def _set_state(db: Connection, number: int, **values: Any) -> None:
    effects = FEEDBACK_EFFECTS
    db.execute(update(effects).where(effects.c.effect_id == number).values(values))


# ---------------------------------------------------------------- for administrators


def doubt_queue(db: Connection, state: str, page: int) -> list[Row[Any]]:
    """Return doubts of a state, the newest first."""
    effects = FEEDBACK_EFFECTS
    query = select(effects).where(effects.c.state == state).order_by(effects.c.effect_id.desc())
    return page_of(db, query, page)


def doubts_waiting(db: Connection) -> int:
    """Return the number of undecided doubts."""
    return count_rows(db, FEEDBACK_EFFECTS, FEEDBACK_EFFECTS.c.state == "review")


def doubt_cause(rule_id: str) -> ClosureCause:
    """Return the reason for retiring a listing after an administrator confirmed its doubt."""
    return "closed" if KIND_OF_RULE.get(rule_id) == "closed" else "review"


def decide_doubt(
    db: Connection, number: int, state: Decision, actor: str, now: datetime, reason: str
) -> None:
    """Decide a doubt: `applied` retires the listing, `rejected` drops the doubt, `undone` restores
    the listing.

    Votes before the decision no longer count. The reason for retiring is public. Raises
    NotPossibleError if the doubt's state does not allow the decision.
    """
    effects = FEEDBACK_EFFECTS
    effect = db.execute(select(effects).where(effects.c.effect_id == number)).first()
    if effect is None or effect.state != _BEFORE[state]:
        raise NotPossibleError("it has already been decided")
    values: dict[str, Any] = {
        "state": state,
        "decided_at": now,
        "decided_by": actor,
        "reason": reason,
    }
    cause, place = f"rule {effect.rule_id}", effect.resource_id
    # A retired listing keeps its key, so that no second doubt opens.
    _set_state(db, number, **(values if state == "applied" else {**values, "open_key": None}))
    if state == "applied":
        close_place(db, place, cause, now, doubt_cause(effect.rule_id), reason)
    elif state == "undone":
        reopen_place(db, place, cause)
    mark_changed(db, [place])
    audit.record(
        db, actor, f"feedback {state}", f"resource {place}", now, rule=effect.rule_id, reason=reason
    )
