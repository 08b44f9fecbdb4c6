"""Rows whose name contradicts their type are set aside: a shop is no pantry."""

from functools import partial

import pandas as pd

from assets.cleaning.frames import map_unique, reject
from assets.cleaning.type_rules import TYPE_RULES, contradicts_type
from schemas.sources.registry import Source

_RULED_TYPES = sorted({name for rule in TYPE_RULES for name in rule.types})


def check_types(places: pd.DataFrame, source: Source) -> pd.DataFrame:
    """Reject rows that a type rule contradicts (`type_contradiction`); the detail names it."""
    checked = places
    has_detail = places["hours_text"].notna() | places["services_text"].notna()
    for resource_type in _RULED_TYPES:
        of_type = places["resource_type"] == resource_type
        for described in (True, False):
            where = of_type & (has_detail == described)
            if where.any():
                checked = _check(checked, where, resource_type, described)
    return checked


def _check(
    places: pd.DataFrame, where: pd.Series, resource_type: str, has_detail: bool
) -> pd.DataFrame:
    rule_of = partial(contradicts_type, resource_type=resource_type, has_detail=has_detail)
    rules = map_unique(places["name"].where(where), rule_of)
    detail = rules + ": " + places["name"]
    return reject(places, rules.notna(), "type_contradiction", detail)
