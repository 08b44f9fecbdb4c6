"""Washington's schools: metres for degrees, one-line addresses, categories without meals."""

from __future__ import annotations

import pytest

from tests.support.source_files import fixture_rows, plain, shared_rows

FILE = "WashingtonStatePublicSchools.test.csv"


@pytest.mark.parametrize(
    ("file", "row", "field", "expected"),
    [
        pytest.param(FILE, 1, "lat", 6117032.2, id="metres as read"),
        pytest.param(FILE, 1, "lng", -13603218.7, id="metres as read, east"),
        pytest.param(FILE, 1, "address", "7204 27th Ave NE", id="street"),
        pytest.param(FILE, 1, "city", "Larkton", id="city"),
        pytest.param(FILE, 1, "zip", "98999", id="ZIP+4"),
        pytest.param(FILE, 3, "zip", "98999", id="nine digits without a dash"),
        pytest.param(FILE, 4, "zip", "98999", id="a dash and nothing behind"),
        pytest.param(FILE, 5, "address", "Ferry Landing", id="no city in the line"),
        pytest.param(FILE, 5, "state", "WA", id="the register is of one state"),
        pytest.param(FILE, 1, "organization", "Larkton School District", id="district"),
        pytest.param(FILE, 1, "notes", "Grades 6 to 8", id="grades"),
        pytest.param(FILE, 1, "reject_reason", None, id="a school"),
        pytest.param(FILE, 2, "reject_reason", "no_meal_site", id="re-engagement"),
        pytest.param(FILE, 3, "reject_reason", "no_meal_site", id="detention"),
        pytest.param(FILE, 4, "reject_reason", None, id="a tribal school"),
    ],
)
def test_a_field(file: str, row: int, field: str, expected: object) -> None:
    rows = fixture_rows("wa_ospi_schools", file).set_index("source_row")
    assert plain(rows.loc[row, field]) == expected


@pytest.mark.shared
@pytest.mark.parametrize(
    ("file", "count", "keys", "rejects"),
    [
        ("WashingtonStatePublicSchools.2026-03.csv", 2498, 2373, {"no_meal_site": 125}),
    ],
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
