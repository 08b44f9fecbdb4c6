"""Neighbourhoods in figures: read, accounted for, and no places."""

from __future__ import annotations

import pytest

from tests.support.cases import cases
from tests.support.source_files import fixture_value, shared_rows

SOURCE = "nyc_supply_gap_2025"
FILE = "Emergency_Food_Supply_Gap_20251110.csv"


@cases(
    "file, row, field, expected",
    {
        "neighbourhood and year": (FILE, 1, "source_key", "BX9901:2025"),
        "no place": (FILE, 1, "reject_reason", "not_a_place"),
        "name": (FILE, 1, "name", "Pigeon Heights"),
        "another year": (FILE, 2, "source_key", "BX9901:2024"),
    },
)
def test_a_field(file: str, row: int, field: str, expected: object) -> None:
    assert fixture_value(SOURCE, file, row, field) == expected


@pytest.mark.shared
def test_real_file() -> None:
    rows = shared_rows(SOURCE, SOURCE, FILE)
    assert len(rows) == 786
    assert rows["source_key"].is_unique
    assert (rows["reject_reason"] == "not_a_place").all()
