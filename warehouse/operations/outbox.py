"""Outgoing messages: queued in the transaction that causes them, leased by workers, retried,
finally dead.

A worker leases messages, sends them and settles each. If it dies in between, its lease expires and
another worker sends: a message may be sent twice, but is never lost. Recipient and text are deleted
as soon as they are not needed. The functions work in the caller's transaction.
"""

import hashlib
import random
import secrets
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, delete, func, insert, select, update

from warehouse.operations import contacts
from warehouse.operations.audit import record
from warehouse.operations.contacts import Channel
from warehouse.operations.limits import CLOCKS_DIFFER, LimitReachedError, take_turn
from warehouse.operations.models import OUTBOX
from warehouse.operations.reviews import NotPossibleError
from warehouse.operations.rows import Page, count_rows, page_after

# Messages to one mailbox or telephone in 24 hours, across all places, claims and clients.
MAX_PER_RECIPIENT = 3
# The waits between twelve attempts add up to some four hours.
MAX_ATTEMPTS = 12
FIRST_RETRY_SECONDS, MAX_RETRY_SECONDS = 15, 7200

# Longer than any attempt can take.
LEASE = timedelta(seconds=120)
ROWS_KEPT = timedelta(days=30)
# A brief server outage is not reported.
_TROUBLED_ATTEMPTS = 4
_PURGED: dict[str, Any] = {"recipient": None, "subject": None, "body": None, "lease": None}


class RecipientLimitError(Exception):
    """The recipient's limit is reached; `retry_seconds` until the next message."""

    def __init__(self, retry_seconds: int) -> None:
        super().__init__(f"try again in {retry_seconds} seconds")
        self.retry_seconds = retry_seconds


class NotContactedError(Exception):
    """The directory must not contact this mailbox or telephone; the message gives the reason."""


class NewMessage(NamedTuple):
    """A message to queue; `about` is its cause ("claim 12"), `expires_at` its end."""

    channel: Channel
    recipient: str
    subject: str
    body: str
    about: str
    expires_at: datetime


class Message(NamedTuple):
    """A leased message. `attempts` includes the current one."""

    message_id: int
    lease: str
    channel: str
    recipient: str
    subject: str
    body: str
    attempts: int


def enqueue(db: Connection, new: NewMessage, now: datetime) -> None:
    """Queue a message within its recipient's limit. Raises RecipientLimitError, and
    NotContactedError for a recipient that the directory must not contact."""
    reason = contacts.refusal(db, new.channel, new.recipient)
    if reason is not None:
        raise NotContactedError(reason)
    one_form = contacts.mailbox_of if new.channel == "email" else contacts.number_of
    try:
        take_turn(db, f"to {new.channel}", one_form(new.recipient), MAX_PER_RECIPIENT, 86_400, now)
    except LimitReachedError as error:
        raise RecipientLimitError(error.retry_seconds) from None
    row = new._asdict() | {"state": "waiting", "created_at": now, "due_at": now}
    db.execute(insert(OUTBOX), row)


# ---------------------------------------------------------------- workers


def has_due(db: Connection, channel: Channel, now: datetime) -> bool:
    """Return whether a channel has a due or expired message."""
    due = select(OUTBOX.c.message_id).where(_is_due(channel, now))
    return db.execute(due.limit(1)).first() is not None


def lease(db: Connection, channel: Channel, count: int, now: datetime) -> list[Message]:
    """Take up to `count` due messages for LEASE; end expired ones."""
    columns = OUTBOX.c
    _end_hopeless(db, channel, now)
    due = (
        select(columns.message_id)
        .where(
            _is_due(channel, now),
            columns.attempts < MAX_ATTEMPTS,
            columns.expires_at > now,
        )
        .order_by(columns.due_at, columns.message_id)
        .limit(count)
        .with_for_update(skip_locked=True)
        .cte("due")
    )
    statement = (
        update(OUTBOX)
        .where(columns.message_id.in_(select(due.c.message_id)))
        .values(lease=secrets.token_hex(16), attempts=columns.attempts + 1, due_at=now + LEASE)
        .returning(*(columns[name] for name in Message._fields))
    )
    return sorted(Message(*row) for row in db.execute(statement))


def settle_sent(db: Connection, message: Message, now: datetime) -> None:
    """Record that a message was handed over; delete its recipient and text."""
    db.execute(
        update(OUTBOX)
        .where(_is_ours(message))
        .values(state="sent", ended_at=now, fault=None, **_PURGED)
    )


def settle_failed(
    db: Connection, message: Message, fault: str, now: datetime, *, is_permanent: bool = False
) -> None:
    """Record a failed attempt: the next follows after about twice the time, or never."""
    values: dict[str, Any] = {"fault": fault[:80], "lease": None}
    if is_permanent or message.attempts >= MAX_ATTEMPTS:
        values |= {"state": "dead", "ended_at": now}
    else:
        values["due_at"] = now + timedelta(seconds=retry_seconds(message.attempts))
    db.execute(update(OUTBOX).where(_is_ours(message)).values(values))


