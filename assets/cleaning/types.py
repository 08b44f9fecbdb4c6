"""Rejects rows whose name contradicts their type, with the reason: a shop is not a pantry.

The rules of types.yaml are few and certain, and doubtful rows stay. The type is not corrected,
since the name does not determine it.
"""

import re
from functools import partial
from pathlib import Path

import msgspec
import pandas as pd

from assets.cleaning.text import map_unique, reject
from schemas.sources.registry import Source
from schemas.vocab.resource_types import TYPE_IDS

_PART = re.compile("<([A-Z_]+)>")


class _Entry(msgspec.Struct, forbid_unknown_fields=True):
    id: str
    types: list[str]
    is_: list[str] = msgspec.field(name="is")
    unless: str = ""
    is_overruled_by_detail: bool = False


class _Rules(msgspec.Struct, forbid_unknown_fields=True):
    parts: dict[str, str]
    rules: list[_Entry]


class TypeRule(msgspec.Struct, frozen=True):
    """A place cannot be of one of `types` if its whole name matches `pattern` and no part of it
    matches `unless`.

    With `is_overruled_by_detail` the rule does not apply to a row with hours or services.
    """

    id: str
    types: tuple[str, ...]
    pattern: re.Pattern[str]
    unless: re.Pattern[str] | None
    is_overruled_by_detail: bool


def _read_rules() -> tuple[TypeRule, ...]:
    content = Path(__file__).with_name("types.yaml").read_bytes()
    declared = msgspec.yaml.decode(content, type=_Rules)

    def compiled(pattern: str) -> re.Pattern[str]:
        text = _PART.sub(lambda part: declared.parts[part[1]], pattern)
        return re.compile(text, re.IGNORECASE)

    return tuple(
        TypeRule(
            rule.id,
            tuple(rule.types) or TYPE_IDS,
            compiled("|".join(f"(?:{pattern})" for pattern in rule.is_)),
            compiled(rule.unless) if rule.unless else None,
            rule.is_overruled_by_detail,
        )
        for rule in declared.rules
    )


TYPE_RULES = _read_rules()


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


def check_types(places: pd.DataFrame, source: Source) -> pd.DataFrame:
    """Reject rows that a type rule contradicts (`type_contradiction`); the detail names it."""
    rules = pd.Series(None, places.index, dtype="str")
    has_detail = places["hours_text"].notna() | places["services_text"].notna()
    for (type_id, is_described), names in places["name"].groupby(
        [places["resource_type"], has_detail]
    ):
        rule_of = partial(contradicts_type, resource_type=str(type_id), has_detail=is_described)
        rules[names.index] = map_unique(names, rule_of)
    return reject(places, rules.notna(), "type_contradiction", rules + ": " + places["name"])
