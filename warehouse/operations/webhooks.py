"""Webhooks: strangers' addresses that receive events, and their event queue.

A webhook subscribes to one topic: a place, a ZIP code or a state. It is active once its address has
answered a challenge. Events wait in the outbox; the queueing position is stored with them in one
transaction, so that a killed process loses none. Secrets are not stored: each is derived from a
permanent key, the webhook and a number. The functions work in the caller's transaction.
"""

import base64
import hashlib
import hmac
import secrets
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import ColumnElement, Connection, delete, insert, select, update

from schemas.values.instants import instant_text
from warehouse.operations import outbox
from warehouse.operations.audit import record
from warehouse.operations.claims import UnknownTokenError
from warehouse.operations.models import COUNTERS, WEBHOOK_CURSORS, WEBHOOKS
from warehouse.operations.outbox import Message, NewMessage
from warehouse.operations.rows import count_rows, hash_of, insert_into, lasting_key

VERIFY = "webhook.verify"
# Webhooks per host that have answered the challenge, disabled ones included.
MAX_PER_HOST = 100
# Waiting events per failing receiver.
MAX_WAITING = 1000
# After a change of the secret, deliveries are signed with both for this long.
BOTH_SECRETS = timedelta(hours=24)
EVENT_LIFE, CHALLENGE_LIFE = timedelta(days=3), timedelta(minutes=2)
# Lifetime without an answer to the challenge, and after being disabled.
PENDING_KEPT, DISABLED_KEPT = timedelta(days=1), timedelta(days=30)
_KEY = "webhooks"
_AT_ONCE = 500


class HostFullError(Exception):
    """The host has the maximum number of webhooks."""


class Webhook(NamedTuple):
    """A webhook without its token."""

    webhook_id: int
    url: str
    topic: str
    state: str
    secret_number: int
    rotated_at: datetime | None
    created_at: datetime
    verified_at: datetime | None
    delivered_at: datetime | None
    failures: int
    failing_since: datetime | None
    fault: str | None
    disabled_at: datetime | None

    @property
    def name(self) -> str:
        """Return its name in the audit log and in the outbox."""
        return f"webhook {self.webhook_id}"


class Event(NamedTuple):
    """An event for the webhooks of a topic. `data` is JSON."""

    topic: str
    kind: str
    data: bytes


_COLUMNS = [WEBHOOKS.c[name] for name in Webhook._fields]


# ---------------------------------------------------------------- subscriptions


def create(
    db: Connection, url: str, host: str, topic: str, now: datetime, log_sequence: int
) -> tuple[Webhook, str]:
    """Store a webhook and queue its challenge; return it with its token. Raises HostFullError.

    It receives changes after this transaction, and after entry `log_sequence` of the release log.
    """
    is_used = (WEBHOOKS.c.host == host) & (WEBHOOKS.c.state != "pending")
    if count_rows(db, WEBHOOKS, is_used) >= MAX_PER_HOST:
        raise HostFullError
    for name, value in (("live", live_version(db)), ("release", log_sequence)):
        if not has_webhooks(db) or cursor(db, name) is None:
            reset_cursor(db, name, value)
    token = secrets.token_urlsafe(32)
    row = {
        "url": url,
        "host": host,
        "topic": topic,
        "token_hash": hash_of(token),
        "state": "pending",
        "created_at": now,
    }
    number = db.execute(insert(WEBHOOKS).returning(WEBHOOKS.c.webhook_id), row).scalar_one()
    hook = by_id(db, number)
    assert hook is not None
    record(db, hook.name, "webhook_created", topic, now)
    _challenge(db, hook, now)
    return hook, token


def by_id(db: Connection, webhook_id: int) -> Webhook | None:
    """Return a webhook by number; None if deleted."""
    row = db.execute(select(*_COLUMNS).where(WEBHOOKS.c.webhook_id == webhook_id)).first()
    return Webhook(*row) if row else None


def by_token(db: Connection, webhook_id: int, token: str) -> Webhook:
    """Return the webhook of a token. Raises UnknownTokenError."""
    is_it = (WEBHOOKS.c.webhook_id == webhook_id) & (WEBHOOKS.c.token_hash == hash_of(token))
    row = db.execute(select(*_COLUMNS).where(is_it)).first()
    if row is None:
        raise UnknownTokenError
    return Webhook(*row)


