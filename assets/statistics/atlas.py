"""Counts the active resources by state and by city.

States also get the number of places per 1,000 residents, and a rank by their pantries that a
partner has verified.
"""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from schemas.tables.core import CITY_TOTALS, STATE_TOTALS
from schemas.vocab.food_access import COVERAGE_TIERS
from schemas.vocab.resource_types import PANTRY_CLASS, TYPE_IDS, TYPES_BY_MODE
from schemas.vocab.states import FIFTY_ONE, POPULATIONS, STATE_CODES, Population
from schemas.vocab.statuses import EXACT_PRECISIONS, VERIFICATION_STATUSES

# Columns of the resources that the totals are made from.
ATLAS_COLUMNS = [
    "resource_id",
    "state",
    "city",
    "zip",
    "county_fips",
    "lat",
    "lng",
    "location_precision",
    "resource_type",
    "verification_status",
    "schedules_json",
    "is_hours_current",
    "is_active",
]
# Column of the totals -> the one type it counts.
COUNTED_TYPES = {
    "food_pantries": "food_pantry",
    "food_banks": "food_bank",
    "soup_kitchens": "soup_kitchen",
    "mobile_pantries": "mobile_pantry",
    "community_fridges": "community_fridge",
    "wic_clinics": "wic_office",
    "school_meal_sites": "school_meal",
    "summer_meal_sites": "summer_meal",
    "fqhc_health_centers": "health_center",
    "head_start_centers": "head_start",
    "snap_retailers": "snap_retailer",
}


def type_counts(resources: pd.DataFrame) -> pd.DataFrame:
    """Return the number of active resources by state and type in the columns of `TYPE_COUNTS`."""
    by_type = resources[resources["is_active"]].groupby(["state", "resource_type"], sort=True)
    return by_type.size().rename("resource_count").reset_index()


def state_totals(
    resources: pd.DataFrame, populations: Mapping[str, Population] = POPULATIONS
) -> pd.DataFrame:
    """Return one row for each state and territory in the columns of `STATE_TOTALS`.

    `resources` has `ATLAS_COLUMNS`; rows that are not active do not count. A state that
    `populations` lacks gets no ratio.
    """
    active = resources[resources["is_active"]]
    state = active["state"]
    is_pantry = active["resource_type"].isin(PANTRY_CLASS)
    is_partner = active["verification_status"] == "partner_verified"
    marks = pd.DataFrame(
        {
            "resource_count": True,
            "pantry_class_count": is_pantry,
            "free_food_count": active["resource_type"].isin(TYPES_BY_MODE["free"]),
            "partner_verified_pantries": is_pantry & is_partner,
            "pantry_hours_known_count": is_pantry & active["is_hours_current"],
            "pantry_hours_old_count": is_pantry
            & active["schedules_json"].notna()
            & ~active["is_hours_current"],
            "exact_point_count": active["location_precision"].isin(EXACT_PRECISIONS),
            "without_city_count": active["city"].isna(),
        },
        index=active.index,
    )
    by_type = _counts(state, active["resource_type"], TYPE_IDS)
    by_status = _counts(state, active["verification_status"], VERIFICATION_STATUSES)
    totals = marks.groupby(state).sum().reindex(list(STATE_CODES), fill_value=0)
    for name, type_id in COUNTED_TYPES.items():
        totals[name] = by_type[type_id]
    totals["partner_verified"] = by_status["partner_verified"]
    totals["verified_count"] = by_status["verified"]
    totals["unverified_count"] = by_status["unverified"]
    different = {
        "zip_count": active["zip"],
        "city_count": active["city"].str.lower(),
        "county_count": active["county_fips"],
    }
    for name, values in different.items():
        totals[name] = values.groupby(state).nunique().reindex(totals.index, fill_value=0)
    totals["leaderboard_rank"] = leaderboard_ranks(totals["partner_verified_pantries"])
    totals = with_coverage(totals.rename_axis("state").reset_index(), populations)
    return totals[STATE_TOTALS.field_names]


