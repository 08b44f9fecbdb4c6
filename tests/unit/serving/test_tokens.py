"""Invalid tokens answer alike everywhere, and no token works for another place."""

import json
import re
from datetime import UTC, datetime

import pytest
from sqlalchemy import select, update

from tests.support.clients import open_client
from tests.support.operators import make_tokens
from warehouse.operations.claims import confirm
from warehouse.operations.engine import open_store
from warehouse.operations.models import CLAIMS, EDITS

JSON_PATHS = ["status", "withdraw", "rotate", "revoke", "phone/send", "phone/confirm"]
PAGES = ["/pantry/manage/{}", "/es/pantry/manage/{}", "/api/pantry/manage/{}", "/pantry/confirm/{}"]
FORMS = [
    {"action": "hours", "hours_text": "Mon 9-5"},
    {"action": "revoke"},
    {"action": "rotate"},
    {"status": "open_today"},
]
# What differs between any two answers, or names the address that was asked.
CHANGING = {"x-request-id", "date", "content-length", "etag"}


@pytest.fixture
def operations(town, tmp_path):
    path = tmp_path / "o.sqlite"
    with open_client(town, operations_file=str(path), limits="off", log_level="critical") as client:
        store = open_store(path)
        yield client, store
        store.close()


def claimed(client, resource_id, email="ann@pantry.example"):
    answer = client.post(
        "/api/pantry/claim", json={"resource_id": resource_id, "operator_email": email}
    )
    return answer.json()["claim_token"]


@pytest.fixture
def dead(operations) -> dict[str, str]:
    """Return invalid tokens of equal length by their fault."""
    client, store = operations
    tokens = {
        "wrong": "x" * 43,
        "revoked": claimed(client, 201),
        "rotated": claimed(client, 202),
        "expired": claimed(client, 203),
    }
    client.post("/api/pantry/revoke", json={"claim_token": tokens["revoked"]})
    client.post("/api/pantry/rotate", json={"claim_token": tokens["rotated"]})
    with store.write() as db:
        db.execute(
            update(CLAIMS).where(CLAIMS.c.resource_id == 203).values(expires_at=datetime.now(UTC))
        )
    return tokens


def refusal(answer, token: str) -> tuple[int, str, str]:
    """Return status, headers and body of an answer without parts that vary by request."""
    headers = sorted((k, v) for k, v in answer.headers.items() if k not in CHANGING)
    body = re.sub(r'"request_id":"[^"]*"', "", answer.text.replace(token, "TOKEN"))
    return answer.status_code, json.dumps(headers), body


def test_dead_tokens_answer_alike(operations, dead):
    client, _ = operations
    for path in JSON_PATHS:
        more = {"status": {"status": "open_today"}, "phone/confirm": {"code": "123456"}}.get(
            path, {}
        )
        answers = {
            refusal(client.post(f"/api/pantry/{path}", json={"claim_token": t, **more}), t)
            for t in dead.values()
        }
        assert len(answers) == 1, path
        assert next(iter(answers))[0] == 404, path


def test_dead_pages_answer_alike(operations, dead):
    client, _ = operations
    for path in PAGES:
        for form in (None, *([] if path.startswith("/api/") else FORMS)):
            answers = set()
            for token in dead.values():
                address = path.format(token)
                answer = client.post(address, data=form) if form else client.get(address)
                answers.add(refusal(answer, token))
            assert len(answers) == 1, (path, form)
            assert next(iter(answers))[0] == 404, (path, form)


def test_no_token_speaks_for_another_place(operations):
    client, store = operations
    _, other = make_tokens(str(store.url), [101, 102])
    for extra in ({"resource_id": 101}, {"resource_id": 999}):
        body = {"claim_token": other, "status": "closed_today", **extra}
        assert client.post("/api/pantry/status", json=body).status_code == 404
    form_data = {"action": "hours", "hours_text": "Mon 9am-5pm", "resource_id": "101", "id": "101"}
    page = client.post(f"/pantry/manage/{other}", data=form_data, follow_redirects=False)
    assert page.status_code == 303
    with store.read() as db:
        assert {row.resource_id for row in db.execute(select(EDITS.c.resource_id))} == {102}
    assert client.get("/api/pantry/101/status").json()["live_status"] is None


@pytest.mark.parametrize("is_confirmed", [False, True])
def test_corrected_hours_always_await_review(operations, is_confirmed):
    client, store = operations
    token = claimed(client, 101)
    if is_confirmed:
        with store.write() as db:
            confirm(db, 1, "administrator", "administrator ann", datetime.now(UTC))
    path, before = f"/pantry/manage/{token}", client.get("/api/resources/101").json()
    assert client.post(path, data={"action": "hours", "hours_text": ""}).status_code == 400
    form_data = {"action": "hours", "hours_text": "Mon 9am-5pm"}
    page = client.post(path, data=form_data, follow_redirects=False)
    assert page.headers["location"].endswith("?done=hours")
    with store.read() as db:
        [edit] = db.execute(select(EDITS)).all()
    assert (edit.state, edit.claim_id is not None) == ("pending", is_confirmed)
    after = client.get("/api/resources/101").json()
    assert {k: v for k, v in after.items() if k not in {"generated_at"}} == {
        k: v for k, v in before.items() if k not in {"generated_at"}
    }
