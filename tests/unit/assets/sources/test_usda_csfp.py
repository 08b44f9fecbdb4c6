"""CSFP agencies: the same layer, another program."""

from __future__ import annotations

import pytest

from tests.support.source_files import fixture_rows, fixture_value

SOURCE = "usda_csfp"
FILE = "CSFP_Agencies.test.json"


@pytest.mark.parametrize(
    ("row", "field", "expected"),
    [
        pytest.param(1, "address", "1 Capitol, Floor 2", id="two address lines"),
        pytest.param(1, "lng", -100.0, id="point in degrees"),
        pytest.param(1, "website", None, id="e-mail typed as website"),
        pytest.param(1, "resource_type", "senior_commodity", id="type"),
        pytest.param(
            1, "notes", "Administering agency: ask it where the food is handed out.", id="an office"
        ),
        pytest.param(2, "reject_reason", None, id="runs both programs"),
        pytest.param(3, "reject_reason", "not_in_catalog", id="no program"),
    ],
)
def test_fixture(row: int, field: str, expected: object) -> None:
    assert fixture_value(SOURCE, FILE, row, field) == expected


def test_keys_differ() -> None:
    assert fixture_rows(SOURCE, FILE)["source_key"].is_unique
