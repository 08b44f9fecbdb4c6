"""Approved changes of listings, confirmations, and results of visitors' votes."""

import json
from collections.abc import Iterator
from typing import Any

import pandas as pd

from assets.sources.contract import RawFile
from assets.sources.operations import read_objects
from schemas.sources.registry import Source
from schemas.tables.core import EDITS

# Members of the public record whose field has another name.
_FIELD_OF = {"services_offered": "services_text"}
_OWN = ("resource_id", "target_key", "is_confirmed", "evidence")


def read_rows(file: RawFile, source: Source) -> Iterator[pd.DataFrame]:
    """Yield the file's rows in one frame. Raises UnreadableFileError for another layout."""
    rows = [_as_row(number, entry) for number, entry in enumerate(read_objects(file), 1)]
    names = [name for name in EDITS.field_names if any(name in row for row in rows)]
    frame = pd.DataFrame(
        {name: pd.Series([row.get(name) for row in rows], dtype=object) for name in names}
    )
    frame["source_updated_date"] = pd.to_datetime(frame["source_updated_date"]).dt.date
    yield frame


def _as_row(number: int, entry: dict[str, Any]) -> dict[str, Any]:
    row: dict[str, Any] = {name: entry.get(name) for name in _OWN}
    changes = {_FIELD_OF.get(name, name): value for name, value in entry["changes"].items()}
    if isinstance(changes.get("services_text"), list):
        changes["services_text"] = "; ".join(changes["services_text"])
    row |= {name: value for name, value in changes.items() if value is not None}
    row["cleared_fields"] = sorted(name for name, value in changes.items() if value is None)
    row["base_json"] = json.dumps(entry["base"], sort_keys=True, ensure_ascii=False)
    row["edit_authority"] = entry["authority"]
    if entry.get("is_found_right"):
        row["evidence"] = "visitors found the listing right"
    return row | {
        "source_row": number,
        "source_key": entry["key"],
        "source_updated_date": entry["told_on"],
    }
