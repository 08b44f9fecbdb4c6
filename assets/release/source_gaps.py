"""Compares the network's food banks with the directory's lists for their areas."""

from collections.abc import Mapping

import pandas as pd

from schemas.sources.registry import Source
from schemas.vocab.resource_types import TYPES_BY_MODE

GAP_COLUMNS = ["state", "name", "zips", "zips_with_free_food", "free_food_places", "living_sources"]


def source_gaps(
    food_banks: pd.DataFrame,
    resources: pd.DataFrame,
    record_sources: pd.DataFrame,
    sources: Mapping[str, Source],
) -> pd.DataFrame:
    """Return one row for each food bank, in `GAP_COLUMNS`, by state and name.

    `food_banks` has name, state and `served_zips`; `resources` `resource_id`, `resource_type`,
    `zip` and `is_active`; `record_sources` `resource_id` and `source_id`. A place counts in the
    area of its ZIP code. A source is live if it has a fetch address; `living_sources` are those
    with a place of free food in the area, separated by blanks.
    """
    is_free = resources["is_active"] & resources["resource_type"].isin(TYPES_BY_MODE["free"])
    free = resources.loc[is_free & resources["zip"].notna(), ["resource_id", "zip"]]
    living = {source_id for source_id, source in sources.items() if source.live}
    fetched = record_sources[record_sources["source_id"].isin(living)]
    alive = free.merge(fetched[["resource_id", "source_id"]], on="resource_id")
    by_zip = free["zip"].value_counts()
    sources_by_zip = alive.groupby("zip")["source_id"].unique()
    rows = []
    for bank in food_banks.itertuples(index=False):
        zips = set(bank.served_zips)
        counts = by_zip[by_zip.index.isin(zips)]
        source_ids = sorted(
            {s for z in zips & set(sources_by_zip.index) for s in sources_by_zip[z]}
        )
        rows.append(
            (bank.state, bank.name, len(zips), len(counts), int(counts.sum()), " ".join(source_ids))
        )
    return pd.DataFrame(rows, columns=GAP_COLUMNS).sort_values(["state", "name"], ignore_index=True)
