"""Invented records for matching tests."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from assets.matching.matching import LOCATED_COLUMNS, Matching, cluster
from schemas.vocab.states import STATE_CODES

NUMBERS = {"lat", "lng"}
MAIN_STREET = {"address": "100 Main St", "city": "Alderton", "zip": "97001"}
PHONES = {"one": "+15035550142", "other": "+15035550199"}
POINTS = {
    "here": {"lat": 45.1, "lng": -122.1, "location_precision": "rooftop"},
    # No other case has this point.
    "corner": {"lat": 41.7, "lng": -122.1, "location_precision": "rooftop"},
}
TUESDAYS = '[{"opens_at":"16:00","closes_at":"18:00","freq":"WEEKLY","byday":"TU"}]'
HOURS = {
    "tuesdays": TUESDAYS,
    "tuesdays earlier": TUESDAYS.replace("16:00", "15:00"),
    "fridays": TUESDAYS.replace("TU", "FR"),
    "some tuesdays": TUESDAYS.replace("WEEKLY", "MONTHLY").replace("TU", "2TU"),
    "summer tuesdays": TUESDAYS.replace("}", ',"valid_from":"05-01","valid_to":"10-31"}'),
    "winter tuesdays": TUESDAYS.replace("}", ',"valid_from":"11-01","valid_to":"04-30"}'),
    "two dates": '[{"opens_at":"16:00","closes_at":"18:00","valid_from":"2026-03-03","valid_to":"2026-03-03"},'
    '{"opens_at":"16:00","closes_at":"18:00","valid_from":"2026-03-10","valid_to":"2026-03-10"}]',
    "office": '[{"opens_at":"09:00","closes_at":"17:00","freq":"WEEKLY","byday":"MO,TU,WE,TH,FR"}]',
}


def record_of(facts: dict[str, Any]) -> dict[str, Any]:
    """Return a record from facts, of which `phone`, `at` and `hours` name values above."""
    record = {**MAIN_STREET, **facts, **POINTS.get(facts.get("at", ""), {})}
    if "phone" in facts:
        record["phone_e164"] = PHONES[record.pop("phone")]
    if "hours" in facts:
        record["schedules_json"] = HOURS[record.pop("hours")]
    return {name: value for name, value in record.items() if name != "at"}


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
    """Return "same", "doubtful" or "different" for each pair, as many matched in one run as there are
    states.

    Each pair has a state and telephone numbers that no other pair has; one that names its own state
    is matched alone.
    """

    def alone(place: int, state: str, n: int, record: dict[str, Any]) -> dict[str, Any]:
        phone = record.get("phone_e164")
        own = {"phone_e164": f"{phone[:6]}{place:02}{phone[8:]}"} if phone else {}
        where = {"state": state, "source_id": f"list_{n}"}
        return {**where, **record, **own, "source_key": f"{place}-{n}"}

    found: dict[int, str] = {}
    stated = [n for n, pair in enumerate(pairs) if any("state" in record for record in pair)]
    others = sorted(set(range(len(pairs))) - set(stated))
    size = len(STATE_CODES)
    chunks = [others[begin : begin + size] for begin in range(0, len(others), size)]
    for chunk in [*([n] for n in stated), *chunks]:
        records = [
            alone(place, state, n, record)
            for place, (state, pair) in enumerate(
                zip(STATE_CODES, (pairs[n] for n in chunk), strict=False)
            )
            for n, record in enumerate(pair, start=1)
        ]
        matching = cluster(located(*records))
        clusters = matching.clusters["cluster_id"].to_numpy().reshape(-1, 2)
        doubtful = {int(key.partition("-")[0]) for key in matching.doubtful["source_key"]}
        found |= {
            n: "same" if one == other else "doubtful" if place in doubtful else "different"
            for n, place, (one, other) in zip(chunk, range(len(chunk)), clusters, strict=True)
        }
    return [found[n] for n in range(len(pairs))]


def groups(matching: Matching) -> set[frozenset[str]]:
    """Clusters as sets of "source:key"."""
    rows = matching.clusters
    member = rows["source_id"] + ":" + rows["source_key"]
    return {frozenset(part) for _, part in member.groupby(rows["cluster_id"])}
