"""Only names that say opioid treatment program are of the catalog; the rest is set aside whole."""

from __future__ import annotations

import pytest

from tests.support.source_files import fixture_rows, plain, shared_rows

FILE = "SAMHSA_Nationwide_Substance_Use_Treatment_Data.test.csv"


@pytest.mark.parametrize(
    ("file", "row", "field", "expected"),
    [
        pytest.param(FILE, 1, "reject_reason", "not_in_catalog", id="a name that says nothing"),
        pytest.param(FILE, 2, "reject_reason", None, id="OTP in the unit"),
        pytest.param(FILE, 3, "reject_reason", None, id="methadone"),
        pytest.param(FILE, 4, "reject_reason", "not_in_catalog", id="the office of a doctor"),
        pytest.param(FILE, 5, "reject_reason", "not_in_catalog", id="the brand of a chain"),
        pytest.param(FILE, 6, "reject_reason", None, id="opiate treatment"),
        pytest.param(
            FILE, 7, "reject_reason", "not_in_catalog", id="a word that only contains otp"
        ),
        pytest.param(FILE, 1, "name", "A New Meadow", id="rejects are kept whole"),
        pytest.param(FILE, 2, "resource_type", "opioid_treatment", id="type"),
        pytest.param(FILE, 6, "organization", "Clínica Garza", id="accents"),
    ],
)
def test_a_field(file: str, row: int, field: str, expected: object) -> None:
    rows = fixture_rows("samhsa_substance_use", file).set_index("source_row")
    assert plain(rows.loc[row, field]) == expected


@pytest.mark.shared
@pytest.mark.parametrize(
    ("file", "count", "keys", "rejects"),
    [
        (
            "SAMHSA_Nationwide_Substance_Use_Treatment_Data.2021-07.csv",
            14034,
            143,
            {"not_in_catalog": 13891},
        ),
    ],
)
def test_real_files(file: str, count: int, keys: int, rejects: dict[str, int]) -> None:
    rows = shared_rows("samhsa_substance_use", "samhsa_substance_use", file)
    assert list(rows["source_row"]) == list(range(1, count + 1))
    assert rows["source_key"].notna().all()
    assert rows["reject_reason"].value_counts().to_dict() == rejects
    kept = rows[rows["reject_reason"].isna()]
    assert kept["source_key"].nunique() == keys
    assert (rows["address"] == "- - -").sum() == 16
