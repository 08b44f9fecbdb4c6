"""Forms of visitors: same input as the API, without a script, with errors next to the question."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from serving.render.words import words
from tests.support.clients import Client, open_client
from tests.support.pages import list_page_faults, read_page
from warehouse.operations import administrators

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


def test_thanks_promise_a_review_only_if_someone_reviews(town, store_url, store) -> None:
    w = words("forms", "es")
    told = {"id": "101", "type": "wrong_info", "comment": "x"}
    with open_client(town, operations_url=store_url) as client:
        answer = client.post("/es/feedback", data=told)
        assert answer.status_code == 200
        assert w.feedback.done_unread in answer.text
        assert "no-store" in answer.headers["cache-control"]
        assert w.add.done_unread in client.post("/es/add", data=PLACE).text
        administrators.invite(store, "ann", datetime.now(UTC))
        assert w.feedback.done in client.post("/es/feedback", data=told).text
        assert w.add.done in client.post("/es/add", data=PLACE | {"name": "Another"}).text
        # Nobody reads a vote without a text.
        votes = {"helpful": w.feedback.done_right, "closed": w.feedback.done_counted}
        for kind, thanks in votes.items():
            page = client.post("/es/feedback", data={"id": "102", "type": kind}).text
            assert thanks in page


def test_a_place_is_stored_once_and_escaped(visitor) -> None:
    assert words("forms", "en").add.done_unread in visitor.post("/add", data=PLACE).text
    again = visitor.post("/add", data=PLACE)
    assert again.status_code == 409
    assert "<b>Pantry" not in again.text
    assert 'value="New &lt;b&gt;Pantry' in again.text


@pytest.mark.parametrize(
    ("path", "change", "field"),
    [
        ("/add", {"zip": "1"}, "zip"),
        ("/add", {"zip": "90001"}, "zip"),
        ("/add", {"state": ""}, "state"),
        ("/es/add", {"state": "ZZ"}, "state"),
        ("/add", {"name": ""}, "name"),
        ("/add", {"resource_type": ""}, "resource_type"),
        ("/es/add", {"website": "none"}, "website"),
        ("/add", {"submitter_email": "nobody"}, "submitter_email"),
        ("/add", {"address": "1 New Street " * 99}, "address"),
        ("/es/feedback", {"id": "101", "type": ""}, "type"),
        ("/claim", {"id": "101", "operator_email": ""}, "operator_email"),
    ],
)
def test_errors_are_next_to_their_question(visitor, path, change, field) -> None:
    answer = visitor.post(path, data=PLACE | {"phone": "(212) 555-0100"} | change)
    assert answer.status_code == 400
    faults = words("forms", "es" if path.startswith("/es/") else "en").faults
    rule = "long" if len(change.get(field, "")) > 200 else field
    sentence = faults["email" if field.endswith("_email") else rule]
    html = read_page(answer)
    # In the summary above the form, and beside the one question that is wrong.
    assert [a.text for a in html.findall(f".//{{*}}a[@href='#f-{field}']")] == [sentence]
    assert [p.text for p in html.findall(".//{*}p[@class='error']")] == [sentence]
    invalid = html.find(".//{*}*[@aria-invalid='true']")
    assert (invalid.get("id"), invalid.get("aria-describedby")) == (f"f-{field}", f"e-{field}")
    assert path != "/add" or "(212) 555-0100" in answer.text, "nothing typed is lost"


@pytest.mark.parametrize("path", ["/add", "/es/add", "/feedback?id=101"])
def test_no_answer_is_chosen_beforehand(visitor, path) -> None:
    for select in read_page(visitor.get(path)).iter("{http://www.w3.org/1999/xhtml}select"):
        assert select[0].get("value") == ""
        assert not [option for option in select if option.get("selected") is not None]


def test_a_website_needs_no_scheme(visitor) -> None:
    field = read_page(visitor.get("/add")).find(".//{*}input[@name='website']")
    assert field.get("type") != "url", "browsers refuse an address without https://"
    page = visitor.post("/add", data=PLACE | {"name": "Web Pantry", "website": "pantry.example"})
    assert page.status_code == 200


def test_a_claim_repeated_from_one_network_gives_the_same_page(visitor) -> None:
    claim = {"id": "101", "operator_email": "ann@pantry.example"}
    page = re.compile(r"/pantry/manage/([\w-]{40,})")
    first, second = (visitor.post("/claim", data=claim) for _ in range(2))
    assert (first.status_code, second.status_code) == (200, 200)
    assert page.findall(first.text)
    assert page.findall(first.text) == page.findall(second.text)
    assert visitor.post("/claim", data=claim | {"operator_email": "nobody"}).status_code == 400


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
