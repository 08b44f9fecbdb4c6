"""Pueblo: pantries are places, shops and gardens of the same map are not."""

from __future__ import annotations

import pytest

from tests.support.cases import cases
from tests.support.source_files import fixture_rows, fixture_value, shared_rows

PANTRIES = "pueblo-pantries.json"
SHOPS = "pueblo-grocery.json"
VENDORS = "wic-pueblo.json"
GARDENS = "pfp-geocodes.json"
CACHE = "pueblo-pantries-geocode-cache.json"


@cases(
    "file, row, field, expected",
    {
        "a mobile pantry by name": (PANTRIES, 1, "resource_type", "mobile_pantry"),
        "a meal site by category": (PANTRIES, 2, "resource_type", "soup_kitchen"),
        "a whole address": (PANTRIES, 2, "city", "Pueblo"),
        "a place for an address": (PANTRIES, 1, "address", "Heron College"),
        "found at a house number": (PANTRIES, 1, "location_precision", None),
        "found somewhere on a street": (PANTRIES, 2, "location_precision", "city"),
        "hours by weekday": (
            PANTRIES,
            2,
            "hours_text",
            "Tuesday 8:00 AM - 2:00 PM; Thursday 10:30 AM - 12:00 PM, 8:30 AM - 9:30 AM",
        ),
        "a note made of the other fields": (PANTRIES, 1, "notes", None),
        "a note of its own": (PANTRIES, 2, "notes", "Bring a bag."),
        "no number": (PANTRIES, 1, "phone", None),
        "type and id": (SHOPS, 1, "source_key", "node/1"),
        "address tags": (SHOPS, 1, "address", "7 Heron Avenue"),
        "the centre of a way": (SHOPS, 2, "lat", 38.2),
        "a shop": (SHOPS, 2, "reject_reason", "not_in_catalog"),
        "what kind of shop": (SHOPS, 2, "reject_detail", "shop=supermarket"),
        "a store is no WIC office": (VENDORS, 1, "reject_reason", "not_in_catalog"),
        "known of the whole file": (VENDORS, 1, "state", "CO"),
        "a garden": (GARDENS, 1, "reject_reason", "not_in_catalog"),
    },
)
def test_a_field(file: str, row: int, field: str, expected: object) -> None:
    assert fixture_value("pueblo_co_2026", file, row, field) == expected


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
