"""Totals by state and city and single figures, each held against the resources by a blocking check."""

from collections.abc import Callable, Iterable

import dagster as dg
import pandas as pd

from assets.atlas import ATLAS_COLUMNS, city_totals, state_totals
from assets.defs.checks import blocking_check, check_result
from assets.defs.steps import table_asset
from assets.defs.workspace import Workspace
from assets.figures import FIGURE_COLUMNS, figures
from schemas.table import Table
from schemas.tables.atlas import CITY_TOTALS, FIGURES, STATE_TOTALS
from schemas.tables.core import DOUBTFUL_PAIRS, IDENTITIES, RECORD_SOURCES, RESOURCES
from warehouse.checks.declared import Finding
from warehouse.checks.totals import city_disagreements, figure_disagreements, state_disagreements

# Of each table only what is read, by the steps and by their checks: most changes are to nothing
# else.
_READ = {RESOURCES.name: ATLAS_COLUMNS}
FIGURES_READ = {
    RESOURCES.name: FIGURE_COLUMNS,
    RECORD_SOURCES.name: ["resource_id", "source_id", "match_reason"],
    IDENTITIES.name: ["resource_id", "id_status"],
}
_RECOUNTED = {name: FIGURES_READ[name] for name in (RESOURCES.name, RECORD_SOURCES.name)}


@blocking_check(
    asset=STATE_TOTALS.name,
    name="state_totals_agree",
    reads=_READ,
    description="Every count by state is what the resources give when they are counted again.",
)
def state_totals_agree(workspace: Workspace) -> dg.AssetCheckResult:
    return _agreement(workspace, state_disagreements, STATE_TOTALS, _READ)


@blocking_check(
    asset=CITY_TOTALS.name,
    name="city_totals_agree",
    reads=_READ,
    description="Every count by city is what the resources give when they are counted again.",
)
def city_totals_agree(workspace: Workspace) -> dg.AssetCheckResult:
    return _agreement(workspace, city_disagreements, CITY_TOTALS, _READ)


@blocking_check(
    asset=FIGURES.name,
    name="figures_agree",
    reads=_RECOUNTED,
    description="Every figure is what the resources and their source records give when they are counted again.",
)
def figures_agree(workspace: Workspace) -> dg.AssetCheckResult:
    return _agreement(workspace, figure_disagreements, FIGURES, _RECOUNTED)


def _agreement(
    workspace: Workspace, count: Callable[..., list[Finding]], table: Table, read: Iterable[str]
) -> dg.AssetCheckResult:
    """Count a table again from the others that are read for it."""
    paths = (workspace.path(name) for name in (table.name, *read))
    return check_result(count(*paths), "all totals agree")


out_directory__state_totals = table_asset(
    STATE_TOTALS,
    reads=_READ,
    group="statistics",
    checks=[state_totals_agree],
    describe=lambda totals: {"states_covered": int((totals["resource_count"] > 0).sum())},
)(state_totals)

out_directory__city_totals = table_asset(
    CITY_TOTALS, reads=_READ, group="statistics", checks=[city_totals_agree]
)(city_totals)


@table_asset(
    FIGURES,
    reads={**FIGURES_READ, DOUBTFUL_PAIRS.name: ["source_id"]},
    group="statistics",
    checks=[figures_agree],
)
def out_directory__figures(
    resources: pd.DataFrame, records: pd.DataFrame, ids: pd.DataFrame, pairs: pd.DataFrame
) -> pd.DataFrame:
    return figures(resources, records, ids, len(pairs))


ATLAS_ASSETS = [out_directory__state_totals, out_directory__city_totals, out_directory__figures]
