"""Reads the served release, whose ids, retired ids, history and findings a build continues."""

from pathlib import Path

import pandas as pd

from assets.steps.workspace import Workspace
from schemas.table import Table
from warehouse.parquet import read_frame
from warehouse.release.changes import Edition, edition_of


def open_served_tables(workspace: Workspace) -> Path | None:
    """Return the folder of the served release's tables; None before the first release."""
    current = workspace.releases.current()
    return workspace.releases.folder(current) / "exports" if current else None


def find_served_file(workspace: Workspace, name: str) -> Path | None:
    """Return the file of a table in the served release; None without it."""
    folder = open_served_tables(workspace)
    path = folder / f"{name}.parquet" if folder else None
    return path if path and path.is_file() else None


def read_served_table(workspace: Workspace, table: Table) -> pd.DataFrame | None:
    """Read a table of the served release; None without it."""
    path = find_served_file(workspace, table.name)
    return read_frame(path)[table.field_names] if path else None


def read_served_edition(workspace: Workspace) -> Edition | None:
    """Return the served release for `warehouse.release.changes`; None before the first.

    Raises FileNotFoundError if it has no resources.
    """
    folder = open_served_tables(workspace)
    return edition_of(folder.parent) if folder else None
