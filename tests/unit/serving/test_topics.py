"""Questions without a place: amount and speed of SNAP, disasters, the form, school meals."""

from datetime import UTC, date, datetime

import pytest

from serving.reference.policy import FactsOn
from serving.search.language.intent import household_of
from tests.unit.serving.test_plain_language import ask

SAID = {
    "how much SNAP would I get": ("apply_snap", "use the calculator: http"),
    "cuánto me darían de estampillas": ("apply_snap", "use la calculadora: http"),
    "emergency food stamps, how fast 10002": ("apply_snap", "SNAP can come within 7 days"),
    "estampillas de emergencia 10002": (
        "search_results",
        "SNAP puede llegar en un máximo de 7 días",
    ),
    "help filling out the form 10002": ("apply_snap", "ask at your SNAP office or call 211"),
    "ayuda para llenar la solicitud 10002": ("apply_snap", "pregunte en su oficina de SNAP"),
    "is there disaster SNAP": ("need_location", "In which state do you need it?"),
    "apply for free school lunch 10002": ("search_results", "one form for your whole household"),
    "solicitud de almuerzo escolar 10002": (
        "search_results",
        "un solo formulario para todo su hogar",
    ),
    "SUN Bucks for my kids in Ohio": ("need_location", "SUN Bucks gives grocery money in summer"),
    "I run this pantry and we are closed today 10002": (
        "search_results",
        "correct its hours: http",
    ),
    "nuestra despensa cierra hoy 10002": ("search_results", "corregir su horario: http"),
    "sun bucks in Texas": ("need_location", "Texas did not take part in 2025."),
    "EBT de verano 10002": ("search_results", "SUN Bucks da dinero para alimentos en verano"),
    "pantry and a doctor 10002": ("search_results", "Community health centers see everyone"),
}


@pytest.mark.parametrize(
    ("question", "action", "phrase"), [(q, *rest) for q, rest in SAID.items()], ids=SAID
)
def test_answers_have_the_known_facts(client, question, action, phrase):
    _, reply = ask(client, question)
    assert reply.action == action
    assert phrase in reply.answer


def test_the_days_are_those_of_the_regulation():
    facts = FactsOn(datetime.now(UTC).date())
    assert facts["snap.processing_days"].value["expedited"] == 7


@pytest.mark.parametrize(
    ("question", "phrase", "unknown"),
    {
        "a state of one year": ("sun bucks in Texas 75201", "SUN Bucks gives", "2025"),
        "days and limits": ("how soon are emergency food stamps 10002", "SNAP", "7 days"),
    }.values(),
)
def test_expired_facts_are_left_out(client, monkeypatch, question, phrase, unknown):
    monkeypatch.setattr(
        "serving.search.answered_needs.FactsOn", lambda _: FactsOn(date(2040, 1, 1))
    )
    _, reply = ask(client, question)
    assert phrase in reply.answer
    assert unknown not in reply.answer


def test_the_calculator_is_prefilled(client):
    _, reply = ask(client, "how much snap would I get, family of 3, i make $1800 a month, 10002")
    link = reply.related_links["snap_calculator"]
    assert link.endswith("/snap-calculator?state=NY&household_size=3&monthly_earned_income=1800")
    assert client.get("/" + link.partition("//")[2].partition("/")[2]).status_code == 200
    _, less = ask(client, "cuánto me darían de estampillas, somos 4")
    page = client.get(
        "/" + less.related_links["snap_calculator"].partition("//")[2].partition("/")[2]
    )
    assert page.status_code == 200
    assert 'value="4"' in page.text


def test_unavailable_disasters_are_named(client):
    """The release of the town has no declarations: `test_disasters` has some."""
    _, reply = ask(client, "is there disaster SNAP in Hawaii")
    assert "We could not check federal disasters just now" in reply.answer
    assert "Where in" not in reply.answer
    assert reply.related_links["disasters"].endswith("/disasters/HI")


def test_questions_on_buying_with_snap_show_stores(client):
    for question in (
        "buy groceries with food stamps 10002",
        "comprar comida con estampillas 10002",
    ):
        _, reply = ask(client, question)
        assert reply.intent.mode == "snap"
        assert {place.type for place in reply.resources} == {"snap_retailer"}


HOUSEHOLDS = {
    "family of 3 earning $1800 a month": {"household_size": "3", "monthly_earned_income": "1800"},
    "somos 4 y gano 2000 al mes": {"household_size": "4", "monthly_earned_income": "2000"},
    "me and my husband and two kids": {"household_size": "4"},
    "single mom of 2 kids, $500 a week": {"household_size": "3", "monthly_earned_income": "2150"},
    "i live alone, $914 ssi": {"household_size": "1", "monthly_unearned_income": "914"},
    "we make $24,000 a year": {"monthly_earned_income": "2000"},
    "i make $15 an hour": {},
    "$600 every two weeks": {"monthly_earned_income": "1290"},
    "how much snap": {},
}


@pytest.mark.parametrize(("text", "household"), HOUSEHOLDS.items(), ids=HOUSEHOLDS)
def test_reads_a_household(text, household):
    assert dict(household_of(text)) == household
