"""Checks contacts of listings: whether websites respond and telephone numbers can be valid."""

from collections.abc import Iterator
from datetime import UTC, datetime

import dagster as dg
import pandas as pd

from assets.probes.phone_validation import validate_phones
from assets.probes.url_probe import due_websites, list_websites, merge_probes, no_probes
from assets.steps.keys import keys_of
from assets.steps.served import read_served_table
from assets.steps.tables import asset_of, read
from assets.steps.workspace import Workspace
from schemas.sources.registry import sources
from schemas.table import Table
from schemas.tables.core import LOCATED, PHONE_VALIDATIONS, WEBSITE_PROBES
from warehouse.fetch.probing import ProbeSettings, probe_websites

_REGISTER = sources()["va_facilities"].core_table


def _earlier_results(workspace: Workspace, table: Table) -> pd.DataFrame | None:
    """Return the findings of earlier builds, released or not: a failed build has probed too."""
    path = workspace.path(table.name)
    return workspace.read(table.name) if path.exists() else read_served_table(workspace, table)


@dg.asset(
    ins={"register": read(_REGISTER, ["website", "is_confidential"])},
    deps=keys_of([LOCATED.name]),
    **asset_of(WEBSITE_PROBES, "probes"),
)
def core_directory__website_probes(
    context: dg.AssetExecutionContext, workspace: Workspace, register: pd.DataFrame
) -> Iterator[dg.Output[pd.DataFrame]]:
    """Probe websites. Without `probe_urls` none is probed, and earlier findings are kept with their
    dates."""
    located = workspace.read(LOCATED.name, ["website", "is_public", "is_confidential"])
    # Not published in the food directory, but in the data set of resources for veterans.
    websites = list_websites(pd.concat([located, register.assign(is_public=True)]))
    previous, probes = _earlier_results(workspace, WEBSITE_PROBES), []
    previous = no_probes() if previous is None else previous
    if workspace.probe_urls:
        due = due_websites(websites, previous, pd.Timestamp(datetime.now(UTC)))
        settings = ProbeSettings(
            max_urls=workspace.probe_max_urls, max_seconds=workspace.probe_max_seconds
        )
        probes = probe_websites(due, settings)
        context.log.info(f"{len(probes)} of {len(due)} websites that were due were probed")
    merged = merge_probes(websites, previous, probes)
    yield dg.Output(merged, metadata={"results": merged["probe_result"].value_counts().to_dict()})


@dg.asset(
    ins={"located": read(LOCATED, ["phone_e164", "state", "is_public"])},
    **asset_of(PHONE_VALIDATIONS, "probes"),
)
def core_directory__phone_validations(
    workspace: Workspace, located: pd.DataFrame
) -> Iterator[dg.Output[pd.DataFrame]]:
    """Validate telephone numbers; unchanged numbers keep the dates of their findings."""
    previous = _earlier_results(workspace, PHONE_VALIDATIONS)
    validations = validate_phones(located[located["is_public"]], previous, workspace.as_of_date)
    facts = {
        "invalid": int((~validations["is_valid"]).sum()),
        "other_state": int(validations["is_state_match"].eq(False).sum()),
    }
    yield dg.Output(validations, metadata=facts)
