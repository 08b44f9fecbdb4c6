"""FDPIR agencies: points in metres, other programs, no names of contacts."""

from __future__ import annotations

from tests.support.source_files import fixture_rows

SOURCE = "usda_fdpir"
FILE = "FDPIR_Agencies.test.json"


def test_no_contact_is_given_on() -> None:
    assert "Ann Example" not in fixture_rows(SOURCE, FILE).to_csv()
