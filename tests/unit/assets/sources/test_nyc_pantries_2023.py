"""The study's merged list: the FINAL column of each pair, and only what the columns say."""

from __future__ import annotations

from datetime import date

import pytest

from tests.support.source_files import fixture_value, shared_rows

SOURCE = "nyc_pantries_2023"
FILE = "food_pantries_2023.csv"


@pytest.mark.parametrize(
    ("row", "field", "expected"),
    [
        pytest.param(1, "source_key", "00000000-0000-4000-8000-000000000001", id="key"),
        pytest.param(
            1, "hours_text", "2023-07-18 11:00AM-01:00PM\n2023-07-25 11:00AM-01:00PM", id="slots"
        ),
        pytest.param(1, "requirements_text", "ID required", id="ID, of no said kind"),
        pytest.param(1, "notes", "Write to\nBring bags", id="e-mail"),
        pytest.param(1, "source_updated_date", date(2023, 7, 13), id="date of the row"),
        pytest.param(1, "resource_type", "food_pantry", id="pantry"),
        pytest.param(1, "city", "Queens", id="a borough as city"),
        pytest.param(1, "reject_reason", None, id="open in FINAL, closed elsewhere"),
        pytest.param(2, "reject_reason", "closed_by_source", id="closed"),
        pytest.param(3, "resource_type", "mobile_pantry", id="a mobile soup kitchen moves"),
        pytest.param(3, "notes", "Status at last check: unknown\n- Park gate", id="status unknown"),
        pytest.param(3, "website", None, id="e-mail as website"),
        pytest.param(3, "requirements_text", "No ID required", id="no ID"),
        pytest.param(4, "resource_type", "food_pantry", id="a pantry that cooks"),
        pytest.param(4, "requirements_text", None, id="unknown is nothing"),
        pytest.param(4, "notes", None, id="no status"),
        pytest.param(4, "source_updated_date", date(2023, 7, 13), id="vintage of the file"),
        pytest.param(5, "resource_type", "soup_kitchen", id="soup kitchen"),
        pytest.param(5, "state", None, id="an empty state is not filled in"),
        pytest.param(6, "reject_reason", "empty_row", id="empty row"),
        pytest.param(7, "reject_reason", "home_delivery_only", id="no place to go to"),
    ],
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
