"""Pages and documents for donors: ways of giving, matches, tax benefits, sample language, in both languages."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from litestar.testing import TestClient

from schemas.api.donors import FigureSource
from serving.donors.donors import (
    classify,
    donor_document,
    donor_impact,
    donor_options,
    state_tax_credit,
)
from serving.render.words import words
from serving.settings import Settings
from serving.sibling.app import create_sibling_app
from tests.support.clients import Client

TODAY = date(2026, 11, 22)


@pytest.fixture(scope="module")
def vet(town: Path) -> Iterator[Client]:
    app = create_sibling_app(Settings(data_dir=town, log_level="error"))
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("card", "card_ach_apple_pay"),
        ("check", "check_by_mail"),
        ("DAF", "donor_advised_fund"),
        ("crypto", "crypto"),
        ("stock", "stock"),
        ("I would like to give some stock", "stock"),
        ("I will send a check", "check_by_mail"),
        ("a gift from my donor-advised fund", "donor_advised_fund"),
        ("leave something in my will", "bequest"),
        ("quiero donar acciones", "stock"),
        ("una donación con tarjeta de crédito", "card_ach_apple_pay"),
        ("mi empresa dona lo mismo", "corporate_match"),
        ("seguro de vida", "life_insurance_beneficiary"),
        ("IRA", "qcd_ira"),
        ("miracle", None),
    ],
)
def test_a_way_of_giving_is_read_from_words(text: str, key: str | None) -> None:
    intent = classify(text)
    assert (intent and intent[0]) == key


@pytest.mark.parametrize("path", ["/api/v1/giving-options.json", "/api/v1/giving-options-es.json"])
def test_endpoints_of_the_document_answer_at_the_sibling(client, vet, path) -> None:
    """The directory's own document of the options is answered by another service than they are."""
    options = client.get(path).json()["options"]
    endpoints = [option["related_endpoint"] for option in options if option.get("related_endpoint")]
    assert len(endpoints) == 7
    sibling = Settings().sibling
    assert sibling is not None
    for endpoint in endpoints:
        assert endpoint.startswith(f"{sibling.url}/")
        path = endpoint.removeprefix(sibling.url)
        assert vet.get(path.replace("{employer}", "Microsoft")).status_code == 200
        assert client.get(path).status_code == 404


def test_without_a_sibling_no_endpoint_is_named() -> None:
    options = donor_options(Settings(), "en", TODAY, None)
    assert all(option.related_endpoint is None for option in options.values())


@pytest.mark.parametrize(
    ("state", "gift", "filing", "savings", "kind"),
    [
        ("AZ", 400, "single", 400.0, "credit"),
        ("AZ", 900, "single", 495.0, "credit"),
        ("AZ", 900, "married_joint", 900.0, "credit"),
        ("MO", 6000, "single", 2500.0, "credit"),
        ("VT", 100, "single", 5.0, "credit"),
        ("CO", 800, "single", 13.2, "subtraction"),  # (800 - 500) x 4.4 %
        ("CO", 400, "single", 0.0, "subtraction"),
        ("MN", 800, "single", None, "subtraction"),  # no rate was found
        ("MS", 100, "single", 0.0, None),  # the credit is for other purposes
        ("TX", 100, "single", 0.0, None),
    ],
)
def test_state_benefits_by_hand(state, gift, filing, savings, kind) -> None:
    credit = state_tax_credit(state, gift, filing, "en", TODAY)
    assert (credit.savings, credit.kind) == (savings, kind)
    assert credit.note
    assert (credit.source is None) == (state == "TX")


def test_food_days_come_from_the_allotment_of_the_day() -> None:
    # $306 a month of 30 days: $50 is 4.9 days.
    impact = donor_impact(50, "monthly", "en", TODAY)
    assert (impact.person_days_of_food, impact.yearly_amount) == (4.9, 600)
    assert donor_impact(306, "once", "en", TODAY).person_days_of_food == 30
    assert isinstance(impact.source, FigureSource)
    assert donor_impact(2046, "once", "en", TODAY).tier == "families"


@pytest.mark.parametrize(
    ("amount", "words", "palabras"),
    [
        (1, "part of a meal", "parte de una comida"),
        (3.40, "one meal", "una comida"),
        (10, "3 meals", "3 comidas"),
        (20, "2 days of food", "2 días de comida"),
    ],
)
def test_a_small_gift_is_counted_in_meals(amount: float, words: str, palabras: str) -> None:
    for language, text in (("en", words), ("es", palabras)):
        impact = donor_impact(amount, "once", language, TODAY)
        assert text in impact.message
        assert impact.person_days_of_food > 0
        assert text in donor_impact(amount, "monthly", language, TODAY).message


def test_the_limit_of_a_year_that_is_not_known_is_not_invented() -> None:
    option = donor_document(Settings(), "en", date(2027, 2, 1)).options["qcd_ira"]
    assert option.annual_cap_2026 == words("donors", "en").options.qcd_ira.annual_cap_unknown
    assert "$111,000" in donor_document(Settings(), "en", TODAY).options["qcd_ira"].annual_cap_2026


@pytest.mark.parametrize("path", ["/api/donor-information.json", "/api/donor-information-es.json"])
def test_the_document_names_the_organization_and_all_options(vet, path) -> None:
    answer = vet.get(path)
    document = answer.json()
    assert document["cached_seconds"] == 86400
    assert len(document["options"]) == 12
    assert all(option["is_open"] is False for option in document["options"].values()), "fictional"
    assert path in {
        e["url"].removeprefix("http://127.0.0.1:8001")
        for e in vet.get("/api/discovery").json()["endpoints"]
    }


@pytest.mark.parametrize(
    ("path", "status", "message"),
    [
        ("/api/donor/intent?q=stock", 200, '"intent":"stock"'),
        ("/api/donor/intent?q=sailboat", 404, "not-found"),
        ("/api/donor/intent", 400, '"q"'),
        ("/api/donor/impact?amount=-5&cadence=once", 400, '"amount"'),
        ("/api/donor/impact?amount=50&cadence=hourly", 400, '"cadence"'),
        ("/api/donor/impact?amount=nan", 400, "amount"),
        ("/api/donor/employer-match?employer=Microsoft", 200, "years ago: check"),
        (
            "/api/donor/employer-match?employer=Acme",
            200,
            "only one we know about is Microsoft (2013)",
        ),
        ("/api/donor/employer-match", 400, '"employer"'),
        ("/api/donor/employer-match?employer=%1D%C2%85", 400, "more than blanks"),
        ("/api/state-tax-credit?state=ZZ&gift=400", 400, '"state"'),
        ("/api/state-tax-credit?state=az&gift=400&lang=ES", 200, "crédito fiscal"),
        ("/api/legacy-giving?vehicle=sailboat", 400, '"vehicle"'),
        ("/api/legacy-giving?vehicle=bequest&lang=es", 200, "Lego"),
    ],
)
def test_addresses_and_their_errors(vet, path, status, message) -> None:
    answer = vet.get(path)
    assert answer.status_code == status, answer.text
    assert message in answer.text


def test_a_wish_is_answered_in_its_language(vet) -> None:
    document = vet.post(
        "/api/donor/intent", json={"text": "Quiero donar unas acciones de mi cuenta"}
    )
    assert (document.status_code, document.json()["intent"], document.json()["language"]) == (
        200,
        "stock",
        "es",
    )
    assert vet.post("/api/donor/intent", json={}).status_code == 400
    assert vet.post("/api/donor/intent", json={"text": "x" * 501}).status_code == 400
    assert vet.post("/api/donor/intent", content=b"{").status_code == 400
