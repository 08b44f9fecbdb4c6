"""Personal data: deleted when its time is over (daily in the service, or by command), handed out or
erased when its person asks.

An opt-out from text messages is kept, as a hash: it protects the person.
"""

import re
import secrets
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import phonenumbers
from sqlalchemy import (
    Column,
    Connection,
    Row,
    String,
    Table,
    cast,
    delete,
    literal,
    or_,
    select,
    update,
)

from warehouse.operations import audit
from warehouse.operations.audit import forget_old_rows
from warehouse.operations.contacts import mailbox_of, number_of
from warehouse.operations.feedback import forget_old_votes
from warehouse.operations.limits import forget_old_hits
from warehouse.operations.models import CLAIMS, CONFIRMATIONS, METADATA, OUTBOX, STATUSES, Personal
from warehouse.operations.outbox import forget_messages
from warehouse.operations.reports import mark_changed
from warehouse.operations.rows import hash_of

REPORTS_KEPT = timedelta(days=180)
# An e-mail address within a sentence, a link or a list.
_ADDRESS = re.compile(r"""[^\s@<>()\[\],;:"/?&=|]+@[^\s@<>()\[\],;:"/?&=|]+""")
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
    _forget_mailboxes(db)
    return count


def _forget_mailboxes(db: Connection) -> None:
    """Replace the mailbox's digest in claims without an address: whoever knows an address could
    look for its digest. No mailbox has the new one."""
    forgotten = literal("forgotten ") + cast(CLAIMS.c.claim_id, String)
    db.execute(update(CLAIMS).where(CLAIMS.c.operator_email == "").values(email_key=forgotten))


def export_person(db: Connection, contact: str) -> dict[str, list[dict[str, Any]]]:
    """Return every row that names a mailbox or telephone, by table. Secrets are left out.

    Rows that follow from a claim (its reports and messages) belong to it.
    """
    rows: dict[str, list[dict[str, Any]]] = {}
    for table, row in _rows_of(db, contact):
        values = {
            name: value
            for name, value in row._mapping.items()
            if not name.endswith("_hash") and name not in {"email_key", "request_key", "lease"}
        }
        rows.setdefault(str(table.name), []).append(values)
    return rows


def erase_person(db: Connection, contact: str, actor: str, now: datetime) -> dict[str, int]:
    """Erase a person's data and end their claims; return the number of rows by table.

    What they said of a place stays without them: an approved edit is a fact about the place.
    """
    counts: dict[str, int] = {}
    for table, row in _rows_of(db, contact):
        (key,) = table.primary_key
        number = row._mapping[key.name]
        if table is OUTBOX:
            db.execute(delete(table).where(key == number))
        else:
            values: dict[str, Any] = {n: p.blank for n, p in personal_columns(table).items()}
            if table is CLAIMS:
                # Nobody has the new token.
                values |= {
                    "token_hash": hash_of(secrets.token_hex()),
                    "state": "revoked",
                    "revoked_at": now,
                    "revoked_by": "person",
                }
                db.execute(delete(CONFIRMATIONS).where(CONFIRMATIONS.c.claim_id == number))
                mark_changed(db, [row.resource_id])
            db.execute(update(table).where(key == number).values(values))
        counts[str(table.name)] = counts.get(str(table.name), 0) + 1
    _forget_mailboxes(db)
    audit.record(db, actor, "person erased", "person", now, rows=sum(counts.values()))
    return counts


def _rows_of(db: Connection, contact: str) -> Iterator[tuple[Table, Row[Any]]]:
    forms = _forms_of(contact)
    claims: set[int] = set()
    # Claims first: their reports and messages follow.
    for table in [CLAIMS, *(t for t in METADATA.sorted_tables if t is not CLAIMS)]:
        names = list(personal_columns(table))
        if not names:
            continue
        for row in db.execute(select(table)).all():
            of_claim = table is STATUSES and row.claim_id in claims
            of_claim = of_claim or (table is OUTBOX and row.about in {f"claim {n}" for n in claims})
            texts = (row._mapping[name] for name in names)
            if of_claim or any(text and forms & _forms_of(text) for text in texts):
                if table is CLAIMS:
                    claims.add(row.claim_id)
                yield table, row


def _forms_of(text: str) -> set[str]:
    """Return the mailboxes and telephone numbers in a text, each in its one form."""
    forms = {mailbox_of(address.strip("'")) for address in _ADDRESS.findall(text)}
    numbers = phonenumbers.PhoneNumberMatcher(text, "US", leniency=phonenumbers.Leniency.POSSIBLE)
    return forms | {number_of(match.raw_string) for match in numbers}
