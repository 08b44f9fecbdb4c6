"""CHARMcare: no taxonomy, so headings and sentences of the description decide what a service is."""

from __future__ import annotations

import pandas as pd
import pytest

from tests.support.cases import cases
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


@cases(
    "key, field, expected",
    {
        "padding": ("801", "name", "Heron Community Church"),
        "padding of the owner": ("801", "organization", "Heron Diocese"),
        "a heading among others": ("801", "resource_type", "food_pantry"),
        "the food section only, no name of staff": (
            "801",
            "hours_text",
            "FOOD PANTRY: Open Mon and Wed, 9AM-Noon. Call, 410-555-0100.",
        ),
        "nothing of the other sections": ("801", "notes", None),
        "voice, not fax": ("801", "phone", "(410) 555-0102"),
        "languages in words": ("801", "languages", ["ase", "es"]),
        "process and papers": ("801", "requirements_text", "Call for information.\nPhoto ID"),
        "the web address of the location": ("801", "website", "http://heron.example"),
        "referrals": ("802", "reject_reason", "not_food_assistance"),
        "a sentence": ("803", "resource_type", "soup_kitchen"),
        "a section without hours": ("803", "notes", "Provides a soup kitchen to anyone in need."),
        "two address lines": ("803", "address", "2 Heron Ave, Floor 3"),
        "the web address of the organization": ("803", "website", "http://city.example"),
        "WIC in the name": ("804", "resource_type", "wic_office"),
        "WIC elsewhere": ("805", "reject_reason", "not_food_assistance"),
        "disaster relief": ("806", "reject_reason", "not_food_assistance"),
        "meals brought home": ("807", "reject_reason", "home_delivery_only"),
        "a test row": ("808", "reject_reason", "template_row"),
        "an office of the county": ("809", "resource_type", "snap_office"),
        "inactive": ("810", "reject_reason", "not_open"),
        "meals for those who live or stay there": ("811", "reject_reason", "not_food_assistance"),
    },
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
