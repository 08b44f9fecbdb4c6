"""Chicago's aid hub: one flat object per place, the type in many spellings."""

from __future__ import annotations

import pytest

from tests.support.cases import cases
from tests.support.source_files import fixture_value, shared_rows

SOURCE = "chicago_aid_hub_2025"
FILE = "pantries.json"


@cases(
    "file, row, field, expected",
    {
        "a pantry that cooks is a pantry": (FILE, 1, "resource_type", "food_pantry"),
        "street of a whole address": (FILE, 1, "address", "945 W 69th Fake St"),
        "city": (FILE, 1, "city", "Chicago"),
        "ZIP": (FILE, 1, "zip", "60699"),
        "empty is missing": (FILE, 1, "website", None),
        "en dash as written": (FILE, 1, "hours_text", "Tue 9:00 AM–1:00 PM"),
        "labels": (FILE, 1, "services_text", "Groceries, Hot meals"),
        "e-mail": (FILE, 1, "notes", "Write to"),
        "sends people on": (FILE, 2, "reject_reason", "network_office"),
        "headquarters": (FILE, 3, "resource_type", "food_bank"),
        "headquarters are kept": (FILE, 3, "reject_reason", None),
        "mobile": (FILE, 4, "resource_type", "mobile_pantry"),
        "ZIP from its own member": (FILE, 4, "zip", "60698"),
        "no state in the address": (FILE, 4, "state", "IL"),
        "no point": (FILE, 4, "lat", None),
        "one label": (FILE, 4, "services_text", "Groceries"),
    },
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
