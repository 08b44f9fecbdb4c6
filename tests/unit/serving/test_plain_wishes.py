"""Wishes in plain language over a street of places: counted, ranked and stated; none is dropped."""

import asyncio
from datetime import UTC, datetime

import pytest

from schemas.api import mcp as shapes
from schemas.api.mcp import FindFoodArguments
from schemas.api.plain_language import PlainAnswer
from schemas.values.gsm7 import as_gsm7, segments
from schemas.vocab import constraints as vocabulary
from serving.mcp.arguments import Call, ToolFault, read_arguments
from serving.mcp.search_tools import find_food
from serving.search.constraints import is_published
from serving.search.language.reply import label_of, wish_phrases
from serving.search.language.tables import wish_words
from serving.sms.message import reply_to
from tests.support.street import ask, open_street, weekly
from tests.support.street import place as place_at

NOW = datetime(2026, 11, 18, 15, 0, tzinfo=UTC)  # Wednesday, 10:00 in New York
MORNINGS = weekly("09:00", "12:00", "MO,WE,SA")
EVENINGS = weekly("18:00", "21:00", "WE")


def place(resource_id: int, miles: float, **values):
    facts = {
        "name": f"Place {resource_id}",
        "source_updated_date": NOW.date(),
        "phone": "(212) 555-0101",
        "phone_e164": "+12125550101",
    }
    return place_at(resource_id, miles, **{**facts, **values})


STREET = [
    place(1, 0.5, requires_id=True, audiences=["children"], accepts_walkins=False),
    place(2, 1.5, schedules_json=MORNINGS),
    place(3, 3, food_types=["kosher", "diapers"], requires_id=False, schedules_json=EVENINGS),
    place(4, 4, food_types=["kosher"], offers_delivery=True, languages=["es"]),
    place(
        5,
        20,
        food_types=["halal", "kosher"],
        audiences=["everyone"],
        requires_documents=False,
        requires_id=False,
    ),
]


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    return open_street(tmp_path_factory.mktemp("wishes"), STREET)


def answer(service, text: str, now: datetime = NOW) -> PlainAnswer:
    return ask(service, text, now)


def counts(reply: PlainAnswer) -> dict[tuple, tuple[int, int, int]]:
    return {(c.kind, c.value): (c.met, c.not_met, c.not_known) for c in reply.constraint_counts}


COUNTED = {
    "a diet": ("kosher food 10002", ("diet", "kosher"), (3, 0, 2), [3, 4, 5, 1, 2]),
    "an item": ("diapers 10002", ("item", "diapers"), (1, 0, 4), [3, 1, 2, 4, 5]),
    "no ID": ("food 10002 i have no id", ("papers", "no_id"), (2, 1, 2), [3, 5, 2, 4, 1]),
    "delivery": ("que me traigan comida 10002", ("delivery", True), (1, 0, 4), [4, 1, 2, 3, 5]),
    "a language": ("food 10002 spanish speaking", ("language", "es"), (1, 0, 4), [4, 1, 2, 3, 5]),
    "people": ("food for seniors 10002", ("audience", "seniors"), (1, 1, 3), [5, 2, 3, 4, 1]),
    "a walk": ("food in walking distance 10002", ("transport", "walk"), (1, 4, 0), [1, 2, 3, 4, 5]),
    "what nobody publishes": (
        "food by bus 10002",
        ("transport", "bus"),
        (0, 0, 5),
        [1, 2, 3, 4, 5],
    ),
    "a distance": ("food within 2 miles of 10002", ("distance", 2.0), (2, 0, 0), [1, 2]),
    "a distance in which nothing lies": (
        "food within 0.2 miles of 10002",
        ("distance", 0.2),
        (0, 5, 0),
        [1, 2, 3, 4, 5],
    ),
    "a day": ("food saturday 10002", ("day", "SA"), (1, 1, 3), [2, 1, 4, 5, 3]),
    "part of a day": ("food in the evening 10002", ("time", "evening"), (1, 1, 3), [3, 1, 4, 5, 2]),
    "this moment": (
        "which pantry is open now 10002",
        ("time", "open_now"),
        (1, 1, 3),
        [2, 1, 4, 5, 3],
    ),
    "walk-ins": ("walk in pantry 10002", ("appointment", "walk_in"), (0, 1, 4), [2, 3, 4, 5, 1]),
}


@pytest.mark.parametrize(("text", "key", "count", "order"), COUNTED.values(), ids=COUNTED)
def test_counts_and_ranks(service, text, key, count, order):
    reply = answer(service, text)
    assert key in [(one.kind, one.value) for one in reply.intent.constraints]
    assert counts(reply)[key] == count
    assert sum(count) == reply.total_available
    assert [one.id for one in reply.resources] == order


