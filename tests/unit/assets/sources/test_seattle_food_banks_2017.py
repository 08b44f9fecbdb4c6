"""Seattle: a name and a point."""

from __future__ import annotations

import pytest

from tests.support.source_files import fixture_value, shared_rows

SOURCE = "seattle_food_banks_2017"
FILE = "food_banks.csv"


@pytest.mark.parametrize(
    ("file", "row", "field", "expected"),
    [
        pytest.param(FILE, 1, "name", "Heron Food Bank", id="name"),
        pytest.param(FILE, 1, "lng", -122.3, id="longitude comes first"),
        pytest.param(FILE, 1, "lat", 47.5, id="latitude"),
        pytest.param(FILE, 2, "resource_type", "food_pantry", id="type"),
        pytest.param(FILE, 2, "state", "WA", id="state"),
        pytest.param(FILE, 2, "city", None, id="some lie outside the city"),
    ],
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
