"""Workspaces with reference geography, and the rows of a small table."""

import pandas as pd

from assets.steps.workspace import Workspace
from schemas.tables.core import CITIES, ZIPS
from tests.support.geography import zips_and_cities
from warehouse.parquet import write_table

COUNTS = pd.DataFrame(
    {"state": ["AK", "AL"], "resource_type": ["food_pantry"] * 2, "resource_count": [1, 2]}
)


def write_geography(workspace: Workspace) -> None:
    """Write the ZIP codes and cities of the packages as the geography step does."""
    zips, cities = zips_and_cities()
    write_table(zips, ZIPS, workspace.path(ZIPS.name))
    write_table(cities, CITIES, workspace.path(CITIES.name))
