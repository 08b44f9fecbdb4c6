"""Invented records for matching tests."""

from __future__ import annotations

from typing import Any

import pandas as pd

from assets.matching.matching import LOCATED_COLUMNS, Matching, cluster

NUMBERS = {"lat", "lng"}


def located(*records: dict[str, Any]) -> pd.DataFrame:
    """Records in the columns of matching; each is its own source unless it says otherwise."""
    rows = [
        {"source_id": f"list_{n}", "source_key": str(n), "state": "OR", **record}
        for n, record in enumerate(records, start=1)
    ]
    frame = pd.DataFrame(rows).reindex(columns=LOCATED_COLUMNS)
    types = {name: "float64" if name in NUMBERS else "str" for name in LOCATED_COLUMNS}
    return frame.astype(types)


def verdict(one: dict[str, Any], other: dict[str, Any]) -> str:
    """ "same", "doubtful" or "different" for a pair of records."""
    matching = cluster(located(one, other))
    if matching.clusters["cluster_id"].nunique() == 1:
        return "same"
    return "doubtful" if len(matching.doubtful) else "different"


def groups(matching: Matching) -> set[frozenset[str]]:
    """Clusters as sets of "source:key"."""
    rows = matching.clusters
    member = rows["source_id"] + ":" + rows["source_key"]
    return {frozenset(part) for _, part in member.groupby(rows["cluster_id"])}
