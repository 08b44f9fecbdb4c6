"""Dallas-Fort Worth: the appointment column also says who may come."""

from __future__ import annotations

import pytest

from tests.support.cases import cases
from tests.support.source_files import fixture_value, shared_rows

SOURCE = "dfw_food_resources_2026"
FILE = "sample-food-resources.csv"


@cases(
    "file, row, field, expected",
    {
        "number of a suite": (FILE, 1, "address", "440 S Fake Rd #101"),
        "city": (FILE, 1, "city", "Irving"),
        "appointment": (FILE, 1, "requires_appointment", True),
        "who may come": (FILE, 1, "eligibility_text", "Irving Residents"),
        "hours as written": (FILE, 1, "hours_text", "Mon-Thu 8:30AM-1:30PM (Appt only)"),
        "all decimals": (FILE, 1, "lat", 32.747565834551885),
        "no appointment": (FILE, 2, "requires_appointment", False),
        "hot meal": (FILE, 2, "resource_type", "soup_kitchen"),
        "street of one word": (FILE, 2, "address", "2975 Esplanade"),
        "a fridge by its name": (FILE, 3, "resource_type", "community_fridge"),
        "meals for seniors": (FILE, 4, "resource_type", "soup_kitchen"),
        "seniors only": (FILE, 4, "eligibility_text", "60+"),
        "supper for children": (FILE, 5, "reject_reason", "not_in_catalog"),
        "by appointment is no group": (FILE, 6, "eligibility_text", None),
    },
)
def test_a_field(file: str, row: int, field: str, expected: object) -> None:
    assert fixture_value(SOURCE, file, row, field) == expected


@pytest.mark.shared
def test_real_file() -> None:
    rows = shared_rows(SOURCE, SOURCE, FILE)
    assert len(rows) == 104
    assert rows["source_key"].is_unique
    assert rows["reject_reason"].value_counts().to_dict() == {"not_in_catalog": 17}
    assert (
        rows[["address", "city", "zip", "hours_text", "requires_appointment"]].notna().all().all()
    )
    assert rows["lat"].between(32.3, 33.5).all()
    assert rows["lng"].between(-97.9, -96.3).all()
