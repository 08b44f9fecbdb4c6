"""Wordings of a general directory and their services; names are invented."""

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
from assets.sources.free_text import tags_of


def _one(text: str | None) -> pd.Series:
    return pd.Series([text], dtype="str")


def _plain(column: pd.Series) -> object:
    value = column.iloc[0]
    return None if pd.isna(value) else value


@pytest.mark.parametrize(
    ("terms", "expected"),
    [
        ("Legal Counseling; Food Pantries", "food_pantry"),
        ("Soup Kitchens; Food Pantries", "food_pantry"),
        ("Congregate Meals/Nutrition Sites; Home Delivered Meals", "soup_kitchen"),
        ("Home Delivered Meals", None),
        ("WIC; Pediatrics", "wic_office"),
        ("WIC Vendors", None),
        ("Emergency Food", None),
        ("Emergency Food Clearinghouses", None),
        ("Diapers", "diaper_bank"),
        ("Food Stamps/SNAP", None),
        ("Food Pantries; Helpline", None),
        ("Food Pantries; Administrative Office", None),
        ("Summer Food Service Programs", None),
        ("Nutrition Education", None),
        (None, None),
    ],
)
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


@pytest.mark.parametrize(
    ("text", "expected", "section"),
    [
        ("1) FOOD PANTRY: Open Mon.\n2) ESOL: Classes.", "food_pantry", "FOOD PANTRY: Open Mon."),
        (
            "OVERVIEW: Operates a food pantry.\nVOLUNTEERS: Needed.",
            "food_pantry",
            "Operates a food pantry.",
        ),
        (
            "BUS: #8\n2) EMERGENCY GROCERIES: 3-day supply.",
            "food_pantry",
            "EMERGENCY GROCERIES: 3-day supply.",
        ),
        ("SOUP KITCHEN: Hot meal.\nHome visits: No", "soup_kitchen", "SOUP KITCHEN: Hot meal."),
        ("2) CONGREGATE MEALS: For seniors.", "soup_kitchen", "CONGREGATE MEALS: For seniors."),
        ("9) WIC: Provides vouchers.", "wic_office", "WIC: Provides vouchers."),
        ("9) WIC: See separate listing.", None, None),
        ("1) FOOD REFERRALS: Provides referrals and emergency food.", None, None),
        ("Provides information and referral such as emergency food.", None, None),
        ("1) DISASTER RELIEF: Provides emergency food.", None, None),
        ("DONATIONS: In need of food for the pantry.", None, None),
        ("Meals and snacks are served to the children.", None, None),
        ("Provides assistance with food.", None, None),
        (None, None, None),
    ],
)
def test_types_by_text(text: str | None, expected: str | None, section: str | None) -> None:
    assert _plain(type_by_text(_one(text))) == expected
    assert _plain(food_sections(_one(text))) == section


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Contact Ann Example for more.", "Call for more."),
        ("Call Rev. Ann B. Example, 410-555-0100.", "Call, 410-555-0100."),
        ("Ask for Mr. Example", "Ask for Mr. Example"),
        ("Call Monday Through Friday 9-5.", "Call Monday Through Friday 9-5."),
        ("Call First Call for Help.", "Call First Call for Help."),
        ("Contact Heron Center to apply.", "Contact Heron Center to apply."),
        ("Call for information.", "Call for information."),
    ],
)
def test_names_of_staff_are_left_out(text: str, expected: str) -> None:
    assert _plain(without_contacts(_one(text))) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("English, Spanish", ["en", "es"]),
        ("English & Hindi", ["en", "hi"]),
        ("ASL and Spanish.", ["ase", "es"]),
        ("English only", ["en"]),
        ("Spanish (limited)", []),
        ("May make arrangements for interpreter.", []),
        ("English; English", ["en"]),
    ],
)
def test_languages(text: str, expected: list[str]) -> None:
    assert tags_of(text) == expected


def test_delivery() -> None:
    assert only_delivers(_one("Home Delivered Meals")).item()
    assert not only_delivers(_one("Home Delivered Meals; Food Pantries")).item()
    assert not only_delivers(_one(None)).item()
