"""New Jersey: pantries nested in towns."""

from __future__ import annotations

import pytest

from tests.support.cases import cases
from tests.support.source_files import fixture_value, shared_rows

SOURCE = "nj_foodpantries_2022"
FILE = "NJ_FP_locations.json"


@cases(
    "file, row, field, expected",
    {
        "the name is the key of the object": (FILE, 1, "name", "Diamondback Pantry"),
        "end of the link": (FILE, 1, "source_key", "nj_07999_diamondback-pantry"),
        "blank before the number": (FILE, 1, "address", "478 Fake Av"),
        "the directory's page is not the pantry's": (FILE, 1, "website", None),
        "leading zero": (FILE, 1, "zip", "07999"),
        "meals on wheels": (FILE, 2, "reject_reason", "home_delivery_only"),
        "no ZIP": (FILE, 3, "zip", None),
        "another town": (FILE, 3, "city", "Absecon"),
        "type": (FILE, 3, "resource_type", "food_pantry"),
    },
)
def test_a_field(file: str, row: int, field: str, expected: object) -> None:
    assert fixture_value(SOURCE, file, row, field) == expected


@pytest.mark.shared
def test_real_file() -> None:
    rows = shared_rows(SOURCE, SOURCE, FILE)
    assert len(rows) == 446
    assert rows["source_key"].is_unique
    assert rows["city"].nunique() <= 204
    assert rows["reject_reason"].value_counts().to_dict() == {"home_delivery_only": 1}
    assert rows[["name", "address", "city", "lat", "lng"]].notna().all().all()
    # One point lies in Canada; the location step finds it.
    assert (~rows["lat"].between(38.8, 41.4)).sum() == 1
