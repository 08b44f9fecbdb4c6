"""Diaper banks: a list in HSDS names."""

from __future__ import annotations

import pytest

from tests.support.source_files import fixture_rows, fixture_value

SOURCE = "diaper_banks"
FILE = "diaper_banks.test.csv"


@pytest.mark.parametrize(
    ("row", "field", "expected"),
    [
        pytest.param(1, "resource_type", "diaper_bank", id="type"),
        pytest.param(1, "organization", "Heron Friends", id="organization"),
        pytest.param(1, "zip", "04599", id="leading zero"),
        pytest.param(1, "hours_text", "1st Saturday 9am-11am", id="schedule"),
        pytest.param(1, "eligibility_text", "Children under 3", id="who"),
        pytest.param(1, "is_public", True, id="given to be published"),
        pytest.param(1, "source_updated_date", None, id="no day of assurance"),
        pytest.param(1, "reject_reason", None, id="no status is no closure"),
        pytest.param(2, "reject_reason", "closed_by_source", id="closed for now"),
    ],
)
def test_fixture(row: int, field: str, expected: object) -> None:
    assert fixture_value(SOURCE, FILE, row, field) == expected


def test_rows_without_id_have_keys() -> None:
    keys = fixture_rows(SOURCE, FILE)["source_key"]
    assert keys.notna().all()
    assert keys.is_unique
