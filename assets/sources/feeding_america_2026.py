"""Feeding America's member food banks, and the ZIP codes that each serves.

The catalogue knows a food bank's name, state and finder, no address. The table of ZIP codes is read
and accounted for, but holds no places; `assets.directory.food_banks` makes answers of both.
"""

from collections.abc import Iterator

import pandas as pd

from assets.sources.contract import RawFile
from assets.sources.readers import read_table
from assets.sources.reading import with_rejects
from assets.sources.reading_records import read_json_object, texts
from schemas.sources.registry import Source

_COVERAGE = ["zip", "fa_org_id", "fa_org_name"]


def read_rows(file: RawFile, source: Source) -> Iterator[pd.DataFrame]:
    """Yield the file's rows in one frame. Raises UnreadableFileError for another layout."""
    yield _coverage_rows(file) if file.layout == "zip_coverage" else catalogue(file)


def catalogue(file: RawFile) -> pd.DataFrame:
    """Return member food banks: `source_key` (the network's id), name, state, website."""
    entries = read_json_object(file)
    records = [entry for name, entry in entries.items() if name != "_metadata"]
    return pd.DataFrame(
        {
            "source_row": range(1, len(records) + 1),
            "source_key": texts(records, "id"),
            "name": texts(records, "name"),
            "organization": texts(records, "name"),
            "state": texts(records, "state"),
            "website": texts(records, "find_food_url"),
        }
    )


def zip_coverage(file: RawFile) -> pd.DataFrame:
    """Return food banks by ZIP code: `zip`, `fa_org_id`, `fa_org_name`, `source_row`."""
    return read_table(file, required=_COVERAGE)


def _coverage_rows(file: RawFile) -> pd.DataFrame:
    rows = zip_coverage(file)
    places = pd.DataFrame(
        {
            "source_row": rows["source_row"],
            "source_key": rows["zip"] + ":" + rows["fa_org_id"],
            "organization": rows["fa_org_name"],
            "zip": rows["zip"],
        }
    )
    everywhere = pd.Series(True, index=rows.index)
    return with_rejects(places, [("not_a_place", everywhere, "serves ZIP " + rows["zip"])])
