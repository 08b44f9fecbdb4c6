"""Open211 Miami: eleven tables, one row per service at location, types by taxonomy terms."""

from __future__ import annotations

import pandas as pd
import pytest

from tests.support.cases import cases
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


@cases(
    "key, field, expected",
    {
        "a site named by its town": ("901", "name", "HERON CHURCH, INC. - LARKTON"),
        "the owner stands in the name": ("902", "name", "HERON CHURCH, INC. - SOUP"),
        "an owner that is missing": ("903", "name", "MEALS ON WHEELS"),
        "a pantry among other terms": ("901", "resource_type", "food_pantry"),
        "no name of staff, no e-mail address, no mark": (
            "901",
            "notes",
            "Provides emergency food.\nCall for more. Write to",
        ),
        "a dash read in a DOS code page": ("902", "notes", "Lunch – everyone is welcome"),
        "a line break spelled out": ("901", "requirements_text", "Bring ID\nand proof"),
        "two address lines": ("901", "address", "901 SW Heron Street, Suite 2"),
        "a padded state": ("901", "state", "FL"),
        "the number of the service": ("901", "phone", "305-555-0120"),
        "the number of the location, no fax": ("902", "phone", "305-555-0122 x12"),
        "no number of another organization": ("906", "phone", None),
        "the number of the organization": ("908", "phone", "305-555-0123"),
        "the original text": ("901", "hours_text", "9:00am-5:00pm, Mon;\n9:00am-1:00pm, Sat"),
        "slots": ("902", "hours_text", "Tuesday 11:00am-1:00pm; Thursday 11:00am-1:00pm"),
        "the web address of the organization": ("901", "website", "www.heron.example"),
        "the web address of the service": ("902", "website", "http://soup.example"),
        "plain names of languages only": ("901", "languages", ["en", "ht"]),
        "no languages": ("902", "languages", None),
        "no point": ("902", "lat", None),
        "a soup kitchen": ("902", "resource_type", "soup_kitchen"),
        "meals brought home": ("903", "reject_reason", "home_delivery_only"),
        "an office of the state": ("904", "resource_type", "snap_office"),
        "help with applications is no office": ("905", "reject_reason", "not_food_assistance"),
        "legal aid": ("906", "reject_reason", "not_food_assistance"),
        "its terms": ("906", "reject_detail", "Legal Counseling"),
        "a shelter from violence": ("907", "is_confidential", True),
        "a place for everybody": ("901", "is_confidential", False),
        "a telephone line is no food bank": ("908", "reject_reason", "not_food_assistance"),
        "WIC": ("909", "resource_type", "wic_office"),
    },
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
