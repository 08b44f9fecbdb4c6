"""Opioid treatment programs: one byte breaks UTF-8, and names are no keys."""

from __future__ import annotations

import pytest

from tests.support.cases import cases
from tests.support.source_files import fixture_rows, fixture_value, shared_rows

FILE = "Opioid_Treatment_Directory_Geocoded.test.csv"


@cases(
    "file, row, field, expected",
    {
        "cp1252": (FILE, 2, "name", "Programa Garza Cayé Ambulatorio í"),
        "zeros are put back by the cleaning": (FILE, 2, "zip", "736"),
        "comma inside quotes": (FILE, 1, "address", "2521 E. Heron Drive, Suites E and F"),
        "type": (FILE, 1, "resource_type", "opioid_treatment"),
        "longitude": (FILE, 1, "lng", -149.38),
    },
)
def test_a_field(file: str, row: int, field: str, expected: object) -> None:
    assert fixture_value("samhsa_otp", file, row, field) == expected


def test_sites_of_one_name_have_their_own_keys() -> None:
    keys = fixture_rows("samhsa_otp", FILE).set_index("source_row")["source_key"]
    assert keys[1] != keys[3]
    assert keys[3] == keys[4]


@pytest.mark.shared
@pytest.mark.parametrize(
    ("file", "count", "keys", "rejects"),
    [("Opioid_Treatment_Directory_Geocoded.2021-07.csv", 1831, 1830, {})],
)
def test_real_files(file: str, count: int, keys: int, rejects: dict[str, int]) -> None:
    rows = shared_rows("samhsa_otp", "samhsa_otp", file)
    assert list(rows["source_row"]) == list(range(1, count + 1))
    assert rows["source_key"].notna().all()
    assert rows["reject_reason"].value_counts().to_dict() == rejects
    kept = rows[rows["reject_reason"].isna()]
    assert kept["source_key"].nunique() == keys
    assert kept[["name", "address", "city", "zip", "lat", "lng"]].notna().all().all()
