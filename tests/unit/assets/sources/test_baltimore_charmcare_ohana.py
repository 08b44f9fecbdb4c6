"""CHARMcare: no taxonomy, so headings and sentences of the description decide what a service is."""

from __future__ import annotations

import pandas as pd
import pytest

from tests.support.source_files import fixture_rows, shared_rows

FILES = [
    "services.csv",
    "locations.csv",
    "organizations.csv",
    "addresses.csv",
    "phones.csv",
    "taxonomy.csv",
    "taxonomy_mapping.csv",
]


@pytest.fixture(scope="module", name="rows")
def read_fixture() -> pd.DataFrame:
    return fixture_rows("baltimore_charmcare_ohana", *FILES).set_index("source_key")


def _plain(value: object) -> object:
    return value if isinstance(value, list) or pd.notna(value) else None


@pytest.mark.parametrize(
    ("key", "field", "expected"),
    [
        pytest.param("801", "name", "Heron Community Church", id="padding"),
        pytest.param("801", "organization", "Heron Diocese", id="padding of the owner"),
        pytest.param("801", "resource_type", "food_pantry", id="a heading among others"),
        pytest.param(
            "801",
            "hours_text",
            "FOOD PANTRY: Open Mon and Wed, 9AM-Noon. Call, 410-555-0100.",
            id="the food section only, no name of staff",
        ),
        pytest.param("801", "notes", None, id="nothing of the other sections"),
        pytest.param("801", "phone", "(410) 555-0102", id="voice, not fax"),
        pytest.param("801", "languages", ["ase", "es"], id="languages in words"),
        pytest.param(
            "801", "requirements_text", "Call for information.\nPhoto ID", id="process and papers"
        ),
        pytest.param(
            "801", "website", "http://heron.example", id="the web address of the location"
        ),
        pytest.param("802", "reject_reason", "not_food_assistance", id="referrals"),
        pytest.param("803", "resource_type", "soup_kitchen", id="a sentence"),
        pytest.param(
            "803",
            "notes",
            "Provides a soup kitchen to anyone in need.",
            id="a section without hours",
        ),
        pytest.param("803", "address", "2 Heron Ave, Floor 3", id="two address lines"),
        pytest.param(
            "803", "website", "http://city.example", id="the web address of the organization"
        ),
        pytest.param("804", "resource_type", "wic_office", id="WIC in the name"),
        pytest.param("805", "reject_reason", "not_food_assistance", id="WIC elsewhere"),
        pytest.param("806", "reject_reason", "not_food_assistance", id="disaster relief"),
        pytest.param("807", "reject_reason", "home_delivery_only", id="meals brought home"),
        pytest.param("808", "reject_reason", "template_row", id="a test row"),
        pytest.param("809", "resource_type", "snap_office", id="an office of the county"),
        pytest.param("810", "reject_reason", "not_open", id="inactive"),
        pytest.param(
            "811",
            "reject_reason",
            "not_food_assistance",
            id="meals for those who live or stay there",
        ),
    ],
)
def test_a_field(rows: pd.DataFrame, key: str, field: str, expected: object) -> None:
    assert _plain(rows.loc[key, field]) == expected


@pytest.mark.shared
def test_real_files() -> None:
    rows = shared_rows("baltimore_charmcare_ohana", "baltimore_charmcare_ohana", *FILES)
    assert list(rows["source_row"]) == list(range(1, 1_877))
    assert rows["source_key"].is_unique
    assert rows["reject_reason"].value_counts().to_dict() == {
        "not_food_assistance": 1_679,
        "home_delivery_only": 5,
        "template_row": 1,
    }
    kept = rows[rows["reject_reason"].isna()]
    assert kept[["name", "address", "city", "state", "zip", "phone"]].notna().all().all()
    assert (kept["resource_type"] == "food_pantry").sum() == 129
    assert not rows["name"].str.contains("  $").any()
