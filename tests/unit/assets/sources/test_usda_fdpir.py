"""FDPIR agencies: points in metres, other programs, no names of contacts."""

from __future__ import annotations

from pathlib import Path

import pytest

from assets.sources.contract import UnreadableFileError
from tests.support.cases import cases
from tests.support.source_files import fixture_rows, fixture_value, rows_of

SOURCE = "usda_fdpir"
FILE = "FDPIR_Agencies.test.json"


@cases(
    "row, field, expected",
    {
        "name": (1, "name", "Heron Band Food Distribution"),
        "one address line": (1, "address", "12 Heron Road"),
        "metres are left to the location step": (1, "lat", 5621521.49),
        "type": (1, "resource_type", "tribal_food"),
        "program": (1, "services_text", "FDPIR"),
        "runs the program": (1, "reject_reason", None),
        "another program": (2, "reject_reason", "not_in_catalog"),
        "which": (2, "reject_detail", "Program: CSFP"),
        "no geometry": (2, "lat", None),
    },
)
def test_fixture(row: int, field: str, expected: object) -> None:
    assert fixture_value(SOURCE, FILE, row, field) == expected


def test_no_contact_is_given_on() -> None:
    assert "Ann Example" not in fixture_rows(SOURCE, FILE).to_csv()


def test_another_layer_stops_the_run(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text('{"features": [{"attributes": {"Name": "Heron"}}]}', "utf-8")
    with pytest.raises(UnreadableFileError, match="Agency_Name"):
        rows_of(SOURCE, tmp_path / FILE)
