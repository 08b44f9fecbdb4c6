"""Places where nothing is given out for now: closed by a list's own words, or out of season."""

import pandas as pd

from schemas.vocab.resource_types import RESOURCE_TYPES

CLOSURE = ["closure", "closure_text", "closure_until_date"]
_HOURS = ["hours_text", "schedules_json", "hours_json"]
_DATES = ["confirmed_date", "updated_date", "source_updated_date", "listed_date"]


def close_for_now(rows: pd.DataFrame, as_of: pd.Timestamp) -> pd.DataFrame:
    """Return records without closures that have ended or that a newer record contradicts.

    A record contradicts the closure of another with the same `resource_id` if its date is newer and
    it gives hours. The dates of a record are its own before its list's.
    """
    is_closed = rows["closure"].notna()
    if not is_closed.any():
        return rows
    dates = pd.to_datetime(rows[_DATES].astype(object).bfill(axis=1).iloc[:, 0])
    until = pd.to_datetime(rows["closure_until_date"])
    gives_hours = rows["hours_text"].notna() & ~is_closed
    newest = dates.where(gives_hours).groupby(rows["resource_id"]).transform("max")
    has_ended = (until < as_of).fillna(False)
    is_contradicted = (newest > dates).fillna(False)
    over = is_closed & (has_ended | is_contradicted)
    return rows.assign(**{name: rows[name].mask(over) for name in CLOSURE})


def with_seasons(resources: pd.DataFrame, as_of: pd.Timestamp) -> pd.DataFrame:
    """Return resources with the closure of those out of season, and without rules of hours where
    closed: they hold again when it ends."""
    today = as_of.date()
    for kind in RESOURCE_TYPES.values():
        last = kind.last_day_between_seasons(today)
        if last is not None:
            where = (resources["resource_type"] == kind.id) & resources["closure"].isna()
            resources = _assign(resources, where, closure="season", closure_until_date=last)
    is_closed = resources["closure"].notna()
    return _assign(
        resources, is_closed, schedules_json=None, hours_json=None, is_hours_current=False
    )


def _assign(resources: pd.DataFrame, where: pd.Series, **values: object) -> pd.DataFrame:
    """Set columns of some rows, in the types that the columns have."""
    columns = {}
    for name, value in values.items():
        cells = resources[name].astype(object).to_numpy(copy=True)
        cells[where.to_numpy()] = value
        columns[name] = pd.Series(cells, resources.index, dtype=resources[name].dtype)
    return resources.assign(**columns) if where.any() else resources
