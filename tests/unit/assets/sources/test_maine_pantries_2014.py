"""Maine: addresses in one cell, points of a geocoder, two forms of one list."""

from __future__ import annotations

import pytest

from tests.support.source_files import fixture_rows, fixture_value, shared_rows

SOURCE = "maine_pantries_2014"
CSV = "pantries.csv"
GEOJSON = "pantries.geojson"


@pytest.mark.parametrize(
    ("file", "row", "field", "expected"),
    [
        pytest.param(CSV, 1, "address", "140 Fake Hill Road", id="a line end inside a cell"),
        pytest.param(CSV, 1, "city", "Alfred", id="a city of the ZIP, without a comma"),
        pytest.param(CSV, 1, "zip", "04002", id="leading zero"),
        pytest.param(CSV, 1, "location_precision", None, id="a good score"),
        pytest.param(
            CSV, 2, "address", "71 Main Street Raymond, ME 040171", id="six digits are no ZIP"
        ),
        pytest.param(CSV, 2, "zip", None, id="no ZIP"),
        pytest.param(CSV, 2, "state", "ME", id="state of the list"),
        pytest.param(CSV, 2, "lat", None, id="not found"),
        pytest.param(CSV, 2, "location_precision", None, id="no point, no precision"),
        pytest.param(CSV, 2, "resource_type", "soup_kitchen", id="soup kitchen"),
        pytest.param(CSV, 3, "city", "bangor", id="no blank before the state"),
        pytest.param(CSV, 3, "location_precision", "city", id="a low score"),
        pytest.param(CSV, 4, "address", "1 Church Street Indin Island", id="a misspelt city stays"),
        pytest.param(CSV, 4, "city", None, id="no city"),
        pytest.param(CSV, 5, "city", "Cornish", id="no ZIP, but behind a street"),
        pytest.param(GEOJSON, 1, "lat", 43.5, id="latitude comes second"),
        pytest.param(GEOJSON, 1, "lng", -70.7, id="longitude comes first"),
        pytest.param(GEOJSON, 2, "location_precision", "city", id="a low score as text"),
    ],
)
def test_a_field(file: str, row: int, field: str, expected: object) -> None:
    assert fixture_value(SOURCE, file, row, field) == expected


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
