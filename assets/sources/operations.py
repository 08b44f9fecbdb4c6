"""New places that the public submitted and an administrator approved."""

import json
from collections.abc import Iterator
from typing import Any

import pandas as pd

from assets.sources.contract import RawFile, UnreadableFileError
from schemas.sources.registry import Source

# Members of a submission under the contract's names.
_COLUMNS = {
    "source_key": "key",
    "name": "name",
    "resource_type": "resource_type",
    "address": "address",
    "city": "city",
    "state": "state",
    "zip": "zip",
    "phone": "phone",
    "website": "website",
    "hours_text": "hours_text",
    "services_text": "services_offered",
    "requirements_text": "requirements_text",
    "source_updated_date": "told_on",
}


def read_rows(file: RawFile, source: Source) -> Iterator[pd.DataFrame]:
    """Yield the file's rows in one frame. Raises UnreadableFileError for another layout."""
    rows = read_objects(file)
    frame = pd.DataFrame(
        {
            name: pd.Series([row.get(member) for row in rows], dtype=object)
            for name, member in _COLUMNS.items()
        }
    )
    frame["source_updated_date"] = pd.to_datetime(
        frame["source_updated_date"], format="ISO8601"
    ).dt.date
    frame.insert(0, "source_row", range(1, len(rows) + 1))
    yield frame


def read_objects(file: RawFile) -> list[dict[str, Any]]:
    """Return a store file's objects. Raises UnreadableFileError when it is no list."""
    try:
        rows: list[dict[str, Any]] = json.loads(file.read_bytes())
    except ValueError as error:
        raise UnreadableFileError(f"{file.name}: {error}") from error
    if not isinstance(rows, list) or not all(
        isinstance(row, dict) and "key" in row for row in rows
    ):
        raise UnreadableFileError(f"{file.name}: not a list of objects with a key")
    return rows
