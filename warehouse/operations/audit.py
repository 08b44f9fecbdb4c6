"""The audit log: actor, action, time. Append-only."""

from datetime import UTC, datetime
from typing import Any

import msgspec
from sqlalchemy import Connection, Row, insert, select

from warehouse.operations.models import AUDIT
from warehouse.operations.rows import page_of


def record(
    db: Connection,
    actor: str,
    action: str,
    subject: str,
    at: datetime | None = None,
    **details: object,
) -> None:
    """Add a row in the caller's transaction, so that no change lacks one.

    `actor` and `subject` are a kind and a number or name ("claim 12", "administrator ann",
    "resource 7"). Details are JSON; they contain no token and no address.
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


def audit_page(db: Connection, number: int, per_page: int) -> list[Row[Any]]:
    """Return a page of the log, the newest rows first."""
    return page_of(db, select(AUDIT).order_by(AUDIT.c.audit_id.desc()), number, per_page)


def of_subject(db: Connection, subject: str) -> list[Row[Any]]:
    """Return the actions on one subject, in order."""
    return list(
        db.execute(select(AUDIT).where(AUDIT.c.subject == subject).order_by(AUDIT.c.audit_id))
    )
