"""The City's programmes: days and hours in two cells, keys by three names."""

from __future__ import annotations

import pytest

from tests.support.cases import cases
from tests.support.source_files import fixture_value, shared_rows

SOURCE = "nyc_cfc_apr2025"
FILE = "mapFoodBankCoords.json"


@cases(
    "file, row, field, expected",
    {
        "the name of the object": (FILE, 1, "source_key", "90015"),
        "days and hours": (FILE, 1, "hours_text", "WED/SUN (2,4) 01:00 PM-04:00 PM"),
        "FP": (FILE, 1, "resource_type", "food_pantry"),
        "borough as city": (FILE, 1, "city", "Bronx"),
        "county": (FILE, 1, "county_name", "Bronx County"),
        "the column repeats the type": (FILE, 1, "organization", None),
        "the other spelling of the members": (FILE, 2, "hours_text", "THUR 08:00 AM-10:00 AM"),
        "SK and a letter": (FILE, 2, "resource_type", "soup_kitchen"),
        "Queens is no postal city": (FILE, 2, "city", None),
        "Queens": (FILE, 2, "county_name", "Queens County"),
        "a single time": (FILE, 3, "hours_text", "TUE, FRI (1ST) 3PM"),
        "a third letter M": (FILE, 3, "resource_type", "mobile_pantry"),
        "a slip of the shift key": (FILE, 4, "resource_type", "food_pantry"),
        "no schedule": (FILE, 4, "hours_text", None),
    },
)
def test_a_field(file: str, row: int, field: str, expected: object) -> None:
    assert fixture_value(SOURCE, file, row, field) == expected


@pytest.mark.shared
def test_real_file() -> None:
    rows = shared_rows(SOURCE, SOURCE, FILE)
    assert len(rows) == 522
    assert rows["source_key"].is_unique
    assert rows["reject_reason"].isna().all()
    assert rows["resource_type"].value_counts().to_dict() == {
        "food_pantry": 433,
        "soup_kitchen": 79,
        "mobile_pantry": 10,
    }
    assert rows[["name", "address", "zip", "county_name", "lat", "hours_text"]].notna().all().all()
    assert not rows["hours_text"].str.endswith("-").any()
