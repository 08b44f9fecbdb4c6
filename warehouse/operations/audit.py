"""The audit log: who did what, and when. Rows are only ever added."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec
from sqlalchemy import Connection, insert

from warehouse.operations.models import AUDIT


def record(
    db: Connection, actor: str, action: str, subject: str, at: datetime | None = None, **details: object
) -> None:  # fmt: skip
    """Add a row in the caller's transaction, so that no change is without one.

    `actor` and `subject` are a kind and a number or name ("claim 12", "administrator ann", "resource 7").
    Details are JSON; they hold no token and no address.
    """
    db.execute(
        insert(AUDIT),
        {
            "at": at or datetime.now(UTC),
            "actor": actor,
            "action": action,
            "subject": subject,
            "detail_json": msgspec.json.encode(details).decode(),
        },
    )
