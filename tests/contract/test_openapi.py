"""Test the API against its own description."""

import json
import os
import re
import subprocess
import sys
from datetime import UTC, datetime, timedelta

import pytest
from litestar.testing import TestClient

from schemas.api.registry import STRUCTS
from serving.app import create_app
from serving.http.openapi import document
from serving.settings import API_VERSION, Settings
from tests.support.contract import SCHEMAS, check_answers, patterns_by_dialect, sample
from tests.support.declared import declaration
from tests.support.npm import npm_packages
from tests.support.server import ROOT, running_service
from tests.support.town import write_town

TOKEN = "contract-secret"


@pytest.fixture(scope="module")
def town(tmp_path_factory):
    folder = tmp_path_factory.mktemp("contract")
    declarations = [declaration("DR", 1, "NY", datetime.now(UTC).date() - timedelta(days=10))]
    write_town(folder, bulk=True, hsds=True, declarations=declarations)
    return folder


@pytest.fixture(scope="module")
def app(town):
    return create_app(Settings(data_dir=town, log_level="critical"))


@pytest.fixture(scope="module")
def description(app):
    return json.loads(document(app))


def test_every_answer_is_as_described(town, description, tmp_path):
    """Run schemathesis with all its checks against a running service."""
    with running_service(town, LARDER_ADMIN_TOKEN=TOKEN, LARDER_LOG_LEVEL="error") as address:
        output = check_answers(address, tmp_path, "--header", f"Authorization: Bearer {TOKEN}")
    count = len(operations(description))
    assert f"{count} selected / {count} total" in output


# The body of its 503 is the health report, not a problem.
REPORTS = {("/api/health/deep", "503")}


def operations(description):
    return [(path, op) for path, item in description["paths"].items() for op in item.values()]


def test_the_description_is_complete(description):
    assert description["openapi"].startswith("3.1")
    assert description["info"]["version"] == API_VERSION
    pairs = operations(description)
    assert len(pairs) >= 14
    names = [operation["operationId"] for _, operation in pairs]
    assert len(set(names)) == len(names)
    for path, operation in pairs:
        assert operation["summary"], path
        assert operation["description"], path
        for parameter in operation.get("parameters", []):
            assert parameter.get("description"), (path, parameter["name"])
        for status, answer in operation["responses"].items():
            assert answer["description"], (path, status)
            if status[0] in "45" and (path, status) not in REPORTS:
                assert list(answer["content"]) == ["application/problem+json"], (path, status)
            elif status == "200":
                assert answer["content"], path


