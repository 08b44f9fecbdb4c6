"""New York City's Community Food Connection programmes of April 2025, typed from the City's list.

An object by programme number. The organization column repeats the type. Points are a geocoder's.
"""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from assets.sources.contract import RawFile
from assets.sources.free_text import by_rules
from assets.sources.reading_json import Record, numbers, texts
from assets.sources.reading_json_whole import read_json_object
from schemas.sources.registry import Source

# FP and SK, followed by letters for the kind of food or guests. M marks the mobile markets and
# vans; the list itself explains none of them.
_TYPE_RULES: tuple[tuple[str, str], ...] = (
    (r"^(?:FP|SK)M", "mobile_pantry"),
    (r"^FP", "food_pantry"),
    (r"^SK", "soup_kitchen"),
)
# Mail to Queens goes to its neighbourhoods, which the list does not name.
_CITIES = {"BK": "Brooklyn", "BX": "Bronx", "NY": "New York", "SI": "Staten Island"}
_COUNTIES = {
    "BK": "Kings County",
    "BX": "Bronx County",
    "NY": "New York County",
    "QN": "Queens County",
    "SI": "Richmond County",
}


def read_rows(file: RawFile, source: Source) -> Iterator[pd.DataFrame]:
    """Yield the file's programmes in one frame. Raises UnreadableFileError when it is no object."""
    programmes = read_json_object(file)
    records = list(programmes.values())
    borough = texts(records, "Address", "Borough")
    yield pd.DataFrame(
        {
            "source_row": range(1, len(records) + 1),
            "source_key": list(programmes),
            "name": texts(records, "Program"),
            "resource_type": by_rules(texts(records, "Type"), _TYPE_RULES),
            "address": texts(records, "Address", "Street"),
            "city": borough.map(_CITIES),
            "state": "NY",
            "zip": texts(records, "Address", "ZIP"),
            "county_name": borough.map(_COUNTIES),
            "lat": numbers(records, "Address", "latitude"),
            "lng": numbers(records, "Address", "longitude"),
            "phone": texts(records, "Phone"),
            "hours_text": pd.Series([_hours(record) for record in records], dtype="str"),
        }
    )


def _hours(record: Record) -> str | None:
    """Format "SAT (2,4) 09:00 AM-11:00 AM"; the two ends have two names each, a single time a
    third."""
    found = []
    for slot in record.get("Schedules") or []:
        ends = [slot.get(f"{end}Hour") or slot.get(f"{end}Hours") for end in ("opening", "closing")]
        times = "-".join(end.strip() for end in ends if end) or slot.get("Hours") or ""
        found.append(f"{(slot.get('Days') or '').strip()} {times}".strip())
    return "; ".join(text for text in found if text) or None
