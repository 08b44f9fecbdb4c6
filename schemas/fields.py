"""The dictionary of fields, read from fields.yaml: one entry per quantity, for every table that has
it."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from schemas.attributes import ATTRIBUTES, LANGUAGES
from schemas.table import Field
from schemas.vocab.food_access import TIER_IDS
from schemas.vocab.resource_types import TYPE_IDS
from schemas.vocab.reviews import RULE_IDS
from schemas.vocab.states import STATE_CODES
from schemas.vocab.statuses import (
    BASES,
    DATE_KINDS,
    LOCATION_METHODS,
    LOCATION_PRECISIONS,
    PHONE_TYPES,
    PROBE_RESULTS,
    USES,
    VERIFICATION_STATUSES,
    ZIP_KINDS,
)
from schemas.vocab.veterans import FACILITY_TYPES, VETERAN_TYPES

_FILE = Path(__file__).with_name("fields.yaml")
_VOCABULARIES: dict[str, tuple[str, ...]] = {
    "change_rules": RULE_IDS,
    "coverage_tiers": TIER_IDS,
    "date_kinds": DATE_KINDS,
    "facility_types": FACILITY_TYPES,
    "location_methods": LOCATION_METHODS,
    "location_precisions": LOCATION_PRECISIONS,
    "nation_and_states": ("US", *STATE_CODES),
    "phone_types": PHONE_TYPES,
    "probe_results": PROBE_RESULTS,
    "resource_types": TYPE_IDS,
    "rights_bases": BASES,
    "rights_uses": USES,
    "states": STATE_CODES,
    "verification_statuses": VERIFICATION_STATUSES,
    "veteran_types": VETERAN_TYPES,
    "zip_kinds": ZIP_KINDS,
}


def read_fields(file: Path) -> Iterator[Field]:
    """Read the declarations of fields in a YAML file, in their order."""
    content = file.read_bytes()
    entries = msgspec.yaml.decode(content, type=dict[str, dict[str, Any]])
    names = re.findall(rb"^(\w+):", content, re.MULTILINE)
    assert len(names) == len(entries), "a field is declared twice"
    for name, entry in entries.items():
        if "vocabulary" in entry:
            entry["values"] = _VOCABULARIES[entry.pop("vocabulary")]
        entry["values"] = tuple(entry.get("values", ()))
        yield Field(name, **entry)


FIELDS: dict[str, Field] = {
    entry.name: entry
    for entry in (
        *read_fields(_FILE),
        LANGUAGES.field,
        *(attribute.field for attribute in ATTRIBUTES),
    )
}


def fields(names: str) -> tuple[Field, ...]:
    """Return the fields of a blank-separated list of names, in that order.

    Raises KeyError for a name that the dictionary lacks.
    """
    return tuple(FIELDS[name] for name in names.split())
