"""Facilities for veterans: three registers, one id each, web addresses joined from a fourth file."""

from __future__ import annotations

import pytest

from tests.support.cases import cases
from tests.support.source_files import fixture_rows, fixture_value, shared_rows

VAST = "vast.test.csv"
VBA = "vba.test.csv"
NCA = "nca.test.csv"
SITES = "websites.test.csv"


@cases(
    "file, row, field, expected",
    {
        "a hospital": (VAST, 1, "source_key", "vha_990"),
        "a vet center": (VAST, 3, "source_key", "vc_0990V"),
        "hospital": (VAST, 1, "facility_type", "va_hospital"),
        "clinic": (VAST, 2, "facility_type", "va_clinic"),
        "mobile vet center": (VAST, 4, "facility_type", "vet_center"),
        "an empty extension": (VAST, 1, "phone", "207-555-0100"),
        "an extension": (VAST, 2, "phone", "207-555-0101 x5688"),
        "street before building": (VAST, 2, "address", "163 Heron Road, Suite 6, Heron Mall"),
        "a first line that repeats the name": (
            VAST,
            3,
            "address",
            "180 Heron Lakes Road, Suites 107-108",
        ),
        "a mobile unit is not at its base": (VAST, 4, "address", None),
        "nor in its ZIP": (VAST, 4, "zip", None),
        "its point is the town": (VAST, 4, "location_precision", "city"),
        "closed on all days is no timetable": (VAST, 4, "hours_text", None),
        "geocoded to the ZIP": (VAST, 3, "location_precision", "zip"),
        "always open": (
            VAST,
            1,
            "hours_text",
            "Monday 24/7; Tuesday 24/7; Wednesday 24/7; Thursday 24/7; Friday 24/7; Saturday 24/7; Sunday 24/7",
        ),
        "hours without colons": (
            VAST,
            2,
            "hours_text",
            "Monday 7:00AM-4:30PM; Tuesday 7:00AM-4:30PM; Wednesday 7:00AM-4:30PM; Thursday 7:00AM-4:30PM; Friday 7:00AM-4:30PM; Saturday closed; Sunday closed",
        ),
        "no AM or PM stays": (
            VAST,
            3,
            "hours_text",
            "Monday 800-430; Tuesday 800-430; Wednesday 800-430; Thursday 800-430; Friday 800-430; Saturday closed; Sunday closed",
        ),
        "a bar at the end": (
            VAST,
            1,
            "notes",
            "Administrative hours are Monday-Friday 8:00 a.m. to 4:30 p.m.",
        ),
        "suspended": (VAST, 5, "reject_reason", "closed_by_source"),
        "AM-PM says nothing": (VAST, 5, "hours_text", None),
        "benefits": (VBA, 1, "source_key", "vba_951a"),
        "columns that say YES, one name cut off": (
            VBA,
            1,
            "services_text",
            "Applying for Benefits, Vocational Rehabilitation Employment",
        ),
        "closed on all days": (VBA, 2, "hours_text", None),
        "other services": (VBA, 2, "notes", "Outreach"),
        "NULL": (VBA, 1, "website", None),
        "a name without its kind": (NCA, 1, "name", "Los Herones National Cemetery"),
        "a name with its kind": (NCA, 2, "name", "Heron Confederate Cemetery"),
        "<Null>, and not the mail address": (NCA, 1, "address", "950 S Heron Blvd"),
        "weekdays and weekends": (
            NCA,
            1,
            "hours_text",
            "Monday - Friday 8:00am - 4:30pm; Saturday - Sunday 8:00am - 4:30pm",
        ),
        "not yet published": (NCA, 1, "is_public", False),
    },
)
def test_a_field(file: str, row: int, field: str, expected: object) -> None:
    assert fixture_value("va_facilities", file, row, field) == expected


def test_web_addresses_are_joined_and_give_no_rows() -> None:
    rows = fixture_rows("va_facilities", VAST, VBA, NCA, SITES).set_index("source_key")
    assert len(rows) == 9
    assert rows["website"].dropna().to_dict() == {
        "vha_990": "https://www.example.gov/heron-center",
        "vc_0990V": "https://www.example.gov/heron-vet",
        "vba_952": "https://www.example.gov/heron",
        "nca_998": "https://www.example.gov/heron-cemetery",
    }


@pytest.mark.shared
@pytest.mark.parametrize(
    ("file", "count", "keys", "rejects"),
    [
        ("vast.2020-05.csv", 1695, 1694, {"closed_by_source": 1}),
        ("vba.2020-08.csv", 459, 459, {}),
        ("nca.2020-09.csv", 184, 184, {}),
    ],
)
def test_real_files(file: str, count: int, keys: int, rejects: dict[str, int]) -> None:
    rows = shared_rows("va_facilities", "va_facilities", file)
    assert list(rows["source_row"]) == list(range(1, count + 1))
    assert rows["source_key"].notna().all()
    assert rows["reject_reason"].value_counts().to_dict() == rejects
    kept = rows[rows["reject_reason"].isna()]
    assert kept["source_key"].nunique() == keys
    assert kept["source_key"].is_unique
    assert kept[["name", "facility_type", "city", "state", "lat"]].notna().all().all()
    assert not rows["is_public"].any()


@pytest.mark.shared
def test_real_files_together() -> None:
    names = ["nca.2020-09.csv", "vast.2020-05.csv", "vba.2020-08.csv", "websites.2020-10.csv"]
    rows = shared_rows("va_facilities", "va_facilities", *names)
    assert len(rows) == 1_695 + 459 + 184
    assert rows["source_key"].is_unique
    of_health = rows["source_key"].str.startswith("vha_")
    assert rows[of_health]["website"].notna().sum() == 1_130
    is_mobile = rows["notes"].str.startswith("Mobile unit").fillna(False)
    assert is_mobile.sum() == 140
    assert rows[is_mobile]["address"].isna().all()
