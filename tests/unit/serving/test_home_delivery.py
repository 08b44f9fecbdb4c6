"""Services that bring food home: a group of its own in searches, on pages and in tools."""

from datetime import date

import msgspec
import pytest

from schemas.api.lists import ResourceList
from schemas.api.plain_language import PlainAnswer
from serving.render.words import words
from tests.support.clients import open_client, read
from tests.support.town import write_town, zips

SERVICES = [
    {
        "name": "Wheels of New York",
        "service_areas": ["place:NY/new york"],
        "service_area_text": "Staten Island only",
        "phone": "(212) 555-0101 ext. 7",
        "services_text": "Hot <b>meals</b>",
        "listed_date": date(2026, 5, 1),
    },
    {"name": "A Kind Meal", "office_areas": ["county:36061"]},
    {"name": "Adak Wheels", "state": "AK", "service_areas": ["zip:99546"]},
]


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    folder = tmp_path_factory.mktemp("deliveries")
    rows = [
        {**row, "county_fips": "36061", "county_name": "New York County"}
        if row["zip"] == "10002"
        else row
        for row in zips()
    ]
    write_town(folder, zips=rows, home_deliveries=SERVICES)
    with open_client(folder) as client:
        yield client


def named(client, query: str) -> dict[str, str]:
    services = read(client, f"/api/resources/{query}", ResourceList)
    return {service.name: service.serves for service in services.home_delivery}


BOTH = {"Wheels of New York": "yes", "A Kind Meal": "not_known"}


@pytest.mark.parametrize(
    ("query", "services"),
    [
        ("search?zip=10002", BOTH),
        ("search?zip=New+York,+NY", BOTH),
        ("search?zip=10002&mode=free&open_now=true", BOTH),
        ("nearby?lat=40.7157&lng=-73.9863", BOTH),
        ("search?zip=10003", {"Wheels of New York": "yes"}),
        ("search?zip=99546", {"Adak Wheels": "yes"}),
        ("search?zip=96910", {}),
        ("search?zip=10002&mode=health", {}),
    ],
)
def test_a_search_lists_those_of_its_area(client, query: str, services: dict[str, str]) -> None:
    assert named(client, query) == services


def test_services_with_a_stated_area_come_first(client) -> None:
    answer = client.get("/api/resources/search?zip=10002").json()
    first, second = answer["home_delivery"]
    assert first["text"] == {"en": "Delivers in New York, NY.", "es": "Entrega en New York, NY."}
    assert second["text"]["en"] == "Its office is in New York County. Ask if it delivers to you."
    assert first["kind"]["es"] == "Entrega a domicilio"
    assert not {"lat", "lng", "address", "distance_miles"} & set(first)
    names = {record["name"] for record in answer["resources"]}
    assert not names & {first["name"], second["name"]}


@pytest.mark.parametrize(("path", "language"), [("/search", "en"), ("/es/search", "es")])
def test_the_page_shows_them_after_the_places(client, path: str, language: str) -> None:
    text = client.get(f"{path}?q=10002").text
    w = words("home_delivery", language)
    group = text[text.index('id="delivery"') :]
    assert text.index('class="card place"') < text.index('id="delivery"')
    assert f"<strong>{w.kind}</strong>" in group
    assert "Hot &lt;b&gt;meals&lt;/b&gt;" in group
    assert '<a href="tel:+12125550101">(212) 555-0101 ext. 7</a>' in group
    assert 'id="delivery"' not in client.get(f"{path}?q=96910").text


def test_a_page_without_any_place_shows_them_too(client) -> None:
    text = client.get("/search?q=10002&diet=halal").text
    assert 'id="delivery"' in text


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        (
            "food pantries in 10002",
            "2 services bring food to homes there: Wheels of New York and A Kind Meal.",
        ),
        ("despensas en 99546", "1 servicio lleva comida a las casas de allí: Adak Wheels."),
    ],
)
def test_a_question_is_answered_with_them(client, question: str, sentence: str) -> None:
    answer = client.get("/api/llm-search", params={"q": question})
    reply = msgspec.json.decode(answer.content, type=PlainAnswer)
    assert sentence in reply.answer
    assert reply.home_delivery
