"""The API against its own description."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from litestar.testing import TestClient

from serving.app import create_app
from serving.openapi import document
from serving.settings import API_VERSION, Settings
from tests.support.declared import declaration
from tests.support.server import running_service
from tests.support.town import write_town

TOKEN = "contract-secret"
CONFIG = Path(__file__).with_name("schemathesis.toml")
# For each operation and kind of data. The suite sends the same cases every time, so that it fails for what was
# changed and for nothing else; `make contract EXAMPLES=300` sends others on every run.
_MORE = os.environ.get("CONTRACT_EXAMPLES")
EXAMPLES = ["--max-examples", _MORE, "--generation-database", "none"] if _MORE else ["--max-examples", "30", "--generation-deterministic"]  # fmt: skip


@pytest.fixture(scope="module")
def town(tmp_path_factory):
    folder = tmp_path_factory.mktemp("contract")
    declared = [declaration("DR", 1, "NY", datetime.now(UTC).date() - timedelta(days=10))]
    write_town(folder, hsds=True, declarations=declared)
    return folder


@pytest.fixture(scope="module")
def app(town):
    return create_app(Settings(data_dir=town, log_level="critical"))


@pytest.fixture(scope="module")
def description(app):
    return json.loads(document(app))


@pytest.mark.slow
def test_every_answer_is_as_described(town, description, tmp_path):
    """Schemathesis with all its checks, against the service as it runs."""
    command = [sys.executable, "-m", "schemathesis.cli", "--config-file", str(CONFIG), "run"]
    options = ["--checks", "all", "--no-color", *EXAMPLES]
    sent = ["--header", f"Authorization: Bearer {TOKEN}"]
    with running_service(town, LARDER_ADMIN_TOKEN=TOKEN, LARDER_LOG_LEVEL="error") as address:
        described = f"{address}/api/openapi.json"
        done = subprocess.run([*command, described, *options, *sent], cwd=tmp_path, capture_output=True, text=True, check=False)  # fmt: skip
    print(done.stdout[done.stdout.rfind("= SUMMARY =") :])
    assert done.returncode == 0, _told(done.stdout) + done.stderr[-2000:]
    count = len(operations(description))
    assert f"{count} selected / {count} total" in done.stdout


def _told(output: str) -> str:
    """The failures themselves; warnings and summary would push them out of sight."""
    begin = max(output.find("= FAILURES ="), 0)
    return output[begin : begin + 8000] + output[-1500:]


def operations(description):
    return [(path, op) for path, item in description["paths"].items() for op in item.values()]


def test_the_description_is_complete(description):
    assert description["openapi"].startswith("3.1")
    assert description["info"]["version"] == API_VERSION
    found = operations(description)
    assert len(found) >= 14
    names = [operation["operationId"] for _, operation in found]
    assert len(set(names)) == len(names)
    for path, operation in found:
        assert operation["summary"], path
        assert operation["description"], path
        for parameter in operation.get("parameters", []):
            assert parameter.get("description"), (path, parameter["name"])
        for status, answer in operation["responses"].items():
            assert answer["description"], (path, status)
            if int(status) >= 400 and path != "/api/health/deep":
                assert list(answer["content"]) == ["application/problem+json"], (path, status)
            elif status == "200":
                assert answer["content"], path


def test_every_member_of_the_record_is_described(description):
    for name in ("ResourceRecord", "ResourceDetail", "ResourceList"):
        members = description["components"]["schemas"][name]["properties"]
        assert [m for m, entry in members.items() if not entry.get("description")] == []


def test_both_addresses_give_the_same_description(app):
    with TestClient(app) as client:
        first, second = (client.get(p) for p in ("/api/openapi.json", "/.well-known/openapi.json"))
        assert first.content == second.content
        assert first.headers["content-type"] == "application/json"
