"""What lists of pantries write into names, remarks and websites."""

from datetime import date

import pandas as pd
import pytest

from assets.sources.free_text import (
    as_dates,
    says_when,
    type_by_name,
    website_without_email,
    without_emails,
)
from tests.support.cases import labelled


def _one(text: str | None) -> pd.Series:
    return pd.Series([text], dtype="str")


@labelled("name, expected")
def test_type_by_name(name: str | None, expected: str | None) -> None:
    type_id = type_by_name(_one(name))[0]
    assert (None if pd.isna(type_id) else type_id) == expected


@labelled("text, expected")
def test_texts_with_a_time(text: str | None, expected: bool) -> None:
    assert says_when(_one(text))[0] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Write to Jane.Doe+food@mail.example.org or call", "Write to or call"),
        ("Closed. E-mail: a@example.org", "Closed."),
        ("Christ's church @ Larkspur", "Christ's church @ Larkspur"),
    ],
)
def test_without_emails(text: str, expected: str) -> None:
    assert without_emails(_one(text))[0] == expected


@labelled("website, is_kept")
def test_website_without_email(website: str, is_kept: bool) -> None:
    assert website_without_email(_one(website)).notna()[0] == is_kept


@pytest.mark.parametrize(
    ("text", "expected"), [("7/13/2023", date(2023, 7, 13)), ("13/7/2023", None), (None, None)]
)
def test_as_dates(text: str | None, expected: date | None) -> None:
    assert as_dates(_one(text), "%m/%d/%Y")[0] == expected
