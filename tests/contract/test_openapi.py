"""Test the API against its own description."""

import json
import os
import re
import subprocess
import sys
from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest
from litestar.testing import TestClient

from serving.app import create_app
from serving.http.openapi import document, documents
from serving.http.openapi_components import inline_components
from serving.http.openapi_parts import APART, MAIN, WHOLE
from serving.settings import API_VERSION, Settings
from serving.site.api_reference import members_of
from tests.support.contract import check_answers, patterns_by_dialect
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
    return inline_components(json.loads(document(app)))


@pytest.mark.slow
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


def test_records_have_the_members_of_their_base(description):
    for name in ("ResourceRecord", "ResourceDetail", "ResourceList"):
        members, _ = members_of(description, description["components"]["schemas"][name])
        assert {"id", "name", "hours_status"} <= members.keys() or "resources" in members


def test_both_addresses_give_the_same_description(app):
    with TestClient(app) as client:
        first, second = (client.get(p) for p in ("/api/openapi.json", "/.well-known/openapi.json"))
        assert first.content == second.content
        assert first.headers["content-type"] == "application/json"


ACCEPTED_WARNINGS = {
    # `/api/pantry/{id}/status` and `/api/pantry/manage/{token}` are both of the published interface.
    "no-ambiguous-paths",
    # The newest file is a redirect.
    "operation-2xx-response",
}


MAX_BYTES = 300_000


@pytest.fixture(scope="module")
def parts(app):
    return {path: json.loads(text) for path, text in documents(app).items()}


def test_the_description_stays_small(app):
    """Common parts of operations and shapes are there once; rare operations have own documents."""
    assert len(documents(app)[MAIN]) < MAX_BYTES


def test_each_operation_is_in_one_part(parts):
    counts = Counter(name for path in (MAIN, *APART.values()) for name in names_of(parts[path]))
    assert counts == Counter(names_of(parts[WHOLE]))
    for path in APART.values():
        assert path in parts[MAIN]["info"]["description"]


def test_a_part_has_exactly_the_components_it_refers_to(parts):
    for path in (MAIN, *APART.values()):
        references = set(re.findall(r'"#/components/(\w+/[\w.-]+)"', json.dumps(parts[path])))
        components = parts[path]["components"].items()
        definitions = {f"{kind}/{name}" for kind, names in components for name in names}
        assert definitions - {"securitySchemes/bearer"} == references, path
        links = set(re.findall(r'"operationId": "(?!on)(\w+)"', json.dumps(parts[path])))
        assert links == set(names_of(parts[path])), path


def names_of(part):
    return [operation["operationId"] for _, operation in operations(part)]


def test_operations_share_parameters_and_answers(app) -> None:
    description = json.loads(document(app))
    names = set(re.findall(r'"#/components/(\w+/[\w.-]+)"', json.dumps(description)))
    kinds = ("parameters", "requestBodies", "responses", "headers")
    definitions = {f"{kind}/{name}" for kind in kinds for name in description["components"][kind]}
    assert {name for name in names if name.split("/")[0] in kinds} == definitions
    whole = [
        json.dumps(parameter, sort_keys=True)
        for item in description["paths"].values()
        for operation in item.values()
        for parameter in operation.get("parameters", ())
        if "$ref" not in parameter
    ]
    assert len(whole) == len(set(whole))
    for item in description["paths"].values():
        for operation in item.values():
            assert any(status.startswith("4") for status in operation["responses"])


@pytest.fixture(scope="module")
def redocly(tmp_path_factory):
    """Folder with the program."""
    folder = tmp_path_factory.mktemp("redocly")
    npm_packages(folder, "@redocly/cli@2")
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("path", [MAIN, WHOLE, *APART.values()])
def test_redocly_reports_no_fault(app, redocly, path) -> None:
    (redocly / "openapi.json").write_bytes(documents(app)[path])
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
