"""Restaurants from a PDF: leader dots in telephone numbers, rows without a name."""

from __future__ import annotations

import pytest

from tests.support.cases import cases
from tests.support.source_files import fixture_value, shared_rows

FILE = "EBT_Restaurants_list.test.txt"


@cases(
    "file, row, field, expected",
    {
        "the list is of one county": (FILE, 1, "state", "CA"),
        "leading blank": (FILE, 2, "zip", "90999"),
        "half a bracket": (FILE, 2, "phone", "(562) 555-0101"),
        "leader dots and two blanks": (FILE, 3, "phone", "(818) 555-0102"),
        "no number": (FILE, 5, "phone", None),
        "second address line": (FILE, 2, "address", "8565 South Tule, #2"),
        "no name": (FILE, 4, "reject_reason", "no_name"),
        "the address stays": (FILE, 4, "reject_detail", "13151 E. Tule Parkway"),
        "type": (FILE, 1, "resource_type", "rmp_restaurant"),
    },
)
def test_a_field(file: str, row: int, field: str, expected: object) -> None:
    assert fixture_value("rmp_restaurants", file, row, field) == expected


@pytest.mark.shared
@pytest.mark.parametrize(
    ("file", "count", "keys", "rejects"),
    [("EBT_Restaurants_list.LA_County.2015-09.txt", 1082, 1077, {"no_name": 4})],
)
def test_real_files(file: str, count: int, keys: int, rejects: dict[str, int]) -> None:
    rows = shared_rows("rmp_restaurants", "rmp_restaurants", file)
    assert list(rows["source_row"]) == list(range(1, count + 1))
    assert rows["source_key"].notna().all()
    assert rows["reject_reason"].value_counts().to_dict() == rejects
    kept = rows[rows["reject_reason"].isna()]
    assert kept["source_key"].nunique() == keys
    assert kept["phone"].dropna().str.fullmatch(r"\(\d{3}\) ?\d{3}[- ] ?\d{4}|661-575-0148").all()
    assert kept["zip"].str.fullmatch(r"\d{5}").all()
