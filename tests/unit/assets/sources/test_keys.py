"""Keys of rows: one for each place, in any form, edition and letter case."""

import pandas as pd
import pytest

from tests.support.cases import cases
from tests.support.source_files import fixture_rows, shared_rows


@cases(
    "source, file, keys",
    {
        "two programs of one house": (
            "acf_head_start",
            "HS_Service_Locations.test.csv",
            [1, 1, 3, 4],
        ),
        "phone and point are no part": (
            "hrsa_health_centers",
            "derived_health_clinics_national.2020-04.csv",
            [*range(1, 11), 1],
        ),
        "sites of one name": (
            "samhsa_otp",
            "Opioid_Treatment_Directory_Geocoded.test.csv",
            [1, 2, 3, 3],
        ),
        "case": ("samhsa_mental_health", "mentalhealth_clean.test.csv", [1, 2, 3, 2, 5]),
        "a pantry and a food distribution there": (
            "haarrrvest_2025",
            "feeding_the_gulf_coast_al.jsonl",
            [*range(1, 9)],
        ),
        "case and coordinates": ("usda_snap", "TX_SNAP_Locations.csv", [1, 2, 2, 4]),
        "branches of two cities without ZIP": (
            "usda_snap",
            "snap-pueblo-county.2026-06.arcgis.json",
            [1, 2],
        ),
        "a cache of points has no rows": (
            "pueblo_co_2026",
            "pueblo-pantries-geocode-cache.json",
            [],
        ),
    },
)
def test_rows_share_a_key(source: str, file: str, keys: list[int]) -> None:
    """`keys`: for each row the first one that has its key, counted from 1."""
    source_keys = fixture_rows(source, file)["source_key"].tolist()
    assert [source_keys.index(key) + 1 for key in source_keys] == keys


SNAP = "snap_retailer_location_data"
MAINE = ("maine_pantries_2014", "pantries.csv", "pantries.geojson")


@cases(
    "source, one, other, count",
    {
        "two forms of a list": (*MAINE, 2),
        "a hub and the layout of 2022": (
            "usda_snap",
            "SNAP_Store_Locations.juniper.csv",
            "snap-response.2022-08.arcgis.json",
            1,
        ),
        "CSV and JSON of a service": ("usda_snap", f"{SNAP}.MA.csv", f"{SNAP}.json", 1),
    },
)
def test_files_share_keys(source: str, one: str, other: str, count: int) -> None:
    keys = [set(fixture_rows(source, name)["source_key"]) for name in (one, other)]
    assert len(keys[0] & keys[1]) == count


@pytest.mark.shared
@cases(
    "source, one, other, count",
    {
        "all of the second": (*MAINE, 259),
        "pantries that serve meals": (
            "nc_charlotte_2026",
            "nc211-food-pantries.json",
            "nc211-soup-kitchens.json",
            26,
        ),
    },
)
def test_real_files_share_keys(source: str, one: str, other: str, count: int) -> None:
    keys = [set(shared_rows(source, source, name)["source_key"]) for name in (one, other)]
    assert len(keys[0] & keys[1]) == count


_OF_FILE = ["file_name", "source_updated_date", "listed_date"]
# A page of NCES has no points.
_OF_PAGE = ["file_name", "lat", "lng", "location_precision"]


@cases(
    "source, one, other, differing",
    {
        "headings with points and without": (
            "usda_snap_historical",
            "Statewide_SNAP_Retailers_Historical-FNS.HI.2022-05.csv",
            "Historical SNAP Retailer Locator Data.csv",
            _OF_FILE,
        ),
        "page and CSV": (
            "nces_schools",
            "egret_schools.test.html",
            "geocoded_egret_schools.test.csv",
            _OF_PAGE,
        ),
    },
)
def test_forms_give_equal_rows(source: str, one: str, other: str, differing: list[str]) -> None:
    rows = [fixture_rows(source, name).drop(columns=differing) for name in (one, other)]
    pd.testing.assert_frame_equal(*rows)


@pytest.mark.shared
@cases(
    "source, folder, one, other, differing",
    {
        "CSV and GeoJSON": (
            "mn_covid_2020",
            "mn_covid_2020",
            "mn-covid-food-resources.csv",
            "mn-covid-food-resources.geojson",
            ["file_name"],
        ),
        "page and CSV": (
            "nces_schools",
            "nces_public_schools",
            "florida_schools.2025-01.html",
            "geocoded_florida_schools.2025-01.csv",
            _OF_PAGE,
        ),
    },
)
def test_real_forms_give_equal_rows(
    source: str, folder: str, one: str, other: str, differing: list[str]
) -> None:
    rows = [shared_rows(source, folder, name).drop(columns=differing) for name in (one, other)]
    pd.testing.assert_frame_equal(*rows)
