"""Does it serve me: in searches and on the page of a place."""

import pytest

from schemas.api.lists import ResourceList
from tests.support.clients import open_client, read
from tests.support.releases import resource
from tests.support.town import write_town

TEXT = "Serves residents of the parish"
AREAS = {
    1: {"service_areas": ["zip:10002", "zip:10003"], "is_service_area_exclusive": True},
    2: {"service_areas": ["zip:10003"], "is_service_area_exclusive": True},
    3: {"service_areas": ["zip:10003"], "is_service_area_exclusive": False},
    4: {"is_service_area_exclusive": False},
    5: {"service_areas": ["state:NY"], "is_service_area_exclusive": True},
}
ROWS = [*(resource(n, service_area_text=TEXT, **area) for n, area in AREAS.items()), resource(6)]


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    folder = tmp_path_factory.mktemp("areas")
    write_town(folder, resources=ROWS)
    with open_client(folder) as client:
        yield client


def found(client, path, query):
    return read(client, f"/api/resources/{path}&limit=50{query}", ResourceList)


@pytest.mark.parametrize("path", ["search?zip=10002", "nearby?lat=40.7157&lng=-73.9863"])
def test_only_a_proven_no_is_left_out(client, path):
    answer = found(client, path, "&serves_zip=10002")
    assert {r.id: r.serves_area for r in answer.resources} == {
        1: "yes",
        3: "not_known",
        4: "not_known",
        5: "yes",
        6: "not_known",
    }
    assert (answer.total_available, answer.serves_area_not_known) == (5, 3)
    assert answer.filtered_out_unknown == 0
    assert "Of 3 places it is not known whether they serve ZIP code 10002" in answer.message


def test_no_area_without_the_parameter(client):
    answer = client.get("/api/resources/search?zip=10002").json()
    assert len(answer["resources"]) == len(ROWS)
    assert "serves_area_not_known" not in answer
    assert all("serves_area" not in record for record in answer["resources"])


PAGES = [
    ("/place/1", "Serves only ZIP codes 10002 and 10003, according to its list."),
    ("/es/place/1", "solo atiende a residentes de los códigos postales 10002 y 10003."),
    (
        "/place/3",
        "Serves ZIP code 10003, according to its list. We do not know if it serves other areas",
    ),
    ("/es/place/3", "No se sabe si atiende a otras zonas"),
    ("/place/4", f"Its list says: “{TEXT}”. We do not know if that includes your home"),
    ("/es/place/4", f"«{TEXT}». No se sabe si incluye su domicilio"),
    ("/place/5", "Serves only New York, according to its list."),
    ("/es/place/5", "solo atiende a residentes de Nueva York."),
]


@pytest.mark.parametrize(("path", "sentence"), PAGES, ids=[path for path, _ in PAGES])
def test_the_page_has_a_sentence_on_it(client, path, sentence):
    assert sentence in client.get(path).text


def test_the_page_is_silent_without_an_area(client):
    assert "Area served" not in client.get("/place/6").text


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        (
            "food pantries near 10002 that serve 10002",
            "Serves people from ZIP code 10002: yes at 2 of 6 places, no at 1; not known for 3.",
        ),
        (
            "despensas en 10002 que atienden a residentes del código postal 10002",
            "Atiende a personas del código postal 10002: sí en 2 de 6 lugares, no en 1; de 3 no se sabe.",
        ),
    ],
)
def test_a_question_filters_by_area(client, question, sentence):
    document = client.get("/api/llm-search", params={"q": question}).json()
    assert {"kind": "serves_zip", "value": "10002"} in document["intent"]["constraints"]
    assert sentence in document["answer"]
    assert [record["id"] for record in document["resources"]][:2] == [1, 5]
    assert document["resources"][-1]["id"] == 2


@pytest.mark.parametrize(
    "question", ["food near 10002", "I live in 10002 and need food", "vivo en 10002"]
)
def test_a_question_without_it_does_not(client, question):
    document = client.get("/api/llm-search", params={"q": question}).json()
    assert "serves_zip" not in [one["kind"] for one in document["intent"]["constraints"]]


def test_a_question_in_the_search_box_becomes_the_filter(client):
    text = client.get("/search", params={"q": "pantries that serve 10002"}).text
    assert "Serves ZIP code 10002" in text
