"""Providers of the Ryan White HIV/AIDS Program, as HRSA's data warehouse may be expected to list
them.
"""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from assets.sources.contract import RawFile
from assets.sources.free_text import contains, digests, website_without_email
from assets.sources.reading import as_number, renamed, with_rejects
from assets.sources.reading_table import read_table
from schemas.sources.registry import Source

_COLUMNS = {
    "Provider Registration Code": "code",
    "Provider Name": "name",
    "Grantee Name": "organization",
    "Provider Address": "address",
    "Provider City": "city",
    "Provider State Abbreviation": "state",
    "Provider ZIP Code": "zip",
    "Complete County Name": "county_name",
    "Provider Telephone Number": "phone",
    "Provider Web Address": "website",
    "Services Provided": "services_text",
    "Provider Type Description": "kind",
    "Geocoding Artifact Address Primary Y Coordinate": "lat",
    "Geocoding Artifact Address Primary X Coordinate": "lng",
}
_REQUIRED = (
    "Provider Name",
    "Provider Address",
    "Provider City",
    "Provider State Abbreviation",
    "Provider ZIP Code",
)


def read_rows(file: RawFile, source: Source) -> Iterator[pd.DataFrame]:
    """Yield the file's providers in one frame. Raises UnreadableFileError when columns are
    missing."""
    rows = renamed(read_table(file, required=_REQUIRED), _COLUMNS)
    digest = digests(rows["name"], rows["address"], rows["city"], rows["state"])
    places = rows.drop(columns=["code", "kind"]).assign(
        source_key=("provider:" + rows["code"]).fillna(digest).astype("str"),
        website=website_without_email(rows["website"]),
        lat=as_number(rows["lat"]),
        lng=as_number(rows["lng"]),
    )
    # Offices that only pass money on see no patients.
    is_office = contains(rows["kind"], r"\badministrative\b|\bfiscal\b")
    yield with_rejects(places, (("administrative_site", is_office, rows["kind"].fillna("")),))
