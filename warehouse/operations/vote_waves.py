"""Waves of votes: many places from one network, or many places of one county, within an hour.

The votes of a wave have no effect until an administrator reviews it as one item. To detect waves,
each vote leaves a trace with a hash of its network under the day's key. Traces are deleted after
the hour: then only the votes of a wave remain linked.
"""

from datetime import datetime, timedelta
from typing import Any, Literal, NamedTuple

from sqlalchemy import ColumnElement, Connection, Row, delete, func, or_, select, update

from schemas.vocab.reviews import MAX_PLACES_OF_COUNTY, MAX_PLACES_OF_NETWORK, WAVE_SECONDS
from warehouse.operations import audit
from warehouse.operations.doubts import judge
from warehouse.operations.limits import CLOCKS_DIFFER, client_hash, client_hashes, take_lock
from warehouse.operations.review_models import FEEDBACK, VOTE_TRACES, VOTE_WAVES
from warehouse.operations.reviews import NotPossibleError
from warehouse.operations.rows import count_rows, insert_into, page_of

Decision = Literal["discarded", "released", "held"]
_BEFORE = {"discarded": "held", "released": "held", "held": "discarded"}


class Vote(NamedTuple):
    """A stored vote: its number, its place and county (FIPS code), the voter's address."""

    number: int
    resource_id: int
    county: str | None
    address: str


def hold_wave(db: Connection, vote: Vote, now: datetime) -> bool:
    """Hold the votes of the last hour that form a wave with this one; return whether it is held.

    Effects of held votes are undone: their doubts lapse.
    """
    take_lock(db, "votes")  # two replicas must not each see half a wave
    forget_traces(db, now)
    names = client_hashes(db, vote.address, now - timedelta(seconds=WAVE_SECONDS), now)
    _leave_trace(db, vote, now)
    traces = VOTE_TRACES.c
    parts: list[tuple[ColumnElement[bool], int, str]] = [
        (traces.network.in_(names), MAX_PLACES_OF_NETWORK, "one network")
    ]
    if vote.county:
        parts.append((traces.county == vote.county, MAX_PLACES_OF_COUNTY, f"county {vote.county}"))
    waves = [(which, cause) for which, most, cause in parts if _places(db, which) > most]
    if waves:
        _hold(db, or_(*(which for which, _ in waves)), waves[0][1], now)
    query = select(FEEDBACK.c.wave_id).where(FEEDBACK.c.feedback_id == vote.number)
    return db.execute(query).scalar() is not None


def _leave_trace(db: Connection, vote: Vote, now: datetime) -> None:
    network = client_hash(db, vote.address, now)
    row = {
        "feedback_id": vote.number,
        "resource_id": vote.resource_id,
        "network": network,
        "county": vote.county,
        "at": now,
    }
    statement = insert_into(db, VOTE_TRACES).values(row)
    db.execute(statement.on_conflict_do_update(index_elements=["feedback_id"], set_={"at": now}))


def _places(db: Connection, which: ColumnElement[bool]) -> int:
    query = select(func.count(VOTE_TRACES.c.resource_id.distinct())).where(which)
    return int(db.execute(query).scalar_one())


def _hold(db: Connection, which: ColumnElement[bool], cause: str, now: datetime) -> None:
    """Put the votes of these traces into one wave, joining held waves they touch."""
    traces = VOTE_TRACES.c
    caught = FEEDBACK.c.feedback_id.in_(select(traces.feedback_id).where(which))
    fresh = caught & FEEDBACK.c.wave_id.is_(None)
    places = db.execute(select(FEEDBACK.c.resource_id).where(fresh).distinct()).scalars().all()
    if not places:
        return
    touched = traces.resource_id.in_(select(traces.resource_id).where(which))
    others = FEEDBACK.c.feedback_id.in_(select(traces.feedback_id).where(touched))
    held_waves = select(VOTE_WAVES.c.wave_id).where(VOTE_WAVES.c.state == "held")
    query = select(FEEDBACK.c.wave_id).where(others, FEEDBACK.c.wave_id.in_(held_waves)).distinct()
    number, *merged = sorted(db.execute(query).scalars()) or [_open_wave(db, cause, now)]
    db.execute(update(FEEDBACK).where(fresh).values(wave_id=number))
    if merged:
        theirs = FEEDBACK.c.wave_id.in_(merged)
        db.execute(update(FEEDBACK).where(theirs).values(wave_id=number))
        db.execute(delete(VOTE_WAVES).where(VOTE_WAVES.c.wave_id.in_(merged)))
    for resource_id in places:
        judge(db, resource_id, now)


