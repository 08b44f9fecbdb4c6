"""DC 211: which programs of a general directory are places with food."""

from __future__ import annotations

import pandas as pd
import pytest

from tests.support.cases import cases
from tests.support.source_files import fixture_rows, shared_rows

FILE = "dc211_food.csv"


@pytest.fixture(scope="module", name="rows")
def read_fixture() -> pd.DataFrame:
    return fixture_rows("dc211_icarol_2013", FILE).set_index("source_key")


def _plain(value: object) -> object:
    return value if isinstance(value, list) or pd.notna(value) else None


@cases(
    "key, field, expected",
    {
        "by a term": ("901", "resource_type", "food_pantry"),
        "by a category where there is no term": ("902", "resource_type", "soup_kitchen"),
        "WIC in a clinic": ("903", "resource_type", "wic_office"),
        "a service center of the District": ("904", "resource_type", "snap_office"),
        "a card office takes no applications": ("905", "reject_reason", "not_food_assistance"),
        "a number for lost cards": ("905", "phone", None),
        "commodity boxes by name": ("906", "resource_type", "senior_commodity"),
        "an office behind the counters": ("907", "reject_reason", "not_food_assistance"),
        "meals brought home": ("908", "reject_reason", "home_delivery_only"),
        "groceries brought home": ("909", "reject_reason", "home_delivery_only"),
        "inactive": ("910", "reject_reason", "closed_by_source"),
        "water in the heat": ("911", "reject_reason", "not_food_assistance"),
        "a program of many sites": ("912", "reject_reason", "not_food_assistance"),
        "no name, no e-mail address, no tags": (
            "901",
            "notes",
            "Gives food.\nCall at .\nFees: No fee",
        ),
        "two address lines": ("901", "address", "1 Heron Road, NE, Suite 2"),
        "plain names of languages only": ("901", "languages", ["en"]),
        "process and papers": ("901", "requirements_text", "Walk-In\nPhoto ID"),
        "the day after the time": ("901", "hours_text", "9:00 am - 5:00 pm, Monday - Friday"),
        "the other column": ("902", "hours_text", "Mon 9:00 am - 5:00 pm; Tue 9:00 am - 5:00 pm;"),
        "days without times": ("903", "hours_text", None),
        "county -1": ("902", "county_name", None),
    },
)
def test_a_field(rows: pd.DataFrame, key: str, field: str, expected: object) -> None:
    assert _plain(rows.loc[key, field]) == expected


def test_the_day_of_a_row_is_its_verification_else_its_update(rows: pd.DataFrame) -> None:
    assert str(rows.loc["901", "source_updated_date"]) == "2012-03-29"
    assert str(rows.loc["902", "source_updated_date"]) == "2011-11-22"


@pytest.mark.shared
def test_real_file() -> None:
    rows = shared_rows("dc211_icarol_2013", "dc211_icarol_2013", FILE)
    assert list(rows["source_row"]) == list(range(1, 124))
    assert rows["source_key"].is_unique
    assert rows["reject_reason"].value_counts().to_dict() == {
        "not_food_assistance": 43,
        "closed_by_source": 18,
        "home_delivery_only": 5,
    }
    kept = rows[rows["reject_reason"].isna()]
    assert kept[["name", "address", "city", "state", "lat", "notes"]].notna().all().all()
    assert not kept["notes"].str.contains("<br|@").any()
