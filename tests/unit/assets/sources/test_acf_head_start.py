"""Head Start locations in both layouts: closed ones stay out, two programs of one house are one
place.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from assets.sources.contract import UnreadableFileError
from schemas.sources.registry import sources
from tests.support.cases import cases
from tests.support.source_files import FIXTURES, fixture_rows, fixture_value, rows_of

SOURCE = "acf_head_start"
CSV = "HS_Service_Locations.test.csv"
PAGES = "ACF_Head_Start_Locations.test.json"


@cases(
    "file, row, field, expected",
    {
        "name": (CSV, 1, "name", "Heron Early Learning Center"),
        "no underscores": (CSV, 1, "organization", "heron community action"),
        "two address lines": (CSV, 1, "address", "12 Heron Road, Room 4"),
        "leading zero": (CSV, 1, "zip", "04599"),
        "point": (CSV, 1, "lng", -82.92),
        "both programs": (CSV, 1, "services_text", "Head Start; Early Head Start"),
        "type": (CSV, 1, "resource_type", "head_start"),
        "a code nobody explains": (CSV, 3, "services_text", None),
        "registration phone": (CSV, 3, "phone", "614-555-0112"),
        "status not reported": (CSV, 3, "reject_reason", None),
        "no point": (CSV, 3, "lat", None),
        "closed": (CSV, 4, "reject_reason", "closed_by_source"),
        "layer's name": (PAGES, 1, "organization", "Heron Community Action, Inc."),
        "layer's point": (PAGES, 1, "lat", 40.1),
        "layer's address": (PAGES, 1, "address", "1 Heron Square"),
    },
)
def test_fixture(file: str, row: int, field: str, expected: object) -> None:
    assert fixture_value(SOURCE, file, row, field) == expected


def test_two_programs_of_one_house_share_a_key() -> None:
    keys = fixture_rows(SOURCE, CSV)["source_key"]
    assert keys[0] == keys[1]
    assert keys.nunique() == len(keys) - 1


def test_a_missing_column_is_named(tmp_path: Path) -> None:
    text = (FIXTURES / SOURCE / CSV).read_text("utf-8")
    (tmp_path / CSV).write_text(text.replace("service_location_name", "name"), "utf-8")
    with pytest.raises(UnreadableFileError, match="service_location_name"):
        rows_of(SOURCE, tmp_path / CSV)


def test_the_live_feed_has_a_layout() -> None:
    source = sources()[SOURCE]
    layout = source.layout_of(source.live[0].file_name)
    assert layout is not None
    assert layout.layout == "layer_json"
