"""Offices where households apply for SNAP: New York City's directory, and lists in HSDS names for
other places.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pandas as pd

from assets.sources.contract import RawFile
from assets.sources.free_text import digests, says_when, without_emails
from assets.sources.reading import as_number, rename, with_known, with_rejects
from assets.sources.reading_flat_hsds import inactive, read_flat_hsds
from assets.sources.reading_json import records_as_text
from assets.sources.reading_json_whole import read_json_list
from schemas.sources.registry import Source

_CITY_COLUMNS = {
    "facility_name": "name",
    "street_address": "address",
    "city": "city",
    "borough": "borough",
    "state": "state",
    "zip_code": "zip",
    "postcode": "postcode",
    "phone_number_s_": "phone",
    "comments": "comments",
    "latitude": "lat",
    "longitude": "lng",
}


def read_rows(file: RawFile, source: Source) -> Iterator[pd.DataFrame]:
    """Yield the file's offices in one frame. Raises UnreadableFileError when columns are
    missing."""
    yield _READERS[file.layout](file, source)


def _new_york_city(file: RawFile, source: Source) -> pd.DataFrame:
    records = read_json_list(file)
    required = ("facility_name", "street_address")
    rows = rename(records_as_text(records, _CITY_COLUMNS, file, required), _CITY_COLUMNS)
    comments = without_emails(rows["comments"])
    is_hours = says_when(comments)
    places = rows.drop(columns=["borough", "postcode", "comments"]).assign(
        source_key=digests(rows["name"], rows["address"], rows["zip"].fillna(rows["postcode"])),
        organization="New York City Human Resources Administration",
        city=rows["city"].fillna(rows["borough"]),
        zip=rows["zip"].fillna(rows["postcode"]),
        lat=as_number(rows["lat"]),
        lng=as_number(rows["lng"]),
        hours_text=comments.where(is_hours),
        notes=comments.mask(is_hours),
    )
    return with_known(places, file, source)


def _list(file: RawFile, source: Source) -> pd.DataFrame:
    rows = read_flat_hsds(file)
    places = with_known(rows.drop(columns="status"), file, source)
    return with_rejects(places, (inactive(rows),))


_READERS: dict[str, Callable[[RawFile, Source], pd.DataFrame]] = {
    "nyc_json": _new_york_city,
    "list_csv": _list,
}
