"""Listings doubted by votes: marked as such, and queued for review. Votes never retire a listing.

A doubt is an open row of `feedback_effects`: while its state is `review`, every surface shows it.
"""

from datetime import date, datetime, timedelta
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
from warehouse.operations.rows import Page, count_rows, page_after

Decision = Literal["applied", "rejected", "undone"]
_BEFORE = {"applied": "review", "rejected": "review", "undone": "applied"}
# Votes that an administrator discarded have no effect.
COUNTS = FEEDBACK.c.discarded_at.is_(None)


class _Votes(NamedTuple):
    """How many visitors last said the same of a listing, and when the newest did."""

    kind: DoubtKind
    reporters: int
    last_at: datetime | None

    @property
    def is_doubt(self) -> bool:
        return self.reporters >= VOTE_RULES[self.kind][0].threshold


def judge(db: Connection, resource_id: int, now: datetime) -> str | None:
    """Update the doubt about a listing from its votes, each kind counted separately.

    A listing has one open item, with its gravest doubt. Returns the action: "opened", "doubted"
    (already open), "lapsed", None.
    """
    doubt = _open_doubt(db, resource_id)
    # Reviews do not expire: votes that opened a doubt count until it is decided.
    begin = doubt.made_at if doubt else now
    counts = [
        _count_votes(db, resource_id, kind, begin - timedelta(days=days))
        for kind, (_, days) in VOTE_RULES.items()
    ]
    gravest = next((votes for votes in counts if votes.is_doubt), None)
    subject = f"resource {resource_id}"
    if gravest is None:
        if doubt is None:
            return None
        mark_changed(db, [resource_id])
        _set_state(db, doubt.effect_id, state="lapsed", open_key=None)
        audit.record(db, "service", "doubt lapsed", subject, now, rule=doubt.rule_id)
        return "lapsed"
    mark_changed(db, [resource_id])
    rule = VOTE_RULES[gravest.kind][0]
    columns = {
        "rule_id": rule.id,
        "evidence": "; ".join(_in_words(votes) for votes in counts if votes.reporters),
        "reporters": gravest.reporters,
        "last_at": gravest.last_at,
    }
    if doubt is not None:
        _set_state(db, doubt.effect_id, **columns)
        return "doubted"
    row = {
        "resource_id": resource_id,
        "state": "review",
        "open_key": digest("effect", resource_id),
        "made_at": now,
    }
    if not insert_once(db, FEEDBACK_EFFECTS, row | columns):
        return None  # an administrator retired the listing
    evidence = columns["evidence"]
    audit.record(db, "service", "doubted", subject, now, rule=rule.id, evidence=evidence)
    return "opened"


def _in_words(votes: _Votes) -> str:
    visitors = "1 visitor" if votes.reporters == 1 else f"{votes.reporters} different visitors"
    return f"{visitors} said {votes.kind} within {VOTE_RULES[votes.kind][1]} days"


def _count_votes(db: Connection, resource_id: int, kind: DoubtKind, since: datetime) -> _Votes:
    """Return a kind's votes since an instant and the last decision on the listing."""
    effects = FEEDBACK_EFFECTS.c
    looked: datetime | None = db.execute(
        select(func.max(effects.decided_at)).where(effects.resource_id == resource_id)
    ).scalar()
    times = _times_of(db, resource_id, kind, max(since, looked) if looked else since)
    return _Votes(kind, len(times), times[0] if times else None)


def _times_of(db: Connection, resource_id: int, kind: str, since: datetime) -> list[datetime]:
    """Return when each visitor voted whose latest vote is of a kind, the newest first.

    A household may have an address of IPv4 and one of IPv6: visitors are counted by version, and
    the version with more of them counts.
    """
    votes = FEEDBACK.c
    rows = db.execute(
        select(votes.voter, votes.type, votes.at, votes.ip_version)
        .where(votes.resource_id == resource_id, votes.at > since, COUNTS)
        .order_by(votes.at)
    )
    times: dict[int, list[datetime]] = {4: [], 6: []}
    for row in {row.voter: row for row in rows}.values():
        if row.type == kind:
            times[row.ip_version].append(row.at)
    most = times[6] if len(times[6]) > len(times[4]) else times[4]
    return sorted(most, reverse=True)


def vouched_on(db: Connection, resource_id: int, now: datetime) -> date | None:
    """Return the day since which as many visitors found a listing right as it takes to doubt it;
    None if fewer did within 180 days."""
    rule, days = VOTE_RULES["closed"]
    times = _times_of(db, resource_id, "helpful", now - timedelta(days=days))
    enough = int(rule.threshold)
    return times[enough - 1].date() if len(times) >= enough else None


def _open_doubt(db: Connection, resource_id: int) -> Row[Any] | None:
    effects = FEEDBACK_EFFECTS
    is_open = effects.c.state == "review"
    return db.execute(select(effects).where(effects.c.resource_id == resource_id, is_open)).first()


def _set_state(db: Connection, number: int, **values: Any) -> None:
    effects = FEEDBACK_EFFECTS
    db.execute(update(effects).where(effects.c.effect_id == number).values(values))


# ---------------------------------------------------------------- for administrators


def doubt_queue(db: Connection, state: str, after: int | None = None) -> Page:
    """Return a page of doubts of a state, the newest first."""
    effects = FEEDBACK_EFFECTS
    query = select(effects).where(effects.c.state == state)
    return page_after(db, query, effects.c.effect_id, after)


def networks_of(db: Connection, resource_ids: list[int]) -> dict[int, list[str]]:
    """Return the networks whose votes count on each place, as hashes of a day."""
    votes = FEEDBACK.c
    query = select(votes.resource_id, votes.network).where(
        votes.resource_id.in_(resource_ids), votes.network.is_not(None), COUNTS
    )
    networks: dict[int, list[str]] = {}
    for resource_id, network in sorted(set(map(tuple, db.execute(query)))):
        networks.setdefault(resource_id, []).append(network)
    return networks


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
