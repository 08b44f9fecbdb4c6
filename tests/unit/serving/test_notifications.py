"""Messages over HTTP: limits by recipient, sending in the background, repetition by an
administrator.
"""

import json
from datetime import UTC, datetime

import pytest
from sqlalchemy import select, update

from tests.support.clients import open_client
from tests.support.mail_catcher import mail_server
from tests.support.processes import comes_true
from tests.support.reviewers import COOKIE, csrf, session_token
from warehouse.operations import claims as claim_store
from warehouse.operations.models import OUTBOX
from warehouse.operations.outbox import MAX_ATTEMPTS


@pytest.fixture(autouse=True)
def _looks_often(monkeypatch):
    monkeypatch.setattr("serving.processes.notifications.POLL_SECONDS", 0.05)


def claim(client, resource_id, email):
    return client.post(
        "/api/pantry/claim", json={"resource_id": resource_id, "operator_email": email}
    )


def rows(store):
    with store.read() as db:
        return db.execute(select(OUTBOX).order_by(OUTBOX.c.message_id)).all()


@pytest.mark.parametrize("limits", ["on", "off"])
def test_a_mailbox_gets_three_messages_for_all_places_and_spellings(town, store_url, store, limits):
    with (
        mail_server() as mails,
        open_client(town, operations_url=store_url, smtp_url=mails.url, limits=limits) as client,
    ):
        spellings = [
            "ann@pantry.example",
            "ANN@pantry.example",
            "ann+2@pantry.example",
            "ann+3@Pantry.example",
        ]
        claims = [claim(client, 300 + n, address).json() for n, address in enumerate(spellings)]
        assert [answer["is_link_sent"] for answer in claims] == [True, True, True, False]
        # Nothing is lost: the claim is made, and says what to do.
        assert claims[3]["claim_token"]
        assert "three messages" in claims[3]["message"]
        assert claim(client, 304, "bob@pantry.example").json()["is_link_sent"]
        with store.write() as db:
            number = claim_store.claims_on(db, 300)[0].claim_id
            claim_store.confirm(db, number, "administrator", "administrator ann", datetime.now(UTC))
        refusal = claim(client, 300, "ann@pantry.example")
        assert refusal.status_code == 429
        assert 86_000 < int(refusal.headers["retry-after"]) <= 86_400
        assert "24 hours" in refusal.json()["detail"]
        assert comes_true(lambda: len(mails.messages) == 4)
    assert len(rows(store)) == 4


def test_a_telephone_gets_three_codes_a_day(town, store_url, tmp_path):
    program = tmp_path / "send"
    program.write_text(f"#!/bin/sh\ncat >> {tmp_path}/sent\n")
    program.chmod(0o755)
    with open_client(town, operations_url=store_url, phone_command=str(program)) as client:
        tokens = [
            claim(client, 101, f"{name}@pantry.example").json()["claim_token"]
            for name in ("ann", "bob")
        ]
        answers = [
            client.post("/api/pantry/phone/send", json={"claim_token": t}) for t in tokens * 2
        ]
        assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
        assert "three messages" in answers[3].json()["detail"]
        assert int(answers[3].headers["retry-after"]) > 80_000
        assert comes_true(
            lambda: (
                (tmp_path / "sent").exists() and (tmp_path / "sent").read_text().count("phone") == 3
            ),
        )
        messages = json.loads("[" + (tmp_path / "sent").read_text().replace("}{", "},{") + "]")
        assert {message["phone"] for message in messages} == {"+12125550101"}


def test_a_silent_server_delays_no_answer(town, store_url, store):
    with mail_server(is_silent=True) as mails:
        with open_client(
            town, operations_url=store_url, smtp_url=mails.url, limits="off"
        ) as client:
            for number in range(30):
                assert claim(client, 300 + number, f"op-{number}@pantry.example").status_code == 200
            assert comes_true(lambda: mails.silent_connections > 0)
            # The answers have come while the server still holds the very first message.
            assert {row.state for row in rows(store)} == {"waiting"}
            assert client.get("/api/resources/101").status_code == 200
        # The end of the service does not wait for it either, and loses nothing.
        assert [row.state for row in rows(store)] == ["waiting"] * 30


def test_a_slow_attempt_is_recorded(town, store_url, store, monkeypatch):
    monkeypatch.setattr("serving.processes.notifications.ATTEMPT_SECONDS", 0.3)
    with (
        mail_server(is_silent=True) as mails,
        open_client(
            town, operations_url=store_url, smtp_url=mails.url, log_level="critical"
        ) as client,
    ):
        claim(client, 101, "ann@pantry.example")
        assert comes_true(lambda: all(row.fault for row in rows(store)))
    assert [row.fault for row in rows(store)] == ["TimeoutError"]


def test_dead_messages_are_sent_again_from_the_console(town, store_url, store):
    with mail_server() as mails:
        with open_client(
            town, operations_url=store_url, smtp_url="smtp://127.0.0.1:1", log_level="critical"
        ) as client:
            claim(client, 101, "ann@pantry.example")
            claim(client, 102, "bob@pantry.example")
            assert comes_true(lambda: all(row.fault for row in rows(store)))
            with store.write() as db:
                db.execute(
                    update(OUTBOX).values(attempts=MAX_ATTEMPTS - 1, due_at=datetime.now(UTC))
                )
            assert comes_true(lambda: {row.state for row in rows(store)} == {"dead"})
        with open_client(town, operations_url=store_url, smtp_url=mails.url) as client:
            client.cookies.set(COOKIE, session_token(store), path="/admin")
            page = client.get("/admin/outbox").text
            assert "ConnectionRefusedError" in page
            assert "pantry.example" not in page
            first, second = (row.message_id for row in rows(store))
            for number, action in ((first, "resend"), (second, "discard")):
                client.post(
                    "/admin/outbox", data={"csrf": csrf(page), "message": number, "action": action}
                )
            assert comes_true(lambda: rows(store)[0].state == "sent")
            assert [mail.recipients for mail in mails.messages] == [["ann@pantry.example"]]
            assert [row.state for row in rows(store)] == ["sent", "discarded"]
            assert {row.body for row in rows(store)} == {None}
            assert "Nothing here." in client.get("/admin/outbox").text


def test_logs_name_neither_recipient_nor_text(town, store_url, capfd):
    with open_client(
        town, operations_url=store_url, smtp_url="smtp://127.0.0.1:1", log_level="info"
    ) as client:
        claim(client, 101, "ann@pantry.example")
        log = ""

        def has_said():
            nonlocal log
            log += "".join(capfd.readouterr())
            return "message_not_sent" in log

        assert comes_true(has_said)
    assert "pantry.example" not in log
    assert "/pantry/confirm/" not in log
