"""What the store has of one person, by mailbox or telephone: to hand out or to erase.

An opt-out from text messages is kept, as a hash: it protects the person.
"""

import secrets
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import phonenumbers
from sqlalchemy import Connection, Row, Table, delete, select, update

from warehouse.operations import audit, review_models  # noqa: F401 - its tables join METADATA
from warehouse.operations.contacts import mailbox_of, number_of
from warehouse.operations.live_reports import mark_changed
from warehouse.operations.models import CLAIMS, CONFIRMATIONS, METADATA, OUTBOX, STATUSES
from warehouse.operations.retention import personal_columns
from warehouse.operations.rows import hash_of


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
                # Nobody has the new token, and nobody's mailbox gives this key.
                values |= {
                    "email_key": hash_of(secrets.token_hex()),
                    "token_hash": hash_of(secrets.token_hex()),
                    "state": "revoked",
                    "revoked_at": now,
                    "revoked_by": "person",
                }
                db.execute(delete(CONFIRMATIONS).where(CONFIRMATIONS.c.claim_id == number))
                mark_changed(db, [row.resource_id])
            db.execute(update(table).where(key == number).values(values))
        counts[str(table.name)] = counts.get(str(table.name), 0) + 1
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
    forms = {mailbox_of(word.strip("<>()[],;:\"'")) for word in text.split() if "@" in word}
    numbers = phonenumbers.PhoneNumberMatcher(text, "US", leniency=phonenumbers.Leniency.POSSIBLE)
    return forms | {number_of(match.raw_string) for match in numbers}
