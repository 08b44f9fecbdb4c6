"""Invented located records and sources for tests of later steps."""

from collections.abc import Callable
from datetime import date
from typing import Any

import msgspec
import pandas as pd

from assets.attributes.reading import FACT_COLUMNS, with_facts
from assets.directory.places import Directory, merge_records, rank_records
from schemas.sources.registry import Source, sources
from schemas.tables.core import LOCATED, PLACES

_DEFAULTS: dict[str, Any] = {
    "source_row": 1,
    "file_name": "list.csv",
    "name": "Larkspur Pantry",
    "resource_type": "food_pantry",
    "is_public": True,
    "is_confidential": False,
    "city": "Quince",
    "state": "OR",
    "zip": "97000",
    "lat": 44.0,
    "lng": -121.0,
    "location_precision": "zip",
    "location_method": "zip_centroid",
    "timezone": "America/Los_Angeles",
    "retrieved_at": pd.Timestamp("2026-11-01T06:00:00Z"),
    "is_synthetic": False,
}
_TYPES = {"string": "str", "json": "str", "boolean": "boolean", "number": "float64"}


def located(*records: dict[str, Any]) -> pd.DataFrame:
    """Return records in the columns of `LOCATED`, each with its own key by default."""
    rows = [
        {
            **_DEFAULTS,
            "source_key": str(n),
            "updated_date": record.get("source_updated_date"),
            **record,
        }
        for n, record in enumerate(records)
    ]
    frame = pd.DataFrame(rows).reindex(columns=LOCATED.field_names)
    read = set(FACT_COLUMNS) - set(PLACES.field_names)
    types = {f.name: _TYPES[f.type] for f in LOCATED.fields if f.type in _TYPES}
    return with_facts(frame.astype({n: t for n, t in types.items() if n not in read}))


def source(source_id: str, authority: str = "compiled", **facts: Any) -> Source:
    """Return a source of the registry under another name."""
    some = sources()["nyc_pantries_2023"]
    facts = {
        "verified_for_days": None,
        "files": [],
        "layouts": {},
        "fixes": {},
        "live": [],
        **facts,
    }
    return msgspec.structs.replace(some, id=source_id, authority=authority, **facts)


def merged(
    rows: pd.DataFrame,
    registry: dict[str, Source],
    as_of: date,
    numbers: list[int] | None = None,
    rank: Callable[..., pd.Series] = rank_records,
) -> Directory:
    """Return the directory of located rows, which are one place unless `numbers` differ."""
    ids = pd.Series(numbers or [1] * len(rows), rows.index, dtype="Int64")
    clusters = rows[["source_id", "source_key"]].assign(match_reason="same")
    ranks, at = rank(rows, registry), pd.Timestamp(as_of)
    return merge_records(rows, clusters, ids, ranks, registry, at, "CC-BY-4.0")


def known(*registry: Source) -> dict[str, Source]:
    return {one.id: one for one in registry}


def day(text: str) -> date:
    return date.fromisoformat(text)
