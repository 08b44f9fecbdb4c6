"""Deletes expired data. Runs daily in the service, or by command."""

from datetime import datetime, timedelta

from sqlalchemy import Column, Connection, Table, delete, or_, select, update

from warehouse.operations import review_models  # noqa: F401 - its tables join METADATA
from warehouse.operations.audit import forget_old_rows
from warehouse.operations.feedback import forget_old_votes
from warehouse.operations.limits import forget_old_hits
from warehouse.operations.models import CLAIMS, CONFIRMATIONS, METADATA, STATUSES, Personal
from warehouse.operations.outbox import forget_messages

REPORTS_KEPT = timedelta(days=180)
PROOFS_KEPT, DEAD_CLAIMS_KEPT = timedelta(days=30), timedelta(days=30)


def retain(db: Connection, now: datetime) -> dict[str, int]:
    """Delete expired records and personal data; return the number of each kind."""
    reports = db.execute(
        delete(STATUSES).where(STATUSES.c.reported_at < now - REPORTS_KEPT)
    ).rowcount
    proofs = db.execute(
        delete(CONFIRMATIONS).where(CONFIRMATIONS.c.expires_at < now - PROOFS_KEPT)
    ).rowcount
    is_dead = (CLAIMS.c.expires_at < now - DEAD_CLAIMS_KEPT) & (CLAIMS.c.state != "confirmed")
    has_reports = CLAIMS.c.claim_id.in_(select(STATUSES.c.claim_id))
    claims = db.execute(delete(CLAIMS).where(is_dead, ~has_reports)).rowcount
    return {
        "reports": reports,
        "proofs": proofs,
        "claims": claims,
        "feedback": forget_old_votes(db, now),
        "messages": forget_messages(db, now),
        "personal data": forget_personal_data(db, now),
        "audit rows": forget_old_rows(db, now),
        "turns of limits": forget_old_hits(db, now),
    }


def personal_columns(table: Table) -> dict[str, Personal]:
    """Return the columns of a table with personal data, by name."""
    return {c.name: c.info["personal"] for c in table.columns if "personal" in c.info}


def forget_personal_data(db: Connection, now: datetime) -> int:
    """Replace the values of columns whose declared time is over; return the number of values."""
    count = 0
    for table in METADATA.sorted_tables:
        for name, declared in personal_columns(table).items():
            column: Column[str] = table.c[name]
            oldest = now - timedelta(days=declared.days)
            is_over = or_(*(table.c[since] < oldest for since in declared.since))
            has_value = column.is_not(None) & (column != "")
            statement = update(table).where(is_over, has_value)
            count += db.execute(statement.values({name: declared.blank})).rowcount
    return count
