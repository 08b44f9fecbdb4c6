"""Minnesota's free lunches: two forms of one list."""

import pandas as pd
import pytest

from tests.support.source_files import shared_rows

SOURCE = "mn_covid_2020"
CSV = "mn-covid-food-resources.csv"
GEOJSON = "mn-covid-food-resources.geojson"


@pytest.mark.shared
def test_real_files() -> None:
    csv, geojson = shared_rows(SOURCE, SOURCE, CSV), shared_rows(SOURCE, SOURCE, GEOJSON)
    assert len(csv) == 6
    assert csv["source_key"].is_unique
    differing = ["file_name"]
    pd.testing.assert_frame_equal(csv.drop(columns=differing), geojson.drop(columns=differing))