def test_several_wishes_are_met_together(service):
    reply = answer(service, "kosher food, no id, 10002")
    assert [one.id for one in reply.resources] == [3, 5, 4, 2, 1]
    assert "First those known to have what you asked for: Place 3" in reply.answer


def test_of_two_days_one_is_enough(service):
    reply = answer(service, "food monday or sunday 10002")
    assert counts(reply) == {("day", "MO"): (1, 1, 3), ("day", "SU"): (0, 2, 3)}
    assert reply.resources[0].id == 2


SAID = {
    "kosher food 10002": "Kosher food: yes at 3 of 5 places; not known for 2. Call before you go and ask, or call 211.",
    "comida kosher 10002": "Comida kosher: sí en 3 de 5 lugares; de 2 no se sabe. Llame antes de ir y pregunte, o llame al 211.",
    "food by bus 10002": "Close to a bus or train: we have no data on this. Call before you go and ask",
    "i have no id, food 10002": "No ID needed: yes at 2 of 5 places, no at 1; not known for 2.",
    "vegan food 10002": "Vegan food: we do not know this for any of the 5 places found.",
    "food within 2 miles of 10002": "2 places with free food are listed within 2 miles of 10002.",
    "food within 0.2 miles of 10002": "None are within 0.2 miles of 10002, so we searched within 25 miles.",
    "food saturday morning 10002": "Open on Saturday in the morning: yes at 1 of 5 places by current hours, no at 1; not known for 3.",
    "kosher food delivered": "You asked for: kosher food; home delivery.",
    "comida halal": "Usted pidió: comida halal.",
    "nut allergy, food 10002": "We could not check this: food for people with allergies. Ask about it when you call.",
    "comida sin lactosa 10002, no tengo estufa": "No pudimos comprobar esto: comida sin leche ni lactosa; comida que no hay que cocinar.",
    "apply for snap 10002, i have no id": "You also asked for: no ID needed. Ask about this when you call.",
}


@pytest.mark.parametrize(("text", "sentence"), SAID.items(), ids=SAID)
def test_counts_of_each_wish_are_stated(service, text, sentence):
    assert sentence in answer(service, text).answer


def test_food_now_claims_no_open_place_at_night(service):
    night = NOW.replace(hour=23, minute=50, day=19)
    reply = answer(service, "food now 10002", night)
    assert all(one.open_status not in ("open", "closes_soon") for one in reply.resources)
    assert "First the places open now" not in reply.answer
    assert "None of them is known to be open right now." in reply.answer


def test_every_value_has_words_in_both_languages():
    for language in ("en", "es"):
        labels = wish_phrases(language).labels
        for kind, values in {
            "diet": vocabulary.Diet,
            "papers": vocabulary.Papers,
            "audience": vocabulary.AskedAudience,
            "transport": vocabulary.Transport,
            "day": vocabulary.AskedDay,
            "appointment": vocabulary.Appointment,
            "item": vocabulary.Item,
        }.items():
            assert {name for name, _ in labels[kind].items()} == set(values.__args__)
        assert label_of("time", "09:00-12:00", language)
        codes = {code for code, _ in wish_phrases(language).languages.items()}
        assert codes == set(wish_words().languages)


def test_facts_that_sources_publish():
    assert is_published("diet", "kosher")
    assert is_published("item", "senior_box")
    assert not is_published("diet", "diabetic")
    assert not is_published("transport", "bus")
    assert not is_published("language", "qu")


# ---------------------------------------------------------------- the same in MCP


def found_by_tool(service, **arguments) -> shapes.FoundPlaces:
    context, release, _ = service
    arguments_read = read_arguments({"location": "10002", **arguments}, FindFoodArguments, "find")
    return asyncio.run(find_food(Call(context, release, ""), arguments_read))


TOLD = {
    "one text for a list": (
        {"diet": "kosher", "radius_miles": 25},
        ("diet", "kosher"),
        (3, 0, 2),
        [3, 4, 5, 1, 2],
    ),
    "a day": ({"day": ["SA"], "radius_miles": 25}, ("day", "SA"), (1, 1, 3), [2, 1, 4, 5, 3]),
    "an hour": (
        {"time": "after 17:00", "radius_miles": 25},
        ("time", "after 17:00"),
        (1, 1, 3),
        [3, 1, 4, 5, 2],
    ),
    "within ten miles": ({"item": "diapers"}, ("item", "diapers"), (1, 0, 3), [3, 1, 2, 4]),
}


@pytest.mark.parametrize(("arguments", "key", "count", "order"), TOLD.values(), ids=TOLD)
def test_the_tool_accepts_the_same_wishes(monkeypatch, service, arguments, key, count, order):
    clock = type("Clock", (datetime,), {"now": classmethod(lambda cls, zone: NOW)})
    monkeypatch.setattr("serving.mcp.search_tools.datetime", clock)
    reply = found_by_tool(service, **arguments)
    counts_by_wish = {
        (c.kind, c.value): (c.met, c.not_met, c.not_known) for c in reply.constraint_counts
    }
    assert counts_by_wish == {key: count}
    assert [one.id for one in reply.places] == order
    assert "call 211" in reply.summary


