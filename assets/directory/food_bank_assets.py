"""Finds who serves a ZIP code where nothing is listed nearby."""

from typing import Any

import dagster as dg
import pandas as pd

from assets.cleaning.text import remove_invisible
from assets.directory.food_banks import RESOURCE_COLUMNS, SOURCE_ID, food_banks
from assets.sources import feeding_america_2026
from assets.sources.assets import raw_files
from assets.sources.contract import RawFile
from assets.sources.failures import (
    SERVICE_AREAS,
    clear_failure,
    note_failure,
    raise_unless_of_source,
)
from assets.sources.own_process import read_within
from assets.steps.keys import keys_of
from assets.steps.tables import LastGood, asset_of, read
from assets.steps.workspace import Workspace
from schemas.sources.registry import sources
from schemas.tables.core import FOOD_BANKS, RESOURCES, ZIPS

_SOURCE = sources()[SOURCE_ID]
_ZIP_COLUMNS = ["zip", "state", "county_fips"]


@dg.asset(
    ins={"zips": read(ZIPS, _ZIP_COLUMNS), "resources": read(RESOURCES, RESOURCE_COLUMNS)},
    deps=keys_of([_SOURCE.raw_table]),
    **asset_of(FOOD_BANKS, "directory"),
)
def core_directory__food_banks(
    context: dg.AssetExecutionContext,
    workspace: Workspace,
    zips: pd.DataFrame,
    resources: pd.DataFrame,
) -> Any:
    try:
        files = raw_files(_SOURCE, workspace)
        tables = read_within(_SOURCE.limits, _read, files)
        frame = food_banks(
            tables.get("catalogue", pd.DataFrame()),
            tables.get("zip_coverage", pd.DataFrame()),
            zips,
            resources,
            max((file.vintage for file in files if file.vintage), default=None),
        )
    except Exception as error:
        raise_unless_of_source(error, workspace)
        failure = note_failure(_SOURCE, workspace, SERVICE_AREAS, error, context.log.warning)
        return LastGood(failure.reason)
    clear_failure(_SOURCE, workspace, SERVICE_AREAS)
    return frame


def _read(files: list[RawFile]) -> dict[str, pd.DataFrame]:
    readers = {
        "catalogue": feeding_america_2026.catalogue,
        "zip_coverage": feeding_america_2026.zip_coverage,
    }
    return {file.layout: remove_invisible(readers[file.layout](file)) for file in files}
