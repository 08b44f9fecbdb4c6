"""Attributes of places: facts that readers find in texts, each declared once.

From a declaration follow the field and its place in tables and records, the bit that the service
keeps in memory, the query parameter with its entry in OpenAPI, the argument of the MCP tool, the
words of answers and of the finder's form in both languages, and the line on the page of the place. How an attribute is read
from texts is in `assets/attributes`, how a question asks for it in `content/language/wishes.yaml`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from schemas.table import Field
from schemas.vocab.attributes import (
    AUDIENCE_CODES,
    AUDIENCES,
    DOCUMENT_CODES,
    DOCUMENTS,
    FOOD_CODES,
    FOOD_TYPES,
)
from schemas.vocab.languages import LANGUAGE_NAMES
from schemas.words import Words


@dataclass(frozen=True, eq=False, kw_only=True)
class Attribute:
    """A field that is read from texts.

    `supplied_with` names the field whose source supplies this one, too. `is_published`: some
    publishers have a column of it, which goes before what their texts say.
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
    """Attribute that people ask for: `argument` describes the argument of the MCP tool, `label`
    says it within a sentence.

    Kind of the wish and name of the argument are the name of the query parameter.
    """

    argument: str
    label: Words


@dataclass(frozen=True, eq=False, kw_only=True)
class Truth(Attribute):
    """A boolean attribute.

    `bit`: its number in the column `truths` of the release, never used again for another.
    `wanted`: the value that the filter asks for. `section`: heading on the page of the place (a key
    of `content/messages/site.yaml`), empty where the page has sentences of its own.
    """

    filter: Filter
    bit: int
    wanted: bool = True
    wish: Wish | None = None
    section: str = ""


