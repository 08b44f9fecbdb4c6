"""USDA's retailers in every layout: the oddities end in the source module."""

from __future__ import annotations

from pathlib import Path

import pytest

from assets.sources.contract import UnreadableFileError, digest_key
from schemas.sources.registry import sources
from tests.support.source_files import fixture_rows, fixture_value, rows_of, shared_rows

SERVICE_CSV = "snap_retailer_location_data.MA.csv"
SERVICE_JSON = "snap_retailer_location_data.json"
STATE_CSV = "TX_SNAP_Locations.csv"
HUB_CSV = "SNAP_Store_Locations.juniper.csv"
XLSX = "OH.test.xlsx"
PUEBLO = "snap-pueblo-county.2026-06.arcgis.json"
SCHEMA_2022 = "snap-response.2022-08.arcgis.json"


@pytest.mark.parametrize(
    ("file", "row", "field", "expected"),
    [
        pytest.param(STATE_CSV, 1, "county_name", "LARKSPUR", id="blank behind the last quote"),
        pytest.param(STATE_CSV, 1, "name", "Larkspur Market", id="N/A for a store number"),
        pytest.param(STATE_CSV, 2, "name", "HOLLOW FOODS NA", id="NA in a name in capitals stays"),
        pytest.param(STATE_CSV, 3, "name", "Hollow Foods", id="NA behind mixed case"),
        pytest.param(STATE_CSV, 2, "address", "40 Oak Rd Stall 4", id="second line joined"),
        pytest.param(
            STATE_CSV, 4, "lat", 52.3702, id="a point abroad is left to the location step"
        ),
        pytest.param(STATE_CSV, 1, "services_text", None, id="old editions have no type"),
        pytest.param(HUB_CSV, 1, "name", "Juniper Dollar 0815", id="byte order mark, stray blank"),
        pytest.param(HUB_CSV, 2, "lng", -80.2, id="coordinates twice"),
        pytest.param(XLSX, 1, "zip", "43999", id="number to text"),
        pytest.param(XLSX, 1, "county_name", "BUCKEYE", id="other capitals, trailing blank"),
        pytest.param(XLSX, 2, "address", "7 Main St 1408", id="a number as second line"),
        pytest.param(XLSX, 2, "name", "Quick Stop", id="n/a in small letters"),
        pytest.param(SERVICE_CSV, 1, "address", "402 Quince Avenue", id="street split in two"),
        pytest.param(SERVICE_CSV, 1, "name", "Aster Market", id="NA behind a name"),
        pytest.param(SERVICE_CSV, 1, "zip", "01999", id="leading zero"),
        pytest.param(SERVICE_CSV, 1, "source_key", "1999001", id="Record_ID is the key"),
        pytest.param(SERVICE_CSV, 1, "resource_type", "snap_retailer", id="a market is a retailer"),
        pytest.param(SERVICE_CSV, 3, "resource_type", "rmp_restaurant", id="a restaurant"),
        pytest.param(SERVICE_CSV, 2, "services_text", "Convenience Store", id="store type"),
        pytest.param(SERVICE_CSV, 4, "services_text", None, id="Other says nothing"),
        pytest.param(SERVICE_CSV, 4, "notes", "Incentive program: Double Up", id="incentive"),
        pytest.param(SERVICE_CSV, 1, "notes", None, id="no incentive"),
        pytest.param(SERVICE_JSON, 1, "source_key", "1999001", id="numeric Record_ID"),
        pytest.param(
            SERVICE_JSON, 2, "resource_type", "rmp_restaurant", id="restaurant, first page"
        ),
        pytest.param(SERVICE_JSON, 3, "lat", None, id="no point"),
        pytest.param(
            SERVICE_JSON,
            3,
            "source_key",
            digest_key("Thistle Shop", "4 Clover Ct", "01999", "MA"),
            id="no Record_ID",
        ),
        pytest.param(PUEBLO, 1, "state", "CO", id="known of the whole file"),
        pytest.param(PUEBLO, 1, "county_name", "PUEBLO", id="county known"),
        pytest.param(PUEBLO, 1, "zip", None, id="an unknown ZIP stays unknown"),
        pytest.param(PUEBLO, 2, "lng", -104.0, id="whole number as coordinate"),
        pytest.param(SCHEMA_2022, 1, "address", "9 Mill Ln Ste 2", id="schema of 2022"),
    ],
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


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        pytest.param(SERVICE_CSV, "Zip_Code", "Postal", "no column for zip", id="a renamed column"),
        pytest.param(
            PUEBLO, "Store_Name", "Shop", "Store_Name.*missing", id="a field not asked for"
        ),
        pytest.param(SERVICE_JSON, '"features"', '"error"', "no features", id="an error answer"),
    ],
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
