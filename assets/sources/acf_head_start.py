"""Read Head Start service locations: the dataset as CSV, and its map layer as pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pandas as pd

from assets.sources.contract import RawFile
from assets.sources.free_text import digests
from assets.sources.reading import as_number, join_texts, rename, with_rejects
from assets.sources.reading_arcgis import read_arcgis_json
from assets.sources.reading_table import read_table
from schemas.sources.registry import Source

_REQUIRED = (
    "service_location_name",
    "address_line_one",
    "city",
    "state",
    "zip",
    "status",
    "latitude",
    "longitude",
)
_COLUMNS = {
    "service_location_name": "name",
    "address_line_one": "address",
    "address_line_two": "address2",
    "city": "city",
    "state": "state",
    "zip": "zip",
    "county": "county_name",
    "latitude": "lat",
    "longitude": "lng",
    "service_location_phone_number": "phone",
    "registration_phone_number": "phone2",
    "program_admin_name": "organization",
    "recipient_name": "recipient",
    "program_type": "program",
    "status": "status",
}
# No available document explains codes 3 to 6.
_PROGRAMS = {"1": "Head Start", "2": "Early Head Start"}


def read_rows(file: RawFile, source: Source) -> Iterator[pd.DataFrame]:
    """Yield the locations in one frame. Raises UnreadableFileError for missing columns."""
    rows = rename(_READERS[file.layout](file), _COLUMNS)
    key = digests(rows["name"], rows["address"], rows["city"], rows["state"])
    places = rows.drop(columns=["address2", "phone2", "recipient", "program", "status"]).assign(
        source_key=key,
        address=join_texts(rows["address"], rows["address2"], separator=", "),
        # Recipients are written with underscores for blanks.
        organization=rows["organization"].fillna(rows["recipient"].str.replace("_", " ")),
        phone=rows["phone"].fillna(rows["phone2"]),
        lat=as_number(rows["lat"]),
        lng=as_number(rows["lng"]),
        services_text=_programs_of_place(rows["program"], key),
    )
    is_closed = rows["status"].str.casefold() == "closed"
    detail = "status: " + rows["status"].fillna("")
    yield with_rejects(places, (("closed_by_source", is_closed, detail),))


def _programs_of_place(codes: pd.Series, key: pd.Series) -> pd.Series:
    """Return all programs of the rows that share a key, since only one row of a key remains."""
    parts = [
        pd.Series(label, index=codes.index, dtype="str").where(
            (codes == code).groupby(key).transform("any")
        )
        for code, label in _PROGRAMS.items()
    ]
    return join_texts(*parts, separator="; ")


def _csv(file: RawFile) -> pd.DataFrame:
    return read_table(file, required=_REQUIRED)


def _pages(file: RawFile) -> pd.DataFrame:
    return read_arcgis_json(file, required=_REQUIRED)


_READERS: dict[str, Callable[[RawFile], pd.DataFrame]] = {
    "locations_csv": _csv,
    "layer_json": _pages,
}
