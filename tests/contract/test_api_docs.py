"""Test the commands of docs/api.md."""

import re
import shutil
import subprocess

import pytest

from tests.support.server import ROOT, running_service
from tests.support.town import write_town

COMMANDS = re.findall(r"^curl .*$", (ROOT / "docs" / "api.md").read_text("utf-8"), re.MULTILINE)
# Only this command shows a problem.
PROBLEM = "zip=00000"


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    folder = tmp_path_factory.mktemp("docs")
    write_town(folder, bulk=True, hsds=True)
    with running_service(folder, LARDER_LOG_LEVEL="error") as address:
        yield address


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_of_the_guide_works(service, command):
    option = "--write-out '\\n%{http_code}'"
    process = subprocess.run(
        ["bash", "-c", f"LARDER={service}; {command} {option}"],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    body, _, status = process.stdout.rpartition("\n")
    assert status == ("404" if PROBLEM in command else "200"), body[:500]
    assert body.strip()


def test_the_guide_has_commands():
    assert len(COMMANDS) >= 15
