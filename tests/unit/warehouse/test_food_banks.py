"""Food banks of a release by ZIP code."""

from datetime import date
from pathlib import Path

from tests.support.releases import open_release
from tests.support.town import food_banks
from warehouse.index.areas import FoodBank

EXAMPLE = FoodBank(
    "90001",
    "Example Food Bank",
    "https://bank.example.org/find",
    "(307) 555-0100",
    date(2026, 5, 12),
)


def test_food_banks_of_a_zip_code(tmp_path: Path) -> None:
    rows = [
        *food_banks(),
        {
            "source_key": "90003",
            "name": "Third",
            "served_zips": ["82401", "00501"],
            "served_county_zips": [],
        },
    ]
    banks = open_release(tmp_path, [], food_banks=rows).food_banks
    third = FoodBank("90003", "Third", None, None, None)
    assert len(banks) == 3
    assert banks.of_zip("82401") == [EXAMPLE, third]
    assert banks.of_zip("00501") == [third]
    assert [bank.name for bank in banks.of_zip("10008")] == ["Second Food Bank"]
    assert banks.of_zip("99999") == []
    assert banks.find_named("the example FOOD bank") == []
    assert banks.find_named("Example Food Bank") == [EXAMPLE]
    assert banks.find_spelt_alike("Exmaple Food Bank") == [(1, EXAMPLE)]
    assert banks.find_spelt_alike("Sample Food Bank") == banks.find_spelt_alike("Third") == []


def test_a_release_without_the_table_has_none(tmp_path: Path) -> None:
    assert open_release(tmp_path, []).food_banks.of_zip("82401") == []
