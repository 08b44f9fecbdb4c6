"""New places that the public submitted and an administrator approved."""

from collections.abc import Iterator

import pandas as pd

from assets.sources.contract import RawFile, UnreadableFileError
from assets.sources.reading_records import Record, decode_json
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


def read_objects(file: RawFile) -> list[Record]:
    """Return a store file's objects. Raises UnreadableFileError when it is no list."""
    rows: list[Record] = decode_json(file)
    if not isinstance(rows, list) or not all(
        isinstance(row, dict) and "key" in row for row in rows
    ):
        raise UnreadableFileError(f"{file.name}: not a list of objects with a key")
    return rows
