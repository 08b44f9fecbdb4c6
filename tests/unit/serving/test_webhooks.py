"""Webhooks over HTTP, with a receiver that verifies signatures by a library of others."""

import contextlib
import json
import runpy
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import select, update
from standardwebhooks import WebhookVerificationError

from serving.disasters.disasters import today
from tests.support.cases import cases
from tests.support.clients import open_client
from tests.support.operators import make_tokens
from tests.support.processes import comes_true
from tests.support.releases import identity, resource, write_release
from tests.support.town import resources as town_resources
from tests.support.town import zips
from tests.support.webhook_receiver import receiver
from warehouse.disaster_file import Declaration, Edition, cutoff_day, write_side_file
from warehouse.operations.models import AUDIT, OUTBOX, WEBHOOKS
from warehouse.operations.reviews import close_place, reopen_place

EXAMPLE = Path(__file__).resolve().parents[3] / "docs" / "examples" / "webhook_receiver.py"
FIRST, SECOND = "20261101T060000Z-00000001", "20261102T060000Z-00000002"


def opened(folder, store_url, **more):
    settings = {
        "operations_url": store_url,
        "webhooks": "loopback",
        "poll_seconds": 0.1,
        "limits": "off",
        "log_level": "critical",
    }
    return open_client(folder, **(settings | more))


def bearer(registration):
    return {"Authorization": f"Bearer {registration['token']}"}


def shown(client, registration):
    answer = client.get(
        f"/api/webhooks/{registration['webhook']['id']}", headers=bearer(registration)
    )
    assert answer.status_code == 200, answer.text
    return answer.json()["webhook"]


def registered(client, url, **topic):
    """Register an address and wait until it has answered the challenge."""
    answer = client.post("/api/webhooks", json={"url": url, **topic})
    assert answer.status_code == 200, answer.text
    registration = answer.json()
    assert comes_true(lambda: shown(client, registration)["status"] == "active", seconds=20)
    return registration


def report(client, token, status="open_today", **more):
    body = {"claim_token": token, "status": status, **more}
    assert client.post("/api/pantry/status", json=body).status_code == 200


def make_due(store):
    with store.write() as db:
        db.execute(update(OUTBOX).where(OUTBOX.c.lease.is_(None)).values(due_at=datetime.now(UTC)))


def queued(store):
    with store.read() as db:
        return db.execute(select(OUTBOX)).all()


@pytest.fixture
def site(town, store_url, monkeypatch):
    monkeypatch.setattr("serving.notifications.courier.POLL_SECONDS", 0.05)
    with opened(town, store_url) as client, receiver() as hook:
        yield client, hook


# ---------------------------------------------------------------- registering


def test_a_receiver_verifies_by_the_library_of_the_standard(site, store_url):
    client, hook = site
    registration = registered(client, f"{hook.url}/a", resource_id=101)
    (challenge,) = hook.of("webhook.verify")
    assert challenge.verify(registration["secret"])["data"]["challenge"]
    [token] = make_tokens(store_url, [101])
    report(client, token, "closed_today", notes="Back on Monday")
    assert comes_true(lambda: hook.of("place.status_changed"), seconds=20)
    payload = hook.of("place.status_changed")[-1]
    event = payload.verify(registration["secret"])
    assert (event["data"]["resource_id"], event["data"]["zip"]) == (101, "10002")
    assert event["data"]["live_status"]["status"] == "closed_today"
    assert event["data"]["live_status"]["notes"] == "Back on Monday"
    assert client.get(event["data"]["url"]).json()["id"] == 101
    assert payload.headers["webhook-id"].startswith("msg_")
    assert payload.headers["user-agent"].startswith("open-larder/")
    is_genuine = runpy.run_path(str(EXAMPLE))["is_genuine"]
    assert is_genuine(registration["secret"], payload.headers, payload.body)
    with pytest.raises(WebhookVerificationError):
        payload.verify("whsec_" + "A" * 43 + "=")
    payload.body = payload.body.replace(b"closed_today", b"open_today")
    assert not is_genuine(registration["secret"], payload.headers, payload.body)
    with pytest.raises(WebhookVerificationError):
        payload.verify(registration["secret"])


def test_a_place_its_zip_code_and_its_state_hear_of_a_report(site, store_url):
    client, hook = site
    tokens = make_tokens(store_url, [101, 203])
    topics = {"place": {"resource_id": 101}, "zip": {"zip": "10002"}, "state": {"state": "NY"}}
    for name, topic in topics.items():
        registered(client, f"{hook.url}/{name}", **topic)
    registered(client, f"{hook.url}/other", state="WY")
    for token in tokens:
        report(client, token)
    expected = {("/place", 101), ("/zip", 101), ("/state", 101), ("/other", 203)}

    def heard():
        events = hook.of("place.status_changed")
        return {(one.path, one.event["data"]["resource_id"]) for one in events}

    assert comes_true(lambda: heard() >= expected, seconds=20)
    assert heard() == expected


