"""The quality of a build as a table, and its blocking check."""

import dagster as dg

from assets.defs.freshness import is_made, recipe_of, reused
from assets.defs.lineage import blocking_check, recorded
from assets.defs.source_assets import OWNERS
from assets.defs.workspace import Workspace, measured
from assets.quality import failed_blocking, quality_checks
from schemas.tables.core import RECORD_SOURCES, RESOURCES
from schemas.tables.out import QUALITY

_COLUMNS = [
    "resource_id",
    "name",
    "resource_type",
    "is_active",
    "is_confidential",
    "address",
    "lat",
    "lng",
    "location_precision",
    "phone",
    "phone_e164",
    "website",
    "schedules_json",
    "data_source",
]
_COLUMNS_BEHIND = ["resource_id", "is_primary"]


@dg.asset(
    group_name="directory",
    kinds={"pandas", "parquet"},
    owners=OWNERS,
    description=QUALITY.description,
    deps=[RESOURCES.name, RECORD_SOURCES.name],
)
@recorded()
def out_directory__quality_checks(workspace: Workspace) -> dg.MaterializeResult:
    recipe = recipe_of(
        workspace,
        columns={RESOURCES.name: _COLUMNS, RECORD_SOURCES.name: _COLUMNS_BEHIND},
        code=["assets.quality", "schemas"],
    )
    if is_made(workspace, recipe, QUALITY.name):
        return reused(workspace, recipe, QUALITY.name)
    with measured() as step:
        checks = quality_checks(
            workspace.read(RESOURCES.name, _COLUMNS),
            workspace.read(RECORD_SOURCES.name, _COLUMNS_BEHIND),
        )
        metadata = workspace.write(QUALITY.name, checks, QUALITY, recipe.notes)
    failed = int((~checks["is_passed"]).sum())
    return dg.MaterializeResult(metadata={**metadata, "beyond_limit": failed, **step.metadata()})


@blocking_check(
    asset=QUALITY.name,
    name="contradictions",
    description="Nothing is published that contradicts itself: shops as free food, shelters with a street.",
)
def quality_has_no_contradiction(workspace: Workspace) -> dg.AssetCheckResult:
    failed = failed_blocking(workspace.read(QUALITY.name))
    return dg.AssetCheckResult(
        passed=not failed, description="; ".join(failed) or "no contradiction"
    )