def message_name(message: Message) -> str:
    """Return a 32-digit name, the same in each attempt, by which receivers recognize duplicates."""
    return hashlib.sha256(f"{message.message_id} {message.body}".encode()).hexdigest()[:32]


def retry_seconds(attempts: int) -> float:
    """Return seconds to wait: doubled with each attempt, with jitter, up to MAX_RETRY_SECONDS."""
    longest: float = min(FIRST_RETRY_SECONDS * 2.0 ** (attempts - 1), MAX_RETRY_SECONDS)
    return longest * random.uniform(0.5, 1.0)  # noqa: S311 - no secret


def _is_due(channel: Channel, now: datetime) -> ColumnElement[bool]:
    columns = OUTBOX.c
    # Messages due later than any wait were queued before the clock was set back.
    latest = now + timedelta(seconds=MAX_RETRY_SECONDS) + CLOCKS_DIFFER
    return (
        (columns.state == "waiting")
        & (columns.channel == channel)
        & ((columns.due_at <= now) | (columns.due_at > latest))
    )


def _is_ours(message: Message) -> ColumnElement[bool]:
    return (OUTBOX.c.message_id == message.message_id) & (OUTBOX.c.lease == message.lease)


def _end_hopeless(db: Connection, channel: Channel, now: datetime) -> None:
    """End messages that failed too often, and those whose link or code has expired."""
    columns = OUTBOX.c
    is_over = (
        (columns.state == "waiting")
        & (columns.channel == channel)
        & (columns.due_at <= now)
        & ((columns.attempts >= MAX_ATTEMPTS) | (columns.expires_at <= now))
    )
    db.execute(
        update(OUTBOX)
        .where(is_over)
        .values(
            state="dead", ended_at=now, lease=None, fault=func.coalesce(columns.fault, "expired")
        )
    )
    _purge_expired(db, now)


def _purge_expired(db: Connection, now: datetime) -> None:
    is_worthless = (
        (OUTBOX.c.expires_at <= now)
        & (OUTBOX.c.state != "waiting")
        & OUTBOX.c.recipient.is_not(None)
    )
    db.execute(update(OUTBOX).where(is_worthless).values(_PURGED))


# ---------------------------------------------------------------- console


def list_troubled(db: Connection, after: int | None = None) -> Page:
    """Return a page of dead or failing messages, newest first, without contents."""
    columns = OUTBOX.c
    fields = [c for c in columns if c.name not in {"recipient", "subject", "body", "lease"}]
    return page_after(db, select(*fields).where(_is_troubled()), columns.message_id, after)


def count_troubled(db: Connection) -> int:
    """Return how many messages are dead or failed several times."""
    return count_rows(db, OUTBOX, _is_troubled())


def _is_troubled() -> ColumnElement[bool]:
    """Select messages that an administrator can fix."""
    columns = OUTBOX.c
    return (columns.state == "dead") | (
        (columns.state == "waiting") & (columns.attempts >= _TROUBLED_ATTEMPTS)
    )


def _is_idle() -> ColumnElement[bool]:
    """Select troubled messages without a lease."""
    return _is_troubled() & OUTBOX.c.lease.is_(None)


def resend(db: Connection, message_id: int, actor: str, now: datetime) -> None:
    """Send a troubled message now, with all attempts again. Raises NotPossibleError."""
    columns = OUTBOX.c
    is_sendable = (
        (columns.message_id == message_id)
        & _is_idle()
        & (columns.expires_at > now)
        & columns.body.is_not(None)
    )
    fresh = {"state": "waiting", "attempts": 0, "due_at": now, "ended_at": None}
    if db.execute(update(OUTBOX).where(is_sendable).values(fresh)).rowcount != 1:
        raise NotPossibleError("its link or code is over, or it is being sent, or it was sent")
    record(db, actor, "message_resent", f"message {message_id}", now)


def discard(db: Connection, message_id: int, actor: str, now: datetime) -> None:
    """Discard a troubled message and delete recipient and text. Raises NotPossibleError."""
    is_it = (OUTBOX.c.message_id == message_id) & _is_idle()
    discarded = update(OUTBOX).where(is_it).values(state="discarded", ended_at=now, **_PURGED)
    if db.execute(discarded).rowcount != 1:
        raise NotPossibleError("it is being sent, or it was sent or discarded")
    record(db, actor, "message_discarded", f"message {message_id}", now)


def forget_messages(db: Connection, now: datetime) -> int:
    """Delete ended messages' rows and expired ones' text; return the number of rows."""
    db.execute(
        update(OUTBOX)
        .where(OUTBOX.c.state == "waiting", OUTBOX.c.expires_at <= now)
        .values(state="dead", ended_at=now, fault="expired")
    )
    _purge_expired(db, now)
    return db.execute(delete(OUTBOX).where(OUTBOX.c.ended_at < now - ROWS_KEPT)).rowcount
