"""USDA's retailers in every layout: the oddities end in its mapping."""

from pathlib import Path

import pytest

from assets.sources.contract import UnreadableFileError
from tests.support.cases import cases
from tests.support.source_files import fixture_rows, rows_of, shared_rows

SERVICE_CSV = "snap_retailer_location_data.MA.csv"
SERVICE_JSON = "snap_retailer_location_data.json"
STATE_CSV = "TX_SNAP_Locations.csv"
HUB_CSV = "SNAP_Store_Locations.juniper.csv"
PUEBLO = "snap-pueblo-county.2026-06.arcgis.json"
SCHEMA_2022 = "snap-response.2022-08.arcgis.json"


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
        "a renamed column": (SERVICE_CSV, "Zip_Code", "Postal", "Zip5.*missing"),
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
def test_real_points_abroad_reach_the_location_step() -> None:
    rows = shared_rows("usda_snap", "snap_retailers", "CA_SNAP_Locations.2015-08.csv")
    assert len(rows[(rows["lng"] > -100) | (rows["lat"] < 30)]) == 2