def test_an_address_that_does_not_answer_the_challenge_gets_no_events(site, store, store_url):
    client, hook = site
    hook.challenge_answer = b'{"data": {"challenge": "echo"}}'
    registration = client.post("/api/webhooks", json={"url": hook.url, "resource_id": 101}).json()
    assert comes_true(lambda: shown(client, registration)["fault"], seconds=20)
    assert shown(client, registration)["fault"] == "the challenge was not answered"
    [token] = make_tokens(store_url, [101])
    report(client, token)
    hook.challenge_answer = None
    again = client.post(
        f"/api/webhooks/{registration['webhook']['id']}/verify", headers=bearer(registration)
    )
    assert again.json()["webhook"]["status"] == "pending"
    assert comes_true(lambda: shown(client, registration)["status"] == "active", seconds=20)
    report(client, token, "running_late")
    assert comes_true(lambda: hook.of("place.status_changed"), seconds=20)
    statuses = {
        one.event["data"]["live_status"]["status"] for one in hook.of("place.status_changed")
    }
    assert statuses == {"running_late"}


@cases(
    "body, status",
    {
        "no topic": ({}, 400),
        "two topics": ({"zip": "10002", "state": "NY"}, 400),
        "unknown place": ({"resource_id": 999_999}, 404),
        "unknown ZIP code": ({"zip": "00000"}, 404),
        "unknown state": ({"state": "ZZ"}, 400),
        "unknown member": ({"state": "NY", "secret": "mine"}, 400),
        "in the clear": ({"state": "NY", "url": "http://hooks.example.org/"}, 400),
        "other scheme": ({"state": "NY", "url": "file:///etc/passwd"}, 400),
        "user name": ({"state": "NY", "url": "https://ann:x@hooks.example.org/"}, 400),
        "other port": ({"state": "NY", "url": "https://hooks.example.org:22/"}, 400),
        "no host": ({"state": "NY", "url": "https:///x"}, 400),
        "private": ({"state": "NY", "url": "https://10.0.0.1/"}, 400),
        "metadata": ({"state": "NY", "url": "https://169.254.169.254/latest"}, 400),
        "mapped": ({"state": "NY", "url": "https://[::ffff:127.0.0.1]/"}, 400),
        "loopback with a user name": ({"state": "NY", "url": "http://a@127.0.0.1:80/"}, 400),
    },
)
def test_invalid_registrations(site, body, status):
    client, _ = site
    answer = client.post("/api/webhooks", json={"url": "https://hooks.example.org/x", **body})
    assert answer.status_code == status, answer.text


def test_this_machine_is_refused_unless_the_operators_allow_it(town, store_url):
    with opened(town, store_url, webhooks="on") as client:
        for url in ("http://127.0.0.1:80/", "https://127.0.0.1/", "https://[::1]/"):
            answer = client.post("/api/webhooks", json={"url": url, "state": "NY"})
            assert answer.status_code == 400, url
        # A name is resolved when something is posted to it.
        registration = client.post(
            "/api/webhooks", json={"url": "https://localhost/", "state": "NY"}
        )
        assert comes_true(lambda: shown(client, registration.json())["fault"], seconds=20)
        assert shown(client, registration.json())["fault"] == "the host has no public address"
    with opened(town, store_url, webhooks="off") as client:
        answer = client.post("/api/webhooks", json={"url": "https://h.example/", "state": "NY"})
        assert (answer.status_code, "LARDER_WEBHOOKS" in answer.text) == (503, True)


def test_ten_an_hour_from_one_client(town, store_url):
    with opened(town, store_url, limits="on") as client:
        body = {"url": "https://hooks.invalid/", "state": "NY"}
        statuses = [client.post("/api/webhooks", json=body).status_code for _ in range(11)]
    assert statuses == [200] * 10 + [429]


# ---------------------------------------------------------------- tokens and secrets


def test_only_its_own_token_opens_a_webhook(site):
    client, hook = site
    ours = registered(client, hook.url, state="NY")
    other = registered(client, hook.url, state="NY")
    path = f"/api/webhooks/{ours['webhook']['id']}"
    calls = [
        ("GET", path),
        ("DELETE", path),
        ("POST", f"{path}/verify"),
        ("POST", f"{path}/rotate"),
    ]
    for method, address in calls:
        assert client.request(method, address).status_code == 401
        foreign = client.request(method, address, headers=bearer(other))
        assert (foreign.status_code, foreign.json()["type"][-13:]) == (404, "unknown-token")
    assert "secret" not in shown(client, ours)
    assert "token" not in shown(client, ours)
    assert shown(client, ours)["status"] == "active"


