"""Diaper banks: a list in HSDS names."""

from __future__ import annotations

from tests.support.cases import cases
from tests.support.source_files import fixture_rows, fixture_value

SOURCE = "diaper_banks"
FILE = "diaper_banks.test.csv"


@cases(
    "row, field, expected",
    {
        "type": (1, "resource_type", "diaper_bank"),
        "organization": (1, "organization", "Heron Friends"),
        "leading zero": (1, "zip", "04599"),
        "schedule": (1, "hours_text", "1st Saturday 9am-11am"),
        "who": (1, "eligibility_text", "Children under 3"),
        "given to be published": (1, "is_public", True),
        "no day of assurance": (1, "source_updated_date", None),
        "no status is no closure": (1, "reject_reason", None),
        "closed for now": (2, "reject_reason", "closed_by_source"),
    },
)
def test_fixture(row: int, field: str, expected: object) -> None:
    assert fixture_value(SOURCE, FILE, row, field) == expected


def test_rows_without_id_have_keys() -> None:
    keys = fixture_rows(SOURCE, FILE)["source_key"]
    assert keys.notna().all()
    assert keys.is_unique
