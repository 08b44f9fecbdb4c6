"""Who serves a ZIP code where nothing is listed nearby."""

import dagster as dg
import pandas as pd

from assets.defs.freshness import is_made, recipe_of, reused
from assets.defs.lineage import recorded
from assets.defs.source_assets import OWNERS, raw_files
from assets.defs.workspace import Workspace, measured
from assets.food_banks import RESOURCE_COLUMNS, SOURCE_ID, food_banks
from assets.sources import feeding_america_2026
from schemas.sources.registry import sources
from schemas.tables.core import FOOD_BANKS, RESOURCES, ZIPS

_SOURCE = sources()[SOURCE_ID]
_ZIP_COLUMNS = ["zip", "county_fips"]


@dg.asset(
    group_name="directory", kinds={"pandas", "parquet"}, owners=OWNERS,
    description=FOOD_BANKS.description, deps=[_SOURCE.raw_table, RESOURCES.name, ZIPS.name],
)  # fmt: skip
@recorded()
def _core_directory__food_banks(workspace: Workspace) -> dg.MaterializeResult:
    files = raw_files(_SOURCE, workspace)
    recipe = recipe_of(
        workspace,
        columns={RESOURCES.name: RESOURCE_COLUMNS, ZIPS.name: _ZIP_COLUMNS},
        code=["assets.food_banks", "assets.sources.feeding_america_2026", "schemas"],
        settings=[file.sha256 for file in files],
    )
    if is_made(workspace, recipe, FOOD_BANKS.name):
        return reused(workspace, recipe, FOOD_BANKS.name)
    with measured() as step:
        read = {"catalogue": feeding_america_2026.catalogue, "zip_coverage": feeding_america_2026.zip_coverage}  # fmt: skip
        tables = {file.layout: read[file.layout](file) for file in files}
        frame = food_banks(
            tables.get("catalogue", pd.DataFrame()),
            tables.get("zip_coverage", pd.DataFrame()),
            workspace.read(ZIPS.name, _ZIP_COLUMNS),
            workspace.read(RESOURCES.name, RESOURCE_COLUMNS),
            max((file.vintage for file in files if file.vintage), default=None),
        )
        metadata = workspace.write(FOOD_BANKS.name, frame, FOOD_BANKS, recipe.notes)
    return dg.MaterializeResult(
        metadata={**metadata, **step.metadata()}, data_version=recipe.version
    )
