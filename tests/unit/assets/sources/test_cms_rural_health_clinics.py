"""Rural health clinics: trade names, the dotted date of the file, other kinds of provider."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from assets.sources.contract import UnreadableFileError
from schemas.sources.registry import sources
from tests.support.cases import cases
from tests.support.source_files import FIXTURES, fixture_value, rows_of

SOURCE = "cms_rural_health_clinics"
FILE = "RHC_Enrollments_2026.04.01.csv"


@cases(
    "row, field, expected",
    {
        "enrollment": (1, "source_key", "O20009900000001"),
        "trade name in Windows-1252": (1, "name", "CLÍNICA HERON"),
        "owner": (1, "organization", "HERON HEALTH LLC"),
        "two address lines": (1, "address", "12 HERON RD, STE 4"),
        "nine digits are left to the cleaning": (1, "zip", "045991234"),
        "type": (1, "resource_type", "rural_health_clinic"),
        "no trade name": (2, "name", "LARCH FAMILY PRACTICE INC"),
        "no phone": (2, "phone", None),
        "another kind of provider": (3, "reject_reason", "not_in_catalog"),
        "a clinic": (1, "reject_reason", None),
    },
)
def test_fixture(row: int, field: str, expected: object) -> None:
    assert fixture_value(SOURCE, FILE, row, field) == expected


@cases(
    "name, day",
    {
        "day with dots": (FILE, date(2026, 4, 1)),
        "no day": ("RHC_Enrollments_2026.13.01.csv", date(2026, 1, 1)),
        "no edition": ("RHC_Enrollments.csv", None),
    },
)
def test_the_edition_is_in_the_name(name: str, day: date | None) -> None:
    assert sources()[SOURCE].vintage_of(name) == day


def test_a_missing_column_is_named(tmp_path: Path) -> None:
    text = (FIXTURES / SOURCE / FILE).read_text("cp1252")
    (tmp_path / FILE).write_text(text.replace("ENROLLMENT ID", "ID"), "cp1252")
    with pytest.raises(UnreadableFileError, match="ENROLLMENT ID"):
        rows_of(SOURCE, tmp_path / FILE)
