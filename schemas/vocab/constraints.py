"""Constraints that people put on a place: their kinds and values."""

from typing import Literal, get_args

from schemas.attributes import WISHES

Diet = Literal[
    "halal", "kosher", "vegetarian", "vegan", "gluten_free", "diabetic", "low_sodium", "baby"
]
Papers = Literal["no_id", "no_proof_of_address", "no_papers"]
AskedAudience = Literal["seniors", "veterans", "students", "children", "pregnant", "homeless"]
Transport = Literal["bus", "walk"]
AskedDay = Literal["MO", "TU", "WE", "TH", "FR", "SA", "SU", "today", "tomorrow"]
Appointment = Literal["walk_in"]
Item = Literal[
    "diapers", "formula", "pet_food", "hygiene", "hot_meal", "fresh_produce", "senior_box"
]
KINDS: tuple[str, ...] = (
    "diet",
    "papers",
    *WISHES,
    "audience",
    "language",
    "transport",
    "distance",
    "serves_zip",
    "day",
    "time",
    "appointment",
    "item",
)
Kind = Literal[KINDS]  # type: ignore[valid-type]
DAYS: tuple[str, ...] = get_args(AskedDay)[:7]
# Times of day: a part of the day, the present moment, or hours of the place's own clock.
PARTS_OF_DAY: dict[str, tuple[int, int]] = {
    "morning": (300, 720),
    "afternoon": (720, 1020),
    "evening": (1020, 1440),
}
OPEN_NOW = "open_now"
_HOUR = r"([01][0-9]|2[0-3]):[0-5][0-9]"
TIME_PATTERN = (
    rf"^({'|'.join(PARTS_OF_DAY)}|{OPEN_NOW}|before {_HOUR}|after {_HOUR}|{_HOUR}-{_HOUR})$"
)
# A greater distance is no wish: the search goes that far by itself.
MAX_ASKED_MILES = 500.0
# Food that a place is known to have by these codes of `schemas.vocab.attributes`. The other values
# nobody publishes.
FOOD_OF_DIET: dict[str, str] = {
    **{diet: diet for diet in ("halal", "kosher", "vegetarian", "vegan", "gluten_free")},
    "baby": "baby_food",
}
FOOD_OF_ITEM: dict[str, str] = {
    "diapers": "diapers",
    "formula": "baby_formula",
    "pet_food": "pet_food",
    "hot_meal": "hot_meals",
    "fresh_produce": "fresh_produce",
}
GROUP_OF_AUDIENCE: dict[str, str] = {
    **{group: group for group in ("seniors", "veterans", "students", "children")},
    "pregnant": "women",
    "homeless": "unhoused",
}
# Places that have a thing because of what they are: 7 CFR 246.10 (WIC food packages: formula and
# infant foods), 7 CFR 247.1 (commodities for people of 60 and over).
TYPES_WITH: dict[tuple[str, str], frozenset[str]] = {
    ("item", "diapers"): frozenset({"diaper_bank"}),
    ("item", "formula"): frozenset({"wic_office"}),
    ("item", "senior_box"): frozenset({"senior_commodity"}),
    ("item", "hot_meal"): frozenset({"soup_kitchen"}),
    ("diet", "baby"): frozenset({"wic_office"}),
}
