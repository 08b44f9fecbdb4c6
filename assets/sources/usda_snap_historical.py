"""SNAP authorizations since 1930: stores that may still take EBT, and many more that no longer do.

USDA's file has one row per authorization; a store whose authorization lapsed and was renewed has
several rows and one Record ID. The two derived files are extracts that researchers made: for
matching only.
"""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from assets.sources.contract import RawFile
from assets.sources.reading import as_number, join_texts, rename, with_rejects, without_sentinels
from assets.sources.reading_table import read_table
from schemas.sources.registry import Source

_NATIONAL = {
    "Record ID": "record",
    "Store Name": "name",
    "Store Type": "store_type",
    "Street Number": "number",
    "Street Name": "street",
    "Additional Address": "more",
    "City": "city",
    "State": "state",
    "Zip Code": "zip",
    "County": "county_name",
    "Latitude": "lat",
    "Longitude": "lng",
    "Authorization Date": "from_date",
    "End Date": "end_date",
}
_DERIVED = {
    "record_id": "record",
    "store_name": "name",
    "store_type": "store_type",
    "street_num": "number",
    "street_name": "street",
    "address_add": "more",
    "city": "city",
    "state": "state",
    "zip": "zip",
    "county": "county_name",
    "y": "lat",
    "x": "lng",
    "auth_date": "from_date",
    "end_date": "end_date",
}
# The statistical program R writes a blank in a column's name as a full stop.
_LAYOUTS = {
    "national_csv": _NATIONAL,
    "r_csv": {name.replace(" ", "."): field for name, field in _NATIONAL.items()},
    "derived_csv": _DERIVED,
}
_MAY_LACK = ("more", "county_name")
_PLACE_COLUMNS = [
    "source_row",
    "source_key",
    "name",
    "is_public",
    "address",
    "city",
    "state",
    "zip",
    "county_name",
    "lat",
    "lng",
    "services_text",
    "notes",
]


def read_rows(file: RawFile, source: Source) -> Iterator[pd.DataFrame]:
    """Yield the file's authorizations in one frame. Raises UnreadableFileError when columns are
    missing."""
    columns = _LAYOUTS[file.layout]
    required = [name for name in columns if columns[name] not in _MAY_LACK]
    rows = rename(read_table(file, required=required, optional=columns), columns)
    is_derived = file.layout == "derived_csv"
    if is_derived:
        rows = without_sentinels(rows, ["NA"])
    lat, lng = as_number(rows["lat"]), as_number(rows["lng"])
    is_nowhere = (lat == 0) & (lng == 0)
    places = rows.assign(
        # Else a derived row, which may not be shown, would take the place of USDA's own.
        source_key=("derived:" if is_derived else "") + rows["record"],
        is_public=not is_derived,
        address=join_texts(rows["number"], rows["street"], rows["more"]),
        lat=lat.mask(is_nowhere),
        lng=lng.mask(is_nowhere),
        services_text=rows["store_type"].mask(rows["store_type"].isin(["Unknown"])),
        notes="SNAP authorization since " + rows["from_date"],
    )
    ended = "until " + rows["end_date"].fillna("")
    yield with_rejects(
        places[_PLACE_COLUMNS],
        (
            ("authorization_ended", rows["end_date"].notna(), ended),
            (
                "no_fixed_place",
                rows["store_type"] == "Delivery Route",
                rows["store_type"].fillna(""),
            ),
        ),
    )
