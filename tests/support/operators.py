"""Operators of places: their tokens, and reports in a store."""

from collections import Counter
from datetime import UTC, datetime

from sqlalchemy import select

from warehouse.operations import claims as claim_store
from warehouse.operations.engine import open_store
from warehouse.operations.models import STATUSES


def make_tokens(url: str, resource_ids: list[int]) -> list[str]:
    """Confirm a claim on each place; return the tokens."""
    store, now = open_store(url), datetime.now(UTC)
    tokens: list[str] = []
    with store.write() as db:
        for resource_id in resource_ids:
            new = claim_store.NewClaim(resource_id, f"op-{resource_id}@pantry.example", None, None)
            claim = claim_store.make_claim(db, new, now)
            claim_store.confirm(
                db, claim.claim.claim_id, "administrator", "administrator test", now
            )
            tokens.append(str(claim.token))
    store.close()
    return tokens


def count_notes(url: str) -> Counter[str]:
    """Count the notes of all reports in a store."""
    store = open_store(url)
    with store.read() as db:
        notes = Counter(db.execute(select(STATUSES.c.notes)).scalars())
    store.close()
    return notes
