"""The quality of a build as a table, and its blocking check."""

from collections.abc import Iterator
from pathlib import Path

import dagster as dg
import pandas as pd

from assets.statistics.quality import find_blocking_failures, quality_checks, read_statements
from assets.steps.checks import check, check_result
from assets.steps.tables import asset_of, read
from assets.steps.workspace import Workspace
from schemas.tables.core import QUALITY, RECORD_SOURCES, RESOURCES, STATEMENTS, ZIPS

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
_STATED_COLUMNS = [
    "resource_id",
    "field_name",
    "source_id",
    "source_key",
    "value",
    "is_contradicted",
]


@check(
    asset=QUALITY.name,
    name="contradictions",
    description=(
        "Nothing is published that contradicts itself: shops as free food, shelters with a street."
    ),
)
def quality_has_no_contradiction(workspace: Workspace) -> dg.AssetCheckResult:
    return check_result(find_blocking_failures(workspace.read(QUALITY.name)), "no contradiction")


@dg.asset(
    ins={
        "resources": read(RESOURCES, _COLUMNS),
        "records": read(RECORD_SOURCES, ["resource_id", "source_id", "is_primary"]),
        "zips": read(ZIPS, ["zip", "lat", "lng", "is_quality_low"]),
        "stated": read(STATEMENTS),
    },
    **asset_of(QUALITY, "directory"),
)
def out_directory__quality_checks(
    resources: pd.DataFrame, records: pd.DataFrame, zips: pd.DataFrame, stated: Path
) -> Iterator[dg.Output[pd.DataFrame]]:
    checks = quality_checks(resources, records, zips, read_statements(stated, _STATED_COLUMNS))
    yield dg.Output(checks, metadata={"beyond_limit": int((~checks["is_passed"]).sum())})
