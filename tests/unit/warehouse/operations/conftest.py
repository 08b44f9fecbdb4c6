"""Every test of a store runs on SQLite and on a real PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from argon2 import PasswordHasher

from tests.support.store_fixtures import (
    no_store_url,
    postgresql,
    postgresql_with_tables,
    sqlite_with_tables,
    store,
    store_url,
)
from warehouse.operations import administrators

__all__ = [
    "no_store_url",
    "postgresql",
    "postgresql_with_tables",
    "sqlite_with_tables",
    "store",
    "store_url",
]


@pytest.fixture(scope="session", autouse=True)
def cheap_passwords() -> Iterator[None]:
    """Hash passwords with the least of Argon2: hundreds are tried."""
    with pytest.MonkeyPatch.context() as patch:
        cheap = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
        patch.setattr(administrators, "_hasher", lambda: cheap)
        yield