def _open_wave(db: Connection, cause: str, now: datetime) -> int:
    row = {"state": "held", "cause": cause, "began_at": now}
    number: int = db.execute(
        VOTE_WAVES.insert().values(row).returning(VOTE_WAVES.c.wave_id)
    ).scalar_one()
    audit.record(db, "service", "held", f"wave {number}", now, cause=cause)
    return number


def forget_traces(db: Connection, now: datetime) -> int:
    """Delete traces older than an hour, or dated in the future by a clock that was set back."""
    at = VOTE_TRACES.c.at
    begin = now - timedelta(seconds=WAVE_SECONDS)
    return db.execute(
        delete(VOTE_TRACES).where((at <= begin) | (at > now + CLOCKS_DIFFER))
    ).rowcount


# ---------------------------------------------------------------- for administrators


def wave_queue(db: Connection, state: str, page: int) -> list[Row[Any]]:
    """Return waves of a state, the newest first."""
    query = select(VOTE_WAVES).where(VOTE_WAVES.c.state == state)
    return page_of(db, query.order_by(VOTE_WAVES.c.wave_id.desc()), page)


def waves_waiting(db: Connection) -> int:
    """Return the number of undecided waves."""
    return count_rows(db, VOTE_WAVES, VOTE_WAVES.c.state == "held")


def votes_of(db: Connection, number: int) -> list[Row[Any]]:
    """Return votes of a wave by place: `resource_id`, `type`, `votes`, `last_at`."""
    votes = FEEDBACK.c
    query = (
        select(
            votes.resource_id,
            votes.type,
            func.count().label("votes"),
            func.max(votes.at).label("last_at"),
        )
        .where(votes.wave_id == number)
        .group_by(votes.resource_id, votes.type)
        .order_by(votes.resource_id, votes.type)
    )
    return list(db.execute(query))


def decide_wave(
    db: Connection, number: int, state: Decision, actor: str, now: datetime, reason: str
) -> None:
    """Decide a wave: `discarded`, `released` or `held`. Raises NotPossibleError."""
    waves = VOTE_WAVES.c
    is_it = waves.wave_id == number
    state_before = db.execute(select(waves.state).where(is_it)).scalar()
    if state_before != _BEFORE[state]:
        raise NotPossibleError(
            "it has already been decided" if state_before else "there is no such wave"
        )
    columns = {"state": state, "decided_at": now, "decided_by": actor, "reason": reason or None}
    db.execute(update(VOTE_WAVES).where(is_it).values(columns))
    rows = votes_of(db, number)
    places = sorted({row.resource_id for row in rows})
    if state == "released":
        _release(db, number, places, now)
    audit.record(
        db,
        actor,
        f"wave {state}",
        f"wave {number}",
        now,
        places=len(places),
        votes=sum(r.votes for r in rows),
        reason=reason,
    )


def _release(db: Connection, number: int, places: list[int], now: datetime) -> None:
    is_of_wave = FEEDBACK.c.wave_id == number
    theirs = select(FEEDBACK.c.feedback_id).where(is_of_wave)
    # Released votes do not start another wave.
    db.execute(delete(VOTE_TRACES).where(VOTE_TRACES.c.feedback_id.in_(theirs)))
    db.execute(update(FEEDBACK).where(is_of_wave).values(wave_id=None))
    for resource_id in places:
        judge(db, resource_id, now)
