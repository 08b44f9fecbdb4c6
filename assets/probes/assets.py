"""Checks contacts of listings: whether websites respond and telephone numbers can be valid."""

from collections.abc import Iterator
from datetime import UTC, date, datetime

import dagster as dg
import pandas as pd

from assets.probes.phone_validation import validate_phones
from assets.probes.url_probe import due_websites, list_websites, merge_probes, no_probes
from assets.steps.decorators import Facts, asset_spec, result_of_table, step, table_asset
from assets.steps.served import read_served_table
from assets.steps.workspace import Workspace, measure
from schemas.sources.registry import sources
from schemas.table import Table
from schemas.tables.checks import PHONE_VALIDATIONS, WEBSITE_PROBES
from warehouse.fetch.probing import ProbeSettings, probe_websites

_LOCATED = "_core_directory__located"
_NUMBERS = ["phone_e164", "state", "is_public"]
_REGISTER = sources()["va_facilities"].core_table


def _earlier_results(workspace: Workspace, table: Table) -> pd.DataFrame | None:
    """Return the findings of earlier builds, released or not: a failed build has probed too."""
    path = workspace.path(table.name)
    return workspace.read(table.name) if path.exists() else read_served_table(workspace, table)


@step(
    asset_spec(WEBSITE_PROBES, [_LOCATED, _REGISTER]),
    name=WEBSITE_PROBES.name,
    group="checks",
)
def core_directory__website_probes(
    context: dg.AssetExecutionContext, workspace: Workspace
) -> Iterator[dg.MaterializeResult]:
    """Probe websites. Without `probe_urls` none is probed, and earlier findings are kept with their
    dates."""
    with measure() as cost:
        located = workspace.read(_LOCATED, ["website", "is_public", "is_confidential"])
        # Not published in the food directory, but in the data set of resources for veterans.
        register = workspace.read(_REGISTER, ["website", "is_confidential"]).assign(is_public=True)
        websites, probes = list_websites(pd.concat([located, register])), []
        previous = _earlier_results(workspace, WEBSITE_PROBES)
        previous = no_probes() if previous is None else previous
        if workspace.probe_urls:
            due = due_websites(websites, previous, pd.Timestamp(datetime.now(UTC)))
            settings = ProbeSettings(
                max_urls=workspace.probe_max_urls, max_seconds=workspace.probe_max_seconds
            )
            probes = probe_websites(due, settings)
            context.log.info(f"{len(probes)} of {len(due)} websites that were due were probed")
        merged_probes = merge_probes(websites, previous, probes)
        workspace.write(WEBSITE_PROBES.name, merged_probes, WEBSITE_PROBES)
    results = merged_probes["probe_result"].value_counts().to_dict()
    yield result_of_table(workspace, WEBSITE_PROBES, {"results": results, **cost.metadata()})


def _describe(validations: pd.DataFrame) -> Facts:
    return {
        "invalid": int((~validations["is_valid"]).sum()),
        "other_state": int(validations["is_state_match"].eq(False).sum()),
    }


@table_asset(
    PHONE_VALIDATIONS,
    reads={_LOCATED: _NUMBERS},
    group="checks",
    arguments=lambda workspace: {
        "previous": _earlier_results(workspace, PHONE_VALIDATIONS),
        "as_of": workspace.as_of_date,
    },
    describe=_describe,
)
def core_directory__phone_validations(
    located: pd.DataFrame, previous: pd.DataFrame | None, as_of: date
) -> pd.DataFrame:
    """Validate telephone numbers; unchanged numbers keep the dates of their findings."""
    return validate_phones(located[located["is_public"]], previous, as_of)
