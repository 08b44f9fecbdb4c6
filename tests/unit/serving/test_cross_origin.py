"""Pages of other websites read, and write nothing."""

import pytest

from tests.support.town import NEW_PLACE

EVIL = {"origin": "https://evil.example"}
OWN = {"origin": "http://127.0.0.1:8000"}
WRITES = {
    "/api/pantry/claim": {"resource_id": 101, "operator_email": "ann@quince.example"},
    "/api/feedback": {"type": "other", "comment": "x"},
    "/api/submissions": NEW_PLACE,
    "/api/partner/edit": {"resource_id": 101, "changes": {"phone": None}, "submitted_by": "x"},
    "/api/pantry/status": {"claim_token": "x", "status": "open_today"},
    "/api/pantry/revoke": {"claim_token": "x"},
}
READS = {"/api/snap/calculate": {}, "/api/benefits/screen": {}, "/mcp/v1": {}}


@pytest.mark.parametrize("path", WRITES)
@pytest.mark.parametrize(
    ("headers", "status"),
    [
        (EVIL, 403),
        ({"origin": "null"}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"content-type": "text/plain"}, 415),
        ({"content-type": "application/x-www-form-urlencoded"}, 415),
        ({"content-type": "multipart/form-data; boundary=x"}, 415),
    ],
)
def test_a_foreign_page_writes_nothing(client, path, headers, status):
    answer = client.post(path, json=WRITES[path], headers=headers)
    assert answer.status_code == status
    assert "access-control-allow-origin" not in answer.headers


@pytest.mark.parametrize("path", ["//api/feedback", "/api//feedback", "///api/feedback/"])
def test_empty_parts_of_a_path_pass_no_rule(client, path):
    url, body = f"http://127.0.0.1:8000{path}", WRITES["/api/feedback"]
    assert client.post(url, json=body, headers=EVIL).status_code == 403
    assert client.post(url, json=body).status_code == 202


@pytest.mark.parametrize("headers", [{}, OWN, {**OWN, "sec-fetch-site": "same-origin"}])
def test_our_own_page_and_programs_write(client, headers):
    answer = client.post("/api/feedback", json=WRITES["/api/feedback"], headers=headers)
    assert answer.status_code == 202
    assert "access-control-allow-origin" not in answer.headers


def test_a_token_is_for_our_own_pages(client):
    answer = client.post("/api/pantry/claim", json=WRITES["/api/pantry/claim"])
    assert answer.status_code == 200
    token = answer.json()["claim_token"]
    for one in (answer, client.get(f"/api/pantry/manage/{token}"), client.get("/admin/sign-in")):
        assert "access-control-allow-origin" not in one.headers


@pytest.mark.parametrize("path", ["/api/resources/types", "/api/resources/101", "/"])
def test_everybody_reads(client, path):
    answer = client.get(path, headers=EVIL)
    assert (answer.status_code, answer.headers["access-control-allow-origin"]) == (200, "*")


def allowed_methods(client, path):
    asked = {**EVIL, "access-control-request-method": "POST"}
    answer = client.options(path, headers=asked)
    return answer.headers["access-control-allow-methods"].split(", ")


def test_a_preflight_allows_reading_alone(client):
    for path in WRITES:
        assert allowed_methods(client, path) == ["GET", "HEAD", "OPTIONS"]
    for path in READS:
        assert "POST" in allowed_methods(client, path)


@pytest.mark.parametrize("path", ["/api/snap/calculate", "/api/benefits/screen"])
def test_a_calculation_is_a_reading(client, path):
    answer = client.post(path, json={}, headers=EVIL)
    assert answer.status_code in {200, 400, 422}
    assert answer.headers["access-control-allow-origin"] == "*"
