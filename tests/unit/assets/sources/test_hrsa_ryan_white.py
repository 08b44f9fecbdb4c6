"""Ryan White providers in the assumed layout."""

from __future__ import annotations

from pathlib import Path

import pytest

from assets.sources.contract import UnreadableFileError
from tests.support.cases import cases
from tests.support.source_files import fixture_rows, fixture_value, rows_of

SOURCE = "hrsa_ryan_white"
FILE = "Ryan_White_HIV_AIDS_Program_Providers.test.csv"


@cases(
    "row, field, expected",
    {
        "registration code": (1, "source_key", "provider:900001"),
        "who pays": (1, "organization", "Larch County Health"),
        "X is the longitude": (1, "lng", -82.91),
        "county": (1, "county_name", "Larch County"),
        "type": (1, "resource_type", "ryan_white_provider"),
        "services": (
            1,
            "services_text",
            "Outpatient/ambulatory health services, Medical case management",
        ),
        "e-mail typed as website": (2, "website", None),
        "no point": (2, "lat", None),
        "health department": (2, "reject_reason", None),
        "passes money on": (3, "reject_reason", "administrative_site"),
    },
)
def test_fixture(row: int, field: str, expected: object) -> None:
    assert fixture_value(SOURCE, FILE, row, field) == expected


def test_a_provider_without_code_has_a_key() -> None:
    keys = fixture_rows(SOURCE, FILE)["source_key"]
    assert keys.notna().all()
    assert keys.is_unique


def test_another_header_stops_the_run(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("Name,City\nHeron,Larkton\n", "utf-8")
    with pytest.raises(UnreadableFileError, match="Provider Name"):
        rows_of(SOURCE, tmp_path / FILE)
