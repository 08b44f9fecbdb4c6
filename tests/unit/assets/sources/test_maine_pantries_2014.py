"""Maine: addresses in one cell, points of a geocoder, two forms of one list."""

import pytest

from tests.support.source_files import fixture_rows, shared_rows

SOURCE = "maine_pantries_2014"
CSV = "pantries.csv"
GEOJSON = "pantries.geojson"


def test_one_pantry_has_one_key_in_both_files() -> None:
    csv, geojson = fixture_rows(SOURCE, CSV), fixture_rows(SOURCE, GEOJSON)
    assert list(geojson["source_key"]) == list(csv["source_key"].iloc[[0, 2]])


@pytest.mark.shared
def test_real_files() -> None:
    csv, geojson = shared_rows(SOURCE, SOURCE, CSV), shared_rows(SOURCE, SOURCE, GEOJSON)
    assert len(csv) == 272
    assert csv["source_key"].nunique() == 271
    assert len(geojson) == 260
    assert set(geojson["source_key"]) < set(csv["source_key"])
    assert csv["lat"].notna().sum() == 260
    assert csv["name"].notna().all()
    assert (csv["state"] == "ME").all()
    assert csv["city"].notna().sum() >= 245
