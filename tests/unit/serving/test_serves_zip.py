"""Does it serve me: in searches and on the page of a place."""

from __future__ import annotations

import msgspec
import pytest
from litestar.testing import TestClient

from schemas.api.lists import ResourceList
from serving.app import create_app
from serving.settings import Settings
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
ROWS = [
    *(resource(n, service_area_text=TEXT, **area) for n, area in AREAS.items()),
    resource(6),
]


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    folder = tmp_path_factory.mktemp("areas")
    write_town(folder, resources=ROWS)
    settings = Settings(
        data_dir=folder, operations_file=str(folder / "o.sqlite"), log_level="error"
    )
    with TestClient(create_app(settings), raise_server_exceptions=False) as opened:
        yield opened


def found(client, path, query):
    answer = client.get(f"/api/resources/{path}&limit=50{query}")
    assert answer.status_code == 200, answer.text
    return msgspec.json.decode(answer.content, type=ResourceList)


@pytest.mark.parametrize("path", ["search?zip=10002", "nearby?lat=40.7157&lng=-73.9863"])
def test_only_a_proven_no_is_left_out(client, path):
    answer = found(client, path, "&serves_zip=10002")
    assert {r.id: r.serves_area for r in answer.resources} == {
        1: "yes", 3: "not_known", 4: "not_known", 5: "yes", 6: "not_known",
    }  # fmt: skip
    assert (answer.total_available, answer.serves_area_not_known) == (5, 3)
    assert answer.filtered_out_unknown == 0
    assert "Of 3 places it is not known whether they serve ZIP code 10002" in answer.message


def test_nothing_is_said_where_nothing_was_asked(client):
    answer = client.get("/api/resources/search?zip=10002").json()
    assert len(answer["resources"]) == len(ROWS)
    assert "serves_area_not_known" not in answer
    assert all("serves_area" not in record for record in answer["resources"])


@pytest.mark.parametrize("zip_code", ["1000", "10002-1234", "abcde", ""])
def test_a_wrong_zip_code_names_the_field(client, zip_code):
    answer = client.get(f"/api/resources/search?zip=10002&serves_zip={zip_code}")
    assert answer.status_code == 400
    (fault,) = answer.json()["errors"]
    assert fault["field"] == "serves_zip"


PAGES = [
    ("/place/1", "Serves only ZIP codes 10002 and 10003, says its list."),
    ("/es/place/1", "solo atiende a residentes de los códigos postales 10002 y 10003."),
    ("/place/3", "Serves ZIP code 10003, says its list. Not known whether it serves other areas"),
    ("/es/place/3", "No se sabe si atiende a otras zonas"),
    ("/place/4", f"Its list says: “{TEXT}”. Not known whether that includes your home"),
    ("/es/place/4", f"«{TEXT}». No se sabe si incluye su domicilio"),
    ("/place/5", "Serves only New York, says its list."),
    ("/es/place/5", "solo atiende a residentes de Nueva York."),
]


@pytest.mark.parametrize(("path", "sentence"), PAGES, ids=[path for path, _ in PAGES])
def test_the_page_says_so_in_a_sentence(client, path, sentence):
    assert sentence in client.get(path).text


def test_the_page_is_silent_without_an_area(client):
    assert "Area served" not in client.get("/place/6").text
