"""Claims and reports of operators over HTTP, and their display."""

import csv
import io
import json
import re
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from serving.render.assets import asset
from serving.render.words import words
from tests.support.clients import open_client
from tests.support.mail_catcher import mail_catcher
from tests.support.metrics import metrics_of
from tests.support.processes import comes_true
from tests.support.releases import resource
from tests.support.town import write_town
from warehouse.operations import claims as claim_store

SCRIPT = '<script>alert("x")</script> & <b>door</b>'
ANN = {
    "operator_email": "ann@pantry.example",
    "operator_phone": "+12125550143",
    "operator_name": "Ann",
}


@pytest.fixture
def operations(town, store_url, store):
    """A client of a service with a store of its own, and that store."""
    with open_client(town, operations_url=store_url) as client:
        yield client, store


def ask_for(client, resource_id=101, **changes):
    return client.post("/api/pantry/claim", json={"resource_id": resource_id, **ANN, **changes})


def claim(client, resource_id=101, **changes):
    answer = ask_for(client, resource_id, **changes)
    assert answer.status_code == 200, answer.text
    return answer.json()


def confirmed(client, store, resource_id=101, **changes):
    """Return the token of a claim that an administrator confirmed."""
    token = claim(client, resource_id, **changes)["claim_token"]
    now = datetime.now(UTC)
    with store.write() as db:
        claim_store.confirm(
            db,
            claim_store.claim_by_token(db, token, now).claim_id,
            "administrator",
            "administrator ann",
            now,
        )
    return token


def report(client, token, status="closed_today", **more):
    answer = client.post(
        "/api/pantry/status", json={"claim_token": token, "status": status, **more}
    )
    assert answer.status_code == 200, answer.text
    return answer.json()


def found(
    client,
    resource_id=101,
    path="/api/resources/nearby?lat=40.7257&lng=-73.9863&radius=50&limit=50",
):
    return next(r for r in client.get(path).json()["resources"] if r["id"] == resource_id)


# ---------------------------------------------------------------- search


def test_search_for_places_to_claim(operations):
    client, store = operations
    confirmed(client, store)
    body = client.get("/api/pantry/search?zip=10002").json()
    assert [(r["id"], r["is_claimed"]) for r in body["resources"]] == [
        (101, True),
        (102, False),
    ]  # no school, clinic, shop or summer meal
    assert all(r["distance_miles"] <= 5 for r in body["resources"])
    assert [
        r["id"] for r in client.get("/api/pantry/search?zip=10002&q=SENOR").json()["resources"]
    ] == [102]
    assert client.get("/api/pantry/search?zip=10002&q=nothing").json()["count"] == 0
    assert len(client.get("/api/pantry/search?zip=10003").json()["resources"]) <= 25
    assert client.get("/api/pantry/search").status_code == 400
    assert client.get("/api/pantry/search?zip=1").status_code == 400


# ---------------------------------------------------------------- claims


def test_a_repeated_claim_is_answered_as_the_first(operations):
    client, store = operations
    first, second = claim(client), claim(client, operator_email="ANN@pantry.example")
    assert first["state"] == "unconfirmed"
    assert first["dashboard_url"].endswith(f"/pantry/manage/{first['claim_token']}")
    assert second == first
    with store.read() as db:
        assert len(claim_store.claims_on(db, 101)) == 1


def test_a_repeated_claim_explains_how_to_get_a_token(operations):
    client, store = operations
    token = confirmed(client, store)
    answer = ask_for(client)
    assert answer.status_code == 409
    problem = answer.json()
    assert problem["type"].endswith("/problems/already-claimed")
    assert "administrator" in problem["detail"]  # no e-mail is set up
    assert token not in answer.text
    page = client.post("/es/claim", data={"id": "101", **ANN})
    assert page.status_code == 409
    assert "Ya se pidió administrar este lugar con este correo." in page.text


@pytest.mark.parametrize(
    ("changes", "status", "message"),
    [
        ({"resource_id": 999999}, 404, "999999"),
        ({"resource_id": 103}, 400, "resource_id"),  # a shop
        ({"operator_email": "not an address"}, 400, "operator_email"),
        ({"operator_email": "a@b.example\nBcc: c@d.example"}, 400, "operator_email"),
    ],
)
def test_claims_that_are_refused(client, changes, status, message):
    answer = ask_for(client, **changes)
    assert answer.status_code == status, answer.text
    assert message in answer.text


