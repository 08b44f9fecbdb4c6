"""Places with free food for every 1,000 residents: ratio, rank and tier of each state."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from schemas.vocab.coverage_tiers import COVERAGE_TIERS
from schemas.vocab.populations import Population
from schemas.vocab.states import FIFTY_ONE


def with_coverage(totals: pd.DataFrame, populations: Mapping[str, Population]) -> pd.DataFrame:
    """Add residents, their source, ratio, rank and tier to `totals` (with `state` and
    `free_food_count`).

    Stores and schools do not count: a state that lists only them has no food to give. The ratio is
    rounded to four places, and rank and tier follow the rounded ratio, so that readers can check
    both. States without known residents get none of them; territories get no rank.
    """
    known = [populations.get(code) for code in totals["state"]]
    people = pd.array([p.people if p else pd.NA for p in known], dtype="Int64")
    counted = totals["free_food_count"].to_numpy(dtype="float64")
    residents = people.to_numpy(dtype="float64", na_value=np.nan)
    ratio = pd.Series((1000 * counted / residents).round(4), index=totals.index)
    is_ranked = totals["state"].isin(FIFTY_ONE) & ratio.notna()
    return totals.assign(
        population=people,
        population_source=pd.array([p.source if p else None for p in known], dtype="str"),
        population_date=pd.Series([p.on if p else None for p in known], totals.index, dtype=object),
        resources_per_1000_residents=ratio,
        coverage_rank=ratio.where(is_ranked).rank(method="min", ascending=False).astype("Int64"),
        coverage_tier=tiers(ratio),
    )


def tiers(ratio: pd.Series) -> pd.Series:
    """Return the tier of each ratio; none where the ratio is not known."""
    edges = np.array([tier.minimum for tier in COVERAGE_TIERS])
    names = np.array([tier.id for tier in COVERAGE_TIERS], dtype=object)
    found = np.searchsorted(edges, ratio.fillna(0).to_numpy(), side="right") - 1
    return pd.Series(names[found], index=ratio.index, dtype=object).where(ratio.notna(), None)
