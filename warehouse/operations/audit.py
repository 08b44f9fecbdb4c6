"""The audit log: actor, action, time. Append-only, and each row is chained to the one before.

Triggers refuse to change or remove a row before its time. Someone who removes the triggers still
cannot hide a change: the hash of every later row depends on it.
"""

import hashlib
from datetime import UTC, datetime, timedelta

import msgspec
from sqlalchemy import DDL, Connection, Row, delete, event, func, insert, select

from warehouse.operations.models import AUDIT
from warehouse.operations.rows import Page, page_after

KEPT_DAYS = 730


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
    newest = select(AUDIT.c.hash).order_by(AUDIT.c.audit_id.desc()).limit(1)
    row = {
        "at": (at or datetime.now(UTC)).astimezone(UTC),
        "actor": actor,
        "action": action,
        "subject": subject,
        "detail_json": msgspec.json.encode(details).decode(),
        "previous_hash": db.execute(newest).scalar() or "",
    }
    db.execute(insert(AUDIT), row | {"hash": _hash_of(row)})


def _hash_of(row: dict[str, object]) -> str:
    names = ("previous_hash", "at", "actor", "action", "subject", "detail_json")
    return hashlib.sha256(msgspec.json.encode([row[name] for name in names])).hexdigest()


def find_break(db: Connection) -> int | None:
    """Return the number of the first row that was changed or does not follow the previous one; None
    if the log is whole. The oldest remaining row has no previous one."""
    previous: str | None = None
    for row in db.execute(select(AUDIT).order_by(AUDIT.c.audit_id)):
        values = dict(row._mapping)
        if previous not in {None, row.previous_hash} or row.hash != _hash_of(values):
            return int(row.audit_id)
        previous = row.hash
    return None


def audit_page(db: Connection, after: int | None, per_page: int = 50) -> Page:
    """Return a page of the log, the newest rows first."""
    return page_after(db, select(AUDIT), AUDIT.c.audit_id, after, per_page)


def of_subject(db: Connection, *subjects: str) -> list[Row]:
    """Return the actions on subjects, in order."""
    query = select(AUDIT).where(AUDIT.c.subject.in_(subjects))
    return list(db.execute(query.order_by(AUDIT.c.audit_id)))


def forget_old_rows(db: Connection, now: datetime) -> int:
    """Delete rows older than two years, up to the first that is not; return their number.

    A row in the middle stays, though a wrong clock dated it: the chain would break without it.
    """
    is_kept = AUDIT.c.at >= now - timedelta(days=KEPT_DAYS)
    first = select(func.min(AUDIT.c.audit_id)).where(is_kept).scalar_subquery()
    oldest = AUDIT.c.at < now - timedelta(days=KEPT_DAYS)
    before = AUDIT.c.audit_id < func.coalesce(first, AUDIT.c.audit_id + 1)
    return db.execute(delete(AUDIT).where(oldest, before)).rowcount


_REFUSAL = "the audit log is append-only"
_SQLITE = (
    # SQLite's REPLACE deletes a row without the triggers of deletion.
    "CREATE TRIGGER audit_is_never_replaced BEFORE INSERT ON audit "
    "WHEN EXISTS (SELECT 1 FROM audit WHERE audit_id = NEW.audit_id) "
    f"BEGIN SELECT RAISE(ABORT, '{_REFUSAL}'); END",
    "CREATE TRIGGER audit_never_changes BEFORE UPDATE ON audit "
    f"BEGIN SELECT RAISE(ABORT, '{_REFUSAL}'); END",
    "CREATE TRIGGER audit_is_kept BEFORE DELETE ON audit "
    f"WHEN OLD.at > datetime('now', '-{KEPT_DAYS - 1} days') "
    f"BEGIN SELECT RAISE(ABORT, '{_REFUSAL}'); END",
)
_POSTGRESQL = (
    "CREATE OR REPLACE FUNCTION audit_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$ "
    f"BEGIN IF TG_OP = 'DELETE' AND OLD.at < now() - interval '{KEPT_DAYS - 1} days' "
    f"THEN RETURN OLD; END IF; RAISE EXCEPTION '{_REFUSAL}'; END $$",
    "CREATE TRIGGER audit_never_changes BEFORE UPDATE OR DELETE ON audit "
    "FOR EACH ROW EXECUTE FUNCTION audit_is_append_only()",
    "CREATE TRIGGER audit_is_kept BEFORE TRUNCATE ON audit "
    "FOR EACH STATEMENT EXECUTE FUNCTION audit_is_append_only()",
)
for dialect, statements in {"sqlite": _SQLITE, "postgresql": _POSTGRESQL}.items():
    for statement in statements:
        ddl = DDL(statement)  # type: ignore[no-untyped-call]
        event.listen(AUDIT, "after_create", ddl.execute_if(dialect=dialect))
