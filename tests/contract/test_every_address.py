"""Test that every address in discovery documents, feeds, sitemaps and navigation answers."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import pytest

from serving.documents.feeds import FEEDS
from serving.documents.registry import STATE
from serving.documents.renderer import library
from tests.support.clients import Client, open_client
from tests.support.town import write_town

BASE = "http://127.0.0.1:8000"
VALUES = {
    "zip": "10002",
    "state": "NY",
    "id": "101",
    "lat": "40.7157",
    "lng": "-73.9863",
    "city": "Salem, OR",
    "question": "free food near 10002",
    "page_url": f"{BASE}/place/101",
    "release_id": "20261101T060000Z-00000001",
}
# Addresses that documents name for POST.
POSTS = {
    "/api/snap/calculate",
    "/api/benefits/screen",
    "/api/feedback",
    "/api/submissions",
    "/api/sms",
}
# Named without required parameters: a client error is correct.
NEEDS_MORE = {
    "/api/changes",
    "/api/llm-search",
    "/api/resources/nearby",
    "/api/resources/search",
    "/api/resources/urgent",
}
# A city of the invented town that no gazetteer has.
NO_CITY = "/search?q=Casper"
# Addresses of data that a town's release lacks (problem `not-in-release`).
OF_WHOLE_RELEASES = re.compile(
    r"/api/v1/access|/coverage/|/exports|/hsds/|/api/releases|/disasters|/api/disasters|/es/coverage|/es/disasters"
)
DOCUMENTS = [
    "/llms.txt",
    "/api/v1/sitemap.json",
    "/api/v1/sitemap-es.json",
    "/api/v1/ai-tools.json",
    "/api/v1/ai-tools-es.json",
    "/api/v1/integrations.json",
    "/api/v1/integrations-es.json",
    "/api/v1/intents.json",
    "/api/v1/intents-es.json",
    "/api/v1/changelog.json",
    "/api/v1/whoami.json",
    "/about.json",
    "/snapshot.json",
    "/api/embed/catalog.json",
    "/.well-known/ai-plugin.json",
    "/.well-known/mcp.json",
    "/.well-known/mcp/server.json",
    "/.well-known/ai-catalog.json",
    "/robots.txt",
    "/sitemap.xml",
    "/sitemaps/site.xml",
    "/sitemaps/places-1.xml",
    *(f.path for f in FEEDS),
]
PAGES = [
    "/",
    "/es/",
    "/partner/leaderboard",
    "/data",
    "/es/data",
    "/hsds/v3",
    "/zip/10002",
    "/es/city/NY/new-york",
    "/place/101",
    *(
        path.replace(STATE, "NY")
        for row in library().list_answered()
        for path in (row.page, row.page_es)
        if path is not None
    ),
]


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    folder: Path = tmp_path_factory.mktemp("addresses")
    write_town(folder, bulk=True, hsds=True)
    with open_client(folder) as client:
        yield client


def _find_addresses(text: str) -> set[str]:
    """Return this service's addresses in a text, with values for their placeholders."""
    paths = re.findall(re.escape(BASE) + r"(/[^\s\"'<>)\\]*)?", text.replace("&amp;", "&"))
    return {_fill(path or "/") for path in paths}


def _fill(path: str) -> str:
    for name, value in VALUES.items():
        path = path.replace(f"{{{name}}}", quote(value, safe=""))
    return path


def _fault(client: Client, path: str, faults: dict[str, str | None]) -> str | None:
    if path not in faults:
        faults[path] = _request(client, path)
    return faults[path]


def _request(client: Client, path: str) -> str | None:
    bare = urlsplit(path).path
    if "{" in path:
        return f"{path}: an unknown placeholder"
    if bare in POSTS:
        return None if client.get(path).status_code == 405 else f"{path}: no POST"
    answer = client.head(path, follow_redirects=True)
    status = answer.status_code
    if (
        status < 400
        or (status == 400 and path in NEEDS_MORE)
        or (status == 404 and NO_CITY in path)
    ):
        return None
    if status == 503 and OF_WHOLE_RELEASES.match(bare):
        body: Any = client.get(path).json()
        return None if str(body["type"]).endswith("/not-in-release") else f"{path}: {body}"
    return f"{path}: {status}"


@pytest.fixture(scope="module")
def faults() -> dict[str, str | None]:
    """Results by path, so that each is requested once."""
    return {}


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_address_of_a_document_answers(
    document: str, client: Client, faults: dict[str, str | None]
) -> None:
    answer = client.get(document)
    assert answer.status_code == 200
    paths = _find_addresses(answer.text)
    assert paths, "it names nothing"
    if document.startswith("/sitemaps/"):  # pages of one kind are alike: one in seven is enough
        paths = set(sorted(paths)[::7])
    assert not [fault for path in sorted(paths) if (fault := _fault(client, path, faults))]


@pytest.mark.parametrize("page", PAGES)
def test_every_link_of_a_page_answers(
    page: str, client: Client, faults: dict[str, str | None]
) -> None:
    text = client.get(page).text
    planned = {path for row in library().rows.values() if row.planned for path in row.paths()}
    paths = set(re.findall(r'(?:href|src|action)="(/[^"#]*)', text)) | _find_addresses(text)
    links = sorted(p.replace("&amp;", "&") for p in paths if urlsplit(p).path not in planned)
    assert links
    # A search without its text shows its form; "/grants/(state)" is prose.
    assert not [
        fault
        for path in links
        if "{search_term" not in path
        and "(" not in path
        and (fault := _fault(client, path, faults))
    ]
