"""Head Start locations in both layouts: closed ones stay out, two programs of one house are one
place.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from assets.sources.contract import UnreadableFileError
from schemas.sources.registry import sources
from tests.support.source_files import FIXTURES, fixture_rows, fixture_value, rows_of

SOURCE = "acf_head_start"
CSV = "HS_Service_Locations.test.csv"
PAGES = "ACF_Head_Start_Locations.test.json"


@pytest.mark.parametrize(
    ("file", "row", "field", "expected"),
    [
        pytest.param(CSV, 1, "name", "Heron Early Learning Center", id="name"),
        pytest.param(CSV, 1, "organization", "heron community action", id="no underscores"),
        pytest.param(CSV, 1, "address", "12 Heron Road, Room 4", id="two address lines"),
        pytest.param(CSV, 1, "zip", "04599", id="leading zero"),
        pytest.param(CSV, 1, "lng", -82.92, id="point"),
        pytest.param(CSV, 1, "services_text", "Head Start; Early Head Start", id="both programs"),
        pytest.param(CSV, 1, "resource_type", "head_start", id="type"),
        pytest.param(CSV, 3, "services_text", None, id="a code nobody explains"),
        pytest.param(CSV, 3, "phone", "614-555-0112", id="registration phone"),
        pytest.param(CSV, 3, "reject_reason", None, id="status not reported"),
        pytest.param(CSV, 3, "lat", None, id="no point"),
        pytest.param(CSV, 4, "reject_reason", "closed_by_source", id="closed"),
        pytest.param(PAGES, 1, "organization", "Heron Community Action, Inc.", id="layer's name"),
        pytest.param(PAGES, 1, "lat", 40.1, id="layer's point"),
        pytest.param(PAGES, 1, "address", "1 Heron Square", id="layer's address"),
    ],
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
