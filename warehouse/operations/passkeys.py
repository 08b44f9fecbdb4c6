"""Passkeys of administrators (WebAuthn Level 3): adding, signing in, removing.

A challenge is signed by this service for one purpose and one browser within the last minutes, and
valid once. So nothing is stored for visitors who only open the page.
"""

import hashlib
import hmac
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any, Literal, NamedTuple

import msgspec
from sqlalchemy import Connection, Row, delete, select, update

from warehouse.operations import audit
from warehouse.operations.administrators import Administrator, SignInError
from warehouse.operations.limits import LimitReachedError, take_turn
from warehouse.operations.models import ADMINISTRATORS, PASSKEYS
from warehouse.operations.rows import insert_into, lasting_key

CHALLENGE_SECONDS = 600
MAX_PASSKEYS = 10

Purpose = Literal["create", "get"]


class RelyingParty(NamedTuple):
    """The service as browsers know it: the host that passkeys are bound to, its origin, a name."""

    host: str
    origin: str
    name: str


class Reply(NamedTuple):
    """Response of a browser: the token of its form, the challenge, the credential as JSON."""

    browser: str
    challenge: str
    credential: str


# ---------------------------------------------------------------- challenges


def new_challenge(db: Connection, purpose: Purpose, browser: str, now: datetime) -> str:
    """Return a challenge for the browser with this form token: `<seconds>.<random>.<signature>`."""
    issued, nonce = str(int(now.timestamp())), secrets.token_urlsafe(16)
    return f"{issued}.{nonce}.{_signature(db, purpose, browser, issued, nonce)}"


def _use_challenge(db: Connection, purpose: Purpose, reply: Reply, now: datetime) -> bytes:
    """Return the bytes of a challenge and invalidate it. Raises SignInError."""
    issued, _, rest = reply.challenge.partition(".")
    nonce, _, signature = rest.partition(".")
    expected = _signature(db, purpose, reply.browser, issued, nonce)
    if not hmac.compare_digest(signature.encode(), expected.encode()):
        raise SignInError
    if not 0 <= now.timestamp() - int(issued) + 1 <= CHALLENGE_SECONDS:
        raise SignInError
    try:
        take_turn(db, "challenge", reply.challenge, 1, 2 * CHALLENGE_SECONDS, now)
    except LimitReachedError:
        raise SignInError from None
    return reply.challenge.encode()


def _signature(db: Connection, *parts: str) -> str:
    key = lasting_key(db, "passkeys")
    return hmac.new(key, "\x1f".join(parts).encode(), hashlib.sha256).hexdigest()


def _user_handle(db: Connection, owner: Administrator) -> bytes:
    """Return an administrator's user handle in passkeys: it reveals nothing about them."""
    return bytes.fromhex(_signature(db, "user", str(owner.administrator_id)))


# ---------------------------------------------------------------- requests to the browser


def creation_options(
    db: Connection, party: RelyingParty, owner: Administrator, challenge: str
) -> str:
    """Return the request for a new passkey, JSON as browsers take it."""
    # Only signing in needs this library, a twentieth of the startup time.
    import webauthn  # noqa: PLC0415
    from webauthn.helpers import structs  # noqa: PLC0415

    own = PASSKEYS.c
    query = select(own.credential_id).where(own.administrator_id == owner.administrator_id)
    options = webauthn.generate_registration_options(
        rp_id=party.host,
        rp_name=party.name,
        user_id=_user_handle(db, owner),
        user_name=owner.name,
        challenge=challenge.encode(),
        authenticator_selection=structs.AuthenticatorSelectionCriteria(
            resident_key=structs.ResidentKeyRequirement.REQUIRED,
            user_verification=structs.UserVerificationRequirement.REQUIRED,
        ),
        exclude_credentials=[
            structs.PublicKeyCredentialDescriptor(id=webauthn.base64url_to_bytes(text))
            for text in db.execute(query).scalars()
        ],
    )
    return webauthn.options_to_json(options)


def request_options(party: RelyingParty, challenge: str) -> str:
    """Return the request for any passkey of this service, JSON as browsers take it."""
    import webauthn  # noqa: PLC0415
    from webauthn.helpers.structs import UserVerificationRequirement  # noqa: PLC0415

    return webauthn.options_to_json(
        webauthn.generate_authentication_options(
            rp_id=party.host,
            challenge=challenge.encode(),
            user_verification=UserVerificationRequirement.REQUIRED,
        )
    )


# ---------------------------------------------------------------- answers of the browser


