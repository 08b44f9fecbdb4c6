"""The treatment locator of 2020: names in two parts, intake numbers, empty web addresses."""

from __future__ import annotations

import pytest

from tests.support.cases import cases
from tests.support.source_files import fixture_rows, fixture_value, shared_rows

FILE = "mentalhealth_clean.test.csv"


@cases(
    "file, row, field, expected",
    {
        "provider and unit, trailing blank": (
            FILE,
            2,
            "name",
            "Larkton Hospital - Behavioral Health",
        ),
        "the provider runs the unit": (FILE, 2, "organization", "Larkton Hospital"),
        "no unit, no organization apart": (FILE, 1, "organization", None),
        "two street lines": (FILE, 1, "address", "60 Westwind Avenue, Suite 220"),
        "two intake numbers": (FILE, 1, "notes", "Intake: 860-555-0130 x301, 860-555-0131"),
        "one intake number": (FILE, 3, "notes", "Intake: 203-555-0145"),
        "no intake number": (FILE, 2, "notes", None),
        "a bare http://": (FILE, 2, "website", None),
        "zeros are put back by the cleaning": (FILE, 1, "zip", "6999"),
        "a withheld street is marked by the cleaning": (FILE, 3, "address", "- - -"),
        "type": (FILE, 1, "resource_type", "mental_health_facility"),
        "another kind of facility": (FILE, 5, "reject_reason", "not_in_catalog"),
        "listed": (FILE, 1, "reject_reason", None),
    },
)
def test_a_field(file: str, row: int, field: str, expected: object) -> None:
    assert fixture_value("samhsa_mental_health", file, row, field) == expected


def test_case_does_not_change_a_key() -> None:
    keys = fixture_rows("samhsa_mental_health", FILE).set_index("source_row")["source_key"]
    assert keys[2] == keys[4]
    assert keys.nunique() == 4


@pytest.mark.shared
@pytest.mark.parametrize(
    ("file", "count", "keys", "rejects"), [("mentalhealth_clean.2020.csv", 11375, 11033, {})]
)
def test_real_files(file: str, count: int, keys: int, rejects: dict[str, int]) -> None:
    rows = shared_rows("samhsa_mental_health", "samhsa_mental_health", file)
    assert list(rows["source_row"]) == list(range(1, count + 1))
    assert rows["source_key"].notna().all()
    assert rows["reject_reason"].value_counts().to_dict() == rejects
    kept = rows[rows["reject_reason"].isna()]
    assert kept["source_key"].nunique() == keys
    assert kept[["name", "city", "state", "lat", "phone"]].notna().all().all()
    assert not kept["website"].eq("http://").any()