def verify_again(db: Connection, hook: Webhook, now: datetime) -> Webhook:
    """Queue a new challenge; no events follow until it is answered. An active webhook is sent its
    waiting events now."""
    if hook.state == "active":
        outbox.reschedule(db, hook.name, now)
        return hook
    outbox.drop_about(db, hook.name)
    fresh: dict[str, Any] = {"state": "pending", "failures": 0, "failing_since": None}
    _change(db, hook, **fresh, created_at=now, disabled_at=None)
    _challenge(db, hook, now)
    return hook._replace(**fresh, created_at=now, disabled_at=None)


def rotate(db: Connection, hook: Webhook, now: datetime) -> tuple[Webhook, str]:
    """Give a webhook a new secret and token; the old token stops working immediately."""
    token, number = secrets.token_urlsafe(32), hook.secret_number + 1
    _change(db, hook, token_hash=hash_of(token), secret_number=number, rotated_at=now)
    record(db, hook.name, "webhook_rotated", hook.topic, now)
    return hook._replace(secret_number=number, rotated_at=now), token


def remove(db: Connection, hook: Webhook, actor: str, now: datetime) -> None:
    """Delete a webhook and its waiting events."""
    outbox.drop_about(db, hook.name)
    db.execute(delete(WEBHOOKS).where(_is(hook)))
    record(db, actor, "webhook_removed", hook.name, now)


def secret_of(db: Connection, hook: Webhook, number: int) -> str:
    """Return a secret in the form of Standard Webhooks: `whsec_` and 32 bytes in base64."""
    key = lasting_key(db, _KEY)
    text = f"{hook.name} secret {number}".encode()
    return f"whsec_{base64.b64encode(hmac.digest(key, text, hashlib.sha256)).decode()}"


def secrets_in_use(db: Connection, hook: Webhook, now: datetime) -> list[str]:
    """Return the current signing secrets, the newest first."""
    is_new = hook.rotated_at is not None and now < hook.rotated_at + BOTH_SECRETS
    numbers = [hook.secret_number, hook.secret_number - 1][: 2 if is_new else 1]
    return [secret_of(db, hook, number) for number in numbers]


def forget_webhooks(db: Connection, now: datetime) -> int:
    """Delete webhooks that never answered, or were disabled long ago; return their number."""
    table = WEBHOOKS.c
    is_over = ((table.state == "pending") & (table.created_at < now - PENDING_KEPT)) | (
        (table.state == "disabled") & (table.disabled_at < now - DISABLED_KEPT)
    )
    over = [Webhook(*row) for row in db.execute(select(*_COLUMNS).where(is_over))]
    for hook in over:
        remove(db, hook, "service", now)
    return len(over)


def _challenge(db: Connection, hook: Webhook, now: datetime) -> None:
    data = msgspec.json.encode({"challenge": secrets.token_urlsafe(24)})
    _queue(db, hook._replace(failures=0), [(VERIFY, data)], now)


def _is(hook: Webhook) -> ColumnElement[bool]:
    return WEBHOOKS.c.webhook_id == hook.webhook_id


def _change(db: Connection, hook: Webhook, **values: Any) -> None:
    db.execute(update(WEBHOOKS).where(_is(hook)).values(**values))


# ---------------------------------------------------------------- events


def topics(db: Connection) -> set[str]:
    """Return the topics of active webhooks."""
    query = select(WEBHOOKS.c.topic).where(WEBHOOKS.c.state == "active").distinct()
    return set(db.execute(query).scalars())


def has_webhooks(db: Connection) -> bool:
    """Return whether there are webhooks in any state."""
    return db.execute(select(WEBHOOKS.c.webhook_id).limit(1)).first() is not None


def cursor(db: Connection, name: str) -> int | None:
    """Return the announced position, `live` or `release`; None before the start."""
    query = select(WEBHOOK_CURSORS.c.value).where(WEBHOOK_CURSORS.c.name == name)
    return db.execute(query).scalar()


def reset_cursor(db: Connection, name: str, value: int) -> None:
    """Start at a value: nothing before it is announced."""
    row = insert_into(db, WEBHOOK_CURSORS).values(name=name, value=value)
    db.execute(row.on_conflict_do_update(index_elements=["name"], set_={"value": value}))


def live_version(db: Connection) -> int:
    """Return the version of the last live change."""
    return db.execute(select(COUNTERS.c.value).where(COUNTERS.c.name == "live")).scalar() or 0


