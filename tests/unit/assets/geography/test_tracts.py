"""Census tracts by polygon: which points get one, and which files are read."""

from pathlib import Path

import geopandas
import numpy as np
import pandas as pd
import pytest
import shapely

from assets.geography.tracts import tract_files, with_tracts

# Two squares of a degree side by side in one county, one to the north in another.
SQUARES = {
    "23005000100": shapely.box(-71, 43, -70, 44),
    "23005000201": shapely.box(-70, 43, -69, 44),
    "23001000100": shapely.box(-71, 44, -70, 45),
}
NAME = "cb_2021_us_tract_500k.zip"


def write_squares(path: Path, squares: dict[str, shapely.Polygon]) -> None:
    """Write a zip file of square tracts as the Census Bureau publishes them."""
    frame = geopandas.GeoDataFrame(
        {"GEOID": list(squares), "NAME": "1"}, geometry=list(squares.values()), crs="EPSG:4269"
    )
    path_of_zip = path.with_suffix(".shp.zip")
    frame.to_file(path_of_zip, driver="ESRI Shapefile")
    path_of_zip.rename(path)


def record(**values: object) -> dict[str, object]:
    place = {
        "lat": 43.5,
        "lng": -70.5,
        "location_precision": "rooftop",
        "county_fips": "23005",
        "census_tract": None,
    }
    return {**place, **values}


CASES = {
    "rooftop": (record(), "23005000100"),
    "street": (record(lng=-69.5, location_precision="street"), "23005000201"),
    "on the line, the first by number": (record(lng=-70.0), "23005000100"),
    "a ZIP code has none": (record(location_precision="zip"), None),
    "a city has none": (record(location_precision="city"), None),
    "outside": (record(lat=10.0), None),
    "in a tract of another county": (record(lat=44.5), None),
    "the geocoder's stays": (record(census_tract="23005999900"), "23005999900"),
    "no point": (record(lat=np.nan), None),
    "no county": (record(county_fips=None), None),
}


@pytest.mark.parametrize(("place", "tract"), CASES.values(), ids=CASES)
def test_tract_of_a_point(tmp_path: Path, place: dict[str, object], tract: str | None) -> None:
    write_squares(tmp_path / NAME, SQUARES)
    # Beside another place, so that an index that is no range is used.
    places = pd.DataFrame([record(), place], index=[7, 3]).astype(
        {"county_fips": "str", "census_tract": "str"}
    )
    tracts = with_tracts(places, tract_files(tmp_path))
    assert tracts["census_tract"].astype(object).where(
        tracts["census_tract"].notna(), None
    ).tolist() == ["23005000100", tract]


def test_without_files_nothing_changes(tmp_path: Path) -> None:
    places = pd.DataFrame([record()])
    assert with_tracts(places, tract_files(tmp_path / "none")) is places


def test_the_newest_national_file_has_priority(tmp_path: Path) -> None:
    for name in (
        "cb_2020_23_tract_500k.zip",
        "cb_2021_23_tract_500k.zip",
        "cb_2021_33_tract_500k.zip",
        "cb_2021_us_county_500k.zip",
    ):
        (tmp_path / name).touch()
    assert [p.name for p in tract_files(tmp_path)] == [
        "cb_2021_23_tract_500k.zip",
        "cb_2021_33_tract_500k.zip",
    ]
    (tmp_path / NAME).touch()
    assert [p.name for p in tract_files(tmp_path)] == [NAME]


def test_files_of_states_are_read_together(tmp_path: Path) -> None:
    for state, squares in (("23", SQUARES), ("33", {"33001000100": shapely.box(-73, 43, -72, 44)})):
        write_squares(tmp_path / f"cb_2021_{state}_tract_500k.zip", squares)
    places = pd.DataFrame([record(), record(lng=-72.5, county_fips="33001")])
    tracts = with_tracts(places, tract_files(tmp_path))
    assert tracts["census_tract"].tolist() == ["23005000100", "33001000100"]
