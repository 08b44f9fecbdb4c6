"""The eleven categories of food assistance, the types of places in each, and the types that are
free.
"""

from __future__ import annotations

from dataclasses import dataclass

TAXONOMY_CODE = "open-larder-food-assistance"
TAXONOMY_NAME = "Open Larder food assistance categories"
TAXONOMY_DESCRIPTION = "Where people get food or help to get it, by what they find there."
TAXONOMY_VERSION = "1.1.0"


# A service that comes to people's homes: not a type of place.
HOME_DELIVERY = "home_delivery"
HOME_DELIVERY_LABEL = "Home delivery"
HOME_DELIVERY_MEANING = "Brings food to people's homes; there is no place to go to."


@dataclass(frozen=True)
class Term:
    """One category; every type of the catalog is in exactly one."""

    code: str
    name: str
    name_es: str
    description: str
    types: tuple[str, ...]


TERMS: tuple[Term, ...] = (
    Term(
        "food-pantry",
        "Food pantries",
        "Despensas de alimentos",
        "Groceries to take home, free of charge.",
        ("food_pantry",),
    ),
    Term(
        "food-bank",
        "Food banks",
        "Bancos de alimentos",
        "Warehouses that supply pantries; some also serve the public.",
        ("food_bank",),
    ),
    Term(
        "prepared-meals",
        "Prepared meals",
        "Comidas preparadas",
        "Meals to eat on the spot or to take away, free of charge, and food that is brought home, for which some ask"
        " a fee.",
        ("soup_kitchen", HOME_DELIVERY),
    ),
    Term(
        "mobile-and-community",
        "Mobile pantries and community fridges",
        "Despensas móviles y refrigeradores comunitarios",
        "Food trucks, pop-up distributions and public refrigerators.",
        ("mobile_pantry", "community_fridge"),
    ),
    Term(
        "emergency",
        "Emergency food and supplies",
        "Alimentos y artículos de emergencia",
        "Food, diapers and other essentials for a sudden need.",
        ("emergency", "diaper_bank"),
    ),
    Term(
        "commodity",
        "USDA food packages",
        "Paquetes de alimentos del USDA",
        "Monthly boxes for older people and food distribution on reservations.",
        ("senior_commodity", "tribal_food"),
    ),
    Term(
        "snap-office",
        "SNAP offices",
        "Oficinas de SNAP",
        "Where households apply for SNAP (food stamps).",
        ("snap_office",),
    ),
    Term(
        "ebt-accepted",
        "Places that take EBT",
        "Lugares que aceptan EBT",
        "Stores and restaurants that sell food for SNAP benefits. Not free.",
        ("snap_retailer", "rmp_restaurant"),
    ),
    Term(
        "wic",
        "WIC offices",
        "Oficinas de WIC",
        "Food benefits and advice for pregnant women, infants and young children.",
        ("wic_office",),
    ),
    Term(
        "child-meals",
        "Meals for children",
        "Comidas para niños",
        "Meals at schools, summer sites and early education centers.",
        ("school_meal", "summer_meal", "head_start"),
    ),
    Term(
        "health",
        "Health care that helps with food",
        "Atención médica que ayuda con alimentos",
        "Health providers, listed since many refer people to food and benefits.",
        (
            "health_center",
            "rural_health_clinic",
            "mental_health_facility",
            "ryan_white_provider",
            "opioid_treatment",
        ),
    ),
)

TERM_OF_TYPE: dict[str, str] = {kind: term.code for term in TERMS for kind in term.types}

# Free by what the type is: the catalog's definition, or the law of the program (summer meals 7 CFR
# 225, senior boxes 7 CFR 247, food distribution on reservations 7 CFR 253).
FREE_TYPES: tuple[str, ...] = (
    "food_pantry",
    "soup_kitchen",
    "community_fridge",
    "summer_meal",
    "senior_commodity",
    "tribal_food",
)

# Ages set by the law of the program: (youngest, oldest).
AGES_OF_TYPE: dict[str, tuple[int | None, int | None]] = {
    "summer_meal": (None, 18),
    "senior_commodity": (60, None),
}
