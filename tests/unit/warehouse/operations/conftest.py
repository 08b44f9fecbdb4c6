"""Every test of a store runs on SQLite and on a real PostgreSQL."""

from tests.support.store_fixtures import (
    no_store_url,
    postgresql,
    postgresql_with_tables,
    sqlite_with_tables,
    store,
    store_url,
)

__all__ = [
    "no_store_url",
    "postgresql",
    "postgresql_with_tables",
    "sqlite_with_tables",
    "store",
    "store_url",
]