def test_two_processes_give_equal_descriptions():
    """Replicas must agree on an `ETag`."""
    first, second = (
        subprocess.run(
            [sys.executable, "-m", "serving.http.describe"],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    )
    assert first == second


def test_every_pattern_means_the_same_in_all_dialects(description):
    assert patterns_by_dialect(description) == []


def test_every_member_of_every_shape_is_described(description):
    """Check bodies and answers."""
    undescribed = [
        f"{name}.{member}"
        for name, schema in description["components"]["schemas"].items()
        for member, part in schema.get("properties", {}).items()
        if not part.get("description")
    ]
    assert undescribed == []


def test_both_addresses_give_the_same_description(app):
    with TestClient(app) as client:
        first, second = (client.get(p) for p in ("/api/openapi.json", "/.well-known/openapi.json"))
        assert first.content == second.content
        assert first.headers["content-type"] == "application/json"


# Values of required parameters.
KNOWN = {
    "zip": "10002",
    "lat": "40.7",
    "lng": "-74",
    "q": "food 10002",
    "name": "Pantry",
    "url": "http://127.0.0.1:8000/place/101",
    "since": "20261101T060000Z-00000001",
}
# Any text is right.
TEXTS = {"q", "name", "search", "url"}


def test_a_wrong_parameter_is_named_with_its_rule_in_words(app, description):
    """Schemathesis tests that every value against a rule is refused."""
    unnamed, rules = [], set()
    with TestClient(app, base_url="http://127.0.0.1:8000") as client:
        for path, item in description["paths"].items():
            inputs = [p for p in item.get("get", {}).get("parameters", []) if p["in"] == "query"]
            required = {p["name"]: KNOWN.get(p["name"], "x") for p in inputs if p.get("required")}
            for name in {p["name"] for p in inputs} - TEXTS:
                answer = client.get(
                    path.replace("{release_id}", KNOWN["since"]), params=required | {name: "!"}
                )
                faults = answer.json()["errors"] if answer.status_code == 400 else []
                if [fault["field"] for fault in faults] != [name]:
                    unnamed.append((path, name, answer.status_code))
                rules |= {fault["rule"] for fault in faults}
    assert unnamed == [("/oembed", "format", 501)], "oEmbed defines this status"
    assert not [rule for rule in rules if rule.startswith(("Expected", "Invalid"))]


def test_a_wrong_member_is_named_with_its_rule_in_words(app, description):
    unnamed, rules = [], set()
    schemas = description["components"]["schemas"]
    with TestClient(app, base_url="http://127.0.0.1:8000") as client:
        for path, item in description["paths"].items():
            body = item.get("post", {}).get("requestBody", {})
            schema = body.get("content", {}).get("application/json", {}).get("schema", {})
            schema = schemas.get(schema.get("$ref", "").removeprefix(SCHEMAS), schema)
            right = sample(description, schema) if schema else {}
            for name in schema.get("properties", {}):
                answer = client.post(path, json={**right, name: {"x": [1]}})
                faults = answer.json()["errors"] if answer.status_code == 400 else []
                if name not in {fault["field"].partition(".")[0] for fault in faults}:
                    unnamed.append((path, name, answer.status_code))
                rules |= {fault["rule"] for fault in faults}
    assert unnamed == []
    assert len(rules) > 10
    assert not [rule for rule in rules if rule.startswith(("Expected", "Invalid"))]


ACCEPTED_WARNINGS = {
    # `/api/pantry/{id}/status` and `/api/pantry/manage/{token}` are both of the published interface.
    "no-ambiguous-paths",
    # The newest file is a redirect.
    "operation-2xx-response",
}


def test_the_description_has_every_part(description):
    tags = {tag for _, operation in operations(description) for tag in operation["tags"]}
    assert {"search", "hsds", "statistics", "writing", "operations"} <= tags
    assert {"/hsds/v3/services", "/api/v1/coverage.json"} <= description["paths"].keys()


def names_below(part, schemas):
    """Return the schemas that a part of the description refers to, directly or indirectly."""
    names, waiting = set(), [part]
    while waiting:
        text = json.dumps(waiting.pop())
        new = set(re.findall(r'"#/components/schemas/(\w+)"', text)) - names
        names |= new
        waiting += [schemas[name] for name in new]
    return names


def test_bodies_are_closed_as_their_structs_are(description):
    """An answer stays open: it may get new members."""
    schemas = description["components"]["schemas"]
    bodies = [operation.get("requestBody") for _, operation in operations(description)]
    names = names_below(bodies, schemas)
    strict = {
        name for name, struct in STRUCTS.items() if struct.__struct_config__.forbid_unknown_fields
    }
    closed = {name for name in names if schemas[name].get("additionalProperties") is False}
    assert closed == names & strict != set()
    assert "additionalProperties" not in schemas["ResourceDetail"]


@pytest.fixture(scope="module")
def redocly(tmp_path_factory):
    """Folder with the program."""
    folder = tmp_path_factory.mktemp("redocly")
    npm_packages(folder, "@redocly/cli@2")
    return folder


@pytest.mark.slow
def test_redocly_reports_no_fault(app, redocly) -> None:
    (redocly / "openapi.json").write_bytes(document(app))
    command = ["node_modules/.bin/redocly", "lint", "--extends=recommended", "--format=json"]
    process = subprocess.run(
        [*command, "openapi.json"],
        cwd=redocly,
        capture_output=True,
        timeout=120,
        check=False,
        env={**os.environ, "REDOCLY_TELEMETRY": "off", "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true"},
    )
    problems = json.loads(process.stdout)["problems"]
    assert {problem["ruleId"] for problem in problems} <= ACCEPTED_WARNINGS
    assert not [problem for problem in problems if problem["severity"] == "error"]
