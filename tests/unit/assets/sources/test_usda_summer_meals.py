"""The national summer meal layer: seasons, columns of several years, sites that are not for
everybody.
"""

from __future__ import annotations

from datetime import date

import pandas as pd
import pytest

from assets.sources.contract import rows_of_files
from schemas.sources.registry import sources
from tests.support.cases import cases
from tests.support.source_files import FIXTURES, raw_file

SOURCE = "usda_summer_meals"
FILE = "Summer_Meals_Site_Finder.2026-06.json"
SEASON = "June 1, 2026 - August 11, 2026"


@pytest.fixture(scope="module")
def rows() -> pd.DataFrame:
    source = sources()[SOURCE]
    path = FIXTURES / SOURCE / FILE
    return rows_of_files(source, [raw_file(source, path, source.vintage_of(FILE))])


@cases(
    "row, field, expected",
    {
        "id of the USDA's": (1, "source_key", "fns:900001"),
        "hours with their season": (
            1,
            "hours_text",
            f"M,T,W,TH,F 8:00 AM-9:00 AM, 11:30 AM-12:30 PM, {SEASON}",
        ),
        "meals": (1, "services_text", "Breakfast; Lunch; Congregate"),
        "two address lines": (1, "address", "12 Heron Road, Gate B"),
        "metres are left to the location step": (1, "lat", 4880000.5),
        "no remark": (1, "notes", None),
        "type": (1, "resource_type", "summer_meal"),
        "month in the name": (1, "source_updated_date", date(2026, 6, 1)),
        "another year's columns": (
            2,
            "hours_text",
            "SA 12:00 PM-1:00 PM, June 6, 2026 - August 8, 2026",
        ),
        "to go": (2, "services_text", "Lunch; Non-congregate pick up"),
        "no e-mail address": (2, "notes", "Ask"),
        "no geometry": (2, "lat", None),
        "camp": (3, "reject_reason", "not_public"),
        "over before the file": (4, "reject_reason", "season_over"),
        "its last day": (4, "reject_detail", "ended May 28, 2026"),
        "season without hours": (4, "notes", "Season: May 1, 2026 - May 28, 2026"),
    },
)
def test_fixture(rows: pd.DataFrame, row: int, field: str, expected: object) -> None:
    value = rows.loc[row - 1, field]
    assert (None if pd.isna(value) else value) == expected


def test_keys_differ_and_contacts_stay_out(rows: pd.DataFrame) -> None:
    assert rows["source_key"].notna().all()
    assert rows["source_key"].is_unique
    assert not any(word in rows.to_csv() for word in ("Ann", "614-555-0189", "@"))
