"""A place sent to the reader's own telephone: only where that is set up, once, and within limits."""

import json
from datetime import UTC, datetime

import pytest

from serving.render.words import words
from tests.support.clients import open_client
from tests.support.processes import comes_true
from warehouse.operations.sms import Message, exchange

W = words("site", "en")


@pytest.fixture
def texting(town, store_url, tmp_path):
    """A client of a service that sends texts through a program, and the file of sent messages."""
    program, outbox = tmp_path / "send", tmp_path / "sent"
    program.write_text(f"#!/bin/sh\ncat >> {outbox}\n")
    program.chmod(0o755)
    with open_client(town, operations_url=store_url, phone_command=str(program)) as client:
        yield client, outbox


def ask(client, phone, path="/place/101/text", **more):
    return client.post(path, data={"phone": phone}, **more)


def test_a_place_is_sent_once(texting) -> None:
    client, outbox = texting
    assert 'action="/place/101/text"' in client.get("/place/101").text
    answer = ask(client, "212 555 0199", "/es/place/101/text")
    assert answer.status_code == 200
    assert "(212) 555-0199" in answer.text
    assert answer.headers["cache-control"] == "private, no-store"
    assert comes_true(lambda: outbox.exists() and outbox.read_text().endswith("}"))
    message = json.loads(outbox.read_text())
    assert message["phone"] == "+12125550199"
    lines = message["text"].split("\n")
    assert lines[:3] == [
        "Example Pantry East",
        "1 Example Street, New York, NY 10002",
        "(212) 555-0101",
    ]
    assert lines[-1] == "http://127.0.0.1:8000/es/place/101"
    assert len(message["text"]) <= 306


@pytest.mark.parametrize("phone", ["", "12", "911", "+44 20 7946 0000", "<script>", "900 555 0199"])
def test_only_personal_numbers_get_a_message(texting, phone) -> None:
    client, outbox = texting
    answer = ask(client, phone)
    assert answer.status_code == 400
    assert "<script>" not in answer.text
    assert not outbox.exists()


def test_a_client_and_a_telephone_have_limits(texting) -> None:
    client, _ = texting
    statuses = [ask(client, f"212 555 010{n}").status_code for n in range(4)]
    assert statuses == [200, 200, 200, 429]


def test_a_number_that_opted_out_gets_nothing(texting, store) -> None:
    client, outbox = texting
    with store.write() as db:
        message = Message("1", "+12125550199", "STOP", "stop")
        exchange(db, message, "ok", "busy", 0, datetime.now(UTC))
    answer = ask(client, "(212) 555-0199")
    assert answer.status_code == 429
    assert W.text_refused in answer.text
    assert ask(client, "(212) 555-0198").status_code == 200
    assert comes_true(outbox.exists)
    assert "0199" not in outbox.read_text()


def test_other_sites_send_nothing(texting) -> None:
    client, outbox = texting
    answer = ask(client, "2125550199", headers={"origin": "https://evil.example"})
    assert answer.status_code == 403
    assert not outbox.exists()


def test_where_it_is_not_set_up_nothing_offers_it(client) -> None:
    assert "/text" not in client.get("/place/101").text
    assert ask(client, "2125550199").status_code == 503
