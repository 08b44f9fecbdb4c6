"""The official conformance suite and the Inspector, from npm, against the server as it runs.

`LARDER_NODE_TOOLS` may name a folder in which they are installed already; otherwise npm fetches
them. Scenarios that want tools made for the suite (`test_simple_text` and the like) are not for a
server with tools of its own.
"""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.mcp_calls import CALLS, write_mcp_town
from tests.support.server import running_service

pytestmark = pytest.mark.slow

PACKAGES = (
    "node@24",
    "@modelcontextprotocol/conformance@0.2.0-alpha.12",
    "@modelcontextprotocol/inspector@2.12.0",
)
# Scenarios by the revision that requires them; each passes whole.
PASSING = {
    "2026-07-28": (
        "caching",
        "completion-complete",
        "dns-rebinding-protection",
        "http-header-validation",
        "input-required-result-ignore-extra-params",
        "input-required-result-missing-input-response",
        "input-required-result-unsupported-methods",
        "input-required-result-validate-input",
        "prompts-list",
        "resources-list",
        "sep-2164-resource-not-found",
        "server-sse-multiple-streams",
        "tools-call-error",
        "tools-list",
    ),
    "2025-11-25": (
        "completion-complete",
        "dns-rebinding-protection",
        "ping",
        "prompts-list",
        "resources-list",
        "server-initialize",
        "tools-call-error",
        "tools-list",
    ),
}
# Checks of the stateless era that call a tool made for the suite (`test_missing_capability` and the
# like).
NEED_A_FIXTURE = {
    "sep-2575-server-rejects-undeclared-capability",
    "sep-2575-missing-capability-http-400",
    "sep-2575-http-server-no-independent-requests-on-stream",
    "sep-2575-server-no-log-without-loglevel",
}


@pytest.fixture(scope="module")
def tools(tmp_path_factory):
    """The folder of programs."""
    given = os.environ.get("LARDER_NODE_TOOLS")
    if given:
        return Path(given) / "node_modules" / ".bin"
    if shutil.which("npm") is None:
        pytest.skip("npm is not installed")
    folder = tmp_path_factory.mktemp("node")
    command = ["npm", "install", "--no-audit", "--no-fund", "--prefix", str(folder), *PACKAGES]
    try:
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, timeout=300, check=False
        )
    except subprocess.TimeoutExpired:
        pytest.skip("npm did not get the packages within five minutes")
    if done.returncode != 0:
        pytest.skip(f"npm cannot get the packages: {done.stderr[-300:]}")
    return folder / "node_modules" / ".bin"


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    folder = tmp_path_factory.mktemp("conformance")
    write_mcp_town(folder)
    with running_service(folder, LARDER_LOG_LEVEL="error") as base:
        yield f"{base}/mcp/v1"


def run(tools, *command):
    environment = {**os.environ, "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}"}
    # The programs need Node 22 or newer, which stands beside them.
    return subprocess.run(
        [str(tools / command[0]), *command[1:]],
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


@pytest.fixture(scope="module")
def outcome(tools, address, tmp_path_factory):
    """Checks by revision and scenario."""
    found = {}
    for revision in PASSING:
        folder = tmp_path_factory.mktemp(revision)
        run(
            tools,
            "conformance",
            "server",
            "--url",
            address,
            "--requirements",
            revision,
            "--output-dir",
            str(folder),
        )
        for report in folder.glob("server-*/checks.json"):
            # server-<scenario>-<year>-<month>-<day>T<time>Z
            scenario = report.parent.name.removeprefix("server-").rsplit("-", 6)[0]
            found[revision, scenario] = json.loads(report.read_text("utf-8"))
    return found


def failures(checks):
    return [
        (check["id"], check.get("errorMessage")) for check in checks if check["status"] == "FAILURE"
    ]


@pytest.mark.parametrize(
    ("revision", "scenario"), [(r, s) for r, listed in PASSING.items() for s in listed]
)
def test_a_scenario_passes(outcome, revision, scenario):
    checks = outcome[revision, scenario]
    assert failures(checks) == []


def test_the_stateless_era_fails_only_where_a_fixture_is_wanted(outcome):
    checks = outcome["2026-07-28", "server-stateless"]
    assert sum(check["status"] == "SUCCESS" for check in checks) >= 20
    assert [f for f in failures(checks) if f[0] not in NEED_A_FIXTURE] == []


def test_the_inspector_lists_and_calls(tools, address):
    options = ("mcp-inspector", "--cli", address, "--transport", "http", "--method")
    listed = run(tools, *options, "tools/list")
    assert listed.returncode == 0, listed.stderr
    assert [tool["name"] for tool in json.loads(listed.stdout)["tools"]] == [
        name for name, _, _ in CALLS
    ]
    # The Inspector sends a ZIP code as a number.
    called = run(
        tools,
        *options,
        "tools/call",
        "--tool-name",
        "find_food_resources",
        "--tool-arg",
        "location=10002",
    )
    assert called.returncode == 0, called.stderr
    assert json.loads(called.stdout)["structuredContent"]["total_available"] == 3
