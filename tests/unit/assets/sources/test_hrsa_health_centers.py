"""HRSA's sites in both layouts: confidential places stay hidden, offices stay out."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from assets.sources.contract import UnreadableFileError
from schemas.sources.registry import sources
from tests.support.source_files import FIXTURES, fixture_rows, fixture_value, rows_of, shared_rows

SOURCE = "hrsa_health_centers"
DERIVED = "derived_health_clinics_national.2020-04.csv"
SITES = "Health_Center_Service_Delivery_and_LookAlike_Sites.csv"


@pytest.mark.parametrize(
    ("file", "row", "field", "expected"),
    [
        pytest.param(DERIVED, 1, "address", "12 Elm St", id="street of one string"),
        pytest.param(DERIVED, 1, "city", "Larkspur", id="city of one string"),
        pytest.param(DERIVED, 1, "zip", "97999", id="five digits"),
        pytest.param(DERIVED, 1, "lat", 42.27, id="point"),
        pytest.param(DERIVED, 1, "notes", "Operating hours per week: 42.5", id="weekly hours"),
        pytest.param(DERIVED, 1, "hours_text", None, id="weekly hours are no opening hours"),
        pytest.param(DERIVED, 1, "resource_type", "health_center", id="type"),
        pytest.param(DERIVED, 1, "is_confidential", False, id="open site"),
        pytest.param(DERIVED, 2, "is_confidential", True, id="no street, no ZIP"),
        pytest.param(DERIVED, 2, "lat", None, id="no point for a shelter"),
        pytest.param(DERIVED, 2, "city", "Juniper", id="the city of a shelter is given on"),
        pytest.param(DERIVED, 2, "website", None, id="e-mail typed as website"),
        pytest.param(DERIVED, 3, "address", "9 Mill Ln, Ste 3", id="comma in the street"),
        pytest.param(DERIVED, 3, "website", "http://n/a", id="other junk is left to the cleaning"),
        pytest.param(DERIVED, 3, "notes", None, id="0 hours say nothing"),
        pytest.param(DERIVED, 4, "reject_reason", "administrative_site", id="office without hours"),
        pytest.param(DERIVED, 5, "reject_reason", None, id="office in the name, but with hours"),
        pytest.param(DERIVED, 6, "reject_reason", "outside_area", id="Micronesia"),
        pytest.param(DERIVED, 7, "address", "Lot 3", id="two commas"),
        pytest.param(DERIVED, 7, "location_precision", "city", id="one point for American Samoa"),
        pytest.param(DERIVED, 8, "is_confidential", False, id="a street without ZIP is not hidden"),
        pytest.param(DERIVED, 9, "location_precision", "city", id="mobile unit"),
        pytest.param(DERIVED, 9, "notes", None, id="more hours than a week has"),
        pytest.param(DERIVED, 10, "reject_reason", "unreadable_address", id="no city and state"),
        pytest.param(SITES, 1, "source_key", "H80CS99999:BPS-H80-000001", id="key of HRSA's"),
        pytest.param(SITES, 1, "lng", -122.81, id="X is the longitude"),
        pytest.param(SITES, 1, "organization", "LARKSPUR HEALTH, INC.", id="organization"),
        pytest.param(SITES, 1, "county_name", "Larkspur County", id="county"),
        pytest.param(SITES, 1, "source_updated_date", date(2026, 7, 21), id="date M/D/YYYY"),
        pytest.param(SITES, 2, "reject_reason", None, id="office and clinic"),
        pytest.param(SITES, 3, "reject_reason", "administrative_site", id="office only"),
        pytest.param(SITES, 4, "reject_reason", "not_open", id="not active"),
        pytest.param(SITES, 5, "reject_reason", "location_withheld", id="state XX"),
        pytest.param(SITES, 5, "lng", None, id="no point for XX"),
        pytest.param(SITES, 6, "is_confidential", True, id="shelter with a street"),
        pytest.param(SITES, 6, "address", None, id="its street is not given on"),
        pytest.param(SITES, 6, "zip", None, id="nor its ZIP"),
        pytest.param(SITES, 7, "reject_reason", "not_open", id="prison"),
        pytest.param(SITES, 8, "notes", "Mobile van. Operating hours per week: 12.50", id="van"),
        pytest.param(SITES, 8, "location_precision", "city", id="a van stands anywhere"),
        pytest.param(SITES, 8, "website", None, id="e-mail without scheme"),
        pytest.param(SITES, 9, "reject_reason", "outside_area", id="Palau"),
    ],
)
def test_fixture(file: str, row: int, field: str, expected: object) -> None:
    assert fixture_value(SOURCE, file, row, field) == expected


def test_phone_and_point_are_no_part_of_the_derived_key() -> None:
    keys = fixture_rows(SOURCE, DERIVED)["source_key"]
    assert keys[0] == keys[10]
    assert keys.nunique() == len(keys) - 1


def test_no_email_is_given_on() -> None:
    rows = fixture_rows(SOURCE, DERIVED, SITES)
    assert not rows.astype("str").apply(lambda c: c.str.contains("@example.org")).to_numpy().any()


def test_a_missing_column_is_named(tmp_path: Path) -> None:
    text = (FIXTURES / SOURCE / SITES).read_text("utf-8")
    (tmp_path / SITES).write_text(text.replace("BPHC Assigned Number", "BPHC Number"), "utf-8")
    with pytest.raises(UnreadableFileError, match="BPHC Assigned Number"):
        rows_of(SOURCE, tmp_path / SITES)


def test_the_live_feed_has_a_layout() -> None:
    source = sources()[SOURCE]
    layout = source.layout_of(source.live[0].file_name)
    assert layout is not None
    assert layout.layout == "site_csv"


@pytest.mark.shared
def test_real_file() -> None:
    rows = shared_rows(SOURCE, SOURCE, DERIVED)
    assert list(rows["source_row"]) == list(range(1, 14_211))
    assert rows["source_key"].nunique() == 14_190
    assert rows["reject_reason"].value_counts().to_dict() == {
        "administrative_site": 268,
        "outside_area": 30,
    }
    used = rows[rows["reject_reason"].isna()]
    assert used[["name", "city", "state"]].notna().all().all()
    hidden = used[used["is_confidential"]]
    assert len(hidden) == 22
    assert hidden[["address", "zip", "lat", "lng"]].isna().all().all()
    shown = used[~used["is_confidential"]]
    assert shown[["lat", "lng"]].notna().all().all()
    assert shown.loc[
        shown["address"].isna(), ["zip", "location_precision"]
    ].to_numpy().tolist() == [["16621", "city"]]
    assert shown["zip"].isna().sum() == 1
    assert not rows["website"].str.contains("@", na=False).any()
