"""Administrators: accounts, one-time codes and sessions. They sign in with passkeys."""

import base64
import secrets
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import Connection, delete, select, update

from warehouse.operations import audit
from warehouse.operations.engine import Store
from warehouse.operations.models import ADMINISTRATORS, PASSKEYS, SESSIONS
from warehouse.operations.rows import hash_of

# A one-time code from the command line: 120 bits, written as six groups.
CODE_FOR = timedelta(hours=24)
_CODE_BYTES, _GROUP = 15, 4
IDLE_FOR = timedelta(minutes=30)
SESSION_FOR = timedelta(hours=12)
# Passkeys can only be changed soon after signing in: an unattended browser grants no key.
FRESH_FOR = timedelta(minutes=10)
# Minimum time between two writes of the last request: not on every page.
_SEEN_STEP = timedelta(minutes=1)


class SignInError(Exception):
    """Signing in failed: unknown, used, expired, or of a disabled administrator."""


class Administrator(NamedTuple):
    """A reviewer with access to the console."""

    administrator_id: int
    name: str

    @property
    def actor(self) -> str:
        """Return the administrator as the audit log names them."""
        return f"administrator {self.name}"


class Session(NamedTuple):
    """Signed-in administrator. `csrf` is in every form; `token_hash` is the hash of the browser's
    token."""

    administrator: Administrator
    csrf: str
    token_hash: str
    created_at: datetime

    @property
    def name(self) -> str:
        """Name of the administrator."""
        return self.administrator.name

    def is_fresh(self, now: datetime) -> bool:
        """Return whether the sign-in was recent enough to change passkeys."""
        return now < self.created_at + FRESH_FOR


# ---------------------------------------------------------------- the command line


def invite(store: Store, name: str, now: datetime) -> tuple[str, bool]:
    """Return a new one-time code for an administrator, and whether they were added now.

    It replaces an earlier code and enables a disabled administrator. Raises ValueError for a name
    that breaks the rule.
    """
    if not name.isidentifier() or len(name) > 60:
        raise ValueError("a name has letters, digits and underscores, and begins with a letter")
    text = base64.b32encode(secrets.token_bytes(_CODE_BYTES)).decode()
    code = "-".join(text[at : at + _GROUP] for at in range(0, len(text), _GROUP))
    row = {"code_hash": _code_hash(code), "code_expires_at": now + CODE_FOR, "disabled_at": None}
    with store.write() as db:
        own = ADMINISTRATORS.c
        row_count = db.execute(update(ADMINISTRATORS).where(own.name == name).values(row)).rowcount
        if not row_count:
            db.execute(ADMINISTRATORS.insert(), {"name": name, "created_at": now, **row})
        action = "one-time code made" if row_count else "administrator added"
        audit.record(db, "command line", action, f"administrator {name}", now)
    return code, not row_count


def disable(store: Store, name: str, now: datetime) -> bool:
    """Disable an administrator, deleting their passkeys; False for an unknown name."""
    with store.write() as db:
        own = ADMINISTRATORS.c
        administrator_id = db.execute(select(own.administrator_id).where(own.name == name)).scalar()
        if administrator_id is None:
            return False
        columns = {"disabled_at": now, "code_hash": None, "code_expires_at": None}
        db.execute(
            update(ADMINISTRATORS).where(own.administrator_id == administrator_id).values(columns)
        )
        for table in (PASSKEYS, SESSIONS):
            db.execute(delete(table).where(table.c.administrator_id == administrator_id))
        audit.record(db, "command line", "administrator disabled", f"administrator {name}", now)
    return True


def names(db: Connection) -> list[str]:
    """Return administrators who may sign in."""
    query = select(ADMINISTRATORS.c.name).where(ADMINISTRATORS.c.disabled_at.is_(None))
    return sorted(db.execute(query).scalars())


# ---------------------------------------------------------------- one-time codes


def owner_of_code(db: Connection, code: str, now: datetime) -> Administrator:
    """Return the owner of a one-time code. Raises SignInError."""
    own = ADMINISTRATORS.c
    has_code = (own.code_hash == _code_hash(code)) & own.disabled_at.is_(None)
    row = db.execute(select(ADMINISTRATORS).where(has_code)).first()
    if row is None or row.code_expires_at <= now:
        raise SignInError
    return Administrator(row.administrator_id, row.name)


def use_code(db: Connection, code: str, now: datetime) -> Administrator:
    """Return the owner of a one-time code, and invalidate it. Raises SignInError."""
    owner = owner_of_code(db, code, now)
    hashed = _code_hash(code)
    statement = update(ADMINISTRATORS).where(ADMINISTRATORS.c.code_hash == hashed)
    if not db.execute(statement.values(code_hash=None, code_expires_at=None)).rowcount:
        raise SignInError  # a concurrent request used it first
    return owner


def _code_hash(code: str) -> str:
    return hash_of("".join(filter(str.isalnum, code.upper())))


# ---------------------------------------------------------------- sessions


def begin_session(
    db: Connection, owner: Administrator, old_token: str | None, now: datetime, by: str
) -> str:
    """Begin a session and return its token; `old_token`'s session ends. `by`: the sign-in
    method."""
    db.execute(delete(SESSIONS).where(SESSIONS.c.expires_at <= now))
    if old_token:
        sign_out(db, old_token)
    token = secrets.token_urlsafe(32)
    db.execute(
        SESSIONS.insert(),
        {
            "token_hash": hash_of(token),
            "administrator_id": owner.administrator_id,
            "csrf": secrets.token_urlsafe(32),
            "created_at": now,
            "seen_at": now,
            "expires_at": now + SESSION_FOR,
        },
    )
    audit.record(db, owner.actor, "signed in", owner.actor, now, by=by)
    return token


def session_of(db: Connection, token: str, now: datetime) -> tuple[Session, bool] | None:
    """Return a token's session and whether to record its last use; None if unknown."""
    own = SESSIONS.c
    row = db.execute(
        select(SESSIONS, ADMINISTRATORS.c.name)
        .join(ADMINISTRATORS, ADMINISTRATORS.c.administrator_id == own.administrator_id)
        .where(own.token_hash == hash_of(token), ADMINISTRATORS.c.disabled_at.is_(None))
    ).first()
    if row is None or row.expires_at <= now or row.seen_at + IDLE_FOR <= now:
        return None
    owner = Administrator(row.administrator_id, row.name)
    session = Session(owner, row.csrf, row.token_hash, row.created_at)
    return session, row.seen_at + _SEEN_STEP <= now


def record_use(db: Connection, session: Session, now: datetime) -> None:
    """Record the use of a session."""
    db.execute(
        update(SESSIONS).where(SESSIONS.c.token_hash == session.token_hash).values(seen_at=now)
    )


def sign_out(db: Connection, token: str) -> None:
    db.execute(delete(SESSIONS).where(SESSIONS.c.token_hash == hash_of(token)))


def end_sessions(db: Connection, administrator_id: int, except_of: str = "") -> None:
    """End the sessions of an administrator, except the one with a token hash."""
    own = SESSIONS.c
    others = (own.administrator_id == administrator_id) & (own.token_hash != except_of)
    db.execute(delete(SESSIONS).where(others))