@dataclass(frozen=True, eq=False, kw_only=True)
class Codes(Attribute):
    """A list of codes of a vocabulary, of at most 64.

    `match`: the place has all requested codes, one of them, or asks for no others. `is_complete`: a
    list that is known says what is not the case, too. `labels`: the codes in words; without them
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
# In the order of columns and members.
ATTRIBUTES: tuple[Attribute, ...] = (
    Truth(
        field=Field(
            "accepts_walkins",
            "boolean",
            "Visitors may come without an appointment; empty when unknown.",
        ),
        is_published=True,
        filter=Filter(
            parameter="walk_in",
            description="`true`: visitors may come without an appointment.",
            label=Words("No appointment needed", "Sin cita"),
        ),
        bit=0,
    ),
    Truth(
        field=Field(
            "requires_appointment", "boolean", "Visitors need an appointment; empty when unknown."
        ),
        is_published=True,
        filter=Filter(
            parameter="appointment",
            description="`true`: works by appointment.",
            label=Words("By appointment", "Con cita"),
        ),
        bit=1,
    ),
    Codes(
        field=Field(
            "required_documents",
            "strings",
            f"Papers that every visitor must bring: {', '.join(DOCUMENT_CODES)}. An empty list says only that none is known; see `requires_documents`.",
            ["photo_id", "proof_of_address"],
        ),
        filter=Filter(
            parameter="documents",
            description=f"Papers that the visitor has, separated by commas ({', '.join(DOCUMENT_CODES)}): places known to ask for none others.",
            label=Words("Papers that you have", "Documentos que tiene usted"),
        ),
        codes=DOCUMENT_CODES,
        labels=DOCUMENTS,
        match="no_others",
    ),
    Truth(
        field=Field(
            "requires_documents",
            "boolean",
            "True if the source asks for documents, false if it says none are needed; empty when unknown.",
        ),
        supplied_with="required_documents",
        filter=Filter(
            parameter="no_documents",
            description="`true`: the source says that no documents are needed.",
            label=Words("No papers needed", "No piden documentos"),
        ),
        bit=2,
        wanted=False,
    ),
    Truth(
        field=Field(
            "requires_id",
            "boolean",
            "True if the source asks for identification, false if it says none is needed; empty when unknown.",
        ),
        supplied_with="required_documents",
        filter=Filter(
            parameter="no_id",
            description="`true`: the source says that no identification, or no documents at all, are needed.",
            label=Words("No ID needed", "No piden identificación"),
        ),
        bit=3,
        wanted=False,
    ),
    Codes(
        field=Field(
            "food_types",
            "strings",
            f"Food that the source plainly promises: {', '.join(FOOD_CODES)}. What is not listed may still be there.",
            ["groceries", "fresh_produce"],
        ),
        filter=Filter(
            parameter="food",
            description=f"Kinds of food, separated by commas ({', '.join(FOOD_CODES)}): all of them are there.",
            label=Words("Kinds of food", "Tipos de alimentos"),
        ),
        codes=FOOD_CODES,
        labels=FOOD_TYPES,
        match="all",
    ),
    Truth(
        field=Field(
            "offers_delivery",
            "boolean",
            "The place offers home delivery, perhaps with conditions; empty when unknown.",
        ),
        filter=Filter(
            parameter="delivery",
            description="`true`: food can be brought home, perhaps under conditions.",
            label=Words("Home delivery", "Entrega a domicilio"),
        ),
        bit=4,
        wish=Wish(
            argument="The food has to be brought home.",
            label=Words("home delivery", "entrega a domicilio"),
        ),
    ),
    Truth(
        field=Field(
            "is_wheelchair_accessible",
            "boolean",
            "The place can be reached in a wheelchair; empty when unknown.",
        ),
        filter=Filter(
            parameter="wheelchair",
            description="`true`: can be reached in a wheelchair.",
            label=Words("Wheelchair access", "Acceso en silla de ruedas"),
        ),
        bit=5,
        wish=Wish(
            argument="The person comes in a wheelchair.",
            label=Words("wheelchair access", "acceso en silla de ruedas"),
        ),
        section="accessibility",
    ),
    Codes(
        field=Field(
            "audiences",
            "strings",
            f"For whom the place is: everyone, or only the groups named ({', '.join(AUDIENCE_CODES[1:])}), by the source or by the law of its type. Empty when unknown.",
            ["everyone"],
        ),
        filter=Filter(
            parameter="audience",
            description=f"Groups, separated by commas ({', '.join(AUDIENCE_CODES)}): serves one of them, or everyone.",
            label=Words("Who is served", "A quién atienden"),
        ),
        codes=AUDIENCE_CODES,
        labels=AUDIENCES,
        match="any",
        is_complete=True,
    ),
    Attribute(
        field=Field(
            "minimum_age",
            "integer",
            "Minimum age of people served, in years; empty when unknown or without limit.",
            60,
            minimum=0,
            maximum=120,
            unit="years",
        )
    ),
    Attribute(
        field=Field(
            "maximum_age",
            "integer",
            "Maximum age of people served, in years; empty when unknown or without limit.",
            18,
            minimum=0,
            maximum=120,
            unit="years",
        )
    ),
    Attribute(
        field=Field(
            "visit_limit_text",
            "string",
            "The source's sentences on how often a household may come; empty when unknown.",
            "Customers can shop once per month",
        )
    ),
    Attribute(
        field=Field(
            "service_area_text",
            "string",
            "The source's sentence on the area whose residents are served.",
            "Serves residents of zip code 11203",
        )
    ),
    Attribute(
        field=Field(
            "service_areas",
            "strings",
            'Areas that the sentence names: "zip:" with the ZIP code, "county:" with its FIPS code, "place:" with state and town, "state:" with its code. Empty when none could be read.',
            ["zip:44203", "county:39093", "place:OH/elyria", "state:DC"],
        ),
        supplied_with="service_area_text",
    ),
    Attribute(
        field=Field(
            "is_service_area_exclusive",
            "boolean",
            "True if the source says that only residents of `service_areas` are served, and all of the area could be read; empty when the source names no area.",
        ),
        supplied_with="service_area_text",
    ),
)
ATTRIBUTE_NAMES: tuple[str, ...] = tuple(a.name for a in ATTRIBUTES)
TRUTHS: tuple[Truth, ...] = tuple(a for a in ATTRIBUTES if isinstance(a, Truth))
CODE_LISTS: tuple[Codes, ...] = (*(a for a in ATTRIBUTES if isinstance(a, Codes)), LANGUAGES)
# Wishes that are true or nothing, by their kind.
WISHES: dict[str, Wish] = {t.filter.parameter: t.wish for t in TRUTHS if t.wish}
# A place for everyone serves every group.
EVERYONE = "everyone"
