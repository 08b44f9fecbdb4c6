"""Submissions of the public: accepted, refused with field and rule, limited, and escaped."""

import pytest

from tests.support.clients import open_client
from tests.support.pages import list_page_faults, read_page
from tests.support.reviewers import COOKIE, csrf, session_token
from tests.support.town import NEW_PLACE
from warehouse.operations.engine import open_store
from warehouse.operations.export import build_approved_files

SCRIPT = "<script>alert(1)</script>"


@pytest.fixture
def store_path(tmp_path):
    return tmp_path / "o.sqlite"


@pytest.fixture
def client(town, store_path):
    with open_client(town, operations_file=str(store_path), log_level="critical") as client:
        yield client


@pytest.fixture(scope="module")
def refusing(town, tmp_path_factory):
    """A service without limits, for requests that leave nothing behind."""
    store = tmp_path_factory.mktemp("refusing") / "o.sqlite"
    with open_client(town, operations_file=str(store), limits="off") as client:
        yield client


def faults(answer):
    assert answer.status_code == 400, answer.text
    return {fault["field"] for fault in answer.json()["errors"]}


# ---------------------------------------------------------------- submissions


def test_a_submission_waits_and_is_not_found(client):
    answer = client.post("/api/submissions", json=NEW_PLACE)
    assert answer.status_code == 201
    body = answer.json()
    assert (body["is_active"], body["verification_status"]) == (0, "pending")
    assert answer.headers["cache-control"] == "no-store"
    assert "Zebra" not in client.get("/api/resources/search?zip=10002&limit=100").text


@pytest.mark.parametrize(
    ("change", "field"),
    [
        *(({name: None}, name) for name in NEW_PLACE),
        ({"name": "  "}, "name"),
        ({"name": "--"}, "name"),
        ({"name": "x" * 201}, "name"),
        ({"zip": "12"}, "zip"),
        ({"zip": "97301"}, "zip"),
        ({"state": "ZZ"}, "state"),
        ({"resource_type": "banana"}, "resource_type"),
        ({"phone": "12"}, "phone"),
        ({"website": "javascript:alert(1)"}, "website"),
        ({"submitter_email": "nobody"}, "submitter_email"),
    ],
)
def test_a_wrong_field_is_named(refusing, change, field):
    body = {name: value for name, value in {**NEW_PLACE, **change}.items() if value is not None}
    assert faults(refusing.post("/api/submissions", json=body)) == {field}


@pytest.mark.parametrize(
    "name", ["Zebra Finch Pantry", "THE ZEBRA-FINCH PANTRY, INC.", "Example Pantry East"]
)
def test_pending_and_listed_places_are_duplicates(client, name):
    assert client.post("/api/submissions", json=NEW_PLACE).status_code == 201
    assert client.post("/api/submissions", json={**NEW_PLACE, "name": name}).status_code == 409


def test_a_retry_with_its_key_gets_the_same_answer(client):
    responses = [
        client.post("/api/submissions", json=NEW_PLACE, headers={"Idempotency-Key": "a"})
        for _ in range(9)
    ]
    assert {(a.status_code, a.json()["id"]) for a in responses} == {(201, 1)}


def test_a_duplicate_does_not_use_up_the_limit(client):
    def submit(name: str) -> int:
        return client.post("/api/submissions", json={**NEW_PLACE, "name": name}).status_code

    listed = client.get("/api/resources/101").json()
    twin = {**NEW_PLACE, "name": listed["name"], "zip": listed["zip"]}
    assert submit("Pantry 0") == 201
    assert [submit("Pantry 0") for _ in range(4)] == [409] * 4
    assert [client.post("/api/submissions", json=twin).status_code for _ in range(4)] == [409] * 4
    assert [submit(f"Pantry {n}") for n in range(1, 6)] == [201] * 4 + [429]


# ---------------------------------------------------------------- feedback, partners


def test_feedback_with_the_same_key_is_stored_once(client):
    body = {"type": "other", "comment": "Sent twice"}
    responses = [
        client.post("/api/feedback", json=body, headers={"idempotency-key": key}).json()
        for key in ("a", "a", "b")
    ]
    assert [one["effects"] for one in responses] == [["counted"], ["repeated"], ["counted"]]
    assert responses[0]["id"] == responses[1]["id"] != responses[2]["id"]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"type": "helpful", "resource_id": 101}, 202),
        ({"type": "other", "comment": "thanks"}, 202),
        ({"type": "closed", "resource_id": 999}, 404),
    ],
)
def test_feedback(client, body, status):
    assert client.post("/api/feedback", json=body).status_code == status


def test_a_listing_is_found_by_part_of_its_name(client):
    places = client.get("/api/partner/find?name=pantry east&zip=10002").json()
    assert places["match"]["id"] == 101
    assert client.get("/api/partner/find?name=nothing like it&zip=10002").json()["match"] is None
    assert client.get("/api/partner/find?name=x").status_code == 400