def test_the_tool_without_wishes_has_no_counts(service):
    assert found_by_tool(service).constraint_counts == []


@pytest.mark.parametrize("wrong", [{"diet": ["paleo"]}, {"time": "at noon"}, {"day": "someday"}])
def test_the_tool_refuses_unknown_wishes(service, wrong):
    with pytest.raises(ToolFault):
        found_by_tool(service, **wrong)


# ---------------------------------------------------------------- the same by text message


def text_message(service, body: str) -> str:
    context, release, _ = service
    return reply_to(context, release, body, NOW).text


TEXTED = {
    "a diet": ("kosher 10002", ["1) Place 3", "Ask first: kosher food (yes at 3)."]),
    "the first word is part of the wish": (
        "meals on wheels 10002",
        ["1) Place 4", "home delivery (yes at 1)"],
    ),
    "what nobody publishes": (
        "food by bus 10002",
        ["1) Place 1", "close to a bus or train (not known)"],
    ),
    "a day": ("food saturday 10002", ["1) Place 2", "open on Saturday (yes at 1)"]),
    "a distance": ("food within 2 miles 10002", ["1) Place 1", "2) Place 2"]),
    "a time from now": (
        "food in an hour 10002",
        ["1) Place 2", "open between 11 a.m. and noon (yes at 1)"],
    ),
    "words of no table": ("kosher food 10002, need cribs", ["did not use all of your words"]),
}


@pytest.mark.parametrize(("body", "parts"), TEXTED.values(), ids=TEXTED)
def test_a_text_message_accepts_the_same_wishes(service, body, parts):
    text = text_message(service, body)
    assert all(as_gsm7(part) in text for part in parts), text
    assert segments(text) <= 3


def test_a_text_message_without_wishes_has_no_counts(service):
    assert "Ask first" not in text_message(service, "food 10002")


WORDS = {
    "a day that is not wanted": ("pantry 10002 but not on Mondays", "on any day but Monday"),
    "in Spanish": ("despensa 10002 que no sea lunes", "cualquier día menos lunes"),
    "a kind that is not near": (
        "community fridge 10002",
        "No community fridge is listed within 25 miles of 10002.",
    ),
    "a name that nobody has": ("Salvation Army 10002", "We list no place called “Salvation Army”."),
    "two kinds": (
        "soup kitchen or mobile pantry 10002",
        "No place with free meals or mobile pantry is listed",
    ),
    "a landmark": (
        "food 10002 near Fenway Park",
        "We could not use this: “Fenway Park”, because we do not know where it is.",
    ),
    "another language": ("tanpri manje 10002", "We could not use this: words in another language"),
}


@pytest.mark.parametrize(("question", "sentence"), WORDS.values(), ids=WORDS)
def test_every_wish_is_met_or_named(service, question, sentence):
    reply = answer(service, question)
    assert sentence in reply.answer
    assert "Ask about it when you call" not in reply.answer


NAMED = {
    "near the place asked": ("Catholic Charities 10002", 7, 6.0),
    "without a place": ("hours of Catholic Charities", 7, None),
    "with a town in it": ("Chicago Bread Kitchen", 6, None),
    "one letter wrong": ("Catholic Charites 10002", 7, 6.0),
    "two neighbours swapped": ("hours of Cahtolic Charities 10002", 7, 6.0),
}


@pytest.fixture(scope="module")
def town_of_names(tmp_path_factory):
    rows = [
        place(6, 5, name="Chicago Bread Kitchen"),
        place(7, 6, name="Catholic Charities, Second Street"),
    ]
    return open_street(tmp_path_factory.mktemp("names"), STREET + rows)


@pytest.mark.parametrize(("question", "first", "miles"), NAMED.values(), ids=NAMED)
def test_finds_a_place_by_its_name(town_of_names, question, first, miles):
    reply = answer(town_of_names, question)
    assert (reply.resources[0].id, reply.resources[0].distance_miles) == (first, miles)
    assert reply.action == "search_results"
    assert reply.resources[0].name in reply.answer
    assert len({one.id for one in reply.resources}) == len(reply.resources)


def test_misspelt_names_have_suggestions(town_of_names):
    reply = answer(town_of_names, "Catolic Charites 10002")
    assert "We list no place called “Catolic Charites”. Did you mean Catholic" in reply.answer
    (choice,) = reply.choices
    assert choice.label == "Catholic Charities, Second Street"
    assert answer(town_of_names, choice.question).resources[0].name == choice.label


def test_a_single_strange_word_is_no_misspelt_name(town_of_names):
    reply = answer(town_of_names, "my name is Cathlic, food 10002")
    assert not reply.choices
    assert "Did you mean" not in reply.answer
