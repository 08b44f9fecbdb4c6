"""North Carolina: two lists of NC 211 and a food bank's, each with its own addresses."""

from __future__ import annotations

import pytest

from tests.support.source_files import fixture_value, shared_rows

SOURCE = "nc_charlotte_2026"
PANTRIES = "nc211-food-pantries.json"
MEALS = "nc211-soup-kitchens.json"
FOOD_BANK = "foodbankcenc-locations.json"


@pytest.mark.parametrize(
    ("file", "row", "field", "expected"),
    [
        pytest.param(PANTRIES, 1, "address", "4000 North Fake", id="street"),
        pytest.param(PANTRIES, 1, "city", "Charlotte", id="city"),
        pytest.param(PANTRIES, 1, "county_name", "Mecklenburg", id="county"),
        pytest.param(PANTRIES, 1, "zip", None, id="no ZIP"),
        pytest.param(PANTRIES, 1, "source_key", "211test-1", id="id of NC 211"),
        pytest.param(
            PANTRIES, 1, "resource_type", "food_pantry", id="the category food_bank says nothing"
        ),
        pytest.param(PANTRIES, 2, "address", None, id="city only"),
        pytest.param(PANTRIES, 2, "resource_type", "mobile_pantry", id="mobile market"),
        pytest.param(PANTRIES, 3, "reject_reason", "not_food_assistance", id="food for animals"),
        pytest.param(PANTRIES, 3, "address", "40 Camp Drive, Suite 2", id="a comma in the street"),
        pytest.param(PANTRIES, 3, "county_name", None, id="no county"),
        pytest.param(PANTRIES, 4, "reject_reason", "past_event", id="the year in the name"),
        pytest.param(PANTRIES, 4, "address", "somewhere", id="another form of address stays"),
        pytest.param(MEALS, 1, "source_key", "211test-1", id="the same site in the other list"),
        pytest.param(
            MEALS, 1, "resource_type", "food_pantry", id="a pantry that cooks is a pantry"
        ),
        pytest.param(MEALS, 2, "address", None, id="multiple locations"),
        pytest.param(MEALS, 2, "resource_type", "soup_kitchen", id="the list says free meals"),
        pytest.param(MEALS, 3, "reject_reason", "home_delivery_only", id="meals on wheels"),
        pytest.param(FOOD_BANK, 1, "city", "Sneads Ferry", id="a city of the ZIP, without a comma"),
        pytest.param(FOOD_BANK, 1, "address", "305 Lake Side Dr", id="street"),
        pytest.param(FOOD_BANK, 2, "resource_type", "soup_kitchen", id="meals in the name"),
        pytest.param(FOOD_BANK, 2, "city", "Garland", id="no state before the ZIP"),
        pytest.param(FOOD_BANK, 2, "state", "NC", id="state of the list"),
        pytest.param(FOOD_BANK, 3, "reject_reason", "not_in_catalog", id="shelter"),
        pytest.param(
            FOOD_BANK, 3, "address", "4813 Hilltop Rd Nowhere-Town", id="an unknown city stays"
        ),
    ],
)
def test_a_field(file: str, row: int, field: str, expected: object) -> None:
    assert fixture_value(SOURCE, file, row, field) == expected


@pytest.mark.shared
@pytest.mark.parametrize(
    ("file", "count", "keys", "rejects"),
    [
        (PANTRIES, 502, 502, {"not_food_assistance": 8, "home_delivery_only": 1}),
        (MEALS, 188, 188, {"home_delivery_only": 2, "past_event": 1}),
        (FOOD_BANK, 549, 531, {"not_in_catalog": 2, "home_delivery_only": 1}),
    ],
)
def test_real_files(file: str, count: int, keys: int, rejects: dict[str, int]) -> None:
    rows = shared_rows(SOURCE, SOURCE, file)
    assert list(rows["source_row"]) == list(range(1, count + 1))
    assert rows["source_key"].nunique() == keys
    assert rows["reject_reason"].value_counts().to_dict() == rejects
    assert rows[["name", "lat", "lng"]].notna().all().all()
    assert (rows["state"] == "NC").all()


@pytest.mark.shared
def test_real_sites_in_both_lists() -> None:
    pantries, meals = shared_rows(SOURCE, SOURCE, PANTRIES), shared_rows(SOURCE, SOURCE, MEALS)
    assert len(set(pantries["source_key"]) & set(meals["source_key"])) == 26