def test_an_edit_answers_with_its_diff_and_changes_nothing(client):
    body = {
        "resource_id": 101,
        "changes": {"phone": "212-555-0199", "hours_text": None},
        "submitted_by": "me",
    }
    answer = client.post("/api/partner/edit", json=body)
    assert answer.status_code == 202
    assert answer.json()["diff"] == [
        {"field": "phone", "before": "(212) 555-0101", "after": "(212) 555-0199"},
        {"field": "hours_text", "before": "Always", "after": None},
    ]
    assert client.post("/api/partner/edit", json=body).json()["id"] == answer.json()["id"]
    assert client.get("/api/resources/101").json()["phone"] == "(212) 555-0101"


@pytest.mark.parametrize(
    ("changes", "changed_fields", "unchanged"),
    [
        ({"phone": "(212) 555-0101", "hours_text": None}, ["hours_text"], ["phone"]),
        (
            {"phone": "212 555 0101", "name": "New Name", "website": None},
            ["name"],
            ["phone", "website"],
        ),
        ({"lat": "same", "lng": -73.5}, ["lat", "lng"], []),
    ],
)
def test_a_field_that_stays_does_not_refuse_the_others(client, changes, changed_fields, unchanged):
    record = client.get("/api/resources/101").json()
    payload = {name: record[name] if value == "same" else value for name, value in changes.items()}
    answer = client.post(
        "/api/partner/edit", json={"resource_id": 101, "changes": payload, "submitted_by": "me"}
    )
    assert answer.status_code == 202, answer.text
    assert {change["field"] for change in answer.json()["diff"]} == set(changed_fields)
    assert answer.json()["unchanged"] == unchanged


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({}, "changes"),
        ({"phone": "(212) 555-0101"}, "changes.phone"),
        ({"id": 5}, "changes.id"),
        ({"verification_status": "verified"}, "changes.verification_status"),
        ({"colour": "red"}, "changes.colour"),
        ({"name": None}, "changes.name"),
        ({"is_active": True}, "changes.is_active"),
        ({"lat": 1.0}, "changes.lng"),
        ({"zip": "97301"}, "changes.zip"),
        ({"accepts_walkins": "yes"}, "changes.accepts_walkins"),
        ({"languages": ["xx"]}, "changes.languages"),
    ],
)
def test_a_wrong_change_is_named(refusing, changes, field):
    body = {"resource_id": 101, "changes": changes, "submitted_by": "me"}
    assert faults(refusing.post("/api/partner/edit", json=body)) == {field}


# ---------------------------------------------------------------- the console


@pytest.fixture
def console(client, store_path):
    return signed_in(client, store_path)


@pytest.fixture(scope="module")
def reading(town, tmp_path_factory):
    """The console of a store that nothing here decides on."""
    path = tmp_path_factory.mktemp("reading") / "o.sqlite"
    with open_client(town, operations_file=str(path), limits="off", log_level="critical") as client:
        assert client.post("/api/submissions", json=NEW_PLACE).status_code == 201
        yield signed_in(client, path)


def signed_in(client, path):
    store = open_store(path)
    client.cookies.set(COOKIE, session_token(store), path="/admin")
    store.close()
    return client


PAGES = [
    "/admin",
    "/admin/submissions",
    "/admin/edits",
    "/admin/claims",
    "/admin/merges",
    "/admin/contradictions",
    "/admin/feedback",
    "/admin/outbox",
    "/admin/audit",
    "/admin/passkeys",
    "/admin/places/101",
]