def test_ten_claims_an_hour(operations):
    client, _ = operations
    for number in range(10):
        claim(client, 300 + number)
    answer = ask_for(client, 311)
    assert answer.status_code == 429
    assert 3500 < int(answer.headers["retry-after"]) <= 3600
    assert answer.json()["type"].endswith("/problems/too-many-requests")


# ---------------------------------------------------------------- tokens


def test_pages_with_a_token_are_not_stored(operations, capfd):
    client, _ = operations
    response = ask_for(client)
    token = response.json()["claim_token"]
    report(client, token)
    answers = [
        response,
        client.get(f"/api/pantry/manage/{token}"),
        client.get(f"/pantry/manage/{token}"),
    ]
    for answer in answers:
        assert answer.headers["cache-control"] == "private, no-store"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert "noindex" in answer.headers["x-robots-tag"]
    public = [
        "/api/pantry/101/status",
        "/api/resources/101",
        "/api/resources/bulk",
        "/pantry/101/poster",
    ]
    assert not [path for path in public if token in client.get(path).text]
    assert 'route="/api/pantry/manage/{token}"' in metrics_of(client).replace(":str", "")
    assert token not in "".join(capfd.readouterr())


# ---------------------------------------------------------------- reports


@pytest.mark.parametrize("wrong", [{"produce": "lots"}, {"cake": "low"}], ids=str)
def test_reports_that_are_refused(client, wrong):
    body = {"claim_token": "x" * 43, "status": "open_today", "inventory": wrong}
    answer = client.post("/api/pantry/status", json=body)
    assert answer.status_code == 400
    assert "inventory" in answer.text


def test_a_confirmed_report_shows_everywhere_at_once(operations):
    client, store = operations
    token = confirmed(client, store)
    search = "/api/resources/search?zip=10002&mode=free"
    paths = [search, f"{search}&sort=relevance", "/api/resources/nearby?lat=40.7257&lng=-73.9863"]
    for path in paths:  # no answer may come from a cache
        assert found(client, path=path)["hours_status"] == "open"
        assert found(client, path=path)["live_status"] is None
    assert 101 in {r["id"] for r in client.get(f"{search}&open_now=true").json()["resources"]}
    assert 101 in {
        r["id"] for r in client.get("/api/resources/urgent?zip=10002").json()["resources"]
    }
    before = client.get("/api/resources/bulk?limit=5")
    receipt = report(client, token, notes=SCRIPT, inventory={"produce": "plenty", "dairy": "out"})
    assert (receipt["is_confirmed"], receipt["is_shown"]) == (True, True)
    for path in paths:
        record = found(client, path=path)
        assert record["hours_status"] == "closed"
        assert record["live_status"]["notes"] == SCRIPT
        assert record["live_status"]["inventory"] == {"produce": "plenty", "dairy": "out"}
    assert 101 not in {r["id"] for r in client.get(f"{search}&open_now=true").json()["resources"]}
    urgent = client.get("/api/resources/urgent?zip=10002").json()
    assert 101 not in {r["id"] for r in urgent["resources"]}
    assert client.get("/api/resources/101").json()["hours_status"] == "closed"
    body = client.get("/api/resources/101/status").json()
    assert (body["hours"]["status"], body["live_status"]["status"]) == ("closed", "closed_today")
    assert "operator" in body["hours"]["reason"]
    dots = client.get("/search/places.geojson?q=10002").json()["features"]
    dot = next(f for f in dots if f["properties"]["id"] == 101)
    assert dot["properties"]["status"] == "closed"
    bulk = client.get("/api/resources/bulk?limit=5")
    assert bulk.headers["etag"] != before.headers["etag"]
    assert next(r for r in bulk.json()["resources"] if r["id"] == 101)["hours_status"] == "closed"
    rows = csv.DictReader(io.StringIO(client.get("/api/resources/bulk?limit=5&format=csv").text))
    assert json.loads(next(r for r in rows if r["id"] == "101")["live_status"])["notes"] == SCRIPT
    client.post("/api/pantry/withdraw", json={"claim_token": token})
    for path in paths:
        assert found(client, path=path)["hours_status"] == "open"


