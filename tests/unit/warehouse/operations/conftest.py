"""Every test of a store runs on SQLite and on a real PostgreSQL."""

from __future__ import annotations

from tests.support.store_fixtures import postgresql, store, store_url

__all__ = ["postgresql", "store", "store_url"]
