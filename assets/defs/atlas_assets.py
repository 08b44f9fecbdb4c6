"""Totals by state and city and single figures, each held against the resources by a blocking check."""

from collections.abc import Callable, Mapping

import dagster as dg

from assets.atlas import ATLAS_COLUMNS, city_totals, state_totals
from assets.defs.freshness import checked, is_made, recipe_of, reused
from assets.defs.lineage import blocking_check, recorded
from assets.defs.source_assets import OWNERS
from assets.defs.workspace import Workspace, measured
from assets.figures import FIGURE_COLUMNS, figures
from schemas.table import Table
from schemas.tables.atlas import CITY_TOTALS, FIGURES, STATE_TOTALS
from schemas.tables.core import DOUBTFUL_PAIRS, IDENTITIES, RECORD_SOURCES, RESOURCES
from warehouse.check import Finding
from warehouse.parquet import row_count
from warehouse.totals_check import city_disagreements, figure_disagreements, state_disagreements

_KINDS = {"pandas", "parquet"}
_ATLAS_CODE = ["assets.atlas", "assets.coverage", "assets.leaderboard", "schemas"]
# Of each table only what is read, by the steps and by their checks: most changes are to nothing
# else.
_READ = {RESOURCES.name: ATLAS_COLUMNS}
FIGURES_READ = {
    RESOURCES.name: FIGURE_COLUMNS,
    RECORD_SOURCES.name: ["resource_id", "source_id", "match_reason"],
    IDENTITIES.name: ["resource_id", "id_status"],
}
_RECOUNTED = {name: FIGURES_READ[name] for name in (RESOURCES.name, RECORD_SOURCES.name)}


@dg.asset(
    group_name="statistics",
    kinds=_KINDS,
    owners=OWNERS,
    description=STATE_TOTALS.description,
    deps=[RESOURCES.name],
)
@recorded()
def out_directory__state_totals(workspace: Workspace) -> dg.MaterializeResult:
    recipe = recipe_of(workspace, columns=_READ, code=_ATLAS_CODE)
    if is_made(workspace, recipe, STATE_TOTALS.name):
        return reused(workspace, recipe, STATE_TOTALS.name)
    with measured() as step:
        totals = state_totals(workspace.read(RESOURCES.name, ATLAS_COLUMNS))
        metadata = workspace.write(STATE_TOTALS.name, totals, STATE_TOTALS, recipe.notes)
    covered = int((totals["resource_count"] > 0).sum())
    return dg.MaterializeResult(metadata={**metadata, "states_covered": covered, **step.metadata()})


@dg.asset(
    group_name="statistics",
    kinds=_KINDS,
    owners=OWNERS,
    description=CITY_TOTALS.description,
    deps=[RESOURCES.name],
)
@recorded()
def out_directory__city_totals(workspace: Workspace) -> dg.MaterializeResult:
    recipe = recipe_of(workspace, columns=_READ, code=_ATLAS_CODE)
    if is_made(workspace, recipe, CITY_TOTALS.name):
        return reused(workspace, recipe, CITY_TOTALS.name)
    with measured() as step:
        totals = city_totals(workspace.read(RESOURCES.name, ATLAS_COLUMNS))
        metadata = workspace.write(CITY_TOTALS.name, totals, CITY_TOTALS, recipe.notes)
    return dg.MaterializeResult(
        metadata={**metadata, **step.metadata()}, data_version=recipe.version
    )


@dg.asset(
    group_name="statistics",
    kinds=_KINDS,
    owners=OWNERS,
    description=FIGURES.description,
    deps=[*FIGURES_READ, DOUBTFUL_PAIRS.name],
)
@recorded()
def out_directory__figures(workspace: Workspace) -> dg.MaterializeResult:
    pairs_left = row_count(workspace.path(DOUBTFUL_PAIRS.name))
    recipe = recipe_of(
        workspace,
        columns=FIGURES_READ,
        code=["assets.figures", "assets.atlas", "schemas"],
        settings=[pairs_left],
    )
    if is_made(workspace, recipe, FIGURES.name):
        return reused(workspace, recipe, FIGURES.name)
    with measured() as step:
        resources, records, ids = (workspace.read(*read) for read in FIGURES_READ.items())
        made = figures(resources, records, ids, pairs_left)
        metadata = workspace.write(FIGURES.name, made, FIGURES, recipe.notes)
    return dg.MaterializeResult(
        metadata={**metadata, **step.metadata()}, data_version=recipe.version
    )


@blocking_check(
    asset=STATE_TOTALS.name,
    name="state_totals_agree",
    reads=[RESOURCES.name],
    description="Every count by state is what the resources give when they are counted again.",
)
def state_totals_agree(workspace: Workspace) -> dg.AssetCheckResult:
    return _agreement(workspace, state_disagreements, STATE_TOTALS, _READ)


@blocking_check(
    asset=CITY_TOTALS.name,
    name="city_totals_agree",
    reads=[RESOURCES.name],
    description="Every count by city is what the resources give when they are counted again.",
)
def city_totals_agree(workspace: Workspace) -> dg.AssetCheckResult:
    return _agreement(workspace, city_disagreements, CITY_TOTALS, _READ)


@blocking_check(
    asset=FIGURES.name,
    name="figures_agree",
    reads=[RESOURCES.name, RECORD_SOURCES.name],
    description="Every figure is what the resources and their source records give when they are counted again.",
)
def figures_agree(workspace: Workspace) -> dg.AssetCheckResult:
    return _agreement(workspace, figure_disagreements, FIGURES, _RECOUNTED)


def _agreement(
    workspace: Workspace,
    count: Callable[..., list[Finding]],
    table: Table,
    read: Mapping[str, list[str]],
) -> dg.AssetCheckResult:
    """The outcome of counting a table again from the columns of others that are read for it."""
    recipe = recipe_of(
        workspace, tables=[table.name], columns=read, code=["schemas", "warehouse.totals_check"]
    )
    paths = [workspace.path(name) for name in (table.name, *read)]
    return checked(workspace, f"agreement.{table.name}", recipe, lambda: _result(count(*paths)))


def _result(findings: list[Finding]) -> dg.AssetCheckResult:
    return dg.AssetCheckResult(
        passed=not findings,
        severity=dg.AssetCheckSeverity.ERROR,
        description="; ".join(map(str, findings)) or "all totals agree",
        metadata={finding.rule: finding.broken for finding in findings},
    )


ATLAS_ASSETS = [out_directory__state_totals, out_directory__city_totals, out_directory__figures]
ATLAS_CHECKS = [state_totals_agree, city_totals_agree, figures_agree]
