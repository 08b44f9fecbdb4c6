"""Forms of visitors: same input as the API, without a script, with errors next to the question."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from serving.render.words import words
from tests.support.clients import Client, open_client
from tests.support.pages import list_page_faults, read_page

PLACE = {
    "name": "New <b>Pantry</b>",
    "resource_type": "food_pantry",
    "address": "1 New Street",
    "city": "New York",
    "state": "NY",
    "zip": "10002",
}


@pytest.fixture(scope="module")
def visitor(town: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    store = tmp_path_factory.mktemp("forms") / "o.sqlite"
    with open_client(town, operations_file=str(store)) as client:
        yield client


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/feedback", 200),
        ("/feedback?id=101", 200),
        ("/es/feedback?id=101", 200),
        ("/feedback?id=9999", 404),
        ("/feedback?id=x", 404),
        ("/add", 200),
        ("/es/add", 200),
        ("/claim", 200),
        ("/claim?id=101", 200),
        ("/es/claim?id=101", 200),
    ],
)
def test_forms_are_valid_pages(visitor, path, status) -> None:
    answer = visitor.get(path)
    assert answer.status_code == status
    assert list_page_faults(read_page(answer)) == []


def test_a_mistake_is_stored_and_thanked_for(visitor) -> None:
    answer = visitor.post("/es/feedback", data={"id": "101", "type": "wrong_info", "comment": "x"})
    assert answer.status_code == 200
    assert words("forms", "es").feedback.done in answer.text
    assert "no-store" in answer.headers["cache-control"]


def test_a_place_is_stored_once_and_escaped(visitor) -> None:
    assert words("forms", "en").add.done in visitor.post("/add", data=PLACE).text
    again = visitor.post("/add", data=PLACE)
    assert again.status_code == 409
    assert "<b>Pantry" not in again.text
    assert 'value="New &lt;b&gt;Pantry' in again.text


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"zip": "1"}, 'href="#f-zip"'),
        ({"state": "ZZ"}, 'href="#f-state"'),
        ({"name": ""}, 'href="#f-name"'),
    ],
)
def test_errors_are_next_to_their_question(visitor, change, message) -> None:
    answer = visitor.post("/add", data=PLACE | change)
    assert answer.status_code == 400
    assert message in answer.text
    assert "1 New Street" in answer.text, "nothing typed is lost"


def test_a_claim_repeated_from_one_network_gives_the_same_page(visitor) -> None:
    claim = {"id": "101", "operator_email": "ann@pantry.example"}
    page = re.compile(r"/pantry/manage/([\w-]{40,})")
    first, second = (visitor.post("/claim", data=claim) for _ in range(2))
    assert (first.status_code, second.status_code) == (200, 200)
    assert page.findall(first.text)
    assert page.findall(first.text) == page.findall(second.text)
    assert visitor.post("/claim", data=claim | {"operator_email": "nobody"}).status_code == 400


def test_forms_of_other_sites_are_refused(visitor) -> None:
    form_data = {"id": "101", "type": "closed"}
    answer = visitor.post(
        "/feedback", data=form_data, headers={"origin": "https://elsewhere.example"}
    )
    assert answer.status_code == 403
    own = visitor.post(
        "/feedback", data=form_data, headers={"origin": str(visitor.base_url).rstrip("/")}
    )
    assert own.status_code == 200


@pytest.mark.parametrize(
    "path",
    [
        "/add",
        "/es/feedback",
        "/claim",
        "/snap-calculator",
        "/es/snap-calculator",
        "/admin/sign-in",
        "/pantry/manage/x",
    ],
)
def test_other_content_is_no_empty_form(visitor, path) -> None:
    answer = visitor.post(path, json=PLACE)
    assert (answer.status_code, answer.headers["connection"]) == (415, "close")
    assert answer.json()["detail"] == "application/json is not a form."
