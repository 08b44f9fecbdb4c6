"""Frames in the columns of a source's places, for the tests of the cleaning steps."""

from typing import Any

import pandas as pd

from schemas.sources.registry import Source
from schemas.tables.core import PLACES
from tests.support.source_files import make_source

_PANDAS_TYPES = {"string": "str", "integer": "Int64", "number": "float64", "boolean": "boolean"}
_DEFAULTS: dict[str, Any] = {
    "source_id": "example_pantries",
    "file_name": "places.csv",
    "name": "Example Pantry",
    "resource_type": "food_pantry",
    "is_public": True,
    "is_confidential": False,
    "state": "MA",
    "retrieved_at": pd.Timestamp("2026-11-01T06:00:00Z"),
    "is_synthetic": True,
}


def example_source(fixes: dict[str, dict[str, str]] | None = None) -> Source:
    return make_source(id="example_pantries", fixes=fixes or {})


def places(*rows: dict[str, Any]) -> pd.DataFrame:
    """Return rows with defaults in the types of the source contract."""
    complete_rows = [
        {**_DEFAULTS, "source_key": str(n), "source_row": n, **row} for n, row in enumerate(rows, 1)
    ]
    frame = pd.DataFrame(complete_rows).reindex(
        columns=[*PLACES.field_names, "reject_reason", "reject_detail"]
    )
    for field in PLACES.fields:
        if field.type in _PANDAS_TYPES:
            frame[field.name] = frame[field.name].astype(_PANDAS_TYPES[field.type])
    return frame.astype({"reject_reason": "str", "reject_detail": "str"})


def values(frame: pd.DataFrame, *names: str) -> tuple[Any, ...]:
    """Return the named values of the first row, missing ones as None."""
    row = frame.iloc[0]
    return tuple(None if pd.isna(row[name]) else row[name] for name in names)
