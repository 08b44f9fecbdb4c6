"""Chicago's aid hub: one flat object per place, the type in many spellings."""

from __future__ import annotations

import pytest

from tests.support.source_files import fixture_value, shared_rows

SOURCE = "chicago_aid_hub_2025"
FILE = "pantries.json"


@pytest.mark.parametrize(
    ("file", "row", "field", "expected"),
    [
        pytest.param(FILE, 1, "resource_type", "food_pantry", id="a pantry that cooks is a pantry"),
        pytest.param(FILE, 1, "address", "945 W 69th Fake St", id="street of a whole address"),
        pytest.param(FILE, 1, "city", "Chicago", id="city"),
        pytest.param(FILE, 1, "zip", "60699", id="ZIP"),
        pytest.param(FILE, 1, "website", None, id="empty is missing"),
        pytest.param(FILE, 1, "hours_text", "Tue 9:00 AM–1:00 PM", id="en dash as written"),
        pytest.param(FILE, 1, "services_text", "Groceries, Hot meals", id="labels"),
        pytest.param(FILE, 1, "notes", "Write to", id="e-mail"),
        pytest.param(FILE, 2, "reject_reason", "network_office", id="sends people on"),
        pytest.param(FILE, 3, "resource_type", "food_bank", id="headquarters"),
        pytest.param(FILE, 3, "reject_reason", None, id="headquarters are kept"),
        pytest.param(FILE, 4, "resource_type", "mobile_pantry", id="mobile"),
        pytest.param(FILE, 4, "zip", "60698", id="ZIP from its own member"),
        pytest.param(FILE, 4, "state", "IL", id="no state in the address"),
        pytest.param(FILE, 4, "lat", None, id="no point"),
        pytest.param(FILE, 4, "services_text", "Groceries", id="one label"),
    ],
)
def test_a_field(file: str, row: int, field: str, expected: object) -> None:
    assert fixture_value(SOURCE, file, row, field) == expected


@pytest.mark.shared
def test_real_file() -> None:
    rows = shared_rows(SOURCE, SOURCE, FILE)
    assert len(rows) == 47
    assert rows["source_key"].is_unique
    assert rows["reject_reason"].value_counts().to_dict() == {"network_office": 2}
    assert rows[["name", "address", "city", "zip", "hours_text", "lat"]].notna().all().all()
    assert (rows["state"] == "IL").all()
    used = rows[rows["reject_reason"].isna()]
    assert used["resource_type"].value_counts().to_dict() == {
        "food_pantry": 43,
        "food_bank": 1,
        "mobile_pantry": 1,
    }
