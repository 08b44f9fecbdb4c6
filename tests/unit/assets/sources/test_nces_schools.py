"""NCES schools: a web page named .xls and its CSV give the same rows."""

from pathlib import Path

import pandas as pd
import pytest

from assets.sources.contract import UnreadableFileError
from tests.support.cases import cases
from tests.support.source_files import fixture_rows, rows_of, shared_rows

PAGE = "egret_schools.test.html"
SAME_AS_CSV = "geocoded_egret_schools.test.csv"
# What differs between the two forms of one state by nature.
_FORM = ["file_name", "lat", "lng", "location_precision"]


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
def test_real_page_and_csv_agree() -> None:
    folder = "nces_public_schools"
    page = shared_rows("nces_schools", folder, "florida_schools.2025-01.html")
    csv = shared_rows("nces_schools", folder, "geocoded_florida_schools.2025-01.csv")
    pd.testing.assert_frame_equal(page.drop(columns=_FORM), csv.drop(columns=_FORM))
