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


# Write the quality checks of a release as a page of HTML.


def quality_page(checks: pd.DataFrame, release_id: str) -> str:
    """Return the checks as a small page of HTML that prints well; failures first."""
    order = {"blocking": 0, "warning": 1, "figure": 2}
    in_order = checks.assign(_order=checks["severity"].map(order)).sort_values(
        ["is_passed", "_order", "check_id", "check_group"], kind="stable"
    )
    visible = in_order[
        ["check_id", "check_group", "measured", "threshold", "severity", "is_passed", "detail"]
    ]
    table = visible.to_html(
        index=False, border=0, na_rep="", float_format="{:g}".format, escape=True
    )
    failure_count = int((~checks["is_passed"]).sum())
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Quality of release {release_id}</title>"
        "<style>body{font:17px/1.5 system-ui;max-width:70rem;margin:1rem auto;padding:0 1rem}"
        "table{border-collapse:collapse;font-size:.85rem}td,th{padding:.25rem "
        ".5rem;text-align:left;"
        "border-bottom:1px solid #ccc;vertical-align:top}</style></head><body>"
        f"<h1>Quality of release {release_id}</h1>"
        f"<p>{len(checks)} measures, {failure_count} beyond their "
        f"limit.</p>\n{table}</body></html>\n"
    )
