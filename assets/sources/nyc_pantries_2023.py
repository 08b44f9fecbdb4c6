"""Pantries and soup kitchens of New York City, 2023: two lists merged for a study, with a FINAL
choice of each.

Where the app's list won, hours are dated slots, one a line. Eleven rows have no city and state and
lie in Colorado.
"""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from assets.sources.contract import RawFile
from assets.sources.free_text import as_dates, contains, type_by_name, without_emails
from assets.sources.free_text import website_without_email as plain_website
from assets.sources.reading import as_number, joined, with_rejects
from assets.sources.reading_table import read_table
from schemas.sources.registry import Source

_REQUIRED = [
    "Name",
    "Address",
    "Additional Notes",
    "Status FINAL",
    "Last Updated FINAL",
    "Hours FINAL",
    "Website",
    "ID Required",
    "Zipcode",
    "lat",
    "lng",
    "City",
    "State",
    "id",
]
# The column says that some identification is requested, not which.
_ID_REQUIRED = {"yes": "ID required", "no": "No ID required"}


def read_rows(file: RawFile, source: Source) -> Iterator[pd.DataFrame]:
    """Yield the file's places in one frame. Raises UnreadableFileError when columns are missing."""
    rows = read_table(file, required=_REQUIRED)
    status = rows["Status FINAL"]
    places = pd.DataFrame(
        {
            "source_row": rows["source_row"],
            "source_key": rows["id"],
            "name": rows["Name"],
            "resource_type": type_by_name(rows["Name"]),
            "address": rows["Address"],
            "city": rows["City"],
            "state": rows["State"],
            "zip": rows["Zipcode"],
            "lat": as_number(rows["lat"]),
            "lng": as_number(rows["lng"]),
            "website": plain_website(rows["Website"]),
            "hours_text": rows["Hours FINAL"],
            "requirements_text": rows["ID Required"].map(_ID_REQUIRED),
            "notes": joined(
                ("Status at last check: " + status).where(status == "unknown"),
                without_emails(rows["Additional Notes"]),
                separator="\n",
            ),
            # The time of day behind the date is the export's.
            "source_updated_date": as_dates(
                rows["Last Updated FINAL"].str.partition(" ")[0], "%m/%d/%Y"
            ),
        }
    )
    is_empty = rows["Name"].isna() & rows["Address"].isna()
    yield with_rejects(
        places,
        (
            ("empty_row", is_empty, rows["id"]),
            ("closed_by_source", status == "closed", "Status FINAL: " + status.fillna("")),
            ("home_delivery_only", _only_delivers(rows["Name"]), rows["Name"]),
        ),
    )


def _only_delivers(names: pd.Series) -> pd.Series:
    return contains(names, r"\bmeals on wheels\b") & type_by_name(names).isna()
