"""Finds the type of rows in a list of mixed kinds by what describes them."""

from pathlib import Path

import msgspec
import pandas as pd

from assets.cleaning.program_dates import Program
from assets.sources.free_text import by_rules, contains, type_by_name

NO_FOOD = "not_food_assistance"
# Summer meals are served from May through September: 42 U.S.C. 1761(c)(1).
_SUMMER_MONTHS = range(5, 10)


class _Rule(msgspec.Struct, forbid_unknown_fields=True):
    type: str
    says: str


class _Evidence(msgspec.Struct, forbid_unknown_fields=True):
    says_nothing: str
    described: list[_Rule]
    named: list[str]


_EVIDENCE = msgspec.yaml.decode(
    Path(__file__).with_name("type_evidence.yaml").read_bytes(), type=_Evidence
)
_DESCRIBED = tuple((rule.says, rule.type) for rule in _EVIDENCE.described)
_NAMED = "|".join(_EVIDENCE.named)


def type_by_evidence(names: pd.Series, descriptions: pd.Series, programs: pd.Series) -> pd.Series:
    """Return the type that name, description and dates show, `NO_FOOD` where they show that no food
    is given; missing without evidence.

    `programs`: first and last day of each row's program, missing for most.
    """
    is_silent = contains(descriptions, _EVIDENCE.says_nothing)
    is_silent |= descriptions.str.casefold() == names.str.casefold()
    described = by_rules(descriptions.mask(is_silent), _DESCRIBED)
    # A "period pantry" has a pantry's name.
    named = type_by_name(names).mask(contains(descriptions, _DESCRIBED[0][0]))
    is_summer = pd.Series([isinstance(p, Program) and _is_summer(p) for p in programs], names.index)
    kind = named.fillna(described.mask(is_summer, "summer_meal"))
    return kind.mask(kind.isna() & contains(names, _NAMED), "food_pantry")


def _is_summer(program: Program) -> bool:
    """Check for a program within the summer of one year."""
    begins, ends = program
    return begins.year == ends.year and {begins.month, ends.month} <= set(_SUMMER_MONTHS)
