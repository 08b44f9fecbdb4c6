"""Got Food: opening and closing per weekday, limited by comments."""

from __future__ import annotations

import pytest

from assets.hours.parse import parse_hours
from schemas.hours.schedule import is_doubtful_throughout
from tests.support.cases import cases
from tests.support.source_files import fixture_value, shared_rows

SOURCE = "nova_got_food_2026"
FILE = "pantries.csv"


@cases(
    "file, row, field, expected",
    {
        "community dinner": (FILE, 1, "resource_type", "soup_kitchen"),
        "no closing time, varied hours": (
            FILE,
            1,
            "hours_text",
            "Monday closed; Tuesday closed; Wednesday closed; Thursday from 5:30 PM; Friday closed; Saturday closed; Sunday closed (with exceptions: see the notes)",
        ),
        "anyone": (FILE, 1, "eligibility_text", None),
        "ZIP codes": (FILE, 2, "eligibility_text", "Residents of ZIP codes 22303, 22306, 22307"),
        "e-mail": (FILE, 2, "notes", "Write to first."),
        "every week": (
            FILE,
            2,
            "hours_text",
            "Monday 10:00 AM - 1:00 PM; Tuesday 12:00 AM - 11:59 PM; Wednesday closed; Thursday closed; Friday closed; Saturday closed; Sunday closed",
        ),
        "once a month by the comment": (
            FILE,
            3,
            "hours_text",
            "Monday closed; Tuesday closed; Wednesday closed; Thursday closed; Friday closed; Saturday 8:30 AM - 10:30 AM; Sunday closed (with exceptions: see the notes)",
        ),
        "state": (FILE, 3, "state", "DC"),
        "mobile market": (FILE, 3, "resource_type", "mobile_pantry"),
        "no special diet": (FILE, 3, "services_text", None),
        "one moment": (
            FILE,
            4,
            "hours_text",
            "Monday at 6:00 PM; Tuesday closed; Wednesday closed; Thursday closed; Friday closed; Saturday closed; Sunday closed",
        ),
        "diet": (FILE, 4, "services_text", "Supported diets: HALAL"),
        "who may come": (FILE, 4, "eligibility_text", "Heron residents"),
        "WIC": (FILE, 5, "resource_type", "wic_office"),
        "closed all week": (FILE, 5, "hours_text", None),
        "delivery": (FILE, 6, "reject_reason", "home_delivery_only"),
    },
)
def test_a_field(file: str, row: int, field: str, expected: object) -> None:
    assert fixture_value(SOURCE, file, row, field) == expected


@pytest.mark.shared
def test_real_file() -> None:
    rows = shared_rows(SOURCE, SOURCE, FILE)
    assert len(rows) == 70
    assert rows["source_key"].is_unique
    assert rows["reject_reason"].value_counts().to_dict() == {"home_delivery_only": 1}
    assert rows[["name", "address", "city", "state", "zip", "lat", "website"]].notna().all().all()
    assert not rows["notes"].str.contains("@", na=False).any()
    limited = rows["notes"].str.contains("month", na=False) & rows["hours_text"].notna()
    assert limited.sum() > 20


@pytest.mark.shared
def test_real_hours_that_vary_are_not_taken_for_every_week() -> None:
    rows = shared_rows(SOURCE, SOURCE, FILE).dropna(subset="hours_text")
    varying = rows[rows["hours_text"].str.contains("with exceptions")]
    assert len(varying) > 30
    readings = [parse_hours(text).schedules or [] for text in varying["hours_text"]]
    assert all(not schedules or is_doubtful_throughout(schedules) for schedules in readings)
