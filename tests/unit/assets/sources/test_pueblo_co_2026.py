"""Pueblo: pantries are places, shops and gardens of the same map are not."""

from __future__ import annotations

import pytest

from tests.support.source_files import fixture_rows, plain, shared_rows

PANTRIES = "pueblo-pantries.json"
SHOPS = "pueblo-grocery.json"
VENDORS = "wic-pueblo.json"
GARDENS = "pfp-geocodes.json"
CACHE = "pueblo-pantries-geocode-cache.json"


@pytest.mark.parametrize(
    ("file", "row", "field", "expected"),
    [
        pytest.param(PANTRIES, 1, "resource_type", "mobile_pantry", id="a mobile pantry by name"),
        pytest.param(PANTRIES, 2, "resource_type", "soup_kitchen", id="a meal site by category"),
        pytest.param(PANTRIES, 2, "city", "Pueblo", id="a whole address"),
        pytest.param(PANTRIES, 1, "address", "Heron College", id="a place for an address"),
        pytest.param(PANTRIES, 1, "location_precision", None, id="found at a house number"),
        pytest.param(PANTRIES, 2, "location_precision", "city", id="found somewhere on a street"),
        pytest.param(
            PANTRIES,
            2,
            "hours_text",
            "Tuesday 8:00 AM - 2:00 PM; Thursday 10:30 AM - 12:00 PM, 8:30 AM - 9:30 AM",
            id="hours by weekday",
        ),
        pytest.param(PANTRIES, 1, "notes", None, id="a note made of the other fields"),
        pytest.param(PANTRIES, 2, "notes", "Bring a bag.", id="a note of its own"),
        pytest.param(PANTRIES, 1, "phone", None, id="no number"),
        pytest.param(SHOPS, 1, "source_key", "node/1", id="type and id"),
        pytest.param(SHOPS, 1, "address", "7 Heron Avenue", id="address tags"),
        pytest.param(SHOPS, 2, "lat", 38.2, id="the centre of a way"),
        pytest.param(SHOPS, 2, "reject_reason", "not_in_catalog", id="a shop"),
        pytest.param(SHOPS, 2, "reject_detail", "shop=supermarket", id="what kind of shop"),
        pytest.param(VENDORS, 1, "reject_reason", "not_in_catalog", id="a store is no WIC office"),
        pytest.param(VENDORS, 1, "state", "CO", id="known of the whole file"),
        pytest.param(GARDENS, 1, "reject_reason", "not_in_catalog", id="a garden"),
    ],
)
def test_a_field(file: str, row: int, field: str, expected: object) -> None:
    rows = fixture_rows("pueblo_co_2026", file).set_index("source_row")
    assert plain(rows.loc[row, field]) == expected


def test_the_cache_gives_no_rows() -> None:
    assert fixture_rows("pueblo_co_2026", CACHE).empty


@pytest.mark.shared
@pytest.mark.parametrize(
    ("file", "count", "kept"),
    [(PANTRIES, 38, 38), (SHOPS, 77, 0), (VENDORS, 10, 0), (GARDENS, 10, 0), (CACHE, 0, 0)],
)
def test_real_files(file: str, count: int, kept: int) -> None:
    rows = shared_rows("pueblo_co_2026", "pueblo_co_2026", file)
    assert list(rows["source_row"]) == list(range(1, count + 1))
    assert rows["source_key"].is_unique
    assert rows["reject_reason"].isna().sum() == kept
    assert rows["lat"].notna().all()
