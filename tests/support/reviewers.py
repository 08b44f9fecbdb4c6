"""Sessions of reviewers, to test the console without a passkey."""

import re
from datetime import UTC, datetime

from warehouse.operations.administrators import begin_session, invite, use_code
from warehouse.operations.engine import Store

COOKIE = "larder_admin"


def session_token(store: Store, name: str = "ann") -> str:
    """Return the token of a new session of an administrator, for the cookie of the console."""
    now = datetime.now(UTC)
    code, _ = invite(store, name, now)
    with store.write() as db:
        return begin_session(db, use_code(db, code, now), None, now, "one-time code")


def csrf(text: str) -> str:
    """Return the token of a form of the console."""
    return re.search(r'name="csrf" value="([^"]+)"', text)[1]
