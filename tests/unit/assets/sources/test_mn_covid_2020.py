"""Minnesota's free lunches: two forms of one list."""

from __future__ import annotations

import pandas as pd
import pytest

from tests.support.source_files import fixture_value, shared_rows

SOURCE = "mn_covid_2020"
CSV = "mn-covid-food-resources.csv"
GEOJSON = "mn-covid-food-resources.geojson"


@pytest.mark.parametrize(
    ("file", "row", "field", "expected"),
    [
        pytest.param(CSV, 1, "services_text", "Free lunches, every kid", id="quotation marks"),
        pytest.param(CSV, 1, "location_precision", "rooftop", id="rooftop"),
        pytest.param(CSV, 1, "resource_type", "soup_kitchen", id="type"),
        pytest.param(CSV, 1, "hours_text", "11am to 1pm", id="hours"),
        pytest.param(CSV, 2, "location_precision", "city", id="somewhere on the street"),
        pytest.param(CSV, 2, "website", "https://walleye.example/posts/1", id="link"),
        pytest.param(GEOJSON, 1, "zip", "55999", id="ZIP as number"),
        pytest.param(GEOJSON, 1, "lat", 44.9, id="point"),
        pytest.param(GEOJSON, 2, "lat", None, id="no geometry"),
    ],
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
