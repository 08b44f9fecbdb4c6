"""Administrators: passwords (argon2id), sessions, limits of guesses. All of it is stored, so
restarts forget nothing.

To sign in: `admit`, then `password_matches`, then `begin_session` or `count_failure`.
`password_matches` and `set_password` take as long as a password hash takes: call them in a thread.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from datetime import datetime, timedelta
from functools import cache
from typing import NamedTuple

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from sqlalchemy import Connection, delete, select, update

from warehouse.operations import audit
from warehouse.operations.engine import Store
from warehouse.operations.keys import lasting_key
from warehouse.operations.limits import CLOCKS_DIFFER, LimitReachedError, network_of, take_turn
from warehouse.operations.review_models import ADMINISTRATORS, SESSIONS, SIGN_IN_FAILURES

# Failures of strangers in a row that guard a name, and for how long.
MAX_FAILURES = 5
GUARDED_FOR = timedelta(minutes=15)
# Attempts in an hour: of a network address, of a device that has signed in before.
MAX_ATTEMPTS_OF_ADDRESS, MAX_ATTEMPTS_OF_DEVICE = 20, 30
DEVICE_FOR = timedelta(days=180)
IDLE_FOR = timedelta(minutes=30)
SESSION_FOR = timedelta(hours=12)
MIN_CHARACTERS, MAX_CHARACTERS = 12, 200
# How often the time of the last request is written: not with every page.
_SEEN_STEP = timedelta(minutes=1)


class SignInError(Exception):
    """Name or password is wrong; or too many tried: then `retry_seconds` says when the next attempt
    counts.
    """

    def __init__(self, retry_seconds: int = 0) -> None:
        super().__init__("not signed in")
        self.retry_seconds = retry_seconds


class Attempt(NamedTuple):
    """Sign-in attempt with its network address. `device` and `old_token` are cookies of the
    browser."""

    name: str
    address: str
    device: str | None = None
    old_token: str | None = None


class Admission(NamedTuple):
    """An attempt that counts: whose password it is checked against (None: nobody's), and whether
    the device is known.
    """

    administrator_id: int | None
    password_hash: str | None
    is_device: bool


class SignedIn(NamedTuple):
    """Token of the session, and the new cookie of the device."""

    token: str
    device: str


class Session(NamedTuple):
    """Signed-in administrator. `csrf` is in every form; `token` is known to the browser alone."""

    name: str
    csrf: str
    token_hash: str


@cache
def _hasher() -> PasswordHasher:
    return PasswordHasher()  # RFC 9106, low-memory profile


@cache
def _nobody() -> str:
    """Return a hash that no password has: unknown names take as long as known ones."""
    return _hasher().hash(secrets.token_urlsafe(32))


def set_password(store: Store, name: str, password: str, now: datetime) -> bool:
    """Add an administrator, or give a known one a new password and end their sessions; True when
    added.

    Raises ValueError for a name or password that breaks a rule.
    """
    if not name.isidentifier() or len(name) > 60:
        raise ValueError("a name has letters, digits and underscores, and begins with a letter")
    if not MIN_CHARACTERS <= len(password) <= MAX_CHARACTERS:
        raise ValueError(f"a password has {MIN_CHARACTERS} to {MAX_CHARACTERS} characters")
    hashed = _hasher().hash(password)
    with store.write() as db:
        known = db.execute(_by_name(name)).first()
        if known is None:
            db.execute(
                ADMINISTRATORS.insert(), {"name": name, "password_hash": hashed, "created_at": now}
            )
        else:
            theirs = ADMINISTRATORS.c.administrator_id == known.administrator_id
            db.execute(
                update(ADMINISTRATORS).where(theirs).values(password_hash=hashed, disabled_at=None)
            )
            db.execute(
                delete(SESSIONS).where(SESSIONS.c.administrator_id == known.administrator_id)
            )
        db.execute(delete(SIGN_IN_FAILURES).where(SIGN_IN_FAILURES.c.name_hash == _hash(name)))
        audit.record(
            db,
            "command line",
            "administrator added" if known is None else "password set",
            f"administrator {name}",
            now,
        )
    return known is None


def disable(store: Store, name: str, now: datetime) -> bool:
    """Disable an administrator; return False when there is none of that name."""
    with store.write() as db:
        known = db.execute(_by_name(name)).first()
        if known is None:
            return False
        theirs = ADMINISTRATORS.c.administrator_id == known.administrator_id
        db.execute(update(ADMINISTRATORS).where(theirs).values(disabled_at=now))
        db.execute(delete(SESSIONS).where(SESSIONS.c.administrator_id == known.administrator_id))
        audit.record(db, "command line", "administrator disabled", f"administrator {name}", now)
    return True


def names(db: Connection) -> list[str]:
    """Return administrators that may sign in."""
    query = select(ADMINISTRATORS.c.name).where(ADMINISTRATORS.c.disabled_at.is_(None))
    return sorted(db.execute(query).scalars())


def admit(
    store: Store, db: Connection, attempt: Attempt, now: datetime, *, limits_addresses: bool = True
) -> Admission:
    """Count an attempt to sign in; its password may then be checked. Raises SignInError: too many
    were made.

    A device that has signed in under this name before has a limit of its own, so that no stranger
    can lock its owner out. Others share the limit of their network address. While a name is
    guarded, each address has one attempt: that slows who guesses from many, and leaves the owner a
    way in from a new device.
    """
    row = db.execute(_by_name(attempt.name)).first()
    known = row if row is not None and row.disabled_at is None else None
    is_device = _is_device(store, db, attempt, now)
    if not is_device:
        _take_strangers_turn(store, db, attempt, now, limits_addresses=limits_addresses)
    if known is None:
        return Admission(None, None, is_device)
    return Admission(known.administrator_id, known.password_hash, is_device)


def password_matches(password_hash: str | None, password: str) -> bool:
    """Check a password; None is a hash that no password has. Takes as long as a hash takes: call it
    in a thread.
    """
    return _matches(password_hash or _nobody(), password)


def begin_session(store: Store, db: Connection, attempt: Attempt, now: datetime) -> SignedIn:
    """Begin a session after the password was right; that of `attempt.old_token` ends.

    The device gets a new cookie. Raises SignInError when the administrator was disabled meanwhile.
    """
    known = db.execute(_by_name(attempt.name)).first()
    if known is None or known.disabled_at is not None:
        raise SignInError
    token = _begin(db, known.administrator_id, attempt.old_token, now)
    audit.record(
        db, f"administrator {attempt.name}", "signed in", f"administrator {attempt.name}", now
    )
    return SignedIn(token, _device_cookie(store, db, attempt.name, now))


def count_failure(
    store: Store, db: Connection, attempt: Attempt, admission: Admission, now: datetime
) -> None:
    """Count a wrong password. So many of strangers guard the name; those of a known device do not."""
    if not admission.is_device:
        _count_failure(store, db, attempt.name, now)


def _take_strangers_turn(
    store: Store, db: Connection, attempt: Attempt, now: datetime, *, limits_addresses: bool
) -> None:
    try:
        if limits_addresses:
            take_turn(store, db, "sign-in", attempt.address, MAX_ATTEMPTS_OF_ADDRESS, 3600, now)
        if _is_guarded(db, attempt.name, now):
            who = f"{network_of(attempt.address)} {attempt.name}"
            take_turn(store, db, "sign-in guarded", who, 1, int(GUARDED_FOR.total_seconds()), now)
    except LimitReachedError as error:
        raise SignInError(error.retry_seconds) from None


# ---------------------------------------------------------------- devices


def _device_cookie(store: Store, db: Connection, name: str, now: datetime) -> str:
    """Return a cookie that proves a sign-in under a name: `<seconds>.<random>.<signature>`."""
    issued, nonce = str(int(now.timestamp())), secrets.token_urlsafe(16)
    return f"{issued}.{nonce}.{_device_signature(store, db, name, issued, nonce)}"


def _is_device(store: Store, db: Connection, attempt: Attempt, now: datetime) -> bool:
    """Return whether the attempt comes from a device that signed in under the name, and has not
    guessed too often."""
    parts = (attempt.device or "").split(".")
    if len(parts) != 3 or not (parts[0].isascii() and parts[0].isdigit() and len(parts[0]) < 12):
        return False
    issued, nonce, signature = parts
    wanted = _device_signature(store, db, attempt.name, issued, nonce)
    is_good = hmac.compare_digest(signature.encode(), wanted.encode())
    if not is_good or int(issued) + DEVICE_FOR.total_seconds() < now.timestamp():
        return False
    try:
        take_turn(store, db, "sign-in device", nonce, MAX_ATTEMPTS_OF_DEVICE, 3600, now)
    except LimitReachedError:
        return False
    return True


def _device_signature(store: Store, db: Connection, name: str, issued: str, nonce: str) -> str:
    key = lasting_key(store, db, "devices")
    return hmac.new(key, "\x1f".join([name, issued, nonce]).encode(), hashlib.sha256).hexdigest()


# ---------------------------------------------------------------- sessions


def session_of(db: Connection, token: str, now: datetime) -> tuple[Session, bool] | None:
    """Return the session of a token, and whether its last use should be written; None when it is
    over or unknown."""
    own = SESSIONS.c
    found = db.execute(
        select(SESSIONS, ADMINISTRATORS.c.name)
        .join(ADMINISTRATORS, ADMINISTRATORS.c.administrator_id == own.administrator_id)
        .where(own.token_hash == _hash(token), ADMINISTRATORS.c.disabled_at.is_(None))
    ).first()
    if found is None or found.expires_at <= now or found.seen_at + IDLE_FOR <= now:
        return None
    return Session(found.name, found.csrf, found.token_hash), found.seen_at + _SEEN_STEP <= now


def seen(db: Connection, session: Session, now: datetime) -> None:
    """Record that the session was used."""
    db.execute(
        update(SESSIONS).where(SESSIONS.c.token_hash == session.token_hash).values(seen_at=now)
    )


def sign_out(db: Connection, token: str) -> None:
    db.execute(delete(SESSIONS).where(SESSIONS.c.token_hash == _hash(token)))


def _by_name(name: str):  # type: ignore[no-untyped-def]
    return select(ADMINISTRATORS).where(ADMINISTRATORS.c.name == name)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _matches(hashed: str, password: str) -> bool:
    try:
        return _hasher().verify(hashed, password[:MAX_CHARACTERS])
    except (VerificationError, InvalidHashError):
        return False


def _begin(db: Connection, administrator_id: int, old_token: str | None, now: datetime) -> str:
    db.execute(delete(SESSIONS).where(SESSIONS.c.expires_at <= now))
    if old_token:
        sign_out(db, old_token)
    token = secrets.token_urlsafe(32)
    db.execute(
        SESSIONS.insert(),
        {
            "token_hash": _hash(token),
            "administrator_id": administrator_id,
            "csrf": secrets.token_urlsafe(32),
            "created_at": now,
            "seen_at": now,
            "expires_at": now + SESSION_FOR,
        },
    )
    return token


def _is_guarded(db: Connection, name: str, now: datetime) -> bool:
    query = select(SIGN_IN_FAILURES.c.locked_until).where(
        SIGN_IN_FAILURES.c.name_hash == _hash(name)
    )
    until: datetime | None = db.execute(query).scalar()
    # A guard that ends later than one of now would was set before the clock was set back.
    return until is not None and now < until <= now + GUARDED_FOR + CLOCKS_DIFFER


def _count_failure(store: Store, db: Connection, name: str, now: datetime) -> None:
    own = SIGN_IN_FAILURES.c
    db.execute(delete(SIGN_IN_FAILURES).where(own.last_at < now - timedelta(days=1)))
    row = {"name_hash": _hash(name), "failures": 1, "last_at": now}
    counted = store.insert(SIGN_IN_FAILURES).on_conflict_do_update(
        index_elements=["name_hash"], set_={"failures": own.failures + 1, "last_at": now}
    )
    db.execute(counted, row)
    failures: int = db.execute(
        select(own.failures).where(own.name_hash == row["name_hash"])
    ).scalar_one()
    if failures < MAX_FAILURES:
        return
    # The next guard needs as many failures again.
    guarded = {"locked_until": now + GUARDED_FOR, "failures": 0}
    db.execute(update(SIGN_IN_FAILURES).where(own.name_hash == row["name_hash"]).values(guarded))
    audit.record(db, "service", "sign-in guarded", "administrator", now)
