"""HSDS collections that classify services and say what they cost and ask for. Official columns
first.
"""

from __future__ import annotations

from schemas.hsds.columns import LAST_MODIFIED, extra, key, link, of, text
from schemas.hsds.model import Collection
from schemas.vocab.hsds_taxonomy import HOME_DELIVERY
from schemas.vocab.resource_types import TYPE_IDS

TAXONOMY_TERMS = Collection(
    "taxonomy_terms",
    "taxonomy_term",
    "Taxonomy terms",
    "The eleven categories of food assistance.",
    (
        key(),
        text("code", "Code of the category.", is_unique=True, profile_required=True),
        text("name", "Name of the category.", "R"),
        text("description", "What belongs to it.", "R"),
        of("uuid", "parent_id", "The wider term."),
        text("taxonomy", "Name of the taxonomy."),
        text("language", "Language of the term."),
        link("taxonomy"),
        of("uri", "term_uri", "Address of the term."),
        extra("string", "name_es", "Name of the category in Spanish.", profile_required=True),
    ),
)

ATTRIBUTES = Collection(
    "attributes",
    "attribute",
    "Attributes",
    "The category of every service: exactly one row per service.",
    (
        key(),
        of("uuid", "link_id", "The service.", "T", references="service"),
        link("taxonomy_term", "T"),
        text("link_type", "taxonomy."),
        text("link_entity", "Table of the linked row: service.", "T", values=("service",)),
        text(
            "value",
            "Type of the place in the directory's own catalog.",
            values=(*TYPE_IDS, HOME_DELIVERY),
        ),
        text("label", "Name of the category.", since="3.1", profile_required=True),
        LAST_MODIFIED,
    ),
)

TAXONOMIES = Collection(
    "taxonomies",
    "taxonomy",
    "Taxonomies",
    "The taxonomy the terms are taken from.",
    (
        key(),
        text("name", "Name.", "R"),
        text("description", "What it classifies.", "R"),
        of("uri", "uri", "Identifier."),
        text("version", "Version."),
    ),
)

ORGANIZATION_IDENTIFIERS = Collection(
    "organization_identifiers",
    "organization_identifier",
    "Organization identifiers",
    "Numbers by which others know an organization.",
    (
        key(),
        link("organization", "T"),
        text(
            "identifier_scheme",
            "Scheme of the number; US-EIN for the employer identification number.",
        ),
        text("identifier_type", "What the number is, in words.", "R"),
        text("identifier", "The number.", "R"),
        LAST_MODIFIED,
    ),
)

REQUIRED_DOCUMENTS = Collection(
    "required_documents",
    "required_document",
    "Required documents",
    "What a visitor must bring, where the source says so plainly.",
    (
        key(),
        link("service", profile_required=True),
        text("document", "The document.", profile_required=True),
        of("uri", "uri", "Address of a form."),
        LAST_MODIFIED,
    ),
)

COST_OPTIONS = Collection(
    "cost_options",
    "cost_option",
    "Cost options",
    "What a service costs; only services that are free by definition and whose source names no fee.",
    (
        key(),
        link("service", "T"),
        of("date", "valid_from", "First day of the price."),
        of("date", "valid_to", "Last day of the price."),
        text("option", "Name of the price."),
        text("currency", "ISO 4217 code."),
        of("number", "amount", "Price."),
        text("amount_description", "Price in words."),
        LAST_MODIFIED,
    ),
)

SERVICE_AREAS = Collection(
    "service_areas",
    "service_area",
    "Service areas",
    "Areas whose residents a service is for, where the source names a county or ZIP codes.",
    (
        key(),
        link("service", profile_required=True),
        text("name", "Name of the area."),
        text("description", "The area in words."),
        text("extent", "The area itself."),
        text("extent_type", "How the extent is written."),
        text("uri", "Address of a boundary."),
        LAST_MODIFIED,
    ),
)

METADATA = Collection(
    "metadata",
    "metadata",
    "Metadata",
    "Changes that the directory's own rules made to a listing, one row per changed member.",
    (
        key(),
        of("uuid", "resource_id", "The changed row: a service.", "T", references="service"),
        text("resource_type", "Table of the changed row.", "T"),
        of("date", "last_action_date", "Day of the change.", "R"),
        text("last_action_type", "What was done.", "R"),
        text("field_name", "The changed member.", "R"),
        text("previous_value", "Value before.", "R"),
        text("replacement_value", "Value after.", "R"),
        text("updated_by", "The rule that made the change.", "R"),
    ),
)

META_TABLE_DESCRIPTIONS = Collection(
    "meta_table_descriptions",
    "meta_table_description",
    "Tables",
    "Language and character set of every table.",
    (
        key(),
        text("name", "Name of the table."),
        text("language", "Language of its texts."),
        text("character_set", "Character set."),
    ),
)

URL = Collection(
    "url",
    "url",
    "Further websites",
    "Websites of an organization whose places have several.",
    (
        key(),
        text("label", "Name of the place whose website it is, where it is of one place."),
        of("uri", "url", "Web address.", "R"),
        link("organization", profile_required=True),
        link("service"),
        LAST_MODIFIED,
    ),
    since="3.1",
)

UNITS = Collection(
    "units",
    "unit",
    "Units",
    "Kinds of food that operators report on.",
    (
        key(),
        text("name", "Name of the unit.", "R"),
        text("scheme", "Scheme of the identifier.", profile_required=True),
        text("identifier", "Code of the unit in the scheme.", profile_required=True),
        of("uri", "uri", "Address of the unit."),
    ),
    since="3.1",
)

SERVICE_CAPACITY = Collection(
    "service_capacity",
    "service_capacity",
    "Service capacity",
    "Food that a confirmed operator reported as out in the last 24 hours. Reports of little and plenty have no number and are in `alert`.",
    (
        key(),
        link("service", "T"),
        link("unit", "T"),
        of("number", "available", "How many units there are: 0.", "R", is_whole=True),
        of("number", "maximum", "Most units that there can be."),
        text("description", "What was reported, and when."),
        of("datetime", "updated", "When it was reported.", "R"),
    ),
    since="3.1",
)
