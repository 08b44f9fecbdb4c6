"""The whole chain of cleaning: properties of every row."""

from typing import Any

import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from assets.cleaning.steps import clean
from schemas.values.zip_code import parse_zip
from tests.support.cases import labelled
from tests.support.examples import examples
from tests.unit.assets.cleaning.places import example_source, places, values

SOURCE = example_source()

# Pieces that the rules react to, glued at random, and text that none of them expects.
_PIECES = st.lists(
    st.sampled_from(
        ["PO BOX", "P.O. Box 12", "OAK ST", ", SALEM", "MA", " 01970", "1970", "12", "5TH", "Mc", "O'", "&amp;",
         "&amp;amp;", "lt;", "<br>", "</b>", "<", "Ã±", "â€™", "\x92", "\n", "  ", "n/a", "-", "†", "a@b.org",
         "e-mail:", "@", "(", ")", "978-555-0142", " x7", "/", "617 555 0143", "http://", "www.", "x.org",
         "?utm_source=a", "LLC", ", Inc", "NA", "de la", "confidential", "call for location", "USA", "ñ", "II"]
    ),
    max_size=6,
).map("".join)  # fmt: skip
_TEXT = st.none() | _PIECES | st.text(max_size=12)
_ROW = st.fixed_dictionaries(
    {
        "name": _TEXT,
        "organization": _TEXT,
        "address": _TEXT,
        "city": _TEXT,
        "state": st.sampled_from(["MA", "ma", "06", "PR", "Texas", "AE", "FM", "x", None]) | _TEXT,
        "zip": st.from_regex(r"[0-9]{3,5}(-[0-9]{4})?", fullmatch=True) | _TEXT,
        "county_name": _TEXT,
        "phone": _TEXT,
        "website": _TEXT,
        "hours_text": _TEXT,
        "notes": _TEXT,
        "lat": st.none() | st.floats(-90, 90) | st.just(float("inf")),
        "lng": st.none() | st.floats(-180, 180),
    }
)


@pytest.mark.slow
@examples(40)
@given(st.lists(_ROW, min_size=1, max_size=8))
@example([{"county_name": "â€a"}])  # in title case the noise would read as bytes of a sign
@example([{"address": "OAK ST’PO BOX"}])
@example([{"address": "confidentialâ€™"}])  # the noise hides where the word ends
def test_cleaning_loses_no_row_is_pure_and_idempotent(
    rows: list[dict[str, Any]],
) -> None:
    before = places(*rows)
    cleaned_rows = clean(before, SOURCE)
    assert list(cleaned_rows["source_key"]) == list(before["source_key"])
    assert list(cleaned_rows.columns) == list(before.columns)
    assert (cleaned_rows.dtypes == before.dtypes).all()
    pd.testing.assert_frame_equal(before, places(*rows))
    pd.testing.assert_frame_equal(clean(cleaned_rows, SOURCE), cleaned_rows)


@pytest.mark.slow
@examples(30)
@given(st.from_regex(r"[0-9]{5}", fullmatch=True), st.sampled_from(["MA", "PR", "CA", None]))
def test_a_zip_never_becomes_another(zip_code: str, state: str | None) -> None:
    rows = clean(places({"zip": zip_code, "state": state}), SOURCE)
    assert values(rows, "zip") == (parse_zip(zip_code),)


@pytest.mark.slow
@examples(30)
@given(_PIECES, _PIECES)
def test_no_email_survives(notes: str, name: str) -> None:
    rows = clean(places({"notes": notes, "name": name}), SOURCE)
    assert (
        not rows[["notes", "name"]]
        .astype(str)
        .apply(lambda c: c.str.contains("a@b.org"))
        .any()
        .any()
    )


def test_an_empty_frame_comes_back() -> None:
    empty = places({}).iloc[:0]
    assert clean(empty, SOURCE).empty


@labelled("row, expected")
def test_rows_through_all_steps(row: dict[str, Any], expected: dict[str, Any]) -> None:
    rows = clean(places(row), SOURCE)
    assert values(rows, *expected) == tuple(expected.values())
