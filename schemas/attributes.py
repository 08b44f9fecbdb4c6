"""Attributes of places, which readers find in texts; each is declared once in attributes.yaml.

From a declaration follow the field and its place in tables and records, the bit in the service's
memory, the query parameter with its entry in OpenAPI, the argument of the MCP tool, the words of
answers and of the finder's form in both languages, and the line on the page of the place.
`assets/attributes` reads attributes from texts; `content/language/wishes.yaml` has the words of
questions that request them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import msgspec

from schemas.table import Field
from schemas.vocab.attributes import AUDIENCES, DOCUMENTS, FOOD_TYPES
from schemas.vocab.languages import LANGUAGE_NAMES
from schemas.words import Words


@dataclass(frozen=True, eq=False, kw_only=True)
class Attribute:
    """A field read from texts.

    `supplied_with` names the field whose source supplies this one, too. `is_published`: some
    publishers have a column for it, which takes precedence over their texts.
    """

    field: Field
    supplied_with: str = ""
    is_published: bool = False

    @property
    def name(self) -> str:
        return self.field.name


@dataclass(frozen=True, eq=False, kw_only=True)
class Filter:
    """The query parameter of an attribute; `label` names it in the form of the finder."""

    parameter: str
    description: str
    label: Words


@dataclass(frozen=True, eq=False, kw_only=True)
class Wish:
    """An attribute that people request: `argument` describes the argument of the MCP tool, `label`
    names it within a sentence.

    The kind of the wish and the argument have the name of the query parameter.
    """

    argument: str
    label: Words


@dataclass(frozen=True, eq=False, kw_only=True)
class Truth(Attribute):
    """A boolean attribute.

    `bit`: its number in the column `truths` of the release, never reused. `wanted`: the value
    requested by the filter. `section`: heading on the page of the place (a key of
    `content/messages/site.yaml`), empty if the page has separate sentences.
    """

    filter: Filter
    bit: int
    wanted: bool = True
    wish: Wish | None = None
    section: str = ""


@dataclass(frozen=True, eq=False, kw_only=True)
class Codes(Attribute):
    """A list of codes of a vocabulary, of at most 64.

    `match`: the place has all requested codes, has one of them, or requires no others.
    `is_complete`: a known list excludes all other codes. `labels`: the codes in words; without them
    they are language tags, which CLDR names.
    """

    filter: Filter
    codes: tuple[str, ...]
    labels: Mapping[str, Words] | None = None
    match: Literal["all", "any", "no_others"]
    is_complete: bool = False


# Its column stands before the notes, away from the others.
LANGUAGES = Codes(
    field=Field("languages", "strings", "Languages spoken, BCP 47 tags.", ["en", "es"]),
    is_published=True,
    filter=Filter(
        parameter="language",
        description="Language tags, separated by commas: one of them is spoken.",
        label=Words("Languages spoken", "Idiomas que se hablan"),
    ),
    codes=tuple(LANGUAGE_NAMES),
    match="any",
)
_VOCABULARIES = {"audiences": AUDIENCES, "documents": DOCUMENTS, "food": FOOD_TYPES}


def _attribute(name: str, entry: dict[str, Any]) -> Attribute:
    """Return the attribute of an entry of attributes.yaml. Raises TypeError for an unknown key."""
    labels = _VOCABULARIES.get(entry.pop("vocabulary", ""), {})
    for part in (entry["field"], entry.get("filter", {"description": ""})):
        with_codes = part["description"].replace("{codes}", ", ".join(labels))
        part["description"] = with_codes.replace("{groups}", ", ".join(list(labels)[1:]))
    entry["field"]["values"] = tuple(entry["field"].get("values", ()))
    entry["field"] = Field(name, **entry["field"])
    for key, kind in (("filter", Filter), ("wish", Wish)):
        if key in entry:
            entry[key] = kind(**entry[key] | {"label": Words(**entry[key]["label"])})
    if "bit" in entry:
        return Truth(**entry)
    return Codes(**entry, codes=tuple(labels), labels=labels) if labels else Attribute(**entry)


# In the order of columns and members.
ATTRIBUTES: tuple[Attribute, ...] = tuple(
    _attribute(name, entry)
    for name, entry in msgspec.yaml.decode(
        Path(__file__).with_name("attributes.yaml").read_bytes(), type=dict[str, dict[str, Any]]
    ).items()
)
ATTRIBUTE_NAMES: tuple[str, ...] = tuple(a.name for a in ATTRIBUTES)
TRUTHS: tuple[Truth, ...] = tuple(a for a in ATTRIBUTES if isinstance(a, Truth))
CODE_LISTS: tuple[Codes, ...] = (*(a for a in ATTRIBUTES if isinstance(a, Codes)), LANGUAGES)
# Wishes that are true or nothing, by their kind.
WISHES: dict[str, Wish] = {t.filter.parameter: t.wish for t in TRUTHS if t.wish}
# A place for everyone serves every group.
EVERYONE = "everyone"
