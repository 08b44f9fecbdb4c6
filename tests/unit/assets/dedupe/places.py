"""Invented records for matching tests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from assets.matching.matching import LOCATED_COLUMNS, Matching, cluster
from schemas.vocab.states import STATE_CODES

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


def verdicts(pairs: Sequence[tuple[dict[str, Any], dict[str, Any]]]) -> list[str]:
    """Return "same", "doubtful" or "different" for each pair, all matched in one run.

    Each pair has a state (unless it names its own) and telephone numbers that no other pair has.
    """

    def alone(place: int, state: str, n: int, record: dict[str, Any]) -> dict[str, Any]:
        phone = record.get("phone_e164")
        own = {"phone_e164": f"{phone[:6]}{place:02}{phone[8:]}"} if phone else {}
        where = {"state": state, "source_id": f"list_{n}"}
        return {**where, **record, **own, "source_key": f"{place}-{n}"}

    found: list[str] = []
    for begin in range(0, len(pairs), len(STATE_CODES)):
        records = [
            alone(place, state, n, record)
            for place, (state, pair) in enumerate(zip(STATE_CODES, pairs[begin:], strict=False))
            for n, record in enumerate(pair, start=1)
        ]
        matching = cluster(located(*records))
        clusters = matching.clusters["cluster_id"].to_numpy().reshape(-1, 2)
        doubtful = {int(key.partition("-")[0]) for key in matching.doubtful["source_key"]}
        found += [
            "same" if one == other else "doubtful" if place in doubtful else "different"
            for place, (one, other) in enumerate(clusters)
        ]
    return found


def groups(matching: Matching) -> set[frozenset[str]]:
    """Clusters as sets of "source:key"."""
    rows = matching.clusters
    member = rows["source_id"] + ":" + rows["source_key"]
    return {frozenset(part) for _, part in member.groupby(rows["cluster_id"])}
