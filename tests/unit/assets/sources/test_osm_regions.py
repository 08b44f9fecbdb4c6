"""OpenStreetMap extracts: which objects are places, where they are, what their tags say."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from assets.sources.contract import UnreadableFileError
from tests.support.cases import cases
from tests.support.source_files import fixture_rows, plain, rows_of, shared_rows

FILE = "larkton.osm.pbf"


@pytest.fixture(scope="module", name="rows")
def read_fixture() -> pd.DataFrame:
    return fixture_rows("osm_regions", FILE).set_index("source_key")


@cases(
    "key, field, expected",
    {
        "a food bank": ("node/11", "resource_type", "food_pantry"),
        "name": ("node/11", "name", "Heron Food Bank"),
        "address tags": ("node/11", "address", "7 Heron Street, B"),
        "opening hours": ("node/11", "hours_text", "Mo-Fr 09:00-12:00"),
        "the point of a node": ("node/11", "lat", 44.8),
        "telephone in another tag": ("node/11", "phone", "+1 207 555 0160"),
        "food sharing": ("node/12", "resource_type", "community_fridge"),
        "a fridge without a name": ("node/12", "name", "Community fridge"),
        "a shelter": ("node/13", "reject_reason", "not_food_assistance"),
        "disused": ("node/14", "reject_reason", "closed_by_source"),
        "private": ("node/15", "reject_reason", "not_public"),
        "a soup kitchen without a name": ("node/16", "reject_reason", "no_name"),
        "an outline": ("way/21", "resource_type", "soup_kitchen"),
        "the middle of its corners": ("way/21", "lat", 44.81),
        "and of their longitudes": ("way/21", "lng", -68.74),
        "a relation has no point": ("relation/31", "lat", None),
        "a name that says more": ("relation/31", "resource_type", "mobile_pantry"),
        "the licence allows it": ("node/11", "is_public", True),
    },
)
def test_a_field(rows: pd.DataFrame, key: str, field: str, expected: object) -> None:
    assert plain(rows.loc[key, field]) == expected


def test_the_day_of_a_row_is_the_last_check_else_the_last_edit(rows: pd.DataFrame) -> None:
    assert str(rows.loc["node/11", "source_updated_date"]) == "2026-02-03"
    assert str(rows.loc["node/12", "source_updated_date"]) == "2025-06-07"


@pytest.mark.parametrize(
    ("key", "field", "expected"),
    [
        ("node/11", "resource_type", "food_pantry"),
        ("node/11", "address", "7 Heron Street"),
        ("node/11", "hours_text", "Mo-Fr 09:00-12:00"),
        ("node/11", "state", "ME"),
        ("way/21", "resource_type", "soup_kitchen"),
        ("way/21", "lat", 44.81),
    ],
)
def test_an_overpass_answer_reads_like_an_extract(key: str, field: str, expected: object) -> None:
    rows = fixture_rows("osm_regions", "osm_food.json").set_index("source_key")
    assert plain(rows.loc[key, field]) == expected
    assert rows["reject_reason"].isna().all()


def test_roads_shops_and_schools_are_no_rows(rows: pd.DataFrame) -> None:
    assert list(rows["source_row"]) == list(range(1, 9))


@pytest.mark.parametrize("content", [b"not a map at all", b""])
def test_a_damaged_file_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "broken.osm.pbf").write_bytes(content)
    with pytest.raises(UnreadableFileError, match=r"broken\.osm\.pbf"):
        rows_of("osm_regions", tmp_path / "broken.osm.pbf")


@pytest.mark.shared
@pytest.mark.parametrize("file", ["bangor_maine.osm.pbf", "harrisburg.osm.pbf"])
def test_real_extracts_hold_no_food_assistance(file: str) -> None:
    assert shared_rows("osm_regions", "osm_regions", file).empty
