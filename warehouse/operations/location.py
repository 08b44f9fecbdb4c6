"""Locates the operations store by the same variables for service, commands and build."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from warehouse.operations.engine import Store


def store_of(data_dir: Path) -> Store:
    """Return the store named by LARDER_OPERATIONS_URL or LARDER_OPERATIONS_FILE, else the default
    file. Nothing is opened yet. Raises StoreURLError."""
    from warehouse.operations.engine import open_store  # noqa: PLC0415 - settings need a path only

    url = os.environ.get("LARDER_OPERATIONS_URL", "").strip()
    if url:
        return open_store(url)
    file = os.environ.get("LARDER_OPERATIONS_FILE", "").strip()
    return open_store(Path(file) if file else default_file(data_dir))


def default_file(data_dir: Path) -> Path:
    """Return the SQLite file of a data folder, in a folder that only its owner reads."""
    return data_dir / "operations" / "operations.sqlite"


def is_there(store: Store) -> bool:
    """Return whether the store exists; SQLite's file is created by the first write."""
    return not store.is_sqlite or Path(store.url.database or "").exists()
