"""Claims: a person says that they run a place, and confirms it.

A claim has a token of 256 bits, of which only the hash is stored. A token permits reports; reports
of unconfirmed claims are marked as such. The functions work in the caller's transaction and write
an audit row for every change.
"""

import base64
import hashlib
import hmac
import secrets
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, case, insert, literal, select, update

from warehouse.operations.audit import record
from warehouse.operations.contacts import mailbox_of
from warehouse.operations.limits import client_hash, daily_key, network_of
from warehouse.operations.models import CLAIMS, CONFIRMATIONS, OUTBOX, Instant
from warehouse.operations.reports import mark_changed
from warehouse.operations.reviews import NotPossibleError
from warehouse.operations.rows import Page, count_rows, hash_of, page_after

TOKEN_LIFE = timedelta(days=365)
LINK_LIFE, CODE_LIFE = timedelta(days=3), timedelta(minutes=15)
# Wrong codes that invalidate a code: 5 of 1,000,000.
MAX_ATTEMPTS = 5
# For this long, a claimant who lost the response can request the same token again.
TOKEN_AGAIN = timedelta(hours=1)
_TOKEN_BYTES = 32


class UnknownTokenError(Exception):
    """The token is wrong, revoked, expired, or another place's; the response does not say which."""


class NewClaim(NamedTuple):
    """Claim of a place, with its network address; None if that proves nothing."""

    resource_id: int
    email: str
    phone: str | None
    name: str | None
    address: str | None = None


class Claim(NamedTuple):
    """A stored claim. Instants are UTC."""

    claim_id: int
    resource_id: int
    operator_email: str
    operator_phone: str | None
    operator_name: str | None
    state: str
    created_at: datetime
    email_proven_at: datetime | None
    confirmed_at: datetime | None
    confirmed_by: str | None
    expires_at: datetime
    network: str | None


class ClaimResult(NamedTuple):
    """Outcome of claiming. `token` is None if the mailbox had already claimed the place and this
    request does not give the same proof."""

    claim: Claim
    token: str | None


_COLUMNS = [CLAIMS.c[name] for name in Claim._fields]


def make_claim(db: Connection, new: NewClaim, now: datetime) -> ClaimResult:
    """Claim a place; repeated claims from one mailbox count once.

    Repeating the claim from the same network within TOKEN_AGAIN returns the same token, unless the
    claim was confirmed, its mailbox proven or its token replaced. Otherwise no token is returned:
    knowing an operator's e-mail address proves nothing.
    """
    key = hashlib.sha256(mailbox_of(new.email).encode()).hexdigest()
    claim = _find(db, (CLAIMS.c.resource_id == new.resource_id) & (CLAIMS.c.email_key == key))
    if claim is not None:
        return ClaimResult(claim, _token_again(db, new, key, claim, now))
    others = (CLAIMS.c.resource_id == new.resource_id, CLAIMS.c.state != "revoked")
    is_taken = count_rows(db, CLAIMS, *others) > 0
    token = _first_token(db, new, key, now)
    row = {
        "resource_id": new.resource_id,
        "operator_email": new.email.strip(),
        "email_key": key,
        "operator_phone": new.phone,
        "operator_name": new.name,
        "network": client_hash(db, new.address, now) if new.address else None,
        "token_hash": hash_of(token),
        "state": "contested" if is_taken else "unconfirmed",
        "created_at": now,
        "expires_at": now + TOKEN_LIFE,
    }
    claim_id = db.execute(insert(CLAIMS).returning(CLAIMS.c.claim_id), row).scalar_one()
    place, state = f"resource {new.resource_id}", row["state"]
    record(db, f"claim {claim_id}", "claim_made", place, now, state=state)
    return ClaimResult(claim_by_id(db, claim_id), token)


