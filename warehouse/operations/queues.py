"""Sizes of the review queues."""

import contextlib

from sqlalchemy import Connection, select

from warehouse.operations import claims, feedback, outbox, reviews
from warehouse.operations.engine import Store
from warehouse.operations.models import LIVE_CHANGES
from warehouse.operations.reviews import insert_once

# No place has this id: ids have 53 bits.
_NO_PLACE = 2**53


class _CheckedError(Exception):
    """The row was written and read: undo it."""


def check_writable(store: Store) -> int:
    """Write and read one row about a place, and undo it, blocking; return the number of pending
    submissions. Raises StoreUnavailableError, and the database's own error for a row that the
    tables cannot hold."""
    pending = 0
    with contextlib.suppress(_CheckedError), store.write() as db:
        insert_once(db, LIVE_CHANGES, {"resource_id": _NO_PLACE, "version": 0})
        query = select(LIVE_CHANGES.c.resource_id).where(LIVE_CHANGES.c.resource_id == _NO_PLACE)
        if db.execute(query).scalar() != _NO_PLACE:
            raise LookupError("a row that was written cannot be read")
        pending = int(reviews.waiting(db)["submission"])
        raise _CheckedError
    return pending


def queue_lengths(db: Connection) -> dict[str, int]:
    """Return waiting items by queue, and unsent messages."""
    waiting = reviews.waiting(db)
    return {
        "submissions": waiting["submission"],
        "edits": waiting["edit"],
        "claims": claims.claims_waiting(db),
        "feedback_effects": feedback.doubts_waiting(db),
        "messages": feedback.messages_waiting(db),
        "unsent_messages": outbox.count_troubled(db),
    }
