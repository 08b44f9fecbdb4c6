"""South Carolina Midlands: addresses on two lines, hours as people write them."""

from __future__ import annotations

import pytest

from tests.support.source_files import fixture_value, shared_rows

SOURCE = "sc_midlands_2025"
FILE = "pantries.csv"


@pytest.mark.parametrize(
    ("file", "row", "field", "expected"),
    [
        pytest.param(FILE, 1, "address", "227 Fake Dr", id="comma and line end"),
        pytest.param(FILE, 1, "city", "Columbia", id="city on the second line"),
        pytest.param(
            FILE, 1, "county_name", "Richland County", id="first column behind a byte order mark"
        ),
        pytest.param(FILE, 1, "hours_text", "Tue 9:00am–10:30am", id="en dash as written"),
        pytest.param(FILE, 1, "website", "https://wren.example/", id="website"),
        pytest.param(FILE, 2, "city", "Leesville", id="line end alone"),
        pytest.param(FILE, 2, "county_name", "Lexington County", id="town in brackets"),
        pytest.param(
            FILE,
            2,
            "hours_text",
            "Tue 10:00am-12:30pm, Closed last Tuesday",
            id="exception as written",
        ),
        pytest.param(FILE, 2, "website", None, id="emailed is no address"),
        pytest.param(FILE, 2, "resource_type", "soup_kitchen", id="soup cellar"),
        pytest.param(FILE, 3, "phone", None, id="no phone"),
        pytest.param(FILE, 3, "website", None, id="e-mail as website"),
        pytest.param(FILE, 3, "resource_type", "food_pantry", id="type"),
        pytest.param(FILE, 3, "zip", "29997", id="ZIP"),
    ],
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
