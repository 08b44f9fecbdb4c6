"""Test the running MCP server with the official conformance suite and the Inspector, from npm.

`LARDER_NODE_TOOLS` may name a folder where they are installed; otherwise npm fetches them. Scenarios
that call the suite's own tools (`test_simple_text` and others) do not apply to our server.
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
# Scenarios by the revision that requires them; every check of each passes.
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
# Checks of stateless servers that call the suite's own tools (`test_missing_capability` and others).
NEED_A_FIXTURE = {
    "sep-2575-server-rejects-undeclared-capability",
    "sep-2575-missing-capability-http-400",
    "sep-2575-http-server-no-independent-requests-on-stream",
    "sep-2575-server-no-log-without-loglevel",
}


@pytest.fixture(scope="module")
def tools(tmp_path_factory):
    """Folder of the programs."""
    folder_name = os.environ.get("LARDER_NODE_TOOLS")
    if folder_name:
        return Path(folder_name) / "node_modules" / ".bin"
    if shutil.which("npm") is None:
        pytest.skip("npm is not installed")
    folder = tmp_path_factory.mktemp("node")
    command = ["npm", "install", "--no-audit", "--no-fund", "--prefix", str(folder), *PACKAGES]
    try:
        process = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, timeout=300, check=False
        )
    except subprocess.TimeoutExpired:
        pytest.skip("npm did not get the packages within five minutes")
    if process.returncode != 0:
        pytest.skip(f"npm cannot get the packages: {process.stderr[-300:]}")
    return folder / "node_modules" / ".bin"


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    folder = tmp_path_factory.mktemp("conformance")
    write_mcp_town(folder)
    with running_service(folder, LARDER_LOG_LEVEL="error") as base:
        yield f"{base}/mcp/v1"


def run(tools, *command):
    environment = {**os.environ, "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}"}
    # The programs need Node 22 or newer, which is in their folder.
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
    outcome = {}
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
            outcome[revision, scenario] = json.loads(report.read_text("utf-8"))
    return outcome


def failures(checks):
    return [
        (check["id"], check.get("errorMessage")) for check in checks if check["status"] == "FAILURE"
    ]


@pytest.mark.parametrize(
    ("revision", "scenario"), [(r, s) for r, listing in PASSING.items() for s in listing]
)
def test_a_scenario_passes(outcome, revision, scenario):
    checks = outcome[revision, scenario]
    assert failures(checks) == []


def test_stateless_checks_fail_only_for_lack_of_a_fixture(outcome):
    checks = outcome["2026-07-28", "server-stateless"]
    assert sum(check["status"] == "SUCCESS" for check in checks) >= 20
    assert [f for f in failures(checks) if f[0] not in NEED_A_FIXTURE] == []


def test_the_inspector_lists_and_calls(tools, address):
    options = ("mcp-inspector", "--cli", address, "--transport", "http", "--method")
    listing = run(tools, *options, "tools/list")
    assert listing.returncode == 0, listing.stderr
    assert [tool["name"] for tool in json.loads(listing.stdout)["tools"]] == [
        name for name, _, _ in CALLS
    ]
    # The Inspector sends a ZIP code as a number.
    answer = run(
        tools,
        *options,
        "tools/call",
        "--tool-name",
        "find_food_resources",
        "--tool-arg",
        "location=10002",
    )
    assert answer.returncode == 0, answer.stderr
    assert json.loads(answer.stdout)["structuredContent"]["total_available"] == 3
