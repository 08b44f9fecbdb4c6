"""The study's merged list: the FINAL column of each pair, and only what the columns say."""

from __future__ import annotations

from datetime import date

import pytest

from tests.support.cases import cases
from tests.support.source_files import fixture_value, shared_rows

SOURCE = "nyc_pantries_2023"
FILE = "food_pantries_2023.csv"


@cases(
    "row, field, expected",
    {
        "key": (1, "source_key", "00000000-0000-4000-8000-000000000001"),
        "slots": (1, "hours_text", "2023-07-18 11:00AM-01:00PM\n2023-07-25 11:00AM-01:00PM"),
        "ID, of no said kind": (1, "requirements_text", "ID required"),
        "e-mail": (1, "notes", "Write to\nBring bags"),
        "date of the row": (1, "source_updated_date", date(2023, 7, 13)),
        "pantry": (1, "resource_type", "food_pantry"),
        "a borough as city": (1, "city", "Queens"),
        "open in FINAL, closed elsewhere": (1, "reject_reason", None),
        "closed": (2, "reject_reason", "closed_by_source"),
        "a mobile soup kitchen moves": (3, "resource_type", "mobile_pantry"),
        "status unknown": (3, "notes", "Status at last check: unknown\n- Park gate"),
        "e-mail as website": (3, "website", None),
        "no ID": (3, "requirements_text", "No ID required"),
        "a pantry that cooks": (4, "resource_type", "food_pantry"),
        "unknown is nothing": (4, "requirements_text", None),
        "no status": (4, "notes", None),
        "vintage of the file": (4, "source_updated_date", date(2023, 7, 13)),
        "soup kitchen": (5, "resource_type", "soup_kitchen"),
        "an empty state is not filled in": (5, "state", None),
        "empty row": (6, "reject_reason", "empty_row"),
        "no place to go to": (7, "reject_reason", "home_delivery_only"),
    },
)
def test_fixture(row: int, field: str, expected: object) -> None:
    assert fixture_value(SOURCE, FILE, row, field) == expected


@pytest.mark.shared
def test_real_file() -> None:
    rows = shared_rows(SOURCE, SOURCE, FILE)
    assert list(rows["source_row"]) == list(range(1, 1_401))
    assert rows["source_key"].nunique() == 1_400
    assert rows["reject_reason"].value_counts().to_dict() == {
        "closed_by_source": 150,
        "empty_row": 8,
        "home_delivery_only": 1,
    }
    used = rows[rows["reject_reason"].isna()]
    assert used[["name", "address", "zip"]].notna().all().all()
    assert used["hours_text"].str.contains("\n", na=False).sum() > 200
    assert not rows["notes"].str.contains("@", na=False).any()
    assert used["resource_type"].value_counts().to_dict() == {
        "food_pantry": 1_063,
        "soup_kitchen": 118,
        "mobile_pantry": 60,
    }