def test_after_rotation_both_secrets_verify_for_a_day(site, store, store_url):
    client, hook = site
    registration = registered(client, hook.url, resource_id=101)
    path = f"/api/webhooks/{registration['webhook']['id']}"
    fresh = client.post(f"{path}/rotate", headers=bearer(registration)).json()
    assert fresh["secret"] != registration["secret"]
    assert client.get(path, headers=bearer(registration)).status_code == 404
    [token] = make_tokens(store_url, [101])
    report(client, token)
    assert comes_true(lambda: hook.of("place.status_changed"), seconds=20)
    event = hook.of("place.status_changed")[0]
    assert len(event.headers["webhook-signature"].split()) == 2
    assert event.verify(fresh["secret"]) == event.verify(registration["secret"])
    hook.deliveries.clear()
    with store.write() as db:
        yesterday = datetime.now(UTC) - timedelta(hours=25)
        db.execute(update(WEBHOOKS).values(rotated_at=yesterday))
    report(client, token, "closed_today")
    assert comes_true(lambda: hook.of("place.status_changed"), seconds=20)
    event = hook.of("place.status_changed")[-1]
    assert event.verify(fresh["secret"])
    with pytest.raises(WebhookVerificationError):
        event.verify(registration["secret"])


def test_a_deleted_webhook_leaves_nothing_but_its_audit(site, store, store_url):
    client, hook = site
    registration = registered(client, f"{hook.url}/who-we-are", resource_id=101)
    hook.statuses["place.status_changed"] = [500] * 50
    [token] = make_tokens(store_url, [101])
    report(client, token)
    assert comes_true(lambda: shown(client, registration)["fault"] == "status 500", seconds=20)
    path = f"/api/webhooks/{registration['webhook']['id']}"
    assert client.delete(path, headers=bearer(registration)).json() == {"success": True}
    assert client.get(path, headers=bearer(registration)).status_code == 404
    with store.read() as db:
        assert db.execute(select(WEBHOOKS)).all() == []
        assert db.execute(select(OUTBOX)).all() == []
        audit = [row for row in db.execute(select(AUDIT)) if "webhook" in row.action]
    actions = [row.action for row in audit]
    assert actions == ["webhook_created", "webhook_verified", "webhook_removed"]
    assert "who-we-are" not in str(audit)


# ---------------------------------------------------------------- deliveries


@pytest.mark.parametrize("status", [500, 302, 404])
def test_failed_deliveries_repeat_with_the_same_id(site, store, store_url, status):
    client, hook = site
    registration = registered(client, hook.url, resource_id=101)
    hook.statuses["place.status_changed"] = [status, status]
    [token] = make_tokens(store_url, [101])
    report(client, token)
    for attempt in (1, 2):
        assert comes_true(lambda n=attempt: len(hook.of("place.status_changed")) == n, seconds=20)
        assert comes_true(lambda: queued(store)[0].lease is None, seconds=20)
        assert shown(client, registration)["fault"] == f"status {status}"
        assert shown(client, registration)["waiting"] == 1
        make_due(store)
    assert comes_true(lambda: shown(client, registration)["waiting"] == 0, seconds=20)
    assert shown(client, registration)["fault"] is None
    events = hook.of("place.status_changed")
    assert len({one.headers["webhook-id"] for one in events}) == 1
    assert len({one.body for one in events}) == 1
    assert {one.path for one in events} == {"/"}, "a redirect is not followed"
    for one in events:
        one.verify(registration["secret"])


def test_retry_after_of_a_receiver_is_respected(site, store, store_url):
    client, hook = site
    registration = registered(client, hook.url, resource_id=101)
    hook.statuses["place.status_changed"], hook.retry_after = [429], "900"
    [token] = make_tokens(store_url, [101])
    report(client, token)
    assert comes_true(lambda: shown(client, registration)["fault"] == "status 429", seconds=20)
    assert queued(store)[0].due_at > datetime.now(UTC) + timedelta(seconds=600)
    make_due(store)
    assert comes_true(lambda: shown(client, registration)["waiting"] == 0, seconds=20)


def test_410_deletes_the_webhook(site, store, store_url):
    client, hook = site
    registration = registered(client, hook.url, resource_id=101)
    hook.statuses["place.status_changed"] = [410]
    [token] = make_tokens(store_url, [101])
    report(client, token)
    path = f"/api/webhooks/{registration['webhook']['id']}"
    is_gone = comes_true(
        lambda: client.get(path, headers=bearer(registration)).status_code == 404, seconds=20
    )
    assert is_gone
    assert queued(store) == []


