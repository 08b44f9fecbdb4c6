"""Locates the operations store by the same variables for service, commands and build."""

import os
from pathlib import Path

from warehouse.operations.engine import Store, open_store


def store_of(data_dir: Path) -> Store:
    """Return the store named by LARDER_OPERATIONS_URL or LARDER_OPERATIONS_FILE, else
    `operations.sqlite` in the data folder. Nothing is opened yet. Raises StoreURLError."""
    url = os.environ.get("LARDER_OPERATIONS_URL", "").strip()
    if url:
        return open_store(url)
    file = os.environ.get("LARDER_OPERATIONS_FILE", "").strip()
    return open_store(Path(file or data_dir / "operations.sqlite"))


def is_there(store: Store) -> bool:
    """Return whether the store exists; SQLite's file is created by the first write."""
    return not store.is_sqlite or Path(store.url.database or "").exists()
