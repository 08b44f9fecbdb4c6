"""Texts that break programs, in every field that strangers may write: refused or stored, on both
databases, never 5xx.
"""

import json
from typing import Any

import pytest

from schemas.values.names import without_invisible
from tests.support.clients import on_loopback, open_client
from tests.support.operators import make_tokens
from tests.support.reviewers import csrf
from tests.support.store_fixtures import postgresql, postgresql_with_tables, store_url
from tests.support.town import NEW_PLACE
from warehouse.operations.models import METADATA

__all__ = ["postgresql", "postgresql_with_tables", "store_url"]
# JSON escapes as a client would send them: a nul, half a surrogate pair, control characters, a line
# break, marks that turn the direction of writing, a very long text, deep nesting, a number where a
# text belongs.
TEXTS = [
    '"Ann\\u0000Operator"',
    '"\\ud800"',
    '"\\u001b[31mred\\u0007"',
    '"one\\r\\nBcc: all@example.org"',
    '"\\u202Egnp.exe"',
    '"\\ufeff\\u200b"',
    '"\\u2066Ann\\u2069 \\udb40\\udc41"',
    '"' + "x" * 5000 + '"',
    "[" * 200 + "]" * 200,
    "1e999",
    "{}",
    '"\\uFDFA\\u0301"',
    '"%00%0d%0a"',
    "\"=cmd|'/c calc'!A0\"",
    # Of every length that a field allows; form C of Unicode is twice as long.
    *('"' + "\u0958" * most + '"' for most in (40, 120, 254, 500, 1000)),
]
CLAIM = {"resource_id": 102, "operator_email": "ann@pantry.example"}
EDIT = {"resource_id": 101, "changes": {"notes": "ring twice"}, "submitted_by": "Ann"}
# Address, the rest of the body, and the fields that hold a text.
WRITES: list[tuple[str, dict[str, Any], str]] = [
    ("/api/submissions", NEW_PLACE, " ".join(NEW_PLACE)),
    ("/api/submissions", NEW_PLACE, "phone website hours_text services_offered requirements_text"),
    ("/api/submissions", NEW_PLACE, "submitter_email submitter_name submitter_relationship"),
    ("/api/feedback", {"type": "other", "comment": "x"}, "type resource_id comment contact"),
    ("/api/partner/edit", EDIT, "resource_id submitted_by changes changes.notes changes.name"),
    ("/api/partner/edit", EDIT, "changes.hours_text changes.languages"),
    ("/api/pantry/claim", CLAIM, "operator_email operator_phone operator_name"),
    ("/api/pantry/status", {"status": "open_today"}, "status notes inventory resource_id"),
    ("/api/pantry/status", {"status": "open_today"}, "claim_token"),
    ("/api/pantry/withdraw", {}, "claim_token"),
    ("/api/pantry/rotate", {}, "claim_token"),
    ("/api/pantry/revoke", {}, "claim_token"),
    ("/api/pantry/phone/send", {}, "claim_token"),
    ("/api/pantry/phone/confirm", {}, "claim_token code"),
    ("/api/pantry/confirm", {}, "secret"),
]
FIELDS = [(path, body, field) for path, body, names in WRITES for field in names.split()]
FORMS = [
    ("/add", NEW_PLACE, "name"),
    ("/add", NEW_PLACE, "services_offered"),
    ("/feedback", {"type": "other"}, "comment"),
    ("/feedback", {"type": "wrong_info"}, "contact"),
    ("/claim", {**CLAIM, "id": "101"}, "operator_name"),
    ("/claim", {**CLAIM, "id": "101"}, "operator_email"),
]


@pytest.fixture
def client(town, store_url):
    with open_client(town, operations_url=store_url, limits="off", log_level="critical") as client:
        (client.token,) = make_tokens(store_url, [101])
        yield client


