"""Upper Peninsula: hours as spans per weekday, pantries among shops."""

from __future__ import annotations

import pytest

from tests.support.source_files import fixture_value, shared_rows

SOURCE = "ironwood_mi_2024"
FILE = "pantries.json"


@pytest.mark.parametrize(
    ("file", "row", "field", "expected"),
    [
        pytest.param(FILE, 1, "reject_reason", None, id="a shop marked as pantry"),
        pytest.param(
            FILE,
            1,
            "hours_text",
            "Monday 10:00-16:00; Tuesday 11:00-12:30, 16:00-18:00; Sunday closed",
            id="missing weekdays are left out",
        ),
        pytest.param(FILE, 1, "address", "216 W Fake St", id="street"),
        pytest.param(FILE, 1, "zip", "49999", id="ZIP"),
        pytest.param(FILE, 1, "lat", 46.4, id="point"),
        pytest.param(FILE, 2, "reject_reason", "not_food_assistance", id="a shop"),
        pytest.param(FILE, 3, "address", None, id="town only"),
        pytest.param(FILE, 3, "city", "Manistique", id="town"),
        pytest.param(FILE, 3, "hours_text", None, id="hours as empty text"),
        pytest.param(FILE, 4, "reject_reason", None, id="pantry in the name"),
        pytest.param(FILE, 4, "hours_text", None, id="closed all week"),
        pytest.param(FILE, 4, "website", None, id="e-mail as website"),
    ],
)
def test_a_field(file: str, row: int, field: str, expected: object) -> None:
    assert fixture_value(SOURCE, file, row, field) == expected


@pytest.mark.shared
def test_real_file() -> None:
    rows = shared_rows(SOURCE, SOURCE, FILE)
    assert len(rows) == 45
    assert rows["source_key"].is_unique
    assert rows["reject_reason"].value_counts().to_dict() == {"not_food_assistance": 9}
    assert rows[["city", "state", "zip", "lat", "lng"]].notna().all().all()
    assert rows["address"].isna().sum() == 1
