"""Every way to write, on both kinds of store, about places with ids of real size; and no line of the
log names a person.
"""

import re
from datetime import UTC, datetime

import pytest
from sqlalchemy import text

from tests.support.cases import cases
from tests.support.clients import open_client
from tests.support.ids import place_id
from tests.support.releases import resource
from tests.support.reviewers import COOKIE, csrf, session_token
from tests.support.store_fixtures import postgresql, postgresql_with_tables, store_url
from tests.support.town import ALWAYS, NEW_PLACE, NEW_YORK, write_town
from warehouse.operations.claims import NewClaim, make_claim
from warehouse.operations.engine import open_store

__all__ = ["postgresql", "postgresql_with_tables", "store_url"]
PANTRY, KITCHEN = place_id(101), place_id(102)
ANN = {
    "operator_email": "ann@quince.example",
    "operator_phone": "+12124960143",
    "operator_name": "Ann Quince",
}
TEXTS = {
    "name": "Ann Quince",
    "email": "ann@quince.example",
    "phone": "4960143",
    "net": "192.0.2.7",
}


@pytest.fixture(scope="module")
def real_town(tmp_path_factory):
    """A data folder with two places whose ids have 53 bits."""
    folder = tmp_path_factory.mktemp("real")
    point = {"lat": NEW_YORK[0], "lng": NEW_YORK[1]}
    rows = [
        resource(
            PANTRY, name="Quince Pantry", schedules_json=ALWAYS, phone="(212) 496-0143", **point
        ),
        resource(KITCHEN, name="Quagga Kitchen", resource_type="soup_kitchen", **point),
    ]
    write_town(folder, resources=rows)
    return folder


@pytest.fixture
def service(real_town, store_url):
    """A client of a service with an empty store, and its URL."""
    with open_client(real_town, operations_url=store_url, peer="192.0.2.7") as client:
        yield client, store_url


def test_every_write_about_a_real_place_is_stored(service):
    client, url = service

    def post(path, body, status=200, **more):
        answer = client.post(path, json=body, **more)
        assert answer.status_code == status, (path, answer.text)
        return answer.json()

    token = post("/api/pantry/claim", {"resource_id": PANTRY, **ANN})["claim_token"]
    post("/api/pantry/status", {"claim_token": token, "status": "open_today", "notes": "x"})
    assert (
        client.get(f"/api/pantry/{PANTRY}/status").json()["live_status"]["status"] == "open_today"
    )
    for kind in ("helpful", "wrong_info", "closed", "other"):
        post("/api/feedback", {"resource_id": KITCHEN, "type": kind, "comment": "x"}, 202)
    edit = {"resource_id": PANTRY, "changes": {"phone": "(212) 496-0199"}, "submitted_by": "Ann"}
    post("/api/partner/edit", edit, 202)
    post("/api/submissions", NEW_PLACE, 201)
    assert client.get("/api/pantry/search?zip=10002").status_code == 200
    for path in ("withdraw", "rotate"):
        token = post(f"/api/pantry/{path}", {"claim_token": token}).get("claim_token", token)
    assert client.get(f"/api/pantry/manage/{token}").json()["claim"]["resource_id"] == PANTRY
    for prefix in ("", "/es"):
        form = {"id": str(PANTRY), "type": "other", "comment": "y"}
        assert client.post(f"{prefix}/feedback", data=form).status_code == 200
        claim = {"id": str(KITCHEN), **ANN, "operator_email": f"bob{len(prefix)}@quince.example"}
        assert client.post(f"{prefix}/claim", data=claim).status_code == 200
        place = {**NEW_PLACE, "name": f"Okapi Pantry {len(prefix)}"}
        assert client.post(f"{prefix}/add", data=place).status_code == 200
        manage = f"{prefix}/pantry/manage/{token}"
        report = {"action": "report", "status": "low_stock"}
        assert client.post(manage, data=report, follow_redirects=True).status_code == 200
    post("/api/pantry/revoke", {"claim_token": token})
    assert client.get("/api/health/deep").json()["status"] == "ok"
    store = open_store(url)
    client.cookies.set(COOKIE, session_token(store), path="/admin")
    for queue in ("submissions", "edits", "claims", "feedback", "merges", "outbox", "audit"):
        page = client.get(f"/admin/{queue}")
        assert page.status_code == 200, queue
    for kind in ("submission", "edit"):
        path = f"/admin/{kind}s/1"
        form = {"csrf": csrf(client.get(path).text), "action": "reject", "reason": "no"}
        assert client.post(path, data=form, follow_redirects=True).status_code == 200
    store.close()