@pytest.mark.parametrize("path", [*PAGES, "/admin/submissions/1"])
def test_the_console_requires_a_session(refusing, path):
    answer = refusing.get(path, follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/admin/sign-in")


@pytest.mark.parametrize("path", PAGES)
def test_pages_of_the_console_are_not_stored_or_indexed(reading, path):
    answer = reading.get(path)
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "private, no-store"
    assert "noindex" in answer.headers["x-robots-tag"]


@pytest.mark.parametrize(
    "path",
    [
        "/admin/sign-in",
        "/admin/sign-out",
        "/admin/submissions/1",
        "/admin/edits/1",
        "/admin/claims",
        "/admin/merges",
        "/admin/places/101",
        "/admin/feedback",
        "/admin/outbox",
        "/admin/enrol",
        "/admin/passkeys",
    ],
)
@pytest.mark.parametrize("token", [{}, {"csrf": "x"}])
def test_a_form_without_its_token_is_refused(reading, path, token):
    assert reading.post(path, data={"action": "approve", **token}).status_code == 403


def test_a_form_from_another_site_is_refused(reading):
    token = csrf(reading.get("/admin").text)
    answer = reading.post(
        "/admin/sign-out", data={"csrf": token}, headers={"sec-fetch-site": "cross-site"}
    )
    assert answer.status_code == 403


@pytest.mark.parametrize("number", [2**63, 2**64 + 1, 10**30, 0, "9" * 5000])
def test_ids_beyond_the_range_of_a_store_are_refused(reading, number):
    token = csrf(reading.get("/admin").text)
    for kind in ("submissions", "edits"):
        path = f"/admin/{kind}/{number}"
        assert reading.get(path).status_code in {400, 404}
        form_data = {"csrf": token, "action": "undo"}
        assert reading.post(path, data=form_data).status_code in {400, 404}
        assert reading.get(f"/admin/{kind}?page={number}").status_code == 200
    for path, name in (("claims", "claim"), ("feedback", "message"), ("merges", "decision")):
        form_data = {"csrf": token, name: str(number), "action": "revoke"}
        assert reading.post(f"/admin/{path}", data=form_data).status_code in {303, 400, 404}


def test_scripts_come_out_as_text(console):
    payload = {
        **NEW_PLACE,
        "name": f"{SCRIPT} Pantry",
        "address": SCRIPT,
        "hours_text": SCRIPT,
        "submitter_name": SCRIPT,
        "submitter_relationship": SCRIPT,
    }
    assert console.post("/api/submissions", json=payload).status_code == 201
    changes = {"name": f"{SCRIPT} East", "notes": SCRIPT, "services_offered": [SCRIPT]}
    console.post(
        "/api/partner/edit", json={"resource_id": 101, "changes": changes, "submitted_by": SCRIPT}
    )
    console.post(
        "/api/feedback",
        json={"type": "other", "resource_id": 102, "comment": SCRIPT, "contact": SCRIPT},
    )
    for path in [*PAGES, "/admin/submissions/1", "/admin/edits/1"]:
        text = console.get(path).text
        assert SCRIPT not in text, path
    assert "&lt;script&gt;" in console.get("/admin/submissions/1").text


def test_approve_with_a_correction_then_undo(console, store_path):
    console.post("/api/submissions", json=NEW_PLACE)
    page = console.get("/admin/submissions/1")
    form = {**NEW_PLACE, "csrf": csrf(page.text), "city": "Brooklyn", "action": "approve"}
    decided = console.post("/admin/submissions/1", data=form).text
    assert "Approved" in decided
    assert "Saved." in decided
    store = open_store(store_path)
    assert b'"city":"Brooklyn"' in build_approved_files(store)["operations"]["submissions.json"]
    assert console.post("/admin/submissions/1", data=form).status_code == 409
    console.post("/admin/submissions/1", data={"csrf": form["csrf"], "action": "undo"})
    assert build_approved_files(store)["operations"] == {}
    store.close()
    assert "administrator ann" in console.get("/admin/audit").text


def test_a_place_is_corrected_and_retired_on_its_page(console):
    path = "/admin/places/101"
    page = console.get(path)
    assert list_page_faults(read_page(page)) == []
    form = {
        field.get("name"): field.get("value") or field.text or ""
        for field in read_page(page).iter()
        if field.get("name") and field.get("id", "").startswith("f-")
    }
    form["resource_type"] = "food_pantry"
    token = {"csrf": csrf(page.text)}
    same = console.post(path, data=form | token | {"action": "edit"})
    assert (same.status_code, "Nothing was changed." in same.text) == (400, True)
    wrong = console.post(path, data=form | token | {"action": "edit", "phone": "12"})
    assert "Telephone: a telephone number" in wrong.text
    changed = {"action": "edit", "phone": "(212) 555-0177"}
    saved = console.post(path, data=form | token | changed)
    assert "Saved." in saved.text
    edit = console.get("/admin/edits/1").text
    assert "(212) 555-0177" in edit
    assert '<th scope="row">Telephone</th>' in edit
    assert edit.count("<del>") <= 1, "nothing but the telephone changes"
    assert console.post(path, data=token | {"action": "retire"}).status_code == 400
    console.post(path, data=token | {"action": "retire", "reason": "moved away"})
    assert console.get("/api/resources/101").status_code == 410
    gone = console.get(path).text
    assert "administrator ann" in gone
    # Each step is undone where it is listed.
    assert 'action="/admin/edits/2"' in gone
    console.post("/admin/edits/2", data=token | {"action": "undo"})
    assert console.get("/api/resources/101").status_code == 200


def test_queues_are_filtered_by_state_and_kind(console):
    console.post("/api/submissions", json=NEW_PLACE)
    for changes in ({"phone": "(212) 555-0177"}, {"is_active": False}):
        console.post(
            "/api/partner/edit",
            json={"resource_id": 101, "changes": changes, "submitted_by": "me"},
        )
    found = {
        "submissions?us_state=NY": 1,
        "submissions?us_state=OR": 0,
        f"submissions?resource_type={NEW_PLACE['resource_type']}": 1,
        "submissions?resource_type=snap_retailer": 0,
        "edits?field=phone": 1,
        "edits?field=name": 0,
        "edits?field=is_active": 1,
        "edits": 2,
    }
    counts = {path: console.get(f"/admin/{path}").text.count('<li class="card">') for path in found}
    assert counts == found


def test_the_sketch_of_the_console_is_drawn_in_the_colours_of_the_page(reading):
    sketch = read_page(reading.get("/admin/submissions/1")).find(".//{*}svg[@class='map']")
    shapes = [shape for shape in sketch if shape.tag.rpartition("}")[2] in ("rect", "circle")]
    assert shapes
    # Without a colour of their own, shapes are filled with black and hide each other.
    assert all(shape.get("fill") in ("none", "currentColor") for shape in shapes)


def test_a_message_that_was_put_aside_comes_back(console):
    console.post("/api/feedback", json={"type": "other", "resource_id": 102, "comment": "Hello"})
    token = {"csrf": csrf(console.get("/admin/feedback").text)}
    page = console.post("/admin/feedback", data=token | {"message": "1", "action": "read"})
    assert "Saved." in page.text
    assert "Hello" not in page.text
    undone = console.post("/admin/feedback", data=token | {"message": "1", "action": "unread"})
    assert 'value="unread"' in page.text
    assert "Hello" in undone.text


def test_a_decision_on_a_claim_is_taken_back(console):
    claim = {"resource_id": 101, "operator_email": "ann@quince.example", "operator_name": "Ann"}
    assert console.post("/api/pantry/claim", json=claim).status_code == 200
    token = {"csrf": csrf(console.get("/admin/claims").text), "claim": "1"}
    page = console.post("/admin/claims", data=token | {"action": "revoke"}).text
    assert "Saved." in page
    assert 'value="undo"' in page
    assert "ann@quince.example" not in page
    assert "ann@quince.example" in console.get("/admin/claims?state=revoked").text
    assert (
        "ann@quince.example" in console.post("/admin/claims", data=token | {"action": "undo"}).text
    )
    again = console.post("/admin/claims", data=token | {"action": "undo"})
    assert again.status_code == 409


@pytest.mark.parametrize(
    ("query", "is_listed"),
    [
        ("us_state=NY", True),
        ("us_state=OR", False),
        ("resource_type=food_pantry", True),
        ("resource_type=snap_retailer", False),
    ],
)
def test_queues_on_places_are_filtered_by_state_and_type(console, query, is_listed):
    claim = {"resource_id": 101, "operator_email": "ann@quince.example", "operator_name": "Ann"}
    assert console.post("/api/pantry/claim", json=claim).status_code == 200
    message = {"type": "other", "resource_id": 101, "comment": "Hello"}
    assert console.post("/api/feedback", json=message).status_code in (200, 201, 202)
    assert ("ann@quince.example" in console.get(f"/admin/claims?{query}").text) is is_listed
    assert ("Hello" in console.get(f"/admin/feedback?{query}").text) is is_listed
    for queue in ("merges", "contradictions"):
        assert console.get(f"/admin/{queue}?{query}").status_code == 200


def test_a_rejection_needs_a_reason(console):
    console.post("/api/submissions", json=NEW_PLACE)
    token = csrf(console.get("/admin/submissions/1").text)
    assert (
        console.post("/admin/submissions/1", data={"csrf": token, "action": "reject"}).status_code
        == 400
    )
    response = console.post(
        "/admin/submissions/1", data={"csrf": token, "action": "reject", "reason": "no such street"}
    )
    assert "no such street" in response.text


def test_a_place_closed_for_good_is_410_at_once(console):
    console.post(
        "/api/partner/edit",
        json={"resource_id": 101, "changes": {"is_active": False}, "submitted_by": "me"},
    )
    before = console.get("/api/resources/search?zip=10002&mode=free").json()["total_available"]
    token = csrf(console.get("/admin/edits/1").text)
    console.post(
        "/admin/edits/1",
        data={"csrf": token, "action": "approve", "is_active": "false", "reason": "duplicates"},
    )
    after = console.get("/api/resources/search?zip=10002&mode=free").json()
    assert after["total_available"] == before - 1
    assert 101 not in {place["id"] for place in after["resources"]}
    answer = console.get("/api/resources/101")
    assert answer.status_code == 410
    assert (
        answer.json()["detail"]
        == "Resource 101 is no longer listed (removed after review: duplicates)."
    )
    assert console.get("/api/resources/counts?zip=10002").status_code == 200
    console.post("/admin/edits/1", data={"csrf": token, "action": "undo"})
    assert console.get("/api/resources/101").status_code == 200
