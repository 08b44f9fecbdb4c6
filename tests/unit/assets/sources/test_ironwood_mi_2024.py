"""Upper Peninsula: hours as spans per weekday, pantries among shops."""

from __future__ import annotations

import pytest

from tests.support.cases import cases
from tests.support.source_files import fixture_value, shared_rows

SOURCE = "ironwood_mi_2024"
FILE = "pantries.json"


@cases(
    "file, row, field, expected",
    {
        "a shop marked as pantry": (FILE, 1, "reject_reason", None),
        "missing weekdays are left out": (
            FILE,
            1,
            "hours_text",
            "Monday 10:00-16:00; Tuesday 11:00-12:30, 16:00-18:00; Sunday closed",
        ),
        "street": (FILE, 1, "address", "216 W Fake St"),
        "ZIP": (FILE, 1, "zip", "49999"),
        "point": (FILE, 1, "lat", 46.4),
        "a shop": (FILE, 2, "reject_reason", "not_food_assistance"),
        "town only": (FILE, 3, "address", None),
        "town": (FILE, 3, "city", "Manistique"),
        "hours as empty text": (FILE, 3, "hours_text", None),
        "pantry in the name": (FILE, 4, "reject_reason", None),
        "closed all week": (FILE, 4, "hours_text", None),
        "e-mail as website": (FILE, 4, "website", None),
    },
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
