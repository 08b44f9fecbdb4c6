"""The quality of a build as a table, and its blocking check."""

from collections.abc import Sequence

import dagster as dg
import pandas as pd

from assets.statistics.quality import find_blocking_failures, quality_checks, read_statements
from assets.steps.checks import blocking_check, check_result
from assets.steps.decorators import load_frame, table_asset
from assets.steps.workspace import Workspace
from schemas.tables.core import RECORD_SOURCES, RESOURCES, STATEMENTS, ZIPS
from schemas.tables.out import QUALITY

_COLUMNS = [
    "resource_id",
    "name",
    "resource_type",
    "is_active",
    "is_confidential",
    "address",
    "state",
    "zip",
    "lat",
    "lng",
    "location_precision",
    "phone",
    "phone_e164",
    "website",
    "schedules_json",
    "is_hours_current",
    "verification_status",
    "last_verified_date",
    "data_source",
]
_COLUMNS_BEHIND = ["resource_id", "source_id", "is_primary"]
_ZIP_COLUMNS = ["zip", "lat", "lng", "is_quality_low"]
_STATED_COLUMNS = [
    "resource_id",
    "field_name",
    "source_id",
    "source_key",
    "value",
    "is_contradicted",
]


def _load(workspace: Workspace, name: str, columns: Sequence[str] | None) -> pd.DataFrame:
    if name == STATEMENTS.name:
        return read_statements(workspace.path(name), _STATED_COLUMNS)
    return load_frame(workspace, name, columns)


@blocking_check(
    asset=QUALITY.name,
    name="contradictions",
    description=(
        "Nothing is published that contradicts itself: shops as free food, shelters with a street."
    ),
)
def quality_has_no_contradiction(workspace: Workspace) -> dg.AssetCheckResult:
    return check_result(find_blocking_failures(workspace.read(QUALITY.name)), "no contradiction")


out_directory__quality_checks = table_asset(
    QUALITY,
    reads={
        RESOURCES.name: _COLUMNS,
        RECORD_SOURCES.name: _COLUMNS_BEHIND,
        ZIPS.name: _ZIP_COLUMNS,
        STATEMENTS.name: _STATED_COLUMNS,
    },
    group="directory",
    load=_load,
    checks=[quality_has_no_contradiction],
    describe=lambda checks: {"beyond_limit": int((~checks["is_passed"]).sum())},
)(quality_checks)
