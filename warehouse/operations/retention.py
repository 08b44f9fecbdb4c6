"""Deletes expired data. Runs daily in the service, or by command."""

from datetime import datetime, timedelta

from sqlalchemy import Connection, delete, select, update

from warehouse.operations.feedback import forget_old_votes
from warehouse.operations.limits import forget_old_hits
from warehouse.operations.models import AUDIT, CLAIMS, CONFIRMATIONS, STATUSES
from warehouse.operations.outbox import forget_messages

REPORTS_KEPT, AUDIT_KEPT = timedelta(days=180), timedelta(days=730)
PROOFS_KEPT, DEAD_CLAIMS_KEPT = timedelta(days=30), timedelta(days=30)
# After this long, a former operator's data is no longer needed.
PERSONS_KEPT = timedelta(days=90)


def retain(db: Connection, now: datetime) -> dict[str, int]:
    """Delete expired records; return the number of each kind."""
    reports = db.execute(
        delete(STATUSES).where(STATUSES.c.reported_at < now - REPORTS_KEPT)
    ).rowcount
    proofs = db.execute(
        delete(CONFIRMATIONS).where(CONFIRMATIONS.c.expires_at < now - PROOFS_KEPT)
    ).rowcount
    is_dead = (CLAIMS.c.expires_at < now - DEAD_CLAIMS_KEPT) & (CLAIMS.c.state != "confirmed")
    has_reports = CLAIMS.c.claim_id.in_(select(STATUSES.c.claim_id))
    claims = db.execute(delete(CLAIMS).where(is_dead, ~has_reports)).rowcount
    is_over = (CLAIMS.c.revoked_at < now - PERSONS_KEPT) | (
        CLAIMS.c.expires_at < now - PERSONS_KEPT
    )
    nobody = {"operator_email": "", "operator_phone": None, "operator_name": None}
    persons = db.execute(
        update(CLAIMS).where(is_over, CLAIMS.c.operator_email != "").values(nobody)
    ).rowcount
    audit = db.execute(delete(AUDIT).where(AUDIT.c.at < now - AUDIT_KEPT)).rowcount
    return {
        "reports": reports,
        "proofs": proofs,
        "claims": claims,
        "personal data of claims": persons,
        "audit rows": audit,
        "feedback": forget_old_votes(db, now),
        "messages": forget_messages(db, now),
        "turns of limits": forget_old_hits(db, now),
    }