def test_a_confirmed_closing_overrides_the_listed_week(operations):
    client, store = operations
    token = confirmed(client, store)
    today = re.compile(r'<tr class="now">.*?<td[^>]*>(.*?)</td>')
    assert today.search(client.get("/place/101").text)[1] == "24 hours"
    report(client, token)
    text = client.get("/place/101").text
    assert today.search(text)[1] == "closed"
    assert text.count("24 hours") >= 6
    assert "(reported by the place, just now)" in text


def test_open_today_overrides_unknown_hours(operations):
    client, store = operations
    token = confirmed(client, store, 102)
    assert found(client, 102)["hours_status"] == "unknown"  # confirmed in 2020
    report(client, token, "open_today")
    assert found(client, 102)["hours_status"] == "open"
    urgent = client.get("/api/resources/urgent?zip=10002").json()
    assert 102 in {r["id"] for r in urgent["resources"]}


@pytest.mark.parametrize("status", ["running_late", "low_stock", "out_of_stock", "other"])
def test_other_reports_invent_no_hours(operations, status):
    client, store = operations
    report(client, confirmed(client, store), status)
    record = found(client)
    assert (record["hours_status"], record["live_status"]["status"]) == ("open", status)


def test_a_strangers_report_changes_nothing_about_the_hours(operations):
    client, store = operations
    stranger = claim(client, operator_email="bob@elsewhere.example")["claim_token"]
    report(client, stranger, "closed_today")
    record = found(client)
    assert record["hours_status"] == "open"
    assert record["live_status"]["is_confirmed"] is False
    operator = confirmed(client, store)
    report(client, operator, "open_today")
    receipt = report(client, stranger, "closed_today")
    assert (receipt["is_confirmed"], receipt["is_shown"]) == (False, False)
    assert found(client)["live_status"]["status"] == "open_today"


def test_the_public_read(operations):
    client, _ = operations
    assert client.get("/api/pantry/101/status").json()["live_status"] is None
    report(client, claim(client)["claim_token"], "low_stock", notes=" Two\nlines\u202e ")
    answer = client.get("/api/pantry/101/status")
    body = answer.json()["live_status"]
    assert (body["status"], body["notes"]) == ("low_stock", "Two lines")
    assert found(client)["live_status"]["notes"] is None, "words of a stranger are in no list"
    lives = datetime.fromisoformat(body["expires_at"]) - datetime.fromisoformat(body["reported_at"])
    assert lives == timedelta(hours=24)
    assert client.get("/api/pantry/999999/status").status_code == 404


def test_another_worker_shows_it(town, store_url):
    url = {"operations_url": store_url}
    with open_client(town, **url) as one, open_client(town, **url) as other:
        report(one, claim(one)["claim_token"], "low_stock")
        assert comes_true(
            lambda: other.get("/api/pantry/101/status").json()["live_status"] is not None
        )
        assert found(other)["live_status"]["status"] == "low_stock"


# ---------------------------------------------------------------- the page


def test_the_dashboard(operations):
    client, _ = operations
    token = claim(client)["claim_token"]
    report(client, token, "low_stock", notes=SCRIPT)
    body = client.get(f"/api/pantry/manage/{token}").json()
    assert body["claim"]["operator_email"] == "ann@pantry.example"
    assert body["resource"]["name"] == "Example Pantry East"
    assert body["current_status"]["status"] == body["recent_statuses"][0]["status"] == "low_stock"
    page = client.get(
        f"/api/pantry/manage/{token}", headers={"Accept": "text/html,application/json"}
    )
    assert page.headers["content-type"].startswith("text/html")


def test_what_nobody_confirmed_is_a_note_with_its_time(operations):
    client, store = operations
    token = claim(client)["claim_token"]
    path = f"/pantry/manage/{token}"
    tap = {"action": "report", "status": "closed_today"}
    done = client.post(path, data=tap, follow_redirects=False).headers["location"]
    assert words("operator", "en").done.report_unconfirmed in client.get(done).text
    for page in ("/place/101", "/search?q=10002"):
        text = client.get(page).text
        assert "Not confirmed: someone reported “Closed today” just now." in text
        assert not re.search(r'class="state closed">(?:(?!</span>).)*Closed today', text)
    confirmed_token = confirmed(client, store, operator_email="bea@pantry.example")
    confirmed_path = f"/pantry/manage/{confirmed_token}"
    client.post(confirmed_path, data=tap)
    badge = r'class="state closed">(?:(?!</span>).)*Closed today'
    assert re.search(badge, client.get("/place/101").text)
    # The confirmed report goes first: the other one is not shown, and the page says so.
    done = client.post(path, data=tap, follow_redirects=False).headers["location"]
    assert words("operator", "en").done.report_hidden in client.get(done).text


