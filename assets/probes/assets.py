"""Checks contacts of listings: whether websites respond and telephone numbers can be valid."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

import dagster as dg
import pandas as pd

from assets.probes.phone_validation import validate_phones
from assets.steps.keys import keys_of
from assets.steps.tables import asset_of, read
from assets.steps.workspace import Workspace, read_served_table
from schemas.sources.registry import sources
from schemas.table import Table
from schemas.tables.core import LOCATED, PHONE_VALIDATIONS, WEBSITE_PROBES
from schemas.vocab.statuses import PROBE_FAILURES, PROBE_SUCCESSES
from warehouse.fetch.probing import Probe, ProbeSettings, probe_websites

# Consecutive probes count only on different nights; a repeated build probes no site twice.
MIN_HOURS_BETWEEN = 20


def no_probes() -> pd.DataFrame:
    """Return an empty table of probes."""
    types = {"http_status": "Int64", "failures_in_row": "Int64"}
    instants = dict.fromkeys(["probed_at", "last_success_at"], "datetime64[us, UTC]")
    return pd.DataFrame(columns=WEBSITE_PROBES.field_names).astype(types | instants)


def list_websites(located: pd.DataFrame) -> pd.Series:
    """Return the sorted distinct websites of publishable records."""
    is_shown = located["is_public"] & ~located["is_confidential"] & located["website"].notna()
    return located.loc[is_shown, "website"].drop_duplicates().sort_values().reset_index(drop=True)


def due_websites(websites: pd.Series, previous: pd.DataFrame, now: pd.Timestamp) -> list[str]:
    """Return websites to probe now: unprobed ones first, then the least recently probed."""
    probed = websites.map(previous.set_index("website")["probed_at"])
    wait = pd.Timedelta(hours=MIN_HOURS_BETWEEN)
    due = probed.isna() | (now - probed >= wait)
    order = pd.DataFrame({"website": websites[due], "probed_at": probed[due]})
    return list(order.sort_values(["probed_at", "website"], na_position="first")["website"])


def merge_probes(
    websites: pd.Series, previous: pd.DataFrame, probes: Iterable[Probe]
) -> pd.DataFrame:
    """Return the table with new probes, without websites that are no longer listed."""
    before = previous[previous["website"].isin(set(websites))].set_index("website", drop=False)
    failures, successes = before["failures_in_row"].to_dict(), before["last_success_at"].to_dict()
    rows = [_row(p, failures.get(p.website, 0), successes.get(p.website)) for p in probes]
    if not rows:
        return before.reset_index(drop=True)[WEBSITE_PROBES.field_names]
    fresh = _cast(pd.DataFrame(rows))
    earlier = before[~before["website"].isin(fresh["website"])]
    frames = [f for f in (earlier, fresh) if len(f)]
    merged = pd.concat(frames, ignore_index=True)[WEBSITE_PROBES.field_names]
    return merged.sort_values("website", ignore_index=True)


def _cast(rows: pd.DataFrame) -> pd.DataFrame:
    # A column of only unknown instants has no zone, and cannot be cast to one.
    instants = {n: pd.to_datetime(rows[n], utc=True) for n in ("probed_at", "last_success_at")}
    return rows.assign(**instants).astype(no_probes().dtypes.to_dict())


def _row(probe: Probe, failures: int, last_success: pd.Timestamp | None) -> dict[str, object]:
    if probe.result in PROBE_SUCCESSES:
        failures, last_success = 0, pd.Timestamp(probe.probed_at)
    elif probe.result in PROBE_FAILURES:
        failures = failures + 1
    return {
        "website": probe.website,
        "probe_result": probe.result,
        "http_status": probe.http_status,
        "final_url": probe.final_url,
        "probe_detail": probe.detail,
        "probed_at": probe.probed_at,
        "failures_in_row": failures,
        "last_success_at": last_success,
    }


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
