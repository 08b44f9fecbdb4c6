"""Open members of a food bank: KML without points, hours by weekday."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from assets.sources.contract import UnreadableFileError
from tests.support.cases import cases
from tests.support.source_files import FIXTURES, fixture_value, rows_of, shared_rows

SOURCE = "fbnyc_members_2020"
FILE = "Food_Bank_For_NYC_Open_Members_as_of_42820.kml"


@cases(
    "file, row, field, expected",
    {
        "name in CDATA": (FILE, 1, "name", "St. Pigeon's Church"),
        "a dash is closed": (
            FILE,
            1,
            "hours_text",
            "Monday closed; Tuesday closed; Wednesday closed; Thursday closed; Friday 8:00 AM - 10:00 AM; Saturday closed; Sunday closed",
        ),
        "extension": (FILE, 1, "phone", "718-555-0100 x7"),
        "no point": (FILE, 1, "lat", None),
        "ZIP": (FILE, 1, "zip", "10499"),
        "signs in CDATA": (FILE, 2, "name", "Sparrow & Sons <Kitchen>"),
        "a mobile kitchen moves": (FILE, 2, "resource_type", "mobile_pantry"),
        "a neighbourhood as state": (FILE, 2, "state", "NY"),
        "a cell too narrow": (
            FILE,
            2,
            "hours_text",
            "Monday 09:00 AM - 12:00 PM, 01:00 PM - 03:00 PM; Tuesday (hours not readable); Wednesday closed; Thursday closed; Friday closed; Saturday closed",
        ),
        "deliveries": (FILE, 3, "reject_reason", "home_delivery_only"),
        "senior service": (FILE, 4, "reject_reason", "not_in_catalog"),
        "soup kitchen": (FILE, 5, "resource_type", "soup_kitchen"),
        "closed all week says nothing": (FILE, 5, "hours_text", None),
    },
)
def test_a_field(file: str, row: int, field: str, expected: object) -> None:
    assert fixture_value(SOURCE, file, row, field) == expected


def test_a_cut_file(tmp_path: Path) -> None:
    whole = (FIXTURES / SOURCE / FILE).read_text("utf-8")
    (tmp_path / FILE).write_text(whole[: len(whole) // 2], "utf-8")
    with pytest.raises(UnreadableFileError, match=r"kml: "):
        rows_of(SOURCE, tmp_path / FILE)


def test_entities_are_not_resolved(tmp_path: Path) -> None:
    """A file that asks for another file, or for a flood of text, gets neither."""
    whole = (FIXTURES / SOURCE / FILE).read_text("utf-8")
    first = whole.index("<kml")
    trick = '<!DOCTYPE kml [<!ENTITY secret SYSTEM "file:///etc/hostname">]>'
    text = whole[:first] + trick + whole[first:].replace("718-555-0101", "&secret;")
    (tmp_path / FILE).write_text(text, "utf-8")
    assert pd.isna(rows_of(SOURCE, tmp_path / FILE).loc[1, "phone"])


@pytest.mark.shared
def test_real_file() -> None:
    rows = shared_rows(SOURCE, SOURCE, FILE)
    assert len(rows) == 434
    # Two programmes stand twice, with other hours.
    assert rows["source_key"].nunique() == 432
    assert rows["reject_reason"].value_counts().to_dict() == {
        "not_in_catalog": 4,
        "home_delivery_only": 2,
    }
    assert rows[["name", "address", "city", "zip"]].notna().all().all()
    assert rows["lat"].isna().all()
    assert rows["hours_text"].str.contains("not readable", na=False).sum() == 3