def _first_token(db: Connection, new: NewClaim, key: str, at: datetime) -> str:
    """Return the token of a claim made at an instant.

    It is derived from the request with that day's key, so that repeating the request yields the
    same token without storing it; once the key is deleted, nobody can derive it.
    """
    if new.address is None:
        return secrets.token_urlsafe(_TOKEN_BYTES)
    day = daily_key(db, at.astimezone(UTC).date().isoformat())
    request = "\x1f".join(["claim token", str(new.resource_id), key, network_of(new.address)])
    digest = hmac.new(day, request.encode(), hashlib.sha256).digest()
    return base64.urlsafe_b64encode(digest).decode().rstrip("=")


def _token_again(
    db: Connection, new: NewClaim, key: str, claim: Claim, now: datetime
) -> str | None:
    is_fresh = claim.state in {"unconfirmed", "contested"} and claim.email_proven_at is None
    if new.address is None or not is_fresh or now - claim.created_at > TOKEN_AGAIN:
        return None
    token = _first_token(db, new, key, claim.created_at)
    token_hash = db.execute(
        select(CLAIMS.c.token_hash).where(CLAIMS.c.claim_id == claim.claim_id)
    ).scalar_one()
    return token if hmac.compare_digest(token_hash, hash_of(token)) else None


def claim_by_id(db: Connection, claim_id: int) -> Claim:
    """Return a claim by its number. Raises UnknownTokenError."""
    claim = _find(db, CLAIMS.c.claim_id == claim_id)
    if claim is None:
        raise UnknownTokenError
    return claim


def claim_by_token(db: Connection, token: str, now: datetime) -> Claim:
    """Return the claim of a token. Raises UnknownTokenError.

    The table is queried by hash, so the response time reveals nothing about the token.
    """
    claim = _find(db, CLAIMS.c.token_hash == hash_of(token))
    if claim is None or claim.state == "revoked" or claim.expires_at <= now:
        raise UnknownTokenError
    return claim


def claims_on(db: Connection, resource_id: int) -> list[Claim]:
    """Return all claims on a place, oldest first."""
    query = select(*_COLUMNS).where(CLAIMS.c.resource_id == resource_id).order_by(CLAIMS.c.claim_id)
    return [Claim(*row) for row in db.execute(query)]


_UNDECIDED = CLAIMS.c.state.in_(["contested", "unconfirmed"])
# Queues of claims, the first to be decided.
QUEUES = ("waiting", "confirmed", "revoked")


def claims_to_review(
    db: Connection,
    after: int | None = None,
    *,
    state: str = "waiting",
    resource_id: int | None = None,
    network: str | None = None,
    is_proven: bool = False,
) -> Page:
    """Return a page of claims, the newest first: of those that wait (contested or unconfirmed), or
    those in another state of QUEUES.

    `is_proven`: only those whose mailbox was proven.
    """
    query = select(*_COLUMNS).where(_UNDECIDED if state == "waiting" else CLAIMS.c.state == state)
    if resource_id is not None:
        query = query.where(CLAIMS.c.resource_id == resource_id)
    if network is not None:
        query = query.where(CLAIMS.c.network == network)
    if is_proven:
        query = query.where(CLAIMS.c.email_proven_at.is_not(None))
    return page_after(db, query, CLAIMS.c.claim_id, after)


def claims_waiting(db: Connection) -> int:
    """Return the number of claims that nobody has decided."""
    return count_rows(db, CLAIMS, _UNDECIDED)


def revoke_network(db: Connection, network: str, actor: str, now: datetime) -> int:
    """End all undecided claims of a network; return their number."""
    query = select(CLAIMS.c.claim_id).where(_UNDECIDED, CLAIMS.c.network == network)
    numbers = list(db.execute(query).scalars())
    for claim_id in numbers:
        revoke(db, claim_id, actor, now)
    return len(numbers)


def find_confirmed_places(db: Connection, resource_ids: list[int]) -> set[int]:
    """Return the places with a confirmed operator, among those given."""
    query = select(CLAIMS.c.resource_id).where(
        CLAIMS.c.resource_id.in_(resource_ids), CLAIMS.c.state == "confirmed"
    )
    return set(db.execute(query).scalars())


