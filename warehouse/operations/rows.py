"""Queries that all stores share: row counts, pages of rows, keys by name."""

import hashlib
import hmac
import secrets
from importlib import import_module
from typing import Any, NamedTuple

from sqlalchemy import Column, ColumnElement, Connection, Row, Select, Table, func, select

from warehouse.operations.models import SECRET_KEYS

PER_PAGE = 25


class Page(NamedTuple):
    """Rows of one page, and the key after which the next page begins; None on the last."""

    rows: list[Row[Any]]
    next_key: int | None


def count_rows(db: Connection, table: Table, *conditions: ColumnElement[bool]) -> int:
    """Return the number of rows that meet all conditions."""
    query = select(func.count()).select_from(table).where(*conditions)
    return int(db.execute(query).scalar_one())


def insert_into(db: Connection, table: Table) -> Any:
    """Return an `INSERT` that supports `on_conflict_do_update` and `on_conflict_do_nothing`."""
    # Imports only the used database's: PostgreSQL's takes 40 ms.
    return import_module(f"sqlalchemy.dialects.{db.dialect.name}").insert(table)


def page_after(
    db: Connection,
    query: Select[Any],
    key: Column[Any],
    after: int | None,
    per_page: int = PER_PAGE,
) -> Page:
    """Return the rows with the largest keys below `after`, the newest first.

    Rows that arrive while somebody reads move none of them to another page.
    """
    if after is not None:
        query = query.where(key < after)
    rows = list(db.execute(query.order_by(key.desc()).limit(per_page + 1)))
    has_more = len(rows) > per_page
    page = rows[:per_page]
    return Page(page, int(getattr(page[-1], key.name)) if has_more else None)


def ensure_key(db: Connection, table: Table, name: object) -> bytes:
    """Return 32 random bytes by the primary key of a key table. Creates missing ones."""
    (column,) = table.primary_key
    query = select(table.c.key).where(column == name)
    key: bytes | None = db.execute(query).scalar()
    if key is None:
        fresh = {column.name: name, "key": secrets.token_bytes(32)}
        db.execute(insert_into(db, table).on_conflict_do_nothing(), fresh)
        key = db.execute(query).scalar_one()
    return key


def lasting_key(db: Connection, purpose: str) -> bytes:
    """Return the permanent key of a purpose. Creates a missing one."""
    return ensure_key(db, SECRET_KEYS, purpose)


def request_digest(db: Connection, route: str, network: str, key: str) -> str:
    """Return the stored form of a client's own key of a request: another client's equal key, or
    the same client's for another route, is another request."""
    text = "\x1f".join((route, network, key))
    return hmac.new(lasting_key(db, "requests"), text.encode(), hashlib.sha256).hexdigest()


def hash_of(secret: str) -> str:
    """Return the stored form of a token. Its 256 random bits make a plain hash safe from
    guessing."""
    return hashlib.sha256(secret.encode()).hexdigest()
