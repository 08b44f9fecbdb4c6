"""Signing in to the console with a passkey, from the one-time link on."""

import html
import re
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import update

from tests.support.authenticator import Authenticator
from tests.support.cases import cases
from tests.support.clients import open_client
from tests.support.reviewers import COOKIE, session_token
from warehouse.operations.administrators import FRESH_FOR, invite
from warehouse.operations.engine import open_store
from warehouse.operations.models import SESSIONS
from warehouse.operations.passkeys import passkeys_of

PUBLIC, LOCAL = "https://larder.example", "http://localhost:8000"


@pytest.fixture
def path(tmp_path):
    return tmp_path / "o.sqlite"


@pytest.fixture
def store(path):
    database = open_store(path)
    yield database
    database.close()


@pytest.fixture
def client(town, path):
    """A browser at the public address."""
    with open_client(
        town, operations_file=str(path), base_url=PUBLIC, log_level="critical"
    ) as http:
        http.base_url, http.follow_redirects = PUBLIC, False
        yield http


@pytest.fixture
def local(town, path):
    """A browser on the machine of a service without a public address."""
    with open_client(town, operations_file=str(path), log_level="critical") as http:
        http.base_url, http.follow_redirects = LOCAL, False
        yield http


def new_code(store):
    return invite(store, "ann", datetime.now(UTC))[0]


def fields(page, path):
    """Return hidden fields of the form of a path, and the request for a passkey."""
    form = re.search(rf'<form method="post" action="{path}"([^>]*)>(.*?)</form>', page, re.S)
    hidden_fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form[2]))
    options = re.search(r'data-options="([^"]*)"', form[1])
    return hidden_fields, html.unescape(options[1]) if options else ""


def send(client, path, form):
    return client.post(path, data=form)


def enrol(client, code, device):
    form, _ = fields(client.get("/admin/enrol").text, "/admin/enrol")
    page = send(client, "/admin/enrol", {**form, "code": code})
    assert page.status_code == 200, page.text
    form, options = fields(page.text, "/admin/enrol")
    return send(client, "/admin/enrol", {**form, "credential": device.create(options)})


def sign_in(client, device):
    form, options = fields(client.get("/admin/sign-in").text, "/admin/sign-in")
    form["credential"] = device.get(options)
    return send(client, "/admin/sign-in", form), form


@pytest.fixture
def device():
    return Authenticator(PUBLIC, "larder.example")


def test_a_link_makes_a_passkey_which_signs_in(client, store, device):
    code = new_code(store)
    answer = enrol(client, code, device)
    assert (answer.status_code, answer.headers["location"]) == (303, "/admin")
    (cookie,) = (c for c in answer.headers.get_list("set-cookie") if c.startswith(COOKIE))
    assert {"HttpOnly", "SameSite=Strict", "Path=/admin", "Secure"} <= set(cookie.split("; "))
    assert client.get("/admin").status_code == 200
    client.cookies.clear()
    assert client.get("/admin").status_code == 303
    answer, form = sign_in(client, device)
    assert (answer.status_code, answer.headers["location"]) == (303, "/admin")
    assert client.get("/admin").status_code == 200
    # The same form again, by somebody who saw it pass.
    client.cookies.clear()
    client.cookies.set("larder_sign_in", form["csrf"], path="/admin")
    assert send(client, "/admin/sign-in", form).status_code == 403
    form, _ = fields(client.get("/admin/enrol").text, "/admin/enrol")
    assert send(client, "/admin/enrol", {**form, "code": code}).status_code == 403


@pytest.mark.parametrize("action", ["local", "create", ""])
def test_a_code_alone_signs_nobody_in(local, store, action):
    code = new_code(store)
    form, _ = fields(local.get("/admin/enrol").text, "/admin/enrol")
    send(local, "/admin/enrol", {**form, "code": code, "action": action})
    assert local.get("/admin").status_code == 303


@cases(
    "host, status, location",
    {
        "loopback": ("127.0.0.1:8000", 303, "http://localhost:8000/admin/sign-in"),
        "loopback, IPv6": ("[::1]:8000", 303, "http://localhost:8000/admin/sign-in"),
        "address of a network": ("192.0.2.7:8000", 503, None),
    },
)
def test_passkeys_belong_to_a_name(local, host, status, location):
    answer = local.get("/admin/sign-in", headers={"host": host})
    assert (answer.status_code, answer.headers.get("location")) == (status, location)


def test_wrong_codes_are_limited_and_lock_nobody_out(client, store, device):
    statuses = []
    for _ in range(31):
        form, _ = fields(client.get("/admin/enrol").text, "/admin/enrol")
        statuses.append(send(client, "/admin/enrol", {**form, "code": "A"}).status_code)
    assert statuses == [403] * 30 + [429]
    assert enrol(client, new_code(store), device).status_code == 303
    client.cookies.clear()
    assert sign_in(client, device)[0].status_code == 303


# ---------------------------------------------------------------- several passkeys


def listed(store):
    with store.read() as db:
        return [(row.passkey_id, row.label) for row in passkeys_of(db)]


def test_a_reviewer_adds_and_removes_passkeys(client, store, device):
    enrol(client, new_code(store), device)
    assert "Remove" not in client.get("/admin/passkeys").text  # the last one stays
    key = Authenticator(PUBLIC, "larder.example")
    form, options = fields(client.get("/admin/passkeys").text, "/admin/passkeys")
    form |= {"credential": key.create(options), "label": "<b>key</b>"}
    assert send(client, "/admin/passkeys", form).status_code == 303
    assert listed(store) == [(1, "Passkey"), (2, "<b>key</b>")]
    page = client.get("/admin/passkeys").text
    assert "&lt;b&gt;key" in page
    other = session_token(store)
    removal = {"csrf": form["csrf"], "action": "remove", "passkey": "1"}
    assert send(client, "/admin/passkeys", removal).status_code == 303
    assert send(client, "/admin/passkeys", {**removal, "passkey": "2"}).status_code == 409
    assert listed(store) == [(2, "<b>key</b>")]
    client.cookies.clear()
    client.cookies.set(COOKIE, other, path="/admin")
    assert client.get("/admin").status_code == 303
    client.cookies.clear()
    assert sign_in(client, device)[0].status_code == 403
    assert sign_in(client, key)[0].status_code == 303


def test_nobody_removes_the_passkey_of_another(client, store, device):
    enrol(client, new_code(store), device)
    client.cookies.clear()
    enrol(
        client, invite(store, "bob", datetime.now(UTC))[0], Authenticator(PUBLIC, "larder.example")
    )
    form, _ = fields(client.get("/admin/passkeys").text, "/admin/passkeys")
    removal = {"csrf": form["csrf"], "action": "remove", "passkey": "1"}
    assert send(client, "/admin/passkeys", removal).status_code == 409
    assert len(listed(store)) == 2


def test_passkeys_change_only_soon_after_signing_in(client, store, device):
    enrol(client, new_code(store), device)
    form, options = fields(client.get("/admin/passkeys").text, "/admin/passkeys")
    with store.write() as db:
        db.execute(update(SESSIONS).values(created_at=datetime.now(UTC) - FRESH_FOR - timedelta(1)))
    page = client.get("/admin/passkeys").text
    assert "Sign out and in again" in page
    assert "data-options" not in page
    form["credential"] = Authenticator(PUBLIC, "larder.example").create(options)
    assert send(client, "/admin/passkeys", form).status_code == 403
    assert len(listed(store)) == 1
