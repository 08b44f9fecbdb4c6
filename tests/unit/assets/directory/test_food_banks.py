"""Food banks by ZIP code, from the network's lists and by county."""

from datetime import date

import pandas as pd
import pytest

from assets.directory.food_banks import SOURCE_ID, food_banks
from assets.sources.feeding_america_2026 import catalogue, zip_coverage
from schemas.sources.registry import sources
from schemas.tables.core import FOOD_BANKS
from tests.support.cases import cases, labelled
from tests.support.source_files import SHARED_SOURCES, raw_file

VINTAGE = date(2026, 5, 12)
CATALOGUE = pd.DataFrame(
    {
        "source_key": ["1", "2", "3"],
        "name": ["Sagebrush Food Bank, Inc.", "Saguaro Harvest", "Serves nobody"],
        "state": ["NM", "AZ", "UT"],
        "website": ["https://sage.example.org/find", None, None],
    }
)
COVERAGE = pd.DataFrame(
    {"zip": ["87001", "87002", "87002", "87004"], "fa_org_id": ["1", "1", "2", "1"]}
)
# 87003 and 87005 are not in the network's list: one in a county with one answer, one in a county
# with two.
ZIPS = pd.DataFrame(
    {
        "zip": ["87001", "87002", "87003", "87004", "87005", "87006"],
        "state": ["NM", "NM", "NM", "NM", "NM", "NM"],
        "county_fips": ["35001", "35002", "35001", "35002", "35002", None],
    }
)


def resources(*rows: tuple[str, str, str | None]) -> pd.DataFrame:
    frame = pd.DataFrame(rows, columns=["name", "state", "phone"])
    return frame.assign(is_active=True)


def made(resource_rows: pd.DataFrame) -> pd.DataFrame:
    return food_banks(CATALOGUE, COVERAGE, ZIPS, resource_rows, VINTAGE).set_index("source_key")


def test_food_banks_of_a_zip_code() -> None:
    banks = made(resources())
    assert list(banks.index) == ["1", "2"]
    assert banks["served_zips"].to_dict() == {"1": ["87001", "87002", "87004"], "2": ["87002"]}
    assert banks["served_county_zips"].to_dict() == {"1": ["87003"], "2": []}
    assert banks.loc["1", "website"] == "https://sage.example.org/find"


@cases(
    "coverage, served_counties",
    {
        "one of the state": ([("99501", "1"), ("99502", "1")], ["99503", "99504"]),
        "two of the state": ([("99501", "1"), ("99502", "2")], []),
        "two in the county, so in the state": ([("99501", "1"), ("99505", "2")], []),
    },
)
def test_a_county_that_the_network_lacks_has_the_food_bank_of_its_state(
    coverage: list[tuple[str, str]], served_counties: list[str]
) -> None:
    zips = pd.DataFrame(
        [
            ("99501", "AK", "02020"),
            ("99502", "AK", "02090"),
            ("99503", "AK", "02050"),
            ("99504", "AK", None),
            ("99505", "AK", "02020"),
            ("96799", "AS", None),
        ],
        columns=["zip", "state", "county_fips"],
    )
    coverage_rows = pd.DataFrame(coverage, columns=["zip", "fa_org_id"])
    banks = food_banks(CATALOGUE, coverage_rows, zips, resources(), VINTAGE).set_index("source_key")
    lacking = [code for code in banks.loc["1", "served_county_zips"] if code in ("99503", "99504")]
    assert lacking == served_counties
    assert "96799" not in banks.loc["1", "served_county_zips"]


@labelled("rows, phone")
def test_a_telephone_is_that_of_a_place_of_its_own_name(
    rows: list[tuple[str, str, str | None]], phone: str | None
) -> None:
    bank_phone = made(resources(*rows)).loc["1", "phone"]
    assert (None if pd.isna(bank_phone) else bank_phone) == phone


def test_no_files_give_no_food_banks() -> None:
    nothing = pd.DataFrame()
    banks = food_banks(nothing, nothing, ZIPS, resources(), None)
    assert banks.empty
    assert list(banks.columns) == FOOD_BANKS.field_names


@pytest.mark.shared
def test_the_real_lists() -> None:
    folder, source = SHARED_SOURCES / SOURCE_ID, sources()[SOURCE_ID]
    paths = [
        folder / name
        for name in ("feeding_america_catalogue.json.gz", "feeding_america_zip_coverage.csv.gz")
    ]
    if not all(path.exists() for path in paths):
        pytest.skip("the publishers' files are not in ../shared")
    members, coverage = (raw_file(source, path) for path in paths)
    banks = food_banks(catalogue(members), zip_coverage(coverage), ZIPS, resources(), VINTAGE)
    serving = banks.explode("served_zips").groupby("served_zips")["name"].agg(sorted)
    assert len(banks) == 198
    assert len(serving) == 33_774
    assert serving["98101"] == ["Food Lifeline"]
    assert serving["10002"] == ["City Harvest", "Food Bank For New York City"]
