"""Food banks of Seattle and its surroundings, 2017: a name and a point each."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from assets.sources.contract import RawFile
from assets.sources.free_text import digests
from assets.sources.reading import as_number
from assets.sources.reading_table import read_table
from schemas.sources.registry import Source


def read_rows(file: RawFile, source: Source) -> Iterator[pd.DataFrame]:
    """Yield the file's food banks in one frame. Raises UnreadableFileError when columns are
    missing."""
    rows = read_table(file, required=["name", "long", "lat", "OBJECTID"])
    yield pd.DataFrame(
        {
            "source_row": rows["source_row"],
            "source_key": digests(rows["name"]),
            "name": rows["name"],
            "state": "WA",
            "lat": as_number(rows["lat"]),
            "lng": as_number(rows["long"]),
        }
    )
