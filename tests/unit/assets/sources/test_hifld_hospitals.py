"""Hospitals stand beside the directory: facilities, none of them public."""

from __future__ import annotations

import pytest

from tests.support.source_files import fixture_rows, plain, shared_rows

FILE = "Hospitals.test.csv"


@pytest.mark.parametrize(
    ("file", "row", "field", "expected"),
    [
        pytest.param(FILE, 1, "facility_type", "hospital", id="type"),
        pytest.param(FILE, 1, "facility_subtype", "GENERAL ACUTE CARE", id="kind"),
        pytest.param(FILE, 1, "phone", None, id="NOT AVAILABLE"),
        pytest.param(
            FILE,
            1,
            "notes",
            "Owner: GOVERNMENT - LOCAL. Also known as: HERON CENTER",
            id="owner and other name",
        ),
        pytest.param(FILE, 1, "is_public", False, id="not listed"),
        pytest.param(FILE, 2, "reject_reason", "closed_by_source", id="closed"),
        pytest.param(FILE, 2, "notes", None, id="nothing known"),
        pytest.param(FILE, 1, "source_key", "0009992363", id="an id with zeros"),
    ],
)
def test_a_field(file: str, row: int, field: str, expected: object) -> None:
    rows = fixture_rows("hifld_hospitals", file).set_index("source_row")
    assert plain(rows.loc[row, field]) == expected


@pytest.mark.shared
@pytest.mark.parametrize(
    ("file", "count", "keys", "rejects"),
    [
        ("Hospitals.2020-04.csv", 7581, 7146, {"closed_by_source": 435}),
    ],
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