def _counts(state: pd.Series, kind: pd.Series, kinds: tuple[str, ...]) -> pd.DataFrame:
    """Return the number of rows by state and kind, all of both."""
    counts = pd.crosstab(state, kind)
    return counts.reindex(index=list(STATE_CODES), columns=list(kinds), fill_value=0)


def city_totals(resources: pd.DataFrame) -> pd.DataFrame:
    """Return one row for each city with active resources, in the columns of `CITY_TOTALS`."""
    active = resources[resources["is_active"] & resources["city"].notna()]
    keys = [active["state"].rename("state"), active["city"].str.lower().rename("folded")]
    marks = pd.DataFrame(
        {
            "resource_count": 1,
            "pantry_class_count": active["resource_type"].isin(PANTRY_CLASS).astype("int64"),
            "free_food_count": active["resource_type"].isin(TYPES_BY_MODE["free"]).astype("int64"),
        },
        index=active.index,
    )
    totals = marks.groupby(keys).sum()
    # One misplaced point does not move the median.
    points = active[["lat", "lng"]].groupby(keys).median().round(5)
    # The most common spelling of each city; of equally common ones, the first in the alphabet.
    spelt = active.groupby([*keys, active["city"]]).size().rename("times").reset_index()
    spelt = spelt.sort_values(["times", "city"], ascending=[False, True], kind="stable")
    spelt = spelt.drop_duplicates(["state", "folded"]).set_index(["state", "folded"])["city"]
    totals = totals.join(points).join(spelt).reset_index()
    return totals[CITY_TOTALS.field_names].sort_values(["state", "city"], ignore_index=True)


def leaderboard_ranks(partner_verified_pantries: pd.Series) -> pd.Series:
    """Return ranks, 1 for the most; equal numbers share a rank (1, 2, 2, 4).

    A state without a partner-verified pantry has no rank.
    """
    some = partner_verified_pantries.where(partner_verified_pantries > 0)
    return some.rank(method="min", ascending=False).astype("Int64")


def with_coverage(totals: pd.DataFrame, populations: Mapping[str, Population]) -> pd.DataFrame:
    """Add residents, their source, ratio, rank and tier to `totals` (with `state`,
    `resource_count` and `free_food_count`).

    Ratio and rank count all places. The tier counts places with free food, since stores and schools
    give none away. Ratios are rounded to four places, and rank and tier follow the rounded ratios,
    so that readers can check both. A state whose residents are unknown has none of them, and a
    territory has no rank.
    """
    residents_of_state = [populations.get(code) for code in totals["state"]]
    people = pd.array([p.people if p else pd.NA for p in residents_of_state], dtype="Int64")
    residents = people.to_numpy(dtype="float64", na_value=np.nan)

    def per_1000(count: str) -> pd.Series:
        places = totals[count].to_numpy(dtype="float64")
        return pd.Series((1000 * places / residents).round(4), index=totals.index)

    ratio = per_1000("resource_count")
    is_ranked = totals["state"].isin(FIFTY_ONE) & ratio.notna()
    return totals.assign(
        population=people,
        population_source=pd.array(
            [p.source if p else None for p in residents_of_state], dtype="str"
        ),
        population_date=pd.Series(
            [p.on if p else None for p in residents_of_state], totals.index, dtype=object
        ),
        resources_per_1000_residents=ratio,
        coverage_rank=ratio.where(is_ranked).rank(method="min", ascending=False).astype("Int64"),
        coverage_tier=tiers(per_1000("free_food_count")),
    )


def tiers(ratio: pd.Series) -> pd.Series:
    """Return the tier of each ratio; missing for unknown ratios."""
    edges = np.array([tier.minimum for tier in COVERAGE_TIERS])
    names = np.array([tier.id for tier in COVERAGE_TIERS], dtype=object)
    positions = np.searchsorted(edges, ratio.fillna(0).to_numpy(), side="right") - 1
    return pd.Series(names[positions], index=ratio.index, dtype=object).where(ratio.notna(), None)
