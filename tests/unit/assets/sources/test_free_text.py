"""What publishers write into names, remarks, services and websites; all is invented."""

from datetime import date

import pandas as pd
import pytest

from assets.sources.food_services import (
    food_sections,
    only_delivers,
    type_by_loose_terms,
    type_by_terms,
    type_by_text,
    without_contacts,
)
from assets.sources.free_text import (
    as_dates,
    says_when,
    tags_of,
    type_by_name,
    website_without_email,
    without_emails,
)
from tests.support.cases import labelled


def _one(text: str | None) -> pd.Series:
    return pd.Series([text], dtype="str")


def _plain(column: pd.Series) -> object:
    value = column.iloc[0]
    return None if pd.isna(value) else value


@labelled("name, expected")
def test_type_by_name(name: str | None, expected: str | None) -> None:
    assert _plain(type_by_name(_one(name))) == expected


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


@labelled("terms, expected")
def test_types_by_terms(terms: str | None, expected: str | None) -> None:
    assert _plain(type_by_terms(_one(terms))) == expected


@pytest.mark.parametrize(
    ("terms", "expected"),
    [
        ("Rent Payment Assistance; Emergency Food", "emergency"),
        ("Occasional Emergency Food Assistance", "food_pantry"),
        ("Emergency Food Clearinghouses", None),
        ("Emergency Food; Helpline", None),
        ("Food Vouchers", None),
    ],
)
def test_types_by_terms_that_need_a_text(terms: str, expected: str | None) -> None:
    assert _plain(type_by_loose_terms(_one(terms))) == expected


@labelled("text, expected, section")
def test_types_by_text(text: str | None, expected: str | None, section: str | None) -> None:
    assert _plain(type_by_text(_one(text))) == expected
    assert _plain(food_sections(_one(text))) == section


@labelled("text, expected")
def test_names_of_staff_are_left_out(text: str, expected: str) -> None:
    assert _plain(without_contacts(_one(text))) == expected


@labelled("text, expected")
def test_languages(text: str, expected: list[str]) -> None:
    assert tags_of(text) == expected


def test_delivery() -> None:
    assert only_delivers(_one("Home Delivered Meals")).item()
    assert not only_delivers(_one("Home Delivered Meals; Food Pantries")).item()
    assert not only_delivers(_one(None)).item()
