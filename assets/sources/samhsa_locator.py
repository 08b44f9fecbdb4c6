"""Helpers for the two extracts of SAMHSA's treatment locator: a name in two parts, an address, a
point."""

from __future__ import annotations

import pandas as pd

from assets.sources.free_text import digests
from assets.sources.reading import as_number, joined, with_columns

# What the locator lists for some kinds of facilities or in some years only.
OPTIONAL = ["name2", "street2", "county"]
COLUMNS = [
    "name1",
    "name2",
    "street1",
    "street2",
    "city",
    "state",
    "zip",
    "county",
    "latitude",
    "longitude",
]
REQUIRED = [name for name in COLUMNS if name not in OPTIONAL]


def places_of(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the shared columns as places. name1 is the provider, name2 its unit; "- - -"
    streets are left to the cleaning."""
    rows = with_columns(rows, OPTIONAL)
    return pd.DataFrame(
        {
            "source_row": rows["source_row"],
            "source_key": digests(
                *(rows[name] for name in ("name1", "name2", "street1", "street2", "city", "state"))
            ),
            "name": joined(rows["name1"], rows["name2"], separator=" - "),
            "organization": rows["name1"].where(rows["name2"].notna()),
            "address": joined(rows["street1"], rows["street2"], separator=", "),
            "city": rows["city"],
            "state": rows["state"],
            "zip": rows["zip"],
            "county_name": rows["county"],
            "lat": as_number(rows["latitude"]),
            "lng": as_number(rows["longitude"]),
        }
    )
