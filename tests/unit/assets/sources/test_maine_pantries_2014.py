"""Maine: addresses in one cell, points of a geocoder, two forms of one list."""

from __future__ import annotations

import pytest

from tests.support.cases import cases
from tests.support.source_files import fixture_rows, fixture_value, shared_rows

SOURCE = "maine_pantries_2014"
CSV = "pantries.csv"
GEOJSON = "pantries.geojson"


@cases(
    "file, row, field, expected",
    {
        "a line end inside a cell": (CSV, 1, "address", "140 Fake Hill Road"),
        "a city of the ZIP, without a comma": (CSV, 1, "city", "Alfred"),
        "leading zero": (CSV, 1, "zip", "04002"),
        "a good score": (CSV, 1, "location_precision", None),
        "six digits are no ZIP": (CSV, 2, "address", "71 Main Street Raymond, ME 040171"),
        "no ZIP": (CSV, 2, "zip", None),
        "state of the list": (CSV, 2, "state", "ME"),
        "not found": (CSV, 2, "lat", None),
        "no point, no precision": (CSV, 2, "location_precision", None),
        "soup kitchen": (CSV, 2, "resource_type", "soup_kitchen"),
        "no blank before the state": (CSV, 3, "city", "bangor"),
        "a low score": (CSV, 3, "location_precision", "city"),
        "a misspelt city stays": (CSV, 4, "address", "1 Church Street Indin Island"),
        "no city": (CSV, 4, "city", None),
        "no ZIP, but behind a street": (CSV, 5, "city", "Cornish"),
        "latitude comes second": (GEOJSON, 1, "lat", 43.5),
        "longitude comes first": (GEOJSON, 1, "lng", -70.7),
        "a low score as text": (GEOJSON, 2, "location_precision", "city"),
    },
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
