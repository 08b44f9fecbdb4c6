"""Administrators: passwords (argon2id), sessions, lock-out. Everything is in the store, so restarts forget nothing.

`sign_in` and `set_password` take as long as a password hash takes: call them in a thread.
"""

from __future__ import annotations

import hashlib
import secrets
from datetime import datetime, timedelta
from functools import cache
from typing import NamedTuple

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from sqlalchemy import Connection, delete, select, update

from warehouse.operations import audit
from warehouse.operations.engine import Store
from warehouse.operations.limits import CLOCKS_DIFFER
from warehouse.operations.review_models import ADMINISTRATORS, SESSIONS, SIGN_IN_FAILURES

MOST_FAILURES = 5
LOCKED_FOR = timedelta(minutes=15)
IDLE_FOR = timedelta(minutes=30)
SESSION_FOR = timedelta(hours=12)
LEAST_CHARACTERS, MOST_CHARACTERS = 12, 200
# How often the time of the last request is written: not with every page.
_SEEN_STEP = timedelta(minutes=1)


class SignInError(Exception):
    """Name or password is wrong, or the name is locked; `locked_seconds` tells for how long."""

    def __init__(self, locked_seconds: int = 0) -> None:
        super().__init__("not signed in")
        self.locked_seconds = locked_seconds


class Session(NamedTuple):
    """Who is signed in. `csrf` goes into every form; `token` is known to the browser alone."""

    name: str
    csrf: str
    token_hash: str


@cache
def _hasher() -> PasswordHasher:
    return PasswordHasher()  # RFC 9106, low-memory profile


@cache
def _nobody() -> str:
    """A hash that no password has: unknown names take as long as known ones."""
    return _hasher().hash(secrets.token_urlsafe(32))


def set_password(store: Store, name: str, password: str, now: datetime) -> bool:
    """Add an administrator, or give a known one a new password and end their sessions; True when added.

    Raises ValueError for a name or password that breaks a rule.
    """
    if not name.isidentifier() or len(name) > 60:
        raise ValueError("a name has letters, digits and underscores, and begins with a letter")
    if not LEAST_CHARACTERS <= len(password) <= MOST_CHARACTERS:
        raise ValueError(f"a password has {LEAST_CHARACTERS} to {MOST_CHARACTERS} characters")
    hashed = _hasher().hash(password)
    with store.write() as db:
        known = db.execute(_by_name(name)).first()
        if known is None:
            db.execute(ADMINISTRATORS.insert(), {"name": name, "password_hash": hashed, "created_at": now})  # fmt: skip
        else:
            theirs = ADMINISTRATORS.c.administrator_id == known.administrator_id
            db.execute(update(ADMINISTRATORS).where(theirs).values(password_hash=hashed, disabled_at=None))  # fmt: skip
            db.execute(delete(SESSIONS).where(SESSIONS.c.administrator_id == known.administrator_id))  # fmt: skip
        db.execute(delete(SIGN_IN_FAILURES).where(SIGN_IN_FAILURES.c.name_hash == _hash(name)))
        audit.record(db, "command line", "administrator added" if known is None else "password set", f"administrator {name}", now)  # fmt: skip
    return known is None


def disable(store: Store, name: str, now: datetime) -> bool:
    """End an administrator's access; False when there is none of that name."""
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
    """Administrators that may sign in."""
    query = select(ADMINISTRATORS.c.name).where(ADMINISTRATORS.c.disabled_at.is_(None))
    return sorted(db.execute(query).scalars())


def sign_in(store: Store, name: str, password: str, old_token: str | None, now: datetime) -> str:
    """Check name and password and begin a session; returns its token. The session of `old_token` ends.

    Raises SignInError. The same words and the same time for every failure; after MOST_FAILURES in a row
    the name is locked, whether or not there is such an administrator.
    """
    with store.read() as db:
        seconds = _locked_seconds(db, name, now)
        known = db.execute(_by_name(name)).first()
    if seconds:
        raise SignInError(seconds)
    is_right = _matches(known.password_hash if known else _nobody(), password)
    with store.write() as db:
        if known is None or known.disabled_at is not None or not is_right:
            locked = _count_failure(store, db, name, now)
            failure = SignInError(locked)
        else:
            failure = None
            db.execute(delete(SIGN_IN_FAILURES).where(SIGN_IN_FAILURES.c.name_hash == _hash(name)))
            token = _begin(db, known.administrator_id, old_token, now)
            audit.record(db, f"administrator {name}", "signed in", f"administrator {name}", now)
    if failure is not None:
        raise failure
    return token


def session_of(db: Connection, token: str, now: datetime) -> tuple[Session, bool] | None:
    """The session of a token, and whether its last use should be written; None when it is over or unknown."""
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
    """Note that the session was used."""
    db.execute(update(SESSIONS).where(SESSIONS.c.token_hash == session.token_hash).values(seen_at=now))  # fmt: skip


def sign_out(db: Connection, token: str) -> None:
    db.execute(delete(SESSIONS).where(SESSIONS.c.token_hash == _hash(token)))


def _by_name(name: str):  # type: ignore[no-untyped-def]
    return select(ADMINISTRATORS).where(ADMINISTRATORS.c.name == name)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _matches(hashed: str, password: str) -> bool:
    try:
        return _hasher().verify(hashed, password[:MOST_CHARACTERS])
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
            "token_hash": _hash(token), "administrator_id": administrator_id, "csrf": secrets.token_urlsafe(32),
            "created_at": now, "seen_at": now, "expires_at": now + SESSION_FOR,
        },
    )  # fmt: skip
    return token


def _locked_seconds(db: Connection, name: str, now: datetime) -> int:
    query = select(SIGN_IN_FAILURES.c.locked_until).where(SIGN_IN_FAILURES.c.name_hash == _hash(name))  # fmt: skip
    until: datetime | None = db.execute(query).scalar()
    # A lock that ends later than one of now would was set before the clock was set back.
    is_locked = until is not None and now < until <= now + LOCKED_FOR + CLOCKS_DIFFER
    return int((until - now).total_seconds()) + 1 if until and is_locked else 0


def _count_failure(store: Store, db: Connection, name: str, now: datetime) -> int:
    """Count one failure; returns for how many seconds the name is locked now."""
    own = SIGN_IN_FAILURES.c
    db.execute(delete(SIGN_IN_FAILURES).where(own.last_at < now - timedelta(days=1)))
    row = {"name_hash": _hash(name), "failures": 1, "last_at": now}
    counted = store.insert(SIGN_IN_FAILURES).on_conflict_do_update(
        index_elements=["name_hash"], set_={"failures": own.failures + 1, "last_at": now}
    )
    db.execute(counted, row)
    failures: int = db.execute(select(own.failures).where(own.name_hash == row["name_hash"])).scalar_one()  # fmt: skip
    if failures < MOST_FAILURES:
        return 0
    # The next lock needs as many failures again.
    locked = {"locked_until": now + LOCKED_FOR, "failures": 0}
    db.execute(update(SIGN_IN_FAILURES).where(own.name_hash == row["name_hash"]).values(locked))
    audit.record(db, "service", "sign-in locked", "administrator", now)
    return int(LOCKED_FOR.total_seconds())
