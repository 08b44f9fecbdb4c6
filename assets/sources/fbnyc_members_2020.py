"""Members of Food Bank For New York City that were open on 2020-04-28: a map export without a
point.

Hours are in one cell per weekday; "-" and "closed" both mean closed. A cell "#####" was too narrow
for the spreadsheet it came from: what was in it is lost.
"""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from assets.sources.contract import RawFile
from assets.sources.free_text import digests, without_emails
from assets.sources.hours_by_weekday import WEEKDAYS, weekly_text
from assets.sources.reading import with_rejects
from assets.sources.reading_kml import read_kml_placemarks
from schemas.sources.registry import Source

_REQUIRED = ["name", "Phone", "Program Type", "Address", "City", "State", "ZIP Code", *WEEKDAYS]
_TYPES = {
    "Pantry": "food_pantry",
    "Soup Kitchen": "soup_kitchen",
    "Mobile Pantry": "mobile_pantry",
    "Mobile Soup Kitchen": "mobile_pantry",
}


def read_rows(file: RawFile, source: Source) -> Iterator[pd.DataFrame]:
    """Yield the file's members in one frame. Raises UnreadableFileError when a field is missing."""
    rows = read_kml_placemarks(file, required=_REQUIRED)
    kind = rows["Program Type"]
    places = pd.DataFrame(
        {
            "source_row": rows["source_row"],
            "source_key": digests(rows["name"], rows["Address"], rows["ZIP Code"], kind),
            "name": rows["name"],
            "resource_type": kind.map(_TYPES),
            "address": rows["Address"],
            "city": rows["City"],
            # One row has the neighbourhood again where the state belongs; all lie in the city.
            "state": rows["State"].where(rows["State"] == "NY", "NY"),
            "zip": rows["ZIP Code"],
            "phone": without_emails(rows["Phone"]),
            "hours_text": weekly_text(pd.DataFrame({day: _hours(rows[day]) for day in WEEKDAYS})),
        }
    )
    yield with_rejects(
        places,
        (
            ("home_delivery_only", kind.str.startswith("Home Deliveries").fillna(False), kind),
            ("not_in_catalog", ~kind.isin(list(_TYPES)), kind.fillna("no Program Type")),
        ),
    )


def _hours(column: pd.Series) -> pd.Series:
    plain = without_emails(column).str.replace(r"\s*;\s*", ", ", regex=True)
    plain = plain.mask(plain.str.casefold().isin(["-", "closed"]), "closed")
    return plain.mask(plain.str.fullmatch("#+").fillna(False), "(hours not readable)")
