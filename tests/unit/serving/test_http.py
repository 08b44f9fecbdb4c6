"""What all answers share: ETag and 304, HEAD, CORS, caching, compression, problems."""

import contextlib
import gzip
import json

import brotli
import msgspec
import pytest

from schemas.api.common import Problem
from serving.http.errors import KINDS
from serving.run import main
from serving.settings import Settings, read_settings
from serving.telemetry.logs import make_logger
from tests.support.clients import open_client
from tests.support.metrics import metrics_of


@pytest.mark.parametrize(
    "path", ["/docs", "/api/resources/types", "/api/resources/bulk?limit=120", "/"]
)
def test_no_answer_of_one_client_reaches_the_next(client, path):
    """Each client has its own encoding and 304 of cached answers."""
    plain = client.get(path, headers={"Accept-Encoding": "identity"})
    for encoding, decode in (
        ("br", brotli.decompress),
        ("gzip", gzip.decompress),
        ("identity", bytes),
    ):
        for headers in ({"If-None-Match": plain.headers["etag"]}, {}):
            with client.stream(
                "GET", path, headers={"Accept-Encoding": encoding, **headers}
            ) as answer:
                raw = b"".join(answer.iter_raw())
            if headers:
                assert (answer.status_code, raw) == (304, b"")
                continue
            assert answer.status_code == 200
            assert answer.headers.get_list("content-encoding") == (
                [] if encoding == "identity" else [encoding]
            )
            if "bulk" not in path:  # it is sent in pieces
                assert answer.headers["content-length"] == str(len(raw))
            assert answer.headers["etag"] == plain.headers["etag"]
            assert "Accept-Encoding" in answer.headers["vary"]
            assert decode(raw) == plain.content
            assert encoding == "identity" or len(raw) < len(plain.content)


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [("br;q=0, gzip", "gzip"), ("*", "br"), ("deflate", None), ("gzip;q=0", None)],
)
def test_encoding_is_negotiated(client, accepted, encoding):
    answer = client.get("/api/resources/types", headers={"Accept-Encoding": accepted})
    assert answer.headers.get("content-encoding") == encoding


def test_tiny_bodies_are_not_compressed(client):
    assert "content-encoding" not in client.get("/api/health").headers


def test_preflight(client):
    preflight = {"Origin": "https://elsewhere.example", "Access-Control-Request-Method": "GET"}
    answer = client.options("/api/resources/search", headers=preflight)
    assert (answer.status_code, answer.content) == (204, b"")
    assert "content-length" not in answer.headers
    assert answer.headers["access-control-allow-origin"] == "*"
    assert "GET" in answer.headers["access-control-allow-methods"]
    assert {"ETag", "Link", "Retry-After", "X-Release"} <= set(
        answer.headers["access-control-expose-headers"].split(", ")
    )


# Method, path, status, kind, field that is named.
PROBLEMS = {
    "zip missing": ("GET", "/api/resources/search", 400, "missing-parameter", "zip"),
    "zip too short": ("GET", "/api/resources/search?zip=1234", 400, "invalid-parameter", "zip"),
    "zip empty": ("GET", "/api/resources/search?zip=", 400, "invalid-parameter", "zip"),
    "zip too long a text": ("GET", "/api/resources/search?zip=" + "a" * 101, 400, "invalid-parameter", "zip"),
    "zip unknown": ("GET", "/api/resources/search?zip=99999", 404, "unknown-place", "zip"),
    "city unknown": ("GET", "/api/resources/search?zip=Nowhere, NY", 404, "unknown-place", "zip"),
    "city of another state": ("GET", "/api/resources/search?zip=Salem, NY", 404, "unknown-place", "zip"),
    "military ZIP": ("GET", "/api/resources/search?zip=09012", 404, "no-point", "zip"),
    "type unknown": ("GET", "/api/resources/search?zip=10002&type=food_pantry,banana", 400, "invalid-parameter", "type"),
    "type empty": ("GET", "/api/resources/search?zip=10002&type=", 400, "invalid-parameter", "type"),
    "radius not a number": ("GET", "/api/resources/search?zip=10002&radius=nan", 400, "invalid-parameter", "radius"),
    "lat missing": ("GET", "/api/resources/nearby?lng=1", 400, "missing-parameter", "lat"),
    "lat beyond the pole": ("GET", "/api/resources/nearby?lat=95&lng=0", 400, "invalid-parameter", "lat"),
    "lat NaN": ("GET", "/api/resources/nearby?lat=NaN&lng=0", 400, "invalid-parameter", "lat"),
    "lng infinite": ("GET", "/api/resources/nearby?lat=0&lng=inf", 400, "invalid-parameter", "lng"),
    "id unknown": ("GET", "/api/resources/999999999", 404, "unknown-resource", None),
    "status of an unknown id": ("GET", "/api/resources/999999999/status", 404, "unknown-resource", None),
    "id not a number": ("GET", "/api/resources/not-a-number", 404, "not-found", None),
    "bulk limit": ("GET", "/api/resources/bulk?limit=1001", 400, "invalid-parameter", "limit"),
    "one letter": ("GET", "/api/autocomplete?q=a", 400, "invalid-parameter", "q"),
    "no question": ("GET", "/api/llm-search", 400, "missing-parameter", "q"),
    "a long question": ("GET", "/api/llm-search?q=" + "x" * 501, 400, "invalid-parameter", "q"),
    "no letter": ("GET", "/api/autocomplete", 400, "missing-parameter", "q"),
    "dashboard without a token": ("GET", "/api/analytics/dashboard", 401, "unauthorized", None),
    "no such page": ("GET", "/no-such-page", 404, "not-found", None),
    "method": ("POST", "/api/stats", 405, "method-not-allowed", None),
    "method on a parameter": ("DELETE", "/api/resources/101", 405, "method-not-allowed", None),
    "no such problem": ("GET", "/problems/none", 404, "not-found", None),
}  # fmt: skip