def test_a_stranger_who_says_claim_1_is_quoted(service):
    client, url = service
    edit = {
        "resource_id": PANTRY,
        "changes": {"phone": "(212) 496-0199"},
        "submitted_by": "claim 1",
    }
    assert client.post("/api/partner/edit", json=edit).status_code == 202
    store = open_store(url)
    client.cookies.set(COOKIE, session_token(store), path="/admin")
    store.close()
    for page in (client.get("/admin/edits").text, client.get("/admin/edits/1").text):
        assert "public; nobody confirmed who sent it" in page
        assert "confirmed operator, claim" not in page
    assert "<q>claim 1</q>" in page


def test_a_flood_hides_nobody(service):
    client, url = service
    store = open_store(url)
    with store.write() as db:
        for number in range(60):
            new = (PANTRY, f"x{number}@flood.example", None, None, "198.51.100.1")
            make_claim(db, NewClaim(*new), datetime.now(UTC))
    client.post("/api/pantry/claim", json={"resource_id": KITCHEN, **ANN})
    client.cookies.set(COOKIE, session_token(store), path="/admin")
    store.close()
    first = client.get("/admin/claims").text
    assert "ann@quince.example" in first, "the newest first"
    seen, path = set(), "/admin/claims"
    while path:
        page = client.get(path).text
        seen |= set(re.findall(r"[\w.]+@\w+\.example", page.partition("Also claim")[0]))
        older = re.search(r'href="(/admin/claims\?[^"]+)">Older', page)
        path = older and older[1].replace("&amp;", "&")
    network = re.search(
        r"network=([0-9a-f]{64})[^>]*>[0-9a-f]{12}</a>", client.get("/admin/claims?after=50").text
    )[1]
    form = {"csrf": csrf(first), "action": "discard_network", "network": network}
    assert client.post("/admin/claims", data=form, follow_redirects=True).status_code == 200
    left = client.get("/admin/claims").text
    assert "flood.example" not in left
    assert "ann@quince.example" in left


@cases(
    "path, body",
    {
        "claim": ("/api/pantry/claim", {"resource_id": PANTRY, **ANN}),
        "submission": (
            "/api/submissions",
            {
                **NEW_PLACE,
                "submitter_name": ANN["operator_name"],
                "submitter_email": ANN["operator_email"],
            },
        ),
        "edit": (
            "/api/partner/edit",
            {
                "resource_id": PANTRY,
                "changes": {"phone": "(212) 496-0199"},
                "submitted_by": f"{ANN['operator_name']} {ANN['operator_email']}",
            },
        ),
        "feedback": (
            "/api/feedback",
            {
                "resource_id": PANTRY,
                "type": "closed",
                "comment": "Ann Quince",
                "contact": "ann@quince.example",
            },
        ),
    },
)
def test_no_line_of_the_log_names_a_person(real_town, store_url, capsys, path, body):
    # Before the service starts: it reads the tables from then on.
    store = open_store(store_url)
    with store.write() as db:
        for table in ("claims", "submissions", "edits", "feedback"):
            # A column that our own code does not fill: every insertion fails.
            if store.is_sqlite:
                trigger = f"CREATE TRIGGER t_{table} BEFORE INSERT ON {table} BEGIN SELECT RAISE(ABORT, 'refused'); END"
                db.execute(text(trigger))
            else:
                db.execute(text(f"ALTER TABLE {table} ADD COLUMN extra integer NOT NULL"))
    store.close()
    with open_client(real_town, operations_url=store_url, peer="192.0.2.7") as client:
        answer = client.post(path, json=body)
    assert answer.status_code in {500, 503}
    log = "".join(capsys.readouterr())
    assert "request_failed" in log or answer.status_code == 503
    assert not [name for name, value in TEXTS.items() if value in log + answer.text]