# ---------------------------------------------------------------- tokens


def rotate(db: Connection, claim_id: int, actor: str, now: datetime) -> str:
    """Replace the token of a claim and return the new one, which is shown only once."""
    token = secrets.token_urlsafe(_TOKEN_BYTES)
    _change(db, claim_id, token_hash=hash_of(token), expires_at=now + TOKEN_LIFE)
    record(db, actor, "token_rotated", f"claim {claim_id}", now)
    return token


def revoke(db: Connection, claim_id: int, actor: str, now: datetime) -> None:
    """End a claim permanently; its reports are no longer shown."""
    _change(db, claim_id, state="revoked", revoked_at=now, revoked_by=actor)
    record(db, actor, "claim_revoked", f"claim {claim_id}", now)
    mark_changed(db, [claim_by_id(db, claim_id).resource_id])


def confirm(db: Connection, claim_id: int, by: str, actor: str, now: datetime) -> None:
    """Confirm a claim: its reports take effect from now on. `by`: email, phone or administrator."""
    _change(db, claim_id, state="confirmed", confirmed_at=now, confirmed_by=by)
    record(db, actor, "claim_confirmed", f"claim {claim_id}", now, by=by)
    mark_changed(db, [claim_by_id(db, claim_id).resource_id])


def reopen(db: Connection, claim_id: int, actor: str, now: datetime) -> None:
    """Take a decision back: the claim waits again, contested if another one on the place is not
    ended. Raises NotPossibleError for a claim that waits."""
    claim = claim_by_id(db, claim_id)
    if claim.state not in {"confirmed", "revoked"}:
        raise NotPossibleError(f"claim {claim_id} is already waiting")
    others = [c for c in claims_on(db, claim.resource_id) if c.claim_id != claim_id]
    is_taken = any(other.state != "revoked" for other in others)
    undone = dict.fromkeys(("confirmed_at", "confirmed_by", "revoked_at", "revoked_by"))
    _change(db, claim_id, state="contested" if is_taken else "unconfirmed", **undone)
    record(db, actor, "claim_reopened", f"claim {claim_id}", now, was=claim.state)
    mark_changed(db, [claim.resource_id])


# ---------------------------------------------------------------- proofs


def email_secret(db: Connection, claim_id: int, now: datetime) -> str:
    """Return the secret of a link to send to the claim's address."""
    secret = secrets.token_urlsafe(_TOKEN_BYTES)
    _add_confirmation(db, claim_id, "email", secret, now, LINK_LIFE)
    return secret


def use_email_secret(
    db: Connection, secret: str, *, is_listed: bool, now: datetime
) -> tuple[Claim, str]:
    """Transfer the claim to the reader of its mail, with a new token.

    The previous token stops working, so claiming under another person's address gains nothing. The
    claim is confirmed if the address is one of the place's own (`is_listed`) and nobody else runs
    the place. Raises UnknownTokenError.
    """
    claim = claim_of_secret(db, secret, now)
    is_unused = (CONFIRMATIONS.c.secret_hash == hash_of(secret)) & CONFIRMATIONS.c.used_at.is_(None)
    if db.execute(update(CONFIRMATIONS).where(is_unused).values(used_at=now)).rowcount != 1:
        raise UnknownTokenError
    actor = f"claim {claim.claim_id}"
    _change(db, claim.claim_id, email_proven_at=now)
    token = rotate(db, claim.claim_id, actor, now)
    if is_listed and claim.state != "confirmed" and not _is_run_by_another(db, claim):
        confirm(db, claim.claim_id, "email", actor, now)
    return claim_by_id(db, claim.claim_id), token


