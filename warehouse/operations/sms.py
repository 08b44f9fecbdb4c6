"""State of text messages: opt-outs, replies and rate limits.

No number and no message is stored. A number is stored as a hash under a key of this store; the
count of its messages under a daily key. Someone who steals the whole store could try all numbers
against the permanent key: a permanent opt-out requires it.
"""

import hashlib
import hmac
from datetime import datetime, timedelta
from typing import Literal, NamedTuple

from sqlalchemy import Connection, delete, select

from warehouse.operations.limits import LimitReachedError, take_turn
from warehouse.operations.models import SMS_OPT_OUTS, SMS_REPLIES
from warehouse.operations.rows import insert_into, lasting_key

KEPT = timedelta(days=1)
Wish = Literal["stop", "start", "help"]


class Message(NamedTuple):
    """A received message. `wish`: the command of a keyword in it, None for a question."""

    sid: str
    sender: str
    body: str
    wish: Wish | None


class Exchange(NamedTuple):
    """Reply to send, or empty; `is_new` is False for a repeated request."""

    reply: str
    is_new: bool


def exchange(
    db: Connection, message: Message, reply: str, busy: str, hourly: int, now: datetime
) -> Exchange:
    """Decide on the reply, in one transaction. `busy` is sent once an hour to senders over the
    limit.

    A repeated message gets the first reply again. A number that opted out gets only the answer to
    START or HELP. `hourly` 0 is no limit.
    """
    key = lasting_key(db, "sms")
    name = _hash(key, "message", message.sid, message.sender, message.body)
    if message.sid:
        stored_reply = db.execute(
            select(SMS_REPLIES.c.reply).where(SMS_REPLIES.c.message_hash == name)
        ).scalar()
        if stored_reply is not None:
            return Exchange(stored_reply, False)
    answer = _reply(db, key, message, reply, busy, hourly, now)
    db.execute(delete(SMS_REPLIES).where(SMS_REPLIES.c.at < now - KEPT))
    if message.sid:
        row = {"message_hash": name, "reply": answer, "at": now}
        db.execute(insert_into(db, SMS_REPLIES).on_conflict_do_nothing(), row)
    return Exchange(answer, True)


def has_opted_out(db: Connection, number: str) -> bool:
    """Return whether a number (E.164) opted out."""
    name = _hash(lasting_key(db, "sms"), "number", number)
    opted_out = select(SMS_OPT_OUTS.c.at).where(SMS_OPT_OUTS.c.number_hash == name)
    return db.execute(opted_out).first() is not None


def _reply(
    db: Connection, key: bytes, message: Message, reply: str, busy: str, hourly: int, now: datetime
) -> str:
    number, is_silent = _hash(key, "number", message.sender), has_opted_out(db, message.sender)
    if message.wish == "stop":
        row = {"number_hash": number, "at": now}
        db.execute(insert_into(db, SMS_OPT_OUTS).on_conflict_do_nothing(), row)
        return "" if is_silent else reply
    if message.wish == "start":
        db.execute(delete(SMS_OPT_OUTS).where(SMS_OPT_OUTS.c.number_hash == number))
    elif is_silent and message.wish is None:
        return ""
    if not hourly or _has_turn(db, "sms", message.sender, hourly, now):
        return reply
    return busy if _has_turn(db, "sms told", message.sender, 1, now) else ""


def _has_turn(db: Connection, scope: str, number: str, hourly: int, now: datetime) -> bool:
    try:
        take_turn(db, scope, number, hourly, 3600, now)
    except LimitReachedError:
        return False
    return True


def _hash(key: bytes, *parts: str) -> str:
    """Return a keyed hash of texts; with lengths, so that `ab`+`c` differs from `a`+`bc`."""
    encoded = [part.encode("utf-8", "replace") for part in parts]
    data = b"".join(len(raw).to_bytes(4, "big") + raw for raw in encoded)
    return hmac.new(key, data, hashlib.sha256).hexdigest()
