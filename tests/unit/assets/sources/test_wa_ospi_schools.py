"""Washington's schools: metres for degrees, one-line addresses, categories without meals."""

from __future__ import annotations

import pytest

from tests.support.cases import cases
from tests.support.source_files import fixture_value, shared_rows

FILE = "WashingtonStatePublicSchools.test.csv"


@cases(
    "file, row, field, expected",
    {
        "metres as read": (FILE, 1, "lat", 6117032.2),
        "metres as read, east": (FILE, 1, "lng", -13603218.7),
        "street": (FILE, 1, "address", "7204 27th Ave NE"),
        "city": (FILE, 1, "city", "Larkton"),
        "ZIP+4": (FILE, 1, "zip", "98999"),
        "nine digits without a dash": (FILE, 3, "zip", "98999"),
        "a dash and nothing behind": (FILE, 4, "zip", "98999"),
        "no city in the line": (FILE, 5, "address", "Ferry Landing"),
        "the register is of one state": (FILE, 5, "state", "WA"),
        "district": (FILE, 1, "organization", "Larkton School District"),
        "grades": (FILE, 1, "notes", "Grades 6 to 8"),
        "a school": (FILE, 1, "reject_reason", None),
        "re-engagement": (FILE, 2, "reject_reason", "no_meal_site"),
        "detention": (FILE, 3, "reject_reason", "no_meal_site"),
        "a tribal school": (FILE, 4, "reject_reason", None),
    },
)
def test_a_field(file: str, row: int, field: str, expected: object) -> None:
    assert fixture_value("wa_ospi_schools", file, row, field) == expected


@pytest.mark.shared
@pytest.mark.parametrize(
    ("file", "count", "keys", "rejects"),
    [("WashingtonStatePublicSchools.2026-03.csv", 2498, 2373, {"no_meal_site": 125})],
)
def test_real_files(file: str, count: int, keys: int, rejects: dict[str, int]) -> None:
    rows = shared_rows("wa_ospi_schools", "wa_ospi_schools", file)
    assert list(rows["source_row"]) == list(range(1, count + 1))
    assert rows["source_key"].notna().all()
    assert rows["reject_reason"].value_counts().to_dict() == rejects
    kept = rows[rows["reject_reason"].isna()]
    assert kept["source_key"].nunique() == keys
    assert kept[["address", "city", "zip", "lat", "lng"]].notna().all().all()
    assert set(kept["state"]) == {"WA"}
    assert kept["source_key"].is_unique
