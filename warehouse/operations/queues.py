"""Sizes of the review queues."""

from sqlalchemy import Connection

from warehouse.operations import doubts, feedback, outbox, reviews
from warehouse.operations import vote_waves as waves
from warehouse.operations.engine import Store
from warehouse.operations.models import CLAIMS
from warehouse.operations.rows import count_rows


def check_writable(store: Store) -> int:
    """Count pending submissions in a write transaction, blocking. Raises StoreUnavailableError."""
    with store.write() as db:
        return int(reviews.waiting(db)["submission"])


def queue_lengths(db: Connection) -> dict[str, int]:
    """Return waiting items by queue, and unsent messages."""
    waiting = reviews.waiting(db)
    return {
        "submissions": waiting["submission"],
        "edits": waiting["edit"],
        "claims": count_rows(db, CLAIMS, CLAIMS.c.state.in_(["contested", "unconfirmed"])),
        "feedback_effects": doubts.doubts_waiting(db),
        "vote_waves": waves.waves_waiting(db),
        "messages": feedback.messages_waiting(db),
        "unsent_messages": outbox.count_troubled(db),
    }
