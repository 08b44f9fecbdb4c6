"""Public schools of Washington State, from the state's own register; several are not places with
school meals.
"""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from assets.sources.contract import RawFile
from assets.sources.free_text import contains
from assets.sources.nces_schools import ELIGIBILITY
from assets.sources.reading import as_number, with_known, with_rejects
from assets.sources.reading_table import read_table
from schemas.sources.registry import Source

_COLUMNS = [
    "X",
    "Y",
    "SchoolCode",
    "School",
    "PhysicalAddress",
    "LEAName",
    "SchoolCategory",
    "LowestGrade",
    "HighestGrade",
    "County",
]
_ADDRESS = r"^(?P<address>.+), (?P<city>[^,]+), (?P<state>WA) +(?P<zip>\d{5})(?:-?(?:\d{4})?)?$"
# Re-engagement programs teach young adults, mostly online; institutions and jails do not let
# anybody in.
_NO_MEAL_SITE = r"re-engagement|institution|detention|\bjail\b|college/university"


def read_rows(file: RawFile, source: Source) -> Iterator[pd.DataFrame]:
    """Yield the file's schools in one frame. Raises UnreadableFileError when columns are
    missing."""
    rows = read_table(file, required=_COLUMNS)
    parts = rows["PhysicalAddress"].str.extract(_ADDRESS)
    places = parts.assign(
        source_row=rows["source_row"],
        source_key=rows["SchoolCode"],
        name=rows["School"],
        organization=rows["LEAName"],
        address=parts["address"].fillna(rows["PhysicalAddress"]),
        county_name=rows["County"],
        # Web Mercator metres, converted by the location step. They are the point of the building.
        lat=as_number(rows["Y"]),
        lng=as_number(rows["X"]),
        eligibility_text=ELIGIBILITY,
        notes="Grades " + rows["LowestGrade"] + " to " + rows["HighestGrade"],
    )
    is_none = contains(rows["SchoolCategory"], _NO_MEAL_SITE)
    yield with_rejects(
        with_known(places, file, source),
        (("no_meal_site", is_none, rows["SchoolCategory"].fillna("")),),
    )
