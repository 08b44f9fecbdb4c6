"""Checks of what listings say about themselves: do their websites answer, can their numbers be
right?
"""

from datetime import UTC, datetime

import dagster as dg
import pandas as pd

from assets.defs.freshness import is_made, recipe_of, reused
from assets.defs.lineage import recorded
from assets.defs.source_assets import OWNERS
from assets.defs.workspace import Workspace, measured
from assets.probes.phone_validation import validate_phones
from assets.probes.url_probe import due_websites, listed_websites, no_probes, remembered
from schemas.sources.registry import sources
from schemas.table import Table
from schemas.tables.checks import PHONE_VALIDATIONS, WEBSITE_PROBES
from warehouse.fetch.probing import ProbeSettings, probe_websites
from warehouse.parquet import read_frame

_LOCATED = "_core_directory__located"
_NUMBERS = ["phone_e164", "state", "is_public"]
_REGISTER = sources()["va_facilities"].core_table


def served_table(workspace: Workspace, table: Table) -> pd.DataFrame | None:
    """A table as the served release has it; None before the first release that has it."""
    current = workspace.releases.current()
    if current is None:
        return None
    path = workspace.releases.folder(current) / "exports" / f"{table.name}.parquet"
    return read_frame(path)[table.field_names] if path.exists() else None


def _kept(workspace: Workspace, table: Table) -> pd.DataFrame | None:
    """What earlier builds found, released or not: a build that failed has still asked."""
    path = workspace.path(table.name)
    return workspace.read(table.name) if path.exists() else served_table(workspace, table)


@dg.asset(
    group_name="checks",
    kinds={"pandas", "parquet"},
    owners=OWNERS,
    description=WEBSITE_PROBES.description,
    deps=[_LOCATED, _REGISTER],
)
@recorded()
def core_directory__website_probes(
    context: dg.AssetExecutionContext, workspace: Workspace
) -> dg.MaterializeResult:
    """Without `probe_urls` nobody is asked and earlier answers are carried on with their dates."""
    with measured() as step:
        located = workspace.read(_LOCATED, ["website", "is_public", "is_confidential"])
        # Not public in the food directory, but in the data set of resources for veterans.
        register = workspace.read(_REGISTER, ["website", "is_confidential"]).assign(is_public=True)
        websites, probes = listed_websites(pd.concat([located, register])), []
        previous = _kept(workspace, WEBSITE_PROBES)
        previous = no_probes() if previous is None else previous
        if workspace.probe_urls:
            due = due_websites(websites, previous, pd.Timestamp(datetime.now(UTC)))
            settings = ProbeSettings(
                max_urls=workspace.probe_most_urls, max_seconds=workspace.probe_most_seconds
            )
            probes = probe_websites(due, settings)
            context.log.info(f"{len(probes)} of {len(due)} websites that were due were probed")
        found = remembered(websites, previous, probes)
        metadata = workspace.write(WEBSITE_PROBES.name, found, WEBSITE_PROBES)
    results = found["probe_result"].value_counts().to_dict()
    return dg.MaterializeResult(metadata={**metadata, "results": results, **step.metadata()})


@dg.asset(
    group_name="checks",
    kinds={"pandas", "parquet"},
    owners=OWNERS,
    description=PHONE_VALIDATIONS.description,
    deps=[_LOCATED],
)
@recorded()
def core_directory__phone_validations(workspace: Workspace) -> dg.MaterializeResult:
    """Neither the date nor the earlier findings count where the numbers are the same: every finding
    keeps its date.
    """
    recipe = recipe_of(
        workspace,
        columns={_LOCATED: _NUMBERS},
        code=[validate_phones],
        settings=[PHONE_VALIDATIONS],
    )
    if is_made(workspace, recipe, PHONE_VALIDATIONS.name):
        return reused(workspace, recipe, PHONE_VALIDATIONS.name)
    with measured() as step:
        located = workspace.read(_LOCATED, _NUMBERS)
        previous = _kept(workspace, PHONE_VALIDATIONS)
        shown = located[located["is_public"]]
        found = validate_phones(shown, previous, workspace.as_of_date)
        metadata = workspace.write(PHONE_VALIDATIONS.name, found, PHONE_VALIDATIONS, recipe.notes)
    facts = {
        "invalid": int((~found["is_valid"]).sum()),
        "other_state": int(found["is_state_match"].eq(False).sum()),
    }
    return dg.MaterializeResult(metadata={**metadata, **facts, **step.metadata()})