def test_a_link_is_mentioned_only_if_it_was_sent(town, store_url, store):
    ask = words("operator", "en").confirm_ask
    link = words("operator", "en").confirm_link.format(email=ANN["operator_email"])
    with open_client(town, operations_url=store_url) as client:
        page = client.get(f"/pantry/manage/{claim(client)['claim_token']}").text
        assert ask in page
        assert link not in page
        assert words("operator", "en").lost_ask in client.get("/pantry/manage").text
    with (
        mail_catcher() as (url, _),
        open_client(town, operations_url=store_url, smtp_url=url) as client,
    ):
        token = claim(client, operator_email="ann@other.example")["claim_token"]
        sent = link.replace(ANN["operator_email"], "ann@other.example")
        assert comes_true(lambda: sent in client.get(f"/pantry/manage/{token}").text)
        assert words("operator", "en").lost in client.get("/pantry/manage").text


@pytest.mark.parametrize(("prefix", "word"), [("", "Closed today"), ("/es", "Cerrado hoy")])
def test_one_tap_on_the_page(operations, prefix, word):
    client, store = operations
    token = confirmed(client, store)
    path = f"{prefix}/pantry/manage/{token}"
    page = client.get(path)
    assert word in page.text
    scripts = [f'<script src="{asset("pocket.js")}" defer>']
    assert re.findall("<script[^>]*>", page.text) == scripts
    thanks = client.post(
        path,
        data={
            "action": "report",
            "status": "closed_today",
            "notes": SCRIPT,
            "inventory_dairy": "low",
        },
        follow_redirects=False,
    )
    assert (thanks.status_code, thanks.headers["location"]) == (303, f"{path}?done=report")
    page = client.get(thanks.headers["location"])
    assert re.findall("<script[^>]*>", page.text) == scripts
    assert "&lt;script&gt;" in page.text
    assert found(client)["hours_status"] == "closed"
    assert client.post(path, data={"action": "withdraw"}, follow_redirects=False).status_code == 303
    assert found(client)["hours_status"] == "open"
    assert client.post(path, data={"action": "report", "status": "banana"}).status_code == 400
    # What waited for a connection is one report, however often it is sent.
    waited = {"action": "report", "status": "low_stock", "request_key": "k" * 80}
    assert [client.post(path, data=waited).status_code for _ in range(2)] == [200, 200]
    managed = client.get(f"/api/pantry/manage/{token}").json()
    assert [r["status"] for r in managed["recent_statuses"]].count("low_stock") == 1


def test_a_new_link_and_the_end(operations):
    client, _ = operations
    token = claim(client)["claim_token"]
    page = client.post(f"/pantry/manage/{token}", data={"action": "rotate"})
    fresh = re.search(r"/pantry/manage/([\w-]{43})", page.text)[1]
    assert client.get(f"/pantry/manage/{token}").status_code == 404
    assert client.post(f"/pantry/manage/{fresh}", data={"action": "revoke"}).status_code == 200
    assert client.get(f"/pantry/manage/{fresh}").status_code == 404


def test_the_poster(operations):
    client, _ = operations
    for path in ("/pantry/102/poster", "/es/pantry/102/poster"):
        page = client.get(path).text
        assert "data:image/svg+xml" in page
        assert "<b>" not in page
    assert client.get("/pantry/999999/poster").status_code == 404


# ---------------------------------------------------------------- proofs


