"""Hospitals of the HIFLD Open layer: no part of the directory, kept to check other sources against."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from assets.sources.contract import RawFile
from assets.sources.free_text import as_dates
from assets.sources.reading import as_number, joined, with_rejects, without_sentinels
from assets.sources.reading_table import read_table
from schemas.sources.registry import Source

_COLUMNS = {
    "ID": "source_key",
    "NAME": "name",
    "TYPE": "facility_subtype",
    "ADDRESS": "address",
    "CITY": "city",
    "STATE": "state",
    "ZIP": "zip",
    "COUNTY": "county_name",
    "LATITUDE": "lat",
    "LONGITUDE": "lng",
    "TELEPHONE": "phone",
    "WEBSITE": "website",
}
_REQUIRED = [*_COLUMNS, "STATUS", "OWNER", "ALT_NAME", "SOURCEDATE"]


def read_rows(file: RawFile, source: Source) -> Iterator[pd.DataFrame]:
    """Yield the file's hospitals in one frame. Raises UnreadableFileError when columns are
    missing."""
    rows = without_sentinels(read_table(file, required=_REQUIRED), ["NOT AVAILABLE", "-999"])
    is_closed = rows["STATUS"] != "OPEN"
    places = rows.rename(columns=_COLUMNS).assign(
        facility_type="hospital",
        is_public=False,
        lat=as_number(rows["LATITUDE"]),
        lng=as_number(rows["LONGITUDE"]),
        notes=joined(
            "Owner: " + rows["OWNER"], "Also known as: " + rows["ALT_NAME"], separator=". "
        ),
        source_updated_date=as_dates(rows["SOURCEDATE"], "%Y-%m-%d"),
    )
    columns = [
        "source_row",
        *_COLUMNS.values(),
        "facility_type",
        "is_public",
        "notes",
        "source_updated_date",
    ]
    status = "STATUS: " + rows["STATUS"].fillna("none")
    yield with_rejects(places[columns], (("closed_by_source", is_closed, status),))
