"""Checks contacts of listings: whether websites respond and telephone numbers can be valid."""

from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime
from functools import cache

import dagster as dg
import pandas as pd
import phonenumbers
from phonenumbers import PhoneNumberType

from assets.steps.keys import keys_of
from assets.steps.tables import asset_of, read
from assets.steps.workspace import Workspace, read_served_table
from schemas.sources.registry import sources
from schemas.table import Table
from schemas.tables.core import LOCATED, PHONE_VALIDATIONS, WEBSITE_PROBES
from schemas.vocab.states import STATES
from schemas.vocab.statuses import PROBE_FAILURES, PROBE_SUCCESSES
from warehouse.fetch.probing import Probe, ProbeSettings, probe_websites

_REGIONS = frozenset({"US", "PR", "VI", "GU", "AS", "MP"})
_STATE_OF_REGION = {region: region for region in _REGIONS - {"US"}}
_TYPES = {
    PhoneNumberType.FIXED_LINE: "fixed_or_mobile",
    PhoneNumberType.MOBILE: "fixed_or_mobile",
    PhoneNumberType.FIXED_LINE_OR_MOBILE: "fixed_or_mobile",
    PhoneNumberType.TOLL_FREE: "toll_free",
    PhoneNumberType.PREMIUM_RATE: "premium",
    PhoneNumberType.SHARED_COST: "shared_cost",
    PhoneNumberType.VOIP: "voip",
    PhoneNumberType.PERSONAL_NUMBER: "personal",
}
# Reserved for fiction: the plan assigns the prefix 555 to nobody, yet the format is valid.
_FICTION = r"\+1\d{3}55501\d\d"


def validate_phones(
    numbers: pd.DataFrame, previous: pd.DataFrame | None, as_of: date
) -> pd.DataFrame:
    """Return `core_directory__phone_validations`; an unchanged finding retains its date."""
    pairs = numbers[["phone_e164", "state"]].dropna().drop_duplicates(ignore_index=True)
    prefixes = (
        pairs["phone_e164"]
        .str.slice(0, 8)
        .str.cat(pairs["phone_e164"].str.len().astype("str"), "|")
    )
    codes, uniques = pd.factorize(prefixes)
    parsed = pd.DataFrame(
        [_of_prefix(prefix) for prefix in uniques],
        columns=["is_possible", "is_valid", "phone_type", "phone_state"],
    )
    validations = pd.concat([pairs, parsed.take(codes).reset_index(drop=True)], axis=1)
    validations["is_valid"] = validations["is_valid"] | validations["phone_e164"].str.fullmatch(
        _FICTION
    )
    has_state = validations["phone_state"].notna()
    match = (validations["phone_state"] == validations["state"]).astype("boolean")
    validations["is_state_match"] = match.where(has_state)
    validations["validated_on"] = _dates(validations, previous, as_of)
    return validations[PHONE_VALIDATIONS.field_names]


def _dates(validations: pd.DataFrame, previous: pd.DataFrame | None, as_of: date) -> pd.Series:
    if previous is None or previous.empty:
        return pd.Series(as_of, index=validations.index, dtype=object)
    keys = ["phone_e164", "state", "is_possible", "is_valid", "phone_type"]
    dated = validations[keys].merge(previous[[*keys, "validated_on"]], how="left", on=keys)
    dates = dated["validated_on"].astype(object).set_axis(validations.index)
    return dates.where(dates.notna(), as_of)


def _of_prefix(prefix: str) -> tuple[bool, bool, str, str | None]:
    """Return possible, valid, type and state by the first six digits and the length."""
    start, _, length = prefix.partition("|")
    text = start.ljust(int(length), "0") if int(length) > len(start) else start
    try:
        number = phonenumbers.parse(text, None)
    except phonenumbers.NumberParseException:
        return False, False, "other", None
    possible = phonenumbers.is_possible_number(number)
    if not possible:
        return False, False, "other", None
    region = phonenumbers.region_code_for_number(number)
    valid = region in _REGIONS
    kind = _TYPES.get(phonenumbers.number_type(number), "other")
    if number.country_code != 1 or kind == "toll_free":
        return True, valid, kind, None
    return True, valid, kind, _STATE_OF_REGION.get(region or "") or state_of_area(start[2:5])


@cache
def state_of_area(area: str) -> str | None:
    """Return the state of an area code by the numbering plan's metadata, None if it names none."""
    number = phonenumbers.PhoneNumber(country_code=1, national_number=int(f"{area}5550123"))
    from phonenumbers import geocoder  # noqa: PLC0415 - its table of places costs every build a third of a second

    words = geocoder.description_for_number(number, "en")
    return _STATE_BY_NAME.get(words) or _STATE_BY_NAME.get(words.rpartition(", ")[2])


_STATE_BY_NAME = {
    **{state.name: code for code, state in STATES.items()},
    **{code: code for code in STATES},
    "Washington D.C.": "DC",
    "Washington, D.C.": "DC",
}


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
