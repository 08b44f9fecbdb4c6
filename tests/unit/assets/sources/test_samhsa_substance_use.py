"""Only names that say opioid treatment program are of the catalog; the rest is set aside whole."""

from __future__ import annotations

import pytest

from tests.support.cases import cases
from tests.support.source_files import fixture_value, shared_rows

FILE = "SAMHSA_Nationwide_Substance_Use_Treatment_Data.test.csv"


@cases(
    "file, row, field, expected",
    {
        "a name that says nothing": (FILE, 1, "reject_reason", "not_in_catalog"),
        "OTP in the unit": (FILE, 2, "reject_reason", None),
        "methadone": (FILE, 3, "reject_reason", None),
        "the office of a doctor": (FILE, 4, "reject_reason", "not_in_catalog"),
        "the brand of a chain": (FILE, 5, "reject_reason", "not_in_catalog"),
        "opiate treatment": (FILE, 6, "reject_reason", None),
        "a word that only contains otp": (FILE, 7, "reject_reason", "not_in_catalog"),
        "rejects are kept whole": (FILE, 1, "name", "A New Meadow"),
        "type": (FILE, 2, "resource_type", "opioid_treatment"),
        "accents": (FILE, 6, "organization", "Clínica Garza"),
    },
)
def test_a_field(file: str, row: int, field: str, expected: object) -> None:
    assert fixture_value("samhsa_substance_use", file, row, field) == expected


@pytest.mark.shared
@pytest.mark.parametrize(
    ("file", "count", "keys", "rejects"),
    [
        (
            "SAMHSA_Nationwide_Substance_Use_Treatment_Data.2021-07.csv",
            14034,
            143,
            {"not_in_catalog": 13891},
        )
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
