"""Dallas-Fort Worth: the appointment column also says who may come."""

from __future__ import annotations

import pytest

from tests.support.source_files import fixture_value, shared_rows

SOURCE = "dfw_food_resources_2026"
FILE = "sample-food-resources.csv"


@pytest.mark.parametrize(
    ("file", "row", "field", "expected"),
    [
        pytest.param(FILE, 1, "address", "440 S Fake Rd #101", id="number of a suite"),
        pytest.param(FILE, 1, "city", "Irving", id="city"),
        pytest.param(FILE, 1, "requires_appointment", True, id="appointment"),
        pytest.param(FILE, 1, "eligibility_text", "Irving Residents", id="who may come"),
        pytest.param(
            FILE, 1, "hours_text", "Mon-Thu 8:30AM-1:30PM (Appt only)", id="hours as written"
        ),
        pytest.param(FILE, 1, "lat", 32.747565834551885, id="all decimals"),
        pytest.param(FILE, 2, "requires_appointment", False, id="no appointment"),
        pytest.param(FILE, 2, "resource_type", "soup_kitchen", id="hot meal"),
        pytest.param(FILE, 2, "address", "2975 Esplanade", id="street of one word"),
        pytest.param(FILE, 3, "resource_type", "community_fridge", id="a fridge by its name"),
        pytest.param(FILE, 4, "resource_type", "soup_kitchen", id="meals for seniors"),
        pytest.param(FILE, 4, "eligibility_text", "60+", id="seniors only"),
        pytest.param(FILE, 5, "reject_reason", "not_in_catalog", id="supper for children"),
        pytest.param(FILE, 6, "eligibility_text", None, id="by appointment is no group"),
    ],
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
