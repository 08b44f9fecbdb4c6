"""Doubtful listings: shown everywhere with visitors' reports; only administrators retire them."""

import re
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from litestar.testing import TestClient
from sqlalchemy import select

from schemas.hours.clock_words import month_day
from serving.app import create_app
from serving.settings import Settings
from serving.sms.routes import signature_of
from tests.support.reviewers import COOKIE, csrf, session_token
from warehouse.operations.engine import open_store
from warehouse.operations.feedback import Feedback, give_feedback
from warehouse.operations.models import FEEDBACK

PHONE, NO_PHONE = 110, 305
TOKEN = "t" * 32
URL = "http://127.0.0.1:8000"


def say(store, kind, resource_id, addresses=("192.0.2.1", "192.0.2.2")):
    for address in addresses:
        with store.write() as db:
            actual = Feedback(kind, resource_id, None, None)
            give_feedback(db, actual, address, datetime.now(UTC))


def today():
    day = datetime.now(UTC).astimezone(ZoneInfo("America/New_York")).date()
    return month_day(day.month, day.day, "en"), month_day(day.month, day.day, "es")


@pytest.fixture(scope="module")
def opened(feed, tmp_path_factory):
    """A service with reports that one place is closed and another wrong, and its store."""
    url = f"sqlite:///{tmp_path_factory.mktemp('doubts') / 'operations.sqlite'}"
    store = open_store(url)
    say(store, "closed", PHONE)
    say(store, "wrong_info", NO_PHONE)
    settings = Settings(
        data_dir=feed, operations_url=url, log_level="error", sms_token=TOKEN, base_url=URL
    )
    app = create_app(settings)
    with TestClient(app, base_url=URL, raise_server_exceptions=False) as client:
        yield client, store
    store.close()


def mcp(client):
    call = {"name": "get_resource_details", "arguments": {"resource_id": PHONE}}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
    accept = {"accept": "application/json, text/event-stream"}
    return client.post("/mcp/v1", json=body, headers=accept)


CLOSED = "2 people reported that it may be closed, most recently on {day}. Call first."
CERRADO = (
    "2 personas avisaron que podría estar cerrado; el último aviso es del {day}. Llame antes de ir."
)
WRONG = "2 people reported a mistake in this listing, most recently on {day}. Check before you go: call 211."
ERROR = "2 personas avisaron de un error en estos datos; el último aviso es del {day}. Antes de ir, pregunte al 211."
SURFACES = {
    "search": ("/api/resources/search?zip=10002&limit=100", CLOSED),
    "search, explained": ("/api/resources/search?zip=10002&limit=100&explain=1", CLOSED),
    "search, no telephone": ("/api/resources/search?zip=10002&limit=100", WRONG),
    "nearby": ("/api/resources/nearby?lat=40.7157&lng=-73.9863&limit=100", CERRADO),
    "urgent": ("/api/resources/urgent?zip=10002&limit=50", WRONG),
    "record": (f"/api/resources/{PHONE}", CLOSED),
    "record, no telephone": (f"/api/resources/{NO_PHONE}", ERROR),
    "status": (f"/api/resources/{PHONE}/status", CERRADO),
    "bulk": ("/api/resources/bulk?state=NY&limit=100", CLOSED),
    "bulk, CSV": ("/api/resources/bulk?state=NY&limit=100&format=csv", CLOSED),
    "place page": (f"/place/{PHONE}", CLOSED),
    "place page, Spanish": (f"/es/place/{NO_PHONE}", ERROR),
    "cards of a search": ("/search?q=10002", CLOSED),
    "cards of a search, Spanish": ("/es/search?q=10002", CERRADO),
    "widget": ("/embed/widget?zip=10002", CLOSED),
    "card": (f"/embed/pantry/{NO_PHONE}", WRONG),
    "embed data": (f"/api/embed/pantry/{PHONE}.json", CERRADO),
    "plain language": ("/api/llm-search?q=food%20in%2010002", CLOSED),
    "plain language, Spanish": ("/api/llm-search?q=comida%20gratis%20en%2010002", CERRADO),
    "MCP": (mcp, CLOSED),
}