def body_with(client, body: dict, field: str, text: str) -> bytes:
    """Return a JSON body whose `field` ("a.b" within an object) is `text`, unescaped."""
    whole = {**body}
    if "/pantry" in field or "status" in body:
        whole = {"claim_token": client.token, **whole}
    outer, _, inner = field.partition(".")
    whole[outer] = {inner: "@@"} if inner else "@@"
    return json.dumps(whole).replace('"@@"', text).encode()


def test_every_field_accepts_or_refuses_every_text(client):
    broken = []
    for path, body, field in FIELDS:
        for number, text in enumerate(TEXTS):
            payload = body_with(client, body, field, text)
            answer = client.post(
                path,
                content=payload,
                headers={
                    "content-type": "application/json",
                    "idempotency-key": f"{path}{field}{number}",
                },
            )
            if answer.status_code >= 500:
                broken.append((path, field, text[:40], answer.status_code))
    assert not broken
    assert not hidden_characters(client.app.state.context.store)


def hidden_characters(store) -> set[tuple[str, str]]:
    """Return table and column of every stored text with a character that nobody sees."""
    with store.write() as db:
        return {
            (table.name, name)
            for table in METADATA.tables.values()
            for row in db.execute(table.select()).mappings()
            for name, value in row.items()
            if without_invisible(text := json.dumps(value, default=str, ensure_ascii=False)) != text
        }


def test_every_form_accepts_or_refuses_every_text(client):
    broken = []
    for path, body, field in [
        *FORMS,
        (f"/pantry/manage/{client.token}", {"action": "report", "status": "open_today"}, "notes"),
        (f"/pantry/manage/{client.token}", {"action": "hours"}, "hours_text"),
        (f"/pantry/manage/{client.token}", {"action": "code"}, "code"),
    ]:
        for text in (
            "Ann\0Operator",
            "\ud800".encode("utf-8", "surrogatepass"),
            b"\xff\xfe",
            "one\r\nBcc: x@y.example",
            "\u202egnp \u2066Ann\u2069",
            "x" * 5000,
            "\x1b[31m",
        ):
            answer = client.post(path, data={**body, field: text}, follow_redirects=False)
            if answer.status_code >= 500:
                broken.append((path, field, text[:40], answer.status_code))
    assert not broken
    assert not hidden_characters(client.app.state.context.store)


def test_every_key_of_a_client_is_accepted_or_refused(client):
    broken = []
    for header in ("a\x00b", "\xff", "x" * 64, "x" * 300, " "):
        for path, body in (
            ("/api/submissions", NEW_PLACE),
            ("/api/pantry/status", {"claim_token": client.token, "status": "open_today"}),
        ):
            key = {"idempotency-key": header.encode("latin-1")}
            answer = client.post(path, json=body, headers=key)
            if answer.status_code >= 500:
                broken.append((header, path, answer.text))
    assert not broken


def test_a_code_and_a_passkey_at_the_console(client):
    for path, field in (("/admin/enrol", "code"), ("/admin/sign-in", "credential")):
        page = client.get(f"http://localhost:8000{path}").text
        token = csrf(page)
        for text in ("ann\0", "x" * 5000, "\x1b", "[]", '{"id":1}'):
            client.cookies.clear()
            client.cookies.set("larder_sign_in", token, path="/admin")
            answer = client.post(
                f"http://localhost:8000{path}",
                data={field: text, "csrf": token, "challenge": text},
                follow_redirects=False,
            )
            assert answer.status_code == 403, answer.text


def test_text_messages(client):
    on_loopback(client.app)
    broken = []
    for body in (
        "Body=10002%00&From=%2B12125550143&MessageSid=SM%00",
        "Body=%FF%FE&From=%00",
        "Body=STOP&From=%ED%A0%80&MessageSid=1",
        "From=a&Body=" + "9" * 9000,
    ):
        answer = client.post(
            "/api/sms", content=body, headers={"content-type": "application/x-www-form-urlencoded"}
        )
        if answer.status_code >= 500:
            broken.append((body[:40], answer.text))
    assert not broken
