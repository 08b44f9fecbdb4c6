"""Needs other than places with food, on every surface: the line that helps comes first."""

import pytest

from tests.unit.serving.test_plain_language import ask

VIOLENCE = {
    "English": ("my husband hits me and took my ebt card, food 10002", "1-800-799-7233", "NY"),
    "Spanish": ("mi esposo me pega y no tengo comida 10002", "1-800-799-7233", "NY"),
}


@pytest.mark.parametrize(("question", "line", "state"), VIOLENCE.values(), ids=VIOLENCE)
def test_violence_is_answered_with_its_line_then_with_food(client, question, line, state):
    _, reply = ask(client, question)
    assert line in reply.answer.partition(".")[0] + reply.answer[:160]
    assert reply.intent.urgent
    assert (reply.intent.intent, reply.intent.state) == ("find", state)
    assert reply.needs[0].is_danger
    assert reply.needs[0].source_url
    assert reply.resources, "food follows"


@pytest.mark.parametrize(
    ("question", "need", "words"),
    [
        ("need help paying rent in 10002", "rent", "call 211"),
        ("where can i donate canned food in 10002", "donor", "Second Food Bank"),
        ("check my EBT balance 10002", "ebt_balance", "back of your EBT card"),
        ("me cortaron los cupones 10002", "benefits_cut_off", "90 días"),
        ("methadone clinic 10002", "treatment", "1-800-662-4357"),
    ],
)
def test_other_needs_are_answered_with_a_source(client, question, need, words):
    _, reply = ask(client, question)
    assert reply.needs[0].id == need
    assert words in reply.answer
    assert reply.needs[0].as_of
    assert bool(reply.resources) == (need == "benefits_cut_off"), "food only if it is asked for"


@pytest.mark.parametrize("path", ["/search", "/es/search"])
@pytest.mark.parametrize("question", ["i want to kill myself", "i want to die, food 10002"])
def test_the_search_page_begins_with_the_crisis_line(client, path, question):
    text = client.get(path, params={"q": question}).text.partition("<main")[2]
    assert '<a href="tel:988">988</a>' in text
    assert text.index("tel:988") < text.index('class="card' if "10002" in question else "</main>")


def test_the_search_page_answers_a_donor_without_a_list(client):
    text = client.get("/search", params={"q": "where can i donate food 10002"}).text
    assert "Thank you for giving." in text
    assert "Second Food Bank" in text
    assert 'class="tools"' not in text


@pytest.mark.parametrize("path", ["/emergency-food-assistance", "/es/emergency-food-assistance"])
def test_the_emergency_page_has_every_line(client, path):
    text = client.get(path).text
    for number in ("911", "988", "211", "+18007997233", "+18002221222", "+18004224453"):
        assert f'href="tel:{number}"' in text
