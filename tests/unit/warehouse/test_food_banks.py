"""Food banks of a release by ZIP code."""

from datetime import date
from pathlib import Path

from schemas.tables.core import FOOD_BANKS
from tests.support.releases import as_table
from tests.support.town import food_banks
from warehouse.index.food_banks import FoodBank, read_food_banks, write_food_banks
from warehouse.index.writer import SERVING_FOLDER
from warehouse.parquet import write_table

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
    source = tmp_path / "banks.parquet"
    write_table(as_table(rows, FOOD_BANKS), FOOD_BANKS, source)
    (tmp_path / SERVING_FOLDER).mkdir()
    write_food_banks(source, tmp_path / SERVING_FOLDER)
    banks = read_food_banks(tmp_path)
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


def test_a_release_without_the_file_has_none(tmp_path: Path) -> None:
    assert read_food_banks(tmp_path).of_zip("82401") == []