def claim_of_secret(db: Connection, secret: str, now: datetime) -> Claim:
    """Return the claim of a link while it is valid. Raises UnknownTokenError."""
    table = CONFIRMATIONS.c
    is_good = (
        (table.secret_hash == hash_of(secret))
        & (table.channel == "email")
        & table.used_at.is_(None)
        & (table.expires_at > now)
    )
    claim = _find(db, CLAIMS.c.claim_id.in_(select(table.claim_id).where(is_good)))
    if claim is None or claim.state == "revoked":
        raise UnknownTokenError
    return claim


def is_link_sent(db: Connection, claim_id: int, now: datetime) -> bool:
    """Return whether an e-mail with a link that still works went to the claim's address."""
    table, about = CONFIRMATIONS.c, f"claim {claim_id}"
    link = select(table.claim_id).where(
        table.claim_id == claim_id,
        table.channel == "email",
        table.used_at.is_(None),
        table.expires_at > now,
    )
    mail = OUTBOX.c.channel == "email", OUTBOX.c.about == about, OUTBOX.c.state == "sent"
    return db.execute(link).first() is not None and count_rows(db, OUTBOX, *mail) > 0


def phone_code(db: Connection, claim_id: int, now: datetime) -> str:
    """Return six digits for the listed telephone; earlier codes of the claim expire."""
    table = CONFIRMATIONS.c
    is_open = (table.claim_id == claim_id) & (table.channel == "phone") & table.used_at.is_(None)
    db.execute(update(CONFIRMATIONS).where(is_open).values(used_at=now))
    code = f"{secrets.randbelow(1_000_000):06d}"
    # The number of the claim makes equal codes of two claims differ.
    _add_confirmation(db, claim_id, "phone", f"{claim_id}:{code}", now, CODE_LIFE)
    return code


def use_phone_code(db: Connection, claim: Claim, code: str, now: datetime) -> bool:
    """Return whether the code confirms the claim. A wrong code counts: do not roll back."""
    table = CONFIRMATIONS.c
    # Counted and decided in one statement: attempts that come together cannot all be the fifth.
    is_equal = table.secret_hash == hash_of(f"{claim.claim_id}:{code.strip()}")
    attempt = (
        update(CONFIRMATIONS)
        .where(
            table.claim_id == claim.claim_id,
            table.channel == "phone",
            table.used_at.is_(None),
            table.expires_at > now,
            table.attempts < MAX_ATTEMPTS,
        )
        .values(
            attempts=table.attempts + 1,
            used_at=case((is_equal, literal(now, Instant())), else_=table.used_at),
        )
        .returning(table.used_at)
    )
    is_right = any(used_at is not None for used_at in db.execute(attempt).scalars())
    if is_right and claim.state != "confirmed" and not _is_run_by_another(db, claim):
        confirm(db, claim.claim_id, "phone", f"claim {claim.claim_id}", now)
    return is_right


def _add_confirmation(
    db: Connection, claim_id: int, channel: str, secret: str, now: datetime, life: timedelta
) -> None:
    row = {
        "claim_id": claim_id,
        "channel": channel,
        "secret_hash": hash_of(secret),
        "created_at": now,
        "expires_at": now + life,
    }
    db.execute(insert(CONFIRMATIONS), row)


# ---------------------------------------------------------------- parts


def _find(db: Connection, condition: ColumnElement[bool]) -> Claim | None:
    row = db.execute(select(*_COLUMNS).where(condition)).first()
    return None if row is None else Claim(*row)


def _change(db: Connection, claim_id: int, **values: object) -> None:
    if db.execute(update(CLAIMS).where(CLAIMS.c.claim_id == claim_id).values(values)).rowcount != 1:
        raise UnknownTokenError


def _is_run_by_another(db: Connection, claim: Claim) -> bool:
    others = select(CLAIMS.c.claim_id).where(
        CLAIMS.c.resource_id == claim.resource_id,
        CLAIMS.c.claim_id != claim.claim_id,
        CLAIMS.c.state == "confirmed",
    )
    return db.execute(others).first() is not None
