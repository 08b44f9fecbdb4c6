"""SAMHSA's directory of opioid treatment programs, 2021, geocoded by an academic repository."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from assets.sources.contract import RawFile
from assets.sources.free_text import digests
from assets.sources.reading import as_number
from assets.sources.reading_table import read_table
from schemas.sources.registry import Source

# ID holds the program's name, which several sites share.
_COLUMNS = {
    "ID": "name",
    "ADDRESS": "address",
    "CITY": "city",
    "STATE": "state",
    "POSTAL": "zip",
    "Latitude": "lat",
    "Longitude": "lng",
}


def read_rows(file: RawFile, source: Source) -> Iterator[pd.DataFrame]:
    """Yield the file's programs in one frame. Raises UnreadableFileError when columns are
    missing."""
    rows = read_table(file, encoding="cp1252", required=_COLUMNS).rename(columns=_COLUMNS)
    yield rows.assign(
        source_key=digests(rows["name"], rows["address"], rows["city"], rows["state"]),
        lat=as_number(rows["lat"]),
        lng=as_number(rows["lng"]),
    )[["source_row", "source_key", *_COLUMNS.values()]]
