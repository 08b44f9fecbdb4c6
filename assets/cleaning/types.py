"""Rejects rows whose name contradicts their type, with the reason: a shop is no pantry.

The patterns are few and certain: doubtful rows stay. The type is never corrected here, since the
name does not determine the right one.
"""

import re
from dataclasses import dataclass
from functools import partial

import pandas as pd

from assets.cleaning.frames import map_unique, reject
from schemas.sources.registry import Source

_GIVES_FOOD = ("food_pantry", "food_bank", "soup_kitchen", "community_fridge")

_VEHICLE_MAKES = "ford|chevrolet|chevy|dodge|gmc|freightliner|winnebago|mercedes|nissan|toyota|ram"
_VEHICLE_MODELS = (
    r"transit|econoline|e-?\d{3}|f-?\d{3}|express|savana|sprinter|promaster|caravan|silverado"
    r"|sienna"
)
_CARE_WORDS = (
    r"clinic|cl[ií]nica|health|salud|medical|dental|care|center|centre|mobile|outreach|unit"
)
_FOOD_WORDS = (
    r"pantry|pantries|food|kitchen|closet|cupboard|fridge|market|despensa|comedor|alimentos|meal"
    r"|church"
    r"|ministr\w+|share|backpack|distribution|resource"
)
_SHOPS = (
    r"7-eleven|dollar general|dollar tree|family dollar|walmart|wal-mart|circle k|cvs|walgreens"
    r"|rite aid"
    r"|speedway|sheetz|wawa|quiktrip|target|costco|aldi|kroger|safeway|publix"
)


@dataclass(frozen=True)
class TypeRule:
    """A name that matches `pattern` and not `unless` cannot be one of `types`.

    `is_overruled_by_detail`: does not apply if the row says when or what is given out, since food
    banks run pantries at schools.
    """

    id: str
    types: tuple[str, ...]
    pattern: re.Pattern[str]
    unless: re.Pattern[str] | None = None
    is_overruled_by_detail: bool = False


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


TYPE_RULES: tuple[TypeRule, ...] = (
    TypeRule(
        "vehicle_as_clinic",
        ("health_center", "rural_health_clinic", "mental_health_facility"),
        _pattern(
            rf"(?:(?:19|20)\d\d\s+(?:{_VEHICLE_MAKES})\b.*"
            rf"|(?:{_VEHICLE_MAKES})\s+(?:{_VEHICLE_MODELS})\b.*)"
        ),
        _pattern(rf"\b(?:{_CARE_WORDS})\b"),
    ),
    TypeRule(
        "school_as_pantry",
        ("food_pantry", "food_bank", "soup_kitchen"),
        _pattern(
            r"(?:(?!\s[-–:]\s).)*\b(?:elementary|primary|middle|junior high|high|intermediate"
            r"|charter) school"
            r"(?:\s+district)?s?\s*(?:\(.*\))?"
        ),
        _pattern(rf"\b(?:{_FOOD_WORDS})\b"),
        is_overruled_by_detail=True,
    ),
    TypeRule(
        "shop_as_free_food",
        _GIVES_FOOD,
        _pattern(
            rf"(?:{_SHOPS})(?:\s+(?:super\s?center|neighborhood market|store"
            r"|pharmacy))?(?:\s*#?\s*\d+\w?)?"
        ),
    ),
)


def contradicts_type(name: str, resource_type: str, has_detail: bool = False) -> str | None:
    """Return the rule that excludes this type for a place with this name, or None."""
    for rule in TYPE_RULES:
        if (
            resource_type in rule.types
            and not (rule.is_overruled_by_detail and has_detail)
            and rule.pattern.fullmatch(name)
            and not (rule.unless and rule.unless.search(name))
        ):
            return rule.id
    return None


_RULED_TYPES = sorted({name for rule in TYPE_RULES for name in rule.types})


def check_types(places: pd.DataFrame, source: Source) -> pd.DataFrame:
    """Reject rows that a type rule contradicts (`type_contradiction`); the detail names it."""
    result = places
    has_detail = places["hours_text"].notna() | places["services_text"].notna()
    for resource_type in _RULED_TYPES:
        of_type = places["resource_type"] == resource_type
        for described in (True, False):
            where = of_type & (has_detail == described)
            if where.any():
                result = _check(result, where, resource_type, described)
    return result


def _check(
    places: pd.DataFrame, where: pd.Series, resource_type: str, has_detail: bool
) -> pd.DataFrame:
    rule_of = partial(contradicts_type, resource_type=resource_type, has_detail=has_detail)
    rules = map_unique(places["name"].where(where), rule_of)
    detail = rules + ": " + places["name"]
    return reject(places, rules.notna(), "type_contradiction", detail)
