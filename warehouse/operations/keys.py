"""Keys that last, by their purpose."""

import secrets

from sqlalchemy import Connection, select

from warehouse.operations.engine import Store
from warehouse.operations.models import SECRET_KEYS


def lasting_key(store: Store, db: Connection, name: str) -> bytes:
    """Return a purpose's key: 32 random bytes, written if missing."""
    query = select(SECRET_KEYS.c.key).where(SECRET_KEYS.c.name == name)
    key: bytes | None = db.execute(query).scalar()
    if key is None:
        fresh = {"name": name, "key": secrets.token_bytes(32)}
        db.execute(store.insert(SECRET_KEYS).on_conflict_do_nothing(), fresh)
        key = db.execute(query).scalar_one()
    return key
