"""The City's facilities: two kinds of place, and one that is none."""

from __future__ import annotations

import pytest

from tests.support.cases import cases
from tests.support.source_files import fixture_rows, fixture_value, shared_rows

SOURCE = "nyc_facilities_fbnyc_2016"
PANTRIES = "food_pantries.json"
KITCHENS = "soup_kitchens.json"
CENTERS = "senior_centers.json"


@cases(
    "file, row, field, expected",
    {
        "runs of blanks": (PANTRIES, 1, "address", "351 East 74 Fake Street"),
        "a cut name": (PANTRIES, 1, "city", "Staten Island"),
        "ZIP as number": (PANTRIES, 1, "zip", "10399"),
        "pantry": (PANTRIES, 1, "resource_type", "food_pantry"),
        "open data": (PANTRIES, 1, "is_public", True),
        "soup kitchen": (KITCHENS, 1, "resource_type", "soup_kitchen"),
        "senior center": (CENTERS, 1, "reject_reason", "not_food_assistance"),
        "borough where there is no city": (CENTERS, 1, "city", "QUEENS"),
    },
)
def test_a_field(file: str, row: int, field: str, expected: object) -> None:
    assert fixture_value(SOURCE, file, row, field) == expected


def test_a_pantry_and_a_kitchen_of_one_name_are_two() -> None:
    assert fixture_rows(SOURCE, PANTRIES, KITCHENS)["source_key"].is_unique


@pytest.mark.shared
@pytest.mark.parametrize(
    ("file", "count", "rejects"), [(PANTRIES, 606, 0), (KITCHENS, 155, 0), (CENTERS, 246, 246)]
)
def test_real_files(file: str, count: int, rejects: int) -> None:
    rows = shared_rows(SOURCE, SOURCE, file)
    assert list(rows["source_row"]) == list(range(1, count + 1))
    assert rows["source_key"].is_unique
    assert (rows["reject_reason"] == "not_food_assistance").sum() == rejects
    assert rows[["name", "address", "city", "zip", "lat"]].notna().all().all()
    assert rows["lat"].between(40.4, 41.0).all()
    assert not rows["address"].str.contains("  ").any()


@pytest.mark.shared
def test_real_keys_are_unique_over_all_files() -> None:
    rows = shared_rows(SOURCE, SOURCE, PANTRIES, KITCHENS, CENTERS)
    assert rows["source_key"].nunique() == 1_007