@pytest.mark.parametrize(("ask", "words"), SURFACES.values(), ids=SURFACES)
def test_every_surface_lists_a_doubted_place_with_its_doubt(opened, ask, words):
    client, _ = opened
    answer = client.get(ask) if isinstance(ask, str) else ask(client)
    assert answer.status_code == 200, answer.text
    english, spanish = today()
    day = spanish if "avisaron" in words else english
    assert words.format(day=day) in answer.text


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("10002", "2 people say it may be closed, call first. (212) 555-0110"),
        ("comida 10002", "2 personas dicen que esta cerrado, llame antes. (212) 555-0110"),
    ],
)
def test_a_text_message_has_the_doubt_in_short(opened, body, words):
    client, _ = opened
    form = {"From": "+12125550199", "To": "+12125550100", "Body": body, "MessageSid": body}
    address = f"{URL}/api/sms"
    signed = {"X-Twilio-Signature": signature_of(TOKEN, address, list(form.items()))}
    answer = client.post("/api/sms", data=form, headers=signed)
    assert answer.status_code == 200, answer.text
    assert words in answer.text


def test_a_doubt_is_typed_and_changes_no_opening_state(opened):
    client, _ = opened
    record = client.get(f"/api/resources/{PHONE}").json()
    doubt = record["doubt"]
    assert (doubt["kind"], doubt["reporters"]) == ("closed", 2)
    assert client.get("/api/resources/111").json()["doubt"] is None
    bare = client.get(f"/api/resources/{PHONE}/status").json()["hours"]["status"]
    assert record["hours_status"] == bare


def test_of_equally_certain_places_doubted_ones_come_last(opened):
    client, _ = opened
    records = client.get("/api/resources/urgent?zip=10002&limit=50").json()["call_first"]
    is_doubted = [place["doubt"] is not None for place in records]
    assert True in is_doubted
    assert is_doubted == sorted(is_doubted)


# ---------------------------------------------------------------- the console


@pytest.fixture
def console(opened):
    client, store = opened
    client.cookies.set(COOKIE, session_token(store), path="/admin")
    return client, store


def press(client, action, **fields):
    token = csrf(client.get("/admin/feedback").text)
    return client.post("/admin/feedback", data={"csrf": token, "action": action, **fields})


def test_the_console_rejects_confirms_and_undoes(console):
    client, store = console
    say(store, "closed", 306)
    assert client.get("/api/health").status_code == 200
    page = press(client, "read", message="999999").text
    number = re.search(r'Pantry 006.*?name="effect" value="(\d+)"', page, re.DOTALL)[1]
    assert client.get("/api/resources/306").json()["doubt"]["kind"] == "closed"
    assert press(client, "applied", effect=number).status_code == 400, "without a reason"
    assert press(client, "applied", effect=number, reason="asked the church").status_code == 200
    answer = client.get("/api/resources/306")
    assert answer.status_code == 410
    assert "closed for good, confirmed after review: asked the church" in answer.json()["detail"]
    vote = client.post("/api/feedback", json={"type": "helpful", "resource_id": 306})
    assert "asked the church" in vote.json()["detail"]
    assert press(client, "undone", effect=number).status_code == 200
    assert client.get("/api/resources/306").json()["doubt"] is None
    assert press(client, "undone", effect=number).status_code == 409


def test_feedback_of_a_network_is_discarded_together(console):
    client, store = console
    places = range(310, 316)
    for place in places:
        say(store, "closed", place, ["198.51.100.1", "198.51.100.2"])
    with store.read() as db:
        query = select(FEEDBACK.c.network).where(FEEDBACK.c.resource_id == 310)
        network = db.execute(query).scalars().first()
    assert f"network={network}" in client.get("/admin/feedback").text
    assert "Discard all" in client.get(f"/admin/feedback?network={network}").text
    assert press(client, "discard_network", network=network).status_code == 200
    assert all(client.get(f"/api/resources/{i}").json()["doubt"] is None for i in places)
