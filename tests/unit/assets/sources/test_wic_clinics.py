"""WIC offices: what the state says is kept, what the geocoder made up is rejected."""

from __future__ import annotations

import pytest

from tests.support.cases import cases
from tests.support.source_files import fixture_rows, fixture_value, plain, shared_rows

CA = "CA_WIC_LOCS_GEO.test.csv"
WA = "WA_wic_clinics.test.csv"


@cases(
    "row, reason, detail",
    {
        "another continent": (1, "not_in_united_states", "Kaapstad, Western Cape"),
        "address 0": (2, "no_address_to_locate", "Irondale, California"),
        "number and street agree": (3, None, None),
        "another state": (4, "geocoded_outside_state", "Dustville, Arizona"),
        "street without number, written another way": (5, None, None),
        "another street of the same name": (
            6,
            "address_not_found",
            "1311 Glen Boulevard B & C -> South Glen Avenue",
        ),
        "only the town": (7, "address_not_found", "Building 1131 -> no street"),
        "no number in the address either": (8, None, None),
    },
)
def test_california_rejects(row: int, reason: str | None, detail: str | None) -> None:
    rows = fixture_rows("wic_clinics", CA).set_index("source_row")
    assert plain(rows.loc[row, "reject_reason"]) == reason
    assert plain(rows.loc[row, "reject_detail"]) == detail


@cases(
    "file, row, field, expected",
    {
        "the state's own address": (CA, 3, "address", "11 English Street Room 13"),
        "state in words": (CA, 3, "state", "CA"),
        "the point of a house": (CA, 3, "location_precision", None),
        "somewhere along the street": (CA, 5, "location_precision", "city"),
        "no ZIP": (CA, 5, "zip", None),
        "type": (CA, 3, "resource_type", "wic_office"),
        "the upper-case pair": (WA, 1, "lat", 46.82),
        "not the swapped pair": (WA, 1, "lng", -119.16),
        "clinic": (WA, 1, "name", "Alder CHD-Bayside"),
        "agency": (WA, 1, "organization", "Alder County Health"),
        "comma inside quotes": (WA, 1, "address", "425 E Main St, Ste 700"),
        "last line without an end": (WA, 2, "zip", "98998"),
    },
)
def test_a_field(file: str, row: int, field: str, expected: object) -> None:
    assert fixture_value("wic_clinics", file, row, field) == expected


@pytest.mark.parametrize(("file", "count"), [(CA, 8), (WA, 2)])
def test_every_row_read_is_one_row_out(file: str, count: int) -> None:
    rows = fixture_rows("wic_clinics", file)
    assert list(rows["source_row"]) == list(range(1, count + 1))
    assert rows["source_key"].is_unique


@pytest.mark.shared
def test_real_washington() -> None:
    rows = shared_rows("wic_clinics", "wic_clinics", "WA_wic_clinics.2026-03.csv")
    assert len(rows) == 197
    assert rows["source_key"].is_unique
    assert rows["reject_reason"].isna().all()
    assert rows["lat"].between(45.5, 49.1).all()
    assert rows["lng"].between(-124.9, -116.9).all()


@pytest.mark.shared
def test_real_california() -> None:
    rows = shared_rows("wic_clinics", "wic_clinics", "CA_WIC_LOCS_GEO.2015-03.csv")
    assert len(rows) == 619
    assert rows["source_key"].is_unique
    assert rows["reject_reason"].value_counts().to_dict() == {
        "not_in_united_states": 3,
        "geocoded_outside_state": 3,
        "no_address_to_locate": 2,
        "address_not_found": 32,
    }
    kept = rows[rows["reject_reason"].isna()]
    assert kept["lat"].between(32.5, 42.1).all()
    assert kept["lng"].between(-124.5, -114.1).all()
