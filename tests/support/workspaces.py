"""Workspaces with one small table, or with reference geography."""

from pathlib import Path

import pandas as pd

from assets.steps.workspace import Workspace
from schemas.tables.core import CITIES, TYPE_COUNTS, ZIPS
from tests.support.geography import zips_and_cities
from warehouse.parquet import write_table

COUNTS = pd.DataFrame(
    {"state": ["AK", "AL"], "resource_type": ["food_pantry"] * 2, "resource_count": [1, 2]}
)


def workspace_with(folder: Path, name: str) -> Workspace:
    """Return a workspace with COUNTS as the table `name`, noted as "said": "first"."""
    workspace = Workspace(data_dir=str(folder))
    write_table(COUNTS, TYPE_COUNTS, workspace.path(name), notes={"said": "first"})
    return workspace


def write_geography(workspace: Workspace) -> None:
    """Write the ZIP codes and cities of the packages as the geography step does."""
    zips, cities = zips_and_cities()
    write_table(zips, ZIPS, workspace.path(ZIPS.name))
    write_table(cities, CITIES, workspace.path(CITIES.name))
