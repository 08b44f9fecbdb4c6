"""Food places of Dallas and Fort Worth: a list whose appointment column also says who may come."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from assets.sources.contract import RawFile
from assets.sources.free_text import contains, type_by_name, without_emails
from assets.sources.reading import as_number, with_rejects
from assets.sources.reading_table import read_table
from assets.sources.whole_addresses import address_parts
from schemas.sources.registry import Source

_REQUIRED = [
    "id",
    "name",
    "type",
    "address",
    "phone",
    "latitude",
    "longitude",
    "hours",
    "appointment_required",
]
_TYPES = {
    "Food Pantry": "food_pantry",
    "Grocery Distribution": "food_pantry",
    "Community Fridge": "community_fridge",
    "Soup Kitchen": "soup_kitchen",
    "Hot Meal": "soup_kitchen",
    "Senior Meals": "soup_kitchen",
}
# Suppers of the Child and Adult Care Food Program: neither a school nor a summer site.
_NOT_IN_CATALOG = r"\bCACFP\b"


def read_rows(file: RawFile, source: Source) -> Iterator[pd.DataFrame]:
    """Yield the file's places in one frame. Raises UnreadableFileError when columns are missing."""
    rows = read_table(file, required=_REQUIRED)
    appointment = rows["appointment_required"].str.extract(r"^(Yes|No)\b\s*(?:\((.*)\))?$")
    is_required = appointment[0].map({"Yes": True, "No": False}).astype("object")
    is_group = ~contains(appointment[1], r"\bappt\b")
    places = address_parts(rows["address"], "TX").assign(
        source_row=rows["source_row"],
        source_key=rows["id"],
        name=rows["name"],
        resource_type=_types(rows),
        lat=as_number(rows["latitude"]),
        lng=as_number(rows["longitude"]),
        phone=rows["phone"],
        hours_text=without_emails(rows["hours"]),
        eligibility_text=appointment[1].where(is_group),
        requires_appointment=is_required.where(is_required.notna(), None),
    )
    is_elsewhere = contains(rows["type"], _NOT_IN_CATALOG)
    yield with_rejects(places, [("not_in_catalog", is_elsewhere, rows["type"])])


def _types(rows: pd.DataFrame) -> pd.Series:
    """Return the column's type, but a fridge or mobile pantry that says so in its name is one."""
    by_name = type_by_name(rows["name"])
    special = by_name.where(by_name.isin(["community_fridge", "mobile_pantry"]))
    return special.fillna(rows["type"].map(_TYPES))
