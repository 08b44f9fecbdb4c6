"""Selects websites due for a probe, and stores the results."""

from collections.abc import Iterable

import pandas as pd

from schemas.tables.core import WEBSITE_PROBES
from schemas.vocab.statuses import PROBE_FAILURES, PROBE_SUCCESSES
from warehouse.fetch.probing import Probe

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
