"""The treatment locator of 2020: names in two parts, intake numbers, empty web addresses."""

from __future__ import annotations

import pytest

from tests.support.source_files import fixture_rows, plain, shared_rows

FILE = "mentalhealth_clean.test.csv"


@pytest.mark.parametrize(
    ("file", "row", "field", "expected"),
    [
        pytest.param(
            FILE,
            2,
            "name",
            "Larkton Hospital - Behavioral Health",
            id="provider and unit, trailing blank",
        ),
        pytest.param(FILE, 2, "organization", "Larkton Hospital", id="the provider runs the unit"),
        pytest.param(FILE, 1, "organization", None, id="no unit, no organization apart"),
        pytest.param(FILE, 1, "address", "60 Westwind Avenue, Suite 220", id="two street lines"),
        pytest.param(
            FILE, 1, "notes", "Intake: 860-555-0130 x301, 860-555-0131", id="two intake numbers"
        ),
        pytest.param(FILE, 3, "notes", "Intake: 203-555-0145", id="one intake number"),
        pytest.param(FILE, 2, "notes", None, id="no intake number"),
        pytest.param(FILE, 2, "website", None, id="a bare http://"),
        pytest.param(FILE, 1, "zip", "6999", id="zeros are put back by the cleaning"),
        pytest.param(FILE, 3, "address", "- - -", id="a withheld street is marked by the cleaning"),
        pytest.param(FILE, 1, "resource_type", "mental_health_facility", id="type"),
        pytest.param(FILE, 5, "reject_reason", "not_in_catalog", id="another kind of facility"),
        pytest.param(FILE, 1, "reject_reason", None, id="listed"),
    ],
)
def test_a_field(file: str, row: int, field: str, expected: object) -> None:
    rows = fixture_rows("samhsa_mental_health", file).set_index("source_row")
    assert plain(rows.loc[row, field]) == expected


def test_case_does_not_change_a_key() -> None:
    keys = fixture_rows("samhsa_mental_health", FILE).set_index("source_row")["source_key"]
    assert keys[2] == keys[4]
    assert keys.nunique() == 4


@pytest.mark.shared
@pytest.mark.parametrize(
    ("file", "count", "keys", "rejects"),
    [
        ("mentalhealth_clean.2020.csv", 11375, 11033, {}),
    ],
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
