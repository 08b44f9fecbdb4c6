"""Shares of listings like a resource's that were still right, on the day of the build."""

import pandas as pd

from assets.directory.record_dates import PLACE_DATES
from schemas.vocab.still_true import FACTS, Fact, likelihood

# The field that must be known for there to be a fact, and those whose newest date is its age.
_FIELDS: dict[Fact, tuple[str, tuple[str, ...]]] = {
    "exists": ("name", PLACE_DATES),
    "phone": ("phone", PLACE_DATES),
    "hours": ("schedules_json", ("hours_date",)),
}


def with_shares(resources: pd.DataFrame, as_of: pd.Timestamp) -> pd.DataFrame:
    """Return resources with `p_exists`, `p_phone` and `p_hours`; missing without evidence."""
    found = {}
    for fact in FACTS:
        known, dates = _FIELDS[fact]
        newest = resources[list(dates)].apply(pd.to_datetime).max(axis=1)
        days = (as_of - newest).dt.days.where(resources[known].notna())
        # A few thousand combinations occur: each is computed once.
        codes, pairs = pd.factorize(pd.MultiIndex.from_arrays([resources["resource_type"], days]))
        shares = pd.Series([_share(fact, *pair) for pair in pairs], dtype="float64")
        found[f"p_{fact}"] = shares.take(codes).set_axis(resources.index)
    return resources.assign(**found)


def _share(fact: Fact, resource_type: str, days: float) -> float | None:
    known = None if pd.isna(days) or days < 0 else likelihood(fact, resource_type, int(days))
    return None if known is None else known.p