def publish(
    db: Connection, name: str, since: int, until: int, events: Sequence[Event], now: datetime
) -> bool:
    """Queue events and move a cursor; return False, with nothing queued, if another process did."""
    table = WEBHOOK_CURSORS
    statement = (
        update(table).where(table.c.name == name, table.c.value == since).values(value=until)
    )
    if db.execute(statement).rowcount != 1:
        return False
    _queue_events(db, events, now)
    return True


def disasters_announced(db: Connection) -> list[tuple[str, str | None]]:
    """Return topics with the disasters last sent to their active webhooks; None for none."""
    query = select(WEBHOOKS.c.topic, WEBHOOKS.c.disasters).where(WEBHOOKS.c.state == "active")
    return [(topic, text) for topic, text in db.execute(query.distinct())]


def publish_disasters(
    db: Connection, event: Event, before: str | None, after: str, now: datetime
) -> None:
    """Queue an event for a topic's webhooks that were last told of the disasters `before`; those
    never told of any start with `after`, without an event."""
    table = WEBHOOKS.c
    is_theirs = (table.topic == event.topic) & (table.state == "active")
    heard = table.disasters.is_(None) if before is None else table.disasters == before
    statement = update(WEBHOOKS).where(is_theirs, heard).values(disasters=after)
    for row in db.execute(statement.returning(*_COLUMNS)).all():
        if before is not None:
            _queue(db, Webhook(*row), [(event.kind, event.data)], now)


def _queue_events(db: Connection, events: Iterable[Event], now: datetime) -> None:
    by_topic: dict[str, list[Event]] = defaultdict(list)
    for event in events:
        by_topic[event.topic].append(event)
    names = sorted(by_topic)
    for start in range(0, len(names), _AT_ONCE):
        some = names[start : start + _AT_ONCE]
        query = select(*_COLUMNS).where(WEBHOOKS.c.topic.in_(some), WEBHOOKS.c.state == "active")
        for row in db.execute(query.order_by(WEBHOOKS.c.webhook_id)).all():
            hook = Webhook(*row)
            _queue(db, hook, [(event.kind, event.data) for event in by_topic[hook.topic]], now)


def _queue(
    db: Connection, hook: Webhook, events: Iterable[tuple[str, bytes]], now: datetime
) -> None:
    """Queue events for one webhook; a failing one gets them with its next attempt."""
    messages = [
        NewMessage(
            "webhook",
            str(hook.webhook_id),
            kind,
            _body(kind, data, now),
            hook.name,
            now + (CHALLENGE_LIFE if kind == VERIFY else EVENT_LIFE),
        )
        for kind, data in events
    ]
    outbox.queue(db, messages, now, outbox.next_due(db, hook.name) if hook.failures else None)


def _body(kind: str, data: bytes, now: datetime) -> str:
    event = {"type": kind, "timestamp": instant_text(now), "data": msgspec.Raw(data)}
    return msgspec.json.encode(event).decode()


# ---------------------------------------------------------------- deliveries


def settle_delivered(db: Connection, hook: Webhook, message: Message, now: datetime) -> None:
    """Record that the receiver accepted a message; messages waiting for it become due."""
    if not outbox.drop(db, message):
        return
    well: dict[str, Any] = {"failures": 0, "failing_since": None, "fault": None}
    if message.subject == VERIFY:
        well |= {"state": "active", "verified_at": now}
        record(db, hook.name, "webhook_verified", hook.topic, now)
    _change(db, hook, delivered_at=now, **well)
    if hook.failures:
        outbox.reschedule(db, hook.name, now)


def settle_undelivered(
    db: Connection,
    hook: Webhook,
    message: Message,
    fault: str,
    now: datetime,
    asked_seconds: float = 0.0,
) -> None:
    """Record a failed attempt. All messages for this receiver wait as long as its oldest, and as
    long as it requested; one that accepted nothing for EVENT_LIFE gets no more."""
    outbox.settle_failed(db, message, fault, now, asked_seconds=asked_seconds)
    failures, since = max(hook.failures, message.attempts), hook.failing_since or now
    _change(db, hook, failures=failures, failing_since=since, fault=fault[:80])
    if message.subject == VERIFY:
        return
    if now - since >= EVENT_LIFE or outbox.count_waiting(db, hook.name) > MAX_WAITING:
        outbox.drop_about(db, hook.name)
        _change(db, hook, state="disabled", disabled_at=now)
        record(db, "service", "webhook_disabled", hook.name, now)
        return
    longest = outbox.PATIENCE["webhook"].longest_seconds
    wait = timedelta(seconds=outbox.retry_seconds(failures, longest, asked_seconds))
    outbox.reschedule(db, hook.name, now + wait)
