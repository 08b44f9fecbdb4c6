"""FDPIR agencies: points in metres, other programs, no names of contacts."""

from __future__ import annotations

from pathlib import Path

import pytest

from assets.sources.contract import UnreadableFileError
from tests.support.source_files import fixture_rows, fixture_value, rows_of

SOURCE = "usda_fdpir"
FILE = "FDPIR_Agencies.test.json"


@pytest.mark.parametrize(
    ("row", "field", "expected"),
    [
        pytest.param(1, "name", "Heron Band Food Distribution", id="name"),
        pytest.param(1, "address", "12 Heron Road", id="one address line"),
        pytest.param(1, "lat", 5621521.49, id="metres are left to the location step"),
        pytest.param(1, "resource_type", "tribal_food", id="type"),
        pytest.param(1, "services_text", "FDPIR", id="program"),
        pytest.param(1, "reject_reason", None, id="runs the program"),
        pytest.param(2, "reject_reason", "not_in_catalog", id="another program"),
        pytest.param(2, "reject_detail", "Program: CSFP", id="which"),
        pytest.param(2, "lat", None, id="no geometry"),
    ],
)
def test_fixture(row: int, field: str, expected: object) -> None:
    assert fixture_value(SOURCE, FILE, row, field) == expected


def test_no_contact_is_given_on() -> None:
    assert "Ann Example" not in fixture_rows(SOURCE, FILE).to_csv()


def test_another_layer_stops_the_run(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text('{"features": [{"attributes": {"Name": "Heron"}}]}', "utf-8")
    with pytest.raises(UnreadableFileError, match="Agency_Name"):
        rows_of(SOURCE, tmp_path / FILE)
