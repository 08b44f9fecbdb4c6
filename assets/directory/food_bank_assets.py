"""Finds who serves a ZIP code where nothing is listed nearby."""

from collections.abc import Iterator

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
from assets.steps.decorators import Output, asset_spec, last_good, make_tables, step
from assets.steps.freshness import fingerprint_of
from assets.steps.workspace import Workspace
from schemas.sources.registry import sources
from schemas.tables.core import FOOD_BANKS, RESOURCES, ZIPS

_SOURCE = sources()[SOURCE_ID]
_ZIP_COLUMNS = ["zip", "state", "county_fips"]


@step(
    asset_spec(FOOD_BANKS, [_SOURCE.raw_table, RESOURCES.name, ZIPS.name]),
    name=FOOD_BANKS.name,
    group="directory",
)
def _core_directory__food_banks(
    context: dg.AssetExecutionContext, workspace: Workspace
) -> Iterator[dg.MaterializeResult]:
    files = raw_files(_SOURCE, workspace)

    def make() -> Output:
        tables = read_within(_SOURCE.limits, _read, files)
        frame = food_banks(
            tables.get("catalogue", pd.DataFrame()),
            tables.get("zip_coverage", pd.DataFrame()),
            workspace.read(ZIPS.name, _ZIP_COLUMNS),
            workspace.read(RESOURCES.name, RESOURCE_COLUMNS),
            max((file.vintage for file in files if file.vintage), default=None),
        )
        return Output([frame])

    fingerprint = fingerprint_of(
        workspace,
        {RESOURCES.name: RESOURCE_COLUMNS, ZIPS.name: _ZIP_COLUMNS},
        [_read, food_banks],
        [FOOD_BANKS, *(file.sha256 for file in files)],
    )
    try:
        (result,) = make_tables(workspace, fingerprint, [FOOD_BANKS], make)
    except Exception as error:
        raise_unless_of_source(error, workspace)
        failure = note_failure(_SOURCE, workspace, SERVICE_AREAS, error, context.log.warning)
        yield last_good(workspace, FOOD_BANKS, failure.reason)
    else:
        clear_failure(_SOURCE, workspace, SERVICE_AREAS)
        yield result


def _read(files: list[RawFile]) -> dict[str, pd.DataFrame]:
    readers = {
        "catalogue": feeding_america_2026.catalogue,
        "zip_coverage": feeding_america_2026.zip_coverage,
    }
    return {file.layout: remove_invisible(readers[file.layout](file)) for file in files}
