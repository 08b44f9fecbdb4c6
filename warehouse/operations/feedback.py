"""Votes on listings, and the doubts that they raise. No vote retires a listing: a person decides.

Visitors vote once per client, listing and day. A voter is identified by a keyed hash valid for one
listing only: clients cannot be followed between places, and once the listing's key is deleted its
voters are unknown. A doubt is an open row of `feedback_effects`: while its state is `review`, every
surface shows it.
"""

import hashlib
import hmac
from datetime import date, datetime, timedelta
from typing import Any, Literal, NamedTuple

from sqlalchemy import Connection, delete, func, select, update

from schemas.vocab.reviews import KIND_OF_RULE, VOTE_RULES, ClosureCause, DoubtKind
from warehouse.operations import audit
from warehouse.operations.limits import client_hash, ip_version_of, network_of, take_turn
from warehouse.operations.models import FEEDBACK, FEEDBACK_EFFECTS, FEEDBACK_KEYS, LIMIT_HITS
from warehouse.operations.reports import mark_changed
from warehouse.operations.reviews import (
    NotPossibleError,
    close_place,
    digest,
    insert_once,
    reopen_place,
)
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
# Scope of the keys of requests whose vote another replaced, kept like the hits of a limit.
_REPLACED = "replaced vote"
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
    """Store feedback and update the doubt; return number and effects.

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
    voter_key = ensure_key(db, FEEDBACK_KEYS, report.resource_id)
    voter = hmac.new(voter_key, network_of(address).encode(), hashlib.sha256)
    row["voter"] = voter.hexdigest()
    row["ip_version"] = ip_version_of(address)
    mine = [FEEDBACK.c[name] == row[name] for name in ("resource_id", "voter", "day")]
    earlier = db.execute(
        select(FEEDBACK.c.feedback_id, FEEDBACK.c.request_key).where(*mine)
    ).first()
    if earlier is not None and report.request_key and report.request_key != earlier.request_key:
        # A late repeat of a vote must not undo the one that replaced it.
        replaced = select(LIMIT_HITS.c.hit_id).where(
            LIMIT_HITS.c.scope == _REPLACED, LIMIT_HITS.c.client == report.request_key
        )
        if db.execute(replaced).first() is not None:
            return int(earlier.feedback_id), ["repeated"]
    if is_limited and earlier is None and report.type != "other":
        take_turn(db, "votes", address, PLACES_A_DAY, 86_400, now)
    replace = {name: row[name] for name in ("type", "comment", "contact", "at", "request_key")}
    statement = insert_into(db, FEEDBACK).on_conflict_do_update(
        index_elements=["resource_id", "voter", "day"], set_={**replace, "is_read": False}
    )
    db.execute(statement, row)
    if earlier is not None and earlier.request_key:
        old = {"scope": _REPLACED, "client": earlier.request_key, "at": now}
        db.execute(LIMIT_HITS.insert(), old)
    number = db.execute(select(FEEDBACK.c.feedback_id).where(*mine)).scalar_one()
    effects = ["counted" if earlier is None else "replaced"]
    if report.type == "helpful" and vouched_on(db, report.resource_id, now) is not None:
        effects.append("age_reset")
    outcome = update_doubt(db, report.resource_id, now)
    if outcome in {"opened", "doubted"} and report.type in VOTE_RULES:
        effects.append("doubted")
    if outcome == "opened":
        effects.append("sent_to_review")
    if outcome == "lapsed":
        effects.append("doubt_lifted")
    return number, effects


# ---------------------------------------------------------------- for administrators


_UNREAD = FEEDBACK.c.is_read.is_(False) & FEEDBACK.c.comment.is_not(None)


def messages(db: Connection, after: int | None = None, network: str | None = None) -> Page:
    """Return a page of unread feedback with a text, the newest first."""
    query = select(FEEDBACK).where(_UNREAD)
    if network is not None:
        query = query.where(FEEDBACK.c.network == network)
    return page_after(db, query, FEEDBACK.c.feedback_id, after)


def discard_network(db: Connection, network: str, actor: str, now: datetime) -> int:
    """Discard all feedback of a network and update the doubts; return the number."""
    of_network = (FEEDBACK.c.network == network) & FEEDBACK.c.discarded_at.is_(None)
    places = set(db.execute(select(FEEDBACK.c.resource_id).where(of_network)).scalars())
    count = db.execute(
        update(FEEDBACK).where(of_network).values(discarded_at=now, is_read=True)
    ).rowcount
    for resource_id in sorted(places - {None}):
        update_doubt(db, resource_id, now)
    audit.record(db, actor, "feedback discarded", f"network {network[:12]}", now, votes=count)
    return int(count)


def messages_waiting(db: Connection) -> int:
    return count_rows(db, FEEDBACK, _UNREAD)


def mark_read(db: Connection, number: int, *, is_read: bool = True) -> None:
    """Put a message aside, or back into the queue."""
    db.execute(update(FEEDBACK).where(FEEDBACK.c.feedback_id == number).values(is_read=is_read))


def forget_old_votes(db: Connection, now: datetime) -> int:
    """Delete feedback that no rule uses, and keys of listings without votes."""
    oldest = now - timedelta(days=RETENTION_DAYS)
    count = db.execute(delete(FEEDBACK).where(FEEDBACK.c.at < oldest)).rowcount
    remaining = select(FEEDBACK.c.resource_id).where(FEEDBACK.c.resource_id.is_not(None))
    db.execute(delete(FEEDBACK_KEYS).where(FEEDBACK_KEYS.c.resource_id.not_in(remaining)))
    return count


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

    @property
    def in_words(self) -> str:
        visitors = "1 visitor" if self.reporters == 1 else f"{self.reporters} different visitors"
        return f"{visitors} said {self.kind} within {VOTE_RULES[self.kind][1]} days"


def update_doubt(db: Connection, resource_id: int, now: datetime) -> str | None:
    """Update the doubt about a listing from its votes, each kind counted separately.

    A listing has one open item, with its gravest doubt. Returns the action: "opened", "doubted"
    (already open), "lapsed", None.
    """
    effects = FEEDBACK_EFFECTS.c
    is_open = (effects.resource_id == resource_id) & (effects.state == "review")
    doubt = db.execute(select(FEEDBACK_EFFECTS).where(is_open)).first()
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
        "evidence": "; ".join(votes.in_words for votes in counts if votes.reporters),
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
