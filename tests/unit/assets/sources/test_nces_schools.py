"""NCES schools: a web page named .xls and its CSV give the same rows."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from assets.sources.contract import UnreadableFileError
from assets.sources.nces_schools import ELIGIBILITY
from tests.support.cases import cases
from tests.support.source_files import fixture_rows, fixture_value, plain, rows_of, shared_rows

PAGE = "egret_schools.test.html"
SAME_AS_CSV = "geocoded_egret_schools.test.csv"
CSV = "geocoded_poppy_schools.test.csv"
# What differs between the two forms of one state by nature.
_FORM = ["file_name", "lat", "lng", "location_precision"]


@cases(
    "file, row, reason",
    {
        "open": (PAGE, 1, None),
        "future": (PAGE, 2, "not_open"),
        "operator's office elsewhere": (PAGE, 3, "mailing_address_outside_state"),
        "new": (CSV, 1, None),
        "closed": (CSV, 2, "not_open"),
        "a status never seen": (CSV, 3, "unknown_status"),
        "an id that lost its zero, as its state proves": (CSV, 4, None),
        "prefix of no state": (CSV, 5, None),
    },
)
def test_rejects(file: str, row: int, reason: str | None) -> None:
    rows = fixture_rows("nces_schools", file).set_index("source_row")
    assert plain(rows.loc[row, "reject_reason"]) == reason


@cases(
    "file, row, field, expected",
    {
        "id is text": (PAGE, 1, "source_key", "129999000001"),
        "blanks are the cleaning's work": (PAGE, 1, "name", "HERON  ELEMENTARY"),
        "district": (PAGE, 1, "organization", "EGRET"),
        "entities": (PAGE, 2, "name", "IBIS “NEW” SCHOOL"),
        "dagger": (PAGE, 2, "county_name", None),
        "the page has no points": (PAGE, 1, "lat", None),
        "students only": (CSV, 1, "eligibility_text", ELIGIBILITY),
        "type": (CSV, 1, "resource_type", "school_meal"),
        "point of a post-office box": (CSV, 1, "location_precision", "zip"),
        "point of a street address": (CSV, 5, "location_precision", None),
        "en dash": (CSV, 3, "phone", None),
        "phone as written": (CSV, 1, "phone", "(555)555-0111"),
        "longitude": (CSV, 1, "lng", -116.9),
        "not geocoded": (CSV, 2, "lat", None),
    },
)
def test_a_field(file: str, row: int, field: str, expected: object) -> None:
    assert fixture_value("nces_schools", file, row, field) == expected


def test_page_and_csv_agree() -> None:
    page, csv = fixture_rows("nces_schools", PAGE), fixture_rows("nces_schools", SAME_AS_CSV)
    pd.testing.assert_frame_equal(page.drop(columns=_FORM), csv.drop(columns=_FORM))


@cases(
    "old, new, message",
    {
        "another number": ("<B>3</B>", "<B>4</B>", "says 4 records and has 3"),
        "no number": ("The file contains", "Here are", "does not say how many"),
        "a renamed column": ("<b>Status</b>", "<b>State of it</b>", "no table has"),
        "no end is no loss": ("</TABLE></BODY></HTML>", "", None),
    },
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
