"""USDA's retailers in every layout: the oddities end in the source module."""

from __future__ import annotations

from pathlib import Path

import pytest

from assets.sources.contract import UnreadableFileError, digest_key
from schemas.sources.registry import sources
from tests.support.cases import cases
from tests.support.source_files import fixture_rows, fixture_value, rows_of, shared_rows

SERVICE_CSV = "snap_retailer_location_data.MA.csv"
SERVICE_JSON = "snap_retailer_location_data.json"
STATE_CSV = "TX_SNAP_Locations.csv"
HUB_CSV = "SNAP_Store_Locations.juniper.csv"
XLSX = "OH.test.xlsx"
PUEBLO = "snap-pueblo-county.2026-06.arcgis.json"
SCHEMA_2022 = "snap-response.2022-08.arcgis.json"


@cases(
    "file, row, field, expected",
    {
        "blank behind the last quote": (STATE_CSV, 1, "county_name", "LARKSPUR"),
        "N/A for a store number": (STATE_CSV, 1, "name", "Larkspur Market"),
        "NA in a name in capitals stays": (STATE_CSV, 2, "name", "HOLLOW FOODS NA"),
        "NA behind mixed case": (STATE_CSV, 3, "name", "Hollow Foods"),
        "second line joined": (STATE_CSV, 2, "address", "40 Oak Rd Stall 4"),
        "a point abroad is left to the location step": (STATE_CSV, 4, "lat", 52.3702),
        "old editions have no type": (STATE_CSV, 1, "services_text", None),
        "byte order mark, stray blank": (HUB_CSV, 1, "name", "Juniper Dollar 0815"),
        "coordinates twice": (HUB_CSV, 2, "lng", -80.2),
        "number to text": (XLSX, 1, "zip", "43999"),
        "other capitals, trailing blank": (XLSX, 1, "county_name", "BUCKEYE"),
        "a number as second line": (XLSX, 2, "address", "7 Main St 1408"),
        "n/a in small letters": (XLSX, 2, "name", "Quick Stop"),
        "street split in two": (SERVICE_CSV, 1, "address", "402 Quince Avenue"),
        "NA behind a name": (SERVICE_CSV, 1, "name", "Aster Market"),
        "leading zero": (SERVICE_CSV, 1, "zip", "01999"),
        "Record_ID is the key": (SERVICE_CSV, 1, "source_key", "1999001"),
        "a market is a retailer": (SERVICE_CSV, 1, "resource_type", "snap_retailer"),
        "a restaurant": (SERVICE_CSV, 3, "resource_type", "rmp_restaurant"),
        "store type": (SERVICE_CSV, 2, "services_text", "Convenience Store"),
        "Other says nothing": (SERVICE_CSV, 4, "services_text", None),
        "incentive": (SERVICE_CSV, 4, "notes", "Incentive program: Double Up"),
        "no incentive": (SERVICE_CSV, 1, "notes", None),
        "numeric Record_ID": (SERVICE_JSON, 1, "source_key", "1999001"),
        "restaurant, first page": (SERVICE_JSON, 2, "resource_type", "rmp_restaurant"),
        "no point": (SERVICE_JSON, 3, "lat", None),
        "no Record_ID": (
            SERVICE_JSON,
            3,
            "source_key",
            digest_key("Thistle Shop", "4 Clover Ct", "01999", "MA"),
        ),
        "known of the whole file": (PUEBLO, 1, "state", "CO"),
        "county known": (PUEBLO, 1, "county_name", "PUEBLO"),
        "an unknown ZIP stays unknown": (PUEBLO, 1, "zip", None),
        "whole number as coordinate": (PUEBLO, 2, "lng", -104.0),
        "schema of 2022": (SCHEMA_2022, 1, "address", "9 Mill Ln Ste 2"),
    },
)
def test_a_field(file: str, row: int, field: str, expected: object) -> None:
    assert fixture_value("usda_snap", file, row, field) == expected


