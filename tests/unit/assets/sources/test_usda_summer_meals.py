"""The national summer meal layer: seasons, columns of several years, sites that are not for
everybody.
"""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pandas as pd
import pytest

from assets.sources.contract import UnreadableFileError, rows_of_files
from schemas.sources.registry import sources
from tests.support.source_files import FIXTURES, raw_file, rows_of

SOURCE = "usda_summer_meals"
FILE = "Summer_Meals_Site_Finder.2026-06.json"
SEASON = "June 1, 2026 - August 11, 2026"


@pytest.fixture(scope="module")
def rows() -> pd.DataFrame:
    source = sources()[SOURCE]
    path = FIXTURES / SOURCE / FILE
    return rows_of_files(source, [raw_file(source, path, source.vintage_of(FILE))])


@pytest.mark.parametrize(
    ("row", "field", "expected"),
    [
        pytest.param(1, "source_key", "fns:900001", id="id of the USDA's"),
        pytest.param(
            1,
            "hours_text",
            f"M,T,W,TH,F 8:00 AM-9:00 AM, 11:30 AM-12:30 PM, {SEASON}",
            id="hours with their season",
        ),
        pytest.param(1, "services_text", "Breakfast; Lunch; Congregate", id="meals"),
        pytest.param(1, "address", "12 Heron Road, Gate B", id="two address lines"),
        pytest.param(1, "lat", 4880000.5, id="metres are left to the location step"),
        pytest.param(1, "notes", None, id="no remark"),
        pytest.param(1, "resource_type", "summer_meal", id="type"),
        pytest.param(1, "source_updated_date", date(2026, 6, 1), id="month in the name"),
        pytest.param(
            2,
            "hours_text",
            "SA 12:00 PM-1:00 PM, June 6, 2026 - August 8, 2026",
            id="another year's columns",
        ),
        pytest.param(2, "services_text", "Lunch; Non-congregate pick up", id="to go"),
        pytest.param(2, "notes", "Ask", id="no e-mail address"),
        pytest.param(2, "lat", None, id="no geometry"),
        pytest.param(3, "reject_reason", "not_public", id="camp"),
        pytest.param(4, "reject_reason", "season_over", id="over before the file"),
        pytest.param(4, "reject_detail", "ended May 28, 2026", id="its last day"),
        pytest.param(4, "notes", "Season: May 1, 2026 - May 28, 2026", id="season without hours"),
    ],
)
def test_fixture(rows: pd.DataFrame, row: int, field: str, expected: object) -> None:
    value = rows.loc[row - 1, field]
    assert (None if pd.isna(value) else value) == expected


def test_keys_differ_and_contacts_stay_out(rows: pd.DataFrame) -> None:
    assert rows["source_key"].notna().all()
    assert rows["source_key"].is_unique
    assert not any(word in rows.to_csv() for word in ("Ann", "614-555-0189", "@"))


def test_a_missing_column_is_named(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text('{"features": [{"attributes": {"title": "Heron"}}]}', "utf-8")
    with pytest.raises(UnreadableFileError, match="Site_Name"):
        rows_of(SOURCE, tmp_path / FILE)