def test_the_link_by_e_mail(town, store_url):
    with (
        mail_catcher() as (url, messages),
        open_client(town, operations_url=store_url, smtp_url=url) as client,
    ):
        claim_made = claim(client)
        assert claim_made["is_link_sent"]
        assert comes_true(lambda: messages)
        assert messages[0].recipients == ["ann@pantry.example"]
        link = re.search(r"/pantry/confirm/[\w-]+", messages[0].text)[0]
        for _ in range(2):  # programs that check mail open every link
            assert client.get(link).status_code == 200
        page = client.post(link)
        token = re.search(r"/pantry/manage/([\w-]{43})", page.text)[1]
        assert client.get(f"/api/pantry/manage/{token}").json()["claim"]["state"] == "unconfirmed"
        assert client.get(f"/api/pantry/manage/{claim_made['claim_token']}").status_code == 404
        assert client.post(link).status_code == 404


@pytest.mark.parametrize(
    ("email", "state"), [("ann@quince.example", "confirmed"), ("ann@gmail.com", "unconfirmed")]
)
def test_the_link_confirms_at_the_places_own_domain_alone(tmp_path, email, state):
    write_town(
        tmp_path, resources=[resource(101, name="Quince", website="https://www.quince.example")]
    )
    operations = str(tmp_path / "o.sqlite")
    with (
        mail_catcher() as (url, messages),
        open_client(tmp_path, operations_file=operations, smtp_url=url) as client,
    ):
        claim(client, operator_email=email)
        assert comes_true(lambda: messages)
        secret = re.search(r"/pantry/confirm/([\w-]+)", messages[0].text)[1]
        answer = client.post("/api/pantry/confirm", json={"secret": secret})
        assert answer.json()["state"] == state


def test_the_code_to_the_listed_telephone(town, store_url, tmp_path):
    program = tmp_path / "send"
    program.write_text(f"#!/bin/sh\ncat > {tmp_path}/new && mv {tmp_path}/new {tmp_path}/sent\n")
    program.chmod(0o755)
    with open_client(town, operations_url=store_url, phone_command=str(program)) as client:
        token = claim(client)["claim_token"]
        assert client.post("/api/pantry/phone/send", json={"claim_token": token}).status_code == 200
        assert comes_true((tmp_path / "sent").exists)
        message_sent = json.loads((tmp_path / "sent").read_text())
        assert message_sent["phone"] == "+12125550101"  # the listed one, not the claimant's
        code = message_sent["text"][:6]
        wrong = client.post(
            "/api/pantry/phone/confirm",
            json={"claim_token": token, "code": f"{(int(code) + 1) % 10**6:06d}"},
        )
        assert wrong.status_code == 400
        right = client.post("/api/pantry/phone/confirm", json={"claim_token": token, "code": code})
        assert right.json()["state"] == "confirmed"
        other = claim(client, 102)["claim_token"]  # lists no telephone
        assert client.post("/api/pantry/phone/send", json={"claim_token": other}).status_code == 409


# ---------------------------------------------------------------- faults


def test_a_store_that_is_down(town, tmp_path):
    path = tmp_path / "operations.sqlite"
    path.mkdir()
    with open_client(town, operations_file=str(path), log_level="critical") as client:
        answer = ask_for(client)
        assert answer.status_code == 503
        assert int(answer.headers["retry-after"]) > 0
        assert answer.json()["type"].endswith("/problems/store-unavailable")
        assert found(client)["id"] == 101
        assert client.get("/api/pantry/101/status").json()["live_status"] is None
        assert (
            client.get("/api/pantry/search?zip=10002").json()["resources"][0]["is_claimed"] is None
        )
        path.rmdir()
        assert claim(client)["claim_token"]


def test_today_is_the_places_own_day(town):
    from warehouse.index.live_overlay import LiveEntry
    from warehouse.release.watch import ReleaseWatch

    watch = ReleaseWatch(town, lambda *_: None)
    watch.open_now()
    release = watch.release
    row = release.row_of(101)
    zone = ZoneInfo("America/New_York")
    evening = datetime.now(zone).replace(hour=20, minute=0, second=0, microsecond=0)
    entry = LiveEntry("closed_today", True, evening, evening + timedelta(hours=24), "{}")
    release.live.put(101, entry)
    for hours, status in ((0, "closed"), (3, "closed"), (5, "open"), (25, "open")):
        assert release.hours_status(row, evening + timedelta(hours=hours)) == status
    assert release.hours_change_at(row, evening) == (evening + timedelta(hours=4)).replace(hour=0)
    watch.close()
