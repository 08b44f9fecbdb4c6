"""Test the reference pages of the API and the commands of docs/api.md."""

import re
import shutil
import subprocess
from html.parser import HTMLParser

import httpx
import pytest

from serving.http.openapi_components import inline_components
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


@pytest.fixture(scope="module")
def description(service):
    return inline_components(httpx.get(f"{service}/api/openapi/whole.json").json())


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


class Page(HTMLParser):
    """Ids, links and loaded files of a page."""

    def __init__(self, text):
        super().__init__()
        self.ids, self.links, self.files, self.text = [], [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        if "id" in attributes:
            self.ids.append(attributes["id"])
        if tag == "a":
            self.links.append(attributes["href"])
        self.files += [attributes[name] for name in ("src",) if name in attributes]
        if tag == "link" and attributes.get("rel") in ("stylesheet", "icon"):
            self.files.append(attributes["href"])

    def handle_data(self, data):
        self.text.append(data)


def test_the_pages_show_every_operation_and_have_no_broken_links(service, description):
    index = Page(httpx.get(f"{service}/docs").text)
    parts = sorted({link.partition("#")[0] for link in index.links if link.startswith("/docs/")})
    operations = set()
    for part in parts:
        answer = httpx.get(service + part)
        assert answer.status_code == 200, part
        page = Page(answer.text)
        assert len(set(page.ids)) == len(page.ids), part
        assert [
            link for link in page.links if link.startswith("#") and link[1:] not in page.ids
        ] == []
        assert [address for address in page.files if not address.startswith("/")] == []
        operations |= {
            link.partition("#")[2] for link in index.links if link.startswith(f"{part}#")
        } & set(page.ids)
    names = {o["operationId"] for item in description["paths"].values() for o in item.values()}
    assert operations == names


def test_an_unknown_part_is_404(service):
    assert httpx.get(f"{service}/docs/nothing").status_code == 404


def test_links_name_operations_and_their_parameters(description):
    operations = {
        o["operationId"]: o for item in description["paths"].values() for o in item.values()
    }
    links = [
        (link, operation["operationId"])
        for operation in operations.values()
        for link in operation["responses"].get("200", {}).get("links", {}).values()
    ]
    assert len(links) > 20
    for link, source in links:
        parameters = {p["name"] for p in operations[link["operationId"]]["parameters"]}
        assert set(link["parameters"]) <= parameters, source
