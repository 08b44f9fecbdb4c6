"""Dates a place, and limits how long its hours may be asserted (`schemas.vocab.statuses`)."""

import datetime
from collections.abc import Sequence
from typing import NamedTuple

import pandas as pd

from schemas.sources.registry import Source
from schemas.vocab.statuses import DATE_KINDS, HOURS_HOLD_FOR_DAYS, DateKind

HOURS_DATES = ["hours_date", "hours_date_basis", "hours_until_date"]
PLACE_DATES = tuple(f"{kind}_date" for kind in DATE_KINDS)


class HoursDate(NamedTuple):
    """The day that vouches for hours, its kind, and the last day on which it does."""

    day: datetime.date
    basis: DateKind
    until: datetime.date


def newest_dates(rows: pd.DataFrame, as_of: pd.Timestamp) -> pd.DataFrame:
    """Return the newest `PLACE_DATES` of the records of each resource, ordered by resource_id.

    A future date is a typing error and does not count.
    """
    dates = pd.DataFrame({name: pd.to_datetime(rows[name]) for name in PLACE_DATES})
    newest = dates.where(dates <= as_of).groupby(rows["resource_id"], sort=True).max()
    return newest.apply(lambda days: days.dt.date.astype(object).where(days.notna(), None))


def hours_dates(
    records: pd.DataFrame, sources: dict[str, Source], as_of: pd.Timestamp
) -> pd.DataFrame:
    """Return `HOURS_DATES` of records with `source_id` and `PLACE_DATES`.

    The date that vouches for the hours longest counts; of equal ones, the strongest. A date that
    does not vouch for hours still states their age.
    """
    authorities = {s.id: s.authority for s in sources.values()}
    living = {s.id: s.freshness_days for s in sources.values() if s.is_living}
    dates = records[["source_id", *PLACE_DATES]].astype("str").fillna("")
    # A few thousand combinations occur: each is evaluated once.
    codes, combinations = pd.factorize(pd.MultiIndex.from_frame(dates))
    date_rows = [
        hours_date(
            authorities.get(source_id), _collect_dates(days, as_of.date()), living.get(source_id)
        )
        or (None, None, None)
        for source_id, *days in combinations
    ]
    table = pd.DataFrame(date_rows, columns=HOURS_DATES, dtype=object)
    return table.take(codes).set_axis(records.index)


def _collect_dates(texts: Sequence[str], as_of: datetime.date) -> dict[DateKind, datetime.date]:
    """Collect the known dates that are not in the future, in the order of `DATE_KINDS`."""
    days = {
        kind: datetime.date.fromisoformat(text[:10])
        for kind, text in zip(DATE_KINDS, texts, strict=True)
        if text[:1].isdigit()
    }
    return {kind: day for kind, day in days.items() if day <= as_of}


def hours_date(
    authority: str | None, days: dict[DateKind, datetime.date], living_days: int | None = None
) -> HoursDate | None:
    """Return the date that vouches for the hours of a record, by the kind of its source; None
    without a date.

    A row's own date takes precedence over the edition's, since repeating a row does not make it
    newer. A living list is the exception: its publisher keeps it current, so a fetch vouches for
    its hours for `living_days`, until the next fetch is overdue.
    """
    if authority is None or not days:
        return None
    if len(days) > 1 and living_days is None:
        days = {kind: day for kind, day in days.items() if kind != "listed"}
    holding = HOURS_HOLD_FOR_DAYS[authority]
    limits = {kind: getattr(holding, kind) for kind in days}
    if living_days is not None and "listed" in limits:
        limits["listed"] = living_days
    candidates = [
        HoursDate(day, kind, day + datetime.timedelta(days=limits[kind] or -1))
        for kind, day in days.items()
    ]
    order = {kind: -place for place, kind in enumerate(DATE_KINDS)}
    return max(candidates, key=lambda one: (one.until, one.day, order[one.basis]))


def is_current(resources: pd.DataFrame, as_of: pd.Timestamp) -> pd.Series:
    """Return `is_hours_current`: whether a resource's hours are readable and assertable."""
    until = pd.to_datetime(resources["hours_until_date"])
    is_shown = resources["schedules_json"].notna() & (until >= as_of)
    return is_shown.fillna(False).astype("boolean")
