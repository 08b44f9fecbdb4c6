"""NCES schools: a web page named .xls and its CSV give the same rows."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from assets.sources.contract import UnreadableFileError
from assets.sources.nces_schools import ELIGIBILITY
from tests.support.source_files import fixture_rows, plain, rows_of, shared_rows

PAGE = "egret_schools.test.html"
SAME_AS_CSV = "geocoded_egret_schools.test.csv"
CSV = "geocoded_poppy_schools.test.csv"
# What differs between the two forms of one state by nature.
_FORM = ["file_name", "lat", "lng", "location_precision"]


@pytest.mark.parametrize(
    ("file", "row", "reason"),
    [
        pytest.param(PAGE, 1, None, id="open"),
        pytest.param(PAGE, 2, "not_open", id="future"),
        pytest.param(PAGE, 3, "mailing_address_outside_state", id="operator's office elsewhere"),
        pytest.param(CSV, 1, None, id="new"),
        pytest.param(CSV, 2, "not_open", id="closed"),
        pytest.param(CSV, 3, "unknown_status", id="a status never seen"),
        pytest.param(CSV, 4, None, id="an id that lost its zero, as its state proves"),
        pytest.param(CSV, 5, None, id="prefix of no state"),
    ],
)
def test_rejects(file: str, row: int, reason: str | None) -> None:
    rows = fixture_rows("nces_schools", file).set_index("source_row")
    assert plain(rows.loc[row, "reject_reason"]) == reason


@pytest.mark.parametrize(
    ("file", "row", "field", "expected"),
    [
        pytest.param(PAGE, 1, "source_key", "129999000001", id="id is text"),
        pytest.param(PAGE, 1, "name", "HERON  ELEMENTARY", id="blanks are the cleaning's work"),
        pytest.param(PAGE, 1, "organization", "EGRET", id="district"),
        pytest.param(PAGE, 2, "name", "IBIS “NEW” SCHOOL", id="entities"),
        pytest.param(PAGE, 2, "county_name", None, id="dagger"),
        pytest.param(PAGE, 1, "lat", None, id="the page has no points"),
        pytest.param(CSV, 1, "eligibility_text", ELIGIBILITY, id="students only"),
        pytest.param(CSV, 1, "resource_type", "school_meal", id="type"),
        pytest.param(CSV, 1, "location_precision", "zip", id="point of a post-office box"),
        pytest.param(CSV, 5, "location_precision", None, id="point of a street address"),
        pytest.param(CSV, 3, "phone", None, id="en dash"),
        pytest.param(CSV, 1, "phone", "(555)555-0111", id="phone as written"),
        pytest.param(CSV, 1, "lng", -116.9, id="longitude"),
        pytest.param(CSV, 2, "lat", None, id="not geocoded"),
    ],
)
def test_a_field(file: str, row: int, field: str, expected: object) -> None:
    rows = fixture_rows("nces_schools", file).set_index("source_row")
    assert plain(rows.loc[row, field]) == expected


def test_page_and_csv_agree() -> None:
    page, csv = fixture_rows("nces_schools", PAGE), fixture_rows("nces_schools", SAME_AS_CSV)
    pd.testing.assert_frame_equal(page.drop(columns=_FORM), csv.drop(columns=_FORM))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        pytest.param("<B>3</B>", "<B>4</B>", "says 4 records and has 3", id="another number"),
        pytest.param("The file contains", "Here are", "does not say how many", id="no number"),
        pytest.param("<b>Status</b>", "<b>State of it</b>", "no table has", id="a renamed column"),
        pytest.param("</TABLE></BODY></HTML>", "", None, id="no end is no loss"),
    ],
)
def test_a_damaged_page(tmp_path: Path, old: str, new: str, message: str | None) -> None:
    whole = (Path(__file__).parent / "fixtures" / "nces_schools" / PAGE).read_text("ascii")
    assert old in whole
    (tmp_path / PAGE).write_text(whole.replace(old, new), "ascii")
    if message is None:
        assert len(rows_of("nces_schools", tmp_path / PAGE)) == 3
    else:
        with pytest.raises(UnreadableFileError, match=message):
            rows_of("nces_schools", tmp_path / PAGE)


@pytest.mark.shared
@pytest.mark.parametrize(
    ("file", "count", "rejects", "boxes"),
    [
        (
            "florida_schools.2025-01.html",
            4_248,
            {"not_open": 19, "mailing_address_outside_state": 2},
            0,
        ),
        (
            "geocoded_florida_schools.2025-01.csv",
            4_248,
            {"not_open": 19, "mailing_address_outside_state": 2},
            43,
        ),
        ("geocoded_california_public_schools.2025-01.csv", 10_349, {"not_open": 23}, 706),
        ("geocoded_washington_schools.2025-01.csv", 2_553, {}, 322),
    ],
)
def test_real_files(file: str, count: int, rejects: dict[str, int], boxes: int) -> None:
    rows = shared_rows("nces_schools", "nces_public_schools", file)
    assert list(rows["source_row"]) == list(range(1, count + 1))
    assert rows["source_key"].is_unique
    assert rows["reject_reason"].value_counts().to_dict() == rejects
    assert (rows["location_precision"] == "zip").sum() == boxes
    assert rows[["name", "address", "city", "state", "zip", "phone"]].notna().all().all()


@pytest.mark.shared
def test_real_page_and_csv_agree() -> None:
    folder = "nces_public_schools"
    page = shared_rows("nces_schools", folder, "florida_schools.2025-01.html")
    csv = shared_rows("nces_schools", folder, "geocoded_florida_schools.2025-01.csv")
    pd.testing.assert_frame_equal(page.drop(columns=_FORM), csv.drop(columns=_FORM))
