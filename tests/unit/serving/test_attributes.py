"""Every declared attribute reaches everything that uses it."""

from datetime import UTC, datetime

import pytest

from assets.attributes.reading import FACT_COLUMNS, facts_in, facts_of
from assets.directory.places import FIELD_GROUPS
from schemas.api.record import RECORD_MEMBERS
from schemas.attributes import ATTRIBUTES, CODE_LISTS, LANGUAGES, TRUTHS, WISHES
from schemas.fields import FIELDS
from schemas.tables.core import RESOURCES
from schemas.tables.serving import ATTRIBUTE_COLUMNS
from schemas.vocab.constraints import KINDS
from serving.mcp.tools import TOOLS_BY_NAME, schema_of
from serving.render.words import words
from serving.search.language.reply import label_of
from serving.search.language.wishes import wishes_of
from serving.site.place_page import attribute_sections

NOW = datetime(2026, 11, 24, 17, 30, tzinfo=UTC)
FILTERED = (*TRUTHS, *CODE_LISTS)
EVERY = (*ATTRIBUTES, LANGUAGES)
# A text from which each attribute is read, and the words of a question that asks for it.
READ = {
    "accepts_walkins": "Walk-ins welcome",
    "requires_appointment": "By appointment only",
    "required_documents": "Photo ID required",
    "requires_documents": "No documents required",
    "requires_id": "No ID required",
    "food_types": "Halal food available",
    "offers_delivery": "Delivery available",
    "is_wheelchair_accessible": "Wheelchair accessible",
    "audiences": "Open to the general public",
    "minimum_age": "Must be 60 years or older",
    "maximum_age": "Only kids and youth 18 & younger",
    "visit_limit_text": "Customers can shop once per month",
    "service_area_text": "Serves residents of zip code 11203",
    "service_areas": "Serves residents of zip code 11203",
    "is_service_area_exclusive": "Serves residents of zip code 11203 only",
    "closure": "Temporarily closed until further notice",
    "closure_text": "Temporarily closed until further notice",
    "languages": "Se habla español",
}
QUESTIONS = {"delivery": " delivery ", "wheelchair": " wheelchair "}


def ids(attributes):
    return {"argvalues": attributes, "ids": [a.name for a in attributes]}


@pytest.mark.parametrize("attribute", **ids(EVERY))
def test_has_columns_members_and_a_reader(attribute):
    name = attribute.name
    assert FIELDS[name] is attribute.field
    assert name in RESOURCES.field_names
    assert name in [member.name for member in RECORD_MEMBERS]
    assert sum(name in group for group in FIELD_GROUPS.values()) == 1
    assert name in FACT_COLUMNS
    if attribute.field.type != "date":  # counted from the day on which the text was written
        assert name in facts_of(facts_in(READ[name], "notes"))


def test_every_truth_has_bits_of_its_own_within_the_column():
    bits = [truth.bit for truth in TRUTHS]
    assert len(set(bits)) == len(bits)
    types = {name: kind for name, kind, _ in ATTRIBUTE_COLUMNS}
    assert types["truths"] == "UINTEGER"
    assert all(2 * bit + 1 < 32 for bit in bits)
    assert all(len(one.codes) <= 64 and types[one.name] == "UBIGINT" for one in CODE_LISTS)


@pytest.mark.parametrize("attribute", **ids(FILTERED))
def test_has_a_parameter_in_openapi(client, attribute):
    paths = client.get("/api/openapi.json").json()["paths"]
    for path in ("/api/resources/search", "/api/resources/nearby"):
        parameters = {p["name"]: p for p in paths[path]["get"]["parameters"]}
        parameter = parameters[attribute.filter.parameter]
        assert parameter["description"].startswith(attribute.filter.description)
        assert not parameter.get("required")


@pytest.mark.parametrize("kind", WISHES)
def test_people_can_ask_for_it(kind):
    wish = WISHES[kind]
    argument = schema_of(TOOLS_BY_NAME["find_food_resources"].takes)["properties"][kind]
    assert argument == {"type": "boolean", "description": wish.argument, "default": False}
    assert kind in KINDS
    assert [label_of(kind, True, language) for language in ("en", "es")] == [
        wish.label.en,
        wish.label.es,
    ]
    assert (kind, True) in wishes_of(QUESTIONS[kind], QUESTIONS[kind], None, "en")


@pytest.mark.parametrize("truth", **ids([t for t in TRUTHS if t.section]))
@pytest.mark.parametrize("language", ["en", "es"])
def test_is_on_the_page_of_a_place(truth, language):
    assert truth.section in words("site", language)
    record = dict.fromkeys((t.name for t in TRUTHS), None)
    assert attribute_sections(record, language) == {}
    label = getattr(truth.wish.label, language)
    record[truth.name] = truth.wanted
    assert attribute_sections(record, language) == {
        truth.section: [f"{label[0].upper()}{label[1:]}."]
    }
