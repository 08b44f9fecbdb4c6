"""WIC offices: what the state says is kept, what the geocoder made up is rejected."""

from __future__ import annotations

import pytest

from tests.support.source_files import fixture_rows, plain, shared_rows

CA = "CA_WIC_LOCS_GEO.test.csv"
WA = "WA_wic_clinics.test.csv"


@pytest.mark.parametrize(
    ("row", "reason", "detail"),
    [
        pytest.param(1, "not_in_united_states", "Kaapstad, Western Cape", id="another continent"),
        pytest.param(2, "no_address_to_locate", "Irondale, California", id="address 0"),
        pytest.param(3, None, None, id="number and street agree"),
        pytest.param(4, "geocoded_outside_state", "Dustville, Arizona", id="another state"),
        pytest.param(5, None, None, id="street without number, written another way"),
        pytest.param(
            6,
            "address_not_found",
            "1311 Glen Boulevard B & C -> South Glen Avenue",
            id="another street of the same name",
        ),
        pytest.param(7, "address_not_found", "Building 1131 -> no street", id="only the town"),
        pytest.param(8, None, None, id="no number in the address either"),
    ],
)
def test_california_rejects(row: int, reason: str | None, detail: str | None) -> None:
    rows = fixture_rows("wic_clinics", CA).set_index("source_row")
    assert plain(rows.loc[row, "reject_reason"]) == reason
    assert plain(rows.loc[row, "reject_detail"]) == detail


@pytest.mark.parametrize(
    ("file", "row", "field", "expected"),
    [
        pytest.param(CA, 3, "address", "11 English Street Room 13", id="the state's own address"),
        pytest.param(CA, 3, "state", "CA", id="state in words"),
        pytest.param(CA, 3, "location_precision", None, id="the point of a house"),
        pytest.param(CA, 5, "location_precision", "city", id="somewhere along the street"),
        pytest.param(CA, 5, "zip", None, id="no ZIP"),
        pytest.param(CA, 3, "resource_type", "wic_office", id="type"),
        pytest.param(WA, 1, "lat", 46.82, id="the upper-case pair"),
        pytest.param(WA, 1, "lng", -119.16, id="not the swapped pair"),
        pytest.param(WA, 1, "name", "Alder CHD-Bayside", id="clinic"),
        pytest.param(WA, 1, "organization", "Alder County Health", id="agency"),
        pytest.param(WA, 1, "address", "425 E Main St, Ste 700", id="comma inside quotes"),
        pytest.param(WA, 2, "zip", "98998", id="last line without an end"),
    ],
)
def test_a_field(file: str, row: int, field: str, expected: object) -> None:
    rows = fixture_rows("wic_clinics", file).set_index("source_row")
    assert plain(rows.loc[row, field]) == expected


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
