"""Helpers for the editions of SAMHSA's treatment locator: a name in two parts, an address, a point.

The locator gives its list as a download (one column per service code) and as JSON (findtreatment.gov,
`exportsAsJson/v2`: services as objects with a code f2 and its values f3).
"""

from __future__ import annotations

import pandas as pd

from assets.sources.contract import RawFile
from assets.sources.free_text import contains, digests
from assets.sources.reading import as_number, join_texts, with_columns, without_sentinels
from assets.sources.reading_table import read_table

REQUIRED = ["name1", "street1", "city", "state", "zip"]
# What the locator lists for some kinds of facilities or in some years only.
OPTIONAL = [
    "name2",
    "street2",
    "county",
    "latitude",
    "longitude",
    "phone",
    "intake1",
    "intake2",
    "website",
    "type_facility",
    "services",
    "otp",
]
_CERTIFIED = r"\bfederally.certified opioid treatment program\b"


def read_locator(file: RawFile, required: list[str]) -> pd.DataFrame:
    """Return an edition as text with all columns of the locator. Raises UnreadableFileError."""
    optional = [name for name in OPTIONAL if name not in required]
    rows = read_table(file, required=[*REQUIRED, *required], optional=optional)
    return without_sentinels(with_columns(rows, OPTIONAL), ["NA", "http://"])


def places_of(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows as places. name1 is the provider, name2 its unit; "- - -" streets are left to
    the cleaning."""
    intake = rows["intake1"].str.cat(rows["intake2"], sep=", ", na_rep="").str.removesuffix(", ")
    return pd.DataFrame(
        {
            "source_row": rows["source_row"],
            "source_key": digests(
                *(rows[name] for name in ("name1", "name2", "street1", "street2", "city", "state"))
            ),
            "name": join_texts(rows["name1"], rows["name2"], separator=" - "),
            "organization": rows["name1"].where(rows["name2"].notna()),
            "address": join_texts(rows["street1"], rows["street2"], separator=", "),
            "city": rows["city"],
            "state": rows["state"],
            "zip": rows["zip"],
            "county_name": rows["county"],
            "lat": as_number(rows["latitude"]),
            "lng": as_number(rows["longitude"]),
            "phone": rows["phone"],
            "website": rows["website"],
            "notes": "Intake: " + intake.where(rows["intake1"].notna()),
        }
    )


def is_certified(rows: pd.DataFrame) -> pd.Series:
    """Return whether the locator says that a facility is a certified opioid treatment program."""
    says = rows["otp"].isin(["1", "1.0", "Y", "YES", "true"]) | (rows["type_facility"] == "OTP")
    return says | contains(rows["services"], _CERTIFIED)
