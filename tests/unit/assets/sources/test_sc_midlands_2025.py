"""South Carolina Midlands: addresses on two lines, hours as people write them."""

from __future__ import annotations

import pytest

from tests.support.cases import cases
from tests.support.source_files import fixture_value, shared_rows

SOURCE = "sc_midlands_2025"
FILE = "pantries.csv"


@cases(
    "file, row, field, expected",
    {
        "comma and line end": (FILE, 1, "address", "227 Fake Dr"),
        "city on the second line": (FILE, 1, "city", "Columbia"),
        "first column behind a byte order mark": (FILE, 1, "county_name", "Richland County"),
        "en dash as written": (FILE, 1, "hours_text", "Tue 9:00am–10:30am"),
        "website": (FILE, 1, "website", "https://wren.example/"),
        "line end alone": (FILE, 2, "city", "Leesville"),
        "town in brackets": (FILE, 2, "county_name", "Lexington County"),
        "exception as written": (FILE, 2, "hours_text", "Tue 10:00am-12:30pm, Closed last Tuesday"),
        "emailed is no address": (FILE, 2, "website", None),
        "soup cellar": (FILE, 2, "resource_type", "soup_kitchen"),
        "no phone": (FILE, 3, "phone", None),
        "e-mail as website": (FILE, 3, "website", None),
        "type": (FILE, 3, "resource_type", "food_pantry"),
        "ZIP": (FILE, 3, "zip", "29997"),
    },
)
def test_a_field(file: str, row: int, field: str, expected: object) -> None:
    assert fixture_value(SOURCE, file, row, field) == expected


@pytest.mark.shared
def test_real_file() -> None:
    rows = shared_rows(SOURCE, SOURCE, FILE)
    assert len(rows) == 40
    assert rows["source_key"].is_unique
    assert rows["reject_reason"].isna().all()
    assert rows[["name", "address", "city", "zip", "county_name", "hours_text"]].notna().all().all()
    assert not rows["address"].str.contains("\n|,$").any()
    assert rows["resource_type"].value_counts().to_dict() == {"food_pantry": 37, "soup_kitchen": 3}
