"""Workspaces with one small table, or with reference geography."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import pandas as pd

from assets.geography.packages import cities_from_packages, zips_from_packages
from assets.steps.workspace import Workspace
from schemas.tables.core import CITIES, ZIPS
from schemas.tables.out import TYPE_COUNTS

COUNTS = pd.DataFrame(
    {"state": ["AK", "AL"], "resource_type": ["food_pantry"] * 2, "resource_count": [1, 2]}
)


def workspace_with(folder: Path, name: str) -> Workspace:
    """A workspace in which COUNTS is written as the table `name`, with the note `said`: first."""
    workspace = Workspace(data_dir=str(folder))
    workspace.write(name, COUNTS, TYPE_COUNTS, {"said": "first"})
    return workspace


@lru_cache(maxsize=1)
def _zips_and_cities() -> tuple[pd.DataFrame, pd.DataFrame]:
    zips = zips_from_packages()
    return zips, cities_from_packages(zips)


def write_geography(workspace: Workspace) -> None:
    """Write the ZIP codes and cities of the packages, as the step of the geography does."""
    zips, cities = _zips_and_cities()
    workspace.write(ZIPS.name, zips, ZIPS, {"input_digest": "1"})
    workspace.write(CITIES.name, cities, CITIES)