def test_a_place_that_is_closed_and_brought_back_is_announced(site, store):
    client, hook = site
    registered(client, f"{hook.url}/zip", zip="10002")
    counts = [client.get("/api/resources/counts?zip=10002").json()]
    for is_listed in (False, True):
        hook.deliveries.clear()
        with store.write() as db:
            if is_listed:
                reopen_place(db, 103, "edit 1")
            else:
                close_place(db, 103, "edit 1", datetime.now(UTC), "review", None)
        assert comes_true(lambda: hook.of("place.status_changed"), seconds=20)
        data = hook.of("place.status_changed")[0].event["data"]
        assert (data["resource_id"], data["is_listed"]) == (103, is_listed)
        counts.append(client.get("/api/resources/counts?zip=10002").json())
    # Counts that were held before do not outlive what is listed.
    assert counts[0] == counts[2] != counts[1]


# ---------------------------------------------------------------- releases and disasters


def test_a_release_is_announced_by_place_zip_code_and_state(store_url, tmp_path):
    before = [
        resource(1, zip="10002"),
        resource(2, zip="10003"),
        resource(3, zip="82401", state="WY"),
        resource(4, zip="10002"),
    ]
    after = [
        resource(1, zip="10002", phone="(212) 555-0101"),
        resource(3, zip="82401", state="WY"),
        resource(4, zip="10003"),
    ]
    write_release(tmp_path, before, release_id=FIRST, history=True, zips=zips())
    with contextlib.ExitStack() as stack:
        hook = stack.enter_context(receiver())
        client = stack.enter_context(opened(tmp_path, store_url))
        topics = {
            "one": {"resource_id": 1},
            "three": {"resource_id": 3},
            "old": {"zip": "10003"},
            "zip": {"zip": "10002"},
            "state": {"state": "NY"},
            "quiet": {"state": "WY"},
        }
        for name, topic in topics.items():
            registered(client, f"{hook.url}/{name}", **topic)
        write_release(
            tmp_path,
            after,
            release_id=SECOND,
            history=True,
            zips=zips(),
            identities=[identity(2, "retired")],
        )
        assert comes_true(lambda: len(hook.of("places.changed")) >= 4, seconds=30)
        data = {one.path: one.event["data"] for one in hook.of("places.changed")}
        changes = {
            path: [(c["resource_id"], c["change"]) for c in events["changes"]]
            for path, events in data.items()
        }
        assert changes == {
            "/one": [(1, "changed")],
            "/old": [(2, "retired"), (4, "changed")],
            "/zip": [(1, "changed"), (4, "changed")],
            "/state": [(1, "changed"), (2, "retired"), (4, "changed")],
        }
        state = data["/state"]
        assert (state["since"], state["until"], state["total"]) == (FIRST, SECOND, 3)
        assert "phone" in state["changes"][0]["fields"]
        feed = client.get(state["changes_url"]).json()
        assert [c["resource_id"] for c in feed["changes"]] == [1, 2, 4]
        assert len(hook.of("places.changed")) == 4


def test_disasters_are_announced_when_they_change(store_url, store, tmp_path):
    write_release(tmp_path, town_resources(), zips=zips(), declarations=[])
    day = today()

    def edition(hours):
        at = datetime.now(UTC) + timedelta(hours=hours)
        return Edition(day, day, cutoff_day(day), at, at, ["new.json"], is_synthetic=True)

    storm = Declaration(99, "DR", "NEW STORM", "NY", day, has_individual_assistance=True)
    with receiver() as hook, opened(tmp_path, store_url) as client:
        write_side_file(tmp_path, edition(0), [])
        registration = registered(client, f"{hook.url}/ny", state="NY")
        registered(client, f"{hook.url}/wy", state="WY")

        def heard():
            with store.read() as db:
                return db.execute(select(WEBHOOKS.c.disasters)).scalars().all()

        assert comes_true(lambda: all(heard()), seconds=20)
        write_side_file(tmp_path, edition(1), [storm])
        assert comes_true(lambda: hook.of("disasters.changed"), seconds=20)
        (one,) = hook.of("disasters.changed")
        data = one.verify(registration["secret"])["data"]
        assert (one.path, data["active"], data["has_dsnap_likely"]) == ("/ny", ["DR-99-NY"], True)
        assert client.get(data["url"]).json()["total_active"] == 1
        # A machine with an older file says nothing.
        write_side_file(tmp_path, edition(-1), [])
        write_side_file(tmp_path, edition(2), [])
        assert comes_true(lambda: len(hook.of("disasters.changed")) == 2, seconds=20)
        assert hook.of("disasters.changed")[1].event["data"]["active"] == []


def test_the_description_has_every_event(client):
    document = json.loads(client.get("/api/openapi.json").content)
    kinds = {"webhook.verify", "place.status_changed", "places.changed", "disasters.changed"}
    assert document["webhooks"].keys() == kinds
    text = json.dumps(document["webhooks"])
    for name in ("PlaceStatus", "PlacesChanged", "DisastersChanged", "Challenge"):
        assert f"#/components/schemas/{name}" in text
        assert name in document["components"]["schemas"]