def add_passkey(
    db: Connection,
    party: RelyingParty,
    owner: Administrator,
    reply: Reply,
    label: str,
    now: datetime,
) -> None:
    """Store a passkey. Raises SignInError: wrong request, or too many passkeys."""
    import webauthn  # noqa: PLC0415

    challenge = _use_challenge(db, "create", reply, now)
    with _translate_faults():
        verified = webauthn.verify_registration_response(
            credential=reply.credential,
            expected_challenge=challenge,
            expected_rp_id=party.host,
            expected_origin=party.origin,
            require_user_verification=True,
        )
    row = {
        "administrator_id": owner.administrator_id,
        "credential_id": webauthn.helpers.bytes_to_base64url(verified.credential_id),
        "public_key": verified.credential_public_key,
        "sign_count": verified.sign_count,
        "label": label or "Passkey",
        "created_at": now,
    }
    statement = insert_into(db, PASSKEYS).on_conflict_do_nothing(index_elements=["credential_id"])
    statement = statement.returning(PASSKEYS.c.passkey_id)
    if len(passkeys_of(db, owner)) >= MAX_PASSKEYS or db.execute(statement, row).first() is None:
        raise SignInError
    audit.record(db, owner.actor, "passkey added", owner.actor, now, label=row["label"])


def owner_of_passkey(
    db: Connection, party: RelyingParty, reply: Reply, now: datetime
) -> Administrator:
    """Return the administrator who signed this request. Raises SignInError: unknown key, wrong
    request, origin or service, no user verification, a counter that decreased."""
    import webauthn  # noqa: PLC0415

    challenge = _use_challenge(db, "get", reply, now)
    with _translate_faults():
        answer = _ASSERTION.decode(reply.credential)
        handle = webauthn.base64url_to_bytes(answer.response.userHandle)
    own = PASSKEYS.c
    passkey = db.execute(
        select(PASSKEYS, ADMINISTRATORS.c.name)
        .join(ADMINISTRATORS, ADMINISTRATORS.c.administrator_id == own.administrator_id)
        .where(own.credential_id == answer.id, ADMINISTRATORS.c.disabled_at.is_(None))
    ).first()
    if passkey is None:
        raise SignInError
    owner = Administrator(passkey.administrator_id, passkey.name)
    if not hmac.compare_digest(handle, _user_handle(db, owner)):
        raise SignInError
    with _translate_faults():
        verified = webauthn.verify_authentication_response(
            credential=reply.credential,
            expected_challenge=challenge,
            expected_rp_id=party.host,
            expected_origin=party.origin,
            credential_public_key=passkey.public_key,
            credential_current_sign_count=passkey.sign_count,
            require_user_verification=True,
        )
    columns = {"sign_count": verified.new_sign_count, "used_at": now}
    db.execute(update(PASSKEYS).where(own.passkey_id == passkey.passkey_id).values(columns))
    return owner


class _AssertionResponse(msgspec.Struct):
    userHandle: str


class _Assertion(msgspec.Struct):
    id: str
    response: _AssertionResponse


# Compiled here: threads that meet a new class at once end the process (`serving.app`).
_ASSERTION = msgspec.json.Decoder(_Assertion)


@contextmanager
def _translate_faults() -> Iterator[None]:
    """Convert faults of a response to SignInError."""
    from webauthn.helpers.exceptions import WebAuthnException  # noqa: PLC0415

    try:
        yield
    except (WebAuthnException, ValueError, msgspec.DecodeError) as error:
        raise SignInError from error


# ---------------------------------------------------------------- reading


def passkeys_of(db: Connection, owner: Administrator | None = None) -> list[Row[Any]]:
    """Return passkeys of one administrator or of all, with the owner's `name`, oldest first."""
    own = PASSKEYS.c
    query = select(PASSKEYS, ADMINISTRATORS.c.name).join(
        ADMINISTRATORS, ADMINISTRATORS.c.administrator_id == own.administrator_id
    )
    if owner is not None:
        query = query.where(own.administrator_id == owner.administrator_id)
    return list(db.execute(query.order_by(own.passkey_id)))


def remove_passkey(db: Connection, passkey_id: int, actor: str, now: datetime) -> int | None:
    """Remove a passkey; return its owner, None if there is no such number."""
    passkey = next((row for row in passkeys_of(db) if row.passkey_id == passkey_id), None)
    if passkey is None:
        return None
    db.execute(delete(PASSKEYS).where(PASSKEYS.c.passkey_id == passkey_id))
    subject = f"administrator {passkey.name}"
    audit.record(db, actor, "passkey removed", subject, now, label=passkey.label)
    return int(passkey.administrator_id)
