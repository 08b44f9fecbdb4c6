"""Los Angeles: one row per agency and day, joined on the agency's first row."""

from __future__ import annotations

import pytest

from tests.support.cases import cases
from tests.support.source_files import fixture_value, shared_rows

SOURCE = "la_regional_agency_list_2015"
FILE = "AgencyList.csv"


@cases(
    "file, row, field, expected",
    {
        "all days of the agency, each once": (
            FILE,
            1,
            "hours_text",
            "2nd & 4th Tuesday 9:00 AM - 12:00 PM; Last Friday 8:00 AM - 12:00 PM, 1:00 PM - 4:30 PM (Produce Only)",
        ),
        "agency number": (FILE, 1, "source_key", "5"),
        "the second column of that name": (FILE, 1, "name", "Poppy Church"),
        "phone": (FILE, 1, "phone", "626.555.0100"),
        "state": (FILE, 1, "state", "CA"),
        "type": (FILE, 1, "resource_type", "food_pantry"),
        "a later row": (FILE, 2, "reject_reason", "joined_with_earlier_row"),
        "of which": (FILE, 2, "reject_detail", "row 1"),
        "a later row far below": (FILE, 5, "reject_reason", "joined_with_earlier_row"),
        "what is no ordinal follows in brackets": (
            FILE,
            3,
            "hours_text",
            "Monday 10:00 AM - 11:30 AM (Emergency Appt.) (12/7/2015)",
        ),
        "no hours": (FILE, 4, "hours_text", None),
        "no hours is no fault": (FILE, 4, "reject_reason", None),
        "a row shifted by an e-mail and a name": (
            FILE,
            6,
            "hours_text",
            "3rd Monday 12:00 PM - 2:00 PM",
        ),
    },
)
def test_a_field(file: str, row: int, field: str, expected: object) -> None:
    assert fixture_value(SOURCE, file, row, field) == expected


@pytest.mark.shared
def test_real_file() -> None:
    rows = shared_rows(SOURCE, SOURCE, FILE)
    assert list(rows["source_row"]) == list(range(1, 646))
    assert rows["source_key"].nunique() == 377
    assert rows["reject_reason"].value_counts().to_dict() == {"joined_with_earlier_row": 268}
    used = rows[rows["reject_reason"].isna()]
    assert used[["name", "address", "city", "zip", "phone", "hours_text"]].notna().all().all()
    assert not rows["hours_text"].str.contains("@|Bruce|Hoskin|Arroyo", na=False).any()
    bible = used.set_index("source_key").loc["503301", "hours_text"]
    assert bible.startswith("Monday 9:00 AM - 12:00 PM; Tuesday 9:00 AM - 12:00 PM; Friday")
