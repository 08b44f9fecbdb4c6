"""Hospitals stand beside the directory: facilities, none of them public."""

from __future__ import annotations

import pytest

from tests.support.cases import cases
from tests.support.source_files import fixture_value, shared_rows

FILE = "Hospitals.test.csv"


@cases(
    "file, row, field, expected",
    {
        "type": (FILE, 1, "facility_type", "hospital"),
        "kind": (FILE, 1, "facility_subtype", "GENERAL ACUTE CARE"),
        "NOT AVAILABLE": (FILE, 1, "phone", None),
        "owner and other name": (
            FILE,
            1,
            "notes",
            "Owner: GOVERNMENT - LOCAL. Also known as: HERON CENTER",
        ),
        "not listed": (FILE, 1, "is_public", False),
        "closed": (FILE, 2, "reject_reason", "closed_by_source"),
        "nothing known": (FILE, 2, "notes", None),
        "an id with zeros": (FILE, 1, "source_key", "0009992363"),
    },
)
def test_a_field(file: str, row: int, field: str, expected: object) -> None:
    assert fixture_value("hifld_hospitals", file, row, field) == expected


@pytest.mark.shared
@pytest.mark.parametrize(
    ("file", "count", "keys", "rejects"),
    [("Hospitals.2020-04.csv", 7581, 7146, {"closed_by_source": 435})],
)
def test_real_files(file: str, count: int, keys: int, rejects: dict[str, int]) -> None:
    rows = shared_rows("hifld_hospitals", "hifld_hospitals", file)
    assert list(rows["source_row"]) == list(range(1, count + 1))
    assert rows["source_key"].notna().all()
    assert rows["reject_reason"].value_counts().to_dict() == rejects
    kept = rows[rows["reject_reason"].isna()]
    assert kept["source_key"].nunique() == keys
    assert kept["source_key"].is_unique
    assert not kept["is_public"].any()
    assert kept[["name", "address", "city", "zip", "lat"]].notna().all().all()
