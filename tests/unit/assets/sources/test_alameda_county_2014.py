"""A general directory: food is kept, whatever only touches food is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from assets.sources.contract import UnreadableFileError
from tests.support.cases import cases
from tests.support.source_files import fixture_value, rows_of, shared_rows

SOURCE = "alameda_county_2014"
FILE = "alamedaco.json"


@cases(
    "file, row, field, expected",
    {
        "a pantry in the long description only": (FILE, 1, "reject_reason", "not_food_assistance"),
        "meals": (FILE, 2, "resource_type", "soup_kitchen"),
        "organisation": (FILE, 2, "organization", "Ibis Mission"),
        "e-mail": (FILE, 2, "services_text", "Free hot meals nightly, write to"),
        "a pantry that cooks is a pantry": (FILE, 3, "resource_type", "food_pantry"),
        "street": (FILE, 3, "address", "2 Reed Street"),
        "the year in the name": (FILE, 4, "reject_reason", "past_event"),
        "WIC, with a helpline": (FILE, 5, "resource_type", "wic_office"),
        "a clinic that mentions WIC": (FILE, 6, "reject_reason", "not_food_assistance"),
        "senior center with lunch": (FILE, 7, "reject_reason", "not_in_catalog"),
        "meals brought to the house": (FILE, 8, "reject_reason", "home_delivery_only"),
        "food for animals": (FILE, 9, "reject_reason", "not_food_assistance"),
    },
)
def test_a_field(file: str, row: int, field: str, expected: object) -> None:
    assert fixture_value(SOURCE, file, row, field) == expected


def test_an_organisation_without_locations(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text('{"name": "Heron", "places": []}\n', "utf-8")
    with pytest.raises(UnreadableFileError, match="Heron has no list locs"):
        rows_of(SOURCE, tmp_path / FILE)


@pytest.mark.shared
def test_real_file() -> None:
    rows = shared_rows(SOURCE, SOURCE, FILE)
    assert list(rows["source_row"]) == list(range(1, 2_112))
    assert rows["source_key"].is_unique
    assert rows["organization"].notna().all()
    used = rows[rows["reject_reason"].isna()]
    assert used["resource_type"].value_counts().to_dict() == {
        "food_pantry": 31,
        "soup_kitchen": 14,
        "summer_meal": 6,
        "wic_office": 5,
        "snap_office": 1,
        "food_bank": 1,
    }
    assert used[["name", "city", "zip", "services_text"]].notna().all().all()
    assert not rows["services_text"].str.contains("@", na=False).any()
