"""Seattle: a name and a point."""

from __future__ import annotations

import pytest

from tests.support.cases import cases
from tests.support.source_files import fixture_value, shared_rows

SOURCE = "seattle_food_banks_2017"
FILE = "food_banks.csv"


@cases(
    "file, row, field, expected",
    {
        "name": (FILE, 1, "name", "Heron Food Bank"),
        "longitude comes first": (FILE, 1, "lng", -122.3),
        "latitude": (FILE, 1, "lat", 47.5),
        "type": (FILE, 2, "resource_type", "food_pantry"),
        "state": (FILE, 2, "state", "WA"),
        "some lie outside the city": (FILE, 2, "city", None),
    },
)
def test_a_field(file: str, row: int, field: str, expected: object) -> None:
    assert fixture_value(SOURCE, file, row, field) == expected


@pytest.mark.shared
def test_real_file() -> None:
    rows = shared_rows(SOURCE, SOURCE, FILE)
    assert len(rows) == 36
    assert rows["source_key"].is_unique
    assert rows["reject_reason"].isna().all()
    assert rows["lat"].between(47.4, 47.8).all()
