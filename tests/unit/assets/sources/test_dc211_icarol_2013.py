"""DC 211: which programs of a general directory are places with food."""

from __future__ import annotations

import pandas as pd
import pytest

from tests.support.source_files import fixture_rows, shared_rows

FILE = "dc211_food.csv"


@pytest.fixture(scope="module", name="rows")
def read_fixture() -> pd.DataFrame:
    return fixture_rows("dc211_icarol_2013", FILE).set_index("source_key")


def _plain(value: object) -> object:
    return value if isinstance(value, list) or pd.notna(value) else None


@pytest.mark.parametrize(
    ("key", "field", "expected"),
    [
        pytest.param("901", "resource_type", "food_pantry", id="by a term"),
        pytest.param(
            "902", "resource_type", "soup_kitchen", id="by a category where there is no term"
        ),
        pytest.param("903", "resource_type", "wic_office", id="WIC in a clinic"),
        pytest.param("904", "resource_type", "snap_office", id="a service center of the District"),
        pytest.param(
            "905", "reject_reason", "not_food_assistance", id="a card office takes no applications"
        ),
        pytest.param("905", "phone", None, id="a number for lost cards"),
        pytest.param("906", "resource_type", "senior_commodity", id="commodity boxes by name"),
        pytest.param(
            "907", "reject_reason", "not_food_assistance", id="an office behind the counters"
        ),
        pytest.param("908", "reject_reason", "home_delivery_only", id="meals brought home"),
        pytest.param("909", "reject_reason", "home_delivery_only", id="groceries brought home"),
        pytest.param("910", "reject_reason", "closed_by_source", id="inactive"),
        pytest.param("911", "reject_reason", "not_food_assistance", id="water in the heat"),
        pytest.param("912", "reject_reason", "not_food_assistance", id="a program of many sites"),
        pytest.param(
            "901",
            "notes",
            "Gives food.\nCall at .\nFees: No fee",
            id="no name, no e-mail address, no tags",
        ),
        pytest.param("901", "address", "1 Heron Road, NE, Suite 2", id="two address lines"),
        pytest.param("901", "languages", ["en"], id="plain names of languages only"),
        pytest.param("901", "requirements_text", "Walk-In\nPhoto ID", id="process and papers"),
        pytest.param(
            "901", "hours_text", "9:00 am - 5:00 pm, Monday - Friday", id="the day after the time"
        ),
        pytest.param(
            "902",
            "hours_text",
            "Mon 9:00 am - 5:00 pm; Tue 9:00 am - 5:00 pm;",
            id="the other column",
        ),
        pytest.param("903", "hours_text", None, id="days without times"),
        pytest.param("902", "county_name", None, id="county -1"),
    ],
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
