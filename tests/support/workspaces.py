"""A workspace with one small table."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from assets.defs.workspace import Workspace
from schemas.tables.out import TYPE_COUNTS

COUNTS = pd.DataFrame(
    {"state": ["AK", "AL"], "resource_type": ["food_pantry"] * 2, "resource_count": [1, 2]}
)


def workspace_with(folder: Path, name: str) -> Workspace:
    """A workspace in which COUNTS is written as the table `name`, with the note `said`: first."""
    workspace = Workspace(data_dir=str(folder))
    workspace.write(name, COUNTS, TYPE_COUNTS, {"said": "first"})
    return workspace
