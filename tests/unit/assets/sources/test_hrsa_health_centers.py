"""HRSA's sites in both layouts: confidential places stay hidden, offices stay out."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from assets.sources.contract import UnreadableFileError
from schemas.sources.registry import sources
from tests.support.cases import cases
from tests.support.source_files import FIXTURES, fixture_rows, fixture_value, rows_of, shared_rows

SOURCE = "hrsa_health_centers"
DERIVED = "derived_health_clinics_national.2020-04.csv"
SITES = "Health_Center_Service_Delivery_and_LookAlike_Sites.csv"


@cases(
    "file, row, field, expected",
    {
        "street of one string": (DERIVED, 1, "address", "12 Elm St"),
        "city of one string": (DERIVED, 1, "city", "Larkspur"),
        "five digits": (DERIVED, 1, "zip", "97999"),
        "point": (DERIVED, 1, "lat", 42.27),
        "weekly hours": (DERIVED, 1, "notes", "Operating hours per week: 42.5"),
        "weekly hours are no opening hours": (DERIVED, 1, "hours_text", None),
        "type": (DERIVED, 1, "resource_type", "health_center"),
        "open site": (DERIVED, 1, "is_confidential", False),
        "no street, no ZIP": (DERIVED, 2, "is_confidential", True),
        "no point for a shelter": (DERIVED, 2, "lat", None),
        "the city of a shelter is given on": (DERIVED, 2, "city", "Juniper"),
        "e-mail typed as website": (DERIVED, 2, "website", None),
        "comma in the street": (DERIVED, 3, "address", "9 Mill Ln, Ste 3"),
        "other junk is left to the cleaning": (DERIVED, 3, "website", "http://n/a"),
        "0 hours say nothing": (DERIVED, 3, "notes", None),
        "office without hours": (DERIVED, 4, "reject_reason", "administrative_site"),
        "office in the name, but with hours": (DERIVED, 5, "reject_reason", None),
        "Micronesia": (DERIVED, 6, "reject_reason", "outside_area"),
        "two commas": (DERIVED, 7, "address", "Lot 3"),
        "one point for American Samoa": (DERIVED, 7, "location_precision", "city"),
        "a street without ZIP is not hidden": (DERIVED, 8, "is_confidential", False),
        "mobile unit": (DERIVED, 9, "location_precision", "city"),
        "more hours than a week has": (DERIVED, 9, "notes", None),
        "no city and state": (DERIVED, 10, "reject_reason", "unreadable_address"),
        "key of HRSA's": (SITES, 1, "source_key", "H80CS99999:BPS-H80-000001"),
        "X is the longitude": (SITES, 1, "lng", -122.81),
        "organization": (SITES, 1, "organization", "LARKSPUR HEALTH, INC."),
        "county": (SITES, 1, "county_name", "Larkspur County"),
        "date M/D/YYYY": (SITES, 1, "source_updated_date", date(2026, 7, 21)),
        "office and clinic": (SITES, 2, "reject_reason", None),
        "office only": (SITES, 3, "reject_reason", "administrative_site"),
        "not active": (SITES, 4, "reject_reason", "not_open"),
        "state XX": (SITES, 5, "reject_reason", "location_withheld"),
        "no point for XX": (SITES, 5, "lng", None),
        "shelter with a street": (SITES, 6, "is_confidential", True),
        "its street is not given on": (SITES, 6, "address", None),
        "nor its ZIP": (SITES, 6, "zip", None),
        "prison": (SITES, 7, "reject_reason", "not_open"),
        "van": (SITES, 8, "notes", "Mobile van. Operating hours per week: 12.50"),
        "a van stands anywhere": (SITES, 8, "location_precision", "city"),
        "e-mail without scheme": (SITES, 8, "website", None),
        "Palau": (SITES, 9, "reject_reason", "outside_area"),
    },
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
