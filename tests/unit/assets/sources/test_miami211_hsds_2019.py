"""Open211 Miami: eleven tables, one row per service at location, types by taxonomy terms."""

from __future__ import annotations

import pandas as pd
import pytest

from tests.support.source_files import fixture_rows, shared_rows

FILES = [
    "services_at_location.csv",
    "services.csv",
    "locations.csv",
    "organizations.csv",
    "physical_addresses.csv",
    "phones.csv",
    "regular_schedules.csv",
    "languages.csv",
    "taxonomy.csv",
    "services_taxonomy.csv",
]


@pytest.fixture(scope="module", name="rows")
def read_fixture() -> pd.DataFrame:
    return fixture_rows("miami211_hsds_2019", *FILES).set_index("source_key")


def _plain(value: object) -> object:
    return value if isinstance(value, list) or pd.notna(value) else None


@pytest.mark.parametrize(
    ("key", "field", "expected"),
    [
        pytest.param("901", "name", "HERON CHURCH, INC. - LARKTON", id="a site named by its town"),
        pytest.param("902", "name", "HERON CHURCH, INC. - SOUP", id="the owner stands in the name"),
        pytest.param("903", "name", "MEALS ON WHEELS", id="an owner that is missing"),
        pytest.param("901", "resource_type", "food_pantry", id="a pantry among other terms"),
        pytest.param(
            "901",
            "notes",
            "Provides emergency food.\nCall for more. Write to",
            id="no name of staff, no e-mail address, no mark",
        ),
        pytest.param(
            "902", "notes", "Lunch – everyone is welcome", id="a dash read in a DOS code page"
        ),
        pytest.param(
            "901", "requirements_text", "Bring ID\nand proof", id="a line break spelled out"
        ),
        pytest.param("901", "address", "901 SW Heron Street, Suite 2", id="two address lines"),
        pytest.param("901", "state", "FL", id="a padded state"),
        pytest.param("901", "phone", "305-555-0120", id="the number of the service"),
        pytest.param("902", "phone", "305-555-0122 x12", id="the number of the location, no fax"),
        pytest.param("906", "phone", None, id="no number of another organization"),
        pytest.param("908", "phone", "305-555-0123", id="the number of the organization"),
        pytest.param(
            "901", "hours_text", "9:00am-5:00pm, Mon;\n9:00am-1:00pm, Sat", id="the original text"
        ),
        pytest.param(
            "902", "hours_text", "Tuesday 11:00am-1:00pm; Thursday 11:00am-1:00pm", id="slots"
        ),
        pytest.param(
            "901", "website", "www.heron.example", id="the web address of the organization"
        ),
        pytest.param("902", "website", "http://soup.example", id="the web address of the service"),
        pytest.param("901", "languages", ["en", "ht"], id="plain names of languages only"),
        pytest.param("902", "languages", None, id="no languages"),
        pytest.param("902", "lat", None, id="no point"),
        pytest.param("902", "resource_type", "soup_kitchen", id="a soup kitchen"),
        pytest.param("903", "reject_reason", "home_delivery_only", id="meals brought home"),
        pytest.param("904", "resource_type", "snap_office", id="an office of the state"),
        pytest.param(
            "905", "reject_reason", "not_food_assistance", id="help with applications is no office"
        ),
        pytest.param("906", "reject_reason", "not_food_assistance", id="legal aid"),
        pytest.param("906", "reject_detail", "Legal Counseling", id="its terms"),
        pytest.param("907", "is_confidential", True, id="a shelter from violence"),
        pytest.param("901", "is_confidential", False, id="a place for everybody"),
        pytest.param(
            "908", "reject_reason", "not_food_assistance", id="a telephone line is no food bank"
        ),
        pytest.param("909", "resource_type", "wic_office", id="WIC"),
    ],
)
def test_a_field(rows: pd.DataFrame, key: str, field: str, expected: object) -> None:
    assert _plain(rows.loc[key, field]) == expected


def test_child_tables_give_no_rows(rows: pd.DataFrame) -> None:
    assert list(rows["source_row"]) == list(range(1, 10))


@pytest.mark.shared
def test_real_files() -> None:
    rows = shared_rows("miami211_hsds_2019", "miami211_hsds_2019", *FILES)
    assert list(rows["source_row"]) == list(range(1, 4_090))
    assert rows["source_key"].is_unique
    assert rows["reject_reason"].value_counts().to_dict() == {
        "not_food_assistance": 3_883,
        "home_delivery_only": 9,
    }
    kept = rows[rows["reject_reason"].isna()]
    assert kept["name"].notna().all()
    assert kept["services_text"].notna().all()
    texts = kept[["name", "notes", "hours_text", "requirements_text"]].stack().dropna()
    assert not texts.str.contains("###|GÇ|\\\\n|@[a-z]").any()
