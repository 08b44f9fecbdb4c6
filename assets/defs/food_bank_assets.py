"""Who serves a ZIP code where nothing is listed nearby."""

import dagster as dg
import pandas as pd

from assets.defs.freshness import is_made, recipe_of, reused
from assets.defs.lineage import FAILED, recorded
from assets.defs.source_assets import OWNERS, raw_files
from assets.defs.source_failures import (
    SERVICE_AREAS,
    SourceFailure,
    clear_failure,
    note_failure,
    raise_unless_of_source,
)
from assets.defs.workspace import Workspace, measured
from assets.food_banks import RESOURCE_COLUMNS, SOURCE_ID, food_banks
from assets.sources import feeding_america_2026
from assets.sources.contract import RawFile
from schemas.sources.registry import sources
from schemas.tables.core import FOOD_BANKS, RESOURCES, ZIPS

_SOURCE = sources()[SOURCE_ID]
_ZIP_COLUMNS = ["zip", "county_fips"]


@dg.asset(
    group_name="directory",
    kinds={"pandas", "parquet"},
    owners=OWNERS,
    description=FOOD_BANKS.description,
    deps=[_SOURCE.raw_table, RESOURCES.name, ZIPS.name],
)
@recorded()
def _core_directory__food_banks(
    context: dg.AssetExecutionContext, workspace: Workspace
) -> dg.MaterializeResult:
    files = raw_files(_SOURCE, workspace)
    recipe = recipe_of(
        workspace,
        columns={RESOURCES.name: RESOURCE_COLUMNS, ZIPS.name: _ZIP_COLUMNS},
        code=[_read, food_banks],
        settings=[FOOD_BANKS, *(file.sha256 for file in files)],
    )
    if is_made(workspace, recipe, FOOD_BANKS.name):
        clear_failure(_SOURCE, workspace, SERVICE_AREAS)
        return reused(workspace, recipe, FOOD_BANKS.name)
    with measured() as step:
        try:
            tables = _read(files)
        except Exception as error:
            raise_unless_of_source(error, workspace)
            failure = note_failure(_SOURCE, workspace, SERVICE_AREAS, error, context.log.warning)
            return _last_good(workspace, failure)
        clear_failure(_SOURCE, workspace, SERVICE_AREAS)
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


def _read(files: list[RawFile]) -> dict[str, pd.DataFrame]:
    readers = {
        "catalogue": feeding_america_2026.catalogue,
        "zip_coverage": feeding_america_2026.zip_coverage,
    }
    return {file.layout: readers[file.layout](file) for file in files}


def _last_good(workspace: Workspace, failure: SourceFailure) -> dg.MaterializeResult:
    """Leave the table of the last readable files in use; write an empty one where there is none."""
    if not workspace.path(FOOD_BANKS.name).exists():
        workspace.write(FOOD_BANKS.name, pd.DataFrame(columns=FOOD_BANKS.field_names), FOOD_BANKS)
    notes = workspace.notes(FOOD_BANKS.name)
    version = dg.DataVersion(notes.get("input_digest", "none")[:16])
    return dg.MaterializeResult(metadata={**notes, FAILED: failure.reason}, data_version=version)
