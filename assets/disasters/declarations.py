"""Prepares disaster declarations for the release."""

from datetime import UTC, date, datetime

import pandas as pd

from warehouse.disaster_file import Declaration, Edition, cutoff_day

_COLUMNS = list(Declaration.__struct_fields__)
_DATES = [name for name in _COLUMNS if name.endswith("_date")]


def recent_declarations(areas: pd.DataFrame, as_of: date) -> list[Declaration]:
    """Return the declarations to serve on the day `as_of`, in the service's order."""
    since = pd.Timestamp(cutoff_day(as_of))
    days = areas[
        ["declaration_date", "incident_begin_date", "incident_end_date", "last_ia_filing_date"]
    ]
    latest = days.apply(pd.to_datetime).max(axis=1)
    order = ["disaster_number", "declaration_type", "designated_area", "county_fips"]
    recent = areas.loc[latest >= since, _COLUMNS].sort_values(order, na_position="first")
    plain = recent.astype("object").where(recent.notna(), None)
    for name in _DATES:
        plain[name] = [_day(value) for value in plain[name]]
    return [Declaration(**row) for row in plain.to_dict("records")]


def edition_of(
    areas: pd.DataFrame, as_of: date, checked_at: datetime, is_synthetic: bool
) -> Edition:
    """Return the data's edition: FEMA's newest date, and the times of fetching and checking."""
    updated = pd.to_datetime(areas["source_updated_date"]).max()
    newest = pd.to_datetime(areas["declaration_date"]).max()
    retrieved = areas["retrieved_at"].max() if len(areas) else None
    return Edition(
        as_of=_day(updated),
        newest_declaration_date=_day(newest),
        cutoff_day=cutoff_day(as_of),
        retrieved_at=retrieved.to_pydatetime().astimezone(UTC) if retrieved is not None else None,
        checked_at=checked_at,
        files=sorted(areas["file_name"].unique()),
        is_synthetic=is_synthetic,
    )


def _day(value: object) -> date | None:
    if value is None or pd.isna(value):
        return None
    day: date = pd.Timestamp(value).date()
    return day
