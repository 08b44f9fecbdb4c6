"""Agencies that run a commodity program (FDPIR, CSFP), as a map layer of the USDA lists them.

Such an agency is an office: food is handed out at sites that it names.
"""

from __future__ import annotations

import pandas as pd

from assets.sources.contract import RawFile
from assets.sources.free_text import contains, digests, website_without_email
from assets.sources.reading import joined, renamed, with_rejects
from assets.sources.reading_arcgis import read_arcgis_points

_COLUMNS = {
    "Agency_Name": "name",
    "Address1": "address",
    "Address2": "address2",
    "City": "city",
    "State": "state",
    "Zip": "zip",
    "Phone": "phone",
    "Website": "website",
    "Program": "program",
}
_REQUIRED = ("Agency_Name", "City", "State", "Program")
_WHERE_FOOD_IS = "Administering agency: ask it where the food is handed out."


def read_agencies(file: RawFile, program: str) -> pd.DataFrame:
    """Return the layer's agencies as places; those that run another program than `program` are
    rejected.

    Raises UnreadableFileError when columns are missing.
    """
    found = read_arcgis_points(file, _REQUIRED)
    rows = renamed(found, _COLUMNS)
    places = rows.drop(columns=["program", "address2"]).assign(
        lat=found["lat"],
        lng=found["lng"],
        source_key=digests(rows["name"], rows["city"], rows["state"]),
        address=joined(rows["address"], rows["address2"], separator=", "),
        website=website_without_email(rows["website"]),
        services_text=program,
        notes=_WHERE_FOOD_IS,
    )
    is_other = ~contains(rows["program"], rf"\b{program}\b")
    detail = "Program: " + rows["program"].fillna("none")
    return with_rejects(places, (("not_in_catalog", is_other, detail),))