@pytest.mark.parametrize(
    ("file", "count"),
    [
        (STATE_CSV, 4),
        (HUB_CSV, 2),
        (XLSX, 3),
        (SERVICE_CSV, 4),
        (SERVICE_JSON, 3),
        (PUEBLO, 2),
        (SCHEMA_2022, 1),
    ],
)
def test_every_row_read_is_one_row_out(file: str, count: int) -> None:
    rows = fixture_rows("usda_snap", file)
    assert list(rows["source_row"]) == list(range(1, count + 1))
    assert rows["reject_reason"].isna().all()
    assert rows["source_key"].notna().all()


def test_keys_hold_across_editions_and_ignore_case_and_coordinates() -> None:
    rows = fixture_rows("usda_snap", STATE_CSV).set_index("source_row")
    assert rows.loc[2, "source_key"] == rows.loc[3, "source_key"]
    hub, of_2022 = fixture_rows("usda_snap", HUB_CSV), fixture_rows("usda_snap", SCHEMA_2022)
    assert hub.loc[1, "source_key"] == of_2022.loc[0, "source_key"]
    old, new = fixture_rows("usda_snap", SERVICE_CSV), fixture_rows("usda_snap", SERVICE_JSON)
    assert old.loc[0, "source_key"] == new.loc[0, "source_key"]


def test_without_zip_the_city_keeps_branches_apart() -> None:
    assert fixture_rows("usda_snap", PUEBLO)["source_key"].is_unique


@cases(
    "file, old, new, message",
    {
        "a renamed column": (SERVICE_CSV, "Zip_Code", "Postal", "no column for zip"),
        "a field not asked for": (PUEBLO, "Store_Name", "Shop", "Store_Name.*missing"),
        "an error answer": (SERVICE_JSON, '"features"', '"error"', "no features"),
    },
)
def test_another_layout_is_refused(
    tmp_path: Path, file: str, old: str, new: str, message: str
) -> None:
    source = Path(__file__).parent / "fixtures" / "usda_snap" / file
    (tmp_path / file).write_text(source.read_text("utf-8").replace(old, new), "utf-8")
    with pytest.raises(UnreadableFileError, match=message):
        rows_of("usda_snap", tmp_path / file)


@pytest.mark.shared
@pytest.mark.parametrize(
    ("file", "count", "distinct", "state"),
    [
        ("CA_SNAP_Locations.2015-08.csv", 25_089, 25_082, "CA"),
        ("GA-EBT.2026-07.csv", 9_313, 9_313, "GA"),
        ("PA.2020-02.xlsx", 10_101, 10_098, "PA"),
        ("SNAP_Store_Locations.allegheny.2023-04.csv", 929, 929, "PA"),
        ("snap-pueblo-county.2026-06.arcgis.json", 123, 123, "CO"),
        ("snap-response.2022-08.arcgis.json", 1, 1, "PA"),
        ("snap_retailer_location_data.MA.first133.2026-06.csv", 133, 133, "MA"),
    ],
)
def test_real_files(file: str, count: int, distinct: int, state: str) -> None:
    rows = shared_rows("usda_snap", "snap_retailers", file)
    assert list(rows["source_row"]) == list(range(1, count + 1))
    assert rows["source_key"].nunique() == distinct
    assert set(rows["state"]) == {state}
    assert rows[["source_key", "name", "address", "city", "lat", "lng"]].notna().all().all()
    assert not rows["county_name"].str.endswith(" ").any()
    assert not rows["name"].str.contains("n/a$", case=False).any()
    assert rows["zip"].dropna().str.fullmatch("[0-9]{5}").all()


@pytest.mark.shared
def test_real_points_abroad_reach_the_location_step() -> None:
    rows = shared_rows("usda_snap", "snap_retailers", "CA_SNAP_Locations.2015-08.csv")
    assert len(rows[(rows["lng"] > -100) | (rows["lat"] < 30)]) == 2


def test_the_live_feed_has_a_layout() -> None:
    source = sources()["usda_snap"]
    layout = source.layout_of(source.live[0].file_name)
    assert layout is not None
    assert layout.layout == "service_json"
