"""Minnesota's free lunches: two forms of one list."""

from __future__ import annotations

import pandas as pd
import pytest

from tests.support.cases import cases
from tests.support.source_files import fixture_value, shared_rows

SOURCE = "mn_covid_2020"
CSV = "mn-covid-food-resources.csv"
GEOJSON = "mn-covid-food-resources.geojson"


@cases(
    "file, row, field, expected",
    {
        "quotation marks": (CSV, 1, "services_text", "Free lunches, every kid"),
        "rooftop": (CSV, 1, "location_precision", "rooftop"),
        "type": (CSV, 1, "resource_type", "soup_kitchen"),
        "hours": (CSV, 1, "hours_text", "11am to 1pm"),
        "somewhere on the street": (CSV, 2, "location_precision", "city"),
        "link": (CSV, 2, "website", "https://walleye.example/posts/1"),
        "ZIP as number": (GEOJSON, 1, "zip", "55999"),
        "point": (GEOJSON, 1, "lat", 44.9),
        "no geometry": (GEOJSON, 2, "lat", None),
    },
)
def test_a_field(file: str, row: int, field: str, expected: object) -> None:
    assert fixture_value(SOURCE, file, row, field) == expected


@pytest.mark.shared
def test_real_files() -> None:
    csv, geojson = shared_rows(SOURCE, SOURCE, CSV), shared_rows(SOURCE, SOURCE, GEOJSON)
    assert len(csv) == 6
    assert csv["source_key"].is_unique
    differing = ["file_name"]
    pd.testing.assert_frame_equal(csv.drop(columns=differing), geojson.drop(columns=differing))
