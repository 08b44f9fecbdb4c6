"""CSFP agencies: the same layer, another program."""

from __future__ import annotations

from tests.support.cases import cases
from tests.support.source_files import fixture_rows, fixture_value

SOURCE = "usda_csfp"
FILE = "CSFP_Agencies.test.json"


@cases(
    "row, field, expected",
    {
        "two address lines": (1, "address", "1 Capitol, Floor 2"),
        "point in degrees": (1, "lng", -100.0),
        "e-mail typed as website": (1, "website", None),
        "type": (1, "resource_type", "senior_commodity"),
        "an office": (1, "notes", "Administering agency: ask it where the food is handed out."),
        "runs both programs": (2, "reject_reason", None),
        "no program": (3, "reject_reason", "not_in_catalog"),
    },
)
def test_fixture(row: int, field: str, expected: object) -> None:
    assert fixture_value(SOURCE, FILE, row, field) == expected


def test_keys_differ() -> None:
    assert fixture_rows(SOURCE, FILE)["source_key"].is_unique