@pytest.mark.parametrize(
    ("method", "path", "status", "kind", "field"), PROBLEMS.values(), ids=PROBLEMS
)
def test_problems(client, method, path, status, kind, field):
    answer = client.request(method, path)
    assert answer.headers["content-type"] == "application/problem+json"
    problem = msgspec.json.decode(answer.content, type=Problem)
    assert (answer.status_code, problem.status) == (status, status)
    assert problem.type.endswith(f"/problems/{kind}")
    assert problem.success is False
    assert problem.error == problem.detail
    assert problem.request_id == answer.headers["x-request-id"]
    assert [fault.field for fault in problem.errors or []] == ([field] if field else [])
    assert answer.headers["x-release"]
    assert answer.headers["cache-control"] == "no-cache"


BROWSER = {"accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}
PAGES_OF_PROBLEMS = {
    "an old link": ("GET", "/pantries.php", "", 404, "en", "We cannot find this page"),
    "one in Spanish": ("GET", "/es/nada", "en", 404, "es", "No encontramos esta página"),
    "a browser in Spanish": ("GET", "/nada", "es-MX,en;q=0.5", 404, "es", "No encontramos"),
    "weights": ("GET", "/nada", "es;q=0.1, en-US;q=0.9", 404, "en", "We cannot find"),
    "a language that is switched off": ("GET", "/vi/x", "vi, es", 404, "es", "No encontramos"),
    "a place that is not known": ("GET", "/place/999999999", "", 404, "en", "We cannot find"),
    "a ZIP code that is not known": ("GET", "/zip/99999", "", 404, "en", "We do not know this"),
    "no sheet": ("GET", "/print/99999", "", 404, "en", "We do not know this place"),
    "a method": ("POST", "/urgent", "", 405, "en", "We cannot find this page"),
    "too long a question": ("GET", f"/search?q={'x' * 201}", "", 400, "en", "We cannot read"),
}  # fmt: skip


@pytest.mark.parametrize(
    ("method", "path", "accepted", "status", "language", "title"),
    PAGES_OF_PROBLEMS.values(),
    ids=PAGES_OF_PROBLEMS,
)
def test_a_browser_gets_problems_as_a_page(client, method, path, accepted, status, language, title):
    headers = BROWSER | {"accept-language": accepted}
    answer = client.request(method, path, headers=headers)
    assert (answer.status_code, answer.headers["content-language"]) == (status, language)
    assert answer.headers["cache-control"] == "private, no-store"
    assert "Accept" in answer.headers.get_list("vary")
    assert f"<h1>{title}" in answer.text
    second = "en" if language == "es" else "es"
    assert f'<section lang="{second}">' in answer.text
    assert 'name="q"' in answer.text
    assert 'href="tel:211"' in answer.text


@pytest.mark.parametrize("path", ["/api/no", "/hsds/v3/no", "/embed/no", "/mcp/no"])
def test_addresses_for_programs_answer_problems_as_json(client, path):
    answer = client.get(path, headers=BROWSER)
    assert (answer.status_code, answer.headers["content-type"]) == (404, "application/problem+json")


@pytest.mark.parametrize("kind", KINDS)
def test_every_problem_type_has_a_page(client, kind):
    answer = client.get(f"/problems/{kind}")
    assert answer.status_code == 200
    assert KINDS[kind].title in answer.text


def test_several_faults_are_all_named(client):
    answer = client.get("/api/resources/search?zip=1&limit=0&mode=x").json()
    assert {fault["field"] for fault in answer["errors"]} == {"zip", "limit", "mode"}


@pytest.mark.parametrize(
    ("path", "field", "rule"),
    [
        ("/api/resources/search?zip=10002&limit=x", "limit", "a whole number from 1 to 100"),
        ("/api/resources/search?zip=10002&radius=-1", "radius", "a number from 0 to 500"),
        ("/api/resources/search?zip=10002&confirmed_within=x", "confirmed_within", "3,650"),
        ("/api/resources/search?zip=10002&serves_zip=x", "serves_zip", "five digits"),
        ("/api/resources/search?zip=10002&hours_known=x", "hours_known", "true or false"),
        ("/api/resources/counts?zip=Salem", "zip", "five digits, or ZIP+4"),
        ("/api/changes?since=x", "since", "the id of a release"),
        ("/hsds/v3/services?per_page=x", "per_page", "a whole number from 1 to 1,000"),
        ("/hsds/v3/services?taxonomy_id=x", "taxonomy_id", "a UUID"),
        ("/hsds/v3/locations?postcode=x", "postcode", "five digits, or ZIP+4"),
        ("/api/autocomplete?q=", "q", "a text from 2 to 100 characters"),
    ],
)
def test_rules_of_parameters_are_in_words(client, path, field, rule):
    answer = client.get(path)
    assert answer.status_code == 400
    (fault,) = answer.json()["errors"]
    assert fault["field"] == field
    assert rule in fault["rule"]


@pytest.mark.parametrize(
    ("path", "methods"),
    {
        "/api/stats": {"GET", "HEAD", "OPTIONS"},
        "/api/snap/calculate": {"POST", "OPTIONS"},
        "/feedback": {"GET", "HEAD", "POST", "OPTIONS"},
    }.items(),
)
def test_options_names_the_methods(client, path, methods):
    answer = client.options(path)
    assert (answer.status_code, answer.content) == (204, b"")
    assert set(answer.headers["allow"].split(", ")) == methods


def test_405_names_the_methods(client):
    assert client.post("/api/stats").headers["allow"] == "GET, HEAD, OPTIONS"


def test_the_front_page_marks_invented_data(client):
    page = client.get("/").text
    assert "invented" in page
    assert page.count("<h1>") == 1


def test_metrics_count_by_route(client):
    client.get("/api/resources/101")
    client.get("/somewhere/else")
    text = metrics_of(client)
    assert (
        'larder_requests_total{method="GET",route="/api/resources/{resource_id}",status="200"}'
        in text
    )
    assert 'route="unmatched",status="404"' in text
    assert "larder_release_age_seconds" in text
    assert "/somewhere" not in text


@pytest.mark.parametrize("level", ["debug", "info", "warning", "error", "critical"])
def test_a_log_resumes_when_the_disk_has_room(capsys, level):
    log, full = make_logger("debug"), open("/dev/full", "w", encoding="utf-8")  # noqa: SIM115
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdout", full)
        getattr(log, level)("release_opened", release_id="1")
        with contextlib.suppress(OSError):  # of the line that it could not write
            full.close()
        getattr(log, level)("release_opened", release_id="2")
    getattr(log, level)("release_opened", release_id="3")
    assert [json.loads(line)["release_id"] for line in capsys.readouterr().out.splitlines()] == [
        "3"
    ]


def test_a_quick_success_is_not_logged(town, tmp_path, capsys):
    operations = str(tmp_path / "operations.sqlite")
    with open_client(town, log_level="debug", operations_file=operations) as client:
        client.get("/api/resources/search?zip=10002")
    lines = capsys.readouterr().out.splitlines()
    assert [json.loads(line)["event"] for line in lines] == ["release_opened"]


# ---------------------------------------------------------------- settings

SETTINGS = {
    "nothing": ({}, Settings()),
    "numbers": (
        {"LARDER_PORT": "8123", "LARDER_POLL_SECONDS": "0.5"},
        Settings(port=8123, poll_seconds=0.5),
    ),
    "empty means default": ({"LARDER_HOST": " "}, Settings()),
}


@pytest.mark.parametrize(("environment", "expected"), SETTINGS.values(), ids=SETTINGS)
def test_settings(environment, expected):
    assert read_settings(environment) == expected


def test_the_first_variable_of_a_setting_wins():
    both = {"DIRECTORY_DATA_DIR": "/b", "LARDER_DATA": "/a"}
    assert str(read_settings(both).data_dir) == "/a"
    assert str(read_settings({"DIRECTORY_DATA_DIR": "/b"}).data_dir) == "/b"


@pytest.mark.parametrize(("option", "status"), [("--help", 0), ("--port", 2)])
def test_options_explain_the_command_and_start_no_service(option, status, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["larder-serve", option])
    monkeypatch.setattr("serving.run.serve", pytest.fail)
    with pytest.raises(SystemExit) as error:
        main()
    assert error.value.code == status
    output = "".join(capsys.readouterr())
    assert option == "--port" or "LARDER_PORT [8000]\n    Port to listen on." in output
